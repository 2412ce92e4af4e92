"""What the driver says over a connection that is dying, anywhere, means: the database is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
import pytest

from plainloop.agent.errors import ConflictError, StoreError
from plainloop.agent.store.connecting.open_transaction import Transaction
from plainloop.agent.store.store import Store
from tests.core.store_samples import begin_run, create_thread, wait_for_lock

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

    def __init__(self, connection: Any, error: str | Exception) -> None:
        self.connection = connection
        is_told = isinstance(error, Exception)
        self.error = error if is_told else asyncpg.InternalClientError(error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    async def fail(self, *args: Any, **more: Any) -> Any:
        raise self.error

    fetch = fetchrow = fetchval = execute = fail


def let_die(store: Store, words: str | Exception) -> list[Dying]:
    """The next connection that is used is a dying one."""
    pool = store.database._pool  # type: ignore[reportPrivateUsage]
    dying = [Dying(connection, words) for connection, _ in pool._idle]  # type: ignore[reportPrivateUsage]
    pool._idle = [(item, since) for item, (_, since) in zip(dying, pool._idle, strict=True)]  # type: ignore[reportPrivateUsage]
    assert dying
    return dying


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("door", DOORS)
async def test_a_connection_lost_in_a_transaction_is_a_store_error(
    store: Store, door: str, words: str
) -> None:
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
async def test_a_connection_dead_at_first_use_is_replaced(store: Store, words: str) -> None:
    thread = await create_thread(store)
    dying = let_die(store, words)
    async with store.transaction("acme") as tx:
        assert await tx.fetchval("select 1") == 1
    assert all(item.connection.is_closed() for item in dying)
    let_die(store, words)
    assert await store.load_thread("acme", "ann", thread.thread_id) == thread


async def test_connections_with_a_timed_out_statement_are_discarded(store: Store) -> None:
    """A process that stood still finds the answer and the timeout at once, and the driver takes
    the statement for a cancelled one.
    """
    thread = await create_thread(store)
    dying = let_die(store, TimeoutError())
    with pytest.raises(StoreError):
        await store.load_thread("acme", "ann", thread.thread_id)
    tx = await store.database.begin("acme")
    connection = tx._connection  # type: ignore[reportPrivateUsage]
    with pytest.raises(StoreError):
        async with tx._turn:  # type: ignore[reportPrivateUsage]
            raise TimeoutError
    await tx.rollback()

    assert dying[-1].connection.is_closed()
    assert connection.is_closed()
    assert await store.load_thread("acme", "ann", thread.thread_id) == thread


async def test_a_silent_connection_discards_all_connections_to_its_server(store: Store) -> None:
    """Each of them would take its own time to say nothing."""
    thread = await create_thread(store)
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(store.transaction("acme"))
    dying = let_die(store, TimeoutError())
    with pytest.raises(StoreError):
        await store.load_thread("acme", "ann", thread.thread_id)
    assert len(dying) == 3
    assert all(item.connection.is_closed() for item in dying)


async def test_a_run_whose_begin_timed_out_is_found_and_not_repeated(
    store: Store, database_url: str
) -> None:
    thread = await create_thread(store)
    other: Any = await asyncpg.connect(database_url)
    blocking = other.transaction()
    await blocking.start()
    await other.execute("select from threads where thread_id = $1 for update", thread.thread_id)

    beginning = asyncio.create_task(begin_run(store, thread))
    await wait_for_lock(store)
    for connection in [*store.database._pool._held]:  # type: ignore[reportPrivateUsage]
        connection.terminate()  # the server goes on with its statement
    await wait_for_lock(store, 2)
    await blocking.rollback()
    await other.close()
    run = await beginning

    assert (await store.load_run("acme", "ann", run.run_id)).status == "running"
    assert len(await store.load_messages("acme", thread.thread_id)) == 1


@pytest.mark.parametrize("words", WORDS)
async def test_a_retry_by_key_after_a_lost_connection_finds_the_run(
    store: Store, words: str
) -> None:
    thread = await create_thread(store)
    first = await begin_run(store, thread, idempotency_key="once", request_hash="same")
    let_die(store, words)
    with pytest.raises(ConflictError, match=first.run_id) as told:
        await begin_run(store, thread, idempotency_key="once", request_hash="same")
    assert told.value.code == "RUN_EXISTS"


@pytest.mark.parametrize("words", WORDS)
async def test_lost_connections_in_migrations_and_probes_are_store_errors(
    store: Store, words: str
) -> None:
    await create_thread(store)
    dying = let_die(store, words)
    with pytest.raises(StoreError, match=words[:20]):
        async with store.database.connection() as connection:
            await connection.fetchval("select 1")
    assert dying[-1].connection.is_closed()
    run = await begin_run(store, await create_thread(store))
    assert (await store.load_run("acme", "ann", run.run_id)).status == "running"
