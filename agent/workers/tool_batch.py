"""One assistant message's tool calls, run together; results keep the calls' order.

Reads and external calls run at once; writes run after them, one by one, inside the step's
transaction, so that effect and record commit together. A worker that takes one call at a time
has them run in the order in which they were asked for, each seeing what the one before set.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from ..base.tokens.estimate import estimate_json_tokens
from ..core.context import RequestContext
from ..core.results import cut_result
from ..core.spec import WorkerSpec
from ..core.state import AgentState
from ..core.taint import Guard
from ..core.tools import (
    Tool,
    ToolContext,
    ToolOutcome,
    describe_error,
    execute_tool,
    make_unknown,
    to_function_response,
)
from ..dataclasses import asdict, dataclass, field, replace
from ..errors import StoreError
from ..events import Foreign, ToolFailed, ToolResult, ToolStart
from ..provenance.refusals import REFUSALS
from ..provenance.rule import Judged
from ..store.approvals import consume_approval
from ..store.connecting.queryable import Queryable
from ..store.records import Approval, ToolCallRecord, ToolCallStatus
from ..types import FunctionCall, FunctionResponse, Message
from .approvals import find_approval_reason, is_well_formed, load_decisions, refuse


@dataclass(slots=True)
class _Batch:
    """The tool calls of one message during their execution."""

    calls: list[FunctionCall]
    tools: list[Tool | None]
    spec: WorkerSpec
    data: dict[str, Any]
    ctx: RequestContext
    decisions: dict[str, Approval]  # by call, of those that a person must agree to
    begun: dict[str, dict[str, Any] | None]  # external calls that an earlier owner had begun
    is_tainted: bool  # the model has read text from outside
    outcomes: dict[int, ToolOutcome] = field(default_factory=dict[int, ToolOutcome])
    failures: list[StoreError] = field(default_factory=list[StoreError])

    def make_record(
        self, index: int, status: ToolCallStatus, duration_ms: int = 0, receipt: Any = None
    ) -> ToolCallRecord:
        call, tool = self.calls[index], self.tools[index]
        return ToolCallRecord(
            tool_call_id=call["id"],
            index=index,
            name=call["name"],
            effect=tool.effect if tool else "read",
            status=status,
            arguments=call["arguments"],
            duration_ms=duration_ms,
            idempotency_key=f"{self.ctx.run.run_id}:{self.ctx.journal.step}:{call['id']}",
            receipt=receipt or {},
            started_at=datetime.now(UTC) - timedelta(milliseconds=duration_ms),
        )


async def run_tool_batch(
    calls: list[FunctionCall], spec: WorkerSpec, state: AgentState, ctx: RequestContext
) -> tuple[Message, dict[str, Any]]:
    """Execute tool calls; return the message with their results, and the changed `data`.

    One call failing never stops its siblings, and sets nothing.

    Raises: RunSuspended, before any call is made, when a person must decide about one first.
    """
    batch = await _prepare(calls, spec, state, ctx)
    at_once = asyncio.Semaphore(ctx.limits.parallel_tool_calls)

    async def run_early(index: int) -> None:
        async with at_once:
            await _run_one(batch, index)

    early = [
        index
        for index, tool in enumerate(batch.tools)
        if spec.parallel_tools and len(calls) > 1 and not (tool and tool.effect == "write")
    ]
    if early:
        async with asyncio.TaskGroup() as group:
            for index in early:
                group.create_task(run_early(index))
    for index in range(len(calls)):
        if index not in early and not batch.failures:
            await _run_one(batch, index)
    if batch.failures:
        raise batch.failures[0]
    parts = [_to_part(batch, index) for index in range(len(calls))]
    return {"role": "tool", "parts": list(parts)}, _merge_data(batch.outcomes)


async def _prepare(
    calls: list[FunctionCall], spec: WorkerSpec, state: AgentState, ctx: RequestContext
) -> _Batch:
    """What was decided and begun before; nothing is called yet."""
    run, step = ctx.run, ctx.journal.step
    begun = await ctx.store.queue.load_begun_calls(run, step) if run.is_resumed else {}
    tools = [ctx.tools.get(call["name"]) for call in calls]
    guard = Guard(state["messages"], ctx.prompt_context, ctx.tools)
    batch = _Batch(calls, tools, spec, state["data"], ctx, {}, begun, guard.is_tainted)
    asking: dict[int, Judged] = {}
    allowed = ctx.tools.allow(spec.tools)
    for index, (call, tool) in enumerate(zip(calls, tools, strict=True)):
        if tool is None or call["id"] in begun or not is_well_formed(call, tool, allowed):
            continue
        judged = await guard.judge_in_thread(call, tool)
        reason = find_approval_reason(call, tool, judged, state["messages"])
        if reason is not None:
            asking[index] = judged
            ctx.journal.note(f"{tool.name} needs approval: {reason}")
        elif judged.verdict == "marked":
            ctx.journal.note(f"{tool.name} continues after text from outside: {judged.reason}")
        if judged.traced:
            ctx.journal.note(f"arguments of {tool.name}: {judged.describe()}")
    if asking:
        records = [batch.make_record(index, "approval") for index in asking]
        judgements = [(calls[index], judged) for index, judged in asking.items()]
        batch.decisions = await load_decisions(judgements, records, state, ctx)
    return batch


async def _run_one(batch: _Batch, index: int) -> None:
    """Run one call from its start event to its outcome.
    Failures of the store are raised at the end: they undo the step, and siblings in someone else's
    system are better finished than cut.
    """
    call, tool, ctx = batch.calls[index], batch.tools[index], batch.ctx
    started: ToolStart = {"id": call["id"], "name": call["name"], "arguments": call["arguments"]}
    foreign: Foreign = {"source": tool.source} if tool and tool.source != "local" else {}
    ctx.emit({"event": "tool_start", "data": {**started, **foreign}})
    began = time.perf_counter()
    try:
        outcome = await _choose_way(batch, index)(batch, index)
    except StoreError as error:
        batch.failures.append(error)
        return
    batch.outcomes[index] = outcome
    _emit_outcome(call, outcome, foreign, ctx)
    status = _choose_status(outcome, batch.decisions.get(call["id"]))
    took_ms = int((time.perf_counter() - began) * 1000)  # not more: it begins within its step
    ctx.journal.record_tool_call(batch.make_record(index, status, took_ms, outcome.receipt))


def _choose_way(batch: _Batch, index: int) -> Callable[[_Batch, int], Awaitable[ToolOutcome]]:
    tool, approval = batch.tools[index], batch.decisions.get(batch.calls[index]["id"])
    if approval is not None and approval.status != "approved":
        return _refuse
    if tool is not None and tool.is_client and approval is not None:
        return _take_answer
    if tool is not None and tool.effect == "write":
        return _run_write
    if tool is not None and tool.effect == "external":
        return _run_external
    return _run_read


async def _refuse(batch: _Batch, index: int) -> ToolOutcome:
    return refuse(batch.decisions[batch.calls[index]["id"]])


async def _take_answer(batch: _Batch, index: int) -> ToolOutcome:
    """Return the client's result for its own tool as an outcome."""
    answer = batch.decisions[batch.calls[index]["id"]].answer or {}
    outcome = ToolOutcome(answer.get("result"), bool(answer.get("is_error")))
    return cut_result(outcome, batch.ctx.limits.tool_result_tokens)


