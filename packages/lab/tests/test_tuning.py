"""Tuning: of noise hardly anything is accepted, what is better is found, money is never passed."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest

from plainloop.agent.errors import InputError
from plainloop_lab.decide.outcomes import Outcome, Side
from plainloop_lab.decide.rules import Rule, Rules
from plainloop_lab.decide.tuning import OutOfMoney, estimate_power, score, split_tasks, tune

RUNS = int(os.environ.get("PLAINLOOP_SIMULATIONS", "40"))
RULES = Rules(rule=(Rule(measure="reward"),))
BASE = 0.5


class DrawnBench:
    """A model whose quality is known: each prompt adds what it says; tasks differ, too."""

    def __init__(self, seed: int, gains: Sequence[float], steps: int | None = None) -> None:
        self.draw = random.Random(seed)
        self.gains = gains
        self.steps = steps  # that there is money for, the sealed one aside
        self.asked: list[str] = []

    async def answer(
        self, step: str, part: Sequence[str], lanes: Mapping[str, str | None]
    ) -> Mapping[str, Side]:
        self._pay(step)
        return {lane: self._answer(part, prompt) for lane, prompt in lanes.items()}

    async def propose(self, step: str, prompt: str | None, after: str, worst: Side) -> str:
        self._pay(step)
        assert all(outcome.values["reward"][0] <= 1 for outcome in worst.values())
        n = int(step.split()[1]) - 1
        return f"{self.gains[n % len(self.gains)]} {step}"

    def _pay(self, step: str) -> None:
        if self.steps is not None and len(self.asked) >= self.steps and step != "sealed":
            raise OutOfMoney("no")
        self.asked.append(step)

    def _answer(self, part: Sequence[str], prompt: str | None) -> Side:
        gain = float(prompt.split()[0]) if prompt else 0.0
        side: Side = {}
        for name in part:
            hardness = random.Random(name).uniform(-0.3, 0.3)
            reward = Fraction(self.draw.random() < BASE + hardness + gain)
            side[name] = Outcome(name, name, {"reward": (reward, 1)})
        return side


def make_parts(count: int) -> dict[str, list[str]]:
    return split_tasks({f"c{n}": f"c{n}" for n in range(count)}, seed=0)


async def count_found(gains: Sequence[float], count: int, runs: int) -> int:
    parts = make_parts(count)
    found = 0
    for seed in range(runs):
        found += (await tune(DrawnBench(seed, gains), RULES, parts, 6)).prompt is not None
    return found


async def test_tune_accepts_an_equal_prompt_in_at_most_5_percent() -> None:
    """PLAINLOOP_SIMULATIONS=200 for the whole of it."""
    found = await count_found([0.0], 200, RUNS)
    assert found <= 0.05 * RUNS + 2.33 * (0.05 * 0.95 * RUNS) ** 0.5


@pytest.mark.parametrize(("gain", "count"), [(0.2, 300), (0.1, 800)])
async def test_tune_finds_planted_improvements_at_the_stated_rate(gain: float, count: int) -> None:
    parts = make_parts(count)
    said = estimate_power(BASE, len(parts["sealed"]), gain, 0.05)
    runs = max(10, RUNS // 4)
    found = await count_found([0.0, gain], count, runs)
    assert said > 0.85
    assert found / runs >= said - 2.33 * (said * (1 - said) / runs) ** 0.5 - 0.15


async def test_tune_uses_the_sealed_test_once_and_only_for_an_improvement() -> None:
    bench = DrawnBench(1, [0.3])
    tuned = await tune(bench, RULES, make_parts(200), 3)
    assert bench.asked.count("sealed") == 1
    assert tuned.prompt is not None and tuned.prompt.startswith("0.3")
    worse = DrawnBench(2, [-0.4])
    assert (await tune(worse, RULES, make_parts(200), 3)).result is None
    assert "sealed" not in worse.asked


async def test_tune_tests_its_best_prompt_when_the_budget_ends() -> None:
    bench = DrawnBench(1, [0.3], steps=5)
    tuned = await tune(bench, RULES, make_parts(200), 50)
    assert bench.asked == ["learn 0", "choose 0", "propose 1", "learn 1", "choose 1", "sealed"]
    assert tuned.prompt is not None


def test_tune_splits_tasks_independently_of_their_order() -> None:
    tasks = {f"c{n}": f"t{n % 40}" for n in range(120)}
    parts = split_tasks(tasks, 7)
    assert sorted(name for part in parts.values() for name in part) == sorted(tasks)
    owners = [{tasks[name] for name in part} for part in parts.values()]
    assert sum(map(len, owners)) == len(set.union(*owners)) == 40
    turned = split_tasks(dict(reversed(tasks.items())), 7)
    assert {name: sorted(part) for name, part in turned.items()} == {
        name: sorted(part) for name, part in parts.items()
    }
    with pytest.raises(InputError, match="tuning needs at least"):
        split_tasks({"a": "a"}, 0)


def test_tune_prefers_lower_values_of_a_measure_that_should_be_low() -> None:
    rule = Rule(measure="failed")
    side = {
        "a": Outcome("a", "a", {"failed": (Fraction(0), 1)}),
        "b": Outcome("b", "b", {}, is_lost=True),
    }
    assert score(rule, side) == -0.5
    with pytest.raises(InputError, match="has a value for reward"):
        score(Rule(measure="reward"), {"a": side["a"]})


def test_a_conversation_without_an_answer_has_its_ranges_worst_score() -> None:
    mistakes = Rule("mistakes", better="less", range=(0.0, 5.0))
    side = {"t": Outcome("t", "t", {"mistakes": (Fraction(2), 1)})}
    lost = {"t": Outcome("t", "t", {}, is_lost=True)}
    assert score(mistakes, lost) == -5.0 < score(mistakes, side)
    assert score(Rule("reward", range=(-1.0, 1.0)), lost) == -1.0
