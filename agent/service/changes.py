"""Streams changes of runs, approvals and threads of all conversations to viewers.

    runs, approvals, threads ──triggers──► table `changes` ──one look a second──► viewers here

One look serves all viewers of the process; while nobody watches, nobody looks. A change is a hint:
it says what is worth reading again, may come twice, and after a `reset` all is worth it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, Final, Literal, TypedDict

from ..store import events as store_events
from ..store.database import Row
from ..store.store import Store
from .watcher import Watcher

LOOK_S: Final = 1.0
MAX_WAITING: Final = 1_000  # changes that a viewer has not read


class Change(TypedDict):
    """A change of a run, approval or thread, as viewers get it.

    `reset`: missed changes are unknown, read everything again; `resumed`: missed changes follow.
    """

    seq: int  # of the whole service: numbers are left out, and one may come late
    event: Literal["change", "reset", "resumed"]
    data: dict[str, Any]  # of a change: `Changed`, else empty


class Changed(TypedDict):
    """A change: clients re-read the named run, or without one the conversation."""

    user_id: str
    conversation_id: str | None  # None: of one that was erased
    run_id: str | None
    approval_id: str | None
    # Of the approval (pending, approved, denied, expired, consumed), else of the run (queued,
    # running, waiting, succeeded, failed, cancelled, limit), else begun, renamed or erased.
    status: str


class Nothing(TypedDict):
    """An empty payload."""


class _Viewer:
    """A client that follows changes of one user; user_id None: of the whole tenant."""

    def __init__(self, tenant_id: str, user_id: str | None) -> None:
        self.tenant_id = tenant_id
        self._user_id = user_id
        self._waiting: list[Change] = []
        self._woken = asyncio.Event()

    def tell(self, row: Row) -> None:
        """Queue a change for the viewer; too many queued changes become one `reset`."""
        if self._user_id in (None, row["user_id"]):
            self._waiting.append(to_change(row))
            self._woken.set()
        # A viewer that does not read must not fill the memory: reading everything again costs it
        # less than a thousand hints.
        if len(self._waiting) > MAX_WAITING:
            self._waiting = [make_reset(row["change_id"])]

    def wake(self) -> None:
        self._woken.set()

    async def take(self) -> list[Change]:
        """Wait until the viewer is woken; return its queued changes, which may be none."""
        await self._woken.wait()
        self._woken.clear()
        changes, self._waiting = self._waiting, []
        return changes


class Changes:
    """Sends a tenant's changes of runs, approvals and threads to this process's viewers.
    `close` ends all viewers, so that they reconnect elsewhere.
    """

    def __init__(self, store: Store, watcher: Watcher) -> None:
        self._store = store
        self._watcher = watcher
        self._viewers: set[_Viewer] = set()
        self._looking = asyncio.Lock()
        # By tenant: the number up to which nothing new can come, and those above it that were told.
        self._seen: dict[str, tuple[int, set[int]]] = {}
        self._is_closing = False

    async def watch(
        self, tenant_id: str, user_id: str | None, after: int | None
    ) -> AsyncGenerator[list[Change]]:
        """Yield the changes that a viewer missed after number `after`, then new ones, in batches.
        `reset` comes first if those are no longer known. after: the last change seen; None: none.

        Raises: StoreError.
        """
        viewer = _Viewer(tenant_id, user_id)
        # Registered before the missed changes are read: a change in between then comes twice
        # instead of never (test_missed_changes_are_replayed_on_any_replica).
        self._viewers.add(viewer)
        try:
            if tenant_id not in self._seen:
                await self._look()
            yield await self._list_missed(tenant_id, user_id, after)
            if not self._is_closing:
                self._watcher.start("changes", self._look_if_watched, LOOK_S, LOOK_S)
            while not self._is_closing:
                if changes := await viewer.take():
                    yield changes
        finally:
            self._viewers.discard(viewer)

    def close(self) -> None:
        """End the streams of all viewers, which then reconnect to another replica."""
        self._is_closing = True
        for viewer in self._viewers:
            viewer.wake()

    async def _list_missed(
        self, tenant_id: str, user_id: str | None, after: int | None
    ) -> list[Change]:
        """List changes since `after`, behind a `resumed`; a single `reset` if unknown."""
        db = self._store.read(tenant_id)
        missed = await store_events.list_changes_after(db, user_id, after) if after else None
        if missed is None:
            return [make_reset(await store_events.load_last_change(db))]
        # Always one, so that who takes it up again sees at once that it was.
        return [make_resumed(after or 0), *map(to_change, missed)]

    async def _look_if_watched(self) -> float | None:
        """Poll changes if there are viewers; return the pause, None to stop polling."""
        if not self._viewers:
            return None
        await self._look()
        return LOOK_S

    async def _look(self) -> None:
        """Poll the changes of all watched tenants, and send new ones to their viewers.
        Of a tenant that is new here only the newest number is read.
        """
        # One poll at a time: a second one would start from the same numbers, and send all changes
        # twice.
        async with self._looking:
            watched = {viewer.tenant_id for viewer in self._viewers}
            self._seen = {key: known for key, known in self._seen.items() if key in watched}
            fresh = sorted(watched - self._seen.keys())
            async with self._store.database.operate() as tx:
                settled = await store_events.list_settled_changes(tx, fresh) if fresh else {}
                floors = {key: floor for key, (floor, _) in self._seen.items()} | settled
                rows = await store_events.list_changes(tx, floors)
            for row in rows:
                known = self._seen.get(row["tenant_id"])
                # The first viewers of a tenant that is new here read their missed changes
                # themselves.
                if known is not None and row["change_id"] not in known[1]:
                    for viewer in self._viewers:
                        if viewer.tenant_id == row["tenant_id"]:
                            viewer.tell(row)
            self._seen = {}
            for key, floor in floors.items():
                own = [row for row in rows if row["tenant_id"] == key]
                # Numbers above the floor may still appear below others that were seen: those are
                # remembered one by one, until five seconds have settled them.
                floor = max((row["change_id"] for row in own if row["is_settled"]), default=floor)
                open_ids = {row["change_id"] for row in own if row["change_id"] > floor}
                self._seen[key] = (floor, open_ids)


def to_change(row: Row) -> Change:
    """Convert a row of `changes` to the message that viewers get."""
    data = {name: row[name] for name in Changed.__annotations__}
    return {"seq": row["change_id"], "event": "change", "data": data}


def make_reset(last: int) -> Change:
    """Build the message that tells a viewer to read everything again."""
    return {"seq": last, "event": "reset", "data": {}}


def make_resumed(last: int) -> Change:
    """Build the message that precedes the changes a viewer missed. last: the viewer's cursor."""
    return {"seq": last, "event": "resumed", "data": {}}
