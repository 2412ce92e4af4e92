"""A batch's rows, as whoever looks after it writes them; those that wait are told."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ...errors import AgentError, LeaseLost
from ...providers.batching import BatchApi, BatchState, Outcome
from ...providers.model_handle import ModelHandle
from ...store import batches as store_batches
from ...store import ledger as store_ledger
from ...store.batches import BatchStatus, OpenRequest, ProviderBatch, RequestId
from ...store.database import Queryable
from ...store.outages import keep_trying
from ...store.store import Store
from .settlement import settle_lost, settle_outcome

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Tell(Protocol):
    """Wakes those that wait for these requests; error: why they get no outcome."""

    def __call__(self, requests: Iterable[RequestId], error: AgentError | None = None) -> None: ...


@dataclass(slots=True)
class BatchRows:
    """The batches of one replay, for one owner."""

    store: Store
    tenant_id: str
    replay_id: str
    owner: str
    tell: Tell

    async def execute(self, block: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        async with self.store.transaction(self.tenant_id) as tx:
            return await block(tx, *arguments)

    async def insist(self, block: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """Execute the block, again while the database is away."""
        return await keep_trying(lambda: self.execute(block, *arguments))

    async def release(self, batch: ProviderBatch) -> None:
        """Let anybody go on with it."""
        await self.execute(
            store_batches.release_batches, self.replay_id, self.owner, batch.batch_id
        )

    async def list_foreign(self, batch: ProviderBatch) -> set[str]:
        """The provider's ids of other batches."""
        return await self.insist(store_batches.list_batch_ids, batch)

    async def load_status(self, batch: ProviderBatch) -> BatchStatus | None:
        found = await self.insist(store_batches.load_batch, batch.batch_id)
        return None if found is None else found[0]

    async def hold(self, batch: ProviderBatch, lease_s: float) -> float:
        """Keep it for a lease; since when, in monotonic seconds. Raises: LeaseLost."""

        async def write() -> float:
            began = time.monotonic()
            await self.execute(store_batches.hold_batch, batch, lease_s)
            return began

        return await keep_trying(write)

    async def mark(self, batch: ProviderBatch, state: BatchState) -> ProviderBatch:
        """Note how far the provider's batch is. Raises: LeaseLost."""
        arguments = batch, state.batch_id, state.expires_at, state.answered
        return await self.insist(store_batches.mark_submitted, *arguments)

    async def lose(self, batch: ProviderBatch, code: str, error: AgentError | None) -> None:
        """The provider does not have it. Those that wait get the error, or join another batch."""

        async def write(tx: Queryable) -> list[OpenRequest]:
            requests = await store_batches.list_open_requests(tx, batch)
            rows = [{"place": r.place, "status": "failed", "outcome": None} for r in requests]
            await store_batches.end_batch(tx, batch, "lost")
            await store_batches.record_outcomes(tx, batch, rows)
            settled = [settle_lost(request, self.tenant_id, code) for request in requests]
            await store_ledger.settle_calls(tx, settled, None)
            return requests

        requests = await self.insist(write)
        self.tell([RequestId(batch.batch_id, r.place) for r in requests], error)

    async def list_open(self, batch: ProviderBatch) -> list[OpenRequest]:
        return await self.insist(store_batches.list_open_requests, batch)

    async def record(
        self,
        batch: ProviderBatch,
        api: BatchApi,
        handle: ModelHandle,
        taken: Sequence[tuple[OpenRequest, Outcome]],
    ) -> None:
        """Outcomes and the ledger's usage, each once."""
        if not taken:
            return
        made = [
            settle_outcome(batch, request, outcome, api, handle, self.tenant_id)
            for request, outcome in taken
        ]

        async def write(tx: Queryable) -> None:
            written = await store_batches.record_outcomes(tx, batch, [row for row, _ in made])
            settled = [call for row, call in made if row["place"] in written]
            if settled:
                await store_ledger.settle_calls(tx, settled, None)

        await self.insist(write)
        self.tell([RequestId(batch.batch_id, request.place) for request, _ in taken])

    async def end(self, batch: ProviderBatch) -> None:
        """Somebody else may have ended it: then there is nothing left to do."""
        try:
            await self.insist(store_batches.end_batch, batch, "ended")
        except LeaseLost:
            logger.info("batch_ended_by_another", extra={"batch": batch.n})
