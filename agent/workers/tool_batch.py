"""One assistant message's tool calls, run together; results keep the calls' order.

Reads and external calls run at once; writes run after them, one by one, inside the step's
transaction, so that effect and record commit together. A worker that takes one call at a time
has them run in the order in which they were asked for, each seeing what the one before set.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from agent.core.context import RequestContext
from agent.core.database import Queryable
from agent.core.records import ToolCallRecord
from agent.core.results import cut_result
from agent.core.spec import WorkerSpec
from agent.core.tools import (
    Tool,
    ToolContext,
    ToolOutcome,
    describe_error,
    execute_tool,
    to_function_response,
)
from agent.providers.types import FunctionCall, Message


async def run_tool_batch(
    calls: list[FunctionCall], spec: WorkerSpec, data: dict[str, Any], ctx: RequestContext
) -> tuple[Message, dict[str, Any]]:
    """The `tool` message that answers these calls, and what they set in `data`.

    One call failing never stops its siblings, and sets nothing.
    """
    found = [ctx.tools.get(call["name"]) for call in calls]
    outcomes: dict[int, ToolOutcome] = {}
    at_once = asyncio.Semaphore(ctx.limits.parallel_tool_calls)

    async def run_one(index: int) -> None:
        call, tool = calls[index], found[index]
        seen = {**data, **_merge_data(outcomes)}
        if tool is not None and tool.effect == "write":
            outcomes[index] = await _run_write(index, call, tool, spec, seen, ctx)
            return
        async with at_once:
            db = ctx.store.read(ctx.tenant_id)
            outcomes[index] = await _run_call(index, call, tool, db, spec, seen, ctx)

    is_later = [
        not spec.parallel_tools or (tool is not None and tool.effect == "write") for tool in found
    ]
    async with asyncio.TaskGroup() as group:
        for index, later in enumerate(is_later):
            if not later:
                group.create_task(run_one(index))
    for index in (i for i, later in enumerate(is_later) if later):
        await run_one(index)
    parts = [to_function_response(call, outcomes[i]) for i, call in enumerate(calls)]
    return {"role": "tool", "parts": list(parts)}, _merge_data(outcomes)


def _merge_data(outcomes: dict[int, ToolOutcome]) -> dict[str, Any]:
    """What the calls so far set, in the calls' order; a failed one sets nothing."""
    done = [outcomes[index] for index in sorted(outcomes)]
    return {k: value for item in done if not item.is_error for k, value in item.data.items()}


async def _run_write(
    index: int,
    call: FunctionCall,
    tool: Tool | None,
    spec: WorkerSpec,
    data: dict[str, Any],
    ctx: RequestContext,
) -> ToolOutcome:
    """A write that fails undoes only itself: each has its own savepoint."""
    transaction = await ctx.journal.open_step_transaction()
    try:
        async with transaction.savepoint():
            outcome = await _run_call(index, call, tool, transaction, spec, data, ctx)
            if outcome.is_error:
                raise _Undone(outcome)
            return outcome
    except _Undone as undone:
        return undone.outcome


class _Undone(Exception):
    """Leaves the savepoint by its error path, with the outcome to tell the model."""

    def __init__(self, outcome: ToolOutcome) -> None:
        self.outcome = outcome


async def _run_call(
    index: int,
    call: FunctionCall,
    tool: Tool | None,
    db: Queryable,
    spec: WorkerSpec,
    data: dict[str, Any],
    ctx: RequestContext,
) -> ToolOutcome:
    """Prepare, execute, finalize one call: its events, its time, its record, its size."""
    ctx.emit("tool_start", {"id": call["id"], "name": call["name"], "arguments": call["arguments"]})
    key = f"{ctx.run.run_id}:{ctx.journal.step}:{call['id']}"
    began = time.perf_counter()
    outcome = await execute_tool(call, tool, ToolContext(ctx, db, data, key), spec.tools)
    outcome = cut_result(outcome, ctx.limits.tool_result_tokens)
    _emit_outcome(call, outcome, ctx)
    ctx.journal.record_tool_call(
        ToolCallRecord(
            tool_call_id=call["id"],
            index=index,
            name=call["name"],
            effect=tool.effect if tool else "read",
            status="failed" if outcome.is_error else "succeeded",
            arguments=call["arguments"],
            duration_ms=round((time.perf_counter() - began) * 1000),
            idempotency_key=key,
        )
    )
    return outcome


def _emit_outcome(call: FunctionCall, outcome: ToolOutcome, ctx: RequestContext) -> None:
    said: dict[str, Any] = {"id": call["id"], "name": call["name"]}
    if outcome.is_error:
        ctx.emit("tool_error", {**said, "error": describe_error(outcome.result)})
    else:
        ctx.emit("tool_result", {**said, "result": outcome.result})
