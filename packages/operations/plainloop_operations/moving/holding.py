"""A tenant is held while it moves: first nothing new is begun for it, then nothing is written.

It is the database that refuses, whichever replica or command asks, by triggers that are there as
long as any tenant is held. Who is refused is told to come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from plainloop.agent.errors import ConflictError
from plainloop.agent.store.database import Database

from .tables import SQL, Table, list_tables

BEGUN: Final = ("runs", "replays", "rollouts")  # what new work is a row of
TRIGGERS: Final = {"new": "insert", "any": "insert or update or delete"}
POLL_S: Final = 0.5


async def hold_tenant(database: Database, tenant_id: str, wait_s: float) -> list[Table]:
    """Stop a tenant's work and refuse all writes, to export it.

    New work is refused at once; running work has `wait_s` seconds to end. Returns: its tables.
    Raises: ConflictError TENANT_BUSY; it stays held, and the same again goes on waiting.
    """
    await _write(database, "hold", tenant_id)
    await _make_triggers(database, BEGUN, "new")
    deadline = asyncio.get_running_loop().time() + wait_s
    while True:
        async with database.transaction(tenant_id) as tx:
            counts = await tx.fetchrow(SQL["count_open"], tenant_id) or {}
        if not any(counts.values()):
            break
        if asyncio.get_running_loop().time() >= deadline:
            told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
            raise ConflictError(
                f"the tenant {tenant_id} still has running work: {told}",
                hint="No new work is started. Wait for the work to end or cancel it, then export "
                "again. `plainloop tenant release` cancels the move.",
                code="TENANT_BUSY",
            )
        await asyncio.sleep(POLL_S)
    await _write(database, "freeze", tenant_id)
    async with database.connection() as connection:
        tables = await list_tables(connection)
    await _make_triggers(database, [table.name for table in tables if not table.is_derived], "any")
    return tables


async def release_tenant(database: Database, tenant_id: str) -> None:
    """Allow writes to a tenant again, whether or not they were stopped."""
    await _write(database, "release", tenant_id)
    async with database.operate() as tx:
        if await tx.fetch(SQL["list_held"]):
            return
    async with database.connection() as connection:
        for table in await list_tables(connection):
            for kind in TRIGGERS:
                await connection.execute(f'drop trigger if exists held_{kind} on "{table.name}"')


async def require_frozen(connection: Any, tenant_id: str) -> None:
    """Check that all writes to a tenant are refused.

    Raises: ConflictError TENANT_NOT_HELD.
    """
    if not await connection.fetchval(SQL["is_frozen"], tenant_id):
        raise ConflictError(
            f"the tenant {tenant_id} can still be written to",
            hint="Run `plainloop tenant export` first, which stops writes.",
            code="TENANT_NOT_HELD",
        )


async def _write(database: Database, block: str, tenant_id: str) -> None:
    async with database.connection() as connection, connection.transaction():
        await connection.execute(SQL["take_turn"])
        await connection.execute(SQL["choose_tenant"], tenant_id)
        await connection.execute(SQL[block], tenant_id)


async def _make_triggers(database: Database, names: Sequence[str], kind: str) -> None:
    """Create the triggers that refuse writes, one table's lock at a time to avoid deadlocks.

    Also where they exist: creating one waits for the table's writers, and later ones see the held
    tenants.
    """
    async with database.connection() as connection:
        for name in names:  # of the catalog
            await connection.execute(
                f'create or replace trigger held_{kind} before {TRIGGERS[kind]} on "{name}"'
                f" for each row execute function plainloop_refuse_held('{kind}')"
            )
