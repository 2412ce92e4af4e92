"""Looks after shadows and canaries in every replica; all that it knows is in rows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from plainloop.agent.service.service import Service
from plainloop.agent.store.outages import try_once
from plainloop.agent.store.store import Store

from ..store import rollouts as store_rollouts
from ..store.rollouts import RolloutKind


class RolloutHost:
    """Runs shadows and canaries. `start` before use, `drain` at the end."""

    def __init__(self, service: Service) -> None:
        self._store = service.store
        self._watcher = service.watcher
        self._wait_s = service.settings.limits.run_timeout_s

    async def start(self) -> None:
        """Start polling for running shadows and canaries."""
        self._watcher.start("rollouts", self.look)

    async def drain(self) -> None:
        """Stop polling for running shadows and canaries."""
        await self._watcher.stop("rollouts")

    def list_routes(self, app: object) -> tuple[()]:
        """Return no routes: rollouts have none."""
        return ()

    async def look(self) -> None:
        """Check all running shadows and canaries once."""
        for found in await store_rollouts.list_running(self._store):
            look_after = await asyncio.to_thread(load_work)
            own = (found.tenant_id, found.rollout_id, found.kind)
            work = look_after(self._store, *own, self._wait_s)
            await try_once("rollout", work)


def load_work() -> Callable[[Store, str, str, RolloutKind, float], Awaitable[None]]:
    """Import the function that checks a rollout.

    The import takes 0.2 s, so call this in a thread.
    """
    from .rollouts import look_after

    return look_after
