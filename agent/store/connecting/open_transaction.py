"""One open transaction of one tenant: its statements one at a time, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

from ...base.finishing import finish_despite_cancel
from .codecs import to_statement, write_call
from .failures import BROKEN_OFF, STOOD_STILL, UNAVAILABLE, make_store_error
from .pool import Pool


class Transaction:
    """One open transaction of one tenant, ended by `commit` or `rollback`.
    Calls from several tasks wait for each other.
    """

    def __init__(
        self, pool: Pool, connection: Any, tenant_id: str, rights: str, *, has_passed: bool = True
    ) -> None:
        self._pool = pool
        self._connection: Any = connection  # None: it has been given back
        self.tenant_id = tenant_id
        self._acting: dict[str, Any] = {"tenant_id": tenant_id, "rights": rights}
        self.has_passed = has_passed  # the check that it began with found a row
        self.may_wait = False  # a step's, with the step, until the run's next model call
        self._turn = _Turn(connection, pool.distrust)
        # Tools of one step write in parallel in this one transaction, and Postgres' savepoints
        # nest: going back to one undoes all that came after it, another tool's writes as well.
        self._savepoint_lock = asyncio.Lock()
        self._savepoints = 0

    # Each calls the driver itself: a frame less on every stack (tests/machine/test_frames.py).

    async def call(self, function: str, *values: Any, **given: Any) -> list[dict[str, Any]]:
        async with self._turn:
            sql, args = to_statement(function, self._acting, values, given)
            rows = await self._connection.fetch(sql, *args)
        return [dict(row) for row in rows]

    async def fetch(self, sql: str, *args: Any) -> list[dict[str, Any]]:
        async with self._turn:
            rows = await self._connection.fetch(sql, *args)
        return [dict(row) for row in rows]

    async def fetchrow(self, sql: str, *args: Any) -> dict[str, Any] | None:
        async with self._turn:
            row = await self._connection.fetchrow(sql, *args)
        return None if row is None else dict(row)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        async with self._turn:
            return await self._connection.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        async with self._turn:
            tag: str = await self._connection.execute(sql, *args)
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    @asynccontextmanager
    async def savepoint(self) -> AsyncGenerator[None]:
        """Undo the block's changes, and only these, if the block raises. One block at a time."""
        async with self._savepoint_lock:
            self._savepoints += 1
            # A new name each time: Postgres keeps an older savepoint of the same name beneath the
            # newer one.
            name = f"s{self._savepoints}"
            await self.execute(f"savepoint {name}")
            try:
                yield
            except BaseException:
                await finish_despite_cancel(self.execute(f"rollback to savepoint {name}"))
                raise
            await self.execute(f"release savepoint {name}")

    async def commit(self) -> None:
        """Commit the transaction, even if the calling task is cancelled meanwhile.

        Raises: StoreError when it is not known to have happened.
        """
        # Of 55 COMMITs that were cancelled 37 had happened
        # (docs/decisions/05-runs-and-takeover.md).
        await finish_despite_cancel(self._end("commit"))

    async def call_last(self, function: str, *values: Any) -> None:
        """Call a SQL function and commit in one round trip. If it raises, everything is undone.
        To be run by `finish_despite_cancel`.

        Raises: StoreError when it is not known to have happened.
        """
        # One message: where the first statement raises, the server skips the second.
        script = f"select {write_call(function, (*self._acting.values(), *values))}; commit"
        try:
            async with self._turn:
                await self._connection.execute(script)
        except BaseException:
            await self.rollback()
            raise
        connection, self._connection = self._connection, None
        self._pool.release(connection)

    async def rollback(self, *, must_answer: bool = False) -> None:
        """Roll the transaction back and release its connection, unless it has already ended.

        must_answer: Raises StoreError when the database is away: then that is why whoever worked in
        it failed, whatever it says (test_a_write_lost_with_the_database_is_repeated).
        """
        if self._connection is not None:
            await finish_despite_cancel(self._end("rollback", must_answer))

    async def _end(self, command: Literal["commit", "rollback"], must_answer: bool = True) -> None:
        """Commit or roll back, and release the connection. Raises: StoreError if in doubt."""
        connection, self._connection = self._connection, None
        try:
            await connection.execute(command)
        except (*UNAVAILABLE, *BROKEN_OFF) as error:
            connection.terminate()
            # One that the server ended because we stood still is undone, and the server is there.
            if must_answer and (command == "commit" or not isinstance(error, STOOD_STILL)):
                raise make_store_error(error) from error
        finally:
            self._pool.release(connection)


class _Turn:
    """Lets one statement at a time use the connection; an unreachable database is a StoreError."""

    def __init__(self, connection: Any, distrust: Callable[[BaseException, Any], None]) -> None:
        self._connection = connection
        self._distrust = distrust
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        # asyncpg refuses a second statement while one is at work ("another operation is in
        # progress").
        await self._lock.acquire()

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._lock.release()
        if error is not None:
            self._distrust(error, self._connection)
        if isinstance(error, UNAVAILABLE) or (
            # Said for misuse as well, but not on a connection that is gone.
            isinstance(error, BROKEN_OFF) and self._connection.is_closed()
        ):
            raise make_store_error(error) from error
