"""Scratch copies of tables: schemas of their own, with one tenant's rows."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from plainloop.agent.errors import ConfigError
from plainloop.agent.store.database import Database, Queryable
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.transactions import Reader

SQL: Final = load_sql(Path(__file__).parent / "sql" / "sandbox.sql")
PREFIX: Final = "plainloop_sandbox_"


# An open copy. Its statements see the copied tables only: what reaches for another one without
# naming its schema fails, and changes nothing.
Sandbox: TypeAlias = Reader


async def make_sandbox(
    database: Database, tenant_id: str, name: str, tables: Sequence[str]
) -> Sandbox:
    """Create a sandbox: copies of these tables with the tenant's rows.

    Indexes, checks and foreign keys are copied too. name: one that a killed process has left is
    replaced.

    Raises: ConfigError when the connecting role may not create schemas.
    """
    schema = f"{PREFIX}{name}"
    try:
        await _copy_tables(database, tenant_id, schema, tables)
    except asyncpg.InsufficientPrivilegeError as error:
        raise ConfigError(
            f"the sandbox cannot be created: {error}",
            hint="Give the database's role the right to create schemas, or leave out --sandbox.",
        ) from error

    @asynccontextmanager
    async def enter() -> AsyncGenerator[Queryable]:
        async with database.transaction(tenant_id) as tx:
            await tx.fetchval(SQL["enter_sandbox"], schema)
            yield tx

    return Sandbox(tenant_id, enter)


async def drop_sandboxes(database: Database, name: str) -> None:
    """Drop the sandboxes whose names begin with this text."""
    async with database.connection() as connection:
        for row in await connection.fetch(SQL["list_sandboxes"], f"{PREFIX}{name}"):
            await connection.execute(f"drop schema if exists {row['nspname']} cascade")


async def _copy_tables(
    database: Database, tenant_id: str, schema: str, tables: Sequence[str]
) -> None:
    # One snapshot for all tables: a number that is counted on must not stay behind its rows.
    transaction = {"isolation": "repeatable_read"}
    async with database.connection() as connection, connection.transaction(**transaction):
        # Row-level security holds for the tables' owner as well.
        await connection.execute(SQL["choose_tenant"], tenant_id)
        await connection.execute(f"drop schema if exists {schema} cascade")
        await connection.execute(f"create schema {schema}")
        keys: list[str] = []
        for table in tables:
            await _copy_table(connection, tenant_id, schema, table)
            found = await connection.fetch(SQL["list_foreign_keys"], table, list(tables))
            keys += [
                f"alter table {table} add constraint {row['name']} {row['definition']}"
                for row in found
            ]
        if database.has_roles:
            await connection.execute(
                f"grant usage on schema {schema} to plainloop_app; "
                f"grant all on all tables in schema {schema} to plainloop_app; "
                f"grant all on all sequences in schema {schema} to plainloop_app"
            )
        await connection.execute(f"set local search_path = {schema}")
        for key in keys:
            await connection.execute(key)


async def _copy_table(connection: Any, tenant_id: str, schema: str, table: str) -> None:
    columns = await connection.fetch(SQL["list_table_columns"], table)
    names = [row["column_name"] for row in columns if row["is_stored"]]
    listed = ", ".join(f'"{name}"' for name in names)
    await connection.execute(f"create table {schema}.{table} (like {table} including all)")
    copy = (
        f"insert into {schema}.{table} ({listed}) overriding system value "
        f"select {listed} from {table}"
    )
    if "tenant_id" in names:
        await connection.execute(f"{copy} where tenant_id = $1", tenant_id)
    else:
        await connection.execute(copy)
    for name in (row["column_name"] for row in columns if row["is_identity"]):
        await connection.execute(
            f"select setval(pg_get_serial_sequence('{schema}.{table}', '{name}'), "
            f'(select coalesce(max("{name}"), 0) + 1 from {schema}.{table}), false)'
        )
