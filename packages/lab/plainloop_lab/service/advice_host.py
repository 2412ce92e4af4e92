"""Advice that services give: searched by one process at a time, bought by any, as replays are.

    row in `advices` ──► claimed ──► the search asks for a step ──► a hosted replay of its own
                                             ▲                             │ ended
                                             └── outcomes of both sides ◄──┘

A process that goes down leaves the steps: the next one searches again from the beginning, and each
step that was bought answers at once. So the search keeps nothing but its rows.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.errors import AgentError, StoreError
from plainloop.agent.service.service import Service
from plainloop.agent.service.settings import RunLimits

from ..live.spend_limit import ReplayStopped
from ..store import advices as store_advices
from ..store import replays as store_replays

logger = logging.getLogger(__name__)

MOST_ADVICES: Final = 2  # that one process searches at once


class AdviceLost(Exception):
    """The advice has ended, or another process works on it."""


class AdviceHost:
    """Works on advice for services. poke: starts work on replays. load: imports the search."""

    def __init__(
        self, service: Service, poke: Callable[[], None], load: Callable[[], Search]
    ) -> None:
        self._service, self._store = service, service.store
        self._limits = service.settings.get_table(RunLimits)
        self._poke = poke
        self._load = load
        self._working: dict[str, asyncio.Task[None]] = {}
        self._stepped = asyncio.Event()  # set at each look: a replay may have ended

    async def drain(self) -> None:
        """Stop searching for advice in this process.

        Other processes continue.
        """
        await end_tasks(*self._working.values())

    async def look(self) -> None:
        """Start searching for open advice.

        Wakes running searches, so that they check their replays.
        """
        self._stepped.set()
        self._stepped = asyncio.Event()
        owner = self._service.owner
        for tenant_id, advice_id in await store_advices.list_open_advices(
            self._store, owner, MOST_ADVICES * 2
        ):
            if len(self._working) < MOST_ADVICES and advice_id not in self._working:
                task = asyncio.create_task(self._work(tenant_id, advice_id))
                self._working[advice_id] = task

    async def _work(self, tenant_id: str, advice_id: str) -> None:
        told, error = {"advice_id": advice_id}, None
        rows = self._store.read(tenant_id)
        try:
            search = await asyncio.to_thread(self._load)
            await search(self, self._service, tenant_id, advice_id)
        except AdviceLost:
            pass
        except StoreError:
            logger.warning("advice_waits", extra=told)
        except ReplayStopped:
            error = ("CANCELLED", "one of its replays was cancelled")
        except AgentError as caught:  # nothing to try, a candidate that cannot answer any more
            error = (caught.code, caught.message)
        except Exception as caught:  # the edge: advice is no reason to end the process
            logger.exception("advice_failed", extra=told)
            error = ("INTERNAL_ERROR", type(caught).__name__)
        finally:
            with suppress(StoreError):
                if error is not None:
                    status = "cancelled" if error[0] == "CANCELLED" else "failed"
                    await store_advices.finish_advice(rows, advice_id, status, None, error)
                await store_advices.release_advice(rows, advice_id, self._service.owner)
            del self._working[advice_id]

    async def keep_claim(self, tenant_id: str, advice_id: str) -> None:
        """Extend this process's claim of advice (a search for cheaper models).

        Raises: AdviceLost.
        """
        rows, owner = self._store.read(tenant_id), self._service.owner
        if not await store_advices.claim_advice(rows, advice_id, owner, self._limits.lease_s):
            raise AdviceLost

    async def finish_replay(
        self, tenant_id: str, advice_id: str, replay_id: str
    ) -> store_replays.ReplayInfo:
        """Wait until a replay that this advice needs has ended, and return it.

        Raises: AdviceLost, ReplayStopped.
        """
        rows = self._store.read(tenant_id)
        self._poke()
        while True:
            stepped = self._stepped
            info = await store_replays.load_replay(rows, None, replay_id)
            if info.is_cancelled or info.status == "cancelled":
                raise ReplayStopped("the replay was cancelled", hint="Start new advice.")
            # A stopped one has spent its money: it stays open for whoever raises its limit.
            if info.ended_at is not None or info.status == "stopped":
                return info
            await self.keep_claim(tenant_id, advice_id)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.heartbeat_s):
                    await stepped.wait()


# host, service, tenant_id, advice_id
Search = Callable[[AdviceHost, Service, str, str], Awaitable[None]]
