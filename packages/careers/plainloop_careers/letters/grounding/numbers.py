"""Dates, durations, percentages, amounts and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, Literal

from plainloop.agent.base.caching.functions import cached_by_bytes
from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.dataclasses import dataclass
from plainloop_documents.reading.pay import to_number

from ...files import Patterns
from .facts import Entry, Fact, Material
from .spans import blank_dates, count_months, find_dates, is_same_date
from .view import Finding, View

_SAID: Final = Patterns(__file__)
Kind = Literal["percent", "money", "months", "count"]
_NUMBER_WORDS: Final[dict[str, float]] = _SAID["number_words"]
_WORDED: Final = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_MULTIPLIERS: Final[dict[str, float]] = _SAID["multipliers"]
_UNIT_MONTHS: Final = {"year": 12.0, "yr": 12.0, "month": 1.0, "week": 0.23, "decade": 120.0}
_NUMBER: Final = compile_lazily(_SAID.text("number").replace("{words}", _WORDED))
_A_YEAR: Final = _SAID.compile("a_year")
_MORE: Final = _SAID.compile("more")
_ABOUT: Final = _SAID.compile("about")
# "two reasons", "100% committed": says nothing that a résumé could.
_NO_CLAIM: Final = _SAID.compile("no_claim")
_SKIPPED: Final = _SAID.compile("skipped")
# What a list of the résumé counts: "three languages".
_COUNTED: Final[dict[str, str]] = _SAID["counted"]
_ALL: Final = 1000  # more words than a fact has: the posting does not count
_CERTAIN_SHARE: Final = 0.2  # of a sentence's words that are small words of one language
_ROUNDING: Final = 0.15  # "over 40%" for 45%


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text. value: a share in percent, a sum, months or a count."""

    kind: Kind
    value: float
    text: str
    start: int
    end: int
    is_more: bool  # "over", "+"
    is_about: bool


def check_dates(view: View, material: Material) -> Iterator[Finding]:
    """Check that each date in a sentence occurs in the résumé, in the entry the sentence names."""
    dated = {entry.path for entry in material.entries}
    for found in find_dates(view.text):
        scope = [item for entry in view.entries for item in entry.dates]
        own = [fact for fact in material.own if _has_date(fact, found.value)]
        named = {entry.path for entry in view.entries}
        own.sort(key=lambda fact: fact.entry not in named)
        if scope and not any(is_same_date(found.value, item) for item in scope):
            own = [fact for fact in own if fact.entry not in dated]
        if own:
            yield Finding(found.text, (own[0].path,))
        elif view.get_stance(found.start) == "other" and any(
            _has_date(fact, found.value) for fact in material.posting
        ):
            yield Finding(found.text)
        else:
            where = f" for {_name_entries(view.entries)}" if scope else ""
            yield Finding(found.text, problem=f"“{found.text}” is not a date in the résumé{where}.")


def check_numbers(view: View, material: Material) -> Iterator[Finding]:
    """Check that each number in a sentence occurs in the material, with the same words.

    A duration may also be computed from the résumé's dates.
    """
    for number in find_numbers(blank_dates(view.text)):
        rest = view.text[number.end :]
        if number.kind in ("count", "percent") and _NO_CLAIM.match(rest):
            continue
        source = _find_number(number, view, material)
        if source is None and number.kind == "months":
            yield _check_duration(number, view, material)
        elif (
            source is None
            and number.kind == "count"
            and (section := _get_counted(rest)) is not None
            and material.sizes.get(section) == number.value
        ):
            yield Finding(number.text, (f"resume.{section}",))
        elif source is None:
            after = re.match(r"\S*(?:\s+\w+){0,2}", rest)  # says which number is meant
            said = (number.text + (after[0] if after else "")).strip()
            problem = f"“{said}” is not in the résumé or the profile."
            yield Finding(number.text, problem=problem)
        else:
            yield Finding(number.text, (source.path,))


@cached_by_bytes()
def find_numbers(text: str) -> tuple[Number, ...]:
    """Find the numbers in a text, with their kind and position."""
    text = _SKIPPED.sub(lambda match: " " * len(match[0]), text)
    numbers = [_to_number(match, text) for match in _NUMBER.finditer(text)]
    for match in _A_YEAR.finditer(text):
        unit, words = match["unit"] or match["unit2"], match["words"] or match["words2"]
        months = _UNIT_MONTHS[unit.lower()] * (0.5 if "half" in words.lower() else 1)
        is_more = _MORE.search(text[: match.start()]) is not None
        numbers.append(
            Number("months", months, match[0], match.start(), match.end(), is_more, False)
        )
    return tuple(numbers)


def _to_number(match: re.Match[str], text: str) -> Number:
    value = _read_value(match["digits"], match["words"])
    value *= _MULTIPLIERS.get((match["times"] or "").lower(), 1)
    kind: Kind = "count"
    if match["percent"]:
        kind = "percent"
    elif match["currency"] or match["money"]:
        kind = "money"
    elif match["unit"]:
        kind = "months"
        value *= _UNIT_MONTHS[match["unit"].lower().rstrip("s")]
    before = text[: match.start()]
    is_more = bool(match["plus"] or match["plus2"] or _MORE.search(before))
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    return Number(
        kind, value, match[0].strip(), start, match.end(), is_more, bool(_ABOUT.search(before))
    )


