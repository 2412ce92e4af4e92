"""A read replica that is behind: beyond a limit the database itself answers, and that is told.

The replica is a hot standby of the tests' own server; its replay is paused, so that how far it is
behind is no matter of luck.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.doctor.database import check_replica
from plainloop.agent.store import transactions
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from tests.fixtures import make_database_url, server_folder

PATIENCE_S = 120.0
WHERE = "select pg_is_in_recovery()"
CALLS = "select count(*) from threads"
LONG_S, SHORT_S = 86_400.0, 1e-6


@pytest.fixture(scope="module")
def standby_server(postgres_url: str) -> Iterator[str]:
    """A hot standby of the tests' server."""
    folder = Path(parse_qs(urlsplit(postgres_url).query).get("host", [""])[0])
    pid_file = next(iter([*folder.glob("postmaster.pid"), *folder.glob("*/postmaster.pid")]), None)
    program = Path("/proc") / (pid_file.read_text().split()[0] if pid_file else "none") / "exe"
    binaries = program.resolve().parent
    if not (binaries / "pg_basebackup").exists():
        pytest.skip("a standby needs pg_basebackup beside the server, on a socket, and Linux")
    owner = folder.stat()
    identity: dict[str, Any] = {}
    if os.geteuid() == 0:  # Postgres refuses root
        identity = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    with server_folder() as own:
        os.chown(own, owner.st_uid, owner.st_gid)
        data = own / "data"

        def run(name: str, *arguments: str) -> None:
            command = [str(binaries / name), "-D", str(data), *arguments]
            with (own / "out").open("ab") as log:
                subprocess.run(command, cwd="/", stdout=log, stderr=log, check=True, **identity)

        run("pg_basebackup", "-R", "--checkpoint=fast", "-h", str(folder), "-U", "postgres")
        run("pg_ctl", "start", "-w", "-o", f"-c listen_addresses= -k '{own}'")
        try:
            yield f"postgresql://postgres@/postgres?host={own}"
        finally:
            run("pg_ctl", "stop", "-m", "immediate")


class Standby:
    """One database of it. `pause` and `go_on`: whether it takes what is written meanwhile."""

    def __init__(self, url: str, own: Any, other: Any) -> None:
        self.url = url
        self._own = own  # a connection to the standby
        self._other = other  # and to the database

    async def pause(self) -> None:
        await self._own.execute("select pg_wal_replay_pause()")
        while await self._own.fetchval("select pg_get_wal_replay_pause_state()") != "paused":
            await asyncio.sleep(0.01)

    async def go_on(self) -> None:
        await self._own.execute("select pg_wal_replay_resume()")
        await self.catch_up()

    async def catch_up(self) -> None:
        position = await self._other.fetchval("select pg_current_wal_lsn()")
        reached = "select pg_last_wal_replay_lsn() >= $1::pg_lsn"
        while not await self._own.fetchval(reached, position):
            await asyncio.sleep(0.01)


@pytest.fixture
async def standby(standby_server: str, database_url: str) -> AsyncIterator[Standby]:
    async with asyncio.timeout(PATIENCE_S):
        own: Any = await asyncpg.connect(standby_server)
        other: Any = await asyncpg.connect(database_url)
        try:
            name = urlsplit(database_url).path[1:]
            # The tests' server writes a moment after it has answered: then nothing is late yet.
            await other.execute(f'alter database "{name}" set synchronous_commit = on')
            url = make_database_url(standby_server, name)
            standby = Standby(url, own, other)
            await standby.catch_up()
            yield standby
            await standby.go_on()  # or it would keep the database that the test drops
        finally:
            await own.close()
            await other.close()


def set_replica(settings: Settings, url: str, lag_s: float) -> Settings:
    database = replace(settings.get_table(DatabaseSettings), read_url=Secret(url), read_lag_s=lag_s)
    return settings.with_tables(database)


@asynccontextmanager
async def opened(settings: Settings, url: str, lag_s: float) -> AsyncIterator[Store]:
    store = await connect_store(set_replica(settings, url, lag_s), migrate=False)
    try:
        yield store
    finally:
        await store.close()


async def test_a_late_read_replica_is_not_used(
    settings: Settings, standby: Standby, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        opened(settings, standby.url, LONG_S) as patient,
        opened(settings, standby.url, SHORT_S) as impatient,
    ):
        await standby.pause()
        thread = await patient.create_thread("local", "ann", pack="tracker")
        assert await patient.read_late("local").fetchval(CALLS) == 0
        assert await patient.read("local").fetchval(CALLS) == 1
        assert await patient.load_thread("local", "ann", thread.thread_id) == thread
        assert await impatient.read_late("local").fetchval(CALLS) == 1
        assert caplog.messages.count("replica_late") == 1
        settled = await patient.read_settled("local")
        assert not await settled.fetchval(WHERE), "a list of conversations is never late"
        assert await settled.fetchval(CALLS) == 1, "as the same tenant"


async def test_a_read_replica_is_used_again_after_catching_up(
    settings: Settings, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "LAG_HOLDS_S", 0.0)
    async with opened(settings, standby.url, SHORT_S) as store:
        await standby.pause()
        await store.create_thread("local", "ann", pack="tracker")
        assert not await store.read_late("local").fetchval(WHERE)
        await standby.go_on()
        # What the server writes for itself may have come in between.
        async with asyncio.timeout(PATIENCE_S):
            while not await store.read_late("local").fetchval(WHERE):
                await standby.catch_up()
        assert await store.read_late("local").fetchval(CALLS) == 1
        assert await store.read_late("other").fetchval(CALLS) == 0


async def test_doctor_reports_the_read_replicas_lag(settings: Settings, standby: Standby) -> None:
    async with opened(settings, standby.url, LONG_S) as store:
        await standby.pause()
        await store.create_thread("local", "ann", pack="tracker")
        levels: list[str] = []
        for lag_s in (LONG_S, SHORT_S):
            (found,) = await check_replica(set_replica(settings, standby.url, lag_s), store)
            assert "behind" in found.text
            levels.append(found.level)
        assert levels == ["ok", "warn"]


async def test_without_a_read_replica_the_database_answers(settings: Settings) -> None:
    async with opened(settings, "postgresql://localhost:1/none", LONG_S) as store:
        await store.create_thread("local", "ann", pack="tracker")
        assert await store.read_late("local").fetchval(CALLS) == 1
        assert await store.read_late("other").fetchval(CALLS) == 0
