"""Cancelling at the provider what a replay has there and no process looks after any more."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from ...errors import AgentError
from ...store import batches as store_waves
from ...store.batches import Wave
from ...store.ownership import make_owner
from ...store.store import Store
from ..live.lane import Lane
from .driver import find_wave_api

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
                wave = await store_waves.claim_wave(tx, replay_id, owner, LEASE_S)
            if wave is None:
                return cancelled
            cancelled += await _cancel(store, tenant_id, wave, lanes)
    finally:
        async with store.transaction(tenant_id) as tx:
            await store_waves.release_waves(tx, replay_id, owner)


async def _cancel(store: Store, tenant_id: str, wave: Wave, lanes: Mapping[str, Lane]) -> bool:
    try:
        _, api = find_wave_api(wave, lanes)
        batch_id = wave.batch_id
        if batch_id is None:
            async with store.transaction(tenant_id) as tx:
                foreign = await store_waves.list_batch_ids(tx, wave)
            found = await api.find(wave.mark, wave.requests, wave.created_at, foreign)
            if found is None or not found.is_certain:
                return False
            batch_id = found.state.batch_id
        await api.cancel(batch_id)
    except AgentError as error:
        logger.warning("batch_not_cancelled", extra={"wave": wave.n, "reason": error.message})
        return False
    return True
