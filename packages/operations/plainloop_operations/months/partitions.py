"""Partitions growing tables by month, without stopping the service.

A month is a partition by ranges of ids, which are UUIDv7 and begin with their time. A month without
a row to keep is dropped as a whole; otherwise rows are deleted one by one (`retention`), as in
plain tables.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from plainloop.agent.doctor.findings import Finding
from plainloop.agent.errors import StoreError
from plainloop.agent.store.database import Database
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store

logger = logging.getLogger(__name__)

SQL: Final = load_sql(Path(__file__).parent / "partitions.sql")
# By which id. What belongs to a run or a replay lies in the month in which that was begun.
KEYS: Final = {
    "run_events": "run_id",
    "steps": "run_id",
    "tool_calls": "run_id",
    "llm_calls": "call_id",
    "replay_items": "replay_id",
    "replay_answers": "replay_id",
}
FIRST: Final = datetime(2020, 1, 1, tzinfo=UTC)  # before it nobody made an id of ours
MONTHS_AHEAD: Final = 2
# An id is of the clock of the process that made it, `created_at` of the database's.
CLOCKS_DIFFER: Final = timedelta(days=1)
# Whoever wants a table waits behind us while we wait for those who use it: not longer than this.
LOCK_TIMEOUT_MS: Final = 200
ATTEMPTS: Final = 300
PAUSE_S: Final = 0.2
LOOK_S: Final = 3_600.0  # at all rows of a part
CHECK_NAME: Final = "plainloop_month"  # the name of a check
MANY_ROWS: Final = 10_000_000  # from there on it pays (docs/decisions/17-scale.md)


async def find_large(store: Store) -> list[Finding]:
    """Report for `plainloop doctor` if the growing tables are large and not yet partitioned."""
    async with store.database.connection() as connection:
        tables = await connection.fetch(SQL["list_plain_tables"], [*KEYS])
    rows = sum(row["rows"] for row in tables)
    if rows < MANY_ROWS:
        return []
    todo = "Run `plainloop migrate --by-months`; the service can keep running. Old months are then "
    text = f"{rows:,} rows; consider monthly partitions"
    return [Finding("note", "tables", text, todo + "deleted quickly.")]


async def begin_months(
    database: Database, now: datetime | None = None, tell: Callable[[str], object] = str
) -> list[str]:
    """Partition the growing tables by month; return the names of the changed tables.
    No reader or writer waits for longer than LOCK_TIMEOUT_MS. An interrupted run is continued.

    tell: is called before each. Returns: those that were changed.

    Raises: StoreError when something of others depends on a table, or has ids of the future.
    """
    now = now or datetime.now(UTC)
    # Another machine's clock may make ids of tomorrow today.
    ends_at = next_month(now + CLOCKS_DIFFER)
    async with database.connection() as connection:
        tables = await connection.fetch(SQL["list_plain_tables"], [*KEYS])
        names: list[str] = [row["name"] for row in tables]
        for name in names:
            tell(f"{name} …")
            await _begin(connection, name, ends_at)
            await keep_months(database, now)
    return names


async def _begin(connection: Any, name: str, ends_at: datetime) -> None:
    """Partition one table by month, with all its rows as the first partition.
    A check constraint, validated while others work, states the rows' times: so nothing is read when
    the table becomes a partition.
    """
    key = KEYS[name]
    bounds = [f"plainloop_first_id('{at.isoformat()}')" for at in (FIRST, ends_at)]
    try:
        # ALTER TABLE's page: `not valid` looks at no row, `validate` lets others read and write
        # meanwhile, and attaching a partition skips its scan where a valid check implies the bounds
        # (test_partitioning_does_not_block_readers_and_writers).
        await _insist(connection, _say(name, f"{key} >= {bounds[0]} and {key} < {bounds[1]}"))
        for row in await connection.fetch(SQL["list_unchecked"], name):
            await _check(connection, name, row["check"])
        # Only once every check of the table is known to hold: the parent has the same, and valid.
        await _insist(connection, SQL["begin_months"], name, key, FIRST, ends_at)
    except (asyncpg.CheckViolationError, asyncpg.DependentObjectsStillExistError) as error:
        await _insist(connection, f'alter table "{name}" drop constraint {CHECK_NAME}')
        raise StoreError(
            f"{name} cannot be partitioned by month: {error}",
            hint="The table was not changed. Its ids must be UUIDv7 from the past. Drop "
            "the objects that depend on the table, run the command again, and "
            "recreate the objects.",
        ) from error


async def keep_months(
    database: Database,
    now: datetime | None = None,
    *,
    calls_until: datetime | None = None,
    events_until: datetime | None = None,
) -> tuple[str, ...]:
    """Create the partitions of the coming months and drop old ones; return the dropped tables.
    calls_until, events_until: drop what is older; None: keep all. Does nothing where tables are
    plain.

    One process at a time does it; partitions that others use are left for the next time.
    """
    now = now or datetime.now(UTC)
    until = {"llm_calls": calls_until, "run_events": events_until}
    dropped: list[str] = []
    async with database.connection() as connection:
        parts = await connection.fetch(SQL["list_parts"], [*KEYS])
        last = {part["name"]: part["ends_at"] for part in parts if part["ends_at"]}
        try:
            for name, ends_at in last.items():
                await _add_months(connection, name, ends_at, now)
            # One day for the clock that makes the id, one for the clock of `created_at`.
            over = now - 2 * CLOCKS_DIFFER
            for part in [it for it in parts if it["ends_at"] and it["ends_at"] <= over]:
                limit = until.get(part["name"])
                # Another replica may drop the month after it was listed here
                # (test_a_month_that_another_replica_drops_is_no_error).
                with suppress(asyncpg.UndefinedTableError):
                    if limit and part["ends_at"] <= limit and await _drop(connection, part, limit):
                        dropped.append(part["part"])
                    elif part["name"] == "llm_calls" and not part["is_checked"]:
                        await _close(connection, part)
        except asyncpg.InsufficientPrivilegeError as error:  # what comes has its place all the same
            logger.warning("months_not_kept", extra={"reason": str(error)})
    return tuple(dropped)


async def _add_months(connection: Any, name: str, last: datetime, now: datetime) -> None:
    """Create the partitions after `last` that are missing up to MONTHS_AHEAD."""
    wanted = next_month(now + CLOCKS_DIFFER)
    for _ in range(MONTHS_AHEAD - 1):
        wanted = next_month(wanted)
    is_new = False
    while last <= wanted and await _change(connection, SQL["add_month"], name, KEYS[name], last):
        last, is_new = next_month(last), True
    if is_new:  # the server looks by itself at parts only
        await connection.execute(f'analyze "{name}"', timeout=LOOK_S)


async def _drop(connection: Any, part: Any, until: datetime) -> bool:
    """Drop an old partition if all its rows are old enough; return whether it was dropped."""
    check = SQL["are_calls_old" if part["name"] == "llm_calls" else "are_events_old"]
    if not await connection.fetchval(check.format(part=part["part"]), until, timeout=LOOK_S):
        return False
    is_done = await _change(connection, f'drop table if exists "{part["part"]}"')
    logger.info("month_dropped" if is_done else "month_in_use", extra={"table": part["part"]})
    return is_done


async def _close(connection: Any, part: Any) -> None:
    """Tell the server, by a check, in which times a past partition's calls were made.
    Reports of other times then skip it.
    """
    since, until = part["begins_at"] - CLOCKS_DIFFER, part["ends_at"] + CLOCKS_DIFFER
    times = f"created_at >= '{since.isoformat()}' and created_at < '{until.isoformat()}'"
    if not await _change(connection, _say(part["part"], times)):
        return
    try:
        await _check(connection, part["part"], CHECK_NAME)
    except asyncpg.CheckViolationError:  # somebody's clock was wrong: every report reads it
        await _change(connection, _say(part["part"], "true"))


def _say(table: str, what: str) -> str:
    """Build the statement that adds a check to a table, not yet validated for present rows."""
    return (
        f'alter table "{table}" drop constraint if exists {CHECK_NAME},'
        f" add constraint {CHECK_NAME} check ({what}) not valid"
    )


async def _check(connection: Any, table: str, check: str) -> None:
    """Validate a table's check without blocking others. Raises: CheckViolationError."""
    await connection.execute(f'alter table "{table}" validate constraint "{check}"', timeout=LOOK_S)


