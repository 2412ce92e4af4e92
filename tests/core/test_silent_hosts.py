"""A database's host that vanishes: no farewell, no refusal, nothing comes any more.

How long it takes is what settings say, and the kernel keeps: here it is looked at which of them
hold, and that nobody waits for longer than they bound. Hosts that really lose their packets are a
namespace of the network, for which Linux and root are needed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import StoreError
from plainloop.agent.store import database as databases
from plainloop.agent.store.connecting.hosts import SOCKET_OPTIONS
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.database import Database, open_database
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.outages import keep_trying
from tests.core.test_hosts import Serve, Silence, build_url, lead_to, say_nothing
from tests.core.test_hosts import serve as serve

PATIENCE_S = 120.0  # a test that waits for so long has failed
NEVER_S = 3600.0
HOST = f"plainloop{os.getpid()}"  # the namespace's name
RELAY = """
import asyncio, sys

async def pump(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()

async def client(reader, writer):
    way = await asyncio.open_unix_connection(sys.argv[2])
    await asyncio.gather(pump(reader, way[1]), pump(way[0], writer))

async def main():
    server = await asyncio.start_server(client, sys.argv[1], 5432)
    print("ready", flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@asynccontextmanager
async def connecting(url: str, **options: Any) -> AsyncIterator[Database]:
    database = await open_database(url, **options)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def two_ways(serve: Serve, url: str) -> AsyncIterator[tuple[Database, Silence]]:
    """Connected by the first of two ways to one server, which can fall silent."""
    silence = Silence()
    ports = await serve(lead_to(url, silence)), await serve(lead_to(url))
    async with (
        asyncio.timeout(PATIENCE_S),
        connecting(build_url(url, *ports), silent_s=2.0) as database,
    ):
        yield database, silence


async def ask(database: Database) -> int:
    async with database.transaction("acme") as tx:
        return await tx.fetchval("select 1")


def read_options(connection: Any) -> dict[str, int]:
    sock = connection._transport.get_extra_info("socket")
    return {
        name: sock.getsockopt(level, getattr(socket, kernels))
        for name, (level, kernels) in SOCKET_OPTIONS.items()
        if hasattr(socket, kernels)
    }


async def test_connections_to_a_silent_host_are_ended_by_the_kernel(
    serve: Serve, database_url: str
) -> None:
    url = build_url(database_url, await serve(lead_to(database_url)))
    wanted = {
        "keepalives": 1,
        "keepalives_idle": 4,
        "keepalives_interval": 4,
        "keepalives_count": 3,
        "tcp_user_timeout": 12_000,
    }
    async with connecting(url, silent_s=12.0) as database, database.connection() as connection:
        found = read_options(connection)
    assert found == {name: wanted[name] for name in found}
    assert "keepalives" in found


async def test_libpq_keepalive_options_in_the_url_are_used(serve: Serve, database_url: str) -> None:
    url = build_url(database_url, await serve(lead_to(database_url)))
    told = "connect_timeout=60&keepalives_idle=7&keepalives_interval=2&keepalives_count=5"
    async with (
        connecting(f"{url}&{told}&tcp_user_timeout=9000") as database,
        database.connection() as connection,
    ):
        found = read_options(connection)
        assert await connection.fetchval("select 1") == 1
    wanted = {
        "keepalives": 1,
        "keepalives_idle": 7,
        "keepalives_interval": 2,
        "keepalives_count": 5,
        "tcp_user_timeout": 9000,
    }
    assert found == {name: wanted[name] for name in found}


async def test_a_urls_connect_timeout_is_used(
    serve: Serve, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "CONNECT_TIMEOUT_S", NEVER_S)
    url = build_url(database_url, await serve(say_nothing))
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(StoreError):
            await open_database(f"{url}&connect_timeout=1")


async def test_an_invalid_silence_limit_is_reported() -> None:
    with pytest.raises(StoreError, match="soon"):
        await open_database("postgresql://localhost:1/none?connect_timeout=soon")


async def test_a_liveness_check_waits_at_most_the_silence_limit(
    serve: Serve, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "CONNECT_TIMEOUT_S", 2.0)
    monkeypatch.setattr(databases, "COMMAND_TIMEOUT_S", NEVER_S)
    assert settings.get_table(DatabaseSettings).url is not None
    silence, url = Silence(), settings.get_table(DatabaseSettings).url.reveal()
    way = Secret(build_url(url, await serve(lead_to(url, silence))))
    database = replace(settings.get_table(DatabaseSettings), url=way, silent_s=2.0)
    store = await connect_store(settings.with_tables(database), migrate=False)
    try:
        assert await store.queue.heartbeat("me", [], 30.0) == {}
        silence.has_begun = True
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises(StoreError):
                await store.queue.heartbeat("me", [], 30.0)
    finally:
        await store.close()


async def test_a_silent_server_is_detected_once_for_all_connections(
    serve: Serve, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by one connection after the other, each with its own time."""
    monkeypatch.setattr(databases, "CONNECT_TIMEOUT_S", 2.0)
    monkeypatch.setattr(databases, "COMMAND_TIMEOUT_S", NEVER_S)
    async with two_ways(serve, database_url) as (database, silence):
        async with AsyncExitStack() as stack:
            for _ in range(4):  # as many idle ones afterwards
                await stack.enter_async_context(database.transaction("acme"))
        silence.has_begun = True
        assert await keep_trying(lambda: ask(database)) == 1
        assert len(silence.spoken) == 1


async def test_waits_for_a_silent_host_end_when_another_host_answers(
    serve: Serve, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "CONNECT_TIMEOUT_S", 2.0)
    monkeypatch.setattr(databases, "COMMAND_TIMEOUT_S", NEVER_S)
    async with two_ways(serve, database_url) as (database, silence):
        tx = await database.begin("acme")
        waiting = asyncio.create_task(tx.fetchval("select 1 from pg_sleep(0)"))
        silence.has_begun = True  # before the task has said anything
        await keep_trying(lambda: ask(database))
        with pytest.raises(StoreError):
            await waiting
        await tx.rollback()


async def test_a_silent_host_is_tried_last(
    serve: Serve, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own time to take a connection is not waited for, where another one answers."""
    monkeypatch.setattr(databases, "COMMAND_TIMEOUT_S", NEVER_S)
    monkeypatch.setattr(databases, "CONNECT_TIMEOUT_S", NEVER_S)
    async with two_ways(serve, database_url) as (database, silence):
        assert await ask(database) == 1
        silence.has_begun = True
        assert await keep_trying(lambda: ask(database)) == 1


async def test_a_new_primary_is_found_beside_a_silent_host(
    serve: Serve, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever connects has asked it once, and was refused: the silent one has all the time."""
    monkeypatch.setattr(databases, "COMMAND_TIMEOUT_S", NEVER_S)
    monkeypatch.setattr(databases, "CONNECT_TIMEOUT_S", NEVER_S)
    silence, lead, refused = Silence(), lead_to(database_url), list[bool]()

    async def become_primary(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(refused) == 8:
            await lead(reader, writer)
        else:
            refused.append(silence.has_begun)
            writer.close()

    ports = await serve(lead_to(database_url, silence)), await serve(become_primary)
    async with (
        asyncio.timeout(PATIENCE_S / 2),  # before the server ends what it hears nothing of
        connecting(build_url(database_url, *ports), silent_s=2.0) as database,
    ):
        silence.has_begun = True
        assert (
            await asyncio.gather(*(keep_trying(lambda: ask(database)) for _ in range(4))) == [1] * 4
        )
        assert refused == [True] * 8


@asynccontextmanager
async def another_host(database_url: str) -> AsyncIterator[tuple[str, str]]:
    """A host of its own that leads to the database: its address, and the device to cut."""
    folder = parse_qs(urlsplit(database_url).query).get("host", [""])[0]
    ip = shutil.which("ip", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if os.geteuid() != 0 or ip is None or not folder:
        pytest.skip("a host that loses its packets needs Linux, root, iproute2, a socket's file")
    name, near, far = HOST, f"plv{os.getpid()}", f"plw{os.getpid()}"
    subnet = f"10.{os.getpid() // 250 % 200 + 20}.{os.getpid() % 250}"

    def run(*arguments: str) -> int:
        return subprocess.run([ip, *arguments], capture_output=True, check=False).returncode

    if run("netns", "add", name):
        pytest.skip("this machine makes no namespaces of the network")
    try:
        made = [
            run("link", "add", near, "type", "veth", "peer", "name", far, "netns", name),
            run("addr", "add", f"{subnet}.1/30", "dev", near),
            run("link", "set", near, "up"),
            run("-n", name, "addr", "add", f"{subnet}.2/30", "dev", far),
            run("-n", name, "link", "set", far, "up"),
        ]
        if any(made):
            pytest.skip("this machine makes no pairs of network devices")
        path = f"{folder}/.s.PGSQL.{urlsplit(database_url).port or 5432}"
        relay = await asyncio.create_subprocess_exec(
            *(ip, "netns", "exec", name, sys.executable, "-c", RELAY, f"{subnet}.2", path),
            stdout=asyncio.subprocess.PIPE,
        )
        assert relay.stdout is not None
        assert await relay.stdout.readline() == b"ready\n"
        try:
            yield f"{subnet}.2:5432", far
        finally:
            relay.kill()
            await relay.wait()
    finally:
        run("netns", "del", name)


async def test_statements_waiting_for_a_vanished_host_end(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the kernel: not one of our own limits would end it within the test."""
    monkeypatch.setattr(databases, "COMMAND_TIMEOUT_S", NEVER_S)
    async with another_host(database_url) as (address, device):
        parts = urlsplit(database_url)
        user = parts.username or "postgres"
        url = parts._replace(netloc=f"{user}@{address}", query="").geturl()
        async with asyncio.timeout(PATIENCE_S), connecting(url, silent_s=2.0) as database:
            idle, busy = await database.begin("acme"), await database.begin("acme")
            waiting = asyncio.create_task(busy.fetchval(f"select 1 from pg_sleep({NEVER_S})"))
            assert await idle.fetchval("select 1") == 1
            subprocess.run(["ip", "-n", HOST, "link", "set", device, "down"], check=True)
            with pytest.raises(StoreError):
                await waiting
            with pytest.raises(StoreError):
                await idle.fetchval("select 1")
            await busy.rollback()
            await idle.rollback()


@pytest.mark.parametrize("has_roles", [True, False])
async def test_a_read_replica_has_the_primarys_roles_and_its_own_silence_limit(
    has_roles: bool, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits_s: list[float | None] = []
    execute: Any = asyncpg.Connection.execute

    async def note(connection: Any, sql: str, *args: Any, timeout: float | None = None) -> str:
        limits_s.append(timeout)
        return await execute(connection, sql, *args, timeout=timeout)

    async with connecting(database_url) as primary:
        primary.has_roles = has_roles
        async with connecting(database_url, silent_s=7.5, copies=primary) as replica:
            monkeypatch.setattr(asyncpg.Connection, "execute", note)
            tx = await replica.begin("acme")
            role = await tx.fetchval("select current_user::text")
            await tx.rollback()
    assert limits_s[0] == 7.5
    assert (role == "plainloop_app") is has_roles


async def test_an_unreachable_read_replica_does_not_prevent_opening(database_url: str) -> None:
    nowhere = "postgresql://localhost:1/none"
    async with connecting(database_url) as primary, connecting(nowhere, copies=primary) as replica:
        with pytest.raises(StoreError):
            await ask(replica)
