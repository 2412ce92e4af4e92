"""Stored threads for a replay: which ones, and one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import NotFoundError
from ...replay.sources.sampling import choose_places
from ...store.recordings import ThreadFilter, list_replay_threads
from ...store.store import Store
from ..terminal.opening import find_thread
from ..terminal.options import Owner


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
    chosen = choose_places(len(found), selection.sample, selection.seed)
    return [thread_id for place, thread_id in enumerate(found) if place in chosen]
