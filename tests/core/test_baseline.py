"""The baseline makes what the migrations before it made, and older databases come up to it."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from plainloop.agent.config.installed import load_entries
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import StoreError
from plainloop.agent.store import older
from plainloop.agent.store.database import Database, open_database
from plainloop.agent.store.erasure import erase_user_rows
from plainloop.agent.store.migrations import CORE_MIGRATIONS, apply_migrations
from plainloop.agent.store.older import LAST_RELEASE, read_older
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.roles import mend_roles
from tests.core.store_samples import answer, begin_run, create_thread, erase_thread
from tests.fixtures import make_database, make_database_url, make_settings, run_sql

BASELINE = sorted(path.name for path in CORE_MIGRATIONS.glob("*.sql"))
# What packages bring: tables that the core made before.
FOLDERS: list[Path] = [*load_entries("migrations").values()]
BROUGHT = [path.name for folder in FOLDERS for path in sorted(folder.glob("*.sql"))]
OURS = "{}namespace = 'public'::regnamespace and not exists ("
OURS += "select from pg_depend where objid = {}.oid and deptype = 'e')"
CLASS = "where " + OURS.format("rel", "pg_class")
# Of each kind of thing in the catalog: everything that a difference could hide in, by name.
CATALOG = {
    "relations": f"""
        select relname, relkind, relpersistence, reloptions, relrowsecurity, relforcerowsecurity,
            relreplident, relispartition, pg_get_userbyid(relowner), pg_get_expr(relpartbound, oid),
            (select amname from pg_am where pg_am.oid = relam),
            (select reloptions from pg_class as toast where toast.oid = pg_class.reltoastrelid)
        from pg_class {CLASS}""",
    "rights": f"""
        select relname, pg_get_userbyid(grantor), grantee, grantee::regrole::text, privilege_type,
            is_grantable
        from pg_class, aclexplode(relacl) {CLASS}""",
    "columns": f"""
        select relname, row_number() over (partition by attrelid order by attnum), attname,
            format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity,
            attgenerated, attstorage, attcompression, attcollation, attacl::text, attoptions
        from pg_class join pg_attribute on attrelid = pg_class.oid
        left join pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
        {CLASS} and attnum > 0 and not attisdropped""",
    "constraints": """
        select conname, contype, conrelid::regclass::text, contypid::regtype::text,
            pg_get_constraintdef(oid), convalidated, condeferrable, connoinherit, conislocal
        from pg_constraint""",
    "indexes": f"""
        select pg_get_indexdef(indexrelid), indisunique, indisprimary, indisvalid, indisclustered,
            indisreplident
        from pg_index join pg_class on pg_class.oid = indrelid {CLASS}""",
    "functions": f"""
        select pg_get_functiondef(oid), pg_get_userbyid(proowner), proacl::text
        from pg_proc where prokind = 'f' and {OURS.format("pro", "pg_proc")}""",
    "triggers": """
        select pg_get_triggerdef(oid), tgenabled from pg_trigger where not tgisinternal""",
    "policies": """
        select polname, polrelid::regclass::text, polcmd, polpermissive,
            array(select rolname::text from pg_roles where oid = any (polroles) order by 1),
            pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)
        from pg_policy""",
    "types": f"""
        select typname, typtype, format_type(typbasetype, typtypmod), typnotnull, typdefault,
            pg_get_userbyid(typowner), typacl::text
        from pg_type where {OURS.format("typ", "pg_type")}""",
    "sequences": """
        select seqrelid::regclass::text, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle,
            format_type(seqtypid, null)
        from pg_sequence""",
    "comments": """
        select pg_describe_object(classoid, objoid, objsubid), description
        from pg_description where classoid <> 'pg_extension'::regclass""",
    "extensions": "select extname, extversion, nspname from pg_extension join pg_namespace"
    " on pg_namespace.oid = extnamespace",
    "schemas": "select nspname, nspacl::text, pg_get_userbyid(nspowner) from pg_namespace",
    "views and rules": "select tablename, rulename, definition from pg_rules",
    "statistics": "select pg_get_statisticsobjdef(oid) from pg_statistic_ext",
    "default rights": "select defaclobjtype, defaclacl::text from pg_default_acl",
    "publications": "select pubname from pg_publication",
    "event triggers": "select evtname from pg_event_trigger",
    "protected tables": "select target::text, is_of_tenants, operator_rights from protected_tables",
    "applied": "select name, checksum, expands, version from schema_migrations",
}


async def read_catalog(url: str) -> dict[str, list[str]]:
    """All that stands in the catalog about what is ours, as sorted texts."""
    connection: Any = await asyncpg.connect(url)
    try:
        found: dict[str, list[str]] = {}
        for kind, sql in CATALOG.items():
            found[kind] = sorted(repr(tuple(row)) for row in await connection.fetch(sql))
        tables = await connection.fetch(f"select relname from pg_class {CLASS} and relkind = 'r'")
        for (table,) in tables:
            count = await connection.fetchval(f"select count(*) from {table}")
            found[f"rows of {table}"] = [str(count)]
        return found
    finally:
        await connection.close()


async def apply_older(
    database: Database, is_there: Callable[[str], bool] = lambda name: True
) -> None:
    """Bring an empty database to where a version before the baseline would have left it."""
    async with database.connection() as connection:
        await connection.execute(
            "create table schema_migrations (name text primary key, checksum text not null,"
            " applied_at timestamptz not null default now(), undoing text[], expands boolean)"
        )
        for name, text in read_older().items():
            if is_there(name):
                await connection.execute(text)
                await connection.execute(
                    "insert into schema_migrations (name, checksum, expands) values ($1, $2, $3)",
                    name,
                    hashlib.sha256(text.encode()).hexdigest(),
                    "-- contracts:" not in text,
                )


@pytest.fixture
async def database(empty_database_url: str) -> AsyncIterator[Database]:
    opened = await open_database(empty_database_url)
    yield opened
    await opened.close()


@pytest.mark.parametrize("last", [LAST_RELEASE, "9999"], ids=["last release", "version before"])
async def test_the_baseline_creates_the_same_catalog_as_the_older_files(
    database: Database, empty_database_url: str, postgres_url: str, last: str
) -> None:
    pytest.importorskip("plainloop_lab")
    await apply_older(database, lambda name: name <= last)
    missing = [name for name in read_older() if name > last]
    assert await apply_migrations(database, FOLDERS) == [*missing, *BASELINE, *BROUGHT]
    assert await apply_migrations(database, FOLDERS) == []
    await mend_roles(database)  # as each start does
    fresh_url = make_database_url(postgres_url, await make_database(postgres_url))
    fresh = await open_database(fresh_url)
    try:
        assert await apply_migrations(fresh, FOLDERS) == [*BASELINE, *BROUGHT]
        await mend_roles(fresh)
    finally:
        await fresh.close()
    upgraded, made = await read_catalog(empty_database_url), await read_catalog(fresh_url)
    differences = {
        kind: (sorted({*upgraded[kind]} - {*items}), sorted({*items} - {*upgraded[kind]}))
        for kind, items in made.items()
        if upgraded[kind] != items
    }
    assert differences == {}
    assert upgraded.keys() == made.keys()
    assert all(made[kind] for kind in ("columns", "constraints", "policies", "rights", "triggers"))
    assert len(made["applied"]) == len(read_older()) + len(BASELINE) + len(BROUGHT)


async def test_packages_adopt_the_tables_of_the_first_baseline(
    database: Database, empty_database_url: str
) -> None:
    """It was never released: its files made the packages' tables and functions as well."""
    pytest.importorskip("plainloop_lab")
    renamed = ["0201_core_threads.sql", "0202_core_costs.sql", "0203_core_server.sql"]
    renamed.append("0206_core_access.sql")
    former = ["0201_core_conversations.sql", "0202_core_usage.sql", "0203_core_replays.sql"]
    former += ["0204_core_service.sql", "0206_core_rights.sql"]
    since = ("0005_operations", "0006_operations", "0007_operations")
    taken_over = [name for name in BROUGHT if name.startswith(("0001", *since))]
    await apply_migrations(database, FOLDERS)
    before = await read_catalog(empty_database_url)
    row = f"insert into replays values ('acme', '{RUN}', 'ann', 'live', 'queued', '1', '2')"
    await run_sql(empty_database_url, row)
    connection: Any = await asyncpg.connect(empty_database_url)
    try:
        await connection.execute(
            "delete from schema_migrations where name = any ($1)", [*renamed, *taken_over]
        )
        await connection.execute(
            "insert into schema_migrations (name, checksum, expands)"
            " select name, '', true from unnest($1::text[]) as name",
            former,
        )
    finally:
        await connection.close()
    assert await apply_migrations(database, FOLDERS) == [*renamed, *taken_over]
    after = await read_catalog(empty_database_url)
    assert after.pop("rows of replays") == ["1"]
    assert after.pop("applied") and before.pop("applied") and before.pop("rows of replays")
    assert after == {**before, "rows of schema_migrations": after["rows of schema_migrations"]}


