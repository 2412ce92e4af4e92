"""Tools that a worker seldom calls are shown a line each, and called as themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.shown.rare_tools import MORE, bundle_rare, unbundle_tools
from plainloop.agent.core.spec import Pack
from plainloop.agent.types import RunOptions, ToolChoice, ToolSchema, Wishes
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text, tools, triage
from tests.tracker import make_pack as make_tracker

RARE = ("add_note", "set_mood", "hang", "explode")
SHOWN = ("list_notes", MORE)
ADDED = {"text": "milk", "stars": 3}


def make_rare_pack() -> Pack:
    pack = make_pack()
    writer = pack.workers[0]
    named = tuple(dict.fromkeys((*RARE, "list_notes")))
    workers = (replace(writer, tools=named, rare=RARE), *pack.workers[1:])
    return replace(pack, workers=workers)


def list_shown(request: Any) -> tuple[str, ...]:
    return tuple(tool.name for tool in request.tools)


@pytest.mark.parametrize(
    "arguments", [ADDED, '{"text": "milk", "stars": 3}'], ids=["object", "text"]
)
async def test_a_bundled_tool_is_called_under_its_own_name(machine: Any, arguments: Any) -> None:
    pack = make_rare_pack()
    meant = {"name": "add_note", "arguments": arguments}
    script = (triage(pack.workers[0].name), tools(("c1", MORE, meant)), text("Noted."))
    run = await machine(*script, pack=pack)
    told = await run.ask("note: milk, three stars")

    assert list_shown(run.provider.requests[1]) == SHOWN
    line = "add_note(text, stars?: int 0..5): Add a note."
    assert line in run.provider.requests[1].tools[-1].description.splitlines()
    assert await run.list_notes() == [("milk", 3)]
    assert [(c.name, c.arguments) for c in await run.list_tool_calls(told)] == [("add_note", ADDED)]
    parts = [part for message in await run.load_messages() for part in message["parts"]]
    assert [part["name"] for part in parts if part["type"] == "tool_call"] == ["add_note"]


@pytest.mark.parametrize(
    ("meant", "why"),
    [
        ({"name": "sing", "arguments": {}}, "unknown tool 'sing'"),
        ({"arguments": {}}, f"unknown tool '{MORE}'"),
        ({"name": "add_note", "arguments": "{text"}, f"unknown tool '{MORE}'"),
        ({"name": "add_note", "arguments": {"stars": 9}}, "invalid arguments: "),
    ],
)
async def test_an_invalid_call_of_more_tools_gives_the_model_an_error(
    machine: Any, meant: dict[str, Any], why: str
) -> None:
    pack = make_rare_pack()
    script = (triage(pack.workers[0].name), tools(("c1", MORE, meant)), text("Sorry."))
    run = await machine(*script, pack=pack)
    await run.ask()

    (given,) = run.provider.requests[2].messages[-1]["parts"]
    assert given["is_error"] and given["result"]["error"].startswith(why)
    assert await run.list_notes() == []


@pytest.mark.parametrize(
    "options",
    [
        RunOptions(tells_arguments=True),
        RunOptions(wishes=Wishes(tool_choice=ToolChoice("required", "add_note"))),
    ],
    ids=["told as it is written", "wished for by name"],
)
async def test_events_and_settings_show_bundled_tools_as_ordinary_ones(
    machine: Any, options: RunOptions
) -> None:
    pack = make_rare_pack()
    call = tools(("c1", "add_note", ADDED))
    run = await machine(triage(pack.workers[0].name), call, text("Noted."), pack=pack)
    await run.service.answer(TENANT, USER, run.thread_id, "note: milk", options=options)

    assert set(list_shown(run.provider.requests[1])) == {*RARE, "list_notes"}


def test_a_bundled_tools_line_states_its_schema() -> None:
    for pack in (make_pack(), make_tracker()):
        schemas = tuple(tool.schema for tool in pack.tools)
        shown = bundle_rare(schemas, tuple(schema.name for schema in schemas))
        assert len(shown) < len(schemas)
        read = {tool.name: tool for tool in unbundle_tools(shown)}
        for schema in schemas:
            whole = {**schema.parameters}
            whole.pop("additionalProperties", None)  # said where there are no arguments
            read[schema.name].parameters.pop("additionalProperties", None)
            assert read[schema.name].parameters == whole


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "properties": {}},
        {"type": "string", "description": "one, or more"},
        {"type": "string", "description": "(not this)"},
        {"type": "string", "maxLength": 9},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ],
)
def test_a_complex_schema_is_not_bundled_into_a_line(schema: dict[str, Any]) -> None:
    plain = {f"field_{n}": {"type": "string"} for n in range(8)}
    others = tuple(ToolSchema(f"save_{n}", "Keeps it.", {"properties": plain}) for n in range(4))
    odd = ToolSchema("odd", "Is odd.", {"type": "object", "properties": {"a": schema}})
    shown = bundle_rare((*others, odd), ("odd", *(tool.name for tool in others)))
    assert [tool.name for tool in shown] == ["odd", MORE]


def test_few_or_small_tools_are_not_bundled() -> None:
    small = ToolSchema("ping", "Pings.", {"type": "object", "properties": {}})
    assert bundle_rare((small,), ("ping",)) == (small,)
