"""`bench advise`: a scripted world whose truth is known, and how often advice is right in it.

Four workers and the role triage, three models at four efforts. Of each combination the true quality
is known by worker, so that advice can be wrong, and the saving that is there can be counted. No
model is called.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from plainloop_lab.advise.roles import find_role
from plainloop_lab.advise.search import Candidate, Finding, Question, advise, choose_first
from plainloop_lab.decide.outcomes import Outcome, Side
from plainloop_lab.decide.rules import Rule, Rules
from scripts.benchmarks.rig.report import print_json, print_table

RUNS: Final = int(os.environ.get("PLAINLOOP_ADVISE_RUNS", "300"))
CONVERSATIONS: Final = int(os.environ.get("PLAINLOOP_ADVISE_CONVERSATIONS", "300"))
MARGIN: Final = 0.05
MEASURE: Final = "solved"
# What a turn costs, in thousandths of a dollar: a model's tokens, times what an effort adds.
PRICES: Final = {"large": 10.0, "medium": 3.0, "small": 1.0}
EFFORTS: Final = {"none": 1.0, "low": 1.4, "medium": 2.2, "high": 4.0}
SPREAD: Final = 0.3  # of a turn's cost
# How much of a turn's outcome is the request's own difficulty, the same for every model; the rest
# is chance, for today's model as for the others.
DIFFICULTY: Final = 0.8
TURNS: Final = (1, 1, 2, 2, 3, 4)  # of the worker, in a conversation: each as likely


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker, or the role triage, of the scripted world. today: what answers. quality: the true
    share of turns that are solved, by model and effort from none to high. calls: turns a month.
    """

    name: str
    today: str
    quality: Mapping[str, tuple[float, float, float, float]]
    calls: int


WORLD: Final = (
    Worker(  # looks things up: effort adds nothing, the small model does as well
        "lookup",
        "medium@high",
        {
            "large": (0.96, 0.96, 0.96, 0.96),
            "medium": (0.96, 0.96, 0.96, 0.96),
            "small": (0.955, 0.955, 0.96, 0.96),
        },
        40_000,
    ),
    Worker(  # books: the small model fails, effort matters little
        "booking",
        "medium@high",
        {
            "large": (0.93, 0.93, 0.935, 0.94),
            "medium": (0.84, 0.92, 0.93, 0.93),
            "small": (0.70, 0.76, 0.80, 0.82),
        },
        20_000,
    ),
    Worker(  # plans: effort is what makes it good
        "planner",
        "large@medium",
        {
            "large": (0.72, 0.80, 0.90, 0.91),
            "medium": (0.60, 0.68, 0.78, 0.89),
            "small": (0.40, 0.48, 0.58, 0.66),
        },
        8_000,
    ),
    Worker(  # writes letters: a middle way
        "letters",
        "large@low",
        {
            "large": (0.90, 0.90, 0.91, 0.91),
            "medium": (0.88, 0.895, 0.90, 0.90),
            "small": (0.74, 0.78, 0.80, 0.80),
        },
        12_000,
    ),
    Worker(  # the role: is served by what is best for it, so there is nothing to save
        "triage",
        "small@low",
        {
            "large": (0.95, 0.95, 0.95, 0.95),
            "medium": (0.95, 0.95, 0.95, 0.95),
            "small": (0.85, 0.94, 0.94, 0.95),
        },
        90_000,
    ),
)
NAMES: Final = tuple(f"{model}@{effort}" for model in PRICES for effort in EFFORTS)


def get_price(name: str) -> float:
    """Return what a turn costs on average, in dollars."""
    model, _, effort = name.partition("@")
    return PRICES[model] * EFFORTS[effort] / 1_000


def get_quality(worker: Worker, name: str) -> float:
    model, _, effort = name.partition("@")
    return worker.quality[model][[*EFFORTS].index(effort)]


@dataclass(slots=True)
class World:
    """Answers conversations by the true qualities, and counts what it costs."""

    seed: str
    workers: Mapping[str, Worker]
    bought: dict[tuple[str, str, str], Outcome] = field(
        default_factory=dict[tuple[str, str, str], Outcome]
    )
    cost_usd: float = 0.0

    async def answer(self, worker: str, candidate: str, part: Sequence[str]) -> tuple[Side, Side]:
        """Answer with both sides; what was bought before is not bought again."""
        sides: list[Side] = []
        for name in (self.workers[worker].today, candidate):
            sides.append({each: self.buy(worker, name, each) for each in part})
        return sides[0], sides[1]

    def buy(self, worker: str, name: str, conversation: str) -> Outcome:
        key = (worker, name, conversation)
        if key not in self.bought:
            self.bought[key] = self.draw(*key)
            self.cost_usd += self.bought[key].cost_usd or 0.0
        return self.bought[key]

    def draw(self, worker: str, name: str, conversation: str) -> Outcome:
        """Draw how a combination does in a conversation: always the same for the same seed."""
        common = random.Random(f"{self.seed} {worker} {conversation}")
        turns = common.choice(TURNS)
        own = random.Random(f"{self.seed} {worker} {name} {conversation}")
        quality, price = get_quality(self.workers[worker], name), get_price(name)
        solved, cost = 0, 0.0
        for _ in range(turns):
            hard = common.random()
            solved += (hard if own.random() < DIFFICULTY else own.random()) < quality
            cost += price * max(0.2, own.gauss(1, SPREAD))
        values = {MEASURE: (Fraction(solved), turns)}
        return Outcome(conversation, conversation, values, cost_usd=cost)


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench advise", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="seeded runs")
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS, help="for each worker")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    found = measure(options.runs, options.conversations)
    print_json(found) if options.json else show(found)


