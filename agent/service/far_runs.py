"""Runs that are not executed here: one look for all who watch them, however many these are.

Who has seen all that is stored waits here, with what is known of the run. One statement finds the
runs of which there is more by now; what is new is then read once for all who lack the same.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from ..store.outages import try_once
from ..store.store import Store
from .live_runs import LiveRuns

T = TypeVar("T")

QUEUED_FACTOR: Final = 10
REST_FACTOR: Final = 9  # so many times as long as a look takes is none made, at least
DOUBTED: Final = ""  # no run's status: two viewers know different ones


class FarRuns:
    """Wakes viewers of this process when there is more of a run that is executed elsewhere."""

    def __init__(self, store: Store, live: LiveRuns, every_s: float) -> None:
        self._store = store
        self._live = live
        self._every_s = every_s
        # What all know who wait: up to which event all is seen, and the status.
        self._known: dict[tuple[str, str], tuple[int, str]] = {}
        self._looker: asyncio.Task[None] | None = None
        self._reading: dict[object, asyncio.Task[Any]] = {}

    def close(self) -> None:
        """Look no more."""
        if self._looker is not None:
            self._looker.cancel()

    async def wait(self, tenant_id: str, run_id: str, cursor: int, status: str) -> None:
        """Wait until there may be more than what is known, or the run is executed here."""
        seen, known = self._known.get((tenant_id, run_id), (cursor, status))
        common = status if status == known else DOUBTED
        self._known[tenant_id, run_id] = min(seen, cursor), common
        if self._looker is None or self._looker.done():
            self._looker = asyncio.create_task(self._look_always())
        await self._live.wait_for(run_id, None)

    async def read_once(self, key: object, read: Callable[[], Awaitable[T]]) -> T:
        """Read what several want at once: those who come while it is being read are given the
        same, as it was when the first one asked.
        """
        if (reading := self._reading.get(key)) is None:
            reading = self._reading[key] = asyncio.ensure_future(read())
            reading.add_done_callback(lambda _: self._reading.pop(key))
        return await asyncio.shield(reading)

    async def _look_always(self) -> None:
        """Seldom at runs that have not begun: who watch those would be before those at work. Where
        one begins here, its viewers are woken at once.
        """
        pause_s = self._every_s
        for turn in itertools.count(1):
            await asyncio.sleep(pause_s)
            for key in [key for key in self._known if not self._live.is_awaited(key[1])]:
                del self._known[key]
            if not self._known:
                return
            begun = time.monotonic()
            with_queued = turn % QUEUED_FACTOR == 0
            known = {k: v for k, v in self._known.items() if with_queued or v[1] != "queued"}
            if known and not await try_once("look_for_viewers", self._look(known)):
                self._wake([*known])  # each finds out what is wrong
            pause_s = max(self._every_s, REST_FACTOR * (time.monotonic() - begun))

    async def _look(self, known: dict[tuple[str, str], tuple[int, str]]) -> None:
        self._wake(await self._store.list_grown_runs(known))

    def _wake(self, keys: list[tuple[str, str]]) -> None:
        for tenant_id, run_id in keys:
            self._known.pop((tenant_id, run_id), None)
            self._live.wake(run_id)
