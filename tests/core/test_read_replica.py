"""`AGENT_DATABASE_READ_URL`: what may be a moment old is read from a replica, the rest is not.

The replica here is a copy of another day, so that it shows which of the two was asked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from plainloop.agent.config.settings import Secret, load_settings
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store

CALLS = "select count(*) from threads"


@pytest.fixture
async def copy_url(database_url: str) -> AsyncIterator[str]:
    """A database like the other one before anybody began a conversation."""
    await (await open_store(database_url)).close()  # the tables are made
    admin: Any = await asyncpg.connect(database_url.replace(name_of(database_url), "postgres"))
    name = f"{name_of(database_url)}_copy"
    try:
        await admin.execute(f'create database "{name}" template "{name_of(database_url)}"')
        yield database_url.replace(name_of(database_url), name)
        await admin.execute(f'drop database "{name}" with (force)')
    finally:
        await admin.close()


def name_of(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


async def open_store(url: str, read_url: str | None = None) -> Store:
    settings = load_settings({"DATABASE_URL": url})
    read = None if read_url is None else Secret(read_url)
    return await connect_store(
        replace(settings, database=replace(settings.database, read_url=read))
    )


async def test_reports_come_from_the_replica_and_threads_from_the_database(
    database_url: str, copy_url: str
) -> None:
    store = await open_store(database_url, copy_url)
    try:
        thread = await store.create_thread("local", "ann", pack="tracker")
        assert await store.read_late("local").fetchval(CALLS) == 0
        assert await store.read("local").fetchval(CALLS) == 1
        assert (await store.load_thread("local", "ann", thread.thread_id)) == thread
    finally:
        await store.close()


async def test_a_list_is_read_from_a_replica_only_when_it_has_everything(
    database_url: str, copy_url: str
) -> None:
    store = await open_store(database_url, copy_url)
    try:
        await store.create_thread("local", "ann", pack="tracker")
        settled = await store.read_settled("local")
        assert await settled.fetchval(CALLS) == 1
    finally:
        await store.close()


async def test_without_its_replica_the_database_answers(database_url: str) -> None:
    store = await open_store(database_url, "postgresql://localhost:1/none")
    try:
        await store.create_thread("local", "ann", pack="tracker")
        assert await store.read_late("local").fetchval(CALLS) == 1
        assert await store.read_late("other").fetchval(CALLS) == 0
    finally:
        await store.close()
