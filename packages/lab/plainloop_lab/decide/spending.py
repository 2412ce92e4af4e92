"""What answers cost in money, time and reasoning tokens: with intervals, and beside today's.

Turns of one conversation hang together, so intervals are over conversations. Both sides of a ratio
are of the same conversations, so that how these differ does not widen it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from ..report.numbers import NONE, format_value
from ..report.statistics import get_quantile
from .outcomes import Outcome
from .proofs import NORMAL

# By the name of an outcome's field: a title, and the unit.
RESOURCES: Final = {
    "cost_usd": ("cost", "usd"),
    "duration_ms": ("time", "ms"),
    "reasoning_tokens": ("reasoning tokens", "tokens"),
}
PERCENTILES: Final = {"p50": 0.5, "p95": 0.95}
_HALF: Final = NORMAL.inv_cdf(0.975)


class Amount(TypedDict):
    """A resource of a turn, with its 95 % interval, and as a share of today's; None: unknown."""

    mean: float
    low: float | None
    high: float | None
    conversations: int
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None


class Percentile(TypedDict):
    """A percentile of turns' times, with its 95 % interval; None: too few turns for that end."""

    ms: float
    low: float | None
    high: float | None


def measure_resources(
    today: Mapping[str, Outcome], side: Mapping[str, Outcome]
) -> dict[str, Amount]:
    """Measure what a side needed per turn (cost, tokens, time), by resource.

    Includes the ratios to today's amounts. One that some conversation does not state is left out.

    today: what it is compared with, on the conversations that both have; {}: nothing.
    """
    found: dict[str, Amount] = {}
    for name in RESOURCES:
        own = [(getattr(each, name), each.turns) for each in side.values() if each.turns]
        if not own or any(value is None for value, _ in own):
            continue
        mean = estimate_ratio(own)
        if mean is None:
            continue
        pairs = [
            (getattr(outcome, name), getattr(today[key], name))
            for key, outcome in side.items()
            if key in today and outcome.turns and today[key].turns
        ]
        is_known = not any(None in pair for pair in pairs)
        ratio = estimate_ratio(pairs) if pairs and is_known else None
        low, high = get_bounds(mean)
        ratio_low, ratio_high = (None, None) if ratio is None else get_bounds(ratio)
        found[name] = Amount(
            mean=mean[0],
            low=low,
            high=high,
            conversations=len(own),
            ratio=None if ratio is None else ratio[0],
            ratio_low=ratio_low,
            ratio_high=ratio_high,
        )
    return found


def estimate_ratio(pairs: Sequence[tuple[float, float]]) -> tuple[float, float | None] | None:
    """Estimate the ratio of two sums over conversations, with a 95 % interval.

    Returns (ratio, half-width of the interval). The half is None for one conversation. None: the
    second sum is 0.

    >>> estimate_ratio([(1.0, 2.0), (3.0, 6.0)])
    (0.5, 0.0)
    """
    base = math.fsum(under for _, under in pairs)
    if not base:
        return None
    ratio = math.fsum(over for over, _ in pairs) / base
    if len(pairs) < 2:
        return ratio, None
    rests = math.fsum((over - ratio * under) ** 2 for over, under in pairs)
    return ratio, _HALF * math.sqrt(rests * len(pairs) / (len(pairs) - 1)) / base


def measure_latency(side: Mapping[str, Outcome]) -> dict[str, Percentile]:
    """Measure percentiles of how long turns took, in ms with 95 % intervals, by name.

    {}: some conversation does not state times.

    The ends are order statistics: the share of turns below the percentile has an interval over
    conversations, at least as wide as if turns were independent.
    """
    columns = [each.durations_ms for each in side.values() if each.turns]
    if not all(columns):
        return {}
    ordered = sorted(ms for column in columns for ms in column)
    count = len(ordered)
    found: dict[str, Percentile] = {}
    for name, place in PERCENTILES.items() if count else ():
        value = get_quantile(ordered, place)
        below = [(float(sum(ms <= value for ms in column)), len(column)) for column in columns]
        _, half = estimate_ratio(below) or (0.0, None)
        half = max(half or 0.0, _HALF * math.sqrt(place * (1 - place) / count))
        first, last = math.floor(count * (place - half)) - 1, math.ceil(count * (place + half))
        found[name] = Percentile(
            ms=value,
            low=ordered[first] if first >= 0 else None,
            high=ordered[last] if last < count else None,
        )
    return found


def get_bounds(estimate: tuple[float, float | None]) -> tuple[float | None, float | None]:
    """Convert an estimate (value, half-width) to an interval (low, high).

    The interval is cut at 0. (None, None) for an unknown half-width.
    """
    value, half = estimate
    return (None, None) if half is None else (max(0.0, value - half), value + half)


def compare_cost(
    today: Mapping[str, Outcome], side: Mapping[str, Outcome], role: str
) -> tuple[float, float] | None:
    """Estimate the ratio of a role's cost to today's, with a 95 % interval.

    Returns (ratio, half-width of the interval). A change in what other roles cost counts too: more
    reviews, for example. Where a turn does not state its roles, the whole turn is compared. None:
    an unknown price, or today's cost is 0. Conversations without an answer on one side have no cost
    to compare, here as in the resources.
    """
    pairs = [
        (outcome, today[name])
        for name, outcome in side.items()
        if name in today and not outcome.is_lost and not today[name].is_lost
    ]
    if any(each.cost_usd is None for pair in pairs for each in pair):
        return None
    has_roles = all(base.costs_by_role or not base.cost_usd for _, base in pairs)
    found = estimate_ratio(
        [
            (
                (own.cost_usd or 0.0) - (base.cost_usd or 0.0),
                base.costs_by_role.get(role, 0.0) if has_roles else base.cost_usd or 0.0,
            )
            for own, base in pairs
        ]
    )
    return None if found is None else (max(0.0, 1 + found[0]), found[1] or 0.0)


def format_amount(name: str, amount: Amount | None) -> str:
    """Format a resource of a turn with its interval, in the resource's unit.

    >>> amount = Amount(mean=0.5, low=0.4, high=0.6, conversations=9, ratio=None, ratio_low=None,
    ...                 ratio_high=None)
    >>> format_amount("cost_usd", amount), format_amount("cost_usd", None)
    ('$0.5000 ($0.4000 … $0.6000)', '–')
    """
    if amount is None:
        return NONE
    return _format_bounds(amount["mean"], amount["low"], amount["high"], RESOURCES[name][1])


def format_ratio(amount: Amount | None) -> str:
    """Format an amount as a share of today's, with its interval."""
    if amount is None or amount["ratio"] is None:
        return NONE
    return _format_bounds(amount["ratio"], amount["ratio_low"], amount["ratio_high"], "share")


def format_percentile(found: Percentile | None) -> str:
    """Format a percentile of times with its interval, of which an end may be unknown.

    >>> format_percentile(Percentile(ms=900.0, low=800.0, high=None))
    '900 ms (800 ms or more)'
    """
    if found is None:
        return NONE
    value, low, high = (format_value(found[name], "ms") for name in ("ms", "low", "high"))
    if NONE in (low, high):
        bound = f" ({low} or more)" if low != NONE else f" ({high} or less)" if high != NONE else ""
        return value + bound
    return f"{value} ({low} … {high})"


def _format_bounds(value: float, low: float | None, high: float | None, unit: str) -> str:
    told = format_value(value, unit)
    if low is None or high is None:
        return told
    return f"{told} ({format_value(low, unit)} … {format_value(high, unit)})"
