"""Whether a candidate may replace what answers today: each rule, and all together."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop_lab.report.rules import count_needed, decide_replacement
from plainloop_lab.report.statistics import bound_share

MAX_RISK = 0.1


def make_sharing(shared: int, touched: int, *, is_changed: bool = True) -> dict[str, Any]:
    return {"shared_calls": shared, "touched": touched, "is_changed": is_changed, "is_void": False}


def make_summary(
    worse: int, total: int, *, kind: str = "same", missing: int = 0, unread: int = 0
) -> dict[str, Any]:
    return {
        "verdict": {"kind": kind},
        "conversations": total,
        "uncompared": missing,
        "worse": {"conversations": worse},
        "answers": {"differ": max(unread, 10), "unjudged": unread},
        "sharing": make_sharing(0, total - missing),
    }


@pytest.mark.parametrize(
    ("summary", "status", "rules"),
    [
        (make_summary(0, 29), "passed", ["met", "met", "met"]),
        (make_summary(0, 28), "undecided", ["open", "met", "met"]),
        (make_summary(3, 90), "passed", ["met", "met", "met"]),
        (make_summary(30, 90), "failed", ["failed", "met", "met"]),
        (make_summary(3, 90, kind="worse"), "failed", ["met", "met", "met"]),
        (make_summary(0, 90, missing=9), "undecided", ["met", "open", "met"]),
        (make_summary(0, 90, unread=9), "undecided", ["met", "met", "open"]),
        (make_summary(0, 0), "undecided", ["open", "open", "open"]),
    ],
)
def test_a_candidates_status_follows_from_its_rules(
    summary: dict[str, Any], status: str, rules: list[str]
) -> None:
    found = decide_replacement(summary, MAX_RISK, is_open=False)

    assert (found.status, [rule.status for rule in found.rules]) == (status, rules)


def test_an_unfinished_replay_never_passes() -> None:
    assert decide_replacement(make_summary(0, 90), MAX_RISK, is_open=True).status == "undecided"


def test_an_unchanged_candidate_passes_with_few_conversations() -> None:
    summary = make_summary(0, 1) | {"sharing": make_sharing(3, 0, is_changed=False)}

    assert decide_replacement(summary, MAX_RISK, is_open=False).status == "passed"


def test_a_change_that_no_conversation_used_is_not_proven() -> None:
    summary = make_summary(0, 90) | {"sharing": make_sharing(200, 0)}

    found = decide_replacement(summary, MAX_RISK, is_open=False)

    assert (found.status, found.rules[0].status) == ("undecided", "open")
    assert (found.rules[0].value, found.rules[0].high) == (None, None)


def test_conversations_without_the_change_prove_nothing_of_a_partial_replay() -> None:
    """They cost nothing, so they end before a limit or a missing price ends the others."""
    partial = make_summary(0, 60, missing=20)
    summary = partial | {"sharing": make_sharing(100, 8)}

    rule = decide_replacement(summary, MAX_RISK, is_open=False).rules[0]

    assert (rule.status, rule.high) == ("open", bound_share(0, 8))
    unused = partial | {"sharing": make_sharing(100, 0)}
    assert decide_replacement(unused, MAX_RISK, is_open=False).rules[0].high is None


def test_conversations_without_the_change_do_not_prove_it() -> None:
    """Else any change of a prompt passes if few of the drawn conversations use it."""
    summary = make_summary(0, 36) | {"sharing": make_sharing(100, 10)}

    found = decide_replacement(summary, MAX_RISK, is_open=False)

    rule = found.rules[0]
    assert (found.status, rule.used) == ("undecided", 10)
    assert (rule.high, rule.high_all) == (bound_share(0, 10), bound_share(0, 36))
    assert rule.high_all is not None and rule.high_all < MAX_RISK < (rule.high or 0)
    assert rule.needed == 69, "of all conversations: 19 more that use it, of 10 in 36"
    enough = make_summary(0, 105) | {"sharing": make_sharing(300, 29)}
    assert decide_replacement(enough, MAX_RISK, is_open=False).status == "passed"


def test_conversations_without_a_request_do_not_prove_a_change_either() -> None:
    """Of another model for all roles nothing is shared: what rules answer used neither."""
    summary = make_summary(0, 29) | {"sharing": make_sharing(0, 22)}

    found = decide_replacement(summary, MAX_RISK, is_open=False)

    assert (found.status, found.rules[0].used) == ("undecided", 22)
    assert found.rules[0].high == bound_share(0, 22)
    worse = make_summary(2, 29) | {"sharing": make_sharing(0, 1)}
    rule = decide_replacement(worse, MAX_RISK, is_open=False).rules[0]
    assert (rule.status, rule.used, rule.value) == ("failed", 2, 1.0), "worse without a request"


@pytest.mark.parametrize(("worse", "total"), [(0, 5), (1, 30), (2, 50)])
def test_the_stated_number_of_further_conversations_is_sufficient(worse: int, total: int) -> None:
    more = count_needed(worse, total, MAX_RISK)

    assert more is not None
    rate = worse / total
    assert bound_share(round(rate * (total + more)), total + more) <= MAX_RISK
    assert decide_replacement(make_summary(worse, total), MAX_RISK, is_open=False).rules[
        0
    ].needed == (more)
