"""Deletes old ledger rows and events in small transactions; sums stay."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from ..config.installed import load_hook
from ..dataclasses import dataclass
from ..errors import StoreError
from ..store.connecting.settings import UsageSettings
from ..store.sql_blocks import load_sql
from ..store.store import Store
from .rollup import roll_up_usage

logger = logging.getLogger(__name__)

SQL: Final = load_sql(Path(__file__).parent / "sql" / "retention.sql")
DELETE_CALLS, DELETE_CHANGES = (
    SQL["delete_old_rows"].format(table=table, key=key, time=time)
    for table, key, time in (("llm_calls", "call_id", "created_at"), ("changes", "change_id", "at"))
)
AT_ONCE: Final = 2_000  # rows in one transaction: it must not hold up those that write
EVERY_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class Deleted:
    """How many rows `delete_old_rows` deleted, of all tenants."""

    calls: int = 0
    prompts: int = 0
    events: int = 0
    step_events: int = 0
    months: tuple[str, ...] = ()  # partitions that went as a whole


async def delete_old_rows(
    store: Store, keep: UsageSettings, now: datetime | None = None
) -> Deleted:
    """Delete rows that are older than the settings allow. Without a setting, rows are kept.
    Changes are kept for the last hour, which viewers need.

    A ledger row goes once it is added up; with it goes what `explain` and replays read of it.
    """
    now = now or datetime.now(UTC)
    await _repeat(store, DELETE_CHANGES, now - timedelta(hours=1))
    calls = prompts = events = step_events = 0
    prompts_until = calls_until = events_until = None
    if keep.keep_calls_days is not None and (rolled_until := await roll_up_usage(store)):
        prompts_until = now - timedelta(days=keep.keep_calls_days)
        # Calls that are not summed yet would be missing from all reports
        # (test_calls_not_yet_summed_are_not_deleted).
        calls_until = min(prompts_until, rolled_until)
    if keep.keep_events_days is not None:
        events_until = now - timedelta(days=keep.keep_events_days)
    # Months before rows: the rows of a dropped month need not be deleted one by one.
    until = {"calls_until": calls_until, "events_until": events_until}
    kept = load_hook("months")
    months = await kept.keep_months(store.database, now, **until) if kept else ()
    if calls_until and prompts_until:
        calls = await _repeat(store, DELETE_CALLS, calls_until)
        # After the calls: a prompt goes with the last one that names it
        # (test_stored_prompts_are_deleted_with_their_last_call).
        prompts = await _run(store, SQL["delete_old_prompts"], prompts_until)
    if events_until:
        events = await _repeat(store, SQL["delete_old_events"], events_until)
        step_events = await _repeat(store, SQL["blank_old_steps"], events_until)
    return Deleted(calls, prompts, events, step_events, months)


async def keep_deleting(store: Store, keep: UsageSettings) -> None:
    """Delete old rows every hour, until cancelled. Several processes may do so at once."""
    if keep.keep_calls_days is None and keep.keep_events_days is None:
        await asyncio.sleep(EVERY_S)  # a start asks for nothing that can wait
    while True:
        try:
            deleted = await delete_old_rows(store, keep)
        except StoreError as error:
            logger.warning("retention_failed", extra={"reason": error.message})
        except Exception:  # no caller awaits this task, so an unexpected error must not end it
            logger.exception("retention_failed")
        else:
            logger.info("retention_done", extra={"deleted_calls": deleted.calls})
        await asyncio.sleep(EVERY_S)


async def _repeat(store: Store, sql: str, until: datetime) -> int:
    """Run a deleting statement in small transactions until no row is left; return how many."""
    total = 0
    while count := await _run(store, sql, until, AT_ONCE):
        total += count
        if count < AT_ONCE:
            break
    return total


async def _run(store: Store, sql: str, until: datetime, *limit: int) -> int:
    """Run one deleting statement for all tenants; return how many rows it deleted."""
    async with store.database.operate() as tx:
        return await tx.execute(sql, until, *limit)
