"""What the pool does with connections that nobody uses, that died, or that were not given."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import asyncpg
import pytest

from plainloop.agent.errors import StoreBusy
from plainloop.agent.store.connecting import pool as pools
from plainloop.agent.store.connecting.pool import Lane, Pool, get_lane, pool_lane
from tests.core.test_pool import Wire


class Server:
    """Gives connections, as many as `room`; then it says that there are no more."""

    def __init__(self, room: int = 99) -> None:
        self.room = room
        self.made: list[Wire] = []

    async def connect(self) -> Wire:
        if sum(not wire.is_cut for wire in self.made) >= self.room:
            raise asyncpg.TooManyConnectionsError("too many")
        self.made.append(Wire())
        return self.made[-1]

    def count_open(self) -> int:
        return sum(not wire.is_cut for wire in self.made)


class Busy(Wire):
    """A connection in the middle of a transaction."""

    def is_in_transaction(self) -> bool:
        return True


async def settle() -> None:
    """Let everything run that can run now."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_the_pool_reuses_the_last_returned_connection() -> None:
    server = Server()
    pool = Pool(server.connect, 4, 5)
    first, second = await pool.acquire("run"), await pool.acquire("run")
    pool.release(first)
    pool.release(second)
    assert await pool.acquire("run") is second
    assert await pool.acquire("run") is first
    assert len(server.made) == 2


async def test_an_unusable_connection_is_not_returned_to_the_pool() -> None:
    server = Server()
    pool = Pool(server.connect, 4, 5)
    for spoil in ("closed", "stale"):
        connection = await pool.acquire("run")
        if spoil == "closed":
            connection.terminate()
        else:
            pool.expire()
        pool.release(connection)
        assert connection.is_cut
        other = await pool.acquire("run")
        assert other is not connection and not other.is_cut
        pool.release(other)
    held = await pool.acquire("run")  # one that is made afterwards is not stale
    pool.release(held)
    assert not held.is_cut

    busy = Busy()
    pool = Pool(lambda: asyncio.sleep(0, busy), 4, 5)
    pool.release(await pool.acquire("run"))
    assert busy.is_cut


async def test_a_connection_that_died_idle_is_skipped() -> None:
    server = Server()
    pool = Pool(server.connect, 4, 5)
    held = [await pool.acquire("run"), await pool.acquire("run")]
    for connection in held:
        pool.release(connection)
    held[1].terminate()
    assert await pool.acquire("run") is held[0]


async def test_after_a_restart_of_the_server_no_old_connection_is_used() -> None:
    server = Server()
    pool = Pool(server.connect, 4, 5)
    idle, held = await pool.acquire("run"), await pool.acquire("run")
    pool.release(idle)
    pool.expire()
    assert (idle.is_cut, held.is_cut) == (True, False), "what is at work may end"
    pool.cut()
    assert held.is_cut


async def test_idle_connections_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "IDLE_S", 0.05)
    server = Server()
    pool = Pool(server.connect, 4, 5)
    held = [await pool.acquire("run"), await pool.acquire("run")]
    pool.release(held[0])
    async with asyncio.timeout(10):
        while server.count_open() > 1:
            await asyncio.sleep(0.01)
    assert [wire.is_cut for wire in held] == [True, False], "one that is held is not idle"
    pool.release(held[1])
    async with asyncio.timeout(10):
        while server.count_open():
            await asyncio.sleep(0.01)
    assert not (await pool.acquire("run")).is_cut
    await pool.close()


async def test_a_pool_that_lost_connections_grows_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pools, "GROW_AGAIN_S", 0.02)
    server = Server(room=1)
    pool = Pool(server.connect, 3, 5)
    assert pool.has_spare
    held = await pool.acquire("pulse")
    with caplog.at_level(logging.WARNING):
        waiting = asyncio.create_task(pool.acquire("pulse"))
        await settle()
    assert not waiting.done() and not pool.has_spare
    (record,) = caplog.records
    told: Any = record
    assert (record.msg, told.have, told.reason) == ("connections_short", 1, "too many")
    pool.release(held)
    assert await waiting is held
    server.room = 9
    async with asyncio.timeout(10):
        while not pool.has_spare:
            await asyncio.sleep(0.01)
    more = await pool.acquire("pulse")
    assert more is not held
    for connection in (held, more):
        pool.release(connection)
    await pool.close()


