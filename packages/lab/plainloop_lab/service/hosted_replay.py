"""A live replay that a service works on, beside its live runs."""

from __future__ import annotations

import asyncio
from typing import Final

from plainloop.agent.service.service import Service

from ..live.plan import LivePlan
from ..live.spend_limit import ReplayStopped
from ..store import replays as store_replays
from ..store.replays import HostedReplay
from .hosting import open_hosted_lanes
from .worker import ReplayWorker

WAY_PAUSE_S: Final = 0.05  # until it is looked again whether live runs leave room


async def replay(service: Service, found: HostedReplay) -> None:
    """Run a service's live replay in this process until it has no open items.

    Raises: ReplayStopped, AgentError.
    """
    rows = service.store.read(found.tenant_id)
    info = await store_replays.load_replay(rows, None, found.replay_id)
    if info.is_cancelled:
        raise ReplayStopped("the replay was cancelled", hint="Start a new replay.")
    plan = LivePlan.from_json(info.candidate)
    lanes = await open_hosted_lanes(plan, service)

    async def make_way() -> None:
        busy = service.live.list_all
        while plan.beside is not None and len(busy()) > plan.beside:  # noqa: ASYNC110 nobody tells us
            await asyncio.sleep(WAY_PAUSE_S)

    worker = ReplayWorker(service.store, found.tenant_id, info, lanes, make_way=make_way)
    await worker.run(info.source["concurrency"])
