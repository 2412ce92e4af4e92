"""Approvals: a person's decision on one tool call. Statements over an open transaction."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson

from ..base.ids import get_question_code
from ..base.text.cleaning import clean_text
from ..errors import ConflictError, InputError, NotFoundError
from ..types import FunctionCall
from .database import Queryable, parse_id
from .records import Approval, ApprovalRequest, Run
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "approvals.sql")
MAX_DENIAL_CHARS: Final = 1_000


def hash_arguments(call: FunctionCall) -> str:
    """Return a hash of a tool call's name and arguments, to which an approval is bound.
    An approval is bound to it: a call with other arguments needs another approval.
    """
    bound = [call["name"], call["arguments"]]
    return hashlib.sha256(orjson.dumps(bound, option=orjson.OPT_SORT_KEYS)).hexdigest()


async def insert_approvals(
    tx: Queryable, run: Run, asked: Sequence[ApprovalRequest], expire_s: float
) -> None:
    """Store the approval requests and client tool calls for which a run was suspended."""
    rows: list[dict[str, Any]] = [
        {
            "approval_id": item.approval_id,
            "tool_call_id": item.call["id"],
            "tool_name": item.call["name"],
            "arguments": item.call["arguments"],
            "arguments_hash": hash_arguments(item.call),
            "question": item.question,
            "is_client": item.is_client,
        }
        for item in asked
    ]
    whose = (run.tenant_id, run.run_id, run.thread_id, run.user_id)
    await tx.execute(SQL["insert_approvals"], *whose, expire_s, rows)


async def list_approvals(tx: Queryable, run_id: str) -> list[Approval]:
    """List a run's approval requests with their decisions, oldest first."""
    found = await tx.fetch(SQL["list_approvals"], tx.tenant_id, parse_id(run_id, "run"))
    return [Approval(**row) for row in found]


async def find_approvals(tx: Queryable, user_id: str, codes: Sequence[str]) -> list[Approval]:
    """Find the user's approval requests by their question codes, oldest first.
    codes: as `get_question_code` makes them of an approval's id.
    """
    found = await tx.fetch(SQL["find_approvals"], tx.tenant_id, user_id, list(codes))
    return [Approval(**row) for row in found]


def choose_pending(listed: Sequence[Approval]) -> list[Approval]:
    """Choose the pending approvals that a mere yes or no, without a code, decides.
    They are all pending ones, if there was only one round of questions. listed: all approvals of a
    run.

    Raises: ConflictError QUESTION_UNNAMED where it may have been meant for an earlier question.
    """
    pending = [item for item in listed if item.status == "pending"]
    # `now()` is the transaction's time: all rows of one insert have the same
    # (test_an_unnamed_decision_applies_to_the_only_pending_round).
    if len({item.created_at for item in listed}) < 2:  # one round is one statement
        return pending
    raise ConflictError(
        f"several approvals are pending: {word_pending(pending)}",
        hint="Approve or deny each of them by its id.",
        code="QUESTION_UNNAMED",
    )


def word_pending(pending: Sequence[Approval]) -> str:
    """Describe pending approvals in text, such as `Delete #1? (3c5d7e9f0a1b)`.
    Returns `nothing` without any.
    """
    told = [f"{item.question} ({get_question_code(item.approval_id)})" for item in pending]
    return "; ".join(told) or "nothing"


async def list_inbox(
    tx: Queryable, user_id: str | None, limit: int, *, is_decided: bool = False
) -> list[Approval]:
    """List the pending approval requests of a user or tenant, soonest to expire first.
    is_decided: those no longer pending, newest first. user_id: their owner; None: all of the
    tenant.
    """
    name = "list_decided" if is_decided else "list_pending"
    found = await tx.fetch(SQL[name], tx.tenant_id, user_id, limit)
    return [Approval(**row) for row in found]


