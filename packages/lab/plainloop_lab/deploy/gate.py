"""A starting replica's judgement: whether it may serve, told to whoever looks at the replicas."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Final

import msgspec

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import StoreError
from plainloop.agent.service.gate import Gate
from plainloop.agent.service.service import Service
from plainloop.agent.store.connecting.settings import DatabaseSettings, DeploySettings
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.records import Run
from plainloop.agent.store.store import Store

from ..settings import CheckSettings
from ..store.deploys import (
    Deployed,
    JudgedThread,
    list_deployed,
    list_judged_threads,
    load_code,
    record_code,
)
from .allowed import Allowance, load_allowed
from .aside import run_aside, set_group_nice
from .fingerprint import make_fingerprint
from .verdict import Verdict

logger = logging.getLogger(__name__)

AGAIN_S: Final = 1.0  # until a judgement is begun again that met a database which was away
CONNECTIONS: Final = 2  # of a judgement
LOOK_S: Final = 0.2  # between two looks how far a replica has come


class JudgingGate(Gate):
    """Keeps a replica from work until its code was judged."""

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self.verdict: Verdict | None = None
        self._codes: set[str] = set()  # whose conversations it is held against
        self._allowed: tuple[Allowance, ...] = ()

    @property
    def differences(self) -> tuple[str, ...]:
        """List the divergences for which this replica was refused, as `pack/design kind node`."""
        return tuple(item.head for item in self.verdict.refused) if self.verdict else ()

    async def prepare(self) -> None:
        """Register this replica's code, and decide whether its code must be judged.

        It is judged by a replay of runs that other replicas recorded. Raises: ConfigError for a
        file of allowances that cannot be read; StoreError.
        """
        service = self._service
        # Once: a mistake is told before anything serves, and none that is made later stops a claim.
        self._allowed = load_allowed(service.settings.get_table(CheckSettings).allowed)
        deploy = service.settings.get_table(DeploySettings)
        code = await asyncio.to_thread(make_fingerprint, service.settings)
        ends_broken = deploy.judge != "off" and deploy.broken == "end"
        service.join_replicas(code, self._goes_on if ends_broken else None)
        if deploy.judge != "off":
            self._codes = list_codes(await list_deployed(service.store, but=service.owner))
        # Nobody serves: there is nothing to be held against, and not to serve would protect nobody.
        self.state = "judging" if self._codes - {code} and code not in self._codes else "ready"
        await self._tell([code])
        if self.is_ready:
            await self._stand_in_line()

    async def judge(self) -> None:
        """Judge this replica's code by replaying conversations of serving replicas.

        Retries on store errors.
        """
        logger.info("deploy_judging", extra={"codes": sorted(self._codes)})
        while True:
            try:
                await self._judge()
            except StoreError as error:
                logger.warning("deploy_judged_again", extra={"code": error.code})
                await asyncio.sleep(AGAIN_S)
            else:
                return await self._stand_in_line()

    async def _judge(self) -> None:
        service, deploy = self._service, self._service.settings.get_table(DeploySettings)
        code = service.settings.get_table(CheckSettings).code
        if deploy.nice:
            settings = await self._find_database()
            verdict = await run_aside(deploy.nice, lambda: self._replay(settings))
        else:
            verdict = await self._replay_in(service.store)
        self.verdict = verdict
        for line in verdict.describe():
            logger.warning("deploy_differs", extra={"difference": line})
        for line in verdict.unseen:
            logger.warning("deploy_unseen", extra={"unseen": line})
        refused = [*verdict.refused, *(verdict.unaccepted if code == "refuse" else ())]
        self.state = "refused" if refused and deploy.judge == "refuse" else "ready"
        told = {"state": self.state, "conversations": verdict.conversations}
        (logger.error if self.state == "refused" else logger.info)("deploy_judged", extra=told)
        own = {service.code or ""}
        await keep_trying(
            lambda: self._tell(sorted(own if verdict.differences else own | self._codes))
        )

    async def _find_database(self) -> Settings:
        """Return settings for a store with few connections to the running database.

        No embedded server may be started: its starter must not have a low priority.
        """
        settings = self._service.settings
        url = settings.get_table(DatabaseSettings).url or Secret(
            await asyncio.to_thread(start_embedded, settings.data_dir, may_be_new=False)
        )
        return settings.change(DatabaseSettings, url=url, connections=CONNECTIONS)

    async def _replay(self, settings: Settings) -> Verdict:
        """Judge the code on an event loop of its own, with a store of that loop."""
        alone = settings.change(DatabaseSettings, read_url=None)
        store = await connect_store(alone, migrate=False)
        try:
            return await self._replay_in(store)
        finally:
            await store.close()

    async def _replay_in(self, store: Store) -> Verdict:
        settings = self._service.settings
        threads = await list_judged_threads(
            store, sorted(self._codes), settings.get_table(CheckSettings).sample
        )
        # After that list: what is on it is what must have come over.
        async with open_reading(settings, store) as reading:
            rests = bool(settings.get_table(DeploySettings).nice)
            return await self._judge_threads(store, reading, threads, rests=rests, is_whole=True)

    async def _stand_in_line(self) -> None:
        """Restore the session's normal priority after the judgement."""
        if self._service.settings.get_table(DeploySettings).start_nice:
            await asyncio.to_thread(set_group_nice, 0)

    async def _goes_on(self, run: Run) -> bool:
        """Whether this code repeats a claimed run so far exactly, so that it can continue it."""
        store = self._service.store
        if await load_code(store, run.tenant_id, run.run_id) in (None, self._service.code):
            return True
        place = JudgedThread(run.tenant_id, run.thread_id, run.user_id, [run.run_id], is_open=True)
        return not (await self._judge_threads(store, store, [place])).refused

    async def _judge_threads(
        self,
        store: Store,
        reading: Store,
        threads: list[JudgedThread],
        *,
        rests: bool = False,
        is_whole: bool = False,
    ) -> Verdict:
        """Judge the code on these conversations as `judge_stored` does; return the verdict.

        is_whole: report changed code that was not run.
        """
        from .judging import Judge, judge_stored  # not at the start of a replica that is not judged

        service = self._service
        packs = {pack.name: service.get_pack(pack.name) for pack in service.packs}
        judge = Judge(packs, service.settings, self._allowed)
        verdict = await judge_stored(judge, store, reading, threads, rests=rests)
        return judge.tell_unseen() if is_whole else verdict

    async def _tell(self, repeats: list[str]) -> None:
        service, found = self._service, self.verdict
        verdict = None if found is None else msgspec.to_builtins(found)
        row = (service.owner, service.code or "", repeats, self.is_ready, verdict)
        await record_code(service.store, Deployed(*row))


