"""A tenant's rows as a replay writes them: a block of statements in a transaction of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.store import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TenantRows:
    store: Store
    tenant_id: str

    async def execute(self, block: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """Call a function with these arguments in a new transaction, and return its result."""
        async with self.store.transaction(self.tenant_id) as tx:
            return await block(tx, *arguments)

    async def insist(self, block: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """Call a function as `execute` does, and retry while the database is unreachable."""
        return await keep_trying(lambda: self.execute(block, *arguments))
