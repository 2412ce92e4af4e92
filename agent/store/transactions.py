"""Statements, and functions of them, without an open transaction at hand.

A transaction of one statement takes three round trips: begin with tenant and role, the statement,
the commit. So blocks of SQL that are marked `alone` are kept in the database as well, as functions
that set both and run the block: one round trip. They are made when a process starts. A name holds
its text's hash: replicas of two versions have their own, and a migration drops all (a column may
have changed its type). Where there is none, as in a database where we may not make any, it takes
the three.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial, wraps
from itertools import chain
from types import CoroutineType
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..errors import StoreError
from .connecting.failures import make_store_error
from .connecting.open_transaction import Transaction
from .connecting.queryable import StepTransaction
from .database import OPERATOR_TENANT, Database, Queryable, Role, Row, Statement
from .sql_blocks import ALONE, BY_KEY, CORE_SQL, TOGETHER, load_sql, renumber, write_out

logger = logging.getLogger(__name__)

SQL: Final = load_sql(CORE_SQL / "functions.sql")
LAG_HOLDS_S: Final = 1.0  # before it is measured again
P = ParamSpec("P")
T = TypeVar("T")


class Opens(Protocol):
    """Names what opens transactions: the store."""

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Transaction]: ...

    def read(self, tenant_id: str) -> Queryable: ...


def in_transaction(
    work: Callable[Concatenate[Transaction, P], Awaitable[T]],
) -> Callable[Concatenate[Any, str, P], CoroutineType[Any, Any, T]]:
    """The function as a method of the store: the tenant instead of the transaction, which is the
    call's own.
    """

    @wraps(work)
    async def method(store: Opens, tenant_id: str, *args: P.args, **kwargs: P.kwargs) -> T:
        async with store.transaction(tenant_id) as tx:
            return await work(tx, *args, **kwargs)

    return method


def alone(
    work: Callable[Concatenate[Queryable, P], Awaitable[T]],
) -> Callable[Concatenate[Any, str, P], CoroutineType[Any, Any, T]]:
    """Make a method, in whose calls no transaction is held, of a function of one statement, or of
    reads that need not see the same moment.
    """

    @wraps(work)
    async def method(store: Opens, tenant_id: str, *args: P.args, **kwargs: P.kwargs) -> T:
        return await work(store.read(tenant_id), *args, **kwargs)

    return method


class Reader:
    """A Queryable whose every call is a transaction of its own, opened by `transaction`."""

    def __init__(
        self, tenant_id: str, transaction: Callable[[], AbstractAsyncContextManager[Queryable]]
    ) -> None:
        self.tenant_id = tenant_id
        self.transaction = transaction

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


class Autocommit:
    """Runs each statement in a transaction of its own, in one round trip where the database keeps
    the statement as a function.

    is_repeatable: a statement may be sent twice, when the first one's connection died.
    """

    def __init__(
        self,
        database: Database,
        tenant_id: str,
        role: Role = "plainloop_app",
        *,
        is_repeatable: bool = True,
    ) -> None:
        self.tenant_id = tenant_id
        # Not a method: that would be a frame more on every stack (tests/machine/test_frames.py).
        self._call = partial(
            database.call, tenant_id=tenant_id, role=role, is_repeatable=is_repeatable
        )
        self._reader = Reader(tenant_id, partial(database.transaction, tenant_id, role=role))

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        rows = await self._call((sql,), args)
        if rows is not None:
            return [dict(row) for row in rows]
        return await self._reader.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        rows = await self._call((sql,), args)
        if rows is not None:
            return dict(rows[0]) if rows else None
        return await self._reader.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        row = await self.fetchrow(sql, *args)
        return None if row is None else next(iter(row.values()))

    async def execute(self, sql: str, *args: Any) -> int:
        rows = await self._call((sql,), args)
        if rows is not None:
            return rows[0][0]
        return await self._reader.execute(sql, *args)

    async def do_all(self, statements: Sequence[Statement]) -> bool:
        """All of them together; when one has no row, or changes none, then nothing is done."""
        key, values = zip(*statements, strict=True)
        try:
            if await self._call(key, tuple(chain.from_iterable(values))) is None:
                async with self._reader.transaction() as tx:
                    for sql, args in statements:
                        if not await tx.execute(sql, *args):
                            raise asyncpg.NoDataFoundError
        except asyncpg.NoDataFoundError:
            return False
        return True


async def do_last(database: Database, tx: StepTransaction, statements: Sequence[Statement]) -> bool:
    """Do the statements as `Autocommit.do_all` in an open transaction, and commit it, in one round
    trip where there is a function. When one has no row all is undone, what was done before too.
    To be run by `finish_despite_cancel`.

    Raises: StoreError when it is not known to have happened.
    """
    key, values = zip(*statements, strict=True)
    sql = database.functions.get(key)
    try:
        if sql is not None:
            args = (*chain.from_iterable(values), tx.tenant_id, database.get_rights())
            await tx.execute(f"{write_out(sql, *args)}; commit")
            tx.give_back()
            return True
        for statement, args in statements:
            if not await tx.execute(statement, *args):
                raise asyncpg.NoDataFoundError
    except BaseException as error:
        await tx.rollback()
        if isinstance(error, asyncpg.UndefinedFunctionError):
            # Dropped by a newer version since the step began: it is done again, without.
            database.functions.clear()
            raise make_store_error(error) from error
        if isinstance(error, asyncpg.NoDataFoundError):
            return False
        raise
    await tx.commit()
    return True


class Lag:
    """How far a read replica is behind, measured now and then. most_s: more is too much."""

    def __init__(self, most_s: float) -> None:
        self._most_s = most_s
        self._is_late = False
        self._until = 0.0  # by the monotonic clock

    async def is_late(self, replica: Queryable, own: Queryable) -> bool:
        """Whether it is too far behind; the log has a line when that changes.

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
    """Measure for how many seconds the replica may lack what was committed; None where it cannot
    tell. After a pause in writing that is the pause, until the next commit has come over.

    Raises: StoreError when the replica is away.
    """
    try:
        position = await own.fetchval(SQL["read_position"])
    except StoreError:
        position = None
    return await replica.fetchval(SQL["measure_lag"], position)


