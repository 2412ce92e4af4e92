"""The journal of one run: what its current step has done, until the step is stored.

Nodes record what they did and decided; the loop commits it, once per step, with the update. A step
may wait for the first model call of the next one: it is stored with that call's ledger row, in one
transaction, and so before anything else happens outside. Events are kept in an `EventBuffer`.

    begin_step ──► open ──commit──► writing ──► stored ──begin_step──► open …
                    │ └──commit, may wait──► waiting ──next call or commit──► writing
                    ├──suspend, finish──► writing ──► ended: nothing more is written
                    └──leave──► left: another process goes on
    writing fails ──► open again; with a step's own transaction, the waiting steps are undone too
    hand_over ──► the next begin_step raises RunHandedOver
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from ..base.finishing import finish_despite_cancel
from ..base.time.work_time import Stopwatch
from ..errors import StoreError
from ..events import Done, Event, NodeEnd
from ..store.connecting.queryable import Queryable, StepTransaction
from ..store.records import (
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
from .event_buffer import EventBuffer, Viewer
from .run_store import RunStore

Guard = Callable[[Coroutine[Any, Any, None]], Awaitable[None]]
START_FLUSH_DELAY_S: Final = 0.25  # so long the beginning of a step is not stored by itself


class RunSuspended(Exception):
    """The run is suspended until its approvals are decided; this process is done with it."""


class RunHandedOver(Exception):
    """Another process shall continue the run with the step that was about to begin."""


class StepDraft(msgspec.Struct):
    """Collects the records of the current step (notes, calls, writes), without its events."""

    calls: list[CallSettled] = msgspec.field(default_factory=list[CallSettled])
    tool_calls: list[ToolCallRecord] = msgspec.field(default_factory=list[ToolCallRecord])
    avoided: list[AvoidedCall] = msgspec.field(default_factory=list[AvoidedCall])
    notes: list[str] = msgspec.field(default_factory=list[str])
    learned: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])


class Journal:
    """Records the steps of one run. Made by the runner, one per run.

    Others read these, only the journal sets them. is_recoverable: when this process cannot go on,
    another one takes the run up again. is_leaving: that is so now, and nothing more is written.
    is_writing: a commit is under way; it finds out by itself whether the run is still ours.
    is_step_kept: the step that was begun last is stored, or waits. has_ended: the run's end is
    stored. step, node: of the step that was begun last. `AnswerStream` sets partial_text: the
    answer of the step that is not stored yet, as far as it was shown; whoever meets a hard budget
    that is nearly used up sets is_budget_near: the next prompts ask for an end.
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
        self.is_writing = False
        self.is_step_kept = False
        self.has_ended = False
        self.is_budget_near = False
        self.heads: dict[str, Any] = {}  # by worker, how its requests begin (workers/epochs.py)
        self.events = EventBuffer(run, viewer)
        self.emit = self.events.emit
        self._store = store
        self._guard = guard
        self._lets_wait = lets_wait
        self._transaction: StepTransaction | None = None  # of this step, or of those that wait
        self._waiting: list[StepCommit] = []  # steps that are stored with what comes next
        self._last_message: Message | None = None  # that a step of this process added
        self._storing = asyncio.Lock()  # calls at once: none begins before those steps are stored
        self.step = run.next_step
        self.node = ""
        self._watch = Stopwatch()
        self._draft = StepDraft()
        self.partial_text = ""

    def hand_over(self) -> None:
        """Make the next `begin_step` raise RunHandedOver, so that another process continues."""
        self.is_leaving = True

    def tell_place(self, place: int) -> None:
        """Emit the event `queued` with the run's position in the queue (1 = next)."""
        self.emit({"event": "queued", "data": {"place": place}})

    def begin_step(self, n: int, node: str) -> None:
        """Begin step `n` and emit `node_start`. Raises: RunHandedOver after `hand_over`."""
        if self.is_leaving:
            raise RunHandedOver
        self.step, self.node = n, node
        self.is_step_kept = False
        self._started_at = datetime.now(UTC)
        self._watch = Stopwatch()
        self.emit({"event": "node_start", "data": {"step": n, "node": node}})

    def note(self, text: str) -> None:
        """Add a note to the step's record (a decision and its reason) for `plainloop explain`."""
        self._draft.notes.append(text)

    def avoid(self, role: str, reason: str, tokens: int) -> None:
        """Record that the step avoided a model call, with the reason and the saved tokens."""
        self._draft.avoided.append(AvoidedCall(role, reason, tokens))

    def settle(self, call: CallSettled) -> None:
        """Let the step's commit settle this attempt's ledger row."""
        self._draft.calls.append(call)

    def learn(self, learned: dict[str, Any]) -> None:
        """Let the step's commit store what was learned about a triage template."""
        self._draft.learned.append(learned)

    def record_tool_call(self, call: ToolCallRecord) -> None:
        """Let the step's commit store a tool call's outcome."""
        self._draft.tool_calls.append(call)

    async def open_transaction(self) -> Queryable:
        """Return the step's transaction, which opens at first use and ends with the step."""
        if self._waiting:
            await self._store_waiting(None, opens=self._transaction is None)
        if self._transaction is None:
            self._transaction = await self._store.open_step_transaction(self.run)
        return self._transaction

    @asynccontextmanager
    async def undoable(self) -> AsyncGenerator[Queryable]:
        """Yield the step's transaction, and undo only this block's changes if the block raises.
        One block at a time. The first needs no savepoint: the transaction begins with it.
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
        """Record at once that a model call begins; deferred steps are stored first or with it."""
        async with self._storing:
            if self._waiting and self._store.is_free(start):
                await self._store_waiting(start)
                return None
            await self.store_waiting()
        return await self._store.record_call_start(start)

    async def store_waiting(self) -> None:
        """Store the deferred steps now. Raises: LeaseLost."""
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
        """Store the finished step with all its effects, and the run's end with the last step.

        may_wait: the next node is `quiet`.

        Raises: LeaseLost when another process owns the run now.
        """
        left: NodeEnd = {"step": self.step, "node": self.node, "next": next_node}
        unseen = [self.events.append({"event": "node_end", "data": left})]
        if end is not None:
            unseen.append(self.events.append({"event": "done", "data": done}))
        commit = StepCommit(
            n=self.step,
            node=self.node,
            update=update,
            next_node=next_node,
            started_at=self._started_at,
            duration_ms=round(self._watch.worked_s * 1000),
            calls=tuple(self._draft.calls),
            tool_calls=tuple(self._draft.tool_calls),
            avoided=tuple(self._draft.avoided),
            notes=tuple(self._draft.notes),
            events=self.events.list_unstored(),
            end=end,
            learned=tuple(self._draft.learned),
            before=self._last_message,
        )
        self._last_message = [self._last_message, *update.get("messages", ())][-1]
        may_wait = may_wait and self._lets_wait and end is None and not self.is_leaving
        if may_wait and (self._transaction is None or self._transaction.may_wait):
            self._waiting.append(commit)
            self._draft, self.partial_text = StepDraft(), ""
            self.events.hold()
            self.is_step_kept = True
            self.events.show(unseen)
            return

        # From here on: a flush must not take the same events before the task below begins
        # (test_a_flush_takes_no_events_while_a_commit_is_running).
        self.is_writing = True

        async def record() -> None:
            with self._writing(unseen):
                await self._record(None, False, commit)
                self.is_step_kept = True
                self.has_ended = end is not None

        # As one piece: what is stored must not be written again when a cancellation follows it
        # (test_a_run_cancelled_at_any_moment_leaves_a_usable_thread).
        await self._guard(record())

    async def finish(self, end: RunEnd, messages: list[Message]) -> None:
        """Store a run's end that no step caused (an error, cancellation or limit).
        The step's notes and calls are stored, the effects of its transaction rolled back.

        messages: sealed; usually the text that was shown before the end.
        """
        if not self._waiting:
            await self._rollback()
        if self.has_ended:
            return
        await self.store_waiting()
        last = self.events.append(end.to_event())
        with self._writing([last]):
            words = LastWords(
                messages,
                self._draft.calls,
                [undo_effect(call) for call in self._draft.tool_calls],
                self.events.list_unstored(),
                self._draft.notes,
                self.step,
            )
            await self._store.finish_run(self.run, end, words)
            self.has_ended = True

    async def suspend(
        self,
        requests: Sequence[ApprovalRequest],
        tool_calls: Sequence[ToolCallRecord],
        expire_s: float,
    ) -> None:
        """Suspend the run until these approvals are decided, and show the requests to viewers.
        requests: the new ones; viewers see them once they can be decided.

        Raises: LeaseLost when another process owns the run now.
        """
        await self.store_waiting()
        unseen = [self.events.append(item.to_event(expire_s)) for item in requests]
        self.is_writing = True
        start = WaitStart(self.step, requests, expire_s, tool_calls, self.events.list_unstored())

        async def record() -> None:
            with self._writing(unseen):
                await self._store.queue.park(self.run, start)
                self.has_ended = True  # as far as this owner is concerned

        await self._guard(record())

    async def leave(self) -> None:
        """Undo the open step and write nothing more, because another process continues the run."""
        self.is_leaving = True
        await self._rollback()
        calls = [*(call for commit in self._waiting for call in commit.calls), *self._draft.calls]
        self._draft.calls = [leave_open(call) for call in calls]
        with suppress(StoreError):
            await self.settle_now(self.run.tenant_id)

    def take_events(self) -> list[Event]:
        """Return the events that a flush is to store now; [] during a commit.

        Then call `events.end_flush`. A commit does not wait for a flush: it holds a connection,
        and the flush may need one. It stores the events again; readers take each number once.
        """
        if self.is_writing or self._waiting or self.is_leaving:
            return []
        return self.events.take(is_early=self._watch.passed_s < START_FLUSH_DELAY_S)

    async def settle_now(self, tenant_id: str) -> None:
        """Settle the ledger rows of calls passed to `settle` at once, without a commit."""
        calls, self._draft.calls = self._draft.calls, []
        if calls:
            await self._store.settle_calls(tenant_id, calls)

    # Not async: that would be a frame more on every stack (tests/machine/test_frames.py).
    def _store_waiting(self, call: CallStart | None, *, opens: bool = False) -> Awaitable[None]:
        self.is_writing = True
        return self._guard(self._record(call, opens))

    async def _record(self, call: CallStart | None, opens: bool, *last: StepCommit) -> None:
        """Store the deferred steps and these. opens: begin the next step's transaction as well."""
        transaction, self._transaction = self._transaction, None
        steps = [*self._waiting, *last]
        try:
            if opens:
                self._transaction = await self._store.open_step_transaction(self.run, steps)
            else:
                await self._store.record_steps(self.run, steps, transaction, call)
        except BaseException:
            if transaction is not None:  # what was written in it is gone: they are not done
                lost, self._waiting = self._waiting, []
                self._last_message = None
                self._draft.calls[:0] = [call for commit in lost for call in commit.calls]
                self._draft.tool_calls[:0] = [c for commit in lost for c in commit.tool_calls]
                self.events.restore([event for commit in lost for event in commit.events])
            raise
        finally:
            self.is_writing = False
        if self._waiting:
            self._waiting = []
            self.events.store_held()

    @contextmanager
    def _writing(self, unseen: Sequence[Event]) -> Generator[None]:
        """While inside, nothing else stores the events. `unseen` are shown once they are stored:
        what ends a stream must be true. When the write fails they are void.
        """
        self.is_writing = True
        try:
            yield
        except BaseException:
            self.events.void(len(unseen))
            raise
        finally:
            self.is_writing = False
        self._draft, self.partial_text = StepDraft(), ""
        self.events.store_all(unseen)

    async def _rollback(self, *, must_answer: bool = False) -> None:
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            await transaction.rollback(must_answer=must_answer)
