"""Salaries from words, as far as they say: "90k-110k EUR", "€ 80.000 to 95.000", "$45 an hour".

What is not said stays unknown: no year where no period stands, no US dollar for a mere "$".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, Literal

from ..files import load_data

Period = Literal["hour", "day", "week", "month", "year"]
Amount = int | float

MOST: Final = 2_000_000_000  # nobody is paid more; a guard against other numbers
FIELDS: Final = ("salary_min", "salary_max", "salary_currency", "salary_period")
_WORDS: Final = load_data(__file__, "pay.toml")
_SIGNS: Final[Mapping[str, str]] = _WORDS["signs"]
_UNITS: Final[Mapping[Period, str]] = _WORDS["units"]
_CALLED: Final[Mapping[Period, str]] = _WORDS["called"]
_CODED: Final[Mapping[str, Period]] = _WORDS["coded"]
_CODES, _SMALL_CODES = ("|".join(_WORDS[key].split()) for key in ("codes", "small_codes"))
_SIGN: Final = rf"(?:(?<!\w)(?:{_CODES}|(?i:{_SMALL_CODES}|{'|'.join(_SIGNS)}))(?!\w)|[$€£¥₹₽₩₺₴₪])"
_SPACE: Final = "[ \u00a0\u202f]"
_GROUPED: Final = rf"\d{{1,3}}(?:(?:[.,'’]|{_SPACE})\d{{3}})+|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}"
_AMOUNT: Final = re.compile(
    rf"(?<![\w.,#])((?:{_GROUPED}|\d{{1,12}})(?:[.,]\d{{1,2}})?)(?!\d)"
    rf"(?:{_SPACE}?(k|tsd|mil|thousand)\b\.?)?",
    re.IGNORECASE,
)
REACH_CHARS: Final = 40  # from an amount to what belongs to it
_SIGN_BEFORE: Final = re.compile(rf"({_SIGN})\s*$")
_SIGN_AFTER: Final = re.compile(rf"\s*({_SIGN})")
_BETWEEN: Final = re.compile(
    rf"\s*+{_SIGN}?\s*+(?:[-–—]|\b(?i:to|and|bis|und|à|et|a|y|hasta)\b)\s*+{_SIGN}?\s*+"
)
_GROSS: Final = r"(?:[\s,(]*+\b(?:gross|net|brutto|netto|brute?s?|nette?s?|brutos?|netos?)\b)?"
_EVERY: Final = r"(?:/|\b(?:per|pro|par|por|an?|al?|im|die|la)(?!\w)|\b(?:de |à )?l['’])"
_PERIOD_AFTER: Final = re.compile(
    rf"{_GROSS}[\s,(]*+(?:{_EVERY}\s*(?P<unit>{'|'.join(_UNITS.values())})"
    rf"|(?P<called>{'|'.join(_CALLED.values())}))(?!\w)",
    re.IGNORECASE,
)
_PERIOD_BEFORE: Final = re.compile(
    rf"\b(?P<called>{'|'.join(_CALLED.values())})(?:\s+\w+){{0,3}}?\W*$", re.IGNORECASE
)
_UP_TO: Final = re.compile(
    r"\b(?:up to|at most|max(?:imum)?|under|below|less than|salary max|bis(?: zu)?|jusqu['’]à"
    r"|hasta)\W*$",
    re.IGNORECASE,
)
_FROM: Final = re.compile(
    r"\b(?:from|at least|min(?:imum)?|over|more than|starting(?: at)?|ab|mind(?:estens)?"
    r"|à partir de|au moins|desde|a partir de)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Pay:
    """One amount or range in a text; None: not said."""

    start: int  # where it stands
    low: Amount
    high: Amount | None  # of a range
    currency: str | None
    period: Period | None
    is_money: bool  # its looks say so: thousands, a currency

    def to_fields(self, text: str, *, is_both: bool) -> dict[str, Any]:
        """The tracker's columns, without what is unknown. is_both: one amount is both ends, where
        no word before it says which.
        """
        before = text[: self.start]
        low, high = self.low, self.high
        if high is None and _UP_TO.search(before):
            low, high = None, self.low
        elif high is None and is_both and not _FROM.search(before):
            high = self.low
        values = (low, high, self.currency, self.period)
        return {
            name: value for name, value in zip(FIELDS, values, strict=True) if value is not None
        }


def parse_salary(text: str) -> dict[str, Any]:
    """The columns that a text about nothing but pay fills. One amount is both ends.

    >>> parse_salary("90k - 110k EUR")
    {'salary_min': 90000, 'salary_max': 110000, 'salary_currency': 'EUR'}
    >>> parse_salary("up to $45.50/hour")
    {'salary_max': 45.5, 'salary_currency': '$', 'salary_period': 'hour'}
    """
    found = [pay for pay in list_pays(text) if pay.low > 0 and (pay.high or pay.low) <= MOST]
    ranges = [pay for pay in found if pay.high is not None]
    chosen = next(iter([*ranges, *(pay for pay in found if pay.is_money), *found]), None)
    return chosen.to_fields(text, is_both=True) if chosen else {}


def list_pays(text: str) -> Iterator[Pay]:
    """Every number of the text as if it were pay; a range before its second number alone."""
    amounts = list(_AMOUNT.finditer(text))
    for first, second in zip_longest(amounts, amounts[1:]):
        is_near = second and second.start() - first.end() <= REACH_CHARS
        is_range = is_near and _BETWEEN.fullmatch(text, first.end(), second.start())
        last = second if second and is_range else first
        currency, end = _find_currency(text, first.start(), first.end(), last.end())
        period = _find_period(text, first.start(), end)
        low, high = _to_amount(first[1], first[2]), _to_amount(last[1], last[2])
        if (
            last is not first
            and low < 1000
            and (last[2] or (high >= 10_000 and period not in ("hour", "day", "week")))
        ):
            low = low if first[2] or low * 1000 > high else low * 1000
        is_money = bool(first[2] or last[2] or currency or re.search(r"\d\D\d{3}", last[1]))
        if low <= high:
            yield Pay(
                first.start(), low, high if last is not first else None, currency, period, is_money
            )


def parse_currency(text: str) -> str | None:
    """A currency's code, or the sign of several; None for what is neither.

    >>> [parse_currency(text) for text in ("eur", "€", "US$", "dollars", "shells")]
    ['EUR', 'EUR', 'USD', '$', None]
    """
    said = " ".join(text.split())
    if re.fullmatch(r"[A-Za-z]{3}", said) and said.casefold() != "yen":
        return said.upper()
    return next((code for words, code in _SIGNS.items() if re.fullmatch(words, said, re.I)), None)


def parse_period(text: str) -> Period | None:
    """Parse what pay is stated for; None for what is no period.

    >>> [parse_period(text) for text in ("YEAR", "per hour", "/mo", "MONTHLY", "ANN", "shift")]
    ['year', 'hour', 'month', 'month', 'year', None]
    """
    said = re.sub(rf"^{_EVERY}\s*(?=\w)", "", " ".join(text.split()), count=1, flags=re.I)
    if said in _CODED:
        return _CODED[said]
    for period, units in _UNITS.items():
        if re.fullmatch(f"{units}|{_CALLED[period]}", said, re.I):
            return period
    return None


def _find_currency(text: str, start: int, middle: int, end: int) -> tuple[str | None, int]:
    """(the currency beside the amount, where what belongs to it ends)."""
    after = _SIGN_AFTER.match(text, end)
    found = after or _SIGN_BEFORE.search(text[max(0, start - 20) : start])
    found = found or _SIGN_AFTER.match(text, middle)
    code = parse_currency(found[1]) if found else None
    return code, after.end() if after else end


def _find_period(text: str, start: int, end: int) -> Period | None:
    found = _PERIOD_AFTER.match(text, end, end + REACH_CHARS) or _PERIOD_BEFORE.search(
        text[max(0, start - REACH_CHARS) : start]
    )
    if found is None:
        return None
    return parse_period(found.groupdict().get("unit") or found["called"])


def _to_amount(digits: str, thousands: str | None) -> Amount:
    """
    >>> _to_amount("80.000", None), _to_amount("1.234,50", None), _to_amount("1.5", "k")
    (80000, 1234.5, 1500)
    """
    whole = re.sub(r"\D(?=(?:\d{2},)*\d{3}(?!\d))", "", digits).replace(",", ".")
    amount = round(float(whole) * (1000 if thousands else 1), 2)
    return int(amount) if amount.is_integer() else amount
