"""Money, time and reasoning tokens of a turn, with intervals, paired by conversation."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from plainloop_lab.advise.rendering import render_money
from plainloop_lab.advise.search import Candidate, Finding, Question, Trial
from plainloop_lab.advise.verdict import Traffic, describe_advice
from plainloop_lab.decide.outcomes import Outcome, Side
from plainloop_lab.decide.rules import Rule, Rules
from plainloop_lab.decide.spending import (
    compare_cost,
    estimate_ratio,
    format_ratio,
    measure_latency,
    measure_resources,
)

DRAWS = 300


def make_side(costs: list[float], reasoning: float | None = None) -> Side:
    return {
        f"c{n}": Outcome(
            f"c{n}", "", {}, cost_usd=cost, turns=2, duration_ms=100.0, reasoning_tokens=reasoning
        )
        for n, cost in enumerate(costs)
    }


def test_a_cost_ratio_of_pairs_has_a_narrower_interval_than_the_means() -> None:
    draw = random.Random(7)
    today = [draw.expovariate(1) for _ in range(60)]
    found = measure_resources(make_side(today), make_side([cost * 0.4 for cost in today], 30.0))

    cost = found["cost_usd"]
    assert cost["mean"] == pytest.approx(sum(today) * 0.4 / 120)
    assert cost["low"] is not None and cost["high"] is not None
    assert cost["high"] / cost["low"] > 1.5
    assert cost["ratio_low"] == pytest.approx(0.4) == cost["ratio_high"]
    assert found["reasoning_tokens"]["mean"] == 15.0
    assert format_ratio(found["reasoning_tokens"]) == "–", "today's are not stated"
    assert format_ratio(cost) == "40% (40% … 40%)"


def test_a_saving_is_a_share_of_the_roles_own_cost() -> None:
    def make(worker: float, other: float) -> Side:
        costs = {"worker": worker, "classifier": other}
        own = Outcome("c", "", {}, cost_usd=worker + other, turns=1, costs_by_role=costs)
        return {"c": own}

    today = make(4.0, 6.0)
    assert compare_cost(today, make(1.0, 6.0), "worker") == (0.25, 0.0)
    assert compare_cost(today, make(1.0, 7.0), "worker") == (0.5, 0.0), "others cost more with it"
    unstated = {name: replace(it, costs_by_role={}) for name, it in today.items()}
    assert compare_cost(unstated, make(1.0, 6.0), "worker") == (0.7, 0.0), "of the whole turn"


def test_an_unanswered_conversation_does_not_change_the_stated_saving() -> None:
    today, side = make_side([1.0, 3.0, 1.0]), make_side([0.5, 1.5, 0.5])
    side["c2"] = Outcome("c2", "", {}, is_lost=True)
    assert compare_cost(today, side, "worker") == (0.5, 0.0)
    assert compare_cost({"c2": today["c2"]}, {"c2": side["c2"]}, "worker") is None


def test_a_resource_missing_for_one_conversation_is_omitted() -> None:
    side = make_side([1.0, 2.0]) | {
        "c2": Outcome("c2", "", {}, turns=1, cost_usd=None, duration_ms=1.0)
    }
    assert {*measure_resources({}, side)} == {"duration_ms"}
    assert measure_resources({}, {}) == {}
    one = measure_resources({}, make_side([1.0]))["cost_usd"]
    assert (one["mean"], one["low"], one["ratio"]) == (0.5, None, None)


def test_the_confidence_interval_of_a_ratio_has_its_stated_coverage() -> None:
    """Each draw: 100 conversations whose costs hang together, and a true ratio of 0.5."""
    hits = 0
    for seed in range(DRAWS):
        draw = random.Random(seed)
        pairs: list[tuple[float, float]] = []
        for _ in range(100):
            size = draw.uniform(0.5, 2)
            pairs.append((size * 0.5 * draw.uniform(0.5, 1.5), size * draw.uniform(0.5, 1.5)))
        found = estimate_ratio(pairs)
        assert found is not None and found[1] is not None
        hits += abs(found[0] - 0.5) <= found[1]
    assert 0.95 - 3 * (0.95 * 0.05 / DRAWS) ** 0.5 <= hits / DRAWS < 1


def draw_times(seed: int, conversations: int) -> Side:
    """Draw turns whose times hang together by conversation; ln(s) is normal with variance 0.5."""
    draw = random.Random(seed)
    side: Side = {}
    for n in range(conversations):
        common = draw.gauss(0, 0.5)
        times = [1_000 * math.exp(common + draw.gauss(0, 0.5)) for _ in range(1 + n % 3)]
        side[f"c{n}"] = Outcome(f"c{n}", "", {}, turns=len(times), durations_ms=tuple(times))
    return side


@pytest.mark.parametrize(("name", "normal"), [("p50", 0.0), ("p95", 1.644854)])
def test_the_confidence_interval_of_a_percentile_has_its_stated_coverage(
    name: str, normal: float
) -> None:
    truth = 1_000 * math.exp(normal * math.sqrt(0.5))
    hits = 0
    for seed in range(DRAWS):
        found = measure_latency(draw_times(seed, 150))[name]
        assert found["low"] is not None and found["high"] is not None
        hits += found["low"] <= truth <= found["high"]
    assert 0.95 - 3 * (0.95 * 0.05 / DRAWS) ** 0.5 <= hits / DRAWS < 1


def test_a_percentile_of_too_few_turns_has_no_upper_bound() -> None:
    found = measure_latency(draw_times(0, 15))

    assert found["p50"]["high"] is not None and found["p95"]["high"] is None
    assert measure_latency(make_side([1.0])) == {}, "its turns' times are not stated"
    assert measure_latency({}) == {}


def test_advice_from_batches_states_costs_without_durations() -> None:
    candidate = Candidate("openai:gpt-6-luna@low", 0.2)
    rules = {"worker": Rules(rule=(Rule("failed", margin=0.1),))}

    def describe(times: dict[str, Any]) -> tuple[list[str], list[str], list[str]]:
        today, side = (
            {
                key: replace(each, values={"failed": (Fraction(0), 2)}, **times)
                for key, each in make_side(costs).items()
            }
            for costs in ([1.0] * 40, [0.2] * 40)
        )
        trial = Trial(candidate, today=today, side=side)
        question = Question("crm_worker", [*today], [candidate])
        finding = Finding(question, rules["worker"], "undecided", "too few", [trial], [trial])
        traffic = {"crm_worker": Traffic("crm_worker", "openai:gpt-6.1-terra", 1.0, 80, 40.0)}
        found = describe_advice([finding], rules, traffic, 1.0)
        [worker] = found["workers"]
        [tried] = worker["tried"]
        latency = [*worker["latency"], *worker["today_latency"], *tried["latency"]]
        own = [*worker["resources"], *worker["today_resources"], *tried["resources"]]
        return latency, own, [line for line in render_money(found) if "time" in line]

    latency, own, lines = describe({"durations_ms": (50.0, 50.0)})
    assert (latency, own.count("duration_ms"), len(lines)) == (["p50", "p95"] * 3, 3, 2)
    # A batch's turns state no time (test_batch_api.py).
    assert describe({"duration_ms": None}) == ([], ["cost_usd"] * 3, [])