THREAD, RUN = "01970000-0000-7000-8000-000000000001", "01970000-0000-7000-8000-000000000002"
ROWS = f"""
insert into threads (tenant_id, thread_id, user_id, pack, kind, title, tags, next_position,
    total_tokens, data)
values ('acme', '{THREAD}', 'ann', 'tracker', 'chat', 'Ä title', '{{a,b}}', 2, 9, '{{"x": 1}}');
insert into runs (tenant_id, run_id, thread_id, user_id, design, pack, input_position, attempt,
    fence, status, ended_at, tags)
values ('acme', '{RUN}', '{THREAD}', 'ann', 'default', 'tracker', 0, 1, 1, 'succeeded',
    now(), '{{a}}');
insert into messages (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
values ('acme', '{THREAD}', 0, '{RUN}', 'user', '[{{"type": "text", "text": "hello"}}]', 4, 0),
    ('acme', '{THREAD}', 1, '{RUN}', 'assistant', '[{{"type":"text",  "text": "hi"}}]', 5, 4);
insert into steps (tenant_id, run_id, n, node, update, next_node, first_position, last_position,
    started_at, duration_ms, first_seq, last_seq, events)
values ('acme', '{RUN}', 0, 'worker', '{{"b": 1, "a": 2}}', 'end', 1, 1, now(), 3,
    1, 1, '[["end", {{}}]]');
insert into llm_calls (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, role,
    provider, model, estimated_input_tokens, status, input_tokens, output_tokens, cost_usd)
values ('acme', '{RUN}', 'ann', '{THREAD}', '{RUN}', 0, 1, 'worker', 'worker', 'p', 'm', 7,
    'succeeded', 7, 2, 0.000100);
insert into tool_calls (tenant_id, run_id, tool_call_id, step, index, name, effect, status,
    arguments, idempotency_key)
values ('acme', '{RUN}', 'c1', 0, 0, 'find', 'read', 'succeeded', '{{"q":  "x"}}', 'k');
insert into usage_hours (tenant_id, hour, node, worker, role, provider, model, status, origin,
    calls, unsuccessful_calls, retries, estimated_calls, unreported_calls, unpriced_calls)
values ('acme', '2025-01-01Z', 'worker', 'w', 'worker', 'p', 'm', 'succeeded', 'run', 1,
    0, 0, 0, 0, 0);
insert into budgets (tenant_id, budget_id, scope, period, limit_tokens, is_hard)
values ('acme', '{RUN}', 'tenant', 'day', 100, true)
"""
OLD_FILES = 35


