"""A wave's rows, as whoever looks after it writes them; those that wait are told."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ...core.models import ModelHandle
from ...errors import AgentError, LeaseLost
from ...providers.batching import BatchApi, BatchState, Outcome
from ...store import batches as store_waves
from ...store import ledger as store_ledger
from ...store.batches import OpenRequest, RequestId, Wave, WaveStatus
from ...store.database import Queryable
from ...store.store import Store
from ..live.patience import keep_trying
from .results import settle_lost, settle_outcome

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Tell(Protocol):
    """Wakes those that wait for these requests; error: why they get no outcome."""

    def __call__(self, requests: Iterable[RequestId], error: AgentError | None = None) -> None: ...


@dataclass(slots=True)
class WaveRows:
    """The waves of one replay, for one owner."""

    store: Store
    tenant_id: str
    replay_id: str
    owner: str
    tell: Tell

    async def execute(self, block: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        async with self.store.transaction(self.tenant_id) as tx:
            return await block(tx, *arguments)

    async def release(self, wave: Wave) -> None:
        """Let anybody go on with it."""
        await self.execute(store_waves.release_waves, self.replay_id, self.owner, wave.wave_id)

    async def list_foreign(self, wave: Wave) -> set[str]:
        """The provider's ids of other waves."""
        return await keep_trying(lambda: self.execute(store_waves.list_batch_ids, wave))

    async def load_status(self, wave: Wave) -> WaveStatus | None:
        load = store_waves.load_wave
        found = await keep_trying(lambda: self.execute(load, wave.wave_id))
        return None if found is None else found[0]

    async def hold(self, wave: Wave, lease_s: float) -> float:
        """Keep it for a lease; since when, in monotonic seconds. Raises: LeaseLost."""

        async def write() -> float:
            began = time.monotonic()
            await self.execute(store_waves.hold_wave, wave, lease_s)
            return began

        return await keep_trying(write)

    async def mark(self, wave: Wave, state: BatchState) -> Wave:
        """Note how far the provider's batch is. Raises: LeaseLost."""
        arguments = wave, state.batch_id, state.expires_at, state.answered
        return await keep_trying(lambda: self.execute(store_waves.mark_submitted, *arguments))

    async def lose(self, wave: Wave, code: str, error: AgentError | None) -> None:
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
        self.tell([RequestId(wave.wave_id, r.place) for r in requests], error)

    async def list_open(self, wave: Wave) -> list[OpenRequest]:
        return await keep_trying(lambda: self.execute(store_waves.list_open_requests, wave))

    async def record(
        self,
        wave: Wave,
        api: BatchApi,
        handle: ModelHandle,
        taken: Sequence[tuple[OpenRequest, Outcome]],
    ) -> None:
        """Outcomes and the ledger's usage, each once."""
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

    async def end(self, wave: Wave) -> None:
        """Somebody else may have ended it: then there is nothing left to do."""
        try:
            await keep_trying(lambda: self.execute(store_waves.end_wave, wave, "ended"))
        except LeaseLost:
            logger.info("wave_ended_by_another", extra={"wave": wave.n})
