"""Threads as scripts: who answers each turn, how long everything is, when the profile changes."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Final

WORKERS: Final = 3
SYSTEM_TOKENS: Final = (300, 600, 900)  # by worker; the last one writes letters that are reviewed
TOOL_TOKENS: Final = 150
PROFILE_TOKENS: Final = 600
PROFILE_TURNS: Final = 15  # between two changes of it
RETRY_SHARE: Final = 0.1  # of letters


@dataclass(slots=True)
class Call:
    """One answer of a model, in tokens. result: of its tool call; None: it ends the turn."""

    thinking: int
    visible: int
    result: int | None = None


@dataclass(slots=True)
class Turn:
    """One user message and its answers. feedback, again: of a review that asks for a retry. share,
    depth: draw the pause before it.
    """

    worker: int
    user: int
    calls: list[Call]
    feedback: int = 0
    again: Call | None = None
    profile: int = 0
    share: float = 0.5
    depth: float = 0.5


@dataclass(slots=True)
class Script:
    """A whole thread. systems, tools: tokens of each worker's prompt and of its tools."""

    turns: list[Turn]
    systems: list[int]
    tools: list[int]
    profile: int = PROFILE_TOKENS
    name: str = field(default="")


def draw_script(seed: int, turns: int, change: float, tools: int, workers: int = WORKERS) -> Script:
    """Draw a thread. change: how likely another worker answers next; tools: of each worker."""
    dice = random.Random(seed)
    drawn: list[Turn] = []
    worker = 0
    for n in range(turns):
        if n and workers > 1 and dice.random() < change:
            worker = (worker + 1 + dice.randrange(workers - 1)) % workers
        is_letter = workers > 1 and worker == workers - 1
        calls = [
            Call(_draw_log(dice, 200, 1500), dice.randint(25, 70), _draw_log(dice, 50, 3000))
            for _ in range(dice.choices((0, 1, 2, 3), (0.15, 0.45, 0.25, 0.15))[0])
        ]
        thinking = _draw_log(dice, 200, 1500)
        length = dice.randint(250, 450) if is_letter else dice.randint(40, 250)
        calls.append(Call(thinking, length))
        turn = Turn(worker, dice.randint(10, 120), calls, profile=n // PROFILE_TURNS)
        turn.share, turn.depth = dice.random(), dice.random()
        if is_letter and dice.random() < RETRY_SHARE:
            turn.feedback = dice.randint(40, 120)
            turn.again = Call(_draw_log(dice, 200, 1500), length)
        drawn.append(turn)
    return Script(drawn, [*SYSTEM_TOKENS[:workers]], [tools * TOOL_TOKENS] * workers)


def _draw_log(dice: random.Random, least: int, most: int) -> int:
    return int(math.exp(dice.uniform(math.log(least), math.log(most))))


def make_cases() -> dict[str, tuple[Script, int]]:
    """Six small threads, each with its window: tests say what must come of them."""
    plain = {name: _case([_turn(worker) for worker in order]) for name, order in _ORDERS.items()}
    profile = _case([_turn(0, profile=n // 2) for n in range(4)])
    retry = _case([_turn(0), _turn(2), _turn(2)])
    retry.turns[1].feedback, retry.turns[1].again = 60, Call(500, 150)
    short, long = [Call(500, 60, 400)] * 2, [Call(500, 60, 1500)] * 4
    growing = _case([Turn(0, 50, [*calls, Call(500, 150)]) for calls in (short, long)])
    return {
        "workers in turn": (plain["abab"], 24_000),
        "another profile": (profile, 24_000),
        "a review's retry": (retry, 24_000),
        "a small window": (plain["a"], 3_000),
        "a turn beyond the window": (growing, 3_000),
        "three workers": (plain["abc"], 24_000),
    }


_ORDERS: Final = {"abab": (0, 1, 0, 1), "a": (0,) * 12, "abc": (0, 1, 2) * 4}


def _turn(worker: int, profile: int = 0) -> Turn:
    return Turn(worker, 50, [Call(500, 60, 400), Call(500, 150)], profile=profile)


def _case(turns: list[Turn]) -> Script:
    return Script(turns, [600] * 3, [900] * 3)