def _to_part(batch: _Batch, index: int) -> FunctionResponse:
    """Return a call's result; a client's own result is marked as untrusted."""
    call, tool = batch.calls[index], batch.tools[index]
    part = to_function_response(call, batch.outcomes[index])
    is_answered = tool is not None and tool.is_client and call["id"] in batch.decisions
    return {**part, "is_untrusted": True} if is_answered else part


async def _run_read(batch: _Batch, index: int) -> ToolOutcome:
    ctx = batch.ctx
    if batch.calls[index]["id"] in batch.decisions:
        async with ctx.store.transaction(ctx.tenant_id) as tx:
            is_allowed = await _use_approval(batch, index, tx)
        if not is_allowed:
            return await _refuse(batch, index)
    return await _execute(batch, index, ctx.store.read(ctx.tenant_id))


async def _run_write(batch: _Batch, index: int) -> ToolOutcome:
    """Run a write, whose failure undoes only itself.
    Its approval is used up in the same transaction, so that a step that is done again finds it.
    """
    try:
        async with batch.ctx.journal.undoable() as transaction:
            if not await _use_approval(batch, index, transaction):
                return await _refuse(batch, index)
            outcome = await _execute(batch, index, transaction)
            if outcome.is_error:
                raise _Undone(outcome)
            return outcome
    except _Undone as undone:
        return undone.outcome


