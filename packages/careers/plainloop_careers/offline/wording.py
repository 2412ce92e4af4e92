"""What a request says of a job: the tracker's values that stand in plain words."""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop_documents.reading.pay import list_pays

from ..files import Patterns
from ..jobs.salaries import to_columns

_SAID: Final = Patterns(__file__)
_PAY: Final = _SAID.compile("pay")
_PAY_WORD: Final = re.compile(r"salary|pay|up to|at least", re.I)
_SMALLEST_SALARY: Final = 1000


def read_values(text: str) -> tuple[dict[str, Any], int]:
    """Parse a salary at the beginning of a text; return (tracker columns, characters read).

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
            return to_columns(pay, is_both=False), len(said)
    return {}, 0
