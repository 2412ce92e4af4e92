"""Finds runs that nobody works on: of dead owners, handed back, decided, queued.

Looking is cheap and goes on all the time; a claim is atomic in the database, so any number of
processes may look at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from agent.config import Limits
from agent.core.persistence import Store
from agent.core.store_queue import Claim
from agent.errors import StoreError
from agent.live_runs import LiveRuns

logger = logging.getLogger(__name__)

Take = Callable[[Claim], Awaitable[None]]


class Recovery:
    """take: what is done with a claimed run; it must not raise but StoreError."""

    def __init__(self, store: Store, live: LiveRuns, limits: Limits, take: Take) -> None:
        self._store = store
        self._live = live
        self._limits = limits
        self._take = take
        self._poked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._look_always())

    def poke(self) -> None:
        """Look at once: there is something to be found."""
        self._poked.set()

    async def stop(self) -> None:
        """Claim nothing more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def look(self) -> int:
        """Take what can be taken now; returns how many runs that were."""
        queue, owner, lease_s = self._store.queue, self._live.owner, self._limits.lease_s
        dead = await queue.list_dead_owners()
        # As late as possible: what begins here meanwhile is held as well.
        held = [live.run.run_id for live in self._live.list_all()]
        dropped = [run_id for run_id in self._live.dropped if run_id not in held]
        claims = await queue.claim_lost_runs(owner, lease_s, dead=dead, dropped=dropped, held=held)
        self._live.dropped.difference_update(dropped)
        for claim in claims:
            await self._take_surely(claim)
        taken = len(claims)
        while (claim := await queue.claim_queued_run(owner, lease_s)) is not None:
            await self._take_surely(claim)
            taken += 1
        return taken

    async def _take_surely(self, claim: Claim) -> None:
        """A run that could not be taken after all is looked for again."""
        try:
            await self._take(claim)
        except BaseException as error:
            self._live.dropped.add(claim.run.run_id)
            if not isinstance(error, StoreError):
                raise

    async def _look_always(self) -> None:
        while True:
            self._poked.clear()
            try:
                await self.look()
            except StoreError:
                logger.warning("recovery_failed", exc_info=True)
            except Exception:  # the edge: the next look may succeed
                logger.exception("recovery_failed")
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.recovery_s):
                    await self._poked.wait()
