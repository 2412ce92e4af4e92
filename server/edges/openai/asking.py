"""Who asks which agent, and runs that go on where they waited: for both of OpenAI's APIs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ....agent.base.messages import get_text
from ....agent.base.text import check_message
from ....agent.core.api import ApiRequest
from ....agent.errors import ConflictError, InputError, NotFoundError
from ...http.endpoint import Surroundings
from ..agents import list_agents
from ..client_tools import make_answer
from .threads import Posted

# Open WebUI asks with one key for all of its users: an admin's key may speak for each.
USER_HEADER: Final = "x-openwebui-user-id"
_MAX_NAME_CHARS: Final = 255


@dataclass(frozen=True, slots=True)
class Started:
    """The run that answers. after: what an earlier answer had told of it."""

    run_id: str
    thread_id: str
    after: int = 0


def read_model(around: Surroundings, request: ApiRequest, model: str) -> str:
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
    stored = await request.store.load_messages(request.tenant_id, run.thread_id)
    asked = [get_text(item) for item in stored if item["role"] == "user"]
    newest = posted.users[-1] if posted.users else ""
    if newest.strip():
        newest = check_message(newest, request.settings.limits.message_chars)
    if newest.strip() not in asked:
        raise ConflictError(
            "the idempotency key was used for another request", code="IDEMPOTENCY_REUSED"
        )
    return Started(run.run_id, run.thread_id)


async def go_on(
    around: Surroundings, request: ApiRequest, thread_id: str, posted: Posted
) -> Started:
    """Yes or no to all that the thread's run asks, or what the client's tools gave.

    Raises: InputError when it waits for nothing of it any more; ConflictError.
    """
    runs = around.runs
    run_id = await runs.find_active(*request.owner, thread_id)
    if run_id is None:
        raise InputError("nothing waits for this any more", code="NOTHING_ASKED")
    told = await request.store.load_events(request.tenant_id, run_id)
    after = told[-1]["seq"]
    if posted.decision is not None:
        asked = await runs.list_approvals(*request.owner, run_id)
        for item in (item for item in asked if item.status == "pending"):
            decision = (item.approval_id, posted.decision, request.user_id)
            await runs.decide_approval(*request.owner, run_id, *decision)
    else:
        seqs = {e["data"]["id"]: e["seq"] for e in told if e["event"] == "tool_request"}
        after = max((seqs.get(call_id, 0) for call_id in posted.answers), default=0)
        for call_id, content in posted.answers.items():
            await runs.answer_call(*request.owner, run_id, call_id, make_answer(content))
    return Started(run_id, thread_id, after)


def act_for_user(request: ApiRequest) -> ApiRequest:
    """The same request as the user whom an admin's program names, if it names one.

    Raises: InputError for what is no name.
    """
    name = request.headers.get(USER_HEADER)
    if name is None or not request.is_admin:
        return request
    if not name.strip() or len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise InputError(f"{USER_HEADER} is no user's name")
    return replace(request, user_id=name.strip(), is_admin=False)
