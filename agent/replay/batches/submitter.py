"""The submitter of a process: its conversations' calls wait here until a batch takes them.

A batch closes when no conversation of the process can go on without an answer, or when the first
call has waited long enough. What a batch does from then on is `runner`'s.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from ...base.finishing import end_tasks
from ...config.settings import Limits
from ...errors import AgentError, LeaseLost, ModelError, StoreError
from ...store import batches as store_batches
from ...store.batches import KnownOutcome, ProviderBatch, RequestId
from ...store.replays import ReplayInfo
from ...store.store import Store
from ...types import LLMResponse
from ..live.lane import Lane
from .chat import BatchCall
from .creation import BatchCreator
from .polling import Polling
from .rows import BatchRows
from .runner import BatchRunner
from .writing import BatchWriter, Parked, Waiter, split_calls

logger = logging.getLogger(__name__)

TICK_S: Final = 1.0


@dataclass(slots=True)
class Activity:
    """Counts who of the process's workers could still add a call to the next batch."""

    workers: int = 0
    in_items: int = 0  # workers that have a conversation
    busy: int = 0  # of these, those that do not wait for an answer
    is_exhausted: bool = False  # the last look found no conversation to begin

    @property
    def is_complete(self) -> bool:
        """Whether nobody could."""
        return self.busy == 0 and (self.in_items == self.workers or self.is_exhausted)


