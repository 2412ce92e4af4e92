"""Schema changes: plain SQL files `NNNN_owner_words.sql`, forward only, each applied once.

`functions.sql` of the core is applied whole, after its other files, wherever the database has an
older version of it. A newer one stays: those who serve beside us need it, and we can work with it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..config.installed import load_hook
from ..dataclasses import dataclass, replace
from ..errors import StoreError
from .connecting.settings import Judging
from .database import Database
from .older import (
    FIRST,
    FIRST_OF_BASELINE,
    LAST_OF_BASELINE,
    build_retired,
    check_release,
    list_missing,
    read_older,
)
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "migrations.sql")
CORE_MIGRATIONS: Final = Path(__file__).parents[2] / "migrations"
_FILE_NAME: Final = re.compile(r"\d{4}_[a-z0-9]+_[a-z0-9_]+\.sql")
# Two processes that start at once take turns; released with the transaction.
LOCK: Final = f"select pg_advisory_xact_lock({0x706C_6169_6E6C_6F6F})"
_CREATE_TABLE: Final = """
    create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
    );
    alter table schema_migrations add column if not exists undoing text[];
    alter table schema_migrations add column if not exists expands boolean;
    alter table schema_migrations add column if not exists version integer
"""
_DEADLOCKS: Final = 20  # each takes the server a second to find
APPLY_S: Final = 600.0  # for one file, and for the wait while another process applies files
# In a file: a version that does not know it cannot work any more, and must not start.
CONTRACTS: Final = "-- contracts:"
# In a package's file: not run where this table is, which a version of before made in the core.
_ADOPTS: Final = re.compile(r"-- adopts: (\w+)\n")
FUNCTIONS: Final = "functions.sql"
_VERSION: Final = re.compile(r"-- version: (\d+)\n")


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration file, with the time when it was applied to this database."""

    name: str  # the file's name; the order within a folder
    checksum: str  # sha256 of the file
    sql: str
    applied_at: datetime | None  # None: not applied yet
    version: int | None = None  # of functions.sql, which is applied again when it grows


async def list_migrations(database: Database, folders: Sequence[Path] = ()) -> list[Migration]:
    """List the migrations of the core and of each folder, with the time of application.

    Raises: StoreError when an applied file was changed afterwards, or a file's name is wrong.
    """
    async with database.connection() as connection:
        return await _list_migrations(connection, folders)


async def apply_migrations(
    database: Database,
    folders: Sequence[Path] = (),
    *,
    dry_run: bool = False,
    judge: Judging = "off",
    from_older: bool = False,
) -> list[str]:
    """Apply the missing migrations in one transaction; return their file names.

    dry_run: everything is run against the database, then rolled back. judge: what happens where a
    file takes away what others that serve may rely on, and does not say that it contracts.
    from_older: only what a database of before the last release lacks to the last version before
    the baseline; it is refused otherwise.

    Raises: StoreError naming the file that failed; nothing is applied then. SCHEMA_OLDER.
    """
    for _ in range(_DEADLOCKS):
        try:
            return await _apply_pending(database, folders, dry_run, judge, from_older)
        except StoreError as error:
            # Those who serve take their locks in an order of their own. Undone as a whole, it is
            # done again (test_a_migration_deadlock_with_serving_replicas_is_retried).
            if not isinstance(error.__cause__, asyncpg.DeadlockDetectedError):
                raise
    return await _apply_pending(database, folders, dry_run, judge, from_older)


async def _apply_pending(
    database: Database, folders: Sequence[Path], dry_run: bool, judge: Judging, from_older: bool
) -> list[str]:
    """Apply what is missing in one transaction, under the lock; return the names."""
    async with database.connection() as connection:
        pending = await _list_pending(connection, folders, from_older)
        if not pending:
            return []
        await connection.execute("begin")
        try:
            # Longer than other statements: the process that holds the lock applies files meanwhile
            # (test_a_start_waits_for_another_processs_long_migration).
            await connection.execute(LOCK, timeout=APPLY_S)
            await _create_table(connection)
            # Again: another process may have been first
            # (test_concurrent_migrations_run_one_after_another).
            pending = await _list_pending(connection, folders, from_older)
            hook = load_hook("contracts") if judge != "off" else None
            check = await hook.begin(connection) if hook else None
            for migration in pending:
                await _apply(connection, migration)
                if migration.name == LAST_OF_BASELINE and migration.sql:
                    await _record_older(connection)
                if check:
                    await check.compare(migration.name, is_marked=CONTRACTS in migration.sql)
            if check:
                await check.report(is_refused=judge == "refuse")
            await connection.execute(SQL["drop_statements"])
        except BaseException:
            await connection.execute("rollback")
            raise
        await connection.execute("rollback" if dry_run else "commit")
    return [migration.name for migration in pending]


