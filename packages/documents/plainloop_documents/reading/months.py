"""Names of months in the languages of CLDR, as dateparser's data has them.

That data has what CLDR lacks: inflected forms ("tammikuussa"), everyday abbreviations ("mrt").
Own lists of beginnings took "Marketing 2019" for March and "Novartis 2019" for November.
"""

from __future__ import annotations

import importlib
import re
from functools import cache, lru_cache
from typing import Any, Final

from plainloop.agent.base.text.cleaning import fold

# In this order: "listopad" is November in Polish and Czech, but October in Croatian.
_LANGUAGES: Final = (
    "en de fr es it pt nl pl cs sk sv da nb fi hu ro ru uk bg el tr hr sl sr et lv lt is ca id"
).split()
_NAMES: Final = (
    "january february march april may june july august september october november december"
).split()
_UNITS: Final = ("year", "month")
_WORD: Final = re.compile(r"[^\W\d_]{2,16}(\.?)")
_MIN_CHARS: Final = 3  # shorter names, such as Roman numerals, are other words too
# No font of icons uses the last plane, as some use the private characters of the first.
_MARKS: Final = [chr(0x10F700 + at) for at in range(1 + len(_NAMES) + len(_UNITS))]
MONTH: Final = f"[{_MARKS[1]}-{_MARKS[12]}]+"  # a month's name in a marked text
UNIT: Final = f"[{_MARKS[13]}{_MARKS[14]}]+"  # "years", "Monate" in a marked text


@cache
def _load_names() -> dict[str, str]:
    """Load the mark of each name of a month and of each word for years and months."""
    names = {"yrs": _MARKS[13], "mos": _MARKS[14]}
    for language in _LANGUAGES:
        module = importlib.import_module(f"dateparser.data.date_translation_data.{language}")
        info: dict[str, Any] = module.info
        for mark, key in zip(_MARKS[1:], (*_NAMES, *_UNITS), strict=True):
            for name in map(fold, info[key]):
                if len(name) >= _MIN_CHARS or key in _UNITS:
                    names.setdefault(name, mark)
    return names


@cache
def _load_beginnings() -> dict[str, str]:
    """Load the mark of what abbreviates months of one number only: "Febr.", "Sett."."""
    marks: dict[str, set[str]] = {}
    for name, mark in _load_names().items():
        if MONTHS.fullmatch(mark):
            for end in range(_MIN_CHARS, len(name)):
                marks.setdefault(name[:end], set()).add(mark)
    return {name: mark for name, (mark, *others) in marks.items() if not others}


MONTHS: Final = re.compile(MONTH)


@lru_cache(maxsize=10_000)
def _find_mark(word: str, has_point: bool) -> str | None:
    folded = fold(word)
    return _load_names().get(folded) or (_load_beginnings().get(folded) if has_point else None)


def mark_months(text: str) -> str:
    """Replace names of months, years and months by as many marks, for `MONTH` and `UNIT`.

    A text without a digit holds no date and stays as it is.
    """

    def mark(match: re.Match[str]) -> str:
        word = match[0].removesuffix(".")
        found = _find_mark(word, bool(match[1]))
        return found * len(word) + match[1] if found else match[0]

    return _WORD.sub(mark, text) if re.search(r"\d", text) else text


def to_english_months(text: str) -> str:
    """Replace the names of months in a text by the English ones.

    >>> to_english_months("12. kesäkuuta 2025")
    '12. june 2025'
    """
    return MONTHS.sub(lambda match: _NAMES[get_month(match[0]) - 1], mark_months(text))


def get_month(marked: str) -> int:
    """Return the number of the month, 1 to 12, that a marked text begins with.

    >>> [get_month(mark_months(text)) for text in ("Sept. 2019", "marraskuu 2020", "févr. 19")]
    [9, 11, 2]
    """
    return _MARKS.index(marked[0])
