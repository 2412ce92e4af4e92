"""Through pgbouncer in transaction mode: every transaction may meet another server connection."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.store.connecting.settings import DatabaseSettings
from tests.fixtures import server_folder
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import ScriptedModels
from tests.runs.conftest import start_replica
from tests.runs.test_database_restarts import EndlessProvider

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
SERVER_CONNECTIONS = 4  # far fewer than the service holds, so that they are really shared
RUNS = 24
CONFIG = """
[databases]
* = host={server} user=postgres
[pgbouncer]
unix_socket_dir = {folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
ignore_startup_parameters = extra_float_digits
logfile = {folder}/log
pidfile = {folder}/pid
"""


@pytest.fixture
def pooled_settings(settings: Settings) -> Iterator[Settings]:
    """The test's database behind a pooler."""
    assert settings.get_table(DatabaseSettings).url is not None
    url = settings.get_table(DatabaseSettings).url.reveal()
    (server,) = parse_qs(urlsplit(url).query)["host"]
    with pooling(server) as folder:
        pooled = url.replace(f"host={server}", f"host={folder}&port=6432")
        if pooled == url:
            pooled = f"postgresql://postgres@{urlsplit(url).path}?host={folder}&port=6432"
        database = replace(
            settings.get_table(DatabaseSettings), url=Secret(pooled), transaction_pooler=True
        )
        yield settings.with_tables(database)


@contextmanager
def pooling(server: str, config: str = CONFIG, *users: str) -> Iterator[Path]:
    """The folder of a pooler's socket, in front of the server with its socket in that folder."""
    if PGBOUNCER is None:
        pytest.skip("pgbouncer is not installed (apt-get install pgbouncer)")
    with server_folder() as folder:
        (folder / "users").write_text("".join(f'"{user}" ""\n' for user in users))
        process = start_pgbouncer(folder, server, config)
        try:
            wait_for_socket(folder, process)
            yield folder
        finally:
            process.terminate()
            process.wait()


def start_pgbouncer(folder: Path, server: str, config: str) -> subprocess.Popen[Any]:
    filled = config.format(server=server, folder=folder, connections=SERVER_CONNECTIONS)
    (folder / "ini").write_text(filled)
    identity: Any = {}
    if os.geteuid() == 0:  # it refuses root
        account = pwd.getpwnam("postgres" if "postgres" in _list_accounts() else "nobody")
        identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        os.chown(folder, account.pw_uid, account.pw_gid)
        for file in ("ini", "users"):
            os.chown(folder / file, account.pw_uid, account.pw_gid)
    assert PGBOUNCER is not None
    command: list[Any] = [PGBOUNCER, "-q", str(folder / "ini")]
    return subprocess.Popen(command, cwd="/", text=False, **identity)


def wait_for_socket(folder: Path, process: subprocess.Popen[bytes]) -> None:
    while not (folder / ".s.PGSQL.6432").exists():
        log = folder / "log"
        assert process.poll() is None, log.read_text() if log.exists() else "no log"


def _list_accounts() -> set[str]:
    return {account.pw_name for account in pwd.getpwall()}


async def test_the_service_works_through_a_transaction_pooler(pooled_settings: Settings) -> None:
    async with AsyncExitStack() as stack:
        replicas = [
            await start_replica(
                *(stack, pooled_settings, make_pack(), ScriptedModels(EndlessProvider())),
                viewer_poll_ms=200,
            )
            for _ in range(2)
        ]

        async def ask(n: int) -> str:
            one, other = replicas[n % 2], replicas[(n + 1) % 2]
            run_id = await one.submit(await one.create_thread(), "note it", idempotency_key=str(n))
            local, remote = await asyncio.gather(one.collect(run_id), other.collect(run_id))
            assert local == remote
            return local[-1]["event"]

        assert await asyncio.gather(*map(ask, range(RUNS))) == ["done"] * RUNS
        store = replicas[0].service.store
        assert await store.read(TENANT).fetchval("select count(*) from notes") == RUNS
        for tenant_id, user_id in (("umbrella", USER), (TENANT, "bob")):
            assert await store.list_threads(tenant_id, user_id, limit=100) == []
