"""What helpers ask a person is asked in their caller's conversation, and decided there.

    helper's run waits ──► the same question, of its caller ──► the caller's run waits
    caller goes on ──► the decision is the helper's own ──► the helper's run goes on

An approval of the caller has the id that follows that of the helper's: so each decides one.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from ...base.ids import get_question_code
from ...core.context import RequestContext
from ...core.journal import RunParked
from ...events import ApprovalDecision
from ...store.approvals import consume_approval, decide_approval, list_approvals
from ...store.helper_runs import HelperRun
from ...store.records import Approval, ApprovalRequest, ToolCallRecord
from ...store.store import Store
from ...types import FunctionCall


async def pass_decisions(store: Store, ctx: RequestContext, helper: HelperRun) -> list[Approval]:
    """Decide for the helper what was decided of its questions; those that are open."""
    assert helper.run_id is not None
    decided: list[Approval] = []
    is_open: list[Approval] = []
    async with store.transaction(ctx.tenant_id) as tx:
        own = {item.approval_id: item for item in await list_approvals(tx, ctx.run.run_id)}
        for asked in await list_approvals(tx, helper.run_id):
            told = own.get(make_next_id(asked.approval_id))
            if asked.status != "pending":
                continue
            if told is None or told.status == "pending":
                is_open.append(asked)
            elif told.status in ("approved", "denied"):
                await decide_approval(
                    *(tx, ctx.user_id, helper.run_id, asked.approval_id),
                    told.status == "approved",
                    *(told.decided_by or ctx.user_id, told.reason or "", told.answer),
                )
                await consume_approval(tx, ctx.run.run_id, _to_call(told))
                decided.append(told)
    for item in decided:
        data: ApprovalDecision = {
            "approval_id": item.approval_id,
            "id": item.tool_call_id,
            "status": item.status,
        }
        ctx.emit({"event": "approval_decision", "data": data})
    return is_open


async def ask_for_helpers(
    waiting: Sequence[tuple[ToolCallRecord, HelperRun, Sequence[Approval]]],
    store: Store,
    ctx: RequestContext,
) -> None:
    """Let the caller wait for what its helpers wait for. Raises: RunParked, always."""
    known = await list_approvals(store.read(ctx.tenant_id), ctx.run.run_id)
    ids, calls = ({i.approval_id for i in known}, {i.tool_call_id for i in known})
    new: list[ApprovalRequest] = []
    for record, helper, questions in waiting:
        for asked in questions:
            approval_id = make_next_id(asked.approval_id)
            if approval_id in ids:
                continue
            is_first = record.tool_call_id not in calls
            code = get_question_code(approval_id)
            call_id = record.tool_call_id if is_first else f"{record.tool_call_id}.{code}"
            calls.add(call_id)
            arguments = {
                "helper": helper.worker,
                "tool": asked.tool_name,
                "arguments": asked.arguments,
            }
            call: FunctionCall = {
                "type": "tool_call",
                "id": call_id,
                "name": record.name,
                "arguments": arguments,
            }
            new.append(ApprovalRequest(approval_id, call, f"{asked.question} ({helper.worker})"))
            ctx.journal.note(f"{helper.worker} asks for approval: {asked.tool_name}")
    records = [record for record, _, _ in waiting]
    await ctx.journal.park(new, records, ctx.limits.approval_s)
    raise RunParked


def make_next_id(approval_id: str) -> str:
    """
    >>> make_next_id("0197a0b1-93c2-7e11-8a9b-3c5d7e9f0a1b")
    '0197a0b1-93c2-7e11-8a9b-3c5d7e9f0a1c'
    """
    return str(uuid.UUID(int=uuid.UUID(approval_id).int + 1))


def _to_call(asked: Approval) -> FunctionCall:
    return {
        "type": "tool_call",
        "id": asked.tool_call_id,
        "name": asked.tool_name,
        "arguments": asked.arguments,
    }
