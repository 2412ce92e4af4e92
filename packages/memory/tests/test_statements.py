"""The memory's statements fit its tables."""

from __future__ import annotations

from pathlib import Path

import plainloop_memory
from tests.core.test_migrations import list_statements

from .conftest import StartMachine

SQL = Path(plainloop_memory.__file__).parent / "sql"


async def test_every_sql_statement_can_be_prepared(machine: StartMachine):
    run = await machine()
    files = [*SQL.glob("*.sql")]
    assert files
    async with run.service.store.database.connection() as connection:
        for path in files:
            for name, sql in list_statements(path):
                await connection.execute(f"prepare {name} as {sql}")
