"""Stored threads for a replay: which ones, and one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from plainloop.agent.base.messages.contents import get_words
from plainloop.agent.cli.terminal.opening import find_thread
from plainloop.agent.cli.terminal.options import Owner, to_span
from plainloop.agent.core.history import repair_history
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.outcomes.ratings import list_ratings
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message

from ...store.recordings import ThreadFilter
from ..sources.conversations import Conversation, TurnRating, split_turns
from ..sources.sampling import choose_places, choose_threads
from .options import Selection


async def load_conversation(store: Store, tenant_id: str, thread_id: str) -> Conversation:
    """Load a thread's messages as the next model call would get them.

    Replaced drafts are left out.
    """
    stored = await store.load_messages(tenant_id, thread_id)
    rated = await _list_ratings(store, tenant_id, thread_id, stored)
    messages, _ = repair_history(stored)
    first = next((i for i, m in enumerate(messages) if m["role"] == "user"), len(messages))
    turns, opening = split_turns(messages), tuple(messages[:first])
    return Conversation(thread_id, "", turns, opening, ratings=tuple(rated))


async def _list_ratings(
    store: Store, tenant_id: str, thread_id: str, messages: Sequence[Message]
) -> list[TurnRating]:
    """List users' ratings of a thread by the number of the turn, among turns with a user's text."""
    if not (found := await list_ratings(store.read(tenant_id), thread_id)):
        return []
    runs = {run.run_id: run.input_position for run in await store.list_runs(tenant_id, thread_id)}
    said = [n for n, m in enumerate(messages) if m["role"] == "user" and get_words(m)]
    places = [(said.index(runs[item.run_id]), item) for item in found if runs[item.run_id] in said]
    return [TurnRating(turn, item.rating, item.note) for turn, item in places]


async def select_threads(store: Store, selection: Selection) -> list[str]:
    """Select the ids of the stored threads to replay, the oldest first.

    Raises: NotFoundError when there is none.
    """
    if selection.thread:
        owner = Owner(selection.tenant_id)
        found = [(await find_thread(store, owner, text)).thread_id for text in selection.thread]
        return sorted(set(found))
    begins, ends = to_span(selection.since, selection.until)
    cost = selection.min_cost_usd
    wanted = ThreadFilter(
        since=begins,
        until=ends,
        tag=selection.tag,
        worker=selection.worker,
        is_failed=selection.failed,
        min_cost_usd=None if cost is None else Decimal(str(cost)),
        rating=selection.rating,
    )
    async with store.transaction(selection.tenant_id) as tx:
        found = await choose_threads(tx, wanted, selection.others, selection.seed)
    if not found:
        raise NotFoundError(
            "no stored thread matches",
            hint="`plainloop threads` lists the threads. To replay a file, use --from FILE.",
        )
    chosen = choose_places(len(found), selection.sample, selection.seed)
    return [thread_id for place, thread_id in enumerate(found) if place in chosen]
