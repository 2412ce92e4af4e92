"""Opens the store for commands, and resolves typed ids."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from ...config.settings import Settings
from ...errors import NotFoundError
from ...packs.loading import list_migration_folders, load_served_packs
from ...store import threads as store_threads
from ...store.opening import connect_store
from ...store.records import ThreadInfo
from ...store.store import Store
from .options import Owner
from .output import progress

STARTING: Final = "starting the database …"
LAST: Final = "last"
RECENT_THREADS: Final = 50


@asynccontextmanager
async def open_store(settings: Settings, *, migrate: bool = True) -> AsyncGenerator[Store]:
    """Open only the store, without models and keys, and yield it.

    migrate: apply missing migrations first.
    """
    with progress(STARTING):
        store = await connect_store(
            settings,
            migrate=migrate,
            migration_folders=list_migration_folders(load_served_packs(settings)),
        )
    try:
        yield store
    finally:
        await store.close()


async def find_thread(store: Store, owner: Owner, text: str) -> ThreadInfo:
    """Find the user's thread by its id, the beginning of it, or `last`.

    Raises: NotFoundError, InputError when several begin so.
    """
    if text == LAST:
        threads = await store.list_threads(owner.tenant_id, owner.user_id, limit=RECENT_THREADS)
        for thread in threads:
            if thread.kind == "chat":
                return thread
        raise NotFoundError("there are no threads yet", hint="`plainloop ask` starts one.")
    async with store.transaction(owner.tenant_id) as tx:
        thread_id = await store_threads.find_thread(tx, owner.user_id, text)
    return await store.load_thread(owner.tenant_id, owner.user_id, thread_id)


async def find_run(store: Store, owner: Owner, text: str) -> str:
    """Find a run's id by `last`, the start of the run's id, or the start of its thread's id."""
    async with store.transaction(owner.tenant_id) as tx:
        if text == LAST:
            return await store_threads.load_last_run(tx, owner.user_id)
        return await store_threads.find_run(tx, owner.user_id, text)
