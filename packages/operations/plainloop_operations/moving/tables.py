"""What there is of a tenant: the tables with a `tenant_id`, packs' too, read from the catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.store.sql_blocks import load_sql

SQL: Final = load_sql(Path(__file__).parent / "moving.sql")
# Of one database and moment: they mean nothing in another.
LEFT: Final = frozenset(
    {"changes", "held_tenants", "probes", "tickets", "provider_rate_lines", "provider_rate_turns"}
)
DERIVED: Final = "usage_"  # sums of the ledger: written for all tenants at once


@dataclass(frozen=True, slots=True)
class Table:
    """Names a table and what of it is moved. columns: those that are written. numbered: those that
    a sequence gives its numbers.
    """

    name: str
    columns: list[str]
    numbered: list[str]

    @property
    def is_derived(self) -> bool:
        return self.name.startswith(DERIVED)

    @property
    def column_list(self) -> str:
        return ", ".join(f'"{name}"' for name in self.columns)


@dataclass(frozen=True, slots=True)
class Content:
    """Says how much a table holds, and digests it. digest: the same for the same rows, in whatever
    order.
    """

    rows: int
    digest: str


async def list_tables(connection: Any) -> list[Table]:
    """List the tables to move, in the order in which they can be filled."""
    found = await connection.fetch(SQL["list_tables"])
    return [Table(**row) for row in found if row["name"] not in LEFT]


async def read_content(connection: Any, table: Table, tenant_id: str, timeout_s: float) -> Content:
    """Count and digest the tenant's rows in the table."""
    row = await connection.fetchrow(
        "select count(*) as rows,"
        f" coalesce(sum(hashtextextended(row({table.column_list})::text, 0)::numeric), 0)::text"
        f' as digest from "{table.name}" where tenant_id = $1',
        tenant_id,
        timeout=timeout_s,
    )
    return Content(row["rows"], row["digest"])
