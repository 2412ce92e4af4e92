"""The designs of `docs/designs.md`, as they stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.designs.base import load_design
from tests.designs.conftest import AddDesign
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text, tools

PAGE = (Path(__file__).parents[2] / "docs" / "designs.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```python\n# file: agent/designs/(\w+)/__init__.py\n(.*?)^```$", re.M | re.S)
PROGRAM = re.compile(r"^```python\n(import asyncio\n.*?)^```$", re.M | re.S).search(PAGE)
assert PROGRAM is not None


@pytest.fixture
def own_designs(add_design: AddDesign) -> Iterator[list[str]]:
    found = BLOCK.findall(PAGE)
    for name, source in found:
        add_design(name, source)
    yield [name for name, _ in found]


def test_the_documentation_contains_complete_designs(own_designs):
    assert own_designs == ["two_pass", "by_hand", "plain_classes"]
    assert [load_design(name).name for name in own_designs] == own_designs


async def test_the_documented_nodes_run_as_steps(machine, own_designs):
    run = await machine(text("short, kind"), text("Roses are red."), design="two_pass")
    told = await run.ask("a poem")

    assert told.nodes == ["take_notes", "answer"]
    assert told.text == told.answer == "Roses are red."
    assert get_text(run.provider.requests[1].messages[-1]).endswith("Your notes:\nshort, kind")
    (first, _) = await run.load_steps(told)
    assert first.notes == ("noted: short, kind",)
    assert told.outcome.state == await run.check_records(told.run_id, "a poem")
    assert [call.status for call in await run.list_calls(told)] == ["succeeded"] * 2


async def test_the_documented_function_design_uses_the_packs_tools(machine, own_designs):
    add = tools(("c1", "add_note", {"text": "milk"}))
    run = await machine(add, text("Noted."), design="by_hand")
    told = await run.ask("note milk")

    assert told.nodes == ["by_hand"]
    assert told.answer == "Noted."
    assert await run.list_notes() == [("milk", 0)]
    assert [e["name"] for e in told.list_events("tool_start", "tool_result")] == ["add_note"] * 2
    result = run.provider.requests[1].messages[-1]["parts"][0]
    assert result["result"]["note"]["text"] == "milk"


async def test_the_documented_function_design_stops_at_its_limit(machine, own_designs):
    calls = [tools((f"c{n}", "list_notes", {})) for n in range(5)]
    run = await machine(*calls, design="by_hand")
    told = await run.ask()

    limit = {"message": "Max iterations reached", "code": "LIMIT_REACHED"}
    assert told.last == ("error", {**limit, "reason": "too many turns"})
    run.provider.script[:] = [text("Here again.")]
    assert (await run.ask("and now?")).answer == "Here again."


async def test_the_documented_plain_classes_work_as_a_design(machine, own_designs):
    run = await machine(text("None so far."), text('{"name": "Ann"}'), design="plain_classes")
    told = await run.ask("which notes are there?")
    (request,) = run.provider.requests
    service = run.service
    interviewer = load_design("plain_classes").onboarding(model=service.make_design_model("worker"))

    assert told.answer == "None so far."
    assert request.system == "You know these notes: {'notes': []}"
    assert await service.parse_text(service.pack, "Ann, cook", TENANT, USER) == {"name": "Ann"}
    assert [event["event"] for event in interviewer.run([])] == ["done"]
