"""The journal of one run: events as they happen, and all that rides with the current step.

Nodes tell it what they did and decided; the loop commits it, once per step, with the update. A step
may wait for the first model call of the next one: it is stored with that call's ledger row, in one
transaction, and so before anything else happens outside.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

from ..base.finishing import finish_despite_cancel
from ..base.work_time import Stopwatch
from ..errors import StoreError
from ..events import Done, Event, NodeEnd, RunEvent
from ..store.connecting.queryable import Queryable, Statement, StepTransaction
from ..store.records import (
    SEQ_ROOM,
    ApprovalRequest,
    AvoidedCall,
    CallSettled,
    CallStart,
    Granted,
    LastWords,
    Run,
    RunEnd,
    StepCommit,
    ToolCallRecord,
    WaitStart,
    leave_open,
    undo_effect,
)
from ..types import Message, Update
from .observing import tell_events
from .seams import RunStore

Viewer = Callable[[Event], None]
Guard = Callable[[Coroutine[Any, Any, None]], Awaitable[None]]
QUIET_S: Final = 0.25  # so long the beginning of a step is not stored by itself
_BEGINNINGS: Final = frozenset({"run_start", "node_start"})


class RunParked(Exception):
    """The run waits for people now; nothing is left to do here."""


class RunLeft(Exception):
    """Somebody else shall go on with the run, from the step that was about to begin."""


class Journal:
    """Keeps what one run has done since its last commit. Made by the runner, one per run.

    partial_text: the answer of the step that is not committed yet, as far as it was shown.
    stored_seq: the last stored event's number. is_recoverable: when this process cannot go on,
    somebody takes the run up again. is_leaving: that is so now, and nothing more is written.
    is_writing: a commit is under way; it finds out by itself whether the run is still ours.
    """

    def __init__(
        self,
        store: RunStore,
        run: Run,
        viewer: Viewer | None = None,
        *,
        is_recoverable: bool = False,
        guard: Guard = finish_despite_cancel,
        lets_wait: bool = True,
    ) -> None:
        """Begin with nothing done. guard: how a write is finished that a cancellation meets.
        lets_wait: False: each step is told at once.
        """
        self.run = run
        self.is_recoverable = is_recoverable
        self.is_leaving = False
        self.stored_seq = run.next_seq - 1
        self._store = store
        self._viewer = viewer
        self._guard = guard
        self._lets_wait = lets_wait
        self._next_seq = run.next_seq
        self.is_writing = False
        self._flushing: list[Event] = []  # on their way to the database, between two commits
        self._transaction: StepTransaction | None = None  # of this step, or of those that wait
        self._waiting: list[StepCommit] = []  # steps that are stored with what comes next
        self._storing = asyncio.Lock()  # calls at once: none begins before those steps are stored
        self._step = run.next_step
        self._node = ""
        self._watch = Stopwatch()
        self.is_step_kept = False  # the step that was begun last is stored, or waits
        self.has_ended = False  # the run's end is stored
        self.is_budget_near = False  # then its next prompts ask for an end
        self.heads: dict[str, Any] = {}  # by worker, how its requests begin (workers/epochs.py)
        self._clear()

    @property
    def step(self) -> int:
        return self._step

    @property
    def node(self) -> str:
        return self._node

    def emit(self, event: RunEvent) -> None:
        """Number an event, hand it to the viewer now, keep it for the step's commit."""
        self._show([self._append(event)])

    def tell_place(self, place: int) -> None:
        """Tell that the run is queued. place: 1 is the next."""
        self.emit({"event": "queued", "data": {"place": place}})

    @property
    def has_unstored(self) -> bool:
        """Whether there is something for a flush, now or in a moment."""
        return bool(self._events)

    def begin_step(self, n: int, node: str) -> None:
        """Raises: RunLeft when somebody else shall go on with the run."""
        if self.is_leaving:
            raise RunLeft
        self._step, self._node = n, node
        self.is_step_kept = False
        self._started_at = datetime.now(UTC)
        self._watch = Stopwatch()
        self.emit({"event": "node_start", "data": {"step": n, "node": node}})

    def note(self, text: str) -> None:
        """Say what was read or decided, and why, for `plainloop explain`."""
        self._notes.append(text)

    def avoid(self, role: str, reason: str, tokens: int) -> None:
        """Record a model call that was not made."""
        self._avoided.append(AvoidedCall(role, reason, tokens))

    def settle(self, call: CallSettled) -> None:
        """Close a ledger row with this step's commit."""
        self._calls.append(call)

    def attach(self, statement: Statement) -> None:
        """Execute a statement, which gives a row, with this step's commit."""
        self._attached.append(statement)

    def record_tool_call(self, call: ToolCallRecord) -> None:
        """Keep what a call came to for the step's commit."""
        self._tool_calls.append(call)

    async def open_transaction(self) -> Queryable:
        """The step's transaction, opened on first use; committed or rolled back with the step."""
        await self.store_waiting()
        if self._transaction is None:
            self._transaction = await self._store.open_step_transaction(self.run)
        return self._transaction

    @asynccontextmanager
    async def undoable(self) -> AsyncGenerator[Queryable]:
        """The step's transaction; what the block does in it is undone, alone, when it raises. One
        block at a time. The first needs no savepoint: the transaction begins with it.
        """
        if self._transaction is not None and not self._waiting:
            async with self._transaction.savepoint():
                yield self._transaction
            return
        try:
            yield await self.open_transaction()
        except BaseException as error:
            await self._rollback(must_answer=isinstance(error, Exception))
            raise

    async def record_call_start(self, start: CallStart) -> Granted | None:
        """Record the start as the store does; the steps that wait are stored with it, or before."""
        async with self._storing:
            if self._waiting and self._store.is_free(start):
                await self._store_waiting(start)
                return None
            await self.store_waiting()
        return await self._store.record_call_start(start)

    async def store_waiting(self) -> None:
        """Something else than a call comes next. Raises: LeaseLost."""
        if self._waiting:
            await self._store_waiting(None)

    async def commit(
        self,
        update: Update,
        next_node: str,
        end: RunEnd | None,
        done: Done,
        *,
        may_wait: bool = False,
    ) -> None:
        """Write the step: update, ledger, tool calls, events and, on the last one, the run's end.

        may_wait: the next node is `quiet`.

        Raises: LeaseLost when another process owns the run now.
        """
        left: NodeEnd = {"step": self._step, "node": self._node, "next": next_node}
        unseen = [self._append({"event": "node_end", "data": left})]
        if end is not None:
            unseen.append(self._append({"event": "done", "data": done}))
        commit = StepCommit(
            n=self._step,
            node=self._node,
            update=update,
            next_node=next_node,
            started_at=self._started_at,
            duration_ms=round(self._watch.worked_s * 1000),
            calls=tuple(self._calls),
            tool_calls=tuple(self._tool_calls),
            avoided=tuple(self._avoided),
            notes=tuple(self._notes),
            events=self._list_unstored(),
            end=end,
            attached=tuple(self._attached),
        )
        may_wait = may_wait and self._lets_wait and end is None and not self.is_leaving
        if may_wait and (self._transaction is None or self._transaction.may_wait):
            self._waiting.append(commit)
            self._clear()
            self.is_step_kept = True
            self._show(unseen)
            return

        # From here on: a flush must not take the same events before the task below begins
        # (test_a_flush_takes_nothing_that_a_commit_is_about_to_write).
        self.is_writing = True

        async def record() -> None:
            with self._writing(unseen):
                await self._record(commit)
                self.is_step_kept = True
                self.has_ended = end is not None

        # As one piece: what is stored must not be written again when a cancellation follows it
        # (test_a_run_cancelled_at_any_moment_leaves_a_usable_thread).
        await self._guard(record())

    async def finish(self, end: RunEnd, messages: list[Message]) -> None:
        """End the run outside a step: error, cancel or limit. What rode with the step is kept,
        except the effects of its transaction, which are rolled back.

        messages: sealed; usually the text that was shown before the end.
        """
        if not self._waiting:
            await self._rollback()
        if self.has_ended:
            return
        await self.store_waiting()
        told = self._append(end.to_event())
        with self._writing([told]):
            last = LastWords(
                messages,
                self._calls,
                [undo_effect(call) for call in self._tool_calls],
                self._list_unstored(),
                self._notes,
                self._step,
            )
            await self._store.finish_run(self.run, end, last)
            self.has_ended = True

    async def park(
        self,
        asked: Sequence[ApprovalRequest],
        tool_calls: Sequence[ToolCallRecord],
        expire_s: float,
    ) -> None:
        """Let the run wait for people. asked: the new requests; viewers are told of them once they
        can be decided.

        Raises: LeaseLost when another process owns the run now.
        """
        await self.store_waiting()
        unseen = [self._append(item.to_event(expire_s)) for item in asked]
        self.is_writing = True
        start = WaitStart(self._step, asked, expire_s, tool_calls, self._list_unstored())

        async def record() -> None:
            with self._writing(unseen):
                await self._store.queue.park(self.run, start)
                self.has_ended = True  # as far as this owner is concerned

        await self._guard(record())

    async def leave(self) -> None:
        """Stop without a word: somebody else goes on with the run, or has begun to."""
        self.is_leaving = True
        await self._rollback()
        calls = [*(call for commit in self._waiting for call in commit.calls), *self._calls]
        self._calls = [leave_open(call) for call in calls]
        with suppress(StoreError):
            await self.settle_now(self.run.tenant_id)

    def take_events(self) -> list[Event]:
        """Take what no commit has stored, to be stored now; `end_flush` must follow.

        A commit does not wait for that: it holds a connection, and the flush may need one. It
        stores the same events once more, and readers take each number once.
        """
        is_busy = self.is_writing or self._waiting or self._flushing or self.is_leaving
        # A step that has just begun: its end will tell that too.
        is_quiet = all(event["event"] in _BEGINNINGS for event in self._events)
        if is_busy or (is_quiet and self._watch.passed_s < QUIET_S):
            return []
        room = self.stored_seq + SEQ_ROOM
        self._flushing = [event for event in self._events if event["seq"] <= room]
        self._events = self._events[len(self._flushing) :]
        return self._flushing

    def end_flush(self, *, is_stored: bool) -> None:
        """Note whether what `take_events` gave is stored, or is to be stored again."""
        flushing, self._flushing = self._flushing, []
        if is_stored:
            self.stored_seq = max(self.stored_seq, flushing[-1]["seq"])
        else:
            left = [event for event in flushing if event["seq"] > self._kept_seq]
            self._events = [*left, *self._events]

    async def settle_now(self, tenant_id: str) -> None:
        """Close the open ledger rows of calls that belong to no run."""
        calls, self._calls = self._calls, []
        if calls:
            await self._store.settle_calls(tenant_id, calls)

    def _append(self, event: RunEvent) -> Event:
        record: Event = {"seq": self._next_seq, "event": event["event"], "data": {**event["data"]}}
        self._next_seq += 1
        self._events.append(record)
        return record

    def _show(self, events: Sequence[Event]) -> None:
        tell_events(self.run, events)
        if self._viewer:
            for event in events:
                self._viewer(event)

    def _list_unstored(self) -> tuple[Event, ...]:
        """All events that no commit and no flush has certainly stored, oldest first."""
        return (*(e for e in self._flushing if e["seq"] > self._kept_seq), *self._events)

    @property
    def _kept_seq(self) -> int:
        """The number of the last event that is stored, or part of a step that waits."""
        return self._waiting[-1].events[-1]["seq"] if self._waiting else self.stored_seq

    # Not async: that would be a frame more on every stack (tests/machine/test_frames.py).
    def _store_waiting(self, call: CallStart | None) -> Awaitable[None]:
        self.is_writing = True
        return self._guard(self._record(call=call))

    async def _record(self, *last: StepCommit, call: CallStart | None = None) -> None:
        """Store the steps that wait, and what follows them."""
        transaction, self._transaction = self._transaction, None
        try:
            await self._store.record_steps(self.run, [*self._waiting, *last], transaction, call)
        except BaseException:
            if transaction is not None:  # what was written in it is gone: they are not done
                lost, self._waiting = self._waiting, []
                self._calls[:0] = [call for commit in lost for call in commit.calls]
                self._tool_calls[:0] = [call for commit in lost for call in commit.tool_calls]
                self._events[:0] = [event for commit in lost for event in commit.events]
            raise
        finally:
            self.is_writing = False
        self.stored_seq, self._waiting = self._kept_seq, []

    @contextmanager
    def _writing(self, unseen: Sequence[Event]) -> Generator[None]:
        """While inside, nothing else stores the events. `unseen` are shown once they are stored:
        what ends a stream must be true. When the write fails they are void.
        """
        self.is_writing = True
        try:
            yield
        except BaseException:
            self._events = self._events[: len(self._events) - len(unseen)]
            self._next_seq -= len(unseen)
            raise
        finally:
            self.is_writing = False
        self._clear()
        self.stored_seq = self._next_seq - 1
        self._show(unseen)

    async def _rollback(self, *, must_answer: bool = False) -> None:
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            await transaction.rollback(must_answer=must_answer)

    def _clear(self) -> None:
        self._events: list[Event] = []
        self._calls: list[CallSettled] = []
        self._tool_calls: list[ToolCallRecord] = []
        self._avoided: list[AvoidedCall] = []
        self._notes: list[str] = []
        self._attached: list[Statement] = []
        self.partial_text = ""