async def test_a_server_without_free_connections_is_retried_until_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pools, "NONE_AT_ALL_S", 0.01)
    server = Server(room=0)
    pool = Pool(server.connect, 3, 0.05)
    with pytest.raises(asyncpg.TooManyConnectionsError):
        await pool.acquire("run")
    server.room = 1
    pool.release(await pool.acquire("run"))  # the one that failed holds no right


async def test_a_pool_timeout_names_the_number_of_connections() -> None:
    pool = Pool(Server().connect, 2, 0.02)
    held = [await pool.acquire("pulse") for _ in range(2)]
    with pytest.raises(StoreBusy) as busy:
        await pool.acquire("pulse")
    told = "all 2 database connections of this process were in use for 0.02 s"
    hint = (
        "Raise database.connections, or add a replica. "
        "`plainloop doctor` shows the connections in use."
    )
    assert (busy.value.message, busy.value.hint) == (told, hint)
    pool.release(held[0])
    assert await pool.acquire("pulse") is held[0]


async def test_a_failed_connect_frees_its_pool_slot() -> None:
    async def fail() -> Any:
        raise OSError("no route")

    pool = Pool(fail, 1, 0.05)
    for _ in range(3):
        with pytest.raises(OSError, match="no route"):
            await pool.acquire("run")


@pytest.mark.parametrize(
    ("size", "lane", "most"),
    [
        *((10, "pulse", 10), (10, "read", 9), (10, "run", 8), (10, "begin", 8), (10, "step", 7)),
        *((4, "pulse", 4), (4, "read", 3), (4, "run", 2), (4, "step", 1)),
        *((2, "pulse", 2), (2, "read", 2), (2, "run", 2), (2, "step", 1)),
        *((1, "pulse", 1), (1, "read", 1), (1, "run", 1), (1, "step", 1)),
    ],
)
async def test_each_kind_of_work_keeps_its_reserved_connections(
    size: int, lane: Lane, most: int
) -> None:
    pool = Pool(Server().connect, size, 5)
    taken: list[Any] = []
    waiting: asyncio.Task[Any] | None = None
    for _ in range(size + 1):
        waiting = asyncio.create_task(pool.acquire(lane))
        await settle()
        if not waiting.done():
            break
        taken.append(waiting.result())
    assert len(taken) == most
    assert waiting is not None
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    pool.release(taken.pop())
    assert not (await pool.acquire(lane)).is_cut, "who gave up waiting took no right along"


async def test_closing_the_pool_waits_for_connections_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Server()
    pool = Pool(server.connect, 4, 5)
    idle, held = await pool.acquire("run"), await pool.acquire("run")
    pool.release(idle)
    closing = asyncio.create_task(pool.close())
    await settle()
    assert not closing.done() and not held.is_cut
    pool.release(held)
    await closing
    assert (idle.is_cut, held.is_cut) == (True, True)

    monkeypatch.setattr(pools, "CLOSE_S", 0.02)
    pool = Pool(server.connect, 4, 5)
    stuck = await pool.acquire("run")
    await pool.close()
    assert stuck.is_cut, "what is not given back is cut"


async def test_an_unanswered_statement_closes_the_silent_hosts_connections() -> None:
    server, silent = Server(), list[str]()
    pool = Pool(server.connect, 9, 5, on_silence=lambda: silent.append("told"))
    idle, held, other = [await pool.acquire("run") for _ in range(3)]
    pool.release(idle)
    for error in (OSError(), asyncpg.UniqueViolationError()):
        pool.distrust(error, held)
    assert [wire.is_cut for wire in (idle, held, other)] == [False, False, False]
    pool.distrust(asyncpg.InternalClientError(), held)
    assert [wire.is_cut for wire in (idle, held, other)] == [False, True, False]
    assert silent == []
    pool.distrust(TimeoutError(), other)
    assert [wire.is_cut for wire in (idle, other)] == [True, True]
    assert silent == ["told"]
    await pool.close()


async def test_connections_to_a_read_only_server_are_dropped() -> None:
    pool = Pool(Server().connect, 9, 5)
    idle, held, other = [await pool.acquire("run") for _ in range(3)]
    pool.release(idle)
    pool.distrust(asyncpg.exceptions.ReadOnlySQLTransactionError(), held)
    assert [wire.is_cut for wire in (idle, held, other)] == [True, True, False]
    pool.release(other)
    assert other.is_cut


def test_pool_lane_sets_a_tasks_lane_only_inside_the_block() -> None:
    assert get_lane() == "read"
    with pool_lane("run"):
        assert get_lane() == "run"
        with pool_lane("step"):
            assert get_lane() == "step"
        assert get_lane() == "run"
    assert get_lane() == "read"
