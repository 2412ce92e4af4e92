"""Live replays that a service works on: begun over HTTP, taken up again by whichever process runs.

Their lanes are made from the service's own settings. What a request may change of them is little:
an address or a key that a stranger names must never meet the service's own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from ...base.finishing import end_tasks
from ...core.models import connect_models
from ...errors import AgentError, StoreError
from ...service.poller import Poller
from ...service.service import Service
from ...service.variants import change_settings, check_roles, name_role_model
from ...store import replays as store_replays
from ...store.replays import HostedReplay, Item, ReplayInfo
from ..live.conversations import load_live
from ..live.lane import Lane, LiveConversation
from ..live.plan import JUDGE, LanePlan, LivePlan
from ..live.spend_limit import ReplayStopped
from .lanes import check_prompts, fit_lanes
from .worker import ReplayWorker

logger = logging.getLogger(__name__)

MOST_REPLAYS: Final = 4  # that one process works on at once
WAY_PAUSE_S: Final = 0.05  # until it is looked again whether live runs leave room
_PROVIDER: Final = "AGENT_PROVIDER"
_MODEL: Final = "AGENT_MODEL"


def make_hosting(concurrency: int) -> dict[str, Any]:
    """Make what marks a replay as the services' own. concurrency: conversations at once, per
    process.
    """
    return {"host": "service", "concurrency": concurrency}


def make_candidate(
    provider: str | None,
    model: str | None,
    models: Mapping[str, str],
    prompts: Mapping[str, str],
    design: str | None,
) -> LanePlan:
    """Make the plan of the candidate. models: by role or worker, as `name_role_model`."""
    chosen = {_PROVIDER: provider, _MODEL: model}
    given = {name: value for name, value in chosen.items() if value is not None}
    for role, own in models.items():
        given |= name_role_model(role, own)
    return LanePlan(given, dict(prompts), design)


async def open_hosted_lanes(plan: LivePlan, service: Service) -> dict[str, Lane]:
    """Raises: ConfigError, also for a setting that a request may not change; MissingKeyError."""
    packs = {pack.name: pack for pack in service.packs}
    lanes: dict[str, Lane] = {}
    for name, lane in plan.all_lanes.items():
        settings, models = service.settings, service.models
        if lane.settings:
            settings = change_settings(service.settings, lane.settings)
            models = await connect_models(settings)
            models.resolve("evaluator" if name == JUDGE else "worker")
        if name != JUDGE:
            check_prompts(lane, packs)
            check_roles(settings, service.packs)
        lanes[name] = Lane(name, settings, models, packs, lane.design, lane.prompts)
    return fit_lanes(plan, lanes)


class ReplayHost:
    """Works on the replays of services. `start` before use, `drain` before the service closes."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._store = service.store
        self._working: dict[str, asyncio.Task[None]] = {}
        self._poller = Poller(self.look, service.watch, "replays")

    async def start(self) -> None:
        """Begin to look for open replays."""
        self._poller.start()

    def poke(self) -> None:
        """Look at once: there is something to be found."""
        self._poller.poke()

    async def drain(self) -> None:
        """Stop working; what was paid for stays, and any process goes on with the rest."""
        await self._poller.stop()
        await end_tasks(*self._working.values())

    async def look(self) -> None:
        """Begin to work on what is open."""
        for found in await store_replays.list_hosted_replays(self._store, MOST_REPLAYS * 2):
            if len(self._working) < MOST_REPLAYS and found.replay_id not in self._working:
                task = asyncio.create_task(self._work(found))
                self._working[found.replay_id] = task

    async def _work(self, found: HostedReplay) -> None:
        try:
            await self._replay(found)
        except StoreError:
            logger.warning("replay_waits", extra={"replay_id": found.replay_id})
        except AgentError as error:
            # Cancelled, its money spent, a lane that cannot be opened: nobody goes on by itself.
            told = {"replay_id": found.replay_id, "code": error.code}
            logger.warning("replay_stopped", extra=told)
            with suppress(StoreError):
                await self._end(found)
        except Exception:  # the edge: a replay is no reason to end the process
            logger.exception("replay_failed", extra={"replay_id": found.replay_id})
            with suppress(StoreError):
                await self._end(found)
        finally:
            del self._working[found.replay_id]
            self.poke()

    async def _replay(self, found: HostedReplay) -> None:
        async with self._store.transaction(found.tenant_id) as tx:
            info: ReplayInfo = await store_replays.load_replay(tx, None, found.replay_id)
        if info.is_cancelled:
            raise ReplayStopped("the replay was cancelled")
        plan = LivePlan.from_json(info.candidate)
        lanes = await open_hosted_lanes(plan, self._service)

        async def load(item: Item, lane: Lane) -> LiveConversation:
            return await load_live(self._store, found.tenant_id, item, lane, plan)

        async def make_way() -> None:
            busy = self._service.live.list_all
            while plan.beside is not None and len(busy()) > plan.beside:  # noqa: ASYNC110 nobody tells us
                await asyncio.sleep(WAY_PAUSE_S)

        worker = ReplayWorker(
            self._store,
            found.tenant_id,
            info,
            lanes,
            load,
            lambda item, passed: None,
            make_way=make_way,
        )
        await worker.run(info.source["concurrency"])

    async def _end(self, found: HostedReplay) -> None:
        async with self._store.transaction(found.tenant_id) as tx:
            await store_replays.cancel_replay(tx, None, found.replay_id)
            await store_replays.finish_replay(tx, found.replay_id)