async def _insist(connection: Any, sql: str, *args: Any) -> None:
    """Run a change of tables, again while another transaction locks them.

    Raises: StoreError when the table is in use for minutes on end.
    """
    for _ in range(ATTEMPTS):
        if await _change(connection, sql, *args):
            return
        await asyncio.sleep(PAUSE_S)
    raise StoreError(
        "the table is locked by other transactions", hint="Try again when there is less traffic."
    )


async def _change(connection: Any, sql: str, *args: Any) -> bool:
    """Run a change of tables; return whether it was done.
    Not while another process does such work, nor while a user of the table holds it for longer than
    we may hold up the others.
    """
    try:
        async with connection.transaction():
            # A waiting ACCESS EXCLUSIVE lock blocks all later users of the table, readers too
            # (test_a_month_in_use_is_dropped_later).
            await connection.execute(f"set local lock_timeout = {LOCK_TIMEOUT_MS}")
            if not await connection.fetchval(SQL["take_turn"]):
                return False
            await connection.execute(sql, *args)
    except asyncpg.LockNotAvailableError:
        return False
    return True


def next_month(at: datetime) -> datetime:
    """Return the beginning of the month after `at`, in UTC.

    >>> next_month(datetime(2026, 12, 31, 23, tzinfo=UTC)).isoformat()
    '2027-01-01T00:00:00+00:00'
    """
    return datetime(at.year + at.month // 12, at.month % 12 + 1, 1, tzinfo=UTC)
