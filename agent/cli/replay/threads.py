"""Stored threads for a replay: which ones, and one after the other."""

from __future__ import annotations

from decimal import Decimal

from ...core.history import repair_history
from ...errors import NotFoundError
from ...replay.sources.conversations import Conversation, split_turns
from ...replay.sources.sampling import choose_places
from ...store.recordings import ThreadFilter, list_replay_threads
from ...store.store import Store
from ..terminal.opening import find_thread
from ..terminal.options import Owner, to_span
from .options import Selection


async def load_conversation(store: Store, tenant_id: str, thread_id: str) -> Conversation:
    """A thread as the next model call would see it: valid, without replaced drafts."""
    messages, _ = repair_history(await store.load_messages(tenant_id, thread_id))
    first = next((i for i, m in enumerate(messages) if m["role"] == "user"), len(messages))
    return Conversation(thread_id, "", split_turns(messages), tuple(messages[:first]))


async def select_threads(store: Store, selection: Selection) -> list[str]:
    """Thread ids, the oldest first. Raises: NotFoundError when there is none."""
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
    )
    async with store.transaction(selection.tenant_id) as tx:
        found = sorted(await list_replay_threads(tx, wanted))
    if not found:
        raise NotFoundError(
            "no stored thread fits", hint="`plainloop threads` lists them; or give --from FILE."
        )
    chosen = choose_places(len(found), selection.sample, selection.seed)
    return [thread_id for place, thread_id in enumerate(found) if place in chosen]
