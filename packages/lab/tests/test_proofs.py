"""The tests behind verdicts, against what is known exactly, and against those who plant losses."""

from __future__ import annotations

import os
import random
from bisect import bisect_right
from fractions import Fraction
from math import comb

import pytest

from plainloop_lab.decide.proofs import (
    bound_mean,
    count_needed,
    flip_signs,
    prove_positive,
    spend_alpha,
)

DRAWS = int(os.environ.get("PLAINLOOP_SIMULATIONS", "400"))


@pytest.mark.parametrize(("won", "lost"), [(10, 3), (20, 12), (8, 8), (40, 25), (0, 6), (200, 150)])
def test_the_p_value_of_paired_outcomes_equals_the_binomial_test(won: int, lost: int) -> None:
    exact = sum(comb(won + lost, k) for k in range(won + 1)) / 2 ** (won + lost)
    gains = [Fraction(1)] * won + [Fraction(-1)] * lost
    assert flip_signs(gains) == pytest.approx(exact)
    assert prove_positive([-gain for gain in gains], -1) == pytest.approx(exact, rel=0.03)


@pytest.mark.parametrize("tasks", [20, 58, 200])
def test_the_p_value_without_losses_equals_the_exact_bound(tasks: int) -> None:
    """A t-test would pass: it knows no variance."""
    assert prove_positive([0.05] * tasks, -0.95) == pytest.approx(0.95**tasks, rel=0.03)
    low = bound_mean([(Fraction(0), 1)] * tasks, -1, 0.05)
    assert low == pytest.approx(0.05 ** (1 / tasks) - 1, abs=0.003)


def test_p_values_estimated_for_large_samples_are_near_exact_ones() -> None:
    gains = [Fraction(n % 7 - 3, 4) for n in range(120)] + [Fraction(-1, 4)] * 30
    exact = flip_signs(gains)
    fine = [gain + Fraction(1, 1_000_000_007) * (n % 3) for n, gain in enumerate(gains)]
    assert 0.01 < exact < 0.5
    assert flip_signs(fine) == pytest.approx(exact, rel=0.1)


# By name: how large the nth task's gain is; a real cost or time has no smallest step.
SIZES = {
    "alike": lambda draw, n: 0.1 + draw.random(),
    "few outweigh all others": lambda draw, n: (0.001, 1000)[n % 5 == 0] * (1 + draw.random()),
    "without a mean": lambda draw, n: (1 - draw.random()) ** -1.5,
    "each a part of the one before": lambda draw, n: 0.7**n * (1 + draw.random() / 1000),
}


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("tasks", [8, 24, 28])
def test_p_values_of_amounts_of_any_sizes_are_near_exact_ones(name: str, tasks: int) -> None:
    draw = random.Random(tasks)
    for likely in (0.5, 0.6, 0.7, 0.8):
        signs = [-1 if draw.random() < likely else 1 for _ in range(tasks)]
        gains = [round(sign * 1e12 * SIZES[name](draw, n)) for n, sign in enumerate(signs)]
        halves = [[0], [0]]
        for n, gain in enumerate(gains):
            half = halves[n % 2]
            halves[n % 2] = [*(x + gain for x in half), *(x - gain for x in half)]
        rest = sorted(halves[1])
        below = sum(bisect_right(rest, sum(gains) - one) for one in halves[0])
        estimated = flip_signs([Fraction(gain) for gain in gains])
        assert estimated == pytest.approx(below / 2**tasks, rel=0.1, abs=1e-4)


def test_a_loss_in_every_task_is_proven_whatever_the_amounts_are() -> None:
    draw = random.Random(1)
    for tasks in (5, 12, 30, 100, 1000):
        assert flip_signs([Fraction(-0.1 - draw.random()) for _ in range(tasks)]) <= 0.5**5
    primes = [n for n in range(2, 1500) if all(n % m for m in range(2, n))]
    assert flip_signs([Fraction(-1, n) for n in primes]) < 1e-9  # their scale is beyond floats


def test_the_alphas_of_planned_looks_add_up_to_alpha() -> None:
    spent = spend_alpha(0.05, [25, 50, 100])
    assert sum(spent) == pytest.approx(0.05)
    assert spent[0] < spent[1] < spent[2]


def test_a_planned_sample_size_reaches_the_stated_power() -> None:
    """With so many tasks a candidate that is alike passes four times of five."""
    tasks = count_needed(0.1, 0.5, -0.9, 0.05)
    draw, passed = random.Random(5), 0
    for _ in range(100):
        gains = [draw.choice((-1, 0, 0, 1)) * 0.7071 + 0.1 for _ in range(tasks or 0)]
        passed += prove_positive(gains, -0.9) <= 0.05
    assert 65 <= passed <= 95
    assert count_needed(-0.01, 0.5, -0.9, 0.05) is None


# By name: what one task's gain is, when the true mean is the margin's own -0.1.
PLANTED = {
    "a few tasks are lost as a whole": lambda draw: -1.0 if draw.random() < 0.1 else 0.0,
    "much noise": lambda draw: -1.0 if draw.random() < 0.4 else float(draw.random() < 0.5),
    "four trials": lambda draw: -sum(draw.random() < 0.1 for _ in range(4)) / 4,
    "skewed": lambda draw: 0.111 - (1.0 if draw.random() < 0.19 else 0) * 1.111,
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("tasks", [12, 40])
def test_planted_losses_pass_at_most_at_the_stated_rate(name: str, tasks: int) -> None:
    draw, passed = random.Random(tasks), 0
    for _ in range(DRAWS):
        gains = [PLANTED[name](draw) + 0.1 for _ in range(tasks)]
        passed += prove_positive(gains, -0.9) <= 0.05
    assert passed <= DRAWS * 0.05 + 2.33 * (DRAWS * 0.05 * 0.95) ** 0.5