@dataclass(slots=True)
class BatchSubmitter:
    """Takes calls, gives answers. on_progress: told in words how far the batches are.

    `run` must be running; `close` ends all that was begun, not what is at the provider.
    """

    store: Store
    tenant_id: str
    info: ReplayInfo
    lanes: Mapping[str, Lane]
    owner: str
    on_progress: Callable[[str], None]
    activity: Activity = field(default_factory=Activity)
    _parked: dict[Hashable, list[Parked]] = field(default_factory=dict[Hashable, list[Parked]])
    _held: list[Parked] = field(default_factory=list[Parked])  # for want of room in money
    _waiting: dict[RequestId, Waiter] = field(default_factory=dict[RequestId, Waiter])
    _driven: set[str] = field(default_factory=set[str])  # batch ids
    _tasks: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    _stop: AgentError | None = None
    _rows: BatchRows = field(init=False)
    _limits: Limits = field(init=False)
    _polling: Polling = field(init=False)
    _creator: BatchCreator = field(init=False)
    _runner: BatchRunner = field(init=False)
    _writer: BatchWriter = field(init=False)

    def __post_init__(self) -> None:
        limits = next(iter(self.lanes.values())).settings.limits
        self._rows = BatchRows(
            self.store, self.tenant_id, self.info.replay_id, self.owner, self.tell
        )
        self._limits = limits
        self._polling = Polling(limits.batch_poll_s)
        self._creator = BatchCreator(self._rows, self._polling, limits.lease_s, self.on_progress)
        self._runner = BatchRunner(self._rows, self._creator, self._polling, self.on_progress)
        self._writer = BatchWriter(
            self.store, self.tenant_id, self.info, self.owner, limits.lease_s
        )

    def enter_item(self) -> None:
        self.activity.in_items += 1
        self.activity.busy += 1

    def leave_item(self) -> None:
        """End a conversation: one may begin now that could not begin before."""
        self.activity.in_items -= 1
        self.activity.busy -= 1
        self.activity.is_exhausted = False

    def note_exhausted(self) -> None:
        """A look found no conversation to begin."""
        self.activity.is_exhausted = True
        self._close_if_complete()

    async def ask(self, call: BatchCall) -> LLMResponse:
        """The answer that a batch brings: a new one's, or one that was handed in before.

        Raises: ModelError, BudgetExceeded; ReplayStopped when nothing more is handed in.
        """
        while True:
            self._check_stop()
            found = await self._find(call)
            waiter = Waiter(asyncio.get_running_loop().create_future())
            if found is None:
                parked = Parked(call, waiter, time.monotonic())
                self._parked.setdefault(call.api.group, []).append(parked)
                known = await self._load(await self._rest(waiter))
            else:
                self._waiting[found] = waiter  # first: what is told from now on is not missed
                known = await self._load(found)
                if known.status == "open":
                    known = await self._load(await self._rest(waiter))
                self._waiting.pop(found, None)
            if known.outcome is not None:
                break
        outcome: Any = known.outcome
        try:
            return call.api.read(outcome, call.request)
        except ModelError:
            self._check_stop()  # what was cancelled with the replay is not tried again
            raise

    def tell(self, requests: Iterable[RequestId], error: AgentError | None = None) -> None:
        """Wake those that wait for these requests: an outcome is known, or none will be."""
        for request in requests:
            waiter = self._waiting.pop(request, None)
            if waiter is not None:
                self._wake(waiter, request if error is None else error)

    def stop(self, error: AgentError, *, cancels_batches: bool) -> None:
        """Hand nothing more in. cancels_batches: what is at the provider is not waited for."""
        if self._stop is None:
            self._stop = error
            for parked in self._take_parked():
                self._refuse(parked, error)
        if cancels_batches:
            self._polling.cancel(error)

    async def run(self) -> None:
        """Take up batches left alone, hear of those of others, close what waits long."""
        limits = self._limits
        beaten_at = 0.0
        while True:
            with suppress(StoreError):
                if time.monotonic() - beaten_at >= limits.heartbeat_s:
                    await self._beat(limits.lease_s)
                    beaten_at = time.monotonic()
                await self._hear()
            self._retry_held()
            oldest = min((p.since for group in self._parked.values() for p in group), default=None)
            if oldest is not None and time.monotonic() - oldest >= limits.batch_wait_s:
                self._close()
            await asyncio.sleep(min(TICK_S, limits.heartbeat_s))

    async def close(self) -> None:
        """Stop looking after batches: anybody may go on with them at once."""
        await end_tasks(*self._tasks)
        with suppress(StoreError):
            await self._rows.execute(store_batches.release_batches, self.info.replay_id, self.owner)

    async def _beat(self, lease_s: float) -> None:
        execute, arguments = self._rows.execute, (self.info.replay_id, self.owner, lease_s)
        await execute(store_batches.extend_batches, *arguments, self._driven)
        while (batch := await execute(store_batches.claim_batch, *arguments)) is not None:
            self._driven.add(batch.batch_id)
            self._begin(self._look_after(batch, self._runner.adopt(batch, self.lanes)))

    async def _hear(self) -> None:
        """Of batches that another process looks after."""
        foreign = [r for r in self._waiting if r.batch_id not in self._driven]
        if foreign:
            self.tell(await self._rows.execute(store_batches.list_known, foreign))

    def _close_if_complete(self) -> None:
        if self.activity.is_complete:
            self._close()

    def _close(self) -> None:
        groups = list(self._parked.values())
        self._parked = {}
        for group in groups:
            for parked in split_calls(group, self._refuse):
                self._begin(self._send(parked))

    async def _send(self, parked: list[Parked]) -> None:
        """Write a batch down and look after it."""
        try:
            written = await self._writer.write(parked)
        except AgentError as error:
            for one in parked:
                self._refuse(one, error)
            return
        for one, error in written.refused:
            self._refuse(one, error)
        self._held += written.held
        if written.batch is None:
            return
        batch = written.batch
        for place, one in enumerate(written.accepted):
            self._waiting[RequestId(batch.batch_id, place)] = one.waiter
        await self._look_after(batch, self._runner.drive(batch, written.accepted))

    async def _look_after(self, batch: ProviderBatch, work: Coroutine[Any, Any, None]) -> None:
        self._driven.add(batch.batch_id)
        try:
            await work
        except LeaseLost:
            # Somebody else goes on with it, and is heard of; or does so from now on.
            with suppress(StoreError):
                await self._rows.release(batch)
        except AgentError as error:
            logger.warning("batch_left", extra={"batch": batch.n, "reason": error.message})
            self.tell([r for r in self._waiting if r.batch_id == batch.batch_id], error)
            with suppress(StoreError):
                await self._rows.release(batch)
        except Exception as error:  # the edge: whoever waits must hear of it
            logger.exception("batch_failed", extra={"batch": batch.n})
            told = AgentError(f"{type(error).__name__}: {error}", code="INTERNAL_ERROR")
            self.tell([r for r in self._waiting if r.batch_id == batch.batch_id], told)
        finally:
            self._driven.discard(batch.batch_id)
            self._retry_held(now=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rest(self, waiter: Waiter) -> RequestId:
        """Wait to be told; whoever tells counts the worker as busy again."""
        if not waiter.future.done():
            waiter.is_resting = True
            self.activity.busy -= 1
            self._close_if_complete()
        try:
            return await waiter.future
        except asyncio.CancelledError:
            if waiter.future.cancelled():
                self.activity.busy += 1
            raise

    def _retry_held(self, *, now: bool = False) -> None:
        """What had no room in money may have it, now that other requests have their prices."""
        pause_s = 0.0 if now else self._limits.batch_poll_s
        held, self._held = self._held, []
        for parked in held:
            if time.monotonic() - parked.since < pause_s:
                self._held.append(parked)
            else:
                parked.since = time.monotonic()
                self._parked.setdefault(parked.call.api.group, []).append(parked)
        self._close_if_complete()

    def _refuse(self, parked: Parked, error: AgentError) -> None:
        self._wake(parked.waiter, error)

    def _wake(self, waiter: Waiter, told: RequestId | AgentError) -> None:
        """Its worker counts as busy from now on."""
        if waiter.future.done():
            return
        self.activity.busy += waiter.is_resting
        if isinstance(told, AgentError):
            waiter.future.set_exception(told)
        else:
            waiter.future.set_result(told)

    def _take_parked(self) -> list[Parked]:
        taken = [parked for group in self._parked.values() for parked in group] + self._held
        self._parked, self._held = {}, []
        return taken

    def _check_stop(self) -> None:
        if self._stop is not None:
            raise self._stop

    async def _find(self, call: BatchCall) -> RequestId | None:
        return await self._rows.insist(
            store_batches.find_request,
            self.info.replay_id,
            call.item.lane,
            call.item.n,
            call.turn,
            call.call,
            call.start.fingerprint,
            (call.handle.provider, call.handle.model),
        )

    async def _load(self, request: RequestId) -> KnownOutcome:
        return await self._rows.insist(store_batches.load_outcome, request)
