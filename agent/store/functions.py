"""Statements that are a transaction by themselves, in one round trip.

Otherwise each takes three: begin with tenant and role, the statement, the commit. So blocks that
are marked `alone` are kept in the database as well, as functions that set both and run the block.
They are made when a process starts. The name holds the text's hash: replicas of two versions have
their own, and a migration drops all (a column may have changed its type). Where there is none, as
in a database where we may not make any, `transactions.Alone` takes the three.
"""

from __future__ import annotations

import hashlib
import logging
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from .database import Database
from .sql_blocks import ALONE, CORE_SQL, load_sql

logger = logging.getLogger(__name__)

SQL: Final = load_sql(CORE_SQL / "functions.sql")


async def find_functions(database: Database) -> list[str]:
    """Have those that are there used from now on; returns the statements that have none."""
    wanted = {sql: _build_name(sql) for sql in ALONE}
    async with database.connection() as connection:
        found = await connection.fetch(SQL["list_statements"], [*wanted.values()])
    calls: dict[str, str] = {row["proname"]: _build_call(row) for row in found}
    database.functions = {sql: calls[name] for sql, name in wanted.items() if name in calls}
    return [sql for sql, name in wanted.items() if name not in calls]


async def make_functions(database: Database) -> None:
    """Make what is missing, where we may."""
    missing = await find_functions(database)
    if not missing:
        return
    try:
        async with database.connection() as connection, connection.transaction():
            await connection.execute(SQL["take_turn"])
            for sql in missing:
                await _keep_statement(connection, sql)
    except asyncpg.InsufficientPrivilegeError as error:
        logger.warning("functions_not_made", extra={"reason": str(error)})
    await find_functions(database)


async def _keep_statement(connection: Any, sql: str) -> None:
    """Its types are what the server finds out of the statement."""
    found = await connection.prepare(sql)
    types = [kind.name for kind in found.get_parameters()]
    columns = ", ".join(f'"{a.name}" {a.type.name}' for a in found.get_attributes())
    needs_row = ALONE[sql].needs_row
    await connection.execute(
        SQL["keep_statement"], _build_name(sql), sql, types, columns, needs_row
    )


def _build_name(sql: str) -> str:
    digest = hashlib.blake2b(sql.encode(), digest_size=6).hexdigest()
    return f"plainloop_{ALONE[sql].name}_{digest}"


def _build_call(row: Any) -> str:
    parameters = ", ".join(f"${n}" for n in range(1, row["pronargs"] + 1))
    return f"select * from {row['proname']}({parameters})"
