"""When a cron expression is due next, in its time zone (docs/decisions, 20)."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Final

from plainloop.agent.config.zones import find_zone
from plainloop.agent.errors import InputError

FIELDS: Final = 5  # minute, hour, day of month, month, day of week
MOST_CHARS: Final = 200


def find_next(cron: str, time_zone: str, after: datetime) -> datetime | None:
    """Return when a cron expression is due next after a moment, in UTC.

    None if it is not due within fifty years. What falls into the hour that a clock leaves out is
    due right after it; what falls into the hour that comes twice is due once, unless it is due
    every hour.

    >>> find_next("30 2 * * *", "Europe/Berlin", datetime(2026, 3, 29, tzinfo=UTC)).isoformat()
    '2026-03-29T01:00:00+00:00'

    Raises: InputError for what is no cron expression, or no time zone.
    """
    if len(cron) > MOST_CHARS or len(cron.split()) != FIELDS:
        raise InputError(f"a cron expression must have {FIELDS} fields", hint=_HINT)
    library: Any = import_module("cronsim")  # only now: most services have no schedule
    try:
        due = next(library.CronSim(cron, after.astimezone(find_zone(time_zone))), None)
    except library.CronSimError as error:
        raise InputError(f"the cron expression is not valid: {error}", hint=_HINT) from error
    return None if due is None else due.astimezone(UTC)


_HINT: Final = '"30 7 * * MON-FRI": minute, hour, day of month, month, day of week'
