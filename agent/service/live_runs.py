"""The runs that this process executes: their newest events for viewers, their leases, their stop.

Three things happen beside the runs, for all of them at once: what they emitted is stored every few
milliseconds, their leases are extended, and cancels that other processes asked for are seen.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final

from ..base.finishing import end_tasks
from ..core.journal import Journal, RunHandedOver, Viewer
from ..errors import LeaseLost, StoreError
from ..events import Event
from ..store.outages import stop_trying, try_once
from ..store.records import SEQ_ROOM, Run
from ..store.store import Store
from .retry_pauses import RetryPauses
from .settings import RunLimits
from .watcher import Watcher

ANSWER_S: Final = 5.0  # so long a silent database is waited for, once more
BUFFERED_EVENTS: Final = 8  # stored ones that are kept for viewers who are a little late


class LiveRun:
    """A run that this process executes, or holds in its queue: its newest events and its task.
    While it waits for a slot it has no task; `begin` starts one, even if only to end the run. Made
    by `LiveRuns.held` or `LiveRuns.expect`.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        viewer: Viewer | None,
        is_recoverable: bool,
        fresh: set[LiveRun],
    ) -> None:
        """Begin the journal of a run. fresh: where it puts itself when it has emitted something."""
        self.run = run
        self.journal = Journal(store, run, self._publish, is_recoverable=is_recoverable)
        self.is_closed = False
        self.is_lost = False  # another process owns it now
        self._viewer = viewer
        self._fresh = fresh
        self.task: asyncio.Task[object] | None = None
        self.begin: Callable[[], None] | None = None
        self._is_stopping = False
        self._events: list[Event] = []  # few: a deque takes 600 bytes when it is empty
        self._waiting: list[asyncio.Future[None]] = []

    def covers(self, cursor: int) -> bool:
        """Whether all of the run's events after the cursor are still in memory."""
        first = self._events[0]["seq"] if self._events else self.run.next_seq
        return cursor >= first - 1

    @property
    def last_seq(self) -> int:
        """Return the newest event's number, or the number before the run's first event."""
        return self._events[-1]["seq"] if self._events else self.run.next_seq - 1

    def list_after(self, cursor: int) -> list[Event]:
        """List the events after the cursor that viewers may receive now."""
        # A new owner leaves out as many numbers as may have been shown without being stored
        # (test_viewers_see_no_more_unstored_events_than_a_takeover_skips).
        room = self.journal.events.stored_seq + SEQ_ROOM
        fresh: list[Event] = []
        for event in reversed(self._events):
            if event["seq"] <= cursor:
                break
            if event["seq"] <= room:
                fresh.append(event)
        fresh.reverse()
        return fresh

    @property
    def is_ending(self) -> bool:
        """Whether the run may have ended although its viewers do not know it yet."""
        return self.journal.has_ended or self.journal.is_writing or self.is_closed

    async def wait(self) -> None:
        """Wait until the run may have new events, or this process no longer executes it."""
        woken = asyncio.get_running_loop().create_future()
        self._waiting.append(woken)
        await woken

    def wake(self) -> None:
        """Wake all viewers that wait for this run's events."""
        waiting, self._waiting = self._waiting, []
        for woken in waiting:
            if not woken.done():
                woken.set_result(None)

    def check(self) -> None:
        """Raise CancelledError if the run was cancelled before its task began."""
        if self._is_stopping:
            raise asyncio.CancelledError

    def cancel(self) -> None:
        """Stop the run: it ends as cancelled and keeps the text streamed so far."""
        if not self._is_stopping:
            self._is_stopping = True
            # One that waits for a slot has no task yet: its task begins, finds that it is stopped,
            # and ends it (test_a_queued_run_can_be_cancelled).
            if (stop := self.task.cancel if self.task else self.begin) is not None:
                stop()

    def leave(self, *, at_once: bool) -> None:
        """Hand the run over to another process, after its current step or at once.
        A run being cancelled ends here.
        """
        if not self._is_stopping:
            self.journal.hand_over()
        if at_once:
            self.cancel()

    def lose(self) -> None:
        """Stop the run without storing anything, because another process owns it now."""
        self.is_lost = True
        self.leave(at_once=True)

    def end_flush(self, *, is_stored: bool) -> None:
        """Record whether the flushed events were stored.

        Viewers that had to wait for that are woken.
        """
        # Before the flush counts: afterwards it would be unknown that viewers were waiting for it.
        has_held_back = self.last_seq > self.journal.events.stored_seq + SEQ_ROOM
        self.journal.events.end_flush(is_stored=is_stored)
        if has_held_back:
            self.wake()

    def close(self) -> None:
        """Mark the run as no longer executed by this process, and wake its viewers."""
        self.is_closed = True
        self.wake()

    def _publish(self, event: Event) -> None:
        """Buffer an event for viewers, drop stored ones beyond the buffer, and wake viewers."""
        self._events.append(event)
        self._fresh.add(self)
        spare = 0
        while (
            len(self._events) - spare > BUFFERED_EVENTS
            and self._events[spare]["seq"] <= self.journal.events.stored_seq
        ):
            spare += 1
        del self._events[:spare]
        self.wake()
        if self._viewer:
            self._viewer(event)