async def decide_approval(
    tx: Queryable,
    user_id: str,
    run_id: str,
    approval_id: str,
    approve: bool,
    decided_by: str,
    reason: str = "",
    content: dict[str, Any] | None = None,
) -> Approval:
    """Record a user's decision on one approval.

    The run resumes once all of its approvals are decided.
    reason: why it is denied; the model reads it. content: of the form that was asked for.

    Raises: NotFoundError; InputError for a reason of an approval; ConflictError APPROVAL_EXPIRED or
    APPROVAL_DECIDED (the other way).
    """
    run_id, approval_id = parse_id(run_id, "run"), parse_id(approval_id, "approval")
    said = clean_text(reason).strip()
    if said and approve:
        raise InputError(
            "a reason can be sent only with a denial", hint="Write the reason as a message instead."
        )
    if len(said) > MAX_DENIAL_CHARS:
        raise InputError(
            f"the reason is longer than {MAX_DENIAL_CHARS:,} characters",
            hint="Shorten it, or send the rest as a message.",
        )
    status = "approved" if approve else "denied"
    # A denial stores no form (test_a_denial_keeps_its_reason_and_no_form).
    row = (status, decided_by, said or None, content if approve else None)
    # Updated first, and read only to say why nothing changed: read first, two decisions at once
    # would both find the approval pending.
    changed = await tx.execute(
        SQL["decide_approval"], tx.tenant_id, user_id, run_id, approval_id, *row
    )
    approval = next(
        (
            item
            for item in await list_approvals(tx, run_id)
            if item.approval_id == approval_id and item.user_id == user_id
        ),
        None,
    )
    if approval is None:
        raise NotFoundError(
            f"no such approval: {approval_id}",
            hint="The run's list of approvals shows the pending ones.",
        )
    if changed:
        await tx.execute(SQL["wake_run"], tx.tenant_id, run_id)
        # Of a helper's run: decided in its callers' conversations as well, where it was asked.
        place = (make_next_id(approval_id), run_id)
        while caller := await tx.fetchval(SQL["decide_above"], tx.tenant_id, *place, *row):
            await tx.execute(SQL["wake_run"], tx.tenant_id, caller)
            place = (make_next_id(place[0]), caller)
    elif approval.status == "expired":
        raise ConflictError(
            "the approval request has expired",
            hint="Send a new message to have the call made again.",
            code="APPROVAL_EXPIRED",
        )
    elif (approval.status == "denied") == approve:
        raise ConflictError(
            f"this approval was already decided: {approval.status}",
            hint="Decisions are final; send a new message to have the call made again.",
            code="APPROVAL_DECIDED",
        )
    return approval


class Decided(NamedTuple):
    """A person's decision on the approval `approval_id`; fields as in `decide_approval`."""

    approval_id: str
    approve: bool
    reason: str = ""
    content: dict[str, Any] | None = None


def make_next_id(approval_id: str) -> str:
    """Derive the id for the copy of a helper's approval in its caller's thread.
    A helper's question is shown in its caller's thread too, under the helper's id plus one.

    >>> make_next_id("0197a0b1-93c2-7e11-8a9b-3c5d7e9f0a1b")
    '0197a0b1-93c2-7e11-8a9b-3c5d7e9f0a1c'
    """
    return str(uuid.UUID(int=uuid.UUID(approval_id).int + 1))


async def decide_approvals(
    tx: Queryable, user_id: str, run_id: str, decisions: Sequence[Decided], decided_by: str
) -> list[Approval]:
    """Record a user's decisions on several approvals of a run: all of them or none.
    Returns the approvals as they are then. Raises: as `decide_approval`.
    """
    for item in sorted(decisions):  # in one order, so that two requests at once lock no crosswise
        decision = (item.approval_id, item.approve, decided_by, item.reason, item.content)
        await decide_approval(tx, user_id, run_id, *decision)
    named = {parse_id(item.approval_id, "approval") for item in decisions}
    return [item for item in await list_approvals(tx, run_id) if item.approval_id in named]


async def answer_client_call(
    tx: Queryable, user_id: str, run_id: str, tool_call_id: str, answer: dict[str, Any]
) -> None:
    """Store the result of a tool call that the client executed, and let the run resume.
    The same answer again changes nothing.

    Raises: NotFoundError; ConflictError APPROVAL_EXPIRED or CALL_ANSWERED (with another result).
    """
    run_id = parse_id(run_id, "run")
    key = (tx.tenant_id, user_id, run_id, tool_call_id)
    if await tx.execute(SQL["answer_client_call"], *key, answer):
        await tx.execute(SQL["wake_run"], tx.tenant_id, run_id)
        return
    # Clients that send their whole history send a result again with each request
    # (test_a_client_calls_result_is_final_and_can_be_repeated).
    for item in await list_approvals(tx, run_id):
        if item.is_client and (item.tool_call_id, item.user_id) == (tool_call_id, user_id):
            if item.status == "expired":
                raise ConflictError(
                    "the call has expired",
                    hint="Send a new message to have the call made again.",
                    code="APPROVAL_EXPIRED",
                )
            if item.answer != answer:
                raise ConflictError(
                    "the call already has a result",
                    hint="Nothing is left to do: the run continues with that result.",
                    code="CALL_ANSWERED",
                )
            return
    raise NotFoundError(
        f"no such call: {tool_call_id[:80]}",
        hint="Use the id of a call that the run is waiting for.",
    )


async def consume_approval(tx: Queryable, run_id: str, call: FunctionCall) -> bool:
    """Use up the approval of exactly this tool call; return whether there was one."""
    bound = (call["id"], call["name"], hash_arguments(call))
    return await tx.execute(SQL["consume_approval"], tx.tenant_id, run_id, *bound) > 0
