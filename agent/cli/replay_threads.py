"""Stored threads for a replay: which ones, and one after the other."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from dataclasses import dataclass

from agent.cli.opening import Owner, find_thread
from agent.core.persistence import Store
from agent.core.store_replay import ThreadFilter, list_replay_threads
from agent.errors import NotFoundError
from agent.replay.stored import StoredThread, load_stored


@dataclass(frozen=True, slots=True)
class Selection:
    """threads: by id, the beginning of one, or `last`; () takes those that `wanted` finds.
    sample: so many of them, drawn with `seed`; None: all.
    """

    tenant_id: str
    threads: tuple[str, ...]
    wanted: ThreadFilter
    sample: int | None
    seed: int


async def select_threads(store: Store, selection: Selection) -> list[str]:
    """Thread ids, the oldest first. Raises: NotFoundError when there is none."""
    if selection.threads:
        owner = Owner(selection.tenant_id)
        found = [(await find_thread(store, owner, text)).thread_id for text in selection.threads]
        return sorted(set(found))
    async with store.transaction(selection.tenant_id) as tx:
        found = sorted(await list_replay_threads(tx, selection.wanted))
    if not found:
        raise NotFoundError(
            "no stored thread fits", hint="`plainloop threads` lists them; or give --from FILE."
        )
    if selection.sample is not None and selection.sample < len(found):
        return sorted(random.Random(selection.seed).sample(found, selection.sample))
    return found


async def load_threads(
    store: Store, tenant_id: str, thread_ids: list[str]
) -> AsyncIterator[StoredThread]:
    """One at a time: a batch of any size fits in memory."""
    for thread_id in thread_ids:
        yield await load_stored(store, tenant_id, thread_id)
