"""Shows approval requests of helpers in their caller's conversation, and passes decisions on.

    helper's run waits ──► the same question, of its caller ──► the caller's run waits
    caller goes on ──► the decision is the helper's own ──► the helper's run goes on

An approval of the caller has the id that follows that of the helper's: so each decides one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.ids import get_question_code
from ...core.context import RequestContext
from ...core.journal import RunSuspended
from ...events import ApprovalDecision
from ...store.approvals import consume_approval, decide_approval, list_approvals, make_next_id
from ...store.helper_runs import HelperRun
from ...store.records import Approval, ApprovalRequest, ToolCallRecord
from ...store.store import Store
from ...types import FunctionCall


async def pass_decisions(store: Store, ctx: RequestContext, run_id: str) -> list[Approval]:
    """Copy the user's decisions to a helper's run; return the approvals that are still pending."""
    decided: list[Approval] = []
    is_open: list[Approval] = []
    async with store.transaction(ctx.tenant_id) as tx:
        own = {item.approval_id: item for item in await list_approvals(tx, ctx.run.run_id)}
        pending = [i for i in await list_approvals(tx, run_id) if i.status == "pending"]
        # In one transaction: a decision is stored for the helper and used up for the caller, or
        # neither.
        for question in pending:
            answered = own.get(make_next_id(question.approval_id))
            if answered is None or answered.status == "pending":
                is_open.append(question)
            elif answered.status in ("approved", "denied"):
                is_approved, by = answered.status == "approved", answered.decided_by or ctx.user_id
                what = (ctx.user_id, run_id, question.approval_id, is_approved, by)
                await decide_approval(tx, *what, answered.reason or "", answered.answer)
                call = make_call(answered.tool_call_id, answered.tool_name, answered.arguments)
                await consume_approval(tx, ctx.run.run_id, call)
                decided.append(answered)
    for item in decided:
        call_id, status = item.tool_call_id, item.status
        data: ApprovalDecision = {"approval_id": item.approval_id, "id": call_id, "status": status}
        ctx.emit({"event": "approval_decision", "data": data})
    return is_open


async def ask_for_helpers(
    waiting: Sequence[tuple[FunctionCall, HelperRun, Sequence[Approval]]],
    store: Store,
    ctx: RequestContext,
) -> None:
    """Suspend a run until its helpers' approvals are decided. Raises: RunSuspended, always."""
    known = await list_approvals(store.read(ctx.tenant_id), ctx.run.run_id)
    ids, calls = ({i.approval_id for i in known}, {i.tool_call_id for i in known})
    new: list[ApprovalRequest] = []
    records: list[ToolCallRecord] = []
    for index, (call, helper, questions) in enumerate(waiting):
        key = f"{ctx.run.run_id}:{ctx.journal.step}:{call['id']}"
        made = (call["id"], index, call["name"], "read", "approval", call["arguments"], 0, key)
        records.append(ToolCallRecord(*made))
        for question in questions:
            if (approval_id := make_next_id(question.approval_id)) in ids:
                continue
            # A call has one approval: the first is its own, others are known by their codes.
            code = get_question_code(approval_id)
            call_id = f"{call['id']}.{code}" if call["id"] in calls else call["id"]
            calls.add(call_id)
            described: dict[str, Any] = {"helper": helper.worker, "tool": question.tool_name}
            described["arguments"] = question.arguments
            # Of a helper's own helper: it says so already.
            described = (
                question.arguments if question.arguments.keys() == described.keys() else described
            )
            shown = make_call(call_id, call["name"], described)
            new.append(
                ApprovalRequest(approval_id, shown, f"{question.question} ({helper.worker})")
            )
            ctx.journal.note(f"{helper.worker} requests approval: {question.tool_name}")
    await ctx.journal.suspend(new, records, ctx.limits.approval_s)
    raise RunSuspended


def make_call(call_id: str, name: str, arguments: dict[str, Any]) -> FunctionCall:
    """Build a tool call part from its fields, so that an approval can be bound to it."""
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}
