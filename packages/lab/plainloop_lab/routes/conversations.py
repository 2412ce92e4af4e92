"""`…/conversations`: one of a live replay side by side, and what people say of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Final

from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute
from plainloop.agent.errors import InputError, NotFoundError

from ..comparing.comparison import ComparedReplay, Comparison, differs, is_empty, name_conversation
from ..comparing.explaining import explain_difference, write_command
from ..live.plan import LivePlan
from ..report.live_page import render_conversation
from ..report.live_report import SAID_CHARS
from ..report.sharing_tally import uses_change
from ..store import replays as store_replays
from ..store.replays import ReplayInfo
from .shapes import (
    ComparedConversation,
    ComparedConversations,
    ConversationQuery,
    ConversationsQuery,
    NewVerdict,
    Outcome,
    PeopleVerdicts,
    ReplayConversation,
)

ALL: Final = "/api/replays/{replay_id}/conversations"
ONE: Final = ALL + "/{n}"
MOST_LOOKED_AT: Final = 400  # conversations in one answer, however few fit: a second or less


async def load_own(request: ApiRequest, replay_id: str) -> ReplayInfo:
    """Load the replay of this id, if the user may read it.

    Users can read their own replays, administrators those of every user of the tenant. Raises:
    NotFoundError.
    """
    user_id = None if request.is_admin else request.user_id
    return await store_replays.load_replay(request.db, user_id, replay_id)


async def open_own(request: ApiRequest) -> ComparedReplay:
    """Open the replay that the path names, to compare its sides.

    The user needs the same access as for `load_own`.
    """
    info = await load_own(request, request.params["replay_id"])
    return ComparedReplay.of(request.store, request.tenant_id, info)


async def read_conversation(
    request: ApiRequest, query: ConversationQuery
) -> ReplayConversation | ApiFile:
    """Return one conversation of a replay on all sides, or as an HTML page."""
    info = await load_own(request, request.params["replay_id"])
    replay, n = ComparedReplay.of(request.store, request.tenant_id, info), read_place(request, "n")
    found = await replay.load(n)
    plan = LivePlan.from_json(info.candidate)
    explained = await asyncio.to_thread(explain_difference, found, replay.reference, plan)
    command = write_command(found, plan, is_thread=not plan.shapes)
    if query.format == "html":
        page = await asyncio.to_thread(render_conversation, found, plan.name, explained, command)
        return ApiFile(page.encode(), "text/html; charset=utf-8", f"conversation-{n}.html")
    verdicts = await store_replays.list_verdicts(request.db, replay.replay_id, n)
    is_judged = differs(found, replay.reference)
    return ReplayConversation(replay.reference, found, verdicts, is_judged, explained, command)


async def list_conversations(
    request: ApiRequest, query: ConversationsQuery
) -> ComparedConversations:
    """List a page of a replay's conversations that match the query, in the source's order."""
    replay = await open_own(request)
    found: list[ComparedConversation] = []
    looked_at = 0
    async with aclosing(replay.list_all(int(query.cursor or 0))) as compared:
        async for comparison in compared:
            if len(found) == query.limit or looked_at == MOST_LOOKED_AT:
                return ComparedConversations(found, str(comparison["n"]))
            looked_at += 1
            if is_wanted(comparison, query, replay.reference):
                found.append(to_row(comparison, replay.reference))
    return ComparedConversations(found, None)


def is_wanted(comparison: Comparison, query: ConversationsQuery, reference: str) -> bool:
    """Whether a conversation matches the query's outcome, condition and text."""
    if query.outcome not in (None, choose_outcome(comparison)):
        return False
    if query.only == "judged" and not comparison.get("verdicts"):
        return False
    if query.only == "used" and not uses_change(comparison):
        return False
    if query.only == "differing" and not differs(comparison, reference):
        return False
    said = [comparison["conversation_id"], *(turn["user"] for turn in comparison["turns"])]
    return any(query.text.casefold() in text.casefold() for text in said)


def choose_outcome(comparison: Comparison) -> Outcome:
    """Classify a conversation as empty, worse, unfinished, better or same."""
    if is_empty(comparison):
        return "empty"
    if comparison["severity"]:
        return "worse"
    if comparison["unfinished"]:
        return "unfinished"
    return "better" if any(turn["better"] for turn in comparison["turns"]) else "same"


def to_row(comparison: Comparison, reference: str) -> ComparedConversation:
    """Convert a conversation's comparison to its entry in a list."""
    turns = comparison["turns"]
    worse = {change["measure"]: None for turn in turns for change in turn["worse"]}
    return ComparedConversation(
        comparison["n"],
        comparison["conversation_id"],
        name_conversation(comparison)[:SAID_CHARS],
        len(turns),
        choose_outcome(comparison),
        list(worse),
        comparison.get("people"),
        differs(comparison, reference),
    )


async def judge_conversation(request: ApiRequest, body: NewVerdict) -> PeopleVerdicts:
    """Store the user's verdict on a conversation, which the report counts.

    Who may read the replay may judge it, each once. Raises: InputError if both sides are the same.
    """
    replay, n = await open_own(request), read_place(request, "n")
    if body.verdict is not None:
        require_difference(is_there=differs(await replay.load(n), replay.reference))
    async with request.store.transaction(request.tenant_id) as tx:
        said = (body.verdict, body.note, body.seen)
        await store_replays.save_verdict(tx, request.user_id, replay.replay_id, n, *said)
        return PeopleVerdicts(await store_replays.list_verdicts(tx, replay.replay_id, n))


def require_difference(*, is_there: bool) -> None:
    """Refuse a verdict on sides that are the same: they count as the same by themselves.

    Raises: InputError.
    """
    if not is_there:
        raise InputError(
            "both sides have the same words, tool calls and end: there is nothing to judge",
            hint="Choose one that differs: GET …/conversations?only=differing.",
        )


def read_place(request: ApiRequest, name: str) -> int:
    """Parse a number in the request's path.

    Raises: NotFoundError.
    """
    text = request.params[name]
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise NotFoundError(
            f"there is no conversation {text[:80]!r}",
            hint="Read the replay to see its conversations.",
        )
    return int(text)


REPLAY_CONVERSATION_ROUTES: Final = (
    ApiRoute("GET", ALL, list_conversations, "List the conversations of a live replay"),
    ApiRoute("GET", ONE, read_conversation, "Read a conversation of a live replay, side by side"),
    ApiRoute(
        "PUT",
        ONE + "/verdict",
        judge_conversation,
        "Rate the candidate's conversation against the reference",
    ),
)
