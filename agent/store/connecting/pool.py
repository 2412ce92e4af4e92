"""The connection pool of this process: small, in order, within the server's limit.

Whoever wants one waits behind those of its own kind:

    pulse   heartbeats, event flushes, claims: before everybody, and the last one is always theirs
    read    what people ask while runs are at work: one connection is never a run's
    run     short transactions of runs
    step    transactions that stay open while tools run. What happens inside may need a second
            connection, so that steps together leave one to `run`, and never wait for each other
    begin   what stores messages and begins runs: a crowd of them is not before those at work

Where several lines wait they are served by turns, and within a line its users. A line may be long
and nobody gives up, as long as it moves; `StoreBusy` is for one in which nothing came back for
`wait_s`.

Not asyncpg's own pool: that is as large as it was made. When the server has no more connections
(a role's limit, other replicas), it fails although one of ours comes back in a moment
(tests/core/test_pool.py); here the size shrinks to what there is, and grows again later.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Final, Literal

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ...base.sharing.fair_queue import FairQueue, get_party
from ...errors import StoreBusy, StoreError

logger = logging.getLogger(__name__)

Lane = Literal["pulse", "read", "run", "step", "begin"]
Connect = Callable[[], Awaitable[Any]]

LEAST: Final = 2  # a step's transaction and what its tools do beside it
CLOSE_S: Final = 5.0
IDLE_S: Final = 30.0  # then an unused connection is somebody else's to have
GROW_AGAIN_S: Final = 2.0  # after which one more is tried
LOOK_S: Final = 0.5  # between two looks for a host that answers
NONE_AT_ALL_S: Final = 0.5  # between two tries when the server does not give even one
NO_MORE: Final = (asyncpg.TooManyConnectionsError, asyncpg.ProtocolViolationError, TimeoutError)

_lane: ContextVar[Lane] = ContextVar("lane", default="read")


@contextmanager
def pool_lane(lane: Lane) -> Generator[None]:
    """Let this task acquire connections for this purpose (lane) inside the block.
    Each lane has its own queue, and a share that others leave free.
    """
    before = _lane.set(lane)
    try:
        yield
    finally:
        _lane.reset(before)


def get_lane() -> Lane:
    """Return the purpose (lane) for which the current task acquires connections."""
    return _lane.get()


class Pool:
    """A connection pool shared by purposes (lanes), none of which can use up all connections.
    connect: makes a connection that is ready for use. size: max. connections. wait_s: how long a
    queue waits while none is released. on_silence: called when a statement got no answer.
    """

    def __init__(
        self,
        connect: Connect,
        size: int,
        wait_s: float,
        on_silence: Callable[[], None] = lambda: None,
    ) -> None:
        self.size = size
        self._on_silence = on_silence
        self._looking: asyncio.Task[None] | None = None
        self._connect = connect
        self._wait_s = wait_s
        self._most = size  # fewer for a while when the server has no more
        self._held: dict[Any, Lane] = {}
        self._idle: list[tuple[Any, float]] = []  # and since when; the newest last
        self._used: Counter[Lane] = Counter()  # rights to a connection, by who has them
        self._opening = 0
        self._stale: set[Any] = set()  # held ones that are not to be used again
        self._waiting: defaultdict[Lane, FairQueue[asyncio.Future[None]]] = defaultdict(FairQueue)
        self._moved_at: defaultdict[Lane, float] = defaultdict(float)
        self._by_turns: list[Lane] = ["read", "run", "step", "begin"]
        self._is_closed = False
        self._is_back = asyncio.Event()  # a connection, while all are being closed
        self._sweeping: asyncio.TimerHandle | None = None
        self._growing: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def has_spare(self) -> bool:
        """Whether the pool may open more than one connection at present."""
        return self._most >= LEAST

    def has_idle(self, lane: Lane) -> bool:
        """Whether `acquire` would return an open connection for this purpose at once."""
        return bool(self._idle) and not self._waiting[lane].length and self._has_room(lane)

    async def acquire(self, lane: Lane) -> Any:
        """Acquire a connection, first come first served. The caller must `release` it.

        Raises: StoreBusy when all were in use for too long, and what `connect` raises.
        """
        if self._waiting[lane].length or not self._has_room(lane):
            await self._wait(lane)
        else:
            self._used[lane] += 1
        try:
            connection = self._take_idle() or await self._open(lane)
        except BaseException:
            self._free(lane)
            raise
        self._held[connection] = lane
        return connection

    def release(self, connection: Any) -> None:
        """Give a connection back to the pool, or close it if it cannot be used again."""
        lane = self._held.pop(connection)
        self._is_back.set()
        is_stale = self._is_closed or connection in self._stale
        self._stale.discard(connection)
        if is_stale or connection.is_closed() or connection.is_in_transaction():
            connection.terminate()
        else:
            self._idle.append((connection, asyncio.get_running_loop().time()))
            self._sweep_later()
        self._free(lane)

    def expire(self) -> None:
        """Close idle connections now and used ones later, since the server restarted or changed."""
        self._stale.update(self._held)
        while self._idle:
            self._idle.pop()[0].terminate()

    def cut(self) -> None:
        """Close all connections at once, because another database host has taken over."""
        self.expire()
        for connection in self._held:
            connection.terminate()

    def distrust(self, error: BaseException, connection: Any) -> None:
        """Close a connection after an error, or all connections if the server caused it.
        After a timeout the driver may read the end of a cancelled statement as that of the next
        (test_connections_with_a_timed_out_statement_are_discarded). The others are retired, too:
        each would wait for the silent server in vain
        (test_a_silent_connection_discards_all_connections_to_its_server).

        A server that refuses writes is no longer the primary, though it still answers: all
        connections are retired, so that new ones are made to the new primary
        (test_the_pool_leaves_a_demoted_server_for_the_primary).
        """
        if isinstance(error, asyncpg.InternalClientError | TimeoutError):
            connection.terminate()
        if isinstance(error, TimeoutError):
            self.expire()
            self._on_silence()
            if self._looking is None or self._looking.done():
                self._looking = self._begin(self._look())
        if isinstance(error, asyncpg.exceptions.ReadOnlySQLTransactionError):
            connection.terminate()
            self.expire()

    async def close(self) -> None:
        """Close all connections, giving those in use a few seconds to end."""
        self._is_closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                while self._held:
                    self._is_back.clear()
                    await self._is_back.wait()
        for connection in [*self._held]:
            connection.terminate()
        for timer in (self._sweeping, self._growing, self._looking):
            if timer is not None:
                timer.cancel()
        for connection, _ in self._idle:
            self._begin(_close(connection))
        self._idle.clear()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _has_room(self, lane: Lane) -> bool:
        """Whether this lane may use one more connection, with the shares of others kept free."""
        # Three are left to the others: one each for `pulse`, `read` and `run`
        # (test_each_kind_of_work_keeps_its_reserved_connections).
        if lane == "step" and self._used["step"] >= max(1, self._most - 3):
            return False
        # `read` leaves one to `pulse`, all others one to each of both
        # (test_runs_leave_one_pool_connection_to_reads_and_one_to_heartbeats).
        kept = {"pulse": 0, "read": 1}.get(lane, 2)
        return self._used.total() < max(min(LEAST, self._most), self._most - kept)

    async def _wait(self, lane: Lane, *, is_first: bool = False) -> None:
        """Wait for a slot in this lane; `wait_s` without any progress of its queue is too long."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        line, party, came_at = self._waiting[lane], get_party(), loop.time()
        line.push(party, turn, is_next=is_first)
        self._serve()
        try:
            while not turn.done():
                left_s = max(came_at, self._moved_at[lane]) + self._wait_s - loop.time()
                if left_s <= 0:
                    raise StoreBusy(
                        f"all {self._most} database connections of this process were in use for "
                        f"{self._wait_s:g} s",
                        hint="Raise database.connections, or add a replica. "
                        "`plainloop doctor` shows the connections in use.",
                    )
                await asyncio.wait({turn}, timeout=left_s)
        except BaseException:
            # Granted in the moment in which its task was cancelled: the slot goes on to the next
            # (test_a_cancelled_wait_for_a_connection_leaks_none).
            if turn.done():
                self._free(lane)
            else:
                line.remove(party, turn)
            raise

    def _free(self, lane: Lane) -> None:
        """Give up a slot of this lane, and grant it to the next waiter."""
        self._used[lane] -= 1
        self._serve()

    def _serve(self) -> None:
        """Grant free slots to waiters: first `pulse`, then the other lanes in turn."""
        while (lane := self._choose_lane()) is not None:
            self._used[lane] += 1
            self._moved_at[lane] = asyncio.get_running_loop().time()
            self._waiting[lane].pop().set_result(None)

    def _choose_lane(self) -> Lane | None:
        """Return the lane whose waiter is served next; None if no waiter can be served."""
        for lane in ("pulse", *self._by_turns):
            if self._waiting[lane].length and self._has_room(lane):
                if lane != "pulse":  # the others are before it the next time
                    self._by_turns.remove(lane)
                    self._by_turns.append(lane)
                return lane
        return None

    def _take_idle(self) -> Any:
        """Return the idle connection used last; None without one."""
        while self._idle:
            # The most recently used one: those that a quiet hour does not need stay at the other
            # end, and are closed (test_the_pool_reuses_the_last_returned_connection).
            connection, _ = self._idle.pop()
            if not connection.is_closed():
                return connection
        return None

    async def _open(self, lane: Lane) -> Any:
        """Open a connection, or wait for a released one where the server has no more."""
        deadline = asyncio.get_running_loop().time() + self._wait_s
        while True:
            self._opening += 1
            try:
                try:
                    return await self._connect()
                finally:
                    self._opening -= 1
            except NO_MORE as error:
                if asyncio.get_running_loop().time() > deadline or not self._is_short(error):
                    raise
                short = error
            await self._shrink(lane, short)
            if (connection := self._take_idle()) is not None:
                return connection

    async def _shrink(self, lane: Lane, error: Exception) -> None:
        """Lower the pool's size for a while to what the server allows; wait for a slot again."""
        there_are = self._count_open()
        self._most = max(1, min(self._most, there_are))
        if self._growing is None:
            reason = str(error) or type(error).__name__
            logger.warning("connections_short", extra={"have": there_are, "reason": reason})
            self._grow_later()
        if there_are == 0:
            await asyncio.sleep(NONE_AT_ALL_S)
            return
        self._used[lane] -= 1
        try:
            await self._wait(lane, is_first=True)
        except BaseException:
            self._used[lane] += 1  # as our caller believes
            raise

    def _count_open(self) -> int:
        return len(self._held) + len(self._idle) + self._opening

    def _is_short(self, error: Exception) -> bool:
        """Whether the server refused only because it has no more connections now."""
        if isinstance(error, TimeoutError):  # with nothing open the server is away
            return self._count_open() > 0
        # pgbouncer has no code of its own for it.
        is_postgres = isinstance(error, asyncpg.TooManyConnectionsError)
        return is_postgres or "no more connections allowed" in str(error)

    def _grow_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._growing = loop.call_later(GROW_AGAIN_S, self._grow)

    def _grow(self) -> None:
        """Allow one more connection, up to the pool's size, and serve waiters."""
        self._growing = None
        self._most = min(self.size, self._most + 1)
        if self._most < self.size:
            self._grow_later()
        self._serve()

    async def _look(self) -> None:
        """Connect again and again while a host is silent, to find its successor.
        All that waits for the silent host is cut when another answers, however late each waiter
        would have connected by itself.
        """
        while self._held:
            try:
                connection = await self._connect()
            except (OSError, StoreError, asyncpg.PostgresError, asyncpg.InternalClientError):
                await asyncio.sleep(LOOK_S)
            else:
                await _close(connection)
                return

    def _sweep_later(self) -> None:
        if self._sweeping is None:
            loop = asyncio.get_running_loop()
            self._sweeping = loop.call_later(IDLE_S, self._sweep)

    def _sweep(self) -> None:
        """Close connections that were idle for long; check the others again later."""
        self._sweeping = None
        oldest = asyncio.get_running_loop().time() - IDLE_S
        old = [connection for connection, since in self._idle if since <= oldest]
        self._idle = [item for item in self._idle if item[1] > oldest]
        for connection in old:
            self._begin(_close(connection))
        if self._idle:
            self._sweep_later()

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task and hold it until it ends; `close` waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _close(connection: Any) -> None:
    """Close a connection in an orderly way; cut it if the server does not answer."""
    try:
        await connection.close(timeout=CLOSE_S)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
        connection.terminate()
