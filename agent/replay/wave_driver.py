"""One wave from its rows to its outcomes; each step bears a kill after it.

The rows are written (`submitting`), the batch is created at the provider, its id is noted (`open`),
it is polled, its outcomes are recorded (`ended`). A wave that is adopted while it is `submitting`
is looked for at the provider: it is there, or it is `lost` and its calls join another one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol, TypeVar

from agent.config import Limits
from agent.core import store_ledger, store_waves
from agent.core.database import Queryable
from agent.core.llm import choose_pause
from agent.core.models import ModelHandle
from agent.core.persistence import Store
from agent.core.store_waves import OpenRequest, RequestId, Wave
from agent.errors import (
    AgentError,
    ConfigError,
    LeaseLost,
    ModelConnectionError,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelTimeout,
    RateLimited,
)
from agent.providers.batching import BatchApi, BatchState, Outcome, open_batch_api
from agent.replay.live import Lane
from agent.replay.patience import keep_trying
from agent.replay.wave_chat import Place, find_handle
from agent.replay.wave_results import LOST, settle_lost, settle_outcome
from agent.replay.wave_writing import Parked

logger = logging.getLogger(__name__)

RECORDED_AT_ONCE: Final = 20
SUBMIT_TRIES: Final = 4
FIND_TRIES: Final = 2  # what was just handed in may not be listed yet
SLOWER_BY: Final = 1.5  # each look at a batch comes so much later than the one before
SLOWEST: Final = 10  # times the first pause
OVERDUE_S: Final = 3600.0  # that a batch may be open beyond the provider's own deadline
CANCEL_WAIT_S: Final = 60.0  # for what a cancelled batch had answered already
CANCEL_POLL_S: Final = 2.0
# Failures after which the provider may have the batch all the same.
_UNSURE: Final = (ModelTimeout, ModelConnectionError, ModelOverloaded)
_EXPIRED: Final[Outcome] = {"kind": "expired", "status": None, "request_id": None, "body": None}
T = TypeVar("T")


class Tell(Protocol):
    """Wakes those that wait for these requests; error: why they get no outcome."""

    def __call__(self, requests: Iterable[RequestId], error: AgentError | None = None) -> None: ...


@dataclass(slots=True)
class WaveDriver:
    """Looks after waves of one process. on_wave: told in words how far they are.

    beaten_at: monotonic seconds of the last heartbeat: how surely the leases are still held.
    """

    store: Store
    tenant_id: str
    replay_id: str
    owner: str
    limits: Limits
    tell: Tell
    on_wave: Callable[[str], None]
    beaten_at: float = field(default_factory=time.monotonic)
    _cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    _cancel_reason: AgentError | None = None

    def cancel(self, reason: AgentError) -> None:
        """Cancel at the provider what is there; what was answered already is still taken."""
        self._cancel_reason = reason
        self._cancelled.set()

    async def drive(self, wave: Wave, parked: Sequence[Parked]) -> None:
        """A wave that was just written.

        Raises: AgentError when nobody is to wait for it any more; LeaseLost when others look after
        it.
        """
        first = parked[0].call
        lines = [
            one.call.api.to_line(RequestId(wave.wave_id, place).custom_id, one.call.request)
            for place, one in enumerate(parked)
        ]
        self.on_wave(f"wave {wave.n}: {count_requests(wave)} to {first.handle.label}")
        await self._go(wave, first.api, first.handle, lines)

    async def adopt(self, wave: Wave, lanes: Mapping[str, Lane]) -> None:
        """A wave that nobody looked after. Raises: as `drive`."""
        handle, api = find_wave_api(wave, lanes)
        await self._go(wave, api, handle, None)

    async def release(self, wave: Wave) -> None:
        """Let anybody go on with it."""
        await self.execute(store_waves.release_waves, self.replay_id, self.owner, wave.wave_id)

    async def execute(self, block: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        async with self.store.transaction(self.tenant_id) as tx:
            return await block(tx, *arguments)

    async def _go(
        self,
        wave: Wave,
        api: BatchApi,
        handle: ModelHandle,
        lines: Sequence[Mapping[str, Any]] | None,
    ) -> None:
        if wave.batch_id is None:
            state = await self._submit(wave, api, lines)
            if state is None:
                return
            wave = await self._mark(wave, state)
            lines = None
        else:
            state = await self._look(wave, api, wave.batch_id)
        if state is not None:
            state = await self._poll(wave, api, state)
        await self._collect(wave, api, handle, state)

    # Handing in

    async def _submit(
        self, wave: Wave, api: BatchApi, lines: Sequence[Mapping[str, Any]] | None
    ) -> BatchState | None:
        """The provider's batch; None when there is none and the wave is lost.

        lines: None where they are not at hand. Raises: ModelError when it is not known whether
        the provider has it: then the wave stays, and is looked for again.
        """
        tries = 0
        while True:
            if lines is None or tries:
                found = await self._find(wave, api)
                if found is not None:
                    return found
                if lines is None:
                    await self._lose(wave, LOST)
                    return None
            tries += 1
            try:
                self._check_lease()
                return await api.create(wave.mark, lines)
            except _UNSURE as error:
                if tries >= SUBMIT_TRIES:
                    raise
                await asyncio.sleep(choose_pause(error, tries))
            except ModelError as error:
                if isinstance(error, RateLimited) and tries < SUBMIT_TRIES:
                    await asyncio.sleep(choose_pause(error, tries))
                    continue
                await self._lose(wave, error.code, _explain(error, api))
                return None

    async def _find(self, wave: Wave, api: BatchApi) -> BatchState | None:
        """The wave at the provider. Waits while it cannot be told from others there."""
        missed = 0
        while True:
            foreign = await self.execute(store_waves.list_batch_ids, wave)
            found = await api.find(wave.mark, wave.requests, wave.created_at, foreign)
            if found is not None and found.is_certain:
                return found.state
            missed += found is None
            if missed >= FIND_TRIES:
                return None
            await asyncio.sleep(self.limits.batch_poll_s)

    async def _mark(self, wave: Wave, state: BatchState) -> Wave:
        """Note that the provider has it. Raises: LeaseLost."""
        arguments = wave, state.batch_id, state.expires_at, state.answered
        try:
            return await keep_trying(lambda: self.execute(store_waves.mark_submitted, *arguments))
        except LeaseLost:
            logger.warning("wave_went_on_without_us", extra={"batch_id": state.batch_id})
            raise

    async def _lose(self, wave: Wave, code: str, error: AgentError | None = None) -> None:
        """The provider does not have it. Those that wait get the error, or join another wave."""

        async def write(tx: Queryable) -> list[OpenRequest]:
            requests = await store_waves.list_open_requests(tx, wave)
            rows = [{"place": r.place, "status": "failed", "outcome": None} for r in requests]
            await store_waves.end_wave(tx, wave, "lost")
            await store_waves.record_outcomes(tx, wave, rows)
            settled = [settle_lost(request, self.tenant_id, code) for request in requests]
            await store_ledger.settle_calls(tx, settled, None)
            return requests

        requests = await keep_trying(lambda: self.execute(write))
        self.on_wave(f"wave {wave.n}: not taken by the provider")
        self.tell([RequestId(wave.wave_id, r.place) for r in requests], error)

    def _check_lease(self) -> None:
        """Raises: LeaseLost when others may be looking for the wave by now."""
        if time.monotonic() - self.beaten_at > self.limits.lease_s / 2:
            raise LeaseLost("this process was away too long to hand a wave in")

    # Waiting

    async def _look(self, wave: Wave, api: BatchApi, batch_id: str) -> BatchState | None:
        """How far the batch is; None when the provider does not know it any more."""
        pause_s = self.limits.batch_poll_s
        while True:
            try:
                return await api.load_state(batch_id)
            except ModelNotFoundError:
                return None
            except ModelError as error:
                if not error.retryable:
                    raise
                logger.warning("wave_not_seen", extra={"wave": wave.n, "reason": error.message})
            await asyncio.sleep(pause_s)
            pause_s = self._slow_down(pause_s)

    async def _poll(self, wave: Wave, api: BatchApi, state: BatchState) -> BatchState | None:
        """The batch when it has ended; None when the provider has lost it.

        Raises: what cancelled it, when it does not end soon.
        """
        pause_s = self.limits.batch_poll_s
        told = -1
        cancelled_at: float | None = None
        while not state.is_ended:
            if state.answered != told:
                told = state.answered
                self.on_wave(f"wave {wave.n}: {told}/{wave.requests} answered")
                await self._mark(wave, state)
            if state.expires_at and _is_overdue(state.expires_at):
                await _cancel_quietly(api, state.batch_id)
                return None
            if self._cancelled.is_set() and cancelled_at is None:
                await _cancel_quietly(api, state.batch_id)
                cancelled_at = time.monotonic()
            if cancelled_at is not None:
                if time.monotonic() - cancelled_at > CANCEL_WAIT_S and self._cancel_reason:
                    raise self._cancel_reason
                await asyncio.sleep(min(CANCEL_POLL_S, self.limits.batch_poll_s))
            else:
                await self._pause(pause_s)
                pause_s = self._slow_down(pause_s)
            seen = await self._look(wave, api, state.batch_id)
            if seen is None:
                return None
            state = seen
        return state

    async def _pause(self, pause_s: float) -> None:
        """Until it is over, or the replay is cancelled."""
        try:
            async with asyncio.timeout(pause_s):
                await self._cancelled.wait()
        except TimeoutError:
            pass

    # Taking

    async def _collect(
        self, wave: Wave, api: BatchApi, handle: ModelHandle, state: BatchState | None
    ) -> None:
        """Record every outcome, each once. state None: the provider has nothing to give."""
        pause_s = self.limits.batch_poll_s
        while state is not None:
            try:
                await self._take_all(wave, api, handle, state)
                break
            except ModelNotFoundError:
                state = None
            except ModelError as error:
                if not error.retryable:
                    raise
                logger.warning("wave_not_read", extra={"wave": wave.n, "reason": error.message})
            await asyncio.sleep(pause_s)
            pause_s = self._slow_down(pause_s)
        left = await self._list_open(wave)
        missing = _EXPIRED if state is None else api.explain_missing(state)
        await self._record(wave, api, handle, [(request, missing) for request in left])
        await keep_trying(lambda: self._end(wave))
        self.on_wave(f"wave {wave.n}: {wave.requests}/{wave.requests} answered")

    async def _take_all(
        self, wave: Wave, api: BatchApi, handle: ModelHandle, state: BatchState
    ) -> None:
        """Record what the provider has, as it arrives. Raises: ModelError."""
        left = {request.place: request for request in await self._list_open(wave)}
        taken: list[tuple[OpenRequest, Outcome]] = []
        try:
            if left:
                async for custom_id, outcome in api.list_outcomes(state):
                    request = _take(left, wave, custom_id)
                    if request is not None:
                        taken.append((request, outcome))
                    if len(taken) >= RECORDED_AT_ONCE:
                        await self._record(wave, api, handle, taken)
                        taken = []
        finally:
            await self._record(wave, api, handle, taken)

    async def _list_open(self, wave: Wave) -> list[OpenRequest]:
        return await keep_trying(lambda: self.execute(store_waves.list_open_requests, wave))

    def _slow_down(self, pause_s: float) -> float:
        return min(pause_s * SLOWER_BY, self.limits.batch_poll_s * SLOWEST)

    async def _record(
        self,
        wave: Wave,
        api: BatchApi,
        handle: ModelHandle,
        taken: Sequence[tuple[OpenRequest, Outcome]],
    ) -> None:
        if not taken:
            return
        made = [
            settle_outcome(wave, request, outcome, api, handle, self.tenant_id)
            for request, outcome in taken
        ]

        async def write(tx: Queryable) -> None:
            written = await store_waves.record_outcomes(tx, wave, [row for row, _ in made])
            settled = [call for row, call in made if row["place"] in written]
            if settled:
                await store_ledger.settle_calls(tx, settled, None)

        await keep_trying(lambda: self.execute(write))
        self.tell([RequestId(wave.wave_id, request.place) for request, _ in taken])

    async def _end(self, wave: Wave) -> None:
        """Somebody else may have ended it: then there is nothing left to do."""
        try:
            await self.execute(store_waves.end_wave, wave, "ended")
        except LeaseLost:
            logger.info("wave_ended_by_another", extra={"wave": wave.n})


def find_wave_api(wave: Wave, lanes: Mapping[str, Lane]) -> tuple[ModelHandle, BatchApi]:
    """The model that the wave was handed in for, by today's settings.

    Raises: ConfigError when they name another one.
    """
    where = Place(**wave.handle)
    if where.lane not in lanes:
        raise ConfigError(f"there is no lane {where.lane} to look after the wave {wave.n}")
    handle = find_handle(where, lanes[where.lane])
    if (handle.provider, handle.model) != (wave.provider, wave.model):
        raise ConfigError(
            f"the wave {wave.n} is at {wave.provider}:{wave.model}, and the settings now say "
            f"{handle.label}"
        )
    return handle, open_batch_api(handle.chat)


def count_requests(wave: Wave) -> str:
    """In words."""
    return "1 request" if wave.requests == 1 else f"{wave.requests} requests"


def _take(left: dict[int, OpenRequest], wave: Wave, custom_id: str) -> OpenRequest | None:
    """The open request that the custom_id names, taken out."""
    mark, _, place = custom_id.rpartition("-")
    return left.pop(int(place), None) if mark == wave.mark and place.isdecimal() else None


def _is_overdue(expires_at: datetime) -> bool:
    return datetime.now(UTC) > expires_at + timedelta(seconds=OVERDUE_S)


async def _cancel_quietly(api: BatchApi, batch_id: str) -> None:
    """One that has just ended cannot be cancelled, and need not be."""
    try:
        await api.cancel(batch_id)
    except ModelError as error:
        logger.warning("batch_not_cancelled", extra={"batch_id": batch_id, "code": error.code})


def _explain(error: ModelError, api: BatchApi) -> ModelError:
    """A server that speaks the provider's protocol need not have its batch API."""
    if isinstance(error, ModelNotFoundError) and "batch" not in error.message:
        error.hint = f"Does the server have a batch API for {api.endpoint}? {error.hint or ''}"
    return error
