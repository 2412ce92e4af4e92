"""What a sentence says in numbers: how many rows, since when, over how much, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from plainloop.agent.core.spec import FieldSpec

from .reading import Reading
from .sentence import Sentence, State, keep

MAX_LIMIT: Final = 100
_COMPARISONS: Final = (
    ("equal", "eq", 0),
    ("more", "gte", 1),
    ("at_least", "gte", 0),
    ("less", "lte", -1),
    ("at_most", "lte", 0),
)


def parse_limit(sentence: Sentence, i: int, reading: Reading | None) -> Iterator[State]:
    limit = sentence.get_number(i)
    if reading and limit and 1 <= limit <= MAX_LIMIT and not reading.limit:
        yield i + 1, replace(reading, limit=limit)


def parse_superlative(sentence: Sentence, i: int, reading: Reading) -> Iterator[State]:
    if date := sentence.lexicon.date_field:
        for name, descending in (("newest", True), ("oldest", False)):
            ordered = reading.set_order(date.name, descending, is_time=True)
            for end in sentence.list_ends(i, name):
                yield from keep(end, ordered)
        recent = reading.set_order(date.name, True, is_time=True)
        recent = recent and replace(recent, is_recent=True)
        for end in sentence.list_ends(i, "recent"):
            yield from keep(end, recent)
        for end in sentence.list_ends(i, "last"):
            yield from parse_limit(sentence, end, recent)
            if reading.limit:
                yield from keep(end, recent)


def parse_period(sentence: Sentence, state: State) -> Iterator[State]:
    i, reading = state
    if reading.period is not None:
        return
    starts = [(start, "in") for start in sentence.list_optional_ends(i, "during")]
    starts += [(start, "since") for start in sentence.list_ends(i, "since")]
    for start, op in starts:
        for name in sentence.language.periods:
            for end in sentence.list_ends(start, f"period {name}"):
                yield end, replace(reading, period=(op, name))
                year = sentence.get_number(end)
                if year and 1990 <= year <= 2100 and name.isalpha():
                    yield end + 1, replace(reading, period=(op, f"{name}_{year}"))
        year = sentence.get_number(start)
        if start > i and year and 1990 <= year <= 2100:
            yield start + 1, replace(reading, period=(op, str(year)))
    for start in sentence.list_ends(i, "past"):
        # "last week" is the one before this; "in the last week" means seven days.
        if start - i > 1 or sentence.get_number(start) is not None:
            number = sentence.get_number(start)
            end = max(sentence.list_optional_ends(start + (number is not None), "past_ones"))
            unit = sentence.tokens[end].folded if sentence.has(end) else ""
            days = sentence.language.period_days.get(unit)
            if days and 0 < (count := days * (number or 1)) <= 9999:
                yield end + 1, replace(reading, period=("in", f"last_{count}_days"))


def parse_comparison(sentence: Sentence, state: State) -> Iterator[State]:
    i, reading = state
    for start in sentence.list_optional_ends(i, "with"):
        for end, field in sentence.list_fields(start):
            if field.values:
                for begun in sentence.list_optional_ends(end, "is"):
                    for last, value in sentence.list_values(begun, sentence.lexicon.exact_values):
                        if value.field == field.name:
                            yield from keep(last, reading.add_value(value))
            elif field.kind == "text":
                # "in Berlin", but "in vain": that word alone begins a time as well.
                is_weak = end in sentence.list_ends(i, "during")
                yield from _parse_field_text(sentence, end, field, reading, needs_mark=is_weak)
            elif field.kind == "int":
                for last, op, number, shift in list_bounds(sentence, end):
                    if number >= field.smallest:
                        yield from keep(last, reading.add(field.name, op, number + shift))
        # The number before its field: "over 80,000 euros salary".
        for end, op, number, shift in list_bounds(sentence, start):
            for last, field in sentence.list_fields(end):
                if field.kind == "int" and number >= field.smallest:
                    yield from keep(last, reading.add(field.name, op, number + shift))


def _parse_field_text(
    sentence: Sentence, i: int, field: FieldSpec, reading: Reading, *, needs_mark: bool
) -> Iterator[State]:
    for start in sentence.list_optional_ends(i, "is"):
        # Owned rows have a place: "my jobs in leeds". What others have is searched for.
        is_known = field.is_lookup or reading.is_owned or reading.has_state
        small = is_known and (needs_mark or not sentence.language.has_small_names)
        name = sentence.find_name(start, takes_small=small)
        if needs_mark:
            fits = name and name.has_capitals
        else:
            fits = name and (start > i or name.is_marked or not name.has_small_plural)
        if name and fits:
            yield from keep(name.end, reading.add(field.name, "contains", name.text))


def list_bounds(sentence: Sentence, i: int) -> Iterator[tuple[int, str, int, int]]:
    """Yield the comparisons with a number that begin at token `i`, such as "5 or more".

    Items are (end, operator, number, shift to add).
    """
    for name, op, shift in _COMPARISONS:
        for start in sentence.list_ends(i, name):
            if (number := sentence.get_number(start)) is not None:
                for end in sentence.list_optional_ends(start + 1, "unit"):
                    yield end, op, number, shift
    for begun in (i, *sentence.list_ends(i, "equal")):  # "de 30000 o más"
        if (number := sentence.get_number(begun)) is not None:
            for start in sentence.list_optional_ends(begun + 1, "unit"):
                for name, op in (("or_more", "gte"), ("or_less", "lte")):
                    for end in sentence.list_ends(start, name):
                        yield end, op, number, 0


def parse_order(sentence: Sentence, state: State) -> Iterator[State]:
    i, reading = state
    date = sentence.lexicon.date_field
    for name, descending in (("newest_first", True), ("oldest_first", False)):
        if date:
            for end in sentence.list_ends(i, name):
                yield from keep(end, reading.set_order(date.name, descending, is_time=True))
    for start in sentence.list_ends(i, "order_by"):
        for end, field in sentence.list_fields(start):
            default = field.kind in ("int", "date")
            yield from keep(end, reading.set_order(field.name, default))