class ReplicaReader:
    """Reads from a replica, which may be a moment behind; from the database where the replica is
    away or later than `lag` allows.
    """

    def __init__(self, replica: Queryable, own: Queryable, lag: Lag) -> None:
        self.tenant_id = own.tenant_id
        self._replica = replica
        self._own = own
        self._lag = lag

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        return await self._ask(lambda db: db.fetch(sql, *args))

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        return await self._ask(lambda db: db.fetchrow(sql, *args))

    async def fetchval(self, sql: str, *args: Any) -> Any:
        return await self._ask(lambda db: db.fetchval(sql, *args))

    async def execute(self, sql: str, *args: Any) -> int:
        return await self._own.execute(sql, *args)

    async def has_everything(self) -> bool:
        """Whether the replica has what was committed until now."""
        try:
            position = await self._own.fetchval(SQL["read_position"])
            return await self._replica.fetchval(SQL["has_reached"], position)
        except StoreError:
            return False

    async def _ask(self, read: Callable[[Queryable], Awaitable[T]]) -> T:
        try:
            if await self._lag.is_late(self._replica, self._own):
                return await read(self._own)
            return await read(self._replica)
        # A replica ends a read that is in the way of what the primary removed.
        except (StoreError, asyncpg.SerializationError) as error:
            logger.warning("replica_away", extra={"reason": str(error)})
            return await read(self._own)


def operate_alone(database: Database) -> Autocommit:
    """Return the database for single statements that do a process's work for all tenants."""
    return Autocommit(database, OPERATOR_TENANT, "plainloop_operator")


async def find_functions(database: Database) -> list[tuple[str, ...]]:
    """Have those that are there used from now on; returns the statements that have none."""
    for path in CORE_SQL.glob("*.sql"):
        load_sql(path)  # whatever was imported: every process keeps the same
    wanted = {key: _build_name(key) for key in ALONE | TOGETHER}
    async with database.connection() as connection:
        found = await connection.fetch(SQL["list_statements"], [*wanted.values()])
    calls: dict[str, str] = {}
    for name, types in ((row["proname"], row["types"]) for row in found):
        parameters = ", ".join(f"${n}::{kind}" for n, kind in enumerate(types, 1))
        calls[name] = f"select * from {name}({parameters})"
    database.functions = {key: calls[name] for key, name in wanted.items() if name in calls}
    return [key for key, name in wanted.items() if name not in calls]


async def make_functions(database: Database) -> None:
    """Make what is missing, where we may."""
    missing = await find_functions(database)
    if not missing:
        return
    try:
        async with database.connection() as connection, connection.transaction():
            await connection.execute(SQL["take_turn"])
            for key in missing:
                # A process may know packs that this database does not serve.
                with suppress(asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError):
                    async with connection.transaction():
                        await _keep_statements(connection, key)
    except asyncpg.InsufficientPrivilegeError as error:
        logger.warning("functions_not_made", extra={"reason": str(error)})
    await find_functions(database)


async def _keep_statements(connection: Any, key: tuple[str, ...]) -> None:
    """Their types are what the server finds out of the statements."""
    statements: list[str] = []
    types: list[str] = []
    columns: list[list[str]] = []
    for sql in key:
        found = await connection.prepare(sql)
        own = [kind.name for kind in found.get_parameters()]
        statements.append(renumber(sql, [f"${len(types) + n + 1}" for n in range(len(own))]))
        types += own
        columns.append([f'"{a.name}" {a.type.name}' for a in found.get_attributes()])
    await connection.execute(
        SQL["keep_statements"],
        _build_name(key),
        statements,
        [bool(names) for names in columns],
        types,
        ", ".join(columns[0]),
        key in TOGETHER,
        key in TOGETHER or key in BY_KEY,
    )


def _build_name(key: tuple[str, ...]) -> str:
    digest = hashlib.blake2b("\0".join(key).encode(), digest_size=6).hexdigest()
    return f"plainloop_{(ALONE | TOGETHER)[key]}_{digest}"
