"""Polls runs on other replicas, in one query for all viewers of this process.

Who has seen all that is stored waits here, with what is known of the run. One statement finds the
runs of which there is more by now; what is new is then read once for all who lack the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from ..store.store import Store
from .live_runs import LiveRuns
from .watcher import Watcher

T = TypeVar("T")

QUEUED_FACTOR: Final = 10
DOUBTED: Final = ""  # no run's status: two viewers know different ones


class FarRuns:
    """Wakes viewers of this process when a run on another replica has new events."""

    def __init__(self, store: Store, live: LiveRuns, watcher: Watcher, every_s: float) -> None:
        self._store = store
        self._live = live
        self._watcher = watcher
        self._every_s = every_s
        self._looks = 0
        # What all know who wait: up to which event all is seen, and the status.
        self._known: dict[tuple[str, str], tuple[int, str]] = {}
        self._reading: dict[object, asyncio.Task[Any]] = {}

    async def wait(self, tenant_id: str, run_id: str, cursor: int, status: str) -> None:
        """Wait until another process's run may have news, or this process claims it.
        cursor, status: what the viewer has seen.
        """
        seen, known = self._known.get((tenant_id, run_id), (cursor, status))
        common = status if status == known else DOUBTED
        # The viewer that is furthest behind counts: a poll too early costs a statement, one too
        # late delays the run's end.
        self._known[tenant_id, run_id] = min(seen, cursor), common
        self._watcher.start("viewers", self._look, self._every_s, self._every_s)
        await self._live.wait_for(run_id, None)

    async def read_once(self, key: object, read: Callable[[], Awaitable[T]]) -> T:
        """Run `read` once for all concurrent callers with this key; return the result to each."""
        if (reading := self._reading.get(key)) is None:
            reading = self._reading[key] = asyncio.ensure_future(read())
            reading.add_done_callback(lambda _: self._reading.pop(key))
        # Shielded: when the first caller goes, the others still wait for this read.
        return await asyncio.shield(reading)

    async def _look(self) -> float | None:
        """Poll which of the awaited runs have new events, and wake their viewers.
        Queued runs are polled only every QUEUED_FACTOR times, so that their viewers do not delay
        those of active runs. When one begins in this process, its viewers are notified at once.
        """
        for key in [key for key in self._known if not self._live.is_awaited(key[1])]:
            del self._known[key]
        if not self._known:
            return None
        self._looks += 1
        with_queued = self._looks % QUEUED_FACTOR == 0
        known = {k: v for k, v in self._known.items() if with_queued or v[1] != "queued"}
        woken = [*known]  # if the look fails, each finds out what is wrong
        try:
            woken = await self._store.list_grown_runs(known) if known else []
        finally:
            for tenant_id, run_id in woken:
                self._known.pop((tenant_id, run_id), None)
                self._live.wake(run_id)
        return self._every_s