def measure(runs: int, conversations: int) -> dict[str, Any]:
    """Ask for advice in so many worlds that differ by their seed alone, and in as many where each
    cheaper combination is worse by just the margin.
    """
    there = sum(map(find_saving, WORLD))
    wrong = 0
    shares: list[float] = []
    costs: list[float] = []
    proposals: dict[str, dict[str, int]] = {worker.name: {} for worker in WORLD}
    for seed in range(runs):
        findings, cost_usd = ask(f"{seed}", WORLD, conversations)
        found = list(zip(WORLD, findings, strict=True))
        wrong += any(is_wrong(worker, finding) for worker, finding in found)
        shares.append(sum(count_saved(worker, finding) for worker, finding in found) / there)
        costs.append(cost_usd / count_everything(conversations))
        for worker, finding in found:
            counts, name = proposals[worker.name], get_proposal(finding) or finding.kind
            counts[name] = counts.get(name, 0) + 1
    traps = [make_trap(worker) for worker in WORLD]
    trapped = 0
    for seed in range(runs):
        findings, _ = ask(f"trap {seed}", traps, conversations)
        trapped += any(is_wrong(*pair) for pair in zip(traps, findings, strict=True))
    return {
        "runs": runs,
        "conversations": conversations,
        "margin": MARGIN,
        "wrong": wrong / runs,
        "wrong_at_the_margin": trapped / runs,
        "saving_found": sum(shares) / runs,
        "cost_of_everything": sum(costs) / runs,
        "workers": [
            {
                "worker": worker.name,
                "today": worker.today,
                "best": find_best(worker) or worker.today,
                "saving_usd": find_saving(worker),
                "proposals": dict(sorted(proposals[worker.name].items(), key=lambda i: -i[1])),
            }
            for worker in WORLD
        ],
    }


def ask(seed: str, workers: Sequence[Worker], conversations: int) -> tuple[list[Finding], float]:
    """Ask for advice in one world. Returns: (the findings, by worker; what it cost)."""
    world = World(seed, {worker.name: worker for worker in workers})
    rules = Rules(rule=(Rule(MEASURE, margin=MARGIN, range=(0.0, 1.0)),))
    questions = [make_question(worker, conversations) for worker in workers]
    by_role = {find_role(worker.name): rules for worker in workers}
    return asyncio.run(advise(world, by_role, questions)), world.cost_usd


def make_trap(worker: Worker) -> Worker:
    """Make a worker for which all that is cheaper than today is worse by just the margin."""
    best = get_quality(worker, worker.today)
    worse: dict[str, Any] = {
        model: tuple(
            best - MARGIN if get_price(f"{model}@{effort}") < get_price(worker.today) else best
            for effort in EFFORTS
        )
        for model in PRICES
    }
    return replace(worker, quality=worse)


def make_question(worker: Worker, conversations: int) -> Question:
    today = get_price(worker.today)
    names = [name for name in NAMES if name != worker.today]
    candidates = [Candidate(name, get_price(name) / today) for name in names]
    return Question(worker.name, [f"c{n}" for n in range(conversations)], choose_first(candidates))


def list_good(worker: Worker) -> list[str]:
    """List what is cheaper than today and within the margin."""
    least = get_quality(worker, worker.today) - MARGIN
    known = [name for name in NAMES if get_price(name) < get_price(worker.today)]
    return [name for name in known if get_quality(worker, name) > least + 1e-9]


def find_best(worker: Worker) -> str | None:
    return min(list_good(worker), key=get_price, default=None)


def find_saving(worker: Worker) -> float:
    """Find what the best combination saves a month, in dollars."""
    best = find_best(worker)
    return 0.0 if best is None else worker.calls * (get_price(worker.today) - get_price(best))


def get_proposal(finding: Finding) -> str | None:
    return finding.tested.candidate.name if finding.kind == "switch" and finding.tested else None


def is_wrong(worker: Worker, finding: Finding) -> bool:
    """Whether the proposal is worse than today by the margin or more."""
    return get_proposal(finding) not in (None, *list_good(worker))


def count_saved(worker: Worker, finding: Finding) -> float:
    """Count what the proposal saves; a wrong one saves nothing."""
    name = get_proposal(finding)
    if name is None or is_wrong(worker, finding):
        return 0.0
    return worker.calls * (get_price(worker.today) - get_price(name))


def count_everything(conversations: int) -> float:
    """Count what all combinations on all conversations cost."""
    turns = sum(TURNS) / len(TURNS) * conversations
    return len(WORLD) * turns * sum(map(get_price, NAMES))


def show(found: Mapping[str, Any]) -> None:
    rows = [
        [item["worker"], item["today"], item["best"], item["saving_usd"]]
        for item in found["workers"]
    ]
    title = f"{found['runs']:,} runs, {found['conversations']:,} conversations for each worker"
    print_table(title, ["worker", "today", "best", "saves USD a month"], rows)
    print("\nadvice, by how many runs gave it")
    for item in found["workers"]:
        told = ", ".join(f"{name} {count}" for name, count in item["proposals"].items())
        print(f"  {item['worker']}: {told}")
    print(f"\nwrong advice in {found['wrong']:.1%} of the runs (margin {found['margin']:.0%})")
    trapped = f"{found['wrong_at_the_margin']:.1%}"
    print(f"and in {trapped} of the trap's, where all that is cheaper is worse by just the margin")
    print(f"found {found['saving_found']:.1%} of the saving that is there")
    print(f"cost {found['cost_of_everything']:.1%} of everything on everything")
