"""Who asks which agent, and runs that go on where they waited: for both of OpenAI's APIs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ....agent.base.messages import get_text
from ....agent.base.text import check_message
from ....agent.core.api import ApiRequest
from ....agent.errors import ConflictError, InputError, NotFoundError
from ....agent.events import Event
from ....agent.store.approvals import find_approvals
from ....agent.store.records import Approval
from ...http.endpoint import AppContext
from ..agents import list_agents
from ..client_tools import make_answer
from .threads import Posted

# Open WebUI asks with one key for all of its users: an admin's key may speak for each.
USER_HEADER: Final = "x-openwebui-user-id"
_MAX_NAME_CHARS: Final = 255


@dataclass(frozen=True, slots=True)
class Started:
    """The run that answers. after: what an earlier answer had told of it; notice: what is said
    before it.
    """

    run_id: str
    thread_id: str
    after: int = 0
    notice: str = ""


def read_model(around: AppContext, request: ApiRequest, model: str) -> str:
    """The design of the agent that the client names as its model.

    Raises: NotFoundError.
    """
    names = {f"{request.pack}/{name}": name for name in list_agents(around)}
    if model in names:
        return names[model]
    raise NotFoundError(
        f"no such model: {model[:80]!r}",
        hint=f"There are: {', '.join(names)}.",
        code="model_not_found",
    )


async def find_by_key(request: ApiRequest, key: str | None, posted: Posted) -> Started | None:
    """The run that the key began, before any thread is looked for: that could begin another.

    Raises: ConflictError for another message.
    """
    if key is None:
        return None
    run = await request.store.load_run_by_key(*request.owner, key)
    if run is None:
        return None
    if posted.is_going_on:  # a decision, or a tool's result: the key is of the message before it
        raise _make_reused()
    stored = await request.store.load_messages(request.tenant_id, run.thread_id)
    asked = [get_text(item) for item in stored if item["role"] == "user"]
    newest = posted.users[-1] if posted.users else ""
    if newest.strip():
        newest = check_message(newest, request.settings.limits.message_chars)
    if newest.strip() not in asked:
        raise _make_reused()
    return Started(run.run_id, run.thread_id)


def _make_reused() -> ConflictError:
    return ConflictError(
        "the idempotency key was used for another request", code="IDEMPOTENCY_REUSED"
    )


async def decide_shown(around: AppContext, request: ApiRequest, posted: Posted) -> Started:
    """Yes or no to what the posted answer had asked, and to nothing that is asked meanwhile. The
    same decision again gives the same answer; one that comes too late shows what is asked now.

    Raises: InputError when nothing is asked there; ConflictError when that was decided otherwise,
    or has expired, and nothing else is asked.
    """
    shown = await find_approvals(request.db, request.user_id, posted.asked)
    if not shown:
        raise InputError("nothing waits for this any more", code="NOTHING_ASKED")
    run_id, thread_id = shown[-1].run_id, shown[-1].thread_id
    closed: list[ConflictError] = []
    for item in shown:
        decision = (item.approval_id, posted.decision is True, request.user_id)
        try:
            await around.runs.decide_approval(*request.owner, item.run_id, *decision)
        except ConflictError as error:
            closed.append(error)
    notice = f"That question is closed ({closed[0].public_message})." if closed else ""
    if len(closed) < len(shown):
        told = await request.store.load_events(request.tenant_id, run_id)
        return Started(run_id, thread_id, find_seqs(told, shown)[-1], notice)
    active = await around.runs.find_active(*request.owner, thread_id)
    asked = await around.runs.list_approvals(*request.owner, active) if active else []
    pending = [item for item in asked if item.status == "pending"]
    if active is None or not pending:
        raise closed[0]
    told = await request.store.load_events(request.tenant_id, active)
    return Started(active, thread_id, find_seqs(told, pending)[0] - 1, notice)


def find_seqs(told: Sequence[Event], asked: Sequence[Approval]) -> list[int]:
    """Find where a run's events ask these questions, in order; [0] when they are not kept."""
    ids = {item.approval_id for item in asked}
    asking = [event for event in told if event["event"] == "approval_request"]
    return [event["seq"] for event in asking if event["data"]["approval_id"] in ids] or [0]


async def answer_calls(
    around: AppContext, request: ApiRequest, thread_id: str, posted: Posted
) -> Started:
    """Hand what the client's tools gave to the run that waits for it. Raises: InputError when
    nothing of it is waited for any more; ConflictError.
    """
    run_id = await around.runs.find_active(*request.owner, thread_id)
    if run_id is None:
        raise InputError("nothing waits for this any more", code="NOTHING_ASKED")
    told = await request.store.load_events(request.tenant_id, run_id)
    seqs = {e["data"]["id"]: e["seq"] for e in told if e["event"] == "tool_request"}
    for call_id, content in posted.answers.items():
        await around.runs.answer_call(*request.owner, run_id, call_id, make_answer(content))
    after = max((seqs.get(call_id, 0) for call_id in posted.answers), default=0)
    return Started(run_id, thread_id, after)


def act_for_user(request: ApiRequest) -> ApiRequest:
    """Return the request as made by the user whom an admin's program names, if it names one.

    Raises: InputError for what is no name.
    """
    name = request.headers.get(USER_HEADER)
    if name is None or not request.is_admin:
        return request
    if not name.strip() or len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise InputError(f"{USER_HEADER} is no user's name")
    return replace(request, user_id=name.strip(), is_admin=False)
