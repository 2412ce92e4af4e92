"""Numbers in a request: salaries and ratings."""

from __future__ import annotations

import re
from typing import Any, Final

from ..jobs.salaries import list_pays

_PAY_WORD: Final = re.compile(
    r"\b(salary|paying|pays?|paid|compensation|earning|gross|wage)\b", re.I
)
_SMALLEST_SALARY: Final = 1000
_RATING: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"\b(?:fit|rating|score|rated?)\b\D{0,12}?([0-5](?:\.\d)?)\b(?!\d|k\b)",
        r"\b([0-5](?:\.\d)?)\s*(?:/|out\s+of)\s*5\b",
        r"\b([0-5])\s*stars?\b",
    )
)


def find_salary(text: str) -> dict[str, Any]:
    """The tracker's columns for a salary named in the text; {} where it names none.

    >>> find_salary("pays 90-120k"), find_salary("since 2019")
    ({'salary_min': 90000, 'salary_max': 120000}, {})
    """
    pays = list(list_pays(text))
    for pay in (*(pay for pay in pays if pay.high), *pays):
        is_near = _PAY_WORD.search(text[max(0, pay.start - 30) : pay.start]) is not None
        # Small numbers are many things; an hour's pay has a currency or a word for pay.
        smallest = 1 if pay.period and (pay.currency or is_near) else _SMALLEST_SALARY
        if (pay.is_money or is_near) and pay.low >= smallest:
            return pay.to_fields(text, is_both=False)
    return {}


def find_rating(text: str) -> float | None:
    """A rating from 0 to 5: "fit 4", "4/5", "3 stars"."""
    for pattern in _RATING:
        match = pattern.search(text)
        if match:
            return float(match[1])
    return None
