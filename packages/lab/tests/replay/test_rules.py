"""Whether a candidate may replace what answers today: each rule, and all together."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop_lab.report.rules import bound_share, count_needed, decide_replacement

MAX_RISK = 0.1


def make_summary(
    worse: int, total: int, *, kind: str = "same", missing: int = 0, unread: int = 0
) -> dict[str, Any]:
    return {
        "verdict": {"kind": kind},
        "conversations": total,
        "uncompared": missing,
        "worse": {"conversations": worse},
        "answers": {"differ": max(unread, 10), "unjudged": unread},
        "sharing": {"shared_calls": 0, "touched": 0, "is_void": False},
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
        (make_summary(0, 0), "undecided", ["open", "open", "met"]),
    ],
)
def test_a_candidates_status_follows_from_its_rules(
    summary: dict[str, Any], status: str, rules: list[str]
) -> None:
    found = decide_replacement(summary, MAX_RISK, is_open=False)

    assert (found.status, [rule.status for rule in found.rules]) == (status, rules)


def test_an_unfinished_replay_never_passes() -> None:
    assert decide_replacement(make_summary(0, 90), MAX_RISK, is_open=True).status == "undecided"


def test_a_candidate_with_equal_requests_passes_with_few_conversations() -> None:
    summary = make_summary(0, 1) | {"sharing": {"shared_calls": 3, "touched": 0, "is_void": False}}

    assert decide_replacement(summary, MAX_RISK, is_open=False).status == "passed"


@pytest.mark.parametrize(("worse", "total"), [(0, 5), (1, 30), (2, 50)])
def test_the_stated_number_of_further_conversations_is_sufficient(worse: int, total: int) -> None:
    more = count_needed(worse, total, MAX_RISK)

    assert more is not None
    rate = worse / total
    assert bound_share(round(rate * (total + more)), total + more) <= MAX_RISK
    assert decide_replacement(make_summary(worse, total), MAX_RISK, is_open=False).rules[
        0
    ].needed == (more)
