"""One batch from its rows to its outcomes; each step bears a kill after it.

The rows are written (`submitting`), the batch is created at the provider, its id is noted (`open`),
it is polled, its outcomes are recorded (`ended`). A batch that is adopted while it is `submitting`
is looked for at the provider: it is there, or it is `lost` and its calls join another one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ...base.text import format_count
from ...errors import ConfigError, ModelError, ModelNotFoundError
from ...providers.batching import BatchApi, BatchState, Outcome
from ...providers.model_handle import ModelHandle
from ...store.batches import OpenRequest, ProviderBatch, RequestId
from ..live.lane import Lane
from .chat import Place, open_for_batches
from .creation import BatchCreator
from .polling import Polling, cancel_quietly
from .rows import BatchRows
from .writing import Parked

logger = logging.getLogger(__name__)

RECORDED_AT_ONCE: Final = 20
OVERDUE_S: Final = 3600.0  # that a batch may be open beyond the provider's own deadline
CANCEL_WAIT_S: Final = 60.0  # for what a cancelled batch had answered already
CANCEL_POLL_S: Final = 2.0
_EXPIRED: Final[Outcome] = {"kind": "expired", "status": None, "request_id": None, "body": None}


@dataclass(slots=True)
class BatchRunner:
    """Looks after batches of one process. on_progress: told in words how far they are."""

    rows: BatchRows
    creator: BatchCreator
    polling: Polling  # cancelled: what is at the provider is cancelled, its answers still taken
    on_progress: Callable[[str], None]

    async def drive(self, batch: ProviderBatch, parked: Sequence[Parked]) -> None:
        """A batch that was just written.

        Raises: AgentError when nobody is to wait for it any more; LeaseLost when others look after
        it.
        """
        first = parked[0].call
        lines = [
            one.call.api.to_line(RequestId(batch.batch_id, place).custom_id, one.call.request)
            for place, one in enumerate(parked)
        ]
        self.on_progress(
            f"batch {batch.n}: {format_count(batch.requests, 'request')} to {first.handle.label}"
        )
        await self._go(batch, first.api, first.handle, lines)

    async def adopt(self, batch: ProviderBatch, lanes: Mapping[str, Lane]) -> None:
        """A batch that nobody looked after. Raises: as `drive`."""
        handle, api = find_batch_api(batch, lanes)
        await self._go(batch, api, handle, None)

    async def _go(
        self,
        batch: ProviderBatch,
        api: BatchApi,
        handle: ModelHandle,
        lines: Sequence[Mapping[str, Any]] | None,
    ) -> None:
        if batch.provider_batch_id is not None:
            state = await self._look(batch, api, batch.provider_batch_id)
        else:
            if lines is not None:
                state = await self.creator.submit(batch, api, lines)
            elif (state := await self.creator.find(batch, api)) is None:
                await self.creator.lose(batch)
            if state is None:
                return
            batch = await self.creator.mark(batch, api, state)
        if state is not None:
            state = await self._poll(batch, api, state)
        await self._collect(batch, api, handle, state)

    async def _look(self, batch: ProviderBatch, api: BatchApi, batch_id: str) -> BatchState | None:
        """How far the batch is; None when the provider does not know it any more."""
        pause_s = self.polling.first_s
        while True:
            try:
                return await api.load_state(batch_id)
            except ModelNotFoundError:
                return None
            except ModelError as error:
                if not error.retryable:
                    raise
                logger.warning("batch_not_seen", extra={"batch": batch.n, "reason": error.message})
            self.polling.check_cancelled()
            pause_s = await self.polling.pause(pause_s)

    async def _poll(
        self, batch: ProviderBatch, api: BatchApi, state: BatchState
    ) -> BatchState | None:
        """The batch when it has ended; None when the provider has lost it, or does not end it.

        Raises: what cancelled it, when it does not end soon.
        """
        pause_s = self.polling.first_s
        told = -1
        cancelled_at: float | None = None
        while not state.is_ended:
            if state.answered != told:
                told = state.answered
                self.on_progress(f"batch {batch.n}: {told}/{batch.requests} answered")
                await self.rows.mark(batch, state)
            if cancelled_at is None and (self.polling.is_cancelled or _is_overdue(state)):
                await cancel_quietly(api, state.batch_id)
                cancelled_at = time.monotonic()
            if cancelled_at is not None:
                if time.monotonic() - cancelled_at > CANCEL_WAIT_S:
                    self.polling.check_cancelled()
                    return None
                await asyncio.sleep(min(CANCEL_POLL_S, self.polling.first_s))
            else:
                pause_s = await self.polling.pause(pause_s)
            seen = await self._look(batch, api, state.batch_id)
            if seen is None:
                return None
            state = seen
        return state

    async def _collect(
        self, batch: ProviderBatch, api: BatchApi, handle: ModelHandle, state: BatchState | None
    ) -> None:
        """Record every outcome, each once. state None: the provider has nothing to give."""
        pause_s = self.polling.first_s
        while state is not None:
            try:
                await self._take_all(batch, api, handle, state)
                break
            except ModelNotFoundError:
                state = None
            except ModelError as error:
                if not error.retryable:
                    raise
                logger.warning("batch_not_read", extra={"batch": batch.n, "reason": error.message})
            self.polling.check_cancelled()
            pause_s = await self.polling.pause(pause_s)
        left = await self.rows.list_open(batch)
        missing = _EXPIRED if state is None else api.explain_missing(state)
        await self.rows.record(batch, api, handle, [(request, missing) for request in left])
        await self.rows.end(batch)
        self.on_progress(f"batch {batch.n}: {batch.requests}/{batch.requests} answered")

    async def _take_all(
        self, batch: ProviderBatch, api: BatchApi, handle: ModelHandle, state: BatchState
    ) -> None:
        """Record what the provider has, as it arrives. Raises: ModelError."""
        left = {request.place: request for request in await self.rows.list_open(batch)}
        if not left:
            return
        taken: list[tuple[OpenRequest, Outcome]] = []
        try:
            async with aclosing(api.list_outcomes(state)) as outcomes:
                async for custom_id, outcome in outcomes:
                    request = _take(left, batch, custom_id)
                    if request is not None:
                        taken.append((request, outcome))
                    if len(taken) >= RECORDED_AT_ONCE:
                        await self.rows.record(batch, api, handle, taken)
                        taken = []
        finally:
            await self.rows.record(batch, api, handle, taken)


def find_batch_api(batch: ProviderBatch, lanes: Mapping[str, Lane]) -> tuple[ModelHandle, BatchApi]:
    """The model that the batch was handed in for, by today's settings.

    Raises: ConfigError when they name another one, or none with a batch API.
    """
    where = Place(**batch.handle)
    if where.lane not in lanes:
        raise ConfigError(f"there is no lane {where.lane} to look after the batch {batch.n}")
    chain = lanes[where.lane].models.resolve_chain(where.role, where.worker)
    if where.place >= len(chain):
        raise ConfigError(f"the lane {where.lane} has no model {where.place} for {where.role}")
    handle, api = open_for_batches(chain[where.place])
    if (handle.provider, handle.model) != (batch.provider, batch.model):
        raise ConfigError(
            f"the batch {batch.n} is at {batch.provider}:{batch.model}, and the settings now say "
            f"{handle.label}"
        )
    return handle, api


def _take(left: dict[int, OpenRequest], batch: ProviderBatch, custom_id: str) -> OpenRequest | None:
    """The open request that the custom_id names, taken out."""
    mark, _, place = custom_id.rpartition("-")
    return left.pop(int(place), None) if mark == batch.mark and place.isdecimal() else None


def _is_overdue(state: BatchState) -> bool:
    """Whether the provider keeps it open long after its own deadline."""
    deadline = state.expires_at
    return deadline is not None and datetime.now(UTC) > deadline + timedelta(seconds=OVERDUE_S)
