"""What has to hold before a candidate may replace what answers today, each rule by itself."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from .judge_tally import BORNE_MISSING
from .numbers import LIKELY
from .sharing_tally import is_all_shared

MOST_NEEDED: Final = 100_000  # conversations; what takes more is not told
_NEARLY_ALL: Final = 1 - BORNE_MISSING


@dataclass(frozen=True, slots=True)
class Rule:
    """Says how a rule stands. worse: few enough conversations got worse; complete: nearly all were
    compared; read: so were nearly all answers in other words. value, high: shares, the second one
    at most so with 95 %; None where no conversation used the change. needed: conversations, or
    answers to be read, that would decide it.
    """

    name: Literal["worse", "complete", "read"]
    status: Literal["met", "failed", "open"]
    limit: float
    value: float | None = None  # None: nothing was counted
    high: float | None = None
    needed: int | None = None


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
    sharing = summary["sharing"]
    is_unused = is_all_shared(sharing)
    if is_partial and sharing["shared_calls"]:
        # Conversations that buy nothing end first, also where the candidate's model answers none:
        # until all have ended they are no random sample
        # (test_conversations_without_the_change_prove_nothing_of_a_partial_replay).
        total = min(total, sharing["touched"])
    if not total or (is_unused and sharing["is_changed"]):
        return Rule("worse", "open", limit)
    count = min(summary["worse"]["conversations"], total)
    # Where nothing is changed there is nothing to be worse by.
    high = 0.0 if is_unused else bound_share(count, total)
    if high <= limit:
        return Rule("worse", "met", limit, count / total, high)
    if 1 - bound_share(total - count, total) > limit:
        return Rule("worse", "failed", limit, count / total, high)
    return Rule("worse", "open", limit, count / total, high, count_needed(count, total, limit))


def bound_share(count: int, total: int) -> float:
    """Compute the exact 95 % upper bound of a share.

    The share was seen in `count` of `total` cases.

    >>> round(bound_share(0, 29), 3), round(bound_share(3, 90), 3), bound_share(4, 4)
    (0.098, 0.084, 1.0)
    """
    if count >= total:
        return 1.0
    ways = [
        math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1)
        for k in range(count + 1)
    ]

    def is_too_rare(place: int) -> bool:
        yes, no = math.log(place / MOST_NEEDED), math.log1p(-place / MOST_NEEDED)
        found = (math.exp(way + k * yes + (total - k) * no) for k, way in enumerate(ways))
        return sum(found) <= LIKELY

    return bisect.bisect_left(range(MOST_NEEDED), True, lo=1, key=is_too_rare) / MOST_NEEDED


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
