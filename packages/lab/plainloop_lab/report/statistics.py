"""What a replay's numbers allow to say: intervals over conversations, and a paired test.

Turns of one conversation hang together, so the unit drawn and counted is the conversation. Nothing
here grows with the replay: sums are exact, resampling works on a bounded random sample. Neither
depends on the order in which conversations come, nor on how many processes looked at them.
"""

from __future__ import annotations

import bisect
import hashlib
import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, TypedDict

from plainloop.agent.dataclasses import dataclass, field

from .numbers import LIKELY

SAMPLED_CONVERSATIONS: Final = 500
DRAWS: Final = 1_000
CONFIDENCE: Final = 0.95
MOST_NEEDED: Final = 100_000  # conversations; what takes more is not told

# A conversation's numbers by measure: the sum over its turns, and how many turns had it.
Sums = Mapping[str, tuple[float, int]]


class Interval(TypedDict):
    low: float
    high: float


@dataclass(slots=True)
class Estimate:
    """A mean per turn. total: the sum over all turns. turns: how many had the measure."""

    # A float is a fraction, and fractions add up to the same in any order.
    exact: Fraction = Fraction(0)
    turns: int = 0
    conversations: int = 0
    lowest: float = math.inf
    highest: float = -math.inf

    def add(self, total: float, turns: int) -> None:
        """Add a conversation's sum over its turns to the estimate."""
        self.exact += Fraction(total)
        self.turns += turns
        self.conversations += 1
        self.lowest = min(self.lowest, total / turns)
        self.highest = max(self.highest, total / turns)

    @property
    def total(self) -> float:
        """Return the sum over all turns."""
        return float(self.exact)

    @property
    def mean(self) -> float:
        """Return the mean per turn."""
        return float(self.exact / self.turns)


@dataclass(slots=True)
class SampledConversations:
    """A random sample of bounded size: the conversations whose ids have the lowest hashes.

    So every process keeps the same ones, in whatever order they are added.
    """

    seed: int
    size: int = SAMPLED_CONVERSATIONS
    seen: int = 0
    # Negated hash and id, in their order: the first, of the highest hash, is the one that goes.
    _kept: list[tuple[int, str, Sums]] = field(default_factory=list[tuple[int, str, Sums]])

    @property
    def kept(self) -> list[Sums]:
        """Return the sums of the conversations in the sample."""
        return [sums for _, _, sums in self._kept]

    def add(self, conversation_id: str, sums: Sums) -> None:
        """Add a conversation's sums to the sample.

        They are kept only while the conversation's id belongs to the sample.
        """
        self.seen += 1
        given = f"{self.seed} {conversation_id}".encode()
        rank = -int.from_bytes(hashlib.blake2b(given, digest_size=8).digest())
        bisect.insort(self._kept, (rank, conversation_id, sums), key=lambda entry: entry[:2])
        del self._kept[: -self.size]


def bootstrap_intervals(
    sample: SampledConversations, estimates: Mapping[str, Estimate]
) -> dict[str, Interval]:
    """Estimate 95 % intervals of the means, by measure, with a bootstrap over conversations.

    For a replay larger than its sample the interval is narrowed as its size allows. A measure in
    which all conversations are alike has none here: nothing in the data says how they vary.
    """
    draw = random.Random(sample.seed)
    kept = sample.kept
    count = len(kept)
    names = [name for name, found in estimates.items() if found.lowest < found.highest]
    means: dict[str, list[float]] = {name: [] for name in names}
    columns = {name: [sums.get(name, (0.0, 0)) for sums in kept] for name in names}
    for _ in range(DRAWS if count else 0):
        places = draw.choices(range(count), k=count)
        for name in names:
            column = columns[name]
            turns = sum(column[place][1] for place in places)
            if turns:
                means[name].append(sum(column[place][0] for place in places) / turns)
    found: dict[str, Interval] = {}
    tail, scale = (1 - CONFIDENCE) / 2, math.sqrt(count / sample.seen) if count else 1.0
    for name in names:
        if len(means[name]) > DRAWS // 2:
            drawn, mean = sorted(means[name]), estimates[name].mean
            totals, turns = zip(*columns[name], strict=True)
            center = sum(totals) / sum(turns)
            low, high = (get_quantile(drawn, place) for place in (tail, 1 - tail))
            found[name] = {
                "low": mean + (low - center) * scale,
                "high": mean + (high - center) * scale,
            }
    return found


def bound_unanimous(mean: float, conversations: int) -> Interval:
    """Compute the exact interval of a share on which all conversations agree (0 or 1).

    >>> bound_unanimous(1.0, 100)["low"] > 0.96
    True
    """
    gap = 1 - ((1 - CONFIDENCE) / 2) ** (1 / conversations)
    return {"low": mean - gap, "high": mean} if mean else {"low": 0.0, "high": gap}


def compare_signs(one: int, other: int) -> float:
    """Compute the exact two-sided p-value of a split into `one` and `other` (sign test).

    For yes-or-no measures it is McNemar's exact test.

    >>> compare_signs(5, 0), compare_signs(0, 0)
    (0.0625, 1.0)
    """
    count = one + other
    if one == other:
        return 1.0
    logs = [
        math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1)
        for k in range(min(one, other) + 1)
    ]
    return min(1.0, 2 * sum(math.exp(value - count * math.log(2)) for value in logs))


def adjust_for_many(values: Mapping[str, float]) -> dict[str, float]:
    """Adjust p-values for multiple tests with Holm's method.

    Returns them by name.

    >>> adjust_for_many({"a": 0.01, "b": 0.02, "c": 0.021})
    {'a': 0.03, 'b': 0.04, 'c': 0.04}
    """
    adjusted: dict[str, float] = {}
    highest = 0.0
    for place, name in enumerate(sorted(values, key=lambda key: values[key])):
        highest = max(highest, min(1.0, values[name] * (len(values) - place)))
        adjusted[name] = highest
    return adjusted


def get_quantile(ordered: Sequence[float], place: float) -> float:
    """Return the quantile at `place` (0 to 1) of ordered values, interpolating linearly.

    >>> get_quantile([1.0, 2.0, 4.0], 0.5)
    2.0
    """
    at = place * (len(ordered) - 1)
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


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
