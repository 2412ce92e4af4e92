"""An epoch of a worker's requests: where it begins, how long its window is, what is said in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.shown.notices import Head, count_changes, make_epoch
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import Interview, WorkerSpec
from plainloop.agent.core.state import AgentState, initialize_state
from plainloop.agent.core.tools import Tool, ToolRegistry
from plainloop.agent.provenance.marking import UNTRUSTED_NOTE
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, Message, ToolSchema
from plainloop.agent.workers.epochs import begin_epoch, find_head, find_window, is_outside
from tests.core.conversations import answer as said
from tests.core.conversations import call, result, user
from tests.core.model_calls import Caller, make_caller
from tests.core.store_samples import make_call_start, make_settled, make_step
from tests.machine.scripted import ScriptedProvider

SPEC = WorkerSpec("w", "", "You work.", ("look",))
LOOK = ToolSchema("look", "Look.", {"type": "object", "properties": {}})
OTHER = ToolSchema("other", "Other.", {"type": "object", "properties": {}})
TURN: list[Message] = [user("go"), call("c1"), result("c1")]
APPENDED = "the prompt changed: appended, what the thread began with stays"


async def run_nothing(tool: Any) -> Any:
    return {}


def make_tool(schema: ToolSchema) -> Tool:
    return Tool(schema.name, schema.description, "read", run_nothing, parameters=schema.parameters)


@pytest.fixture
async def ours(store: Store, settings: Settings) -> Caller:
    made = await make_caller(
        *(store, settings, ScriptedProvider()), window_tokens=9_000, history_tokens=100
    )
    tools = ToolRegistry([make_tool(LOOK)])
    return Caller(store, replace(made.ctx, tools=tools), made.events)


def ask(system: str = "You work.", *tools: ToolSchema) -> ChatRequest:
    return ChatRequest(system=system, messages=[], tools=tools or (LOOK,))


def make_state(*messages: Message) -> AgentState:
    return initialize_state([*messages])


async def load_notes(ours: Caller) -> tuple[str, ...]:
    await ours.ctx.journal.finish(RunEnd("failed", "E", "over"), [])
    return (await ours.store.load_run("acme", "ann", ours.ctx.run.run_id)).notes


async def send(ours: Caller, system: str, *, tools: str = "", **rest: Any) -> None:
    """An answered request of the worker, as the ledger has it."""
    hashes = {"system_hash": await ours.store.save_prompt_text("acme", "system", system)}
    if tools:
        hashes["tools_hash"] = await ours.store.save_prompt_text("acme", "tools", tools)
    start = make_call_start(ours.ctx.run, **{"worker": "w", **hashes, **rest})
    await ours.store.record_call_start(start)
    await ours.store.settle_calls("acme", [make_settled(start)])


def as_resumed(ours: Caller) -> Caller:
    run = replace(ours.ctx.run, is_resumed=True)
    return Caller(ours.store, replace(ours.ctx, run=run), ours.events)


async def test_the_history_window_is_fixed_by_the_turns_first_call(ours: Caller):
    ours.ctx.journal.heads["w"] = Head(0, 777, "s", ())
    assert await find_window(SPEC, make_state(*TURN), ours.ctx) == 777
    other = replace(SPEC, name="other")
    assert await find_window(other, make_state(*TURN), ours.ctx) == 9_000
    limits = replace(ours.ctx.limits, window_tokens=5_000)
    assert await find_window(other, make_state(*TURN), replace(ours.ctx, limits=limits)) == 5_000


async def test_a_resumed_run_cuts_its_history_where_it_did_before(ours: Caller):
    await send(ours, "You work.", token_factor=1.5)
    resumed = as_resumed(ours)
    assert await find_window(SPEC, make_state(*TURN), resumed.ctx) == 6_000
    assert await find_window(SPEC, make_state(*TURN), ours.ctx) == 9_000, "nobody took it up"
    first = make_state(user("go"))
    assert await find_window(SPEC, first, resumed.ctx) == 9_000, "no call was made yet"
    await send(ours, "You work.", token_factor=0.5)
    cut = await find_window(SPEC, make_state(*TURN), resumed.ctx)
    assert cut == 9_000, "no more than is loaded"
    another = replace(resumed.ctx.run, run_id=ours.ctx.thread_id)
    assert await find_window(SPEC, make_state(*TURN), replace(resumed.ctx, run=another)) == 9_000


async def test_the_first_request_starts_a_prompt_epoch(ours: Caller):
    view = [user("go")]
    request, epoch, items = await begin_epoch(SPEC, ask(), view, 500, ours.ctx)
    assert (request, items) == (ask(), [])
    position = ours.ctx.run.input_position
    assert (epoch.worker, epoch.start) == ("w", position)
    head = Head(position, 500, "You work.", (LOOK,))
    assert ours.ctx.journal.heads == {"w": head}
    assert await load_notes(ours) == ()


async def test_a_changed_prompt_is_appended_below_the_first_one(ours: Caller):
    first, epoch, _ = await begin_epoch(SPEC, ask("You work.\n\nAnn bakes."), [], 500, ours.ctx)
    changed = ask("You work.\n\nAnn builds.")
    request, same, items = await begin_epoch(SPEC, changed, [], 900, ours.ctx)
    assert (request, same) == (first, epoch)
    assert [item["kind"] for item in items] == ["prompt"]
    assert items[0]["text"].endswith("Ann builds.")
    assert ours.ctx.journal.heads["w"].window_tokens == 500
    assert await load_notes(ours) == (APPENDED,)


async def test_too_many_prompt_changes_start_a_new_epoch(ours: Caller):
    await begin_epoch(SPEC, ask("You work.\n\nAnn bakes."), [], 500, ours.ctx)
    changed = ask("You work.\n\n" + "Ann builds. " * 50)
    _, _, items = await begin_epoch(SPEC, changed, [], 500, ours.ctx)
    size = count_changes(items)
    for limit, is_anew in ((size, False), (size - 1, True)):
        limits = replace(ours.ctx.limits, appended_tokens=limit)
        ctx = replace(ours.ctx, limits=limits)
        request, epoch, items = await begin_epoch(SPEC, changed, [], 900, ctx)
        assert (request.system == changed.system, items == []) == (is_anew, is_anew)
    assert ours.ctx.journal.heads["w"] == Head(0, 900, changed.system, (LOOK,))
    assert epoch.head == make_epoch("w", 0, request.system, "").head or epoch.start == 0
    notes = await load_notes(ours)
    assert notes[-1] == f"the prompt begins anew: its changes take {size} tokens"
    assert notes[:-1] == (APPENDED, APPENDED)


async def test_a_new_tool_starts_a_new_prompt_epoch(ours: Caller):
    await begin_epoch(SPEC, ask("old"), [], 500, ours.ctx)
    spec = replace(SPEC, tools=("look", "other"))
    tools = ToolRegistry([make_tool(LOOK), make_tool(OTHER)])
    ctx = replace(ours.ctx, tools=tools)
    request, _, items = await begin_epoch(spec, ask("new", LOOK, OTHER), [], 500, ctx)
    assert (request.system, items) == ("new", [])
    assert await load_notes(ours) == ("the prompt begins anew: a tool is new or has changed",)


async def test_a_removed_tool_stays_declared_with_a_notice(ours: Caller):
    await begin_epoch(SPEC, ask("You work.", LOOK, OTHER), [], 500, ours.ctx)
    request, _, items = await begin_epoch(SPEC, ask("You work.", LOOK), [], 500, ours.ctx)
    assert request.tools == (LOOK, OTHER)
    assert "other" in items[0]["text"] and "look" not in items[0]["text"]


async def test_a_history_cut_or_an_interview_starts_a_new_epoch(ours: Caller):
    old = Head(3, 500, "old", (LOOK,))
    ours.ctx.journal.heads["w"] = old
    same, moved = replace(old, system="new"), replace(old, start=4, system="new")
    assert await find_head(SPEC, same, [], ours.ctx) is old
    assert await find_head(SPEC, moved, [], ours.ctx) is moved
    equal = replace(old)
    assert await find_head(SPEC, equal, [], ours.ctx) == equal

    async def list_missing(state: Any, ctx: Any) -> tuple[str, ...]:
        return ()

    asked = replace(SPEC, interview=Interview(list_missing))
    assert await find_head(asked, same, [], ours.ctx) is same


async def test_a_thread_continues_with_the_prompt_of_its_last_answer(ours: Caller):
    position = ours.ctx.run.input_position
    tools = '[{"name": "look", "description": "Look.", "parameters": %s}]'
    await send(ours, "old", tools=tools % '{"type": "object", "properties": {}}')
    new = Head(position, 500, "new", (LOOK,))
    assert await find_head(SPEC, new, [user("go")], ours.ctx) is new, "nothing was answered yet"
    view = [user("a"), said("b"), user("go")]
    found = await find_head(SPEC, new, view, ours.ctx)
    assert found == replace(new, system="old")
    assert found.tools is new.tools, "the same object is cached"
    other = replace(SPEC, name="other")
    assert await find_head(other, new, view, ours.ctx) is new
    await send(ours, "older", tools=tools % '{"type": "object"}')
    assert await find_head(SPEC, new, view, ours.ctx) is new, "a tool has another shape"
    await ours.store.record_steps(ours.ctx.run, [make_step(end=RunEnd("succeeded"))])


def test_notices_with_untrusted_prompt_parts_are_untrusted():
    told: list[Any] = [{"kind": "prompt", "text": f"x {UNTRUSTED_NOTE}"}]
    plain: list[Any] = [{"kind": "prompt", "text": "x"}]
    other: list[Any] = [{"kind": "feedback", "text": UNTRUSTED_NOTE}]
    assert is_outside("clean", told) is True
    assert is_outside("clean", plain) is False
    assert is_outside(f"{UNTRUSTED_NOTE} x", plain) is True, "what it changed"
    assert is_outside(f"{UNTRUSTED_NOTE} x", other) is False
    assert is_outside("clean", []) is False
