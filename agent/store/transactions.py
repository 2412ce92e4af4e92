"""Functions over an open transaction, without one at hand: single statements, whole functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial, wraps
from types import CoroutineType
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from .database import OPERATOR_TENANT, Database, Queryable, Role, Row, Transaction

P = ParamSpec("P")
T = TypeVar("T")


class Opens(Protocol):
    """What has transactions: the store."""

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
    """The same for a function of one statement, or of reads that need not see the same moment."""

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


class Alone:
    """The same in one round trip, where the database keeps the statement as a function
    (`functions`); else as a Reader.

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
        self._database = database
        self._role: Role = role
        self._is_repeatable = is_repeatable
        self._reader = Reader(tenant_id, partial(database.transaction, tenant_id, role=role))

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        rows = await self._call(sql, args)
        if rows is not None:
            return [dict(row) for row in rows]
        return await self._reader.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        rows = await self._call(sql, args)
        if rows is not None:
            return dict(rows[0]) if rows else None
        return await self._reader.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        row = await self.fetchrow(sql, *args)
        return None if row is None else next(iter(row.values()))

    async def execute(self, sql: str, *args: Any) -> int:
        rows = await self._call(sql, args)
        if rows is not None:
            return rows[0][0]
        return await self._reader.execute(sql, *args)

    async def _call(self, sql: str, args: tuple[Any, ...]) -> list[Any] | None:
        """The function's rows; None where there is none."""
        functions = self._database.functions
        if sql not in functions:
            return None
        try:
            return await self._database.call(
                functions[sql],
                args,
                self.tenant_id,
                self._role,
                is_repeatable=self._is_repeatable,
            )
        except asyncpg.NoDataFoundError:
            return []
        except asyncpg.UndefinedFunctionError:  # a newer version has changed the schema meanwhile
            functions.pop(sql, None)
            return None


def operate_alone(database: Database) -> Alone:
    """The same for the work of a process for all tenants."""
    return Alone(database, OPERATOR_TENANT, "plainloop_operator")
