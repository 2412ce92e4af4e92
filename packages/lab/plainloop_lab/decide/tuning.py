"""A better prompt for a worker, searched with a hard budget and believed only after a sealed test.

The conversations are split once: `learn` shows a proposer where the prompt fails and whether a
new one does better there, `choose` says which of those is best, `sealed` is opened once, for one
candidate, by the gate. Whatever the search did with the first two parts, the error of the gate
holds: of noise it lets 5 % through.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol

from msgspec.structs import replace

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import AgentError, InputError

from .gate import judge_all
from .outcomes import Outcome, Side
from .proofs import NORMAL
from .rules import Rule, Rules

BEFORE: Final = "before"  # the lane of today's prompt
AFTER: Final = "after"
SHARES: Final = (("learn", 0.25), ("choose", 0.25), ("sealed", 0.5))
SHOWN_WORST: Final = 4
LEAST_TASKS: Final = 8


class OutOfMoney(AgentError):
    """Stops tuning when the rest of the budget is reserved for the sealed test."""

    code = "OUT_OF_MONEY"


class Bench(Protocol):
    """Tries prompts by replays. A repeated step returns its earlier result."""

    async def answer(
        self, step: str, part: Sequence[str], lanes: Mapping[str, str | None]
    ) -> Mapping[str, Side]:
        """Replay conversations with these prompts, and return the outcomes by variant.

        lanes: the prompt by variant; None is today's.

        Raises: OutOfMoney.
        """
        ...

    async def propose(self, step: str, prompt: str | None, after: str, worst: Side) -> str:
        """Return a model's proposal for a better prompt, based on the worst outcomes.

        after: the step whose answers `worst` are some of.

        Raises: OutOfMoney.
        """
        ...


@dataclass(frozen=True, slots=True)
class Try:
    """One tried prompt with its scores. chosen: on `choose`; None: it was no better on `learn`."""

    step: str
    prompt: str | None
    learnt: Side
    score: float
    chosen: float | None


@dataclass(slots=True)
class Tuned:
    """The result of tuning. prompt: the better one or None; result: the gate's, None if not run."""

    tries: list[Try] = field(default_factory=list[Try])
    prompt: str | None = None
    result: dict[str, Any] | None = None


def split_tasks(tasks: Mapping[str, str], seed: int) -> dict[str, list[str]]:
    """Split conversations at random into `learn`, `choose` and `sealed`.

    Conversations of one task stay together. tasks: by conversation.

    Raises: InputError when a part would be empty.
    """

    def draw(task: str) -> bytes:
        return hashlib.sha256(f"{seed} {task}".encode()).digest()

    ordered = sorted(set(tasks.values()), key=draw)
    if len(ordered) < LEAST_TASKS:
        raise InputError(
            f"there are {len(ordered)} conversations; tuning needs at least {LEAST_TASKS}: some to "
            "learn from, some to choose with, the rest for the final test",
            hint="Add conversations.",
        )
    parts: dict[str, list[str]] = {}
    end = 0.0
    for name, share in SHARES:
        begin, end = end, end + share
        mine = set(ordered[round(begin * len(ordered)) : round(end * len(ordered))])
        parts[name] = [each for each, task in tasks.items() if task in mine]
    return parts


async def tune(bench: Bench, rules: Rules, parts: Mapping[str, Sequence[str]], tries: int) -> Tuned:
    """Search a better prompt in `tries` steps, and test the best one.

    The final test uses the sealed conversations, which no step has seen.
    """
    rules = demand_better(rules)
    rule = rules.rule[0]
    tuned = Tuned()
    learnt = (await bench.answer("learn 0", parts["learn"], {AFTER: None}))[AFTER]
    chosen = (await bench.answer("choose 0", parts["choose"], {AFTER: None}))[AFTER]
    best = Try("learn 0", None, learnt, score(rule, learnt), score(rule, chosen))
    tuned.tries.append(best)
    try:
        for n in range(1, tries + 1):
            found = await _try_one(bench, rule, parts, n, best, [t.prompt for t in tuned.tries])
            if found is not None:
                tuned.tries.append(found)
                if found.chosen is not None and found.chosen > (best.chosen or -math.inf):
                    best = found
    except OutOfMoney:
        pass  # what was found until now is tested
    if best.prompt is not None:
        lanes = {BEFORE: None, AFTER: best.prompt}
        sides = await bench.answer("sealed", parts["sealed"], lanes)
        tuned.result = judge_all(rules, sides[BEFORE], {AFTER: sides[AFTER]})
        tuned.prompt = best.prompt if tuned.result["verdict"] == "passed" else None
    return tuned


async def _try_one(
    bench: Bench,
    rule: Rule,
    parts: Mapping[str, Sequence[str]],
    n: int,
    best: Try,
    known: Sequence[str | None],
) -> Try | None:
    worst = list_worst(rule, best.learnt)
    prompt = (await bench.propose(f"propose {n}", best.prompt, best.step, worst)).strip()
    if not prompt or prompt in known:
        return None
    step = f"learn {n}"
    learnt = (await bench.answer(step, parts["learn"], {AFTER: prompt}))[AFTER]
    value = score(rule, learnt)
    if value <= best.score:
        return Try(step, prompt, learnt, value, None)
    chosen = (await bench.answer(f"choose {n}", parts["choose"], {AFTER: prompt}))[AFTER]
    return Try(step, prompt, learnt, value, score(rule, chosen))


def demand_better(rules: Rules) -> Rules:
    """Return the rules with the demand that the candidate is better in the first one."""
    first, *others = rules.rule
    if first.is_absolute:
        raise InputError(
            "the first rule must name the measure to improve",
            hint='Write measure = "…" and must = "better".',
        )
    if first.must != "better":
        first = replace(first, must="better", margin=0.0)
    return replace(rules, rule=(first, *others))


def score(rule: Rule, side: Side) -> float:
    """Return a side's mean of a rule's measure over its conversations.

    It is negated if less is better, so that more is always better. Raises: InputError when none has
    the measure.
    """
    values = [value for o in side.values() if (value := _measure(rule, o)) is not None]
    if not values:
        raise InputError(
            f"no conversation of the candidate has a value for {rule.measure}",
            hint="Choose another measure, or other conversations.",
        )
    return float(rule.direction * sum(values, Fraction(0)) / len(values))


def list_worst(rule: Rule, side: Side) -> Side:
    """Return the conversations with the worst values in the rule's measure."""
    ordered = sorted(
        (float(rule.direction * value), name)
        for name, outcome in side.items()
        if (value := _measure(rule, outcome)) is not None
    )
    return {name: side[name] for _, name in ordered[:SHOWN_WORST]}


def _measure(rule: Rule, outcome: Outcome) -> Fraction | None:
    if outcome.is_lost:
        return Fraction(str((rule.range or (0.0, 1.0))[0 if rule.direction > 0 else 1]))
    if rule.measure not in outcome.values:
        return None
    total, count = outcome.values[rule.measure]
    return total / count


def estimate_power(mean: float, tasks: int, gain: float, alpha: float) -> float:
    """Estimate how likely the sealed test proves an improvement of `gain`.

    It assumes that answers before and after have nothing but their quality in common; it is
    likelier where they have more.

    >>> round(estimate_power(0.5, 200, 0.2, 0.05), 2)
    0.99
    """
    after = min(1.0, max(0.0, mean + gain))
    deviation = math.sqrt(max(1e-9, mean * (1 - mean) + after * (1 - after)))
    return NORMAL.cdf(gain * math.sqrt(tasks) / deviation - NORMAL.inv_cdf(1 - alpha))
