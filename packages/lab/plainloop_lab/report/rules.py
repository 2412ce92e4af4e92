"""What has to hold before a candidate may replace what answers today, each rule by itself."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping
from typing import Any, Final, Literal

from plainloop.agent.dataclasses import dataclass

from .judge_tally import BORNE_MISSING
from .statistics import MOST_NEEDED, bound_share

_NEARLY_ALL: Final = 1 - BORNE_MISSING


@dataclass(frozen=True, slots=True)
class Rule:
    """Says how a rule stands. worse: of the conversations that used the change, few enough got
    worse; complete: nearly all were compared; read: so were nearly all answers in other words.
    value, high: shares, the second one at most so with 95 %; None where no conversation used the
    change. high_all: the same of all conversations; None where they are no random sample. used: how
    many used the change; None: all did. needed: conversations, or answers to be read, that would
    decide it.
    """

    name: Literal["worse", "complete", "read"]
    status: Literal["met", "failed", "open"]
    limit: float
    value: float | None = None  # None: nothing was counted
    high: float | None = None
    needed: int | None = None
    high_all: float | None = None
    used: int | None = None


@dataclass(frozen=True, slots=True)
class ReplayDecision:
    status: Literal["passed", "failed", "undecided"]
    rules: list[Rule]


def decide_replacement(
    summary: Mapping[str, Any], most_worse: float, *, is_open: bool
) -> ReplayDecision:
    """Decide whether the candidate may replace its reference.

    Every rule must be met. most_worse: the share of conversations that may get worse. is_open: the
    replay goes on.
    """
    planned = summary["conversations"]
    total = planned - summary["uncompared"]
    differ, unread = summary["answers"]["differ"], summary["answers"]["unjudged"]
    is_partial = is_open or not total or total < _NEARLY_ALL * planned
    is_doubtful = is_partial or summary["sharing"]["is_void"]
    is_unread = not total or unread > BORNE_MISSING * differ
    is_read = (differ - unread) / differ if differ else None
    rules = [
        _judge_worse(summary, total, most_worse, is_partial=is_partial),
        Rule("complete", "open" if is_doubtful else "met", _NEARLY_ALL, total / max(1, planned)),
        Rule("read", "open" if is_unread else "met", _NEARLY_ALL, is_read, needed=unread or None),
    ]
    found = {rule.status for rule in rules}
    if summary["verdict"]["kind"] == "worse" or "failed" in found:
        return ReplayDecision("failed", rules)
    return ReplayDecision("undecided" if "open" in found else "passed", rules)


def _judge_worse(summary: Mapping[str, Any], total: int, limit: float, *, is_partial: bool) -> Rule:
    """Judge the share of conversations that got worse, of those that used the change.

    The others sent the reference's requests, or none: they cannot get worse, and a sample of them
    would prove any change (test_conversations_without_the_change_do_not_prove_it). One that got
    worse without a request, as an answer by rules can, counts.
    """
    sharing = summary["sharing"]
    used = min(total, max(sharing["touched"], summary["worse"]["conversations"]))
    some = used if used < total else None
    if not total or (not used and sharing["is_changed"]):
        return Rule("worse", "open", limit, used=some)
    if not used:  # where nothing is changed there is nothing to be worse by
        return Rule("worse", "met", limit, 0.0, 0.0, high_all=0.0, used=some)
    count = min(summary["worse"]["conversations"], used)
    high = bound_share(count, used)
    # Conversations that buy nothing end first: until all have ended they are no random sample.
    high_all = None if is_partial else bound_share(count, total)
    told = (count / used, high)
    if high <= limit:
        return Rule("worse", "met", limit, *told, high_all=high_all, used=some)
    if 1 - bound_share(used - count, used) > limit:
        return Rule("worse", "failed", limit, *told, high_all=high_all, used=some)
    more = count_needed(count, used, limit)
    needed = None if more is None else math.ceil(more * total / used)  # of all, as they are drawn
    return Rule("worse", "open", limit, *told, needed, high_all, some)


def count_needed(count: int, total: int, limit: float) -> int | None:
    """Return how many more conversations would prove that the share is below the limit.

    Assumes the rate of those seen so far. None: no number would.

    >>> count_needed(0, 14, 0.1), count_needed(2, 14, 0.1)
    (15, None)
    """

    def suffices(more: int) -> bool:
        return bound_share(round(count / total * (total + more)), total + more) <= limit

    if count >= limit * total or not suffices(MOST_NEEDED):
        return None
    return bisect.bisect_left(range(MOST_NEEDED), True, key=suffices)
