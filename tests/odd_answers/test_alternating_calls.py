"""Hazard: a few reads that alternate with equal results go on until the turn limit.

Source: anomalyco/opencode #44748 and #47759 (lookup, search, lookup, search, …), #43800.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

import pytest

from plainloop.agent.base.messages.repeating import find_loop
from plainloop.agent.core.tools import tool
from plainloop.agent.designs.react import build_react_nodes
from plainloop.agent.types import Message
from tests.core.conversations import user
from tests.core.model_calls import FixedModels
from tests.machine.notes_pack import make_pack
from tests.machine.running import Told
from tests.odd_answers.five_wires import WIRES, Say, open_model
from tests.providers.local_server import Local, run_local

READS = ("look_up", "search", "scan")
Calls = Sequence[tuple[str, Any, Any]]  # name, arguments, result


def take_turn(calls: Calls, together: int = 1) -> list[Message]:
    """A turn of these calls, so many in one message; the newest message has no results yet."""
    messages: list[Any] = [user("go")]
    for at in range(0, len(calls), together):
        group = [(f"c{at + n}", *call) for n, call in enumerate(calls[at : at + together])]
        asked: list[Any] = [
            {"type": "tool_call", "id": i, "name": name, "arguments": given}
            for i, name, given, _ in group
        ]
        told: list[Any] = [
            {"type": "tool_result", "id": i, "name": name, "result": result, "is_error": False}
            for i, name, _, result in group
        ]
        messages += [{"role": "assistant", "parts": asked}, {"role": "tool", "parts": told}]
    return messages[:-1]


def repeat(*calls: tuple[str, Any, Any], count: int) -> Calls:
    return list(islice(cycle(calls), count))


A, B, C = ("look_up", {"q": "a"}, 1), ("search", {"q": "b"}, 2), ("scan", {}, 3)
TWO = "the same 2 read tools returned equal results again and again: look_up, search"
THREE = "the same 3 read tools returned equal results again and again: look_up, search, scan"
CASES: dict[str, tuple[list[Message], str | None]] = {
    "two by turns": (take_turn(repeat(A, B, count=5)), TWO),
    "three by turns": (take_turn(repeat(A, B, C, count=7)), THREE),
    "two by turns, at once": (take_turn(repeat(A, B, count=6), together=2), TWO),
    "something else came first": (take_turn([C, *repeat(A, B, count=5)]), TWO),
    "one tool, two questions": (
        take_turn(repeat(A, ("look_up", {"q": "b"}, 2), count=5)),
        "the same 2 read tools returned equal results again and again: look_up",
    ),
    "not yet often enough": (take_turn(repeat(A, B, count=4)), None),
    "three, not yet": (take_turn(repeat(A, B, C, count=6)), None),
    "four by turns": (take_turn(repeat(A, B, C, ("look_up", {}, 4), count=12)), None),
    "one result changed": (take_turn([A, B, A, ("search", {"q": "b"}, 5), A]), None),
    "one argument changed": (take_turn([A, B, A, ("search", {"q": "c"}, 2), A]), None),
    "a write among them": (take_turn(repeat(A, ("save", {}, 2), count=9)), None),
    "one call again and again": (
        take_turn(repeat(("save", {}, 1), count=3)),
        "the same tool call was made 3 times in a row",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_alternating_calls_of_a_turn_are_detected(name: str):
    messages, loop = CASES[name]
    assert find_loop(messages, 3, READS) == loop


def test_loop_detection_ignores_calls_of_earlier_turns():
    before = take_turn(repeat(A, B, count=4))
    assert find_loop([*before, *take_turn([A])], 3, READS) is None


def test_one_round_of_equal_calls_is_not_a_loop():
    assert find_loop(take_turn(repeat(A, B, count=3)), 2, READS) is None
    assert find_loop(take_turn(repeat(A, B, count=5)), 2, READS) == TWO


@tool("read")
async def look_up(tool: Any, q: str) -> Any:
    """Look something up."""
    return {"found": []}


@tool("read")
async def search(tool: Any, q: str) -> Any:
    """Search for something."""
    return {"found": []}


async def ask_in_circles(machine: Any, local: Local, wire: str, names: Sequence[str]) -> Told:
    """The run of a model that calls these reads by turns and never answers."""
    pack = replace(make_pack(), tools=(*make_pack().tools, look_up, search))
    asked = [
        Say(calls=[(f"call_{n}", name, json.dumps({"q": "x"} if name != "list_notes" else {}))])
        for n, name in enumerate(islice(cycle(names), 15))
    ]
    local.replies[:] = [said.encode(wire) for said in asked]
    models: Any = FixedModels(open_model(wire, local.url))
    run = await machine(models=models, pack=pack)
    return await run.ask_table(build_react_nodes(pack), "find it")


@pytest.mark.parametrize("names", [("look_up", "search"), ("look_up", "search", "list_notes")])
@pytest.mark.parametrize("wire", WIRES)
async def test_alternating_reads_stop_a_run_before_its_turn_limit(machine, wire: str, names: Any):
    async with run_local(Say(["-"]).encode(wire)) as local:
        told = await ask_in_circles(machine, local, wire, names)
        assert len(local.requests) == 2 * len(names) + 1
    reason = (
        f"the same {len(names)} read tools returned equal results again and "
        f"again: {', '.join(names)}"
    )
    assert told.last[1]["reason"] == reason
    told.check_stream()