async def reset_edited(database: Database, folders: Sequence[Path]) -> list[str]:
    """Drop the tables of packs whose migrations were edited; return the edited files.
    For development: the rows are lost, and all files of such a folder are to be applied again.
    Raises: StoreError when the database does not record how to undo a migration.
    """
    edited: list[str] = []
    async with database.connection() as connection:
        applied = await _load_applied(connection)
        for folder in folders:
            files = {path.name: path for path in folder.glob("*.sql")}
            own = {name: path for name, path in files.items() if name in applied}
            changed = [
                name
                for name, path in own.items()
                if _digest(path.read_bytes()) != applied[name]["checksum"]
            ]
            if changed:
                await _create_table(connection)
                await _undo(connection, sorted(own))
                edited += sorted(changed)
    return edited


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table that a pack names: whether it exists and is protected by row-level security."""

    name: str
    is_there: bool
    is_protected: bool
    columns: tuple[str, ...]


async def list_tables(
    database: Database, names: Collection[str], folders: Sequence[Path]
) -> list[TableInfo]:
    """List the named tables and those that the folders' migrations created, sorted by name."""
    files = [path.name for folder in folders for path in folder.glob("*.sql")]
    async with database.connection() as connection:
        rows = await connection.fetch(SQL["list_tables"], sorted(names), files)
    tables: list[dict[str, Any]] = [{**row, "columns": tuple(row["columns"])} for row in rows]
    return [TableInfo(**table) for table in tables]


async def _undo(connection: Any, names: Sequence[str]) -> None:
    """Run the recorded statements that undo these migrations, and forget that they were applied."""
    rows = await connection.fetch(SQL["list_undone"], names)
    if any(row["undoing"] is None for row in rows):
        raise StoreError(
            f"{', '.join(names)} cannot be undone: an older version applied them and stored no "
            "undo steps",
            hint="In development, use another database or data directory.",
            code="MIGRATION_CHANGED",
        )
    async with connection.transaction():
        for row in rows:
            for statement in row["undoing"]:
                await connection.execute(statement)
        await connection.execute(SQL["forget"], names)


def _is_baseline(migration: Migration) -> bool:
    is_core = migration.name[5:].startswith("core_")
    return is_core and FIRST_OF_BASELINE <= migration.name <= LAST_OF_BASELINE


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


async def _create_table(connection: Any) -> None:
    """Create or extend `schema_migrations`. Raises: StoreError SCHEMA_FORBIDDEN."""
    # Asked before: afterwards the transaction is void.
    role, database = await connection.fetchrow("select current_user, current_database()")
    try:
        await connection.execute(_CREATE_TABLE)
    except asyncpg.InsufficientPrivilegeError as error:
        raise StoreError(
            f"the database role {role} may not create tables: {error}",
            hint="An administrator of the database has to run: "
            f'alter database "{database}" owner to "{role}";',
            code="SCHEMA_FORBIDDEN",
        ) from error


async def _list_pending(
    connection: Any, folders: Sequence[Path], from_older: bool
) -> list[Migration]:
    """List what is not applied yet; with `from_older`, only files before the baseline."""
    if from_older:
        return _list_older(list_missing(await _load_applied(connection)))
    return [one for one in await _list_migrations(connection, folders) if not one.applied_at]


def _list_older(names: Sequence[str]) -> list[Migration]:
    texts = {name: read_older()[name] for name in names}
    return [Migration(name, _digest(text.encode()), text, None) for name, text in texts.items()]


async def _record_older(connection: Any) -> None:
    """Record the migrations before the baseline as applied, and make the functions of that time.
    A replica of such a version would apply them otherwise, and calls these functions.
    """
    older = _list_older([*read_older()])
    expands = [CONTRACTS not in one.sql for one in older]
    await connection.execute(build_retired())
    await connection.execute(
        SQL["record_older"], [one.name for one in older], [one.checksum for one in older], expands
    )