async def read_rows(url: str, columns: dict[str, list[str]] | None = None) -> dict[str, list[str]]:
    """Every row as text, of these columns (by table), or of all that there are."""
    connection: Any = await asyncpg.connect(url)
    try:
        found = columns or dict(
            await connection.fetch(
                "select relname, array_agg(attname::text order by attnum) from pg_class"
                f" join pg_attribute on attrelid = pg_class.oid {CLASS} and relkind = 'r'"
                " and attnum > 0 and relname not in ('schema_migrations', 'protected_tables')"
                " group by relname"
            )
        )
        rows: dict[str, list[str]] = {}
        for table, names in found.items():
            listed = ", ".join(f'"{name}"' for name in names)
            result = await connection.fetch(f"select row({listed})::text from {table} order by 1")
            rows[f"{table} {','.join(names)}"] = [text for (text,) in result]
        return rows
    finally:
        await connection.close()


async def export(settings: Settings) -> list[bytes]:
    exporting: Any = pytest.importorskip("plainloop_lab.replay.commands.export")
    store = await connect_store(settings, migrate=False)
    try:
        return [
            line async for line in exporting.list_lines(store, "acme", [THREAD], recording=True)
        ]
    finally:
        await store.close()


async def test_an_older_database_is_upgraded_in_two_commands_without_loss(
    database: Database, empty_database_url: str, tmp_path: Path
) -> None:
    first = [*read_older()][:OLD_FILES]
    settings = make_settings(empty_database_url, tmp_path / "data")
    await apply_older(database, lambda name: name in first)
    await run_sql(empty_database_url, ROWS)
    rows = await read_rows(empty_database_url)

    with pytest.raises(StoreError, match="too old to be upgraded in one step") as refused:
        await connect_store(settings)
    assert refused.value.code == "SCHEMA_OLDER"
    hint = refused.value.hint or ""
    assert "`plainloop migrate --from-older` and `plainloop migrate`" in hint
    assert await read_rows(empty_database_url) == rows

    assert await apply_migrations(database, from_older=True) == [*read_older()][OLD_FILES:]
    assert await apply_migrations(database, from_older=True) == []
    before = await export(settings)
    assert await apply_migrations(database) == BASELINE
    assert await export(settings) == before
    assert b"hello" in before[0]
    columns = {key.partition(" ")[0]: key.partition(" ")[2].split(",") for key in rows}
    assert await read_rows(empty_database_url, columns) == rows
    store = await connect_store(settings)
    await store.close()


