"""Gates over lanes that share answers are right as often as they say, at every touched share.

Draws over the recorded airline conversations, through the lanes' own code: `PaidChat` decides what
is bought. `PLAINLOOP_SIMULATIONS=10000` with `-s` makes the table of packages/lab/docs/live.md.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import orjson
import pytest

from packages.lab.tests.recorded.test_openai_format import SAMPLE
from packages.lab.tests.replay.sharing import Brain
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.decide.evidence import collect
from plainloop_lab.decide.outcomes import Outcome, Side
from plainloop_lab.decide.rules import Rule
from plainloop_lab.live.paid_calls import PaidCalls, PaidChat
from plainloop_lab.live.sharing import SharedAnswers
from plainloop_lab.store.replays import PaidAnswer
from tests.machine.scripted import text

DRAWS: Final = int(os.environ.get("PLAINLOOP_SIMULATIONS", "20"))
ALPHA: Final = 0.05
SYSTEM: Final = "You serve passengers of an airline."
pytestmark = pytest.mark.skipif(not SAMPLE.exists(), reason="../shared/data is not there")


@dataclass(frozen=True)
class Talk:
    """A task: what it begins with, and what its trials came to."""

    said: str
    results: tuple[float, ...]


def read_talks() -> list[Talk]:
    """What counts as good is what most trials have here, so that there is something to lose."""
    tasks: dict[str, list[dict[str, Any]]] = {}
    for line in SAMPLE.read_bytes().splitlines():
        found = orjson.loads(line)
        tasks.setdefault(found["conversation_id"].rpartition("-")[0], []).append(found)
    return [
        Talk(
            next(m["content"] for m in trials[0]["messages"] if m["role"] == "user"),
            tuple(1.0 - trial["reward"] for trial in trials),
        )
        for trials in tasks.values()
    ]


TALKS: Final = read_talks() if SAMPLE.exists() else []
MEAN: Final = sum(sum(talk.results) / len(talk.results) for talk in TALKS) / max(1, len(TALKS))


async def nothing(*_: Any) -> None:
    pass


async def ask(
    request: ChatRequest, think: Callable[[ChatRequest], LLMResponse], others: list[PaidAnswer]
) -> tuple[float, list[PaidAnswer], int]:
    """(what the lane's conversation came to, its answers, how many it bought)."""
    kept: list[PaidAnswer] = []

    async def keep(call: int, answer: PaidAnswer) -> None:
        kept.append(answer)

    brain = Brain(think)
    shared = SharedAnswers.collect("baseline", ((a.identity, a) for a in others))
    calls = PaidCalls((), keep, nothing, nothing, "", shared)
    answer = await PaidChat(brain, calls).generate(request)
    return float(answer.text), kept, len(brain.requests)


@dataclass
class Tally:
    """Counts verdicts and purchases over draws."""

    passed: int = 0
    failed: int = 0
    bought: int = 0
    draws: int = 0


async def try_gate(
    tasks: int, touched: float, margin: float, loss: float, draws: int, *, shares: bool = True
) -> Tally:
    """Draw tasks, ask both lanes, judge. loss: the candidate's, planted where it is touched."""
    rule, tally = Rule("good", margin=margin, range=(0.0, 1.0)), Tally()
    draw = random.Random(f"{tasks} {touched} {margin} {loss} {shares}")
    broken = loss / (touched * MEAN)
    assert broken <= 1

    for _ in range(draws):
        sides: tuple[Side, Side] = ({}, {})
        for n in range(tasks):
            talk = draw.choice(TALKS)

            def think(request: ChatRequest, talk: Talk = talk) -> LLMResponse:
                is_broken = request.system != SYSTEM and draw.random() < broken
                return text("0.0" if is_broken else str(draw.choice(talk.results)))

            before = ChatRequest(SYSTEM, [make_text_message("user", talk.said)])
            system = f"{SYSTEM} Be brief." if draw.random() < touched else SYSTEM
            now = ChatRequest(system, before.messages)
            known: list[PaidAnswer] = []
            for side, request in zip(sides, (before, now), strict=True):
                value, answers, bought = await ask(request, think, known)
                known = answers if shares else []
                tally.bought += bought
                side[f"t{n}"] = Outcome(f"t{n}", f"t{n}", {"good": (Fraction(value), 1)})
        evidence = collect(rule, *sides)
        if evidence.prove_pass() <= ALPHA:
            tally.passed += 1
        elif evidence.prove_fail(rule) <= ALPHA:
            tally.failed += 1
        tally.draws += 1
    return tally


# Touched share, margin, tasks. Where 5 % are touched no more than 3.5 points can be lost.
SHARES: Final = ((0.05, 0.02, 300), (0.11, 0.05, 200), (0.3, 0.05, 300), (1.0, 0.05, 400))


def allow(draws: int) -> float:
    """The most of so many draws that a chance of 5 % gives, but for one time in a thousand."""
    return draws * ALPHA + 3.1 * (draws * ALPHA * (1 - ALPHA)) ** 0.5 + 1


@pytest.mark.parametrize(("touched", "margin", "tasks"), SHARES)
async def test_sharing_answers_does_not_raise_the_rate_of_wrong_verdicts(
    touched: float, margin: float, tasks: int
) -> None:
    size = tasks if DRAWS > 40 else min(tasks, 100)
    same = await try_gate(size, touched, margin, 0.0, DRAWS)
    worse = await try_gate(size, touched, margin, margin, DRAWS)
    print(
        f"\n| {touched:.0%} | {margin * 100:g} pp | {size:,} | {same.bought / same.draws:,.0f} | "
        f"{same.passed / DRAWS:.1%} | {same.failed / DRAWS:.1%} | {worse.passed / DRAWS:.1%} |"
    )
    assert same.failed <= allow(DRAWS)
    assert worse.passed <= allow(DRAWS)
    assert abs(same.bought / same.draws - size * (1 + touched)) < 0.1 * size


@pytest.mark.skipif(DRAWS <= 40, reason="for the table: PLAINLOOP_SIMULATIONS")
@pytest.mark.parametrize(("touched", "margin", "tasks"), [(0.11, 0.05, 200), (0.11, 0.05, 800)])
async def test_sharing_answers_reduces_the_conversations_a_verdict_needs(
    touched: float, margin: float, tasks: int
) -> None:
    same = await try_gate(tasks, touched, margin, 0.0, DRAWS // 4, shares=False)
    print(
        f"\nnot shared: {tasks} tasks, {same.bought / same.draws:,.0f} bought, "
        f"{same.passed / same.draws:.1%} passed, {same.failed / same.draws:.1%} alarms"
    )
    assert same.bought == same.draws * 2 * tasks


async def test_with_shared_answers_a_no_op_candidate_differs_by_exactly_zero() -> None:
    tally = await try_gate(60, 1e-9, 0.05, 0.0, 3)
    assert (tally.passed, tally.bought) == (3, 3 * 60), "58 tasks without a loss are enough"
