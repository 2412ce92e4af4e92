"""Dates and durations: as résumés write them and as letters tell them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final

from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.dataclasses import dataclass
from plainloop_documents.reading.months import MONTH, get_month, mark_months

from ...files import Patterns
from ...resumes.periods import NOW

_SAID: Final = Patterns(__file__)
YearMonth = tuple[int, int | None]  # month None: only the year is known

YEAR: Final = r"(?:19|20)\d{2}"
_DATE: Final = compile_lazily(_SAID.text("date").replace("{month}", MONTH))


@dataclass(frozen=True, slots=True)
class Span:
    """A time span in months counted from year 0; the month `end` is not part of it.

    Where only years are known, it is the longest time that they allow.
    """

    start: int
    end: int
    slack: int = 0  # months by which it may be shorter

    @property
    def months(self) -> int:
        """Return the span's length in months."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text, with its position there."""

    value: YearMonth
    text: str
    start: int
    end: int


def find_dates(text: str) -> Iterator[FoundDate]:
    """Find the dates in a text, such as `2019`, `June 2019` or `06/2019`, with their positions.

    >>> [found.value for found in find_dates("from Jun. 2019 to 2021-03, seit März 2024")]
    [(2019, 6), (2021, 3), (2024, 3)]
    """
    for match in _DATE.finditer(mark_months(text)):
        year = match["iso"] or match["slash"] or match["worded"] or match["year"]
        month = match["iso_month"] or match["slash_month"]
        if match["word"]:
            month = get_month(match["word"])
        value = (int(year), int(month) if month else None)
        found = text[match.start() : match.end()]
        yield FoundDate(value, found, match.start(), match.end())


def parse_dates(text: str) -> list[YearMonth]:
    """Return the dates in a text, as (year, month or None) each."""
    return [found.value for found in find_dates(text)]


def blank_dates(text: str) -> str:
    """Replace the dates in a text by spaces, so that no year is taken for a number."""
    for found in find_dates(text):
        text = text[: found.start] + " " * (found.end - found.start) + text[found.end :]
    return text


def parse_span(start: Any, end: Any, today: date) -> Span | None:
    """Convert a résumé's start and end to a span of time; None without a start.

    Without an end it lasts until today.
    """
    first = next(iter(parse_dates(str(start or ""))), None)
    if first is None:
        return None
    last = next(iter(parse_dates(str(end or ""))), None)
    if last is None:
        if end and not NOW.match(str(end)):
            return None
        last = (today.year, today.month)
    begin = first[0] * 12 + (first[1] or 1) - 1
    # A bare year as the end may be its beginning or its end: the whole year is given.
    finish = last[0] * 12 + ((last[1] - 1) if last[1] else 12)
    slack = 11 * ((first[1] is None) + (last[1] is None))
    return Span(begin, max(begin, finish), slack)


def count_months(spans: Iterable[Span]) -> int:
    """Count the months that the spans cover together."""
    total, reached = 0, 0
    for span in sorted(spans, key=lambda span: span.start):
        total += max(0, span.end - max(span.start, reached))
        reached = max(reached, span.end)
    return total


def is_same_date(claimed: YearMonth, known: YearMonth) -> bool:
    """Whether a known date confirms a claimed one: same year, and same month if claimed."""
    return claimed[0] == known[0] and claimed[1] in (None, known[1])
