"""Sums whole hours of the ledger in tables, so that reports stay fast.

Nothing of it is needed for a report to be right: what is not added up is read from the ledger.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from ..store.connecting.open_transaction import Transaction
from ..store.database import Queryable
from ..store.sql_blocks import load_sql
from ..store.store import Store
from .dimensions import TABLES, build_rollup
from .ledger_columns import Table

logger = logging.getLogger(__name__)

SQL: Final = load_sql(Path(__file__).parent / "sql" / "report.sql")
AT_ONCE: Final = timedelta(days=2)  # hours in one transaction
SUMS: Final[dict[Table, str]] = {t: time for t, time in TABLES.items() if t != "llm_calls"}


async def roll_up_usage(store: Store) -> datetime | None:
    """Add up all tenants' ledger rows until the last whole hour, so that reports read sums.

    Several processes may do so at once.

    Returns: up to when it is done; None when there is nothing in the ledger.
    """
    while True:
        # Two days a transaction: one of a year would hold back what vacuum removes for as long.
        async with store.database.operate() as tx:
            done, until = await _roll_some(tx)
        if done is None or done >= until:
            return done


async def roll_again(db: Queryable, first: datetime, end: datetime) -> None:
    """Recompute a tenant's sums for whole UTC days, because ledger rows have changed.
    Days not summed before are left alone.
    """
    rolled_until: datetime | None = await db.fetchval(SQL["load_rolled_until"])
    if rolled_until is None:
        return
    for table in SUMS:
        await db.execute(build_delete(table), db.tenant_id, first, end)
        # Newer rows are summed with the next hours; summed here, they would be counted twice.
        await db.execute(build_rollup(table), first, min(end, rolled_until), db.tenant_id)


async def roll_hours(
    db: Queryable, begins: datetime, until: datetime, tenant_id: str | None = None
) -> None:
    """Compute the sums of a range of hours that have none yet, for one tenant or all."""
    for statement in (*(build_rollup(table) for table in SUMS), SQL["roll_avoided"]):
        await db.execute(statement, begins, until, tenant_id)


def build_delete(table: Table) -> str:
    """Build the SQL that deletes a table's sums in a time range, before they are recomputed."""
    return SQL["delete_sums"].format(table=table, time=TABLES[table])


async def _roll_some(tx: Transaction) -> tuple[datetime | None, datetime]:
    """Add up the next two days at most; return until when it is done, and the end to reach."""
    now: datetime = datetime.now(UTC)
    rolled: datetime | None = await tx.fetchval(SQL["load_rolled_until"])
    begins = rolled or await tx.fetchval(SQL["find_first_hour"])
    if begins is None:
        return None, now
    # Not beyond the first open call: settled later, it would be missing from the sums
    # (test_summing_waits_for_open_calls).
    ends: datetime = await tx.fetchval(SQL["find_open_hour"], begins)
    if begins >= ends:
        return rolled, begins
    begins = await tx.fetchval(SQL["lock_rolled_until"], begins)  # another may have been quicker
    until = min(begins + AT_ONCE, ends)
    if begins >= until:
        return begins, until
    await roll_hours(tx, begins, until)
    await tx.execute(SQL["set_rolled_until"], until)
    logger.info("usage_rolled_up", extra={"until": until.isoformat()})
    return until, ends
