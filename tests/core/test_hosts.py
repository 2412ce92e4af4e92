"""Several hosts in the address: whatever one of them does, the one that takes writes is found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store import database as databases
from plainloop.agent.store.connecting.hosts import (
    choose_socket_options,
    split_hosts,
    take_libpq_options,
)
from plainloop.agent.store.database import open_database

Serve = Callable[..., Any]
FAREWELL = b"X\0\0\0\4"  # a client's, in Postgres's protocol


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """`await serve(client)`: the port of a listener."""
    async with AsyncExitStack() as stack:

        async def begin(client: Any) -> int:
            server = await asyncio.start_server(client, "127.0.0.1", 0)
            stack.callback(server.close)
            return server.sockets[0].getsockname()[1]

        yield begin


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As a host that has vanished: no answer, and no refusal either."""
    while await reader.read(4096):
        pass
    writer.close()


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


class Silence:
    """A way that passes nothing on, on either side, once `has_begun`.

    spoken: its connections of before, over which more than a farewell was said since then.
    """

    def __init__(self) -> None:
        self.has_begun = False
        self.spoken = set[asyncio.StreamReader]()
        self._before = set[asyncio.StreamReader]()

    def keeps(self, reader: asyncio.StreamReader, data: bytes) -> bool:
        if not self.has_begun:
            self._before.add(reader)
        elif reader in self._before and data != FAREWELL:
            self.spoken.add(reader)
        return self.has_begun


def lead_to(database_url: str, silence: Silence | None = None) -> Any:
    """What goes through to the database, whose own address may be a socket."""
    parts = urlsplit(database_url)
    folder = parse_qs(parts.query).get("host", [""])[0]

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                if silence is None or not silence.keeps(reader, data):
                    writer.write(data)
                    await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if folder:
            way = await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{parts.port or 5432}")
        else:
            way = await asyncio.open_connection(parts.hostname, parts.port)
        await asyncio.gather(pump(reader, way[1]), pump(way[0], writer))

    return client


def build_url(database_url: str, *ports: int) -> str:
    parts = urlsplit(database_url)
    hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
    user = parts.username or "postgres"
    query = "target_session_attrs=read-write"
    return parts._replace(netloc=f"{user}@{hosts}", query=query).geturl()


@pytest.mark.parametrize("other", [say_nothing, hang_up])
async def test_an_unresponsive_database_host_is_skipped(
    other: Any, serve: Serve, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await serve(other), await serve(lead_to(database_url))
    if other is say_nothing:  # it alone uses its time up: the other one has its own
        monkeypatch.setattr(databases, "CONNECT_TIMEOUT_S", 3.0)
    database = await open_database(build_url(database_url, first, second))
    async with database.transaction("acme") as tx:
        assert await tx.fetchval("select 1") == 1
    await database.close()


async def test_the_last_working_database_host_is_tried_first(
    serve: Serve, database_url: str
) -> None:
    asked: list[str] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append("first")
        writer.close()

    first, second = await serve(refuse), await serve(lead_to(database_url))
    database = await open_database(build_url(database_url, first, second), connections=4)
    once = len(asked)
    async with database.transaction("acme"), database.transaction("acme"):
        assert (len(asked), once) == (once, 1)
    await database.close()


async def test_a_read_only_database_host_is_skipped(serve: Serve, database_url: str) -> None:
    admin: Any = await asyncpg.connect(database_url)
    name = await admin.fetchval("select quote_ident(current_database())")
    ports = [await serve(lead_to(database_url)) for _ in range(2)]
    await admin.execute(f"alter database {name} set default_transaction_read_only = on")
    try:
        with pytest.raises(StoreError):
            await open_database(build_url(database_url, *ports))
    finally:
        await admin.execute(f"alter database {name} reset default_transaction_read_only")
        await admin.close()
    database = await open_database(build_url(database_url, *ports))
    await database.close()


HOSTS = "postgresql://u:p@a:1,b:2/db"


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        (HOSTS, ["postgresql://u:p@a:1/db", "postgresql://u:p@b:2/db"]),
        ("postgresql://a,b/db", ["postgresql://a/db", "postgresql://b/db"]),
        # A password may hold what else begins the host.
        ("postgresql://u:p@ss@a,b/db", ["postgresql://u:p@ss@a/db", "postgresql://u:p@ss@b/db"]),
        (
            f"{HOSTS}?target_session_attrs=read-write&sslmode=require",
            [
                f"postgresql://u:p@{host}/db?target_session_attrs=read-write&sslmode=require"
                for host in ("a:1", "b:2")
            ],
        ),
        (
            f"{HOSTS}?target_session_attrs=prefer-standby",
            [f"{HOSTS}?target_session_attrs=prefer-standby"],
        ),
        ("postgresql://u:p,q@a/db", ["postgresql://u:p,q@a/db"]),
    ],
)
def test_a_database_url_is_split_into_one_url_per_host(url: str, hosts: list[str]) -> None:
    assert split_hosts(url) == hosts


@pytest.mark.parametrize(
    ("query", "kept", "told"),
    [
        ("", "", {}),
        ("?sslmode=require", "?sslmode=require", {}),
        ("?connect_timeout=3", "", {"connect_timeout": 3}),
        (
            "?keepalives_idle=5&host=/run/pg,/tmp&tcp_user_timeout=9000&options=",
            "?host=/run/pg,/tmp&options=",
            {"keepalives_idle": 5, "tcp_user_timeout": 9_000},
        ),
    ],
)
def test_libpq_options_for_silent_hosts_are_removed_from_the_database_url(
    query: str, kept: str, told: dict[str, int]
) -> None:
    assert take_libpq_options(f"postgresql://u@a/db{query}") == (f"postgresql://u@a/db{kept}", told)


def test_a_non_numeric_database_url_option_is_refused() -> None:
    with pytest.raises(ValueError, match="soon"):
        take_libpq_options("postgresql://u@a/db?connect_timeout=soon")


@pytest.mark.parametrize(("silent_s", "pause_s"), [(0.5, 1), (2.9, 1), (30.0, 10)])
def test_a_silent_host_is_dropped_after_three_keepalive_probes(
    silent_s: float, pause_s: int
) -> None:
    assert choose_socket_options(silent_s) == {
        "keepalives": 1,
        "keepalives_idle": pause_s,
        "keepalives_interval": pause_s,
        "keepalives_count": 3,
        "tcp_user_timeout": round(silent_s * 1_000),
    }
