"""Migrations: applied once, in order, together; and every statement fits the migrated schema."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import asyncpg
import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store import database as store_database
from plainloop.agent.store import erasure, migrations
from plainloop.agent.store.database import Database, open_database
from plainloop.agent.store.ledger import LIST_CALLS
from plainloop.agent.store.migrations import (
    CORE_MIGRATIONS,
    apply_migrations,
    list_migrations,
    list_tables,
    reset_edited,
)
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import SQL as THREADS
from plainloop.agent.usage.dimensions import build_cache_sums
from plainloop.agent.usage.report import SQL as USAGE
from plainloop.agent.usage.retention import DELETE_CALLS, DELETE_CHANGES
from plainloop.agent.usage.rollup import SUMS, build_delete
from tests.core.store_samples import wait_for_lock
from tests.fixtures import run_sql

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
async def database(empty_database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(empty_database_url)
    yield opened
    await opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0001_pack_things.sql").write_text("create table things (tenant_id text)")
    return tmp_path


def tell(raised: pytest.ExceptionInfo[StoreError]) -> tuple[str, str | None, str]:
    """What is wrong, what to do, and the code for programs."""
    return raised.value.message, raised.value.hint, raised.value.code


async def test_each_migration_is_applied_once_the_cores_first(
    database: Database, folder: Path
) -> None:
    core = sorted(path.name for path in CORE_MIGRATIONS.glob("*.sql"))
    listed = await list_migrations(database, [folder])
    assert [(m.name, m.applied_at) for m in listed] == [
        (name, None) for name in [*core, "0001_pack_things.sql"]
    ]
    assert await apply_migrations(database, [folder]) == [*core, "0001_pack_things.sql"]
    assert await apply_migrations(database, [folder]) == []
    assert all(m.applied_at for m in await list_migrations(database, [folder]))


async def test_concurrent_migrations_run_one_after_another(
    database: Database, empty_database_url: str
) -> None:
    others = [await open_database(empty_database_url) for _ in range(4)]
    applied = await asyncio.gather(*(apply_migrations(each) for each in [database, *others]))
    assert sorted(len(names) for names in applied)[:4] == [0, 0, 0, 0]
    assert max(len(names) for names in applied) > 0
    for other in others:
        await other.close()


async def test_a_start_waits_for_another_processs_long_migration(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_database, "COMMAND_TIMEOUT_S", 0.2)
    late = await open_database(empty_database_url)
    monkeypatch.undo()
    other = await open_database(empty_database_url)
    waited = (
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and wait_event = 'advisory' and clock_timestamp() - query_start > interval '1 s'"
    )
    async with other.connection() as connection:
        await connection.execute(f"begin; {migrations.LOCK}")
        applying = asyncio.create_task(apply_migrations(late, dry_run=True))
        while not applying.done() and not await connection.fetchval(waited):
            await asyncio.sleep(0.01)
            # A transaction sees others' activity as it was at its first look.
            await connection.execute("select pg_stat_clear_snapshot()")
        await connection.execute("rollback")
    assert await applying != []
    for each in (late, other):
        await each.close()


async def test_an_endless_migration_is_stopped_with_a_readable_error(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await apply_migrations(database, [folder])
    (folder / "0002_pack_endless.sql").write_text("select pg_sleep(3600)")
    monkeypatch.setattr(migrations, "APPLY_S", 0.5)
    with pytest.raises(StoreError) as failed:
        await apply_migrations(database, [folder])
    assert tell(failed) == (
        "the migration 0002_pack_endless.sql was stopped after 0.5 s",
        "Nothing was applied. Apply it while no replica serves, or split it.",
        "MIGRATION_FAILED",
    )


async def test_a_dry_run_of_migrations_changes_nothing(database: Database, folder: Path) -> None:
    assert "0001_pack_things.sql" in await apply_migrations(database, [folder], dry_run=True)
    async with database.connection() as connection:
        assert await connection.fetchval("select to_regclass('things')") is None


async def test_a_failing_migration_undoes_all_of_them(database: Database, folder: Path) -> None:
    file = folder / "0002_pack_broken.sql"
    file.write_text("select 1;\n\ncreate table more (tenant_id no_such_type)")
    with pytest.raises(StoreError) as failed:
        await apply_migrations(database, [folder])
    assert tell(failed) == (
        'the migration 0002_pack_broken.sql:3 failed: type "no_such_type" does not exist',
        "Nothing was applied. Correct the migration.",
        "MIGRATION_FAILED",
    )
    file.write_text("do $$ begin raise insufficient_privilege using message = 'no'; end $$")
    with pytest.raises(StoreError) as failed:
        await apply_migrations(database, [folder])
    assert tell(failed) == (
        "the migration 0002_pack_broken.sql failed: no",
        "Nothing was applied. The role of DATABASE_URL must own the database.",
        "MIGRATION_FAILED",
    )
    async with database.connection() as connection:
        assert await connection.fetchval("select to_regclass('things')") is None
        assert await connection.fetchval("select to_regclass('threads')") is None


async def test_an_edited_applied_migration_is_an_error(database: Database, folder: Path) -> None:
    await apply_migrations(database, [folder])
    (folder / "0001_pack_things.sql").write_text("create table other_things (tenant_id text)")
    with pytest.raises(StoreError) as changed:
        await apply_migrations(database, [folder])
    assert tell(changed) == (
        "the migration 0001_pack_things.sql was changed after it was applied",
        "Restore the file and put the change into a new migration. In development, "
        "`plainloop migrate --reset` recreates the pack's tables without their rows.",
        "MIGRATION_CHANGED",
    )


async def test_in_development_an_edited_pack_migration_is_reapplied(
    database: Database, folder: Path
) -> None:
    (folder / "0002_pack_more.sql").write_text("create table more (tenant_id text)")
    await apply_migrations(database, [folder])
    assert await reset_edited(database, [folder]) == []
    (folder / "0001_pack_things.sql").write_text("create table things (tenant_id text, b int)")
    assert await reset_edited(database, [folder]) == ["0001_pack_things.sql"]
    names = ["0001_pack_things.sql", "0002_pack_more.sql"]
    assert await apply_migrations(database, [folder]) == names
    tables = await list_tables(database, ["more", "nothing", "threads"], [folder])
    assert [(it.name, it.is_there, it.is_protected) for it in tables] == [
        ("more", True, False),
        ("nothing", False, False),
        ("things", True, False),
        ("threads", True, True),
    ]
    assert tables[2].columns == ("tenant_id", "b")
    async with database.connection() as connection:
        await connection.execute("update schema_migrations set undoing = null")
    (folder / "0002_pack_more.sql").write_text("create table more (tenant_id text, c int)")
    with pytest.raises(StoreError) as refused:
        await reset_edited(database, [folder])
    assert tell(refused) == (
        f"{', '.join(names)} cannot be undone: an older version applied them and stored no "
        "undo steps",
        "In development, use another database or data directory.",
        "MIGRATION_CHANGED",
    )


async def test_a_database_of_a_newer_version_is_refused_unless_it_only_adds(
    database: Database,
) -> None:
    await apply_migrations(database)
    newer = "insert into schema_migrations (name, checksum, expands) values ($1, '', $2)"
    async with database.connection() as connection:
        for name, expands in (
            ("9998_core_adds.sql", True),
            ("9999_pack_gone.sql", False),
            ("0001_core_unknown.sql", False),
        ):
            await connection.execute(newer, name, expands)
        assert await apply_migrations(database) == []
        await connection.execute(newer, "9997_core_b.sql", False)
        await connection.execute(newer, "9996_core_a.sql", None)
    with pytest.raises(StoreError) as refused:
        await apply_migrations(database)
    assert tell(refused) == (
        "the database was migrated by a newer version: 9996_core_a.sql, 9997_core_b.sql is "
        "unknown here",
        "Run that version or a newer one, or use another database.",
        "SCHEMA_NEWER",
    )


@pytest.mark.parametrize(
    ("version", "body", "answers"),
    [(2, 2, 2), (1, 3, 3), (0, 4, 1)],
    ids=["newer", "same", "older"],
)
async def test_sql_functions_are_replaced_unless_the_database_has_newer_ones(
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: int,
    body: int,
    answers: int,
) -> None:
    file = tmp_path / "functions.sql"
    monkeypatch.setattr(migrations, "CORE_MIGRATIONS", tmp_path)
    for number, value in ((1, 1), (version, body)):
        file.write_text(
            f"-- version: {number}\ncreate or replace function answer() returns int "
            f"language sql as 'select {value}'; create or replace function "
            "plainloop_drop_statements() returns void language sql as 'select null::void'"
        )
        applied = await apply_migrations(database)
    assert applied == (["functions.sql"] if answers == body else [])
    assert await apply_migrations(database) == []
    async with database.connection() as connection:
        assert await connection.fetchval("select answer()") == answers


def test_changed_sql_functions_have_a_new_version():
    # Of one version there is one content: two would replace each other at each start. After a
    # change add one to the version in the file, and put both here.
    content = (CORE_MIGRATIONS / migrations.FUNCTIONS).read_bytes()

    assert content.startswith(b"-- version: 20\n")
    assert hashlib.sha256(content).hexdigest()[:16] == "851397b6899115f5"


async def test_sql_functions_without_a_version_are_an_error(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "CORE_MIGRATIONS", tmp_path)
    (tmp_path / "functions.sql").write_text("select 1")
    with pytest.raises(StoreError) as refused:
        await apply_migrations(database)
    hint = "Its first line must be `-- version: N`."
    assert tell(refused) == ("functions.sql does not state its version", hint, "MIGRATION_INVALID")


async def test_a_badly_named_migration_is_an_error(database: Database, folder: Path) -> None:
    (folder / "later.sql").write_text("select 1")
    with pytest.raises(StoreError) as named:
        await list_migrations(database, [folder])
    told = "later.sql is not a valid migration name"
    assert tell(named) == (
        told,
        "Name it NNNN_owner_words.sql, as in 0210_core_words.sql.",
        "MIGRATION_INVALID",
    )


def list_sql_files() -> list[Path]:
    packages = REPOSITORY.glob("packages/*/plainloop_*")
    tops = (REPOSITORY / "agent", *(top for top in packages if importlib.util.find_spec(top.name)))
    files = [path for top in tops for path in top.rglob("*.sql")]
    # Two packages' statements are prepared where their own tests have made the tables.
    elsewhere = {"migrations", "langgraph"}
    return sorted(
        path
        for path in files
        if path.parent.name not in elsewhere and "plainloop_memory" not in path.parts
    )


def list_statements(path: Path) -> list[tuple[str, str]]:
    """The file's statements by name; a block with gaps in every form that is ever sent."""
    found: list[tuple[str, str]] = []
    for name, sql in load_sql(path).items():
        forms = FORMS[name]() if name in FORMS else [sql]
        found += [(f"{name}_{n}", form) for n, form in enumerate(forms)]
    return found


