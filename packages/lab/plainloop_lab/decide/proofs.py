"""The tests that verdicts rest on: of one number per task, whatever its distribution.

`prove_positive` is the bound of Gaffke (2005): every observation gets an exponential weight, and
one more observation at the worst possible value is added. Where the values are yes or no it is
Clopper and Pearson's exact test, of pairs McNemar's; in between no counterexample is known, and
`packages/lab/tests/test_proofs.py` looks for one. A t-test is no substitute here: while no loss has
been seen its variance is 0, and it passes everything. `flip_signs` is the exact paired permutation
test.

Values are fractions where they can be, and are grouped before anything is computed, so that neither
their order nor how many processes counted them changes a digit.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import Final, TypeVar

from plainloop.agent.base.caching.functions import cached_by_bytes

NORMAL: Final = NormalDist()
POWER: Final = 0.8  # how likely a plan's number of tasks comes to a verdict
# Of alpha, for "failed": five conversations lost and none won are still enough at 5 %.
FAILED_SHARE: Final = 0.625
_EXACT_BITS: Final = 4_000_000  # of a permutation distribution
_FEW: Final = 24  # gains that are counted exactly whatever their sizes: 2^12 sums a half
_LEAST_SPREAD: Final = 1e-300
_LARGEST: Final = 14  # sizes whose signs are all tried, where the distribution is estimated
_NEAR: Final = 1e-5  # of the saddlepoint's own singularity, where the tail is a half
_MOST_TASKS: Final = 1_000_000

_Size = TypeVar("_Size", int, float)

# The cumulant function at s with its first two derivatives.
Cumulants = Callable[[float], tuple[float, float, float]]


def prove_positive(values: Iterable[Fraction | float], least: Fraction | float) -> float:
    """Compute the p-value of "the mean is at most 0" for values that are never below `least`.

    >>> round(prove_positive([0.05] * 58, least=-0.95), 2)  # 58 tasks without a loss, margin 5 %
    0.05
    """
    groups = Counter(float(value) for value in values)
    groups[float(least)] += 1
    ordered = sorted(groups.items())
    low, high = ordered[0][0], ordered[-1][0]
    if low >= 0 or high <= 0:
        return 0.0 if low >= 0 and high > 0 else 1.0

    def cumulants(s: float) -> tuple[float, float, float]:
        total = first = second = 0.0
        for value, count in ordered:
            rest = 1 - s * value
            share = value / rest
            total -= count * math.log(rest)
            first += count * share
            second += count * share * share
        return total, first, second

    return _find_tail(cumulants, 1 / low, 1 / high, 0.0)


def flip_signs(gains: Iterable[Fraction]) -> float:
    """Compute the p-value that random signs give a sum as low as the gains' (sign-flip test).

    Small when the candidate lost. Exact: it counts every way of changing sides.

    >>> flip_signs([Fraction(-1)] * 5 + [Fraction(0)] * 20), flip_signs([])
    (0.03125, 1.0)
    """
    known = [gain for gain in gains if gain]
    if not known:
        return 1.0
    scale = math.lcm(*(gain.denominator for gain in known))
    whole = [int(gain * scale) for gain in known]
    unit = math.gcd(*whole)
    sizes = Counter(abs(gain) // unit for gain in whole)
    won = sum(gain for gain in whole if gain > 0) // unit
    bits = sum(size * count for size, count in sizes.items()) * (len(known) + 1)
    if bits <= _EXACT_BITS:
        return _count_flips(sizes, won, len(known))
    ordered = sorted(sizes.elements(), reverse=True)
    if len(ordered) <= _FEW:
        return _count_few_flips(ordered, won)
    return _estimate_flips(ordered, sum(whole) // unit)


def bound_mean(sums: Sequence[tuple[Fraction, int]], least: float, alpha: float) -> float:
    """Compute the lower confidence bound of a mean, at the level 1 - alpha.

    sums: by task the sum of its values and their number. least: no value can be below it.
    """
    largest = max(count for _, count in sums)
    mean = float(sum((total for total, _ in sums), Fraction(0)) / sum(count for _, count in sums))
    low, high = least, mean
    for _ in range(40):
        middle = (low + high) / 2
        shifted = [float(total) - count * middle for total, count in sums]
        if prove_positive(shifted, min(largest * (least - middle), 0.0)) <= alpha:
            low = middle
        else:
            high = middle
    return low


def spend_alpha(alpha: float, looks: Sequence[int]) -> list[float]:
    """Divide alpha among planned interim analyses by O'Brien and Fleming: little for early ones.

    The looks' errors are simply added up, so the sum holds however they depend on each other.

    >>> [round(share, 4) for share in spend_alpha(0.05, [50, 100])]
    [0.0056, 0.0444]
    """
    edge = NORMAL.inv_cdf(1 - alpha / 2)
    spent = [2 * (1 - NORMAL.cdf(edge / math.sqrt(look / looks[-1]))) for look in looks]
    return [after - before for before, after in zip([0.0, *spent], spent, strict=False)]


def count_needed(mean: float, deviation: float, least: float, alpha: float) -> int | None:
    """Return how many tasks with this mean and deviation prove a mean above 0 with 80 % power.

    None: too many to be practical, or the mean is not above 0.

    >>> count_needed(0.05, 0.4, -0.95, 0.05)
    438
    """
    edge = NORMAL.inv_cdf(1 - alpha) + NORMAL.inv_cdf(POWER)

    def is_enough(tasks: int) -> bool:
        spread = math.sqrt(tasks * deviation**2 + least**2)
        return tasks * mean + min(least, 0.0) >= edge * spread

    if mean <= 0 or not is_enough(_MOST_TASKS):
        return None
    low, high = 1, _MOST_TASKS
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low


def share_of_all(passed: int, trials: int, k: int) -> Fraction:
    """Compute pass^k: how likely k of a task's trials, drawn at random, have all passed.

    >>> share_of_all(3, 4, 2)
    Fraction(1, 2)
    """
    return Fraction(math.comb(passed, k), math.comb(trials, k))


def get_spread(values: Sequence[float]) -> tuple[float, float]:
    """Return (mean, standard deviation) of the values.

    The deviation of a single value is 0.
    """
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return mean, math.sqrt(squares / max(1, len(values) - 1))


def _count_flips(sizes: Counter[int], won: int, count: int) -> float:
    """Count the choices of signs exactly and return the share with no larger sum.

    One integer holds the whole distribution: of its digits in base 2^width, digit n is how many
    ways of choosing signs give n to the winning side.
    """
    width = count + 1
    ways = _multiply_flips(tuple(sorted(sizes.items())), width)
    below = ways & ((1 << (won + 1) * width) - 1)
    return (below % ((1 << width) - 1)) / (1 << count)


@cached_by_bytes(16 * 2**20)
def _multiply_flips(sizes: tuple[tuple[int, int], ...], width: int) -> int:
    product = 1
    for size, count in sizes:
        product *= (1 + (1 << size * width)) ** count
    return product


def _count_few_flips(ordered: Sequence[int], won: int) -> float:
    """Count exactly, whatever the sizes: the sums of one half's choices against the other's."""
    halves = ordered[::2], ordered[1::2]
    first, second = (sorted(_list_sums(half, 0, 1)) for half in halves)
    return sum(bisect_right(second, won - value) for value in first) / (1 << len(ordered))


def _estimate_flips(ordered: Sequence[int], total: int) -> float:
    """Estimate the share: the largest sizes choose their signs exactly, the rest is normal.

    A saddlepoint over all of them is wrong where few sizes outweigh the rest, as costs do
    (test_p_values_of_amounts_of_any_sizes_are_near_exact_ones): 0 where the share is a half.
    """
    shares = [size / ordered[0] for size in ordered]  # the whole numbers may be no floats
    sums = _list_sums(shares[:_LARGEST], -1, 1)
    spread = max(_LEAST_SPREAD, math.sqrt(2 * math.fsum(x * x for x in shares[_LARGEST:])))
    # Sums lie two apart: half a step on, so that the sum itself is counted.
    at = (total + 1) / ordered[0]
    return math.fsum(math.erfc((value - at) / spread) for value in sums) / (2 * len(sums))


def _list_sums(sizes: Sequence[_Size], one: int, other: int) -> list[_Size]:
    """List the sums of all choices in which each size counts `one` or `other` times."""
    sums: list[_Size] = [sizes[0] * 0]
    for size in sizes:
        sums = [value + sign * size for sign in (one, other) for value in sums]
    return sums


def _find_tail(cumulants: Cumulants, low: float, high: float, at: float) -> float:
    """Approximate P(sum ≤ at) by Lugannani and Rice's formula, saddlepoint in (low, high)."""
    s = 0.0
    for _ in range(200):
        _, first, second = cumulants(s)
        low, high = (low, s) if first > at else (s, high)
        step = s - (first - at) / second if second > 0 else math.inf
        moved = step if low < step < high else (low + high) / 2
        if abs(moved - s) <= 1e-12 * (high - low) or moved == s:
            break
        s = moved
    total, _, second = cumulants(s)
    depth = 2 * (s * at - total)
    w = math.copysign(math.sqrt(max(0.0, depth)), s)
    u = s * math.sqrt(second)
    if abs(w) < _NEAR or u == 0:
        return 0.5
    return min(1.0, max(0.0, NORMAL.cdf(w) + NORMAL.pdf(w) * (1 / w - 1 / u)))
