"""Two more ways to hold a database: a step's open transaction, and one call at a time."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

from .database import Database, Row, Transaction, finish_despite_cancel


class StepTransaction:
    """A step's transaction: open while its tools write, committed by `record_step`."""

    def __init__(self, database: Database, tx: Transaction, connection: Any) -> None:
        self._database = database
        self._tx = tx
        self._connection = connection

    @property
    def tenant_id(self) -> str:
        return self._tx.tenant_id

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        return await self._tx.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        return await self._tx.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        return await self._tx.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        return await self._tx.execute(sql, *args)

    def savepoint(self) -> AbstractAsyncContextManager[None]:
        """Changes inside are undone, alone, when the block raises. One block at a time."""
        return self._tx.savepoint()

    async def commit(self) -> None:
        """Raises: StoreError when it is not known to have happened."""
        connection, self._connection = self._connection, None
        await finish_despite_cancel(self._database.end(connection, "commit"))

    async def rollback(self) -> None:
        """Undo everything and give the connection back. Harmless when it has ended already."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await finish_despite_cancel(self._database.end(connection, "rollback"))


class Reader:
    """A Queryable whose every call is a transaction of its own."""

    def __init__(self, database: Database, tenant_id: str) -> None:
        self._database = database
        self._tenant_id = tenant_id

    @property
    def tenant_id(self) -> str:
        return self._tenant_id

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        async with self._database.transaction(self._tenant_id) as tx:
            return await tx.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        async with self._database.transaction(self._tenant_id) as tx:
            return await tx.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        async with self._database.transaction(self._tenant_id) as tx:
            return await tx.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        async with self._database.transaction(self._tenant_id) as tx:
            return await tx.execute(sql, *args)
