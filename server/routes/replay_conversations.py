"""`…/conversations`: one of a live replay side by side, and what people say of it."""

from __future__ import annotations

from typing import Final

from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.errors import NotFoundError
from ...agent.replay.comparing.comparison import choose_reference, load_comparison
from ...agent.replay.live.plan import LivePlan
from ...agent.replay.report.live_report import choose_ignored
from ...agent.store import replays as store_replays
from ...agent.store.replays import ReplayInfo
from .replay_shapes import NewVerdict, PeopleVerdicts, ReplayConversation

ONE: Final = "/api/replays/{replay_id}/conversations/{n}"


async def load_own(request: ApiRequest, replay_id: str) -> ReplayInfo:
    """One's own replay; any of the tenant for an admin. Raises: NotFoundError."""
    user_id = None if request.is_admin else request.user_id
    async with request.store.transaction(request.tenant_id) as tx:
        return await store_replays.load_replay(tx, user_id, replay_id)


async def read_conversation(request: ApiRequest) -> ReplayConversation:
    info, n = await load_own(request, request.params["replay_id"]), _read_place(request)
    plan = LivePlan.from_json(info.candidate)
    lanes, ignored = list(plan.all_lanes), choose_ignored(plan)
    found = await load_comparison(
        request.store, request.tenant_id, info.replay_id, lanes, n, ignored
    )
    verdicts = await store_replays.list_verdicts(request.db, info.replay_id, n)
    return ReplayConversation(choose_reference(lanes), found, verdicts)


async def judge_conversation(request: ApiRequest, body: NewVerdict) -> PeopleVerdicts:
    """Who may read the replay may judge it, each once; the report counts it."""
    info, n = await load_own(request, request.params["replay_id"]), _read_place(request)
    async with request.store.transaction(request.tenant_id) as tx:
        await store_replays.save_verdict(
            tx, request.user_id, info.replay_id, n, body.verdict, body.note
        )
        return PeopleVerdicts(await store_replays.list_verdicts(tx, info.replay_id, n))


def _read_place(request: ApiRequest) -> int:
    """Raises: NotFoundError."""
    text = request.params["n"]
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise NotFoundError(f"there is no conversation {text[:80]!r}")
    return int(text)


REPLAY_CONVERSATION_ROUTES: Final = (
    ApiRoute("GET", ONE, read_conversation, "Read a conversation of a live replay, side by side"),
    ApiRoute("PUT", ONE + "/verdict", judge_conversation, "Say whether the candidate did better"),
)