class LiveRuns:
    """All runs that this process executes: their leases, event flushes and cancellations.
    dropped: runs that were given up when the database was away, or may have begun then. is_cut_off:
    no lease could be extended for as long as one lasts: others may have our runs.
    """

    def __init__(self, store: Store, owner: str, limits: RunLimits, watcher: Watcher) -> None:
        self.owner = owner
        self.dropped: set[str] = set()
        self._watcher = watcher
        self._pauses = RetryPauses()
        self.is_cut_off = False
        self._alarm: asyncio.TimerHandle | None = None
        self._store = store
        self._limits = limits
        self._live: dict[str, LiveRun] = {}
        self._fresh: set[LiveRun] = set()  # have emitted what may not be stored yet
        self._awaited: dict[str, set[asyncio.Future[None]]] = {}  # by viewers, by run
        self._keepers: dict[str, asyncio.Task[None]] = {}

    def get(self, run_id: str) -> LiveRun | None:
        """Return the live run with this id if this process executes it, else None."""
        return self._live.get(run_id)

    def list_all(self) -> list[LiveRun]:
        """List all live runs of this process."""
        return [*self._live.values()]

    def is_awaited(self, run_id: str) -> bool:
        """Whether a viewer of this process is waiting for the run's events."""
        return run_id in self._awaited

    async def wait_for(self, run_id: str, timeout_s: float | None) -> None:
        """Wait until this process executes the run, its viewers are woken, or the time is up."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = self._awaited.setdefault(run_id, set())
        waiting.add(woken)
        try:
            if timeout_s is None:
                await woken
            else:
                await asyncio.wait({woken}, timeout=timeout_s)
        finally:
            waiting.discard(woken)
            if not waiting and self._awaited.get(run_id) is waiting:
                del self._awaited[run_id]

    def wake_all(self) -> None:
        """Wake all viewers of all runs, as when the process shuts down."""
        for live in self.list_all():
            live.wake()
        for run_id in [*self._awaited]:
            self.wake(run_id)

    def wake(self, run_id: str) -> None:
        """Wake the viewers that wait for this run in `wait_for`."""
        for woken in self._awaited.get(run_id, ()):
            if not woken.done():
                woken.set_result(None)

    def expect(self, run: Run, begin: Callable[[], None]) -> LiveRun:
        """Register a run that waits for a slot of this process. begin: ends the waiting."""
        live = self._add(LiveRun(self._store, run, None, True, self._fresh))
        live.begin = begin
        return live

    @asynccontextmanager
    async def held(
        self, run: Run, viewer: Viewer | None = None, *, is_recoverable: bool = False
    ) -> AsyncGenerator[LiveRun]:
        """Register a run as executed by this process inside the block, to extend its lease.
        The block can be stopped.
        """
        live = self._live.get(run.run_id)
        # A claim of the same run is another `Run`, with another fence: it gets a journal of its
        # own.
        if live is None or live.run is not run:  # it has not waited
            live = self._add(LiveRun(self._store, run, viewer, is_recoverable, self._fresh))
        live.task = asyncio.current_task()
        try:
            yield live
        except LeaseLost:
            live.is_lost = True
            raise
        except StoreError as error:
            if is_recoverable:
                await self.set_aside(run, live.journal.step, error)
            raise
        except (RunHandedOver, asyncio.CancelledError):
            if live.journal.is_leaving and not live.is_lost:
                # Tried once: if the database is unreachable, the lease runs out, and the next owner
                # claims the run then.
                await try_once("hand_back", self._store.queue.hand_back(run))
            raise
        finally:
            # Not by the id alone: this process may have claimed the run anew meanwhile.
            if self._live.get(run.run_id) is live:
                del self._live[run.run_id]
            if live.journal.has_ended:
                self._pauses.end(run.run_id)
            self._fresh.discard(live)
            live.close()

    async def set_aside(self, run: Run, step: int, error: Exception) -> None:
        """Release a run after a failed step, so that any process can retry it after a pause.
        If even the release cannot be stored, drop the run and keep its lease.
        """
        pause_s = self._pauses.grow(run.run_id, step, error)
        try:
            await self._store.queue.hand_back(run, pause_s)
        except StoreError:
            self.dropped.add(run.run_id)
        asyncio.get_running_loop().call_later(pause_s, self._watcher.poke, "runs")

    def _add(self, live: LiveRun) -> LiveRun:
        """Register a run, wake viewers that wait for it, and start flushes and heartbeats."""
        self._live[live.run.run_id] = live
        self.wake(live.run.run_id)
        self._keep()
        return live

    async def close(self) -> None:
        """Stop all runs of this process: hand over recoverable ones, cancel the others."""
        live = self.list_all()
        for item in live:
            # A command's run is not recoverable: no other process could take it over, so it is
            # cancelled.
            if item.journal.is_recoverable:
                item.leave(at_once=True)
            else:
                item.cancel()
        for item in live:
            while not item.is_closed:
                await item.wait()
        await end_tasks(*self._keepers.values())

    async def flush(self) -> None:
        """Store the events of all runs that are not stored yet, in one statement."""
        for live in [live for live in self._fresh if not live.journal.events.has_unstored]:
            self._fresh.discard(live)
        unstored = [(live, live.journal.take_events()) for live in self._fresh]
        unstored = [(live, events) for live, events in unstored if events]
        if not unstored:
            return
        stored: set[str] = set()
        is_answered = False
        try:
            batches = [(live.run, events) for live, events in unstored]
            stored = await self._store.record_event_batches(batches)
            is_answered = True
        finally:
            for live, _ in unstored:
                live.end_flush(is_stored=live.run.run_id in stored)
                # Without an answer it is unknown whether they were stored, so they are sent again
                # (test_a_flush_that_the_database_does_not_confirm_does_not_lose_the_run). A run
                # that ends in this moment is no longer `running`, and not lost either
                # (tests/machine/test_flush_at_the_end.py).
                if is_answered and live.run.run_id not in stored and not live.is_ending:
                    live.lose()

    async def beat(self) -> None:
        """Extend the leases of all runs of this process.

        Runs whose lease is lost, or which a user cancelled, are stopped.
        """
        # Only runs in the request can be missing from the answer: a run that begins meanwhile is
        # not lost.
        before = dict(self._live)
        owned = await self._store.queue.heartbeat(self.owner, [*before], self._limits.lease_s)
        self._expect_beat()
        for run_id, live in before.items():
            if run_id not in owned and not live.is_ending:
                live.lose()
            elif owned.get(run_id):
                live.cancel()

    def _keep(self) -> None:
        """Start the tasks that flush events and extend leases, unless they work already.
        Each stops by itself when there are no runs, the flush sooner than the beat.
        """
        for name, work in (("flush", self._flush_always), ("beat", self._beat_always)):
            keeper = self._keepers.get(name)
            if keeper is None or keeper.done():
                self._keepers[name] = asyncio.create_task(work())
                self._expect_beat()

    async def _flush_always(self) -> None:
        """Flush events at each interval while there are runs."""
        while self._live:
            await asyncio.sleep(self._limits.event_flush_ms / 1000)
            await try_once("flush", self.flush())
        stop_trying("flush")

    async def _beat_always(self) -> None:
        """Extend leases, and poll for cancel requests in between, while there are runs."""
        due = time.monotonic() + self._limits.heartbeat_s
        while self._live:
            await asyncio.sleep(min(self._limits.cancel_poll_s, self._limits.heartbeat_s))
            if time.monotonic() >= due:
                due = time.monotonic() + self._limits.heartbeat_s
                await try_once("heartbeat", self.beat())
            else:
                await try_once("cancel_poll", self._look_for_cancels())
        stop_trying("heartbeat", "cancel_poll")

    def _expect_beat(self) -> None:
        """Set the alarm for a heartbeat that does not return within a lease.
        A timer, as a beat may hang: viewers of runs here would wait for nothing while others have
        the runs (test_viewers_are_disconnected_when_the_database_is_unreachable).
        """
        if self._alarm is not None:
            self._alarm.cancel()
        self.is_cut_off = False
        self._alarm = asyncio.get_running_loop().call_later(self._limits.lease_s, self._doubt)

    def _doubt(self) -> None:
        """Ask the database once more, because a heartbeat has not returned within a lease."""
        if self._live:
            self._keepers["doubt"] = asyncio.create_task(self._ask_again())

    async def _ask_again(self) -> None:
        """Try one more heartbeat; without an answer, disconnect all viewers.
        It may have been this process that stood still (tests/runs/test_pauses.py).
        """
        try:
            async with asyncio.timeout(ANSWER_S):
                await self.beat()
        except (StoreError, TimeoutError):
            self.is_cut_off = True
            self.wake_all()

    async def _look_for_cancels(self) -> None:
        """Stop the runs here for which another process requested a cancel."""
        for run_id in await self._store.queue.list_cancel_requests(self.owner):
            live = self._live.get(run_id)
            if live is not None:
                live.cancel()
