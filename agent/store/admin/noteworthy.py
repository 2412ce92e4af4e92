"""What an operator should know of what admins made, of all tenants."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from ..sql_blocks import load_sql
from ..store import Store

SQL: Final = load_sql(Path(__file__).parent / "noteworthy.sql")


async def count_noteworthy(store: Store) -> dict[str, int]:
    """Count what an operator should know: `disabled_webhooks`, `ending_keys`,
    `stopped_schedules`, of all tenants.
    """
    async with store.database.operate() as tx:
        row: Any = await tx.fetchrow(SQL["count_noteworthy"])
    return dict(row)