FORMS: dict[str, Callable[[], list[str]]] = {
    "list_calls": lambda: [LIST_CALLS],
    "sum_caches": lambda: [
        build_cache_sums(USAGE["sum_caches"].replace("{lifetimes}", "300.0, 3600.0"), by, ())
        for by in ((), ("user", "tag"))
    ],
    "delete_old_rows": lambda: [DELETE_CALLS, DELETE_CHANGES],
    "delete_sums": lambda: [build_delete(table) for table in SUMS],
    "find_ids": lambda: [THREADS["find_ids"].format(kind=kind) for kind in ("thread", "run")],
    "blank_sums_of_user": lambda: list(erasure.BLANKED[1:]),
}
# Those of a pack's statements are beside the pack's tests.
for path in REPOSITORY.glob("packages/*/tests/sql_forms.py"):
    if importlib.util.find_spec(f"plainloop_{path.parents[1].name}"):
        name = f"packages.{path.parents[1].name}.tests.sql_forms"
        FORMS |= importlib.import_module(name).FORMS


@pytest.mark.parametrize("path", list_sql_files(), ids=lambda path: path.name)
async def test_every_sql_statement_can_be_prepared(store: Store, path: Path) -> None:
    statements = list_statements(path)
    assert statements, "no `-- name:` block"
    async with store.database.connection() as connection:
        for name, sql in statements:
            await connection.execute(f"prepare {name} as {sql}")


