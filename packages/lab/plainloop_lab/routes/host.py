"""Live replays that a service works on: begun over HTTP, taken up by whichever process runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.core.api import ApiRoute
from plainloop.agent.core.spec import Pack
from plainloop.agent.errors import AgentError, StoreError
from plainloop.agent.service.service import Service
from plainloop.server.http.endpoint import AppContext

from ..live.spend_limit import ReplayStopped
from ..service.advice_host import AdviceHost, Search
from ..store import replays as store_replays
from ..store.replays import DueVerdict, HostedReplay, Outcome

logger = logging.getLogger(__name__)

# That one process works on at once; and as many that mostly wait, for a provider's batch (up to a
# day) or until live runs have ended (test_waiting_replays_do_not_delay_other_replays).
MOST_REPLAYS: Final = 4
# Extended while the report is made; once the process is gone, another one may try.
VERDICT_LEASE_S: Final = 120.0
PAGES: Final = Pack(
    name="lab",
    title="Experiments",
    workers=(),
    default_worker="",
    tools=(),
    screens=Path(__file__).parents[1] / "screens",
)


class ReplayHost:
    """Works on the replays of services. `start` before use, `drain` before the service closes."""

    pages = PAGES
    prefixes = ("/api/replays", "/api/advice", "/api/prompts")

    def __init__(self, service: Service) -> None:
        self._service = service
        self._store = service.store
        # By whether they mostly wait, tasks by replay.
        self._working = (dict[str, asyncio.Task[None]](), dict[str, asyncio.Task[None]]())
        self._settling: asyncio.Task[None] | None = None  # one verdict at a time: it is CPU work
        self._advice = AdviceHost(service, self.poke, load_search)

    async def start(self) -> None:
        """Start polling for open replays."""
        self._service.watcher.start("replays", self.look)

    def list_routes(self, app: AppContext) -> Iterable[ApiRoute]:
        """List the routes of `/api/replays` and `/api/advice`.

        Importing them takes 0.3 s.
        """
        from .advice import AdviceRoutes
        from .answers import ANSWER_ROUTES
        from .conversations import REPLAY_CONVERSATION_ROUTES
        from .replays import ReplayRoutes

        return (
            *AdviceRoutes(app, self.poke).list_routes(),
            *ReplayRoutes(app, self.poke).list_routes(),
            *REPLAY_CONVERSATION_ROUTES,
            *ANSWER_ROUTES,
        )

    def poke(self) -> None:
        """Poll for open replays at once, because one was created."""
        self._service.watcher.poke("replays")

    async def drain(self) -> None:
        """Stop working on replays in this process.

        Answers that were paid for stay stored, and other processes continue.
        """
        await self._service.watcher.stop("replays")
        await self._advice.drain()
        settling = () if self._settling is None else (self._settling,)
        working = [task for tasks in self._working for task in tasks.values()]
        await end_tasks(*working, *settling)

    async def look(self) -> None:
        """Start work that is due: open replays, a verdict, and open advice.

        At most MOST_REPLAYS of each kind run at once.
        """
        for are_waiting, working in enumerate(self._working):
            for found in await store_replays.list_hosted_replays(
                self._store, MOST_REPLAYS * 2, are_waiting=bool(are_waiting)
            ):
                if len(working) < MOST_REPLAYS and found.replay_id not in working:
                    working[found.replay_id] = asyncio.create_task(self._work(found, working))
        if self._settling is None and (due := await store_replays.find_due_verdict(self._store)):
            self._settling = asyncio.create_task(self._settle(due))
        await self._advice.look()

    async def _work(self, found: HostedReplay, working: dict[str, asyncio.Task[None]]) -> None:
        try:
            replay = await asyncio.to_thread(load_replay)
            await replay(self._service, found)
        except StoreError:
            logger.warning("replay_waits", extra={"replay_id": found.replay_id})
        except ReplayStopped as error:  # cancelled, or its money spent
            await self._end(found, error.code)
        except AgentError as error:  # a lane that cannot be opened: nobody goes on by itself
            await self._end(found, error.code, error.message)
        except Exception as error:  # the edge: a replay is no reason to end the process
            logger.exception("replay_failed", extra={"replay_id": found.replay_id})
            await self._end(found, "INTERNAL_ERROR", f"{type(error).__name__}: {error}")
        finally:
            del working[found.replay_id]
            self.poke()

    async def _settle(self, due: DueVerdict) -> None:
        """Store a due verdict. Without a poke at its end: the next one waits for the next round."""
        told = {"replay_id": due.replay_id}
        try:
            if (claimed := await self._claim(due)) is None:
                return
            due, compute = claimed, await asyncio.to_thread(load_verdicts)
            work = asyncio.create_task(compute(self._service, due))
            try:
                while not (await asyncio.wait({work}, timeout=VERDICT_LEASE_S / 3))[0]:
                    # Else another replica claims a long one, and neither may store its own
                    # (test_a_verdicts_claim_is_extended_while_it_is_computed).
                    if (claimed := await self._claim(due)) is None:
                        return
                    due = claimed
            finally:
                await end_tasks(work)
            async with self._store.transaction(due.tenant_id) as tx:
                await store_replays.record_verdict(tx, due, work.result())
        except StoreError:
            logger.warning("verdict_waits", extra=told)
        except Exception:  # the edge: a report that cannot be made is not tried for ever
            logger.exception("verdict_failed", extra=told)
            with suppress(StoreError):
                async with self._store.transaction(due.tenant_id) as tx:
                    await store_replays.record_verdict(tx, due, None)
        finally:
            self._settling = None

    async def _claim(self, due: DueVerdict) -> DueVerdict | None:
        """Claim a due verdict, or extend the claim.

        None: another replica computes it, or an answer was judged again.
        """
        async with self._store.transaction(due.tenant_id) as tx:
            return await store_replays.claim_verdict(tx, due, VERDICT_LEASE_S)

    async def _end(self, found: HostedReplay, code: str, failure: str | None = None) -> None:
        """End a replay: failed, with the failure as its open items' error; None: cancelled."""
        logger.warning("replay_stopped", extra={"replay_id": found.replay_id, "code": code})
        with suppress(StoreError):
            async with self._store.transaction(found.tenant_id) as tx:
                if failure is None:
                    await store_replays.cancel_replay(tx, None, found.replay_id)
                else:
                    await store_replays.fail_items(tx, found.replay_id, code, failure)
                await store_replays.finish_replay(tx, found.replay_id)


def load_replay() -> Callable[[Service, HostedReplay], Awaitable[None]]:
    """Import the function that runs a replay.

    The import takes 0.2 s, so call this in a thread.
    """
    from ..service.hosted_replay import replay

    return replay


def load_verdicts() -> Callable[[Service, DueVerdict], Coroutine[Any, Any, Outcome]]:
    """Import the function that computes a replay's verdict.

    The import takes 0.2 s, so call this in a thread.
    """
    from ..service.verdicts import compute_verdict

    return compute_verdict


def load_search() -> Search:
    """Import the function that searches advice.

    The import takes 0.3 s, so call this in a thread.
    """
    from ..service.advising import search_advice

    return search_advice