async def _list_migrations(connection: Any, folders: Sequence[Path]) -> list[Migration]:
    """List the files of all folders in order, with the time at which each was applied."""
    applied = await _load_applied(connection)
    missing = list_missing(applied)
    check_release(missing)
    migrations = _list_older(missing)
    for folder in (CORE_MIGRATIONS, *folders):
        for path in sorted(folder.glob("*.sql")):
            migrations.append(_read_migration(path, applied))
    if FIRST in applied:  # what the baseline makes is there
        migrations = [replace(m, sql="") if _is_baseline(m) else m for m in migrations]
    known = {migration.name for migration in migrations}
    # A pack that is not served any more leaves its migrations behind; the core is always here.
    # What only adds leaves room for the version before, which a deploy may have to go back to.
    newer = sorted(
        name
        for name, row in applied.items()
        if name[5:].startswith("core_")
        and name not in known
        and not row["expands"]
        and name >= FIRST_OF_BASELINE
    )
    if newer:
        raise StoreError(
            f"the database was migrated by a newer version: {', '.join(newer)} is unknown here",
            hint="Run that version or a newer one, or use another database.",
            code="SCHEMA_NEWER",
        )
    return migrations


async def _load_applied(connection: Any) -> dict[str, Any]:
    # Asked first: an error inside the caller's transaction would abort it.
    if not await connection.fetchval("select to_regclass('schema_migrations') is not null"):
        return {}
    rows = await connection.fetch(SQL["list_applied"])
    return {row["name"]: row for row in rows}


def _read_functions(path: Path, row: Mapping[str, Any] | None) -> Migration:
    """Read `functions.sql`; it counts as applied if `row` has this version or a newer one."""
    text = path.read_text(encoding="utf-8")
    version = _VERSION.match(text)
    if version is None:
        raise StoreError(
            f"{path.name} does not state its version",
            hint="Its first line must be `-- version: N`.",
            code="MIGRATION_INVALID",
        )
    own = (int(version[1]), _digest(text.encode()))
    there = (row["version"], row["checksum"]) if row else (0, "")
    is_applied = own == there or own[0] < there[0]
    applied_at = row["applied_at"] if row and is_applied else None
    return Migration(path.name, own[1], text, applied_at, own[0])


def _read_migration(path: Path, applied: dict[str, Any]) -> Migration:
    """Read a file and check its name and checksum. Raises: StoreError."""
    if path.name == FUNCTIONS and path.parent == CORE_MIGRATIONS:
        return _read_functions(path, applied.get(FUNCTIONS))
    if not _FILE_NAME.fullmatch(path.name):
        raise StoreError(
            f"{path.name} is not a valid migration name",
            hint="Name it NNNN_owner_words.sql, as in 0210_core_words.sql.",
            code="MIGRATION_INVALID",
        )
    text = path.read_bytes()
    checksum = _digest(text)
    row = applied.get(path.name)
    if row is not None and row["checksum"] != checksum:
        raise StoreError(
            f"the migration {path.name} was changed after it was applied",
            hint="Restore the file and put the change into a new migration. In development, "
            "`plainloop migrate --reset` recreates the pack's tables without their rows.",
            code="MIGRATION_CHANGED",
        )
    return Migration(path.name, checksum, text.decode(), None if row is None else row["applied_at"])


async def _apply(connection: Any, migration: Migration) -> None:
    """Run one file and record it, with the statements that undo it. Raises: StoreError."""
    before = await _list_undoing(connection)
    adopted = _ADOPTS.match(migration.sql)
    is_there = adopted and await connection.fetchval("select to_regclass($1)::text", adopted[1])
    try:
        sql = "select" if is_there else migration.sql or "select"
        await connection.execute(sql, timeout=APPLY_S)
    except TimeoutError as error:
        raise StoreError(
            f"the migration {migration.name} was stopped after {APPLY_S:g} s",
            hint="Nothing was applied. Apply it while no replica serves, or split it.",
            code="MIGRATION_FAILED",
        ) from error
    except asyncpg.PostgresError as error:
        place = getattr(error, "position", None)  # counted in characters, from 1
        line = migration.sql.count("\n", 0, int(place) - 1) + 1 if place else None
        where = f"{migration.name}:{line}" if line else migration.name
        is_forbidden = isinstance(error, asyncpg.InsufficientPrivilegeError)
        todo = "Correct the migration."
        if is_forbidden:
            todo = "The role of DATABASE_URL must own the database."
        raise StoreError(
            f"the migration {where} failed: {error}",
            hint=f"Nothing was applied. {todo}",
            code="MIGRATION_FAILED",
        ) from error
    await connection.execute(
        SQL["insert_applied"],
        migration.name,
        migration.checksum,
        sorted(await _list_undoing(connection) - before),
        CONTRACTS not in migration.sql,
        migration.version,
    )


async def _list_undoing(connection: Any) -> set[str]:
    """Load the statements that would drop each object of the schema as it is now."""
    return {row["statement"] for row in await connection.fetch(SQL["list_undoing"])}
