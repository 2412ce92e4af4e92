"""What the driver says over a connection that is dying, anywhere, means: the database is away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store.connecting.open_transaction import Transaction
from plainloop.agent.store.store import Store
from tests.core.store_samples import begin_run, create_thread

# As asyncpg raised them when the server was killed between two messages.
WORDS = (
    "got result for unknown protocol state 3",
    "cannot switch to state 11; another operation (2) is in progress",
)
Door = Callable[[Transaction], Awaitable[Any]]
DOORS: dict[str, Door] = {
    "fetch": lambda tx: tx.fetch("select 1"),
    "fetchrow": lambda tx: tx.fetchrow("select 1"),
    "fetchval": lambda tx: tx.fetchval("select 1"),
    "execute": lambda tx: tx.execute("select 1"),
    "commit": lambda tx: tx.commit(),
}


class Dying:
    """A connection whose driver has lost the thread: all that is asked of it fails so."""

    def __init__(self, connection: Any, words: str) -> None:
        self.connection = connection
        self.words = words

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    async def fail(self, *args: Any, **more: Any) -> Any:
        raise asyncpg.InternalClientError(self.words)

    fetch = fetchrow = fetchval = execute = fail


def let_die(store: Store, words: str) -> list[Dying]:
    """The next connection that is used is a dying one."""
    pool = store.database._pool  # type: ignore[reportPrivateUsage]
    dying = [Dying(connection, words) for connection, _ in pool._idle]  # type: ignore[reportPrivateUsage]
    pool._idle = [(item, since) for item, (_, since) in zip(dying, pool._idle, strict=True)]  # type: ignore[reportPrivateUsage]
    assert dying
    return dying


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("door", DOORS)
async def test_in_a_transaction_it_is_a_store_error(store: Store, door: str, words: str) -> None:
    tx = await store.database.begin("acme")
    dying = Dying(tx._connection, words)  # type: ignore[reportPrivateUsage]
    pool = store.database._pool  # type: ignore[reportPrivateUsage]
    pool._held[dying] = pool._held.pop(dying.connection)  # type: ignore[reportPrivateUsage]
    tx._connection = dying  # type: ignore[reportPrivateUsage]
    with pytest.raises(StoreError, match=words[:20]):
        await DOORS[door](tx)
    await tx.rollback()
    assert dying.connection.is_closed()
    assert await store.read("acme").fetchval("select 1") == 1


@pytest.mark.parametrize("words", WORDS)
async def test_before_anything_was_done_another_connection_is_taken(
    store: Store, words: str
) -> None:
    thread = await create_thread(store)
    dying = let_die(store, words)
    async with store.transaction("acme") as tx:
        assert await tx.fetchval("select 1") == 1
    assert all(item.connection.is_closed() for item in dying)
    let_die(store, words)
    assert await store.load_thread("acme", "ann", thread.thread_id) == thread


@pytest.mark.parametrize("words", WORDS)
async def test_for_migrations_and_probes_it_is_a_store_error(store: Store, words: str) -> None:
    await create_thread(store)
    dying = let_die(store, words)
    with pytest.raises(StoreError, match=words[:20]):
        async with store.database.connection() as connection:
            await connection.fetchval("select 1")
    assert dying[-1].connection.is_closed()
    run = await begin_run(store, await create_thread(store))
    assert (await store.load_run("acme", "ann", run.run_id)).status == "running"
