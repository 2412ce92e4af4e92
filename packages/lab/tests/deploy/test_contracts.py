"""Migrations that take away what live replicas may use are warned of or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store.database import Database
from plainloop.agent.store.migrations import apply_migrations, list_migrations
from plainloop.agent.store.store import Store
from tests.core.test_baseline import apply_older
from tests.core.test_migrations import database, folder, tell

__all__ = ["database", "folder"]

TAKES_AWAY = {
    "a column": "alter table lonely_rows drop column b",
    "a column's name": "alter table threads rename column title to name",
    "a column's type": "alter table lonely_rows alter column b type varchar(9)",
    "a table": "drop table prompt_texts cascade",
    "what a conflict is found by": "drop index lonely",
    "nulls": "alter table threads alter column gone_by set not null",
    "a default": "alter table threads alter column title drop default",
    "any value": "alter table threads add check (length(title) < 9)",
    "equal values": "create unique index on threads (tenant_id, title)",
    "values of a domain": "alter domain plainloop_message_role drop constraint messages_role_check;"
    " alter domain plainloop_message_role add check (value <> 'tool')",
    "a value less": "create domain sides as text check (value in ('up')); "
    "alter table ratings drop constraint ratings_rating_check, "
    "add check (rating::sides is not null) not valid",
}
ADDS = {
    "a table": "create table hats (tenant_id text not null, size int check (size > 1))",
    "a column": "alter table threads add column hat text",
    "a column with a default": "alter table threads add column hat text not null default 'none'",
    "an index": "create index on threads (title)",
    "what was asked before, of a domain": "create domain sides as text check "
    "(value in ('up', 'down')); alter table ratings drop constraint ratings_rating_check, "
    "add check (rating::sides is not null) not valid",
    "rows": "insert into prompt_texts (tenant_id, hash, kind, text) values ('a', 'b', 'c', 'd')",
}
SERVES = "insert into replicas (owner, is_draining) values ('elsewhere/1/1', false)"
BEFORE = (
    "create table lonely_rows (a int, b text); create unique index lonely on lonely_rows (a); "
    "alter table threads add column gone_by text"
)


@pytest.mark.parametrize("what", TAKES_AWAY)
async def test_unmarked_destructive_migrations_are_refused_while_replicas_run(
    what: str, store: Store, folder: Path
) -> None:
    database = store.database
    (folder / "0002_pack_before.sql").write_text(BEFORE)
    await apply_migrations(database, [folder])
    file = folder / "0003_pack_gone.sql"
    file.write_text(TAKES_AWAY[what])
    async with database.connection() as connection:
        await connection.execute(SERVES)
    with pytest.raises(StoreError) as failed:
        await apply_migrations(database, [folder], judge="refuse")
    message, hint, code = tell(failed)
    told = "a migration changes something that running replicas may use: 0003_pack_gone.sql: "
    assert (code, message.startswith(told)) == ("MIGRATION_CONTRACTS", True)
    assert message.endswith((" is removed", " is newly required"))
    assert hint == (
        "Nothing was applied. Either stop the other replicas first, or make this change one "
        "version later, in a migration with a line `-- contracts: why` (docs/upgrade.md)."
    )
    assert [m.name for m in await list_migrations(database, [folder]) if not m.applied_at] == [
        file.name
    ]
    file.write_text(f"-- contracts: nobody uses it\n{TAKES_AWAY[what]}")
    assert await apply_migrations(database, [folder], judge="refuse") == [file.name]


@pytest.mark.parametrize("serves", [False, True])
async def test_destructive_migrations_run_without_replicas_or_in_a_dry_run(
    serves: bool, store: Store, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = store.database
    (folder / "0002_pack_before.sql").write_text(BEFORE)
    await apply_migrations(database, [folder])
    (folder / "0003_pack_gone.sql").write_text(TAKES_AWAY["a column"])
    if serves:
        async with database.connection() as connection:
            await connection.execute(SERVES)
    judge = "warn" if serves else "refuse"
    assert await apply_migrations(database, [folder], judge=judge) == ["0003_pack_gone.sql"]
    assert ("migration_contracts" in caplog.text) is serves


async def test_additive_migrations_run_while_replicas_serve(store: Store, folder: Path) -> None:
    database = store.database
    await apply_migrations(database, [folder])
    async with database.connection() as connection:
        await connection.execute(SERVES)
    for number, statement in enumerate(ADDS.values(), 2):
        (folder / f"{number:04}_pack_more.sql").write_text(statement.replace("hat ", f"h{number} "))
    applied = await apply_migrations(database, [folder], judge="refuse")
    assert len(applied) == len(ADDS)


async def test_constraints_are_added_without_scanning_rows_while_serving(
    database: Database,
) -> None:
    """A statement that wrote a table or an index anew would give it another file."""
    short = ["0102_core_short_checks.sql", "0112_core_short_condition.sql"]
    files = (
        "select oid::regclass::text, relfilenode from pg_class"
        " where relnamespace = 'public'::regnamespace and relfilenode <> 0 order by 1"
    )
    await apply_older(database, lambda name: name not in short)
    async with database.connection() as connection:
        await connection.execute(SERVES)
        before = await connection.fetch(files)
        assert await apply_migrations(database, judge="refuse", from_older=True) == short
        assert await connection.fetch(files) == before
        assert await connection.fetch(
            "select conname::text from pg_constraint where not convalidated order by 1"
        ) == [
            ("llm_calls_status_check",),
            ("messages_role_check",),
            ("runs_end_check",),
            ("threads_kind_check",),
            ("tool_calls_effect_check",),
            ("tool_calls_status_check",),
        ]