async def test_missing_create_rights_name_the_sql_for_an_administrator(
    empty_database_url: str,
) -> None:
    name = empty_database_url.partition("@/")[2].partition("?")[0]
    await run_sql(
        empty_database_url, "drop role if exists no_tables", "create role no_tables login"
    )
    opened = await open_database(empty_database_url.replace("postgres@", "no_tables@"))
    try:
        with pytest.raises(StoreError, match="permission denied for schema public") as refused:
            await apply_migrations(opened)
    finally:
        await opened.close()
    statement = f'alter database "{name}" owner to "no_tables";'
    assert tell(refused) == (
        "the database role no_tables may not create tables: permission denied for schema public",
        f"An administrator of the database has to run: {statement}",
        "SCHEMA_FORBIDDEN",
    )
    await run_sql(empty_database_url, statement)
    opened = await open_database(empty_database_url.replace("postgres@", "no_tables@"))
    try:
        assert "0200_core_roles.sql" in await apply_migrations(opened)
    finally:
        await opened.close()
        await run_sql(
            empty_database_url,
            f'alter database "{name}" owner to postgres',
            "drop owned by no_tables cascade",
            "drop role no_tables",
        )


async def test_a_migration_deadlock_with_serving_replicas_is_retried(
    store: Store, database_url: str, folder: Path
) -> None:
    """A step has its run and wants its thread; the file takes both tables the other way round."""
    (folder / "0002_pack_both.sql").write_text(
        "set local deadlock_timeout = '10ms'; alter table threads add column hat text; "
        "select pg_advisory_xact_lock(7); alter table runs add column hat text"
    )
    gate, step = [await asyncpg.connect(database_url) for _ in range(2)]
    try:
        await gate.execute("select pg_advisory_lock(7)")
        await step.execute("set deadlock_timeout = '1h'; begin; lock runs in row exclusive mode")
        applying = asyncio.create_task(apply_migrations(store.database, [folder]))
        await wait_for_lock(store)
        stepping = asyncio.create_task(step.execute("lock threads in row exclusive mode; commit"))
        await wait_for_lock(store, 2)
        await gate.execute("select pg_advisory_unlock(7)")
        await asyncio.wait_for(stepping, 60)
        assert (await applying)[-1] == "0002_pack_both.sql"
    finally:
        gate.terminate()
        step.terminate()