def _read_value(digits: str | None, words: str | None) -> float:
    if digits:
        return to_number(digits)  # a German letter says "45.000" of a résumé's "45,000"
    first, _, second = (words or "").lower().partition("-")
    return _NUMBER_WORDS[first] + _NUMBER_WORDS.get(second, 0)


def _find_number(number: Number, view: View, material: Material) -> Fact | None:
    """Return the fact with this number about the same thing, by a shared word nearby; else None."""
    near = view.get_stems(number.start, number.end, around=7)
    own = [fact for fact in material.own if _has_number(fact, number)]
    own_stem = number.text.split()[0].lower()
    for fact in own:
        others = fact.stems - {own_stem}
        # A fact that is nothing but its number: a word of its entry is as good.
        entry = [it for it in material.own if not others and fact.entry and it.entry == fact.entry]
        is_named = near & others or any(near & it.stems for it in entry)
        if is_named or _is_translated(view.text, fact.text):
            return fact
    # Where a clause says nobody's, the posting's number must come with the posting's words.
    wanted = {"self": _ALL, "none": 2, "other": 0}[view.get_stance(number.start)]
    return next(
        (
            fact
            for fact in material.posting
            if _has_number(fact, number) and len(near & fact.stems) >= wanted
        ),
        None,
    )


def _is_translated(text: str, known: str) -> bool:
    """Whether a text is in another language than the fact, so that they share no words."""
    from plainloop_rules.matching import measure_languages  # the grammar of four languages

    shares = measure_languages(text)
    language = max(shares, key=lambda name: shares[name])
    is_certain = shares[language] >= _CERTAIN_SHARE and language != "english"
    return is_certain and measure_languages(known)[language] < _CERTAIN_SHARE


def _has_number(fact: Fact, number: Number) -> bool:
    known = find_numbers(fact.undated)
    return any(_is_same(number, item) for item in known) or _is_step(number, known)


def _is_step(number: Number, known: tuple[Number, ...]) -> bool:
    """Whether the number is the percentage points between two shares: "from 61% to 78%"."""
    if "point" not in number.text.lower():
        return False
    shares = [item.value for item in known if item.kind == "percent"]
    return any(abs(b - a) == number.value for a, b in pairwise(shares))


def _is_same(claimed: Number, known: Number) -> bool:
    kinds = {claimed.kind, known.kind}
    if len(kinds) > 1 and kinds != {"money", "count"}:
        return False
    if abs(claimed.value - known.value) < 1e-6 * max(1.0, known.value):
        return True
    low = known.value * (1 - _ROUNDING)
    if claimed.is_more:
        return low <= claimed.value <= known.value
    return claimed.is_about and low <= claimed.value <= known.value * (1 + _ROUNDING)


def _has_date(fact: Fact, value: tuple[int, int | None]) -> bool:
    return any(is_same_date(value, known) for known in fact.dates)


def _check_duration(number: Number, view: View, material: Material) -> Finding:
    if re.match(r"\s*ago\b", view.text[number.end :], re.I):
        return _check_ago(number, material)
    scope = [entry for entry in view.entries if entry.span]
    entries = scope or [
        entry for entry in material.entries if entry.span and entry.section != "education"
    ]
    spans = [entry.span for entry in entries if entry.span]
    known = count_months(spans)
    fits = _is_length_of(number, known, sum(span.slack for span in spans))
    if not scope:
        # So long an experience may be that of all positions together.
        fits = fits or number.value <= known + (0 if number.is_more else 6)
    if fits or any(_is_length_of(number, span.months, span.slack) for span in spans):
        return Finding(number.text, tuple(f"{entry.path}.startDate" for entry in entries[:3]))
    shown = f"{known / 12:.1f} years" if known >= 12 else f"{known} months"
    where = f" at {_name_entries(tuple(scope))}" if scope else ""
    problem = f"“{number.text}”{where} does not match the résumé, whose dates add up to {shown}."
    return Finding(number.text, problem=problem)


def _check_ago(number: Number, material: Material) -> Finding:
    year = material.today.year - round(number.value / 12)
    near = [
        entry for entry in material.entries if any(abs(item[0] - year) <= 1 for item in entry.dates)
    ]
    if near:
        return Finding(number.text, (near[0].path,))
    return Finding(number.text, problem=f"“{number.text} ago” matches no date in the résumé.")


def _is_length_of(number: Number, months: int, slack: int) -> bool:
    """Whether a position of that many months, or `slack` fewer, may be described as this long.

    Six years and eight months are "six years" and "seven years".
    """
    unit = 12 if number.value >= 12 else 1
    if number.is_more:
        return number.value <= months and months - slack <= number.value + 2 * unit
    return months - slack < number.value + unit + (unit == 1) and months >= number.value - unit / 2


def _get_counted(rest: str) -> str | None:
    return next(
        (
            section
            for section, nouns in _COUNTED.items()
            if re.match(rf"\W*(?:\w+\s+){{0,2}}?(?:{nouns})\b", rest, re.I)
        ),
        None,
    )


def _name_entries(entries: tuple[Entry, ...]) -> str:
    return ", ".join(dict.fromkeys(entry.title for entry in entries))
