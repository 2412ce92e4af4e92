"""Functions over an open transaction, without one at hand: single statements, whole functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import wraps
from types import CoroutineType
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from .database import Queryable, Row, Transaction

P = ParamSpec("P")
T = TypeVar("T")


class Opens(Protocol):
    """What has transactions: the store."""

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Transaction]: ...


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
