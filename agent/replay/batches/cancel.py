"""Cancelling at the provider what a replay has there and no process looks after any more."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from ...errors import AgentError
from ...store import batches as store_batches
from ...store.batches import ProviderBatch
from ...store.leases import make_owner
from ...store.store import Store
from ..live.lane import Lane
from .runner import find_batch_api

logger = logging.getLogger(__name__)

LEASE_S = 60.0


async def cancel_orphans(
    store: Store, tenant_id: str, replay_id: str, lanes: Mapping[str, Lane]
) -> int:
    """How many batches were cancelled. What they answered before is taken by `replay resume`."""
    owner = make_owner()
    cancelled = 0
    try:
        while True:
            async with store.transaction(tenant_id) as tx:
                batch = await store_batches.claim_batch(tx, replay_id, owner, LEASE_S)
            if batch is None:
                return cancelled
            cancelled += await _cancel(store, tenant_id, batch, lanes)
    finally:
        async with store.transaction(tenant_id) as tx:
            await store_batches.release_batches(tx, replay_id, owner)


async def _cancel(
    store: Store, tenant_id: str, batch: ProviderBatch, lanes: Mapping[str, Lane]
) -> bool:
    try:
        _, api = find_batch_api(batch, lanes)
        batch_id = batch.provider_batch_id
        if batch_id is None:
            async with store.transaction(tenant_id) as tx:
                foreign = await store_batches.list_batch_ids(tx, batch)
            found = await api.find(batch.mark, batch.requests, batch.created_at, foreign)
            if found is None or not found.is_certain:
                return False
            batch_id = found.state.batch_id
        await api.cancel(batch_id)
    except AgentError as error:
        logger.warning("batch_not_cancelled", extra={"batch": batch.n, "reason": error.message})
        return False
    return True
