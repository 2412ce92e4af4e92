"""A message's calls as a batch over the real store: which way each goes, and what it leaves."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import WorkerSpec
from plainloop.agent.core.state import initialize_state
from plainloop.agent.core.tools import Tool, ToolContext, ToolOutcome, ToolRegistry, tool
from plainloop.agent.errors import StoreError, ToolError
from plainloop.agent.provenance.refusals import make_refusal
from plainloop.agent.store.approvals import hash_arguments
from plainloop.agent.store.records import Approval
from plainloop.agent.store.store import Store
from plainloop.agent.types import FunctionCall, Message
from plainloop.agent.workers import tool_batch
from plainloop.agent.workers.tool_batch import _Batch, _run_one, run_tool_batch
from tests.core.model_calls import Caller, make_caller

MADE: list[str] = []


@tool("read")
async def look(tool: ToolContext, n: int = 0) -> Any:
    """Look."""
    MADE.append("look")
    return {"n": n, "key": tool.idempotency_key, "data": dict(tool.data)}


@tool("write")
async def write(tool: ToolContext, n: int = 0) -> Any:
    """Write."""
    MADE.append("write")
    return ToolOutcome({"n": n}, data={"mood": n})


@tool("external")
async def send(tool: ToolContext) -> Any:
    """Send."""
    MADE.append("send")
    return {"sent": True}


@tool("external", is_keyed=True)
async def pay(tool: ToolContext) -> Any:
    """Pay."""
    MADE.append("pay")
    return {"paid": True}


@tool("read")
async def fail(tool: ToolContext) -> Any:
    """Fail."""
    raise ToolError("no", hint="ask")


@tool("read")
async def away(tool: ToolContext) -> Any:
    """Meet a database that is away."""
    raise StoreError("away")


EVERY = (look, write, send, pay, fail, away)
ASKED = Tool("ask", "Ask.", "read", look.function, parameters={}, is_client=True)
FOREIGN = replace(look, name="foreign", source="mcp")
SPEC = WorkerSpec("w", "", "", tuple(item.name for item in (*EVERY, FOREIGN)))


def call(call_id: str, name: str, **arguments: Any) -> FunctionCall:
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}


def approve(asked: FunctionCall, status: Any = "approved", **rest: Any) -> Approval:
    now = datetime.now(UTC)
    made = Approval(
        *(make_id(), make_id(), make_id(), "ann", asked["id"], asked["name"], asked["arguments"]),
        *(hash_arguments(asked), "Sure?", status, "ann", now, now, now),
    )
    return replace(made, **rest)


@pytest.fixture
async def ours(store: Store, settings: Settings) -> Caller:
    MADE.clear()
    made = await make_caller(store, settings, tool_result_tokens=500)
    pack = replace(made.ctx.pack, data_fields=("mood",))
    tools = ToolRegistry((*EVERY, ASKED, FOREIGN))
    return Caller(store, replace(made.ctx, tools=tools, pack=pack), made.events)


def begin(ours: Caller, *calls: FunctionCall, **rest: Any) -> _Batch:
    ours.ctx.journal.begin_step(3, "w.tools")
    known = [ours.ctx.tools.get(item["name"]) for item in calls]
    return _Batch([*calls], known, SPEC, {}, ours.ctx, **{**EMPTY, **rest})


EMPTY: dict[str, Any] = {"decisions": {}, "begun": {}, "is_tainted": False}


async def run(ours: Caller, *calls: FunctionCall, spec: WorkerSpec = SPEC) -> Any:
    said: Message = {"role": "assistant", "parts": [*calls]}
    state = initialize_state([*START, said], {"mood": 0})
    ours.ctx.journal.begin_step(3, "w.tools")
    return await run_tool_batch([*calls], spec, state, ours.ctx)


START: list[Message] = [{"role": "user", "parts": [{"type": "text", "text": "go"}]}]


async def list_records(ours: Caller) -> list[tuple[str, str, str]]:
    await ours.ctx.journal.commit({}, "w", None, {"content": ""})
    rows = await ours.store.list_tool_calls("acme", ours.ctx.run.run_id)
    return [(row.tool_call_id, row.name, row.status) for row in rows]


@pytest.mark.parametrize("name", ["look", "write", "send"])
async def test_an_approval_that_was_already_used_permits_no_call(name: str, ours: Caller):
    asked = call("c1", name)
    batch = begin(ours, asked, decisions={"c1": approve(asked)})
    await _run_one(batch, 0)
    assert MADE == []
    refusal = make_refusal("consumed", None)
    assert batch.outcomes[0] == ToolOutcome(refusal, is_error=True)
    failed = {"id": "c1", "name": name, "error": refusal["error"], "result": refusal}
    assert [e["data"] for e in ours.events if e["event"] == "tool_error"] == [failed]
    assert await list_records(ours) == [("c1", name, "denied")]


@pytest.mark.parametrize("name", ["look", "write", "send"])
@pytest.mark.parametrize("status", ["denied", "expired"])
async def test_a_call_without_approval_is_not_made(name: str, status: str, ours: Caller):
    asked = call("c1", name)
    batch = begin(ours, asked, decisions={"c1": approve(asked, status, reason="why")})
    await _run_one(batch, 0)
    assert MADE == []
    assert batch.outcomes[0].result == make_refusal(status, "why")
    assert await list_records(ours) == [("c1", name, "denied")]


@pytest.mark.parametrize(
    ("begun", "name", "result", "made", "status"),
    [
        ({"c1": asdict(ToolOutcome({"old": 1}))}, "send", {"old": 1}, [], "succeeded"),
        ({"c1": None}, "send", None, [], "unknown"),
        ({"c1": None}, "pay", {"paid": True}, ["pay"], "succeeded"),
        ({"c2": None}, "send", {"sent": True}, ["send"], "succeeded"),
    ],
)
async def test_an_interrupted_external_call_is_repeated_only_with_a_key(
    begun: Any, name: str, result: Any, made: list[str], status: str, ours: Caller
):
    batch = begin(ours, call("c1", name), begun=begun)
    await _run_one(batch, 0)
    outcome = batch.outcomes[0]
    if result is None:
        told = "the process was interrupted during this call. Nobody knows whether the call took "
        assert outcome.result["error"].startswith(told)
    else:
        assert outcome.result == result
    assert (MADE, outcome.is_unknown) == (made, result is None)
    assert ("c1", name, status) in await list_records(ours)


async def test_a_clients_answer_becomes_the_calls_result(ours: Caller):
    for n, (answer, outcome) in enumerate(
        (
            ({"result": {"ok": 1}, "is_error": False}, ToolOutcome({"ok": 1})),
            ({"result": "no", "is_error": True}, ToolOutcome("no", is_error=True)),
            (None, ToolOutcome(None)),
        )
    ):
        asked = call(f"c{n}", "ask")
        batch = begin(ours, asked, decisions={f"c{n}": approve(asked, answer=answer)})
        await _run_one(batch, 0)
        assert batch.outcomes[0] == outcome
        part = tool_batch._to_part(batch, 0)
        assert part.get("is_untrusted") is True, "a page's words, perhaps"
    assert MADE == []


async def test_results_keep_the_order_of_their_calls(ours: Caller):
    calls = (
        *(call("c1", "write", n=7), call("c2", "look", n=1), call("c3", "fail")),
        *(call("c4", "nothing"), call("c5", "send"), call("c6", "foreign", n=2)),
    )
    message, data = await run(ours, *calls)
    assert (message["role"], data) == ("tool", {"mood": 7})
    key = f"{ours.ctx.run.run_id}:3:"
    results = [(part["id"], part["name"], part["is_error"]) for part in message["parts"]]
    assert results == [
        *(("c1", "write", False), ("c2", "look", False), ("c3", "fail", True)),
        *(("c4", "nothing", True), ("c5", "send", False), ("c6", "foreign", False)),
    ]
    shown = [part["result"] for part in message["parts"]]
    assert shown[0] == {"n": 7}
    assert shown[1] == {"n": 1, "key": f"{key}c2", "data": {"mood": 0}}
    assert shown[2] == {"error": "no", "hint": "ask"}
    assert shown[3]["error"] == "unknown tool 'nothing'"
    assert shown[4] == {"sent": True}
    assert MADE[-1] == "write", "writes run after what runs at once"
    assert all("is_untrusted" not in part for part in message["parts"])
    told = [e["data"] for e in ours.events if e["data"].get("id") == "c6"]
    assert [item.get("source") for item in told] == ["mcp", "mcp"]
    others = [e["data"] for e in ours.events if e["data"].get("id") == "c2"]
    assert all("source" not in item for item in others)
    assert await list_records(ours) == [
        *(("c1", "write", "succeeded"), ("c2", "look", "succeeded"), ("c3", "fail", "failed")),
        *(("c4", "nothing", "failed"), ("c5", "send", "succeeded"), ("c6", "foreign", "succeeded")),
    ]


async def test_sequential_calls_see_data_set_by_earlier_ones(ours: Caller):
    spec = replace(SPEC, parallel_tools=False)
    message, data = await run(ours, call("c1", "write", n=5), call("c2", "look"), spec=spec)
    assert message["parts"][1]["result"]["data"] == {"mood": 5}
    assert (MADE, data) == (["write", "look"], {"mood": 5})


async def test_parallel_calls_stay_below_the_limit(ours: Caller):
    running, most = 0, 0

    async def count(tool: ToolContext) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        running -= 1
        return {}

    slow = Tool("slow", "", "read", count, parameters={})
    limits = replace(ours.ctx.limits, parallel_tool_calls=2)
    own = replace(ours.ctx, tools=ToolRegistry((slow,)), limits=limits)
    spec = WorkerSpec("w", "", "", ("slow",))
    calls = [call(f"c{n}", "slow") for n in range(6)]
    await run(Caller(ours.store, own, ours.events), *calls, spec=spec)
    assert most == 2


async def test_a_lost_database_fails_the_step_after_its_other_calls(ours: Caller):
    with pytest.raises(StoreError, match="away"):
        await run(ours, call("c1", "away"), call("c2", "look"), call("c3", "write"))
    assert MADE == ["look"], "what was begun is finished, and no write is begun"
    assert [e["event"] for e in ours.events if e["data"].get("id") == "c1"] == ["tool_start"]
    assert await list_records(ours) == [("c2", "look", "succeeded")]


@pytest.mark.parametrize(
    ("own_s", "limit_s", "told_s"),
    [(None, 0.02, "0.02"), (0.02, 60.0, "0.02"), (0.03, 0.01, "0.03")],
)
async def test_a_tools_time_limit_is_its_own_or_the_default(
    own_s: float | None, limit_s: float, told_s: str, ours: Caller
):
    async def hang(tool: ToolContext) -> Any:
        await asyncio.Event().wait()

    slow = Tool("slow", "", "read", hang, parameters={}, timeout_s=own_s)
    limits = replace(ours.ctx.limits, tool_timeout_s=limit_s)
    own = replace(ours.ctx, tools=ToolRegistry((slow,)), limits=limits)
    batch = begin(Caller(ours.store, own, ours.events), call("c1", "slow"))
    batch.spec = WorkerSpec("w", "", "", ("slow",))
    async with asyncio.timeout(20):
        await _run_one(batch, 0)
    assert batch.outcomes[0].result == {"error": f"timed out after {told_s} s"}


async def test_a_tool_that_mutates_its_arguments_changes_no_state(ours: Caller):
    async def spoil(tool: ToolContext) -> Any:
        tool.data["mood"].append(1)  # type: ignore[index]
        return {}

    own = replace(ours.ctx, tools=ToolRegistry((Tool("spoil", "", "read", spoil, parameters={}),)))
    batch = begin(Caller(ours.store, own, ours.events), call("c1", "spoil"))
    batch.spec, batch.data = WorkerSpec("w", "", "", ("spoil",)), {"mood": []}
    await _run_one(batch, 0)
    assert batch.data == {"mood": []}
    assert batch.outcomes[0].is_error is False


async def test_a_failed_call_sets_no_data_and_the_later_write_wins():
    outcomes = {
        2: ToolOutcome({}, data={"a": 3}),
        0: ToolOutcome({}, data={"a": 1, "b": 1}),
        1: ToolOutcome({}, is_error=True, data={"b": 9, "c": 9}),
    }
    assert tool_batch._merge_data(outcomes) == {"a": 3, "b": 1}
