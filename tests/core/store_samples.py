"""Threads, runs and steps for store tests, with as little as each test needs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from plainloop.agent.base.ids import make_id
from plainloop.agent.events import Event
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.leases import make_owner
from plainloop.agent.store.records import (
    CallSettled,
    CallStart,
    Run,
    RunEnd,
    RunStart,
    StepCommit,
    ThreadInfo,
    ToolCallRecord,
)
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message, Usage

STARTED_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def make_text(role: Any, text: str) -> Message:
    return {"role": role, "parts": [{"type": "text", "text": text}]}


def make_tool_use(call_id: str, name: str = "list_jobs", **arguments: Any) -> Message:
    call: Any = {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}
    return {"role": "assistant", "parts": [call]}


def make_tool_answer(call_id: str, result: Any, name: str = "list_jobs") -> Message:
    part: Any = {"type": "tool_result", "id": call_id, "name": name, "result": result}
    part["is_error"] = False
    return {"role": "tool", "parts": [part]}


def make_event(seq: int, event: Any, **data: Any) -> Event:
    return {"seq": seq, "event": event, "data": data}


def make_step(
    n: int = 0, *, node: str = "worker", next_node: str = "END", **rest: Any
) -> StepCommit:
    rest.setdefault("update", {})
    return StepCommit(
        n=n, node=node, next_node=next_node, started_at=STARTED_AT, duration_ms=7, **rest
    )


def make_call_start(run: Run, **rest: Any) -> CallStart:
    start = CallStart(
        call_id=make_id(),
        tenant_id=run.tenant_id,
        user_id=run.user_id,
        thread_id=run.thread_id,
        run_id=run.run_id,
        step=0,
        node="worker",
        worker="worker",
        role="worker",
        attempt=1,
        provider="anthropic",
        model="some-model",
        estimated_input_tokens=900,
        fingerprint="ab" * 32,
        system_hash=None,
        tools_hash=None,
        first_position=0,
        last_position=run.input_position,
    )
    return replace(start, **rest)


def make_settled(start: CallStart, **rest: Any) -> CallSettled:
    settled = CallSettled(
        call_id=start.call_id,
        tenant_id=start.tenant_id,
        status="succeeded",
        usage=Usage(10, 20, 30, 40, None, raw={"input_tokens": 10}),
        duration_ms=812,
        model_answered="some-model-1",
        request_id="req_1",
        first_token_ms=120,
        stop="end",
        cost_usd="0.00012",
        price_version="prices 1",
        notes=("asked once",),
    )
    return replace(settled, **rest)


def make_tool_call(call_id: str, **rest: Any) -> ToolCallRecord:
    record = ToolCallRecord(
        tool_call_id=call_id,
        index=0,
        name="list_jobs",
        effect="read",
        status="succeeded",
        arguments={"status": "saved", "limit": 3},
        duration_ms=3,
        idempotency_key=f"key:{call_id}",
    )
    return replace(record, **rest)


async def create_thread(store: Store, tenant_id: str = "acme", user_id: str = "ann") -> ThreadInfo:
    return await store.create_thread(tenant_id, user_id, pack="tracker")


async def begin_run(
    store: Store,
    thread: ThreadInfo,
    text: str = "hello",
    *,
    tenant_id: str = "acme",
    owner: str | None = None,
    lease_s: float = 30.0,
    **rest: Any,
) -> Run:
    start = RunStart(
        thread.user_id, thread.thread_id, make_text("user", text), "default", "tracker", **rest
    )
    return await store.begin_run(tenant_id, start, owner or make_owner(), lease_s)


async def answer(store: Store, run: Run, text: str = "done") -> None:
    """End the run with one step that says `text`."""
    update: Any = {"messages": [make_text("assistant", text)]}
    await store.record_steps(run, [make_step(update=update, end=RunEnd("succeeded"))])


def get_texts(messages: list[Message]) -> list[str]:
    return [part["text"] for m in messages for part in m["parts"] if part["type"] == "text"]


async def erase_thread(store: Store, tenant_id: str, user_id: str, thread_id: str) -> None:
    async with store.transaction(tenant_id) as tx:
        await erase_thread_rows(tx, user_id, thread_id)


async def explain(connection: Any, sql: str, *values: Any) -> list[dict[str, Any]]:
    """Run a statement; what the database did for it, as the nodes of its plan."""
    [[told]] = await connection.fetch(f"explain (analyze, buffers, format json) {sql}", *values)
    nodes = [told[0]["Plan"]]
    for node in nodes:  # it grows as it is walked
        nodes.extend(node.get("Plans", ()))
    return nodes


async def wait_for_lock(store: Store, count: int = 1) -> None:
    """Until so many statements of this database wait for locks."""
    sql = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = $1"
    async with store.database.connection() as connection:
        name = await connection.fetchval("select current_database()")
        async with asyncio.timeout(60):
            while await connection.fetchval(sql, name) < count:
                await asyncio.sleep(0.01)
