"""Protocols of what statements run on: a tenant's connection, and a step's open transaction.

They stand apart from `database` and `open_transaction`, which give both, so that the machine can
name them without importing a driver's pool.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

Row = dict[str, Any]


class Queryable(Protocol):
    """Protocol of the database for packs and tools: SQL with `$1` parameters, rows as dicts.

    uuid columns are text, json and jsonb are Python values, numeric is Decimal, times are aware.
    """

    @property
    def tenant_id(self) -> str: ...

    async def call(self, function: str, *values: Any, **given: Any) -> list[Row]:
        """Call a SQL function; its named arguments are sent as one JSON document.
        `tenant_id` and `rights` are added. It acts as the tenant by `plainloop_act_as`, so it may
        be a transaction by itself. values: instead, its parameters after tenant and rights.
        """
        ...

    async def fetch(self, sql: str, *args: Any) -> list[Row]: ...

    async def fetchrow(self, sql: str, *args: Any) -> Row | None: ...

    async def fetchval(self, sql: str, *args: Any) -> Any: ...

    async def execute(self, sql: str, *args: Any) -> int:
        """Execute a statement and return the number of changed rows."""
        ...


class StepTransaction(Queryable, Protocol):
    """A step's open transaction; `open_transaction.Transaction` is one. The store ends it."""

    @property
    def may_wait(self) -> bool:
        """Whether the step's transaction may stay open until the run's next model call."""
        ...

    def savepoint(self) -> AbstractAsyncContextManager[None]: ...

    async def call_last(self, function: str, *values: Any) -> None:
        """Call a SQL function and commit in one round trip. If it raises, everything is undone."""
        ...

    async def commit(self) -> None: ...

    async def rollback(self, *, must_answer: bool = False) -> None: ...
