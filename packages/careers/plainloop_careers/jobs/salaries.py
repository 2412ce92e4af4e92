"""The tracker's columns for pay: amounts with the currency and the period that a text says."""

from __future__ import annotations

from typing import Any, Final

from plainloop_documents.reading.pay import Pay, parse_pay

FIELDS: Final = ("salary_min", "salary_max", "salary_currency", "salary_period")


def parse_salary(text: str) -> dict[str, Any]:
    """Parse a text about pay to the tracker's salary columns; {} if it is unclear.

    One amount is both ends.

    >>> parse_salary("90k - 110k EUR")
    {'salary_min': 90000, 'salary_max': 110000, 'salary_currency': 'EUR'}
    >>> parse_salary("up to $45.50/hour")
    {'salary_max': 45.5, 'salary_currency': '$', 'salary_period': 'hour'}
    >>> parse_salary("6-8 LPA"), parse_salary("$90k in Austin, $120k in New York")
    ({'salary_min': 600000, 'salary_max': 800000, 'salary_period': 'year'}, {})
    """
    pay = parse_pay(text)
    return to_columns(pay, is_both=True) if pay else {}


def to_columns(pay: Pay, *, is_both: bool) -> dict[str, Any]:
    """Convert parsed pay to the tracker's salary columns, without unknown values.

    is_both: one amount is both ends, where no word before it says which.
    """
    high = pay.low if is_both and pay.high is None and not pay.is_bounded else pay.high
    values = (pay.low, high, pay.currency, pay.period)
    return {name: value for name, value in zip(FIELDS, values, strict=True) if value is not None}
