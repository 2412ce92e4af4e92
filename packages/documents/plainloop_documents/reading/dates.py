"""Days of a sheet's columns, in words and numbers. Runs in the child."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import MAXYEAR, UTC, datetime
from functools import lru_cache
from typing import Final, Literal

from .months import to_english_months

Order = Literal["DMY", "MDY"]

_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")
_NUMBERS: Final = re.compile(
    r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?(?:,?\s+(\d{1,2}):(\d\d)(?::\d\d)?\s*([ap]\.?m\.?)?)?",
    re.I,
)
MAX_DAY_CHARS: Final = 100  # no day is longer, and each is cached
_LANGUAGES: Final = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "ja", "zh", "ko"]


def find_order(texts: Iterable[str]) -> Order | None:
    """Find out whether day or month comes first in a sheet's dates; None if it is unclear.

    >>> [find_order(texts) for texts in (["6/12/25, 2:34 PM"], ["13/2/2025"], ["1/2/25"])]
    ['MDY', 'DMY', None]
    """
    orders: set[Order] = set()
    for text in texts:
        match = _NUMBERS.fullmatch(text) if text[:1].isdigit() else None
        if match is None or len(match[1]) == 4:
            continue
        first, second = int(match[1]), int(match[3])
        if match[2] == "." or first > 12:  # no country writes M.D.YYYY
            orders.add("DMY")
        elif second > 12 or match[7]:
            orders.add("MDY")
    return orders.pop() if len(orders) == 1 else None


def parse_day(text: str, order: Order | None) -> datetime | None:
    """Parse a date in words or numbers; None if it is ambiguous or no date.

    >>> [str(parse_day(text, None))[:10] for text in ("5. März 2025", "5. března 2025", "3/4/25")]
    ['2025-03-05', '2025-03-05', 'None']
    """
    found = _parse_short(" ".join(text[:MAX_DAY_CHARS].split()), order)
    # In the first and the last year a time zone leads out of what a datetime can hold: reading it
    # back from the database would fail (test_dates_at_the_ends_of_the_calendar_are_kept_as_notes).
    return found if found and 1 < found.year < MAXYEAR else None


@lru_cache(maxsize=10_000)
def _parse_short(said: str, order: Order | None) -> datetime | None:
    if _ISO.fullmatch(said):
        try:
            found = datetime.fromisoformat(said)
        except ValueError:
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    match = _NUMBERS.fullmatch(said)
    if match:
        return _from_numbers(match, order)
    # A day, a month in letters and a year in four digits: anything less is a guess.
    if not re.search(r"(?:19|20)\d\d", said) or not re.search(r"(?<!\d)\d{1,2}(?!\d)", said):
        return None
    import dateparser

    # Those languages first: "de" around an English month is of none of them.
    for text in dict.fromkeys((said, to_english_months(said))):
        parsed = dateparser.parse(
            text,
            languages=_LANGUAGES,
            settings={"REQUIRE_PARTS": ["day", "month", "year"], "PARSERS": ["absolute-time"]},
        )
        if parsed:
            return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    return None


def _from_numbers(match: re.Match[str], order: Order | None) -> datetime | None:
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    if len(match[1]) == 4:
        year, month, day = first, second, third
    elif len(match[1]) == 3 or len(match[4]) not in (2, 4):
        return None
    else:
        order = find_order([match[0]]) or order
        if order is None and first != second:
            return None
        day, month = (second, first) if order == "MDY" else (first, second)
        year = third if third > 99 else 2000 + third
    hour, minute = int(match[5] or 0), int(match[6] or 0)
    if match[7]:
        hour = hour % 12 + 12 * match[7].lower().startswith("p")
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return None
