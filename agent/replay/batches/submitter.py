"""The desk of a process: its conversations' calls wait here until a wave takes them.

A wave closes when no conversation of the process can go on without an answer, or when the first
call has waited long enough. What a wave does from then on is `wave_driver`'s.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from ...config.settings import Limits
from ...errors import AgentError, LeaseLost, ModelError, StoreError
from ...store import batches as store_waves
from ...store.batches import KnownOutcome, RequestId, Wave
from ...store.replays import ReplayInfo
from ...store.store import Store
from ...types import LLMResponse
from ..live.lane import Lane
from ..live.patience import keep_trying
from .chat import WaveCall
from .driver import WaveDriver
from .rows import WaveRows
from .submitting import WaveSubmitter
from .waiting import Waiting
from .writing import Parked, Waiter, WaveWriter, split_calls

logger = logging.getLogger(__name__)

TICK_S: Final = 1.0


@dataclass(slots=True)
class Attendance:
    """Who of the process's workers could still add a call to the next wave."""

    workers: int = 0
    in_items: int = 0  # workers that have a conversation
    busy: int = 0  # of these, those that do not wait for an answer
    is_exhausted: bool = False  # the last look found no conversation to begin

    @property
    def is_complete(self) -> bool:
        """Whether nobody could."""
        return self.busy == 0 and (self.in_items == self.workers or self.is_exhausted)


