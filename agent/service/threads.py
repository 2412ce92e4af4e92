"""Caches threads: owner, kind and pack do not change once a run has begun."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..store.records import ThreadInfo
from ..store.store import Store

MAX_SEEN: Final = 10_000


class KnownThreads:
    """Caches threads by tenant, user and id, so that a message's start need not load them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: dict[tuple[str, str, str], ThreadInfo] = {}

    async def load(self, tenant_id: str, user_id: str, thread_id: str) -> ThreadInfo:
        """Load the user's thread from a cache, so that its title and times may be out of date.

        Raises: NotFoundError when it is missing or another's.
        """
        known = self._seen.get((tenant_id, user_id, thread_id))
        return known or self.remember(
            tenant_id, await self._store.load_thread(tenant_id, user_id, thread_id)
        )

    def remember(self, tenant_id: str, thread: ThreadInfo) -> ThreadInfo:
        """Cache a thread, without its data, and return it."""
        # Cleared when full, not ordered by use: reading a thread again costs one statement.
        if len(self._seen) >= MAX_SEEN:
            self._seen.clear()
        self._seen[tenant_id, thread.user_id, thread.thread_id] = replace(thread, data={})
        return thread
