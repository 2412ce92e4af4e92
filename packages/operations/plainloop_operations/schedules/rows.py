"""Schedules as rows: what is said when, and what became of each time."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.database import Queryable, parse_id
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store

SQL: Final = load_sql(Path(__file__).parent / "schedules.sql")
Missed = Literal["run", "skip"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """A schedule, as lists show it."""

    schedule_id: str
    user_id: str
    name: str
    cron: str
    time_zone: str
    message: str
    missed: Missed
    next_at: datetime | None  # None: paused, or there is no such time
    paused_at: datetime | None
    created_at: datetime
    task: dict[str, Any] | None = None  # begun in place of the message; None: that is sent


@dataclass(frozen=True, slots=True)
class DueSchedule:
    """A due schedule, locked by the current transaction."""

    schedule_id: str
    user_id: str
    name: str
    cron: str
    time_zone: str
    message: str
    missed: Missed
    next_at: datetime  # the time that has come
    task: dict[str, Any] | None
    is_busy: bool  # its last run has not ended


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a due time: the run that it began, or why none."""

    status: Literal["begun", "missed", "refused"]
    reason: str | None = None  # a code; None: a run, or a task, was begun
    thread_id: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class PastDue:
    """A past due time with its outcome, as lists show it."""

    due_at: datetime
    status: Literal["begun", "missed", "refused"]
    reason: str | None
    conversation_id: str | None
    run_id: str | None
    at: datetime


async def list_schedules(db: Queryable, user_id: str | None) -> list[Schedule]:
    """List a user's schedules, oldest first.

    user_id None: list the schedules of all users.
    """
    rows: Any = await db.fetch(SQL["list_schedules"], db.tenant_id, user_id, None)
    return [Schedule(**row) for row in rows]


async def load_schedule(db: Queryable, schedule_id: str, user_id: str | None) -> Schedule:
    """Load a schedule of this user.

    user_id None: it may be any user's. Raises: NotFoundError.
    """
    asked = parse_id(schedule_id, "schedule")
    rows: Any = await db.fetch(SQL["list_schedules"], db.tenant_id, user_id, asked)
    if not rows:
        raise NotFoundError(
            f"no such schedule: {schedule_id}",
            hint="Check the id; only schedules of the same user are visible.",
        )
    return Schedule(**rows[0])


async def list_history(db: Queryable, schedule_id: str, limit: int) -> list[PastDue]:
    """List the newest due times with their outcomes."""
    rows: Any = await db.fetch(SQL["list_history"], db.tenant_id, schedule_id, limit)
    return [PastDue(**row) for row in rows]


async def set_pause(tx: Queryable, one: Schedule, next_at: datetime | None) -> None:
    """Set when a schedule is due next, or pause it (None)."""
    await tx.execute(SQL["set_pause"], tx.tenant_id, one.schedule_id, one.user_id, next_at)


async def delete_schedule(tx: Queryable, schedule_id: str, user_id: str | None) -> None:
    """Delete a schedule with its history, but keep its conversations.

    Raises: NotFoundError.
    """
    asked = parse_id(schedule_id, "schedule")
    if not await tx.execute(SQL["delete_schedule"], tx.tenant_id, asked, user_id):
        raise NotFoundError(
            f"no such schedule: {schedule_id}",
            hint="Check the id; only schedules of the same user are visible.",
        )


async def list_due(store: Store, most: int) -> list[tuple[str, str]]:
    """List (tenant, schedule) of the due schedules of all tenants."""
    async with store.database.operate() as tx:
        rows = await tx.fetch(SQL["list_due"], most)
    return [(row["tenant_id"], row["schedule_id"]) for row in rows]


async def hold_due(tx: Queryable, schedule_id: str) -> DueSchedule | None:
    """Lock a due schedule until the transaction ends.

    None if it is not due or already locked.
    """
    row = await tx.fetchrow(SQL["hold_due"], tx.tenant_id, schedule_id)
    return None if row is None else DueSchedule(**row)


async def record_due(
    tx: Queryable, one: DueSchedule, outcome: Outcome, next_at: datetime | None
) -> None:
    """Record the outcome of a locked schedule's due time, and when it is due next."""
    ids = (one.schedule_id, one.next_at, one.user_id, outcome.thread_id, outcome.run_id)
    told = (outcome.status, outcome.reason, next_at)
    await tx.execute(SQL["record_due"], tx.tenant_id, *ids, *told)