async def _use_approval(batch: _Batch, index: int, tx: Queryable) -> bool:
    """Whether the call may be made; what allowed it cannot be used again."""
    call = batch.calls[index]
    approval = batch.decisions.get(call["id"])
    if approval is None or await consume_approval(tx, batch.ctx.run.run_id, call):
        return True
    batch.decisions[call["id"]] = replace(approval, status="consumed")
    return False


class _Undone(Exception):
    """Raised to roll back to the savepoint; contains the outcome to return to the model."""

    def __init__(self, outcome: ToolOutcome) -> None:
        self.outcome = outcome


async def _run_external(batch: _Batch, index: int) -> ToolOutcome:
    """Run an external call; commit its start before it and its outcome right after.

    One that an earlier owner had begun is repeated only with its key.
    """
    call, tool, ctx = batch.calls[index], batch.tools[index], batch.ctx
    if call["id"] in batch.begun:
        known = batch.begun[call["id"]]
        if known is not None:
            return ToolOutcome(**known)
        if tool is None or not tool.is_keyed:
            return make_unknown("the process was interrupted during this call")
    approved = call if call["id"] in batch.decisions else None
    record = batch.make_record(index, "started")
    if not await ctx.store.queue.record_tool_start(ctx.run, ctx.journal.step, record, approved):
        batch.decisions[call["id"]] = replace(batch.decisions[call["id"]], status="consumed")
        return await _refuse(batch, index)
    outcome = await _execute(batch, index, ctx.store.read(ctx.tenant_id))
    await ctx.store.queue.record_tool_end(
        ctx.run, call["id"], _choose_status(outcome), asdict(outcome)
    )
    return outcome


async def _execute(batch: _Batch, index: int, db: Queryable) -> ToolOutcome:
    """Execute a call, and cut its result to the token budget."""
    ctx = batch.ctx
    # A copy: a tool that changes what it was given changes no state.
    seen = copy.deepcopy({**batch.data, **_merge_data(batch.outcomes)})
    key = batch.make_record(index, "started").idempotency_key
    context = ToolContext(ctx, db, seen, key, batch.is_tainted)
    outcome = await execute_tool(
        batch.calls[index], batch.tools[index], context, ctx.tools.list_effects(batch.spec.tools)
    )
    short = cut_result(outcome, ctx.limits.tool_result_tokens)
    if short is not outcome:
        size = estimate_json_tokens(outcome.result) - estimate_json_tokens(short.result)
        ctx.journal.avoid("results", f"a result of {batch.calls[index]['name']} cut to fit", size)
    return short


def _choose_status(outcome: ToolOutcome, approval: Approval | None = None) -> ToolCallStatus:
    if outcome.is_unknown:
        return "unknown"
    if approval is not None and approval.status in REFUSALS:
        return "denied"
    return "failed" if outcome.is_error else "succeeded"


def _merge_data(outcomes: dict[int, ToolOutcome]) -> dict[str, Any]:
    """What the calls so far set, in the calls' order; a failed one sets nothing."""
    done = [outcomes[index] for index in sorted(outcomes)]
    return {k: value for item in done if not item.is_error for k, value in item.data.items()}


def _emit_outcome(
    call: FunctionCall, outcome: ToolOutcome, foreign: Foreign, ctx: RequestContext
) -> None:
    call_id, name = call["id"], call["name"]
    if outcome.is_error:
        text, whole = describe_error(outcome.result), outcome.result
        failed: ToolFailed = {"id": call_id, "name": name, "error": text, "result": whole}
        ctx.emit({"event": "tool_error", "data": {**failed, **foreign}})
    else:
        returned: ToolResult = {"id": call_id, "name": name, "result": outcome.result}
        ctx.emit({"event": "tool_result", "data": {**returned, **foreign}})
