"""Salaries from words: "100000", "90k-110k", "€ 80.000 to 95.000", "$45/hour"."""

from __future__ import annotations

import re
from typing import Final

_AMOUNT: Final = re.compile(r"(\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+|\d+(?:[.,]\d+)?)\s*(k\b|K\b)?")
_NOT_YEARLY: Final = re.compile(
    r"(?:/|\bper|\ba|\ban|\bpro)\s*(?:hour|hr|h|day|week|month|stunde|tag|monat)\b|\bhourly\b", re.I
)
MOST: Final = 2_000_000_000


def parse_salary(text: str) -> tuple[int | None, int | None]:
    """(lowest, highest) yearly amount in whole units of the currency; None: not said.

    One amount is both; hourly and monthly pay is not taken for a year's.

    >>> parse_salary("90k - 110k EUR")
    (90000, 110000)
    >>> parse_salary("$45/hour")
    (None, None)
    """
    if _NOT_YEARLY.search(text):
        return None, None
    amounts = [_to_amount(match[1], match[2]) for match in _AMOUNT.finditer(text)]
    # "90-110k": the unit of the last amount holds for a first one that is too small without.
    if len(amounts) > 1 and amounts[0] < 1000 <= amounts[1]:
        amounts[0] *= 1000
    amounts = [amount for amount in amounts[:2] if 0 < amount <= MOST]
    return (min(amounts), max(amounts)) if amounts else (None, None)


def _to_amount(digits: str, thousands: str | None) -> int:
    grouped = re.fullmatch(r"\d{1,3}(?:\D\d{3})+", digits)
    if grouped and not thousands:
        return int(re.sub(r"\D", "", digits))
    return round(float(digits.replace(",", ".")) * (1000 if thousands else 1))
