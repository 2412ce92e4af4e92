"""Intervals and tests against what is known of them, and memory that does not grow."""

from __future__ import annotations

import random
from math import comb
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from plainloop_lab.report.statistics import (
    SAMPLED_CONVERSATIONS,
    Estimate,
    SampledConversations,
    bootstrap_intervals,
    bound_unanimous,
    compare_signs,
)


def fill(values: list[float], seed: int = 0) -> tuple[SampledConversations, dict[str, Estimate]]:
    sample, estimate = SampledConversations(seed), Estimate()
    for n, value in enumerate(values):
        sample.add(str(n), {"m": (value, 1)})
        estimate.add(value, 1)
    return sample, {"m": estimate}


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_equals_the_binomial_sum(one: int, other: int) -> None:
    count = one + other
    exact = 2 * sum(comb(count, k) for k in range(min(one, other) + 1)) / 2**count
    assert abs(compare_signs(one, other) - min(1.0, exact)) < 1e-9


def test_the_sign_test_handles_large_batches() -> None:
    assert compare_signs(5_000, 5_000) == 1.0
    assert compare_signs(10_000, 0) == 0.0
    assert abs(compare_signs(5_110, 4_890) - 0.0285) < 1e-4


def test_confidence_intervals_have_the_stated_coverage() -> None:
    draw, hits = random.Random(4), 0
    for seed in range(60):
        values = [draw.gauss(3, 1) for _ in range(40)]
        found = bootstrap_intervals(*fill(values, seed))["m"]
        hits += found["low"] <= 3 <= found["high"]
    assert 52 <= hits <= 60


def test_confidence_intervals_treat_a_conversations_turns_as_dependent() -> None:
    few, many = (SampledConversations(0), Estimate()), (SampledConversations(0), Estimate())
    for n in range(20):
        for (sample, estimate), turns in ((few, 1), (many, 50)):
            sample.add(str(n), {"m": (float(n % 2) * turns, turns)})
            estimate.add(float(n % 2) * turns, turns)
    assert bootstrap_intervals(few[0], {"m": few[1]}) == bootstrap_intervals(
        many[0], {"m": many[1]}
    )


def test_statistics_of_many_conversations_use_bounded_memory() -> None:
    draw = random.Random(2)
    values = [draw.random() for _ in range(20_000)]
    sample, estimates = fill(values)
    assert len(sample.kept) == SAMPLED_CONVERSATIONS
    found = bootstrap_intervals(sample, estimates)["m"]
    assert found["low"] < estimates["m"].mean < found["high"]
    assert 0.005 < found["high"] - found["low"] < 0.012  # 2 × 1.96 × 0.289 / √20,000 = 0.008


def test_every_conversation_is_equally_likely_to_be_sampled() -> None:
    late = 0
    for seed in range(40):
        sample = SampledConversations(seed, size=10)
        for n in range(100):
            sample.add(str(n), {"m": (float(n), 1)})
        late += sum(sums["m"][0] >= 50 for sums in sample.kept)
    assert 160 < late < 240


def test_statistics_do_not_depend_on_the_order_of_conversations() -> None:
    values = [(str(n), 0.1 * n) for n in range(2_000)]
    shuffled = random.Random(3).sample(values, len(values))
    found: list[tuple[Any, ...]] = []
    for order in (values, shuffled):
        sample, estimate = SampledConversations(0), Estimate()
        for conversation_id, value in order:
            sample.add(conversation_id, {"m": (value, 1)})
            estimate.add(value, 1)
        found.append((sample.kept, estimate, bootstrap_intervals(sample, {"m": estimate})))
    assert found[0] == found[1]


def test_the_bound_for_unanimous_results_depends_on_their_number() -> None:
    assert bootstrap_intervals(*fill([1.0] * 30)) == {}
    assert round(bound_unanimous(1.0, 30)["low"], 3) == 0.884  # Clopper–Pearson, 30 of 30
    assert round(bound_unanimous(0.0, 30)["high"], 3) == 0.116
