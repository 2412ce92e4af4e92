"""What a request says of a job: the tracker's values that stand in plain words."""

from __future__ import annotations

import re
from typing import Any, Final

from ..jobs.salaries import list_pays

_NUMBER: Final = r"[$€£]?\s?\d[\d.,']{0,14}\s?k?"
_PAY: Final = re.compile(
    rf"(?:(?:a\s+|the\s+)?(?:salary|pay)\b(?:\s+(?:of|range))?[:\s]*|pay(?:s|ing)\s+|up to\s+"
    rf"|from\s+|at least\s+)*{_NUMBER}(?:\s*(?:-|–|to|and)\s*{_NUMBER})?\s*(?:[A-Z]{{3}}\b|[$€£])?"
    r"(?:\s*(?:/|per\s|an?\s)\s*(?:year|month|week|day|hour)\b)?",
    re.I,
)
_PAY_WORD: Final = re.compile(r"salary|pay|up to|at least", re.I)
_SMALLEST_SALARY: Final = 1000


def read_values(text: str) -> tuple[dict[str, Any], int]:
    """The salary that the text begins with, and how many characters it takes.

    >>> read_values("120k to 140k, remote"), read_values("remote, 120k")
    (({'salary_min': 120000, 'salary_max': 140000}, 12), ({}, 0))
    """
    match = _PAY.match(text)
    said = match[0].rstrip(" ,.") if match else ""
    for pay in list_pays(said):
        is_named = _PAY_WORD.match(said) is not None
        # Small numbers are many things; an hour's pay has a currency or a word for pay.
        smallest = 1 if pay.period and (pay.currency or is_named) else _SMALLEST_SALARY
        if (pay.low or pay.high or 0) >= smallest and (pay.is_money or is_named):
            return pay.to_fields(is_both=False), len(said)
    return {}, 0
