"""The oldest supported server: the schema, every statement and a whole turn on Debian's 15.

The whole suite runs on it with `scripts/test --postgres=debian15`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from tests.core.store_samples import create_thread
from tests.core.test_migrations import list_sql_files, list_statements
from tests.core.test_store_growth import ANSWER, run_turn
from tests.fixtures import debian_server, list_pack_migrations, make_settings, server_folder


@pytest.fixture(scope="module")
def debian_url() -> Iterator[str]:
    with server_folder() as folder, debian_server(folder) as url:
        yield url


@pytest.fixture
async def old_store(debian_url: str, tmp_path: Path) -> AsyncIterator[Store]:
    settings = make_settings(debian_url, tmp_path)
    opened = await connect_store(settings, migration_folders=list_pack_migrations())
    yield opened
    await opened.close()


async def test_every_statement_fits_postgres_15(old_store: Store) -> None:
    async with old_store.database.connection() as connection:
        assert (await connection.fetchval("show server_version")).startswith("15.")
        has_vectors = await connection.fetchval("select to_regtype('vector') is not null")
        for path in list_sql_files():
            for name, sql in list_statements(path):
                if "::vector" in sql and not has_vectors:
                    continue  # pgvector is optional; what needs it is not asked without it
                await connection.execute(f"prepare {path.stem}_{name} as {sql}")
        await connection.execute("deallocate all")


async def test_a_turn_is_recorded_on_postgres_15(old_store: Store) -> None:
    assert old_store.database.has_roles
    thread = await create_thread(old_store)
    run = await run_turn(old_store, thread)
    events = await old_store.load_events("acme", run.run_id)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["data"] == {"content": ANSWER}
    assert len(await old_store.load_messages("acme", thread.thread_id, max_tokens=10)) == 4
    assert await old_store.list_threads("umbrella", "ann", limit=1) == []


async def test_a_turn_in_monthly_tables_runs_on_postgres_15(old_store: Store) -> None:
    months = pytest.importorskip("plainloop_operations.months.partitions")
    await months.begin_months(old_store.database)
    run = await run_turn(old_store, await create_thread(old_store))
    assert (await old_store.load_events("acme", run.run_id))[-1]["data"] == {"content": ANSWER}
