"""Makes a schedule of what somebody asks for: over HTTP, or by a command."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from msgspec import Meta, Struct

from plainloop.agent.base.ids import make_id
from plainloop.agent.base.text.cleaning import check_message
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ConflictError
from plainloop.agent.store.database import Queryable

from ..settings import OperationsLimits
from .rows import SQL, Missed
from .times import find_next


class NewScheduled(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=200, examples=["morning mail"])]
    cron: Annotated[str, Meta(min_length=1, max_length=200, examples=["30 7 * * MON-FRI"])]
    message: str = ""  # not empty, unless there is a task
    time_zone: Annotated[str, Meta(min_length=1, max_length=100)] = "UTC"
    missed: Missed = "run"  # what becomes of a time at which no replica was there
    # Begun in place of the message: {"advise": the body of POST /api/advice}, for admins.
    task: dict[str, Any] | None = None


class MadeSchedule(Struct):
    schedule_id: str
    next_at: datetime | None


async def make_schedule(
    tx: Queryable, user_id: str, wanted: NewScheduled, settings: Settings
) -> MadeSchedule:
    """Create a schedule of a user, and return it.

    Raises: InputError; ConflictError TOO_MANY_SCHEDULES.
    """
    if wanted.task is None:
        check_message(wanted.message, settings.limits.message_chars)
    message = wanted.message or f"(begins: {', '.join(wanted.task or {})})"
    next_at = find_next(wanted.cron, wanted.time_zone, datetime.now(UTC))
    schedule_id, most = make_id(), settings.get_table(OperationsLimits).schedules_per_user
    await tx.execute(SQL["take_turn"], tx.tenant_id, user_id)
    what = (wanted.name, wanted.cron, wanted.time_zone, message, wanted.missed, next_at)
    row = (tx.tenant_id, schedule_id, user_id, *what, most, wanted.task)
    if not await tx.fetchval(SQL["save_schedule"], *row):
        hint = "Delete one first. limits.schedules_per_user sets the maximum."
        told = f"the user already has {most} schedules"
        raise ConflictError(told, hint=hint, code="TOO_MANY_SCHEDULES")
    return MadeSchedule(schedule_id, next_at)
