"""Adds days and hours without calls to reports over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from ..config.zones import UTC_ZONE
from .dimensions import MEASURES, UNKNOWN
from .report import UsageRow, format_time, make_row

_TIMES: Final = ("day", "hour")


def fill_times(
    rows: Sequence[UsageRow],
    first: datetime | None = None,
    last: datetime | None = None,
    zone: str = UTC_ZONE,
) -> list[UsageRow]:
    """Add empty rows for the days (or hours) without calls to a report grouped by time.

    Rows grouped by anything else are returned as they are.

    first, last: days that are shown, too, where there is any row. zone: that of the rows.
    """
    by = next(iter(rows[0].keys), "") if rows and len(rows[0].keys) == 1 else ""
    if by not in _TIMES:
        return [*rows]
    by_time = {row.keys[by] or "": row for row in rows}
    bounds = [format_time(by, at, zone) for at in (first, last) if at is not None]
    nothing: dict[str, Any] = {name: None if name in UNKNOWN else 0 for name in MEASURES}
    keys = sorted({*by_time, *bounds}, key=_to_moment)
    times = _list_days(keys[0], keys[-1]) if by == "day" else _list_hours(keys[0], keys[-1], zone)
    return [by_time.get(key) or make_row({by: key}, {**nothing}) for key in times]


def _to_moment(key: str) -> datetime:
    """Parse a row's day or hour as a time; a day is midnight UTC."""
    at = datetime.fromisoformat(key)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _list_days(first: str, last: str) -> Iterator[str]:
    """Yield the days of the calendar from `first` to `last`, as keys of rows."""
    day, end = date.fromisoformat(first), date.fromisoformat(last)
    while day <= end:
        yield day.isoformat()
        day += timedelta(days=1)


def _list_hours(first: str, last: str, zone: str) -> Iterator[str]:
    """Yield the hours from `first` to `last`, as keys of rows in the zone."""
    # In UTC: of the local hours one is missing, or there twice, when clocks change
    # (test_an_hour_repeated_by_a_clock_change_is_two_usage_rows).
    at, end = _to_moment(first).astimezone(UTC), _to_moment(last)
    while at <= end:
        yield format_time("hour", at, zone)
        at += timedelta(hours=1)