def test_a_damaged_archive_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "before_0_2.tar.gz").write_bytes(older.ARCHIVE.read_bytes()[:-1])
    monkeypatch.setattr(older, "ARCHIVE", tmp_path / "before_0_2.tar.gz")
    read_older.cache_clear()
    with pytest.raises(StoreError, match=r"before_0_2\.tar\.gz is damaged"):
        read_older()


async def test_the_service_runs_on_a_database_without_tables_of_packages(
    empty_database_url: str, tmp_path: Path
) -> None:
    store = await connect_store(make_settings(empty_database_url, tmp_path / "data"))
    try:
        tables = await read_rows(empty_database_url)
        known = {name.partition(" ")[0] for name in tables}
        assert not known & {"replay_items", "rollouts", "webhooks", "schedules"}
        assert {"threads", "held_tenants", "code_parts"} <= known
        thread = await create_thread(store)
        await begin_run(store, thread, lease_s=0.0)
        _, kinds = await store.queue.poll_all("host/2/1", 1.0, 9.0)
        assert kinds == {"runs"}
        [claim] = await store.queue.claim_lost_runs("host/2/1", 30.0)
        point = await store.queue.load_resume_point(claim)
        assert (point.kind, point.run.canary_id) == ("chat", None)
        await answer(store, point.run)
        await erase_thread(store, "acme", "ann", thread.thread_id)
        async with store.transaction("acme") as tx:
            assert await erase_user_rows(tx, "ann") == []
    finally:
        await store.close()
