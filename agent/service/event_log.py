"""Streams any run's events to viewers, whichever replica executes the run.

A run that is executed here is read from memory; all others, and what has left the memory, from
the database. Both are one sequence: a viewer goes from one to the other by its cursor.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial
from typing import Final

from ..errors import StoreError
from ..events import TERMINAL, Event
from ..store.store import Store
from .far_runs import FarRuns
from .live_runs import LiveRun, LiveRuns
from .watcher import Watcher

ACTIVE: Final = ("queued", "running", "waiting")
MAX_EVENTS_BEHIND: Final = 10_000  # events


class ViewerDropped(Exception):
    """A viewer is too many events behind, so its connection is to be closed.

    The run goes on, and the viewer may come back with its cursor.
    """


class EventLog:
    """Serves the events of any run to the viewers of this process. `close` ends them all."""

    def __init__(self, store: Store, live: LiveRuns, watcher: Watcher, poll_ms: int) -> None:
        self._store = store
        self._live = live
        self._far = FarRuns(store, live, watcher, poll_ms / 1000)
        self._closing = asyncio.Event()

    @property
    def is_closing(self) -> bool:
        """Whether viewers are being disconnected, because this process shuts down."""
        return self._closing.is_set()

    def close(self) -> None:
        """End all viewers' streams without a last event, so that clients reconnect elsewhere."""
        self._closing.set()
        self._live.wake_all()

    async def watch(
        self, tenant_id: str, user_id: str, run_id: str, after: int
    ) -> AsyncGenerator[list[Event]]:
        """Yield the events of a run after event number `after` in batches, until the run ends.

        Raises: NotFoundError, ViewerDropped; StoreError, also when the database is unreachable and
        another replica may own the run by now.
        """
        live = self._live.get(run_id)
        # The owner of a run that is executed here is in memory, so its viewers cause no statements.
        if live is None or (live.run.tenant_id, live.run.user_id) != (tenant_id, user_id):
            run_id = (await self._store.load_run(tenant_id, user_id, run_id)).run_id
        cursor, is_attached = after, False
        while not self.is_closing:
            live = self._live.get(run_id)
            if live is not None and self._live.is_cut_off:
                raise StoreError(
                    f"the database is unreachable, so the run {run_id} may "
                    "continue on another replica",
                    hint="Connect again with the header `Last-Event-ID` to continue the stream.",
                )
            if live is not None and live.covers(cursor):
                is_attached = True
                async for events in self._follow(live, cursor):
                    yield events
                    cursor = events[-1]["seq"]
                    if events[-1]["event"] in TERMINAL:
                        return
                continue
            # Only one that was reading from memory can be too slow; one that comes with an old
            # cursor reads from the database at its own pace.
            if live is not None and is_attached:
                check_distance(live, cursor)
            key = (tenant_id, run_id, cursor)
            load_status = partial(self._load_status, *key)
            events = await self._far.read_once(key, partial(self._store.load_events, *key))
            if events:
                yield events
                cursor = events[-1]["seq"]
                if events[-1]["event"] in TERMINAL:
                    return
            elif live is not None:
                # All that was stored before this owner has been seen.
                cursor = max(cursor, live.run.next_seq - 1)
            elif (status := await self._far.read_once(("status", key), load_status)) is None:
                return  # nothing more will come
            elif not self.is_closing:
                await self._far.wait(tenant_id, run_id, cursor, status)

    async def _follow(self, live: LiveRun, cursor: int) -> AsyncGenerator[list[Event]]:
        """Yield events from memory until the run leaves this process or the viewer falls behind."""
        while not (self.is_closing or self._live.is_cut_off) and live.covers(cursor):
            events = live.list_after(cursor)
            if events:
                yield events
                cursor = events[-1]["seq"]
            elif live.is_closed:
                return
            else:
                await live.wait()

    async def _load_status(self, tenant_id: str, run_id: str, cursor: int) -> str | None:
        """Load the run's status; None once it has ended and all its events were read.
        What came in this moment is still to be read: after the status, or its end is missed.
        """
        run = await self._store.load_run(tenant_id, None, run_id)
        # Read the events after the status: otherwise the events of a run that ends in between would
        # be missed.
        if run.status in ACTIVE or await self._store.load_events(tenant_id, run_id, cursor):
            return run.status
        return None


def check_distance(live: LiveRun, cursor: int) -> None:
    """Raise ViewerDropped if a viewer is too many events behind its run."""
    if live.last_seq - cursor > MAX_EVENTS_BEHIND:
        raise ViewerDropped(
            f"the client is {live.last_seq - cursor} events behind and was disconnected: reconnect "
            "with the id of the last event that it received"
        )
