"""Pollers look for work: at once when poked, and when somebody has seen that there is some.

Whether there is any is asked for all kinds in one statement, and by the replicas one after the
other: so many of them ask their database no more often than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ..base.finishing import end_tasks
from ..config.settings import Limits
from ..store.outages import try_once
from ..store.queue import WorkKind
from ..store.store import Store
from .live_runs import LiveRuns


class Watch:
    """Asks for all pollers of this process whether there is something to be found."""

    def __init__(self, store: Store, live: LiveRuns, limits: Limits) -> None:
        self.every_s = limits.recovery_s
        self._store = store
        self._live = live
        self._longest_s = max(limits.recovery_s, limits.lease_s)
        self._pause_s = limits.recovery_s
        self._pollers: list[Poller] = []
        self._task: asyncio.Task[None] | None = None

    def join(self, poller: Poller) -> None:
        self._pollers.append(poller)
        if self._task is None:
            self._task = asyncio.create_task(self._watch_always())

    async def leave(self, poller: Poller) -> None:
        self._pollers.remove(poller)
        if self._task is not None and not self._pollers:
            await end_tasks(self._task)
            self._task = None

    async def look(self) -> None:
        """Ask once, and poke whoever has something to find."""
        owner, queue = self._live.owner, self._store.queue
        self._pause_s, found = await queue.look_around(owner, self.every_s, self._longest_s)
        for poller in self._pollers:
            if poller.kind in found:
                poller.poke()

    async def _watch_always(self) -> None:
        while True:
            # The pollers' own first looks have just begun: no connection more at a start.
            await asyncio.sleep(self._pause_s)
            self._pause_s = self.every_s  # where nobody answers
            await try_once("watch", self.look())


class Poller:
    """Looks for work of one kind, at once when poked. look: one look for work of the kind, which
    may fail; then the next one is made soon.
    """

    def __init__(self, look: Callable[[], Awaitable[object]], watch: Watch, kind: WorkKind) -> None:
        self.kind: WorkKind = kind
        self._look = look
        self._watch = watch
        self._poked = asyncio.Event()
        self.has_looked = asyncio.Event()  # at least once, whatever came of it
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look, now."""
        self._task = asyncio.create_task(self._look_always())
        self._watch.join(self)

    def poke(self) -> None:
        """Look at once: there is something to be found."""
        self._poked.set()

    async def stop(self) -> None:
        """Look no more; a look that is under way is cancelled."""
        if self._task is not None:
            await self._watch.leave(self)
            await end_tasks(self._task)
            self._task = None

    async def _look_always(self) -> None:
        while True:
            self._poked.clear()
            is_done = await try_once(f"search_for_{self.kind}", self._look())
            self.has_looked.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if is_done else self._watch.every_s):
                    await self._poked.wait()
