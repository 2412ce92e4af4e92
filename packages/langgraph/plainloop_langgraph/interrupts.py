"""Approvals as interrupts: the shape of LangChain's `HumanInTheLoopMiddleware`, and its answers.

What a run asks at once is one interrupt, by the id of its first question; the questions stand in
the order of their ids, in the stream as in the state, so that decisions in a row find their calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from plainloop.agent.base.text.foreign_json import as_object, list_objects
from plainloop.agent.errors import ConflictError, InputError
from plainloop.agent.store.approvals import choose_pending
from plainloop.agent.store.records import Approval

FORMS: Final = 'true, false, {"decisions": [{"type": "approve"}]} or [{"type": "accept"}]'
_YES: Final = ("approve", "accept")
_NO: Final = ("reject", "ignore", "response")


class Question(NamedTuple):
    """One tool call that waits for a person's approval."""

    approval_id: str
    name: str
    arguments: dict[str, Any]
    text: str


class Decision(NamedTuple):
    """An approval or refusal of one question; reason: of a refusal, for the model."""

    is_approved: bool
    reason: str = ""


def to_interrupt(asked: Sequence[Question], interrupt_id: str | None = None) -> dict[str, Any]:
    """Build LangGraph's interrupt from a run's pending questions.

    interrupt_id: default is the id of the first question.
    """
    questions = sorted(asked)
    decisions = ["approve", "reject"]
    return {
        "id": interrupt_id or questions[0].approval_id,
        "value": {
            "action_requests": [
                {"name": item.name, "args": item.arguments, "description": item.text}
                for item in questions
            ],
            "review_configs": [
                {"action_name": name, "allowed_decisions": decisions}
                for name in dict.fromkeys(item.name for item in questions)
            ],
        },
    }


def list_rounds(asked: Sequence[Approval]) -> list[list[Approval]]:
    """Group a run's approvals by when they were requested, the oldest group first."""
    rounds: dict[Any, list[Approval]] = {}
    for item in sorted(asked, key=lambda item: (item.created_at, item.approval_id)):
        rounds.setdefault(item.created_at, []).append(item)
    return [*rounds.values()]


def find_interrupt(asked: Sequence[Approval]) -> dict[str, Any] | None:
    """Return the run's newest pending approvals as one interrupt of LangGraph.

    None without any.
    """
    for one in list_rounds(asked)[-1:]:
        pending = [
            Question(item.approval_id, item.tool_name, item.arguments, item.question)
            for item in one
            if item.status == "pending"
        ]
        if pending:
            return to_interrupt(pending, one[0].approval_id)
    return None


def read_resume(
    resume: Any, asked: Sequence[Approval], *, is_named: bool
) -> list[tuple[Approval, Decision]]:
    """Parse `command.resume` to decisions on pending approvals.

    asked: all approvals of the run. is_named: the request names the state that it was shown.

    Raises: ConflictError where nothing waits, or where it may have been meant for an earlier
    question; InputError for an answer that is none.
    """
    rounds = list_rounds(asked)
    if not rounds:
        raise ConflictError(
            "the run has no pending interrupt",
            hint="It was answered or has expired; read the thread's state.",
            code="NO_INTERRUPT",
        )
    by_id = {one[0].approval_id: one for one in rounds}
    told = as_object(resume)
    if len(told) == 1 and (name := next(iter(told))) in by_id:
        chosen, resume = by_id[name], told[name]
    else:
        chosen = rounds[-1]
        if not is_named:
            choose_pending(asked)
    # Sent again, it meets what it has decided: the same once more changes nothing.
    waiting = [item for item in chosen if item.status == "pending"] or chosen
    return list(zip(waiting, _read_decisions(resume, waiting), strict=True))


def _read_decisions(resume: Any, waiting: Sequence[Approval]) -> list[Decision]:
    if isinstance(resume, bool):
        return [Decision(resume)] * len(waiting)
    told = list_objects(as_object(resume).get("decisions") or resume)
    if not told and isinstance(resume, dict):
        told = [as_object(resume)]
    if len(told) != len(waiting):
        raise InputError(
            f"{len(waiting)} calls are waiting for a decision, but {len(told)} decisions were sent",
            hint=f"Send {FORMS}, with one decision for each pending call, in their order.",
        )
    return [_read_decision(*pair) for pair in zip(told, waiting, strict=True)]


def _read_decision(told: dict[str, Any], item: Approval) -> Decision:
    kind, given = told.get("type"), as_object(told.get("args")).get("args")
    if kind in _YES and (not told.get("args") or given == item.arguments):
        return Decision(True)
    if kind in _NO:
        reason = told.get("message") or told.get("args")
        return Decision(False, reason if isinstance(reason, str) else "")
    if kind in ("edit", *_YES):
        raise InputError(
            "the arguments of a call cannot be changed",
            hint="Reject the call and describe what to do instead.",
        )
    raise InputError("the answer to the interrupt has the wrong shape", hint=f"Send {FORMS}.")
