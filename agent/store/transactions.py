"""Statements without an open transaction at hand: each is one by itself, of the database or of its
read replica.

A statement takes three round trips then: begin with tenant and role, the statement, the commit. A
call of a function takes one: see `Queryable.call`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial, wraps
from types import CoroutineType
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..errors import StoreBusy, StoreError
from .connecting.open_transaction import Transaction
from .database import OPERATOR_TENANT, Database, Queryable, Role, Row
from .sql_blocks import CORE_SQL, load_sql

logger = logging.getLogger(__name__)

SQL: Final = load_sql(CORE_SQL / "replicas.sql")
LAG_HOLDS_S: Final = 1.0  # before it is measured again
# A vanished host costs the connect time-out (5 s): not every read should wait for it.
AWAY_S: Final = 10.0
P = ParamSpec("P")
T = TypeVar("T")


class Opens(Protocol):
    """Protocol of the store's methods that open a tenant's transactions and reads."""

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Transaction]: ...

    def read(self, tenant_id: str) -> Queryable: ...


def in_transaction(
    work: Callable[Concatenate[Transaction, P], Awaitable[T]],
) -> Callable[Concatenate[Any, str, P], CoroutineType[Any, Any, T]]:
    """Turn a function on a transaction into a Store method that opens one.
    The method takes the tenant instead, and opens one transaction per call.
    """

    @wraps(work)
    async def method(store: Opens, tenant_id: str, *args: P.args, **kwargs: P.kwargs) -> T:
        async with store.transaction(tenant_id) as tx:
            return await work(tx, *args, **kwargs)

    return method


def alone(
    work: Callable[Concatenate[Queryable, P], Awaitable[T]],
) -> Callable[Concatenate[Any, str, P], CoroutineType[Any, Any, T]]:
    """Turn a function on a database into a Store method without a transaction.
    It has one statement, or reads that need no common snapshot.
    """

    @wraps(work)
    async def method(store: Opens, tenant_id: str, *args: P.args, **kwargs: P.kwargs) -> T:
        return await work(store.read(tenant_id), *args, **kwargs)

    return method


class Reader:
    """A Queryable whose every statement is a transaction of its own, opened by `transaction`."""

    def __init__(
        self, tenant_id: str, transaction: Callable[[], AbstractAsyncContextManager[Queryable]]
    ) -> None:
        self.tenant_id = tenant_id
        self.transaction = transaction

    async def call(self, function: str, *values: Any, **given: Any) -> list[Row]:
        async with self.transaction() as tx:
            return await tx.call(function, *values, **given)

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        async with self.transaction() as tx:
            return await tx.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        async with self.transaction() as tx:
            return await tx.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        async with self.transaction() as tx:
            return await tx.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        async with self.transaction() as tx:
            return await tx.execute(sql, *args)


class Autocommit(Reader):
    """Runs each statement or function call in a transaction of its own.

    is_repeatable: a function may be called again if the connection of its first call died.
    """

    def __init__(
        self,
        database: Database,
        tenant_id: str,
        role: Role = "plainloop_app",
        *,
        is_repeatable: bool = True,
    ) -> None:
        super().__init__(tenant_id, partial(database.transaction, tenant_id, role=role))
        # Not a method: that would be a frame more on every stack (tests/machine/test_frames.py).
        self._call = partial(
            database.call, tenant_id=tenant_id, role=role, is_repeatable=is_repeatable
        )

    async def call(self, function: str, *values: Any, **given: Any) -> list[Row]:
        return [dict(row) for row in await self._call(function, values, given)]


class Lag:
    """Measures once a second whether a read replica is more than `most_s` behind."""

    def __init__(self, most_s: float) -> None:
        self._most_s = most_s
        self._is_late = False
        self._until = 0.0  # by the monotonic clock
        self._away_until = 0.0

    @property
    def is_away(self) -> bool:
        """Whether reads avoid the read replica at present, because it could not be reached."""
        return time.monotonic() < self._away_until

    def put_off(self) -> None:
        """Make reads avoid the read replica for a while, because it cannot be reached."""
        self._away_until = time.monotonic() + AWAY_S

    async def is_late(self, replica: Queryable, own: Queryable) -> bool:
        """Whether the read replica is too late for reads; a change is logged.

        Raises: StoreError when the replica is away.
        """
        if time.monotonic() >= self._until:
            age_s = await measure_lag(replica, own)
            was_late, self._is_late = self._is_late, age_s is not None and age_s > self._most_s
            self._until = time.monotonic() + LAG_HOLDS_S
            if self._is_late != was_late:
                event = "replica_late" if self._is_late else "replica_in_time"
                logger.warning(event, extra={"age_s": age_s, "most_s": self._most_s})
        return self._is_late


async def measure_lag(replica: Queryable, own: Queryable) -> float | None:
    """Return how many seconds the read replica may be late; None if unknown.
    After a pause in writing that is the pause, until the next commit has come over.

    Raises: StoreError when the replica is away.
    """
    try:
        position = await own.fetchval(SQL["read_position"])
    except StoreError:
        # Without the primary the replica still tells how long ago it heard of a commit.
        position = None
    return await replica.fetchval(SQL["measure_lag"], position)


class ReplicaReader:
    """Reads from a read replica, or from the primary if the replica is unreachable or too late."""

    def __init__(self, replica: Queryable, own: Queryable, lag: Lag) -> None:
        self.tenant_id = own.tenant_id
        self._replica = replica
        self._own = own
        self._lag = lag

    async def call(self, function: str, *values: Any, **given: Any) -> list[Row]:
        return await self._ask(lambda db: db.call(function, *values, **given))

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        return await self._ask(lambda db: db.fetch(sql, *args))

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        return await self._ask(lambda db: db.fetchrow(sql, *args))

    async def fetchval(self, sql: str, *args: Any) -> Any:
        return await self._ask(lambda db: db.fetchval(sql, *args))

    async def execute(self, sql: str, *args: Any) -> int:
        return await self._own.execute(sql, *args)

    async def has_everything(self) -> bool:
        """Whether the read replica can be reached and contains all committed data."""
        if self._lag.is_away:
            return False
        try:
            position = await self._own.fetchval(SQL["read_position"])
        except StoreError:
            return False
        try:
            return await self._replica.fetchval(SQL["has_reached"], position)
        except StoreError as error:
            self._put_off(error)
            return False

    def _put_off(self, error: StoreError) -> None:
        if not isinstance(error, StoreBusy):  # our own connections to it are all in use
            self._lag.put_off()

    async def _ask(self, read: Callable[[Queryable], Awaitable[T]]) -> T:
        """Run a read on the replica, or on the database if that fails or is behind."""
        if self._lag.is_away:
            return await read(self._own)
        try:
            if not await self._lag.is_late(self._replica, self._own):
                return await read(self._replica)
        # A replica ends a read that is in the way of what the primary removed.
        except (StoreError, asyncpg.SerializationError) as error:
            if isinstance(error, StoreError):
                self._put_off(error)
            logger.warning("replica_away", extra={"reason": str(error)})
        return await read(self._own)


def operate_alone(database: Database) -> Autocommit:
    """Return the database for single statements that see all tenants, such as heartbeats."""
    return Autocommit(database, OPERATOR_TENANT, "plainloop_operator")
