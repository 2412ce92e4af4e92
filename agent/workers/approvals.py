"""Finds tool calls that need a person's approval, and loads the decisions."""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
import orjson

from ..base.ids import make_id
from ..base.messages.contents import get_turn
from ..base.text.cleaning import clean_text
from ..base.text.links import disarm_text
from ..base.time.work_time import WorkLimit
from ..core.context import RequestContext
from ..core.journal import RunSuspended
from ..core.state import AgentState
from ..core.taint import make_link_filter
from ..core.tools import UNKNOWN, Tool, ToolContext, ToolOutcome
from ..events import ApprovalDecision
from ..provenance.refusals import make_refusal
from ..provenance.rule import Judged
from ..store.approvals import hash_arguments
from ..store.records import Approval, ApprovalRequest, ToolCallRecord
from ..types import FunctionCall, Message

logger = logging.getLogger(__name__)


def find_approval_reason(
    call: FunctionCall, tool: Tool, judged: Judged, messages: Sequence[Message]
) -> str | None:
    """Return why a tool call needs a person's approval; None if it needs none.

    Its tool's declaration says so; or what the model has read may have talked it into the call
    (`core/taint.py`); or an earlier call of the same tool in this turn has an unknown outcome: to
    repeat that is for the user to decide.
    """
    if tool.is_client:
        return "the client executes this tool"
    if tool.needs_approval:
        return "this tool always needs approval"
    if judged.verdict == "asks":
        return judged.reason
    if tool.effect == "external" and _was_cut_off(tool, messages):
        return "the outcome of an earlier call is unknown"
    return None


def _was_cut_off(tool: Tool, messages: Sequence[Message]) -> bool:
    return any(
        part["type"] == "tool_result" and part["name"] == tool.name and is_unknown(part["result"])
        for message in get_turn(messages)
        for part in message["parts"]
    )


def is_unknown(result: Any) -> bool:
    """Whether a tool's result says that the call may or may not have had its effect."""
    return isinstance(result, dict) and cast(dict[str, Any], result).get("status") == UNKNOWN


async def load_decisions(
    asking: Sequence[tuple[FunctionCall, Judged]],
    records: Sequence[ToolCallRecord],
    state: AgentState,
    ctx: RequestContext,
) -> dict[str, Approval]:
    """Load the decisions on these calls by call id, or suspend the run to request them.
    records: one for each call.

    Raises: RunSuspended when one is undecided: the run waits now, and asks where nobody was asked.
    """
    if not asking:
        return {}
    stored = await ctx.store.queue.load_approvals(ctx.run)
    # Clients show a question as they show an answer.
    links = make_link_filter(state["messages"], ctx.prompt_context, ctx.tools, note="")
    new = [
        ApprovalRequest(
            make_id(),
            call,
            await disarm_text(
                await word_question(call, state["data"], ctx) + judged.word_outside(), links
            ),
            is_client=(tool := ctx.tools.get(call["name"])) is not None and tool.is_client,
        )
        for call, judged in asking
        if call["id"] not in stored
    ]
    answered = {call_id for call_id, item in stored.items() if item.status != "pending"}
    waiting = [record for record in records if record.tool_call_id not in answered]
    if waiting:
        await ctx.journal.suspend(new, waiting, ctx.limits.approval_s)
        raise RunSuspended
    decisions = {call["id"]: stored[call["id"]] for call, _ in asking}
    for call, _ in asking:
        if decisions[call["id"]].arguments_hash != hash_arguments(call):
            raise ValueError(
                f"the arguments of the call {call['id']} have changed since its approval: send a "
                "new message to have the call made again"
            )
    for call_id, item in ((key, each) for key, each in decisions.items() if not each.is_client):
        notice: ApprovalDecision = {
            "approval_id": item.approval_id,
            "id": call_id,
            "status": item.status,
        }
        ctx.emit({"event": "approval_decision", "data": notice})
    return decisions


async def word_question(call: FunctionCall, data: Mapping[str, Any], ctx: RequestContext) -> str:
    """Return an approval request's question: the tool's own text, else its name and arguments."""
    tool = ctx.tools.get(call["name"])
    if tool is not None and tool.ask is not None:
        context = ToolContext(ctx, ctx.store.read(ctx.tenant_id), copy.deepcopy(data), "")
        try:
            async with WorkLimit(ctx.limits.tool_timeout_s):
                question = await tool.ask(context, **tool.read_arguments(call["arguments"]))
            if words := " ".join(clean_text(question).split()):
                return words
        except Exception:
            logger.exception("question_failed", extra={"tool": tool.name})
    return f"{call['name']} {orjson.dumps(call['arguments']).decode()}"


def is_well_formed(call: FunctionCall, tool: Tool, allowed: tuple[str, ...]) -> bool:
    """Whether a call could be executed once approved: an allowed tool and valid arguments."""
    if call["name"] not in allowed or "invalid_arguments" in call or call.get("is_cut"):
        return False
    try:
        tool.read_arguments(call["arguments"])
    except msgspec.ValidationError:
        return False
    return True


def refuse(approval: Approval) -> ToolOutcome:
    """Build the error outcome of a call that a person did not approve, with any reason."""
    return ToolOutcome(make_refusal(approval.status, approval.reason), is_error=True)
