"""Changes told as a ratio: "doubled", "in half", "by a third", "tenfold"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .facts import Fact, Material
from .view import Finding, View, make_finding
from .words import WORD, split_words

_HALF: Final = r"(?:(?:in|by)\s+(?:\w+\s+){0,2}?half|halv(?:ed|ing))"
_SHARE: Final = r"by\s+(?:\w+\s+){0,2}?(?:an?|one)[\s-]"
# What is left of a thing, or what it grew to, times its former size.
_RATIOS: Final[tuple[tuple[re.Pattern[str], tuple[float, ...]], ...]] = tuple(
    (re.compile(rf"\b{pattern}\b", re.I), values)
    for pattern, values in (
        (_HALF, (0.5, 1.5)),
        (_SHARE + r"third", (2 / 3, 4 / 3)),
        (_SHARE + r"quarter", (3 / 4, 5 / 4)),
        (_SHARE + r"fifth", (4 / 5, 6 / 5)),
        (r"by\s+(?:\w+\s+){0,2}?two[\s-]thirds", (1 / 3, 5 / 3)),
        (r"(?:doubl(?:ed|ing)(?!\s+(?:down|as)\b)|two-?fold|twice\s+as\s+\w+)", (2.0,)),
        (r"(?:tripl(?:ed|ing)|trebl(?:ed|ing)|three-?fold)", (3.0,)),
        (r"(?:quadrupl(?:ed|ing)|four-?fold)", (4.0,)),
        (r"(?:five-?fold|quintupl(?:ed|ing))", (5.0,)),
        (r"ten-?fold", (10.0,)),
    )
)
_MORE: Final = re.compile(r"\b(?:over|more than|at least|well over)\b", re.I)
_UNITS: Final = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 604800,
    "month": 2.6e6,
    "year": 3.15e7,
}
_WORDS: Final = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
} | {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100}
_AMOUNT: Final = (
    rf"[$€£]?(\d[\d,]*(?:\.\d+)?|\b(?:{'|'.join(_WORDS)})\b)\s*(k|million|%)?"
    rf"\s*(?:\w+\s)??({'|'.join(_UNITS)})?s?"
)
_FROM_TO: Final = re.compile(rf"\bfrom\s+{_AMOUNT}\b[^.;]{{0,40}}?\bto\s+{_AMOUNT}", re.I)
_PERCENT: Final = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)\s*(?:%|percent|per\s?cent)", re.I)
_TIMES: Final = re.compile(r"\b(\d+(?:\.\d+)?)\s?(?:x\b|×|times\b)", re.I)
_SLACK: Final = 0.08


@dataclass(frozen=True, slots=True)
class _Claim:
    text: str
    ratios: tuple[float, ...]
    is_more: bool
    start: int
    end: int


def check_ratios(view: View, material: Material) -> Iterator[Finding]:
    """Each such word must be the résumé's, or follow from its numbers about the same thing."""
    for claim in _find_claims(view.text):
        if view.get_stance(claim.start) == "other":
            continue
        near = view.get_stems(claim.start, claim.end, around=7)
        facts = [fact for fact in material.own if _says(fact, claim)]
        about = [fact for fact in facts if near & (fact.stems | fact.words)]
        yield make_finding(claim.text, next(iter(about), None))


def _find_claims(text: str) -> Iterator[_Claim]:
    for pattern, ratios in _RATIOS:
        for match in pattern.finditer(text):
            is_more = _MORE.search(text[max(0, match.start() - 12) : match.end()]) is not None
            yield _Claim(match[0], ratios, is_more, match.start(), match.end())


def _says(fact: Fact, claim: _Claim) -> bool:
    """The fact has the word itself, or numbers that come to it."""
    said = {ratio for other in _find_claims(fact.text) for ratio in other.ratios}
    known = list(_list_ratios(fact.text))
    return bool(said & set(claim.ratios)) or any(
        _is_near(wanted, ratio, claim.is_more) for wanted in claim.ratios for ratio in known
    )


def _list_ratios(text: str) -> Iterator[float]:
    for match in _FROM_TO.finditer(text):
        before = _read(match[1], match[2], match[3] or match[6])
        after = _read(match[4], match[5], match[6] or match[3])
        if before:
            yield after / before
    for match in _PERCENT.finditer(text):
        yield 1 - float(match[1]) / 100
        yield 1 + float(match[1]) / 100
    for match in _TIMES.finditer(text):
        yield float(match[1])
    words = {word.casefold() for word in split_words(text)} if WORD.search(text) else set[str]()
    if "half" in words:
        yield 0.5


def _read(digits: str, times: str | None, unit: str | None) -> float:
    value = float(_WORDS.get(digits.casefold(), 0)) or float(digits.replace(",", ""))
    value *= {"k": 1e3, "million": 1e6}.get((times or "").casefold(), 1)
    return value * _UNITS.get((unit or "").casefold(), 1)


def _is_near(wanted: float, ratio: float, is_more: bool) -> bool:
    """Whether a change by `ratio` may be called so; "more than half" is any deeper cut."""
    if is_more:
        return ratio <= wanted + _SLACK if wanted < 1 else ratio >= wanted * (1 - _SLACK)
    return abs(ratio - wanted) <= _SLACK * max(1.0, wanted)