def list_codes(serving: list[Deployed]) -> set[str]:
    """Return the codes (fingerprints) whose recorded runs the serving replicas repeat exactly."""
    return {code for item in serving if item.takes_runs for code in item.repeats}


@asynccontextmanager
async def open_reading(settings: Settings, store: Store) -> AsyncGenerator[Store]:
    """Open the database's read replica, to load conversations from it.

    Yields `store` if there is none or it lags behind: within `database.read_lag_s` it must have
    all that is committed now, because a turn that it lacked would not be judged.
    """
    url = settings.get_table(DatabaseSettings).read_url
    if url is None:
        yield store
        return
    changes = {"url": url, "read_url": None, "connections": CONNECTIONS}
    try:
        reading = await connect_store(settings.change(DatabaseSettings, **changes), migrate=False)
    except StoreError:
        yield store
        return
    try:
        has_all = await wait_for_position(reading, await store.read_position(), settings)
        yield reading if has_all else store
    finally:
        await reading.close()


async def wait_for_position(reading: Store, position: str, settings: Settings) -> bool:
    """Wait until the read replica has reached a position.

    False if it is late or unreachable.
    """
    with suppress(TimeoutError, StoreError):
        async with asyncio.timeout(settings.get_table(DatabaseSettings).read_lag_s):
            while True:
                if await reading.has_reached(position):
                    return True
                await asyncio.sleep(LOOK_S)
    logger.warning(
        "replica_late", extra={"most_s": settings.get_table(DatabaseSettings).read_lag_s}
    )
    return False
