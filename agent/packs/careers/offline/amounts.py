"""Numbers in a request: salaries and ratings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....offline.brain.amounts import parse_amount

_NUMBER: Final = (
    r"(?<![\d.,])(\d{1,3}(?:[.,' ]\d{3}){1,3}|\d{1,9}(?:[.,]\d{1,2})?)(?!\d)\s*(k\b|thousand\b)?"
)
_CURRENCY: Final = r"[$€£]|\b(?:usd|eur|gbp|chf)\s*"
_RANGE: Final = re.compile(
    rf"({_CURRENCY})?\s*{_NUMBER}\s*(?:-|–|—|\bto\b|\band\b)\s*(?:{_CURRENCY})?\s*{_NUMBER}", re.I
)
_SINGLE: Final = re.compile(rf"({_CURRENCY})?\s*{_NUMBER}", re.I)
_PAY_WORD: Final = re.compile(
    r"\b(salary|paying|pays?|paid|compensation|earning|gross|wage)\b", re.I
)
_UP_TO: Final = re.compile(
    r"\b(?:up to|at most|max(?:imum)?|under|below|less than|salary max)\W*$", re.I
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


def find_salary(text: str) -> tuple[int | None, int | None]:
    """(minimum, maximum) of a salary named in the text; None where it names none.

    >>> find_salary("pays 90-120k"), find_salary("salary of 85,000 EUR"), find_salary("since 2019")
    ((90000, 120000), (85000, None), (None, None))
    """
    for match in _list_ranges(text):
        currency, low, low_k, high, high_k = match.groups()
        if low_k or high_k or currency or _is_pay_near(text, match.start()) or _is_grouped(low):
            second = parse_amount(high, high_k)
            first = parse_amount(low, low_k or (high_k if parse_amount(low, None) < 1000 else None))
            if _SMALLEST_SALARY <= first <= second:
                return first, second
    for match in _SINGLE.finditer(text):
        currency, number, thousands = match.groups()
        amount = parse_amount(number, thousands)
        is_pay = thousands or currency or _is_grouped(number) or _is_pay_near(text, match.start())
        if is_pay and amount >= _SMALLEST_SALARY:
            return (None, amount) if _UP_TO.search(text[: match.start()]) else (amount, None)
    return None, None


def _list_ranges(text: str) -> Iterator[re.Match[str]]:
    """Each pair of numbers, also one that shares its first with the pair before: "3 to 90-110k"."""
    match = _RANGE.search(text)
    while match:
        yield match
        match = _RANGE.search(text, match.end(2))


def find_rating(text: str) -> float | None:
    """A rating from 0 to 5: "fit 4", "4/5", "3 stars"."""
    for pattern in _RATING:
        match = pattern.search(text)
        if match:
            return float(match[1])
    return None


def _is_grouped(number: str) -> bool:
    return re.search(r"\d[.,' ]\d{3}", number) is not None


def _is_pay_near(text: str, at: int) -> bool:
    return _PAY_WORD.search(text[max(0, at - 30) : at]) is not None
