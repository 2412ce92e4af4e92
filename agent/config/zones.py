"""Time zones by their IANA names, in which days and months of reports and budgets begin."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from ..errors import InputError

UTC_ZONE: Final = "UTC"
_HOUR_S: Final = 3600
# Of this machine alone, or with leap seconds: the database does not know them.
_NOT_EVERYWHERE: Final = ("localtime", "posixrules", "Factory")
_VARIANTS: Final = ("posix/", "right/")


def find_zone(name: str) -> tzinfo:
    """Find a time zone by its name. Raises: InputError."""
    if name == UTC_ZONE:
        return UTC  # also where no zones are installed
    try:
        if name in _NOT_EVERYWHERE or name.startswith(_VARIANTS):
            raise KeyError(name)
        # ZoneInfo refuses `..` and absolute paths itself (ValueError), so the name reads no other
        # file.
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        told = f"unknown time zone: {name!r}"
        raise InputError(told, hint="Use, for example, Europe/Berlin or UTC.") from error


def has_whole_hours(name: str, years: range) -> bool:
    """Whether the zone's offsets from UTC are whole hours in all these years.

    >>> has_whole_hours("Europe/Berlin", range(2026, 2027))
    True
    >>> has_whole_hours("Asia/Kolkata", range(2026, 2027))
    False
    """
    zone = find_zone(name)
    offsets = (
        datetime(year, month, 1, tzinfo=UTC).astimezone(zone).utcoffset()
        for year in years
        # Four months show each side of a clock change, in both hemispheres.
        for month in (1, 4, 7, 10)
    )
    return all(offset is None or offset.total_seconds() % _HOUR_S == 0 for offset in offsets)


def begin_day(day: date, zone: tzinfo) -> datetime:
    """Return the UTC time at which this day begins in the zone.

    >>> begin_day(date(2026, 10, 26), find_zone("Europe/Berlin")).isoformat()
    '2026-10-25T23:00:00+00:00'
    """
    return datetime.combine(day, time(), zone).astimezone(UTC)


def begin_next_month(day: date, zone: tzinfo) -> datetime:
    """Return the UTC time at which the month after this day begins in the zone."""
    return begin_day((day.replace(day=1) + timedelta(days=32)).replace(day=1), zone)