@dataclass(slots=True)
class WaveDesk:
    """Takes calls, gives answers. on_wave: told in words how far the waves are.

    `run` must be running; `close` ends all that was begun, not what is at the provider.
    """

    store: Store
    tenant_id: str
    info: ReplayInfo
    lanes: Mapping[str, Lane]
    owner: str
    on_wave: Callable[[str], None]
    attendance: Attendance = field(default_factory=Attendance)
    _parked: dict[Hashable, list[Parked]] = field(default_factory=dict[Hashable, list[Parked]])
    _held: list[Parked] = field(default_factory=list[Parked])  # for want of room in money
    _waiting: dict[RequestId, Waiter] = field(default_factory=dict[RequestId, Waiter])
    _driven: set[str] = field(default_factory=set[str])  # wave ids
    _tasks: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    _stop: AgentError | None = None
    _rows: WaveRows = field(init=False)
    _limits: Limits = field(init=False)
    _waiters: Waiting = field(init=False)
    _submitter: WaveSubmitter = field(init=False)
    _driver: WaveDriver = field(init=False)
    _writer: WaveWriter = field(init=False)

    def __post_init__(self) -> None:
        limits = next(iter(self.lanes.values())).settings.limits
        self._rows = WaveRows(
            self.store, self.tenant_id, self.info.replay_id, self.owner, self.tell
        )
        self._limits = limits
        self._waiters = Waiting(limits.batch_poll_s)
        self._submitter = WaveSubmitter(self._rows, self._waiters, limits.lease_s, self.on_wave)
        self._driver = WaveDriver(self._rows, self._submitter, self._waiters, self.on_wave)
        self._writer = WaveWriter(self.store, self.tenant_id, self.info, self.owner, limits.lease_s)

    # Workers

    def enter_item(self) -> None:
        self.attendance.in_items += 1
        self.attendance.busy += 1

    def leave_item(self) -> None:
        """There may be something to begin now that could not be begun before."""
        self.attendance.in_items -= 1
        self.attendance.busy -= 1
        self.attendance.is_exhausted = False

    def note_exhausted(self) -> None:
        """A look found no conversation to begin."""
        self.attendance.is_exhausted = True
        self._close_if_complete()

    # Calls

    async def ask(self, call: WaveCall) -> LLMResponse:
        """The answer that a wave brings: a new one's, or one that was handed in before.

        Raises: ModelError, BudgetExceeded; ReplayStopped when nothing more is handed in.
        """
        while True:
            self._check_stop()
            found = await keep_trying(lambda: self._find(call))
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
            self._waiters.cancel(error)

    # The desk's own work

    async def run(self) -> None:
        """Take up waves that nobody looks after, hear of those of others, close what waits long."""
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
        """Stop looking after waves: anybody may go on with them at once."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(StoreError):
            await self._rows.execute(store_waves.release_waves, self.info.replay_id, self.owner)

    async def _beat(self, lease_s: float) -> None:
        arguments = self.info.replay_id, self.owner, lease_s
        await self._rows.execute(store_waves.extend_waves, *arguments, self._driven)
        while (wave := await self._rows.execute(store_waves.claim_wave, *arguments)) is not None:
            self._begin(self._look_after(wave, self._driver.adopt(wave, self.lanes)), wave.wave_id)

    async def _hear(self) -> None:
        """Of waves that another process looks after."""
        foreign = [r for r in self._waiting if r.wave_id not in self._driven]
        if foreign:
            self.tell(await self._rows.execute(store_waves.list_known, foreign))

    def _close_if_complete(self) -> None:
        if self.attendance.is_complete:
            self._close()

    def _close(self) -> None:
        groups = list(self._parked.values())
        self._parked = {}
        for group in groups:
            for parked in split_calls(group, self._refuse):
                self._begin(self._send(parked))

    async def _send(self, parked: list[Parked]) -> None:
        """Write a wave down and look after it."""
        try:
            written = await self._writer.write(parked)
        except AgentError as error:
            for one in parked:
                self._refuse(one, error)
            return
        for one, error in written.refused:
            self._refuse(one, error)
        self._held += written.held
        if written.wave is None:
            return
        wave = written.wave
        for place, one in enumerate(written.accepted):
            self._waiting[RequestId(wave.wave_id, place)] = one.waiter
        self._driven.add(wave.wave_id)
        await self._look_after(wave, self._driver.drive(wave, written.accepted))

    async def _look_after(self, wave: Wave, work: Coroutine[Any, Any, None]) -> None:
        self._driven.add(wave.wave_id)
        try:
            await work
        except LeaseLost:
            # Somebody else goes on with it, and is heard of; or does so from now on.
            with suppress(StoreError):
                await self._rows.release(wave)
        except AgentError as error:
            logger.warning("wave_left", extra={"wave": wave.n, "reason": error.message})
            self.tell([r for r in self._waiting if r.wave_id == wave.wave_id], error)
            with suppress(StoreError):
                await self._rows.release(wave)
        except Exception as error:  # the edge: whoever waits must hear of it
            logger.exception("wave_failed", extra={"wave": wave.n})
            told = AgentError(f"{type(error).__name__}: {error}", code="INTERNAL_ERROR")
            self.tell([r for r in self._waiting if r.wave_id == wave.wave_id], told)
        finally:
            self._driven.discard(wave.wave_id)
            self._retry_held(now=True)

    def _begin(self, work: Coroutine[Any, Any, None], wave_id: str | None = None) -> None:
        if wave_id is not None:
            self._driven.add(wave_id)
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rest(self, waiter: Waiter) -> RequestId:
        """Wait to be told; whoever tells counts the worker as busy again."""
        if not waiter.future.done():
            waiter.is_resting = True
            self.attendance.busy -= 1
            self._close_if_complete()
        try:
            return await waiter.future
        except asyncio.CancelledError:
            if waiter.future.cancelled():
                self.attendance.busy += 1
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
        self.attendance.busy += waiter.is_resting
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

    async def _find(self, call: WaveCall) -> RequestId | None:
        return await self._rows.execute(
            store_waves.find_request,
            self.info.replay_id,
            call.item.lane,
            call.item.n,
            call.turn,
            call.call,
            call.start.fingerprint,
            (call.handle.provider, call.handle.model),
        )

    async def _load(self, request: RequestId) -> KnownOutcome:
        load = store_waves.load_outcome
        return await keep_trying(lambda: self._rows.execute(load, request))
