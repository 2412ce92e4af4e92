"""Spans of days as people name them ("last_month", "october"), resolved on a given day."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

YEARS: Final = range(2, 9999)  # so that a time has a day before and after it, in any zone
_MONTHS: Final[tuple[str, ...]] = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_WEEKDAYS: Final[tuple[str, ...]] = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
)
_LAST_DAYS: Final = re.compile(r"last_(\d{1,4})_days\Z")
_MONTH: Final = re.compile(r"([a-z]{3,9})(?:_(\d{4}))?\Z")
_MONTH_NUMBER: Final = re.compile(r"(\d{4})-(\d\d?)\Z")


def parse_period(name: str, today: date) -> tuple[date, date]:
    """Convert a period's name, such as "last_week", to its first and last day.
    A month or weekday without more is the latest one.

    Names: today, yesterday, this_/last_ week, month or year, last_7_days, monday, october, oct,
    october_2025, 2025-10, 2025, 2025-10-03.

    Raises: ValueError when it is none of these.

    >>> parse_period("last_week", date(2026, 11, 22))
    (datetime.date(2026, 11, 9), datetime.date(2026, 11, 15))
    >>> parse_period("december", date(2026, 11, 22))
    (datetime.date(2025, 12, 1), datetime.date(2025, 12, 31))
    >>> parse_period("sept_2025", date(2026, 11, 22)) == parse_period("2025-09", date(2026, 11, 22))
    True
    """
    if name in ("today", "yesterday"):
        day = today - timedelta(days=name == "yesterday")
        return day, day
    if name in _WEEKDAYS:
        day = today - timedelta(days=(today.weekday() - _WEEKDAYS.index(name)) % 7)
        return day, day
    if match := _LAST_DAYS.match(name):
        return today - timedelta(days=int(match[1]) - 1), today
    if match := _MONTH_NUMBER.match(name):
        return _span_month(int(match[1]), int(match[2]))
    match = _MONTH.match(name)
    if match and (months := [month for month in _MONTHS if month.startswith(match[1])]):
        month = _MONTHS.index(months[0]) + 1
        year = int(match[2]) if match[2] else today.year - (month > today.month)
        return _span_month(year, month)
    monday = today - timedelta(days=today.weekday())
    before = today.replace(day=1) - timedelta(days=1)
    spans = {
        "this_week": (monday, monday + timedelta(days=6)),
        "last_week": (monday - timedelta(days=7), monday - timedelta(days=1)),
        "this_month": _span_month(today.year, today.month),
        "last_month": _span_month(before.year, before.month),
        "this_year": _span_year(today.year),
        "last_year": _span_year(today.year - 1),
    }
    if name in spans:
        return spans[name]
    if re.fullmatch(r"\d{4}", name):
        return _span_year(int(name))
    day = date.fromisoformat(name)
    return day, day


def _span_month(year: int, month: int) -> tuple[date, date]:
    after = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), after - timedelta(days=1)


def _span_year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)
