"""Few connections make work slower, and never fail it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
import pytest

from plainloop.agent.errors import StoreBusy, StoreError
from plainloop.agent.store.connecting import pool as pools
from plainloop.agent.store.connecting.pool import Lane, Pool, pool_lane
from plainloop.agent.store.database import Database, open_database
from tests.fixtures import run_sql

Open = Callable[..., Awaitable[Database]]
ROLE = "narrow"


class Wire:
    """A connection as the pool sees one."""

    def __init__(self) -> None:
        self.is_cut = False

    def is_closed(self) -> bool:
        return self.is_cut

    def is_in_transaction(self) -> bool:
        return False

    def terminate(self) -> None:
        self.is_cut = True

    async def close(self, *, timeout: float) -> None:
        self.is_cut = True


@pytest.fixture
async def open_narrow(empty_database_url: str) -> AsyncIterator[Open]:
    """The database by a role that may have so many connections."""
    opened: list[Database] = []

    async def open_one(limit: int, **more: Any) -> Database:
        await set_limit(empty_database_url, limit)
        url = empty_database_url.replace("postgres@", f"{ROLE}@")
        if url == empty_database_url:
            url = empty_database_url.replace("://", f"://{ROLE}@", 1)
        opened.append(await open_database(url, **more))
        assert await ask(opened[-1], "select current_user::text") == ROLE
        return opened[-1]

    await run_sql(empty_database_url, f"drop role if exists {ROLE}", f"create role {ROLE} login")
    yield open_one
    for database in opened:
        await database.close()
    await run_sql(empty_database_url, f"drop role {ROLE}")


async def set_limit(url: str, limit: int) -> None:
    await run_sql(url, f"alter role {ROLE} connection limit {limit}")


async def ask(database: Database, sql: str = "select 1") -> Any:
    async with database.transaction("acme") as tx:
        return await tx.fetchval(sql)


@pytest.mark.parametrize("limit", [1, 3])
async def test_work_waits_if_the_database_role_has_few_connections(
    open_narrow: Open, limit: int
) -> None:
    database = await open_narrow(limit)
    assert await asyncio.gather(*(ask(database) for _ in range(60))) == [1] * 60


async def test_two_processes_share_the_roles_connection_limit(open_narrow: Open) -> None:
    both = [await open_narrow(5), await open_narrow(5)]
    sql = "select 1 from pg_sleep(0.01)"
    asked = (ask(both[n % 2], sql) for n in range(100))
    assert await asyncio.gather(*asked) == [1] * 100


async def test_the_pool_reuses_freed_connections_for_waiters(
    open_narrow: Open, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "GROW_AGAIN_S", 0.05)
    database = await open_narrow(2)
    await asyncio.gather(*(ask(database) for _ in range(10)))
    await set_limit(empty_database_url, 20)
    async with AsyncExitStack() as stack, asyncio.timeout(30):
        for _ in range(6):
            await stack.enter_async_context(database.transaction("acme"))


async def test_a_caller_without_a_connection_waits_for_one(open_narrow: Open) -> None:
    first = await open_narrow(1)
    second = Pool(lambda: connect_like(first), 4, 30)
    async with first.connection():
        asked = asyncio.create_task(second.acquire("read"))
        await asyncio.wait({asked}, timeout=0.2)
        assert not asked.done()
    await first.close()
    second.release(await asked)
    await second.close()


async def connect_like(database: Database) -> Any:
    return await database._pool._connect()  # type: ignore[reportPrivateUsage]


async def test_a_timed_out_wait_for_a_connection_states_the_true_cause() -> None:
    pool = Pool(make_wire, 2, 0.05)
    held = [await pool.acquire("pulse") for _ in range(2)]
    with pytest.raises(StoreBusy) as caught:
        await pool.acquire("read")
    assert caught.value.message == (
        "all 2 database connections of this process were in use for 0.05 s"
    )
    assert "database.connections" in (caught.value.hint or "")
    for connection in held:
        pool.release(connection)
    pool.release(await pool.acquire("read"))


async def test_a_long_but_moving_queue_does_not_time_out() -> None:
    pool = Pool(make_wire, 2, 0.2)

    async def work() -> None:
        connection = await pool.acquire("begin")
        await asyncio.sleep(0.02)
        pool.release(connection)

    await asyncio.gather(*(work() for _ in range(60)))  # the last ones wait for 0.6 s


async def test_active_runs_get_connections_before_starting_ones() -> None:
    pool = Pool(make_wire, 3, 5)
    first = await pool.acquire("begin")
    served: list[str] = []

    async def take(lane: Lane) -> None:
        connection = await pool.acquire(lane)
        served.append(lane)
        await asyncio.sleep(0)
        pool.release(connection)

    second = await pool.acquire("run")
    crowd = [asyncio.create_task(take("begin")) for _ in range(100)]
    await asyncio.sleep(0)
    at_work = [asyncio.create_task(take("run")) for _ in range(5)]
    await asyncio.sleep(0)
    pool.release(first)
    pool.release(second)
    await asyncio.gather(*crowd, *at_work)
    assert max(n for n, lane in enumerate(served) if lane == "run") <= 10


async def test_an_unreachable_database_is_not_reported_as_a_full_pool() -> None:
    with pytest.raises(StoreError) as caught:
        await open_database("postgresql://localhost:1/none")
    assert not isinstance(caught.value, StoreBusy)
    assert caught.value.message.startswith("the database cannot be used: ")


async def test_the_first_connection_to_a_silent_server_fails_at_once() -> None:
    async def hang() -> Any:
        raise TimeoutError

    pool = Pool(hang, 4, 600)
    with pytest.raises(TimeoutError):
        await pool.acquire("read")


@pytest.mark.parametrize("error", [ConnectionRefusedError(), StoreError("it does not start")])
async def test_the_pool_tries_other_hosts_while_one_is_silent(error: Exception) -> None:
    """Nobody else asks: the one that found out may come round again late."""
    looks = asyncio.Queue[Wire]()
    doubts: list[str] = []

    async def connect() -> Wire:
        if doubts:
            looks.put_nowait(Wire())
            if looks.qsize() == 1:
                raise error
            pool.cut()  # as `Hosts` does where another one answers
        return Wire()

    pool = Pool(connect, 4, 600, on_silence=lambda: doubts.append("it"))
    waiting, asking = await pool.acquire("read"), await pool.acquire("pulse")
    pool.distrust(TimeoutError(), asking)
    pool.release(asking)
    async with asyncio.timeout(60):
        while not waiting.is_closed():
            await asyncio.sleep(0.01)
    pool.release(waiting)
    assert (doubts, looks.qsize()) == (["it"], 2)
    await pool.close()


async def make_wire() -> Wire:
    return Wire()


async def test_each_kind_of_work_gets_connections_in_its_order_of_arrival() -> None:
    pool = Pool(make_wire, 4, 5)
    held = [await pool.acquire("pulse") for _ in range(4)]
    order: list[str] = []

    async def take(lane: Lane, name: str) -> None:
        connection = await pool.acquire(lane)
        order.append(name)
        await asyncio.sleep(0)
        pool.release(connection)

    async with asyncio.TaskGroup() as group:
        for n in range(3):
            group.create_task(take("run", f"run {n}"))
        for n in range(3):
            group.create_task(take("read", f"read {n}"))
        group.create_task(take("pulse", "pulse"))
        await asyncio.sleep(0)
        for connection in held:
            pool.release(connection)
    assert order[0] == "pulse"
    for kind in ("run", "read"):
        assert [name for name in order if name.startswith(kind)] == [
            f"{kind} {n}" for n in range(3)
        ]


@pytest.mark.parametrize("size", [2, 3, 4, 10])
async def test_fifty_open_steps_on_a_small_pool_do_not_block_each_other(size: int) -> None:
    pool = Pool(make_wire, size, 20)

    async def run_step() -> None:
        outer = await pool.acquire("step")
        for _ in range(3):
            await asyncio.sleep(0)
            pool.release(await pool.acquire("run"))
        pool.release(outer)

    await asyncio.gather(*(run_step() for _ in range(50)))


@pytest.mark.parametrize("lane", ["run", "step"])
async def test_runs_leave_one_pool_connection_to_reads_and_one_to_heartbeats(lane: Lane) -> None:
    pool = Pool(make_wire, 6, 0.05)
    with pytest.raises(StoreBusy):
        for _ in range(6):
            await pool.acquire(lane)
    await pool.acquire("read")
    with pytest.raises(StoreBusy):
        for _ in range(6):
            await pool.acquire("read")
    await pool.acquire("pulse")


async def test_heartbeats_do_not_queue_behind_runs(open_narrow: Open) -> None:
    database = await open_narrow(20, connections=4, wait_s=0.05)
    with pool_lane("run"):
        async with database.transaction("acme"), database.transaction("acme"):
            with pytest.raises(StoreBusy):
                await ask(database)
            async with database.operate() as tx:
                assert await tx.fetchval("select 1") == 1
    assert await ask(database) == 1


@pytest.mark.parametrize("seed", range(20))
async def test_a_cancelled_wait_for_a_connection_leaks_none(seed: int) -> None:
    chance = random.Random(seed)
    open_now: set[Wire] = set()

    async def connect() -> Wire:
        for _ in range(chance.randrange(3)):
            await asyncio.sleep(0)
        if sum(not wire.is_cut for wire in open_now) >= 3:
            raise asyncpg.TooManyConnectionsError("sorry, too many clients already")
        wire = Wire()
        open_now.add(wire)
        return wire

    pool = Pool(connect, 6, 30)

    async def work() -> None:
        connection = await pool.acquire(chance.choice(["pulse", "read", "run", "step", "begin"]))
        try:
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
            if chance.random() < 0.1:
                connection.terminate()
            if chance.random() < 0.1:
                pool.expire()
        finally:
            pool.release(connection)

    async def come_and_go() -> None:
        task = asyncio.create_task(work())
        for _ in range(chance.randrange(8)):
            await asyncio.sleep(0)
        if chance.random() < 0.4:
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    await asyncio.gather(*(come_and_go() for _ in range(200)))
    assert pool._used.total() == 0  # type: ignore[reportPrivateUsage]
    assert not pool._held  # type: ignore[reportPrivateUsage]
    pool.release(await pool.acquire("run"))


async def test_the_pool_leaves_a_demoted_server_for_the_primary(database_url: str) -> None:
    admin: Any = await asyncpg.connect(database_url)
    name = await admin.fetchval("select quote_ident(current_database())")
    await admin.execute(f"alter database {name} set default_transaction_read_only = on")
    database = await open_database(database_url, connections=3)
    try:
        with pytest.raises(StoreError, match="read-only transaction"):
            async with database.transaction("local") as tx:
                await tx.execute("create table kept ()")
        await admin.execute(f"alter database {name} reset default_transaction_read_only")
        # The old session would refuse writes for ever.
        async with database.transaction("local") as tx:
            await tx.execute("create table kept ()")
    finally:
        await database.close()
        await admin.close()


async def test_a_caller_refused_by_the_server_is_served_before_later_ones() -> None:
    answer, held = asyncio.Event(), [Wire()]

    async def connect() -> Wire:
        if held:
            return held.pop()
        await answer.wait()
        raise asyncpg.TooManyConnectionsError("no more")

    pool, served = Pool(connect, 3, 60), list[str]()

    async def take(name: str) -> None:
        connection = await pool.acquire("read")
        served.append(name)
        pool.release(connection)

    first = await pool.acquire("read")
    tasks = [asyncio.create_task(take(name)) for name in ("refused", "later", "last")]
    await asyncio.sleep(0)
    answer.set()
    while pool.has_spare:  # until the pool has shrunk
        await asyncio.sleep(0)
    pool.release(first)
    await asyncio.gather(*tasks)
    await pool.close()
    assert served == ["refused", "later", "last"]
