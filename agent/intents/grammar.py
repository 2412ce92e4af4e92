"""The grammar of the intent rules: which readings do a sentence's tokens have, word for word.

Generic over entity and language. A state is (next token, reading so far); each element of a
pattern turns a set of states into the set of states after it. A word that no element explains
ends a state, so a sentence with such a word has no reading at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from ..core.entities import ID_FIELD, LOOKUP_FIELD
from ..core.spec import FieldSpec
from .language import Language, Rule
from .lexicon import Lexicon, Phrase, ValuePhrase
from .names import find_name
from .reading import Reading, is_certain
from .tokens import Token

State = tuple[int, Reading]

MAX_LIMIT: Final = 100
MAX_ID: Final = 2**31 - 1
_COMPARISONS: Final = (
    ("equal", "eq", 0),
    ("more", "gte", 1),
    ("at_least", "gte", 0),
    ("less", "lte", -1),
    ("at_most", "lte", 0),
)


class Grammar:
    """One sentence against one entity in one language."""

    def __init__(self, tokens: list[Token], lexicon: Lexicon, language: Language) -> None:
        self._tokens = tokens
        self._lexicon = lexicon
        self._language = language
        self._slots: dict[str, Callable[[State], Iterable[State]]] = {
            "MANY": self._parse_many,
            "ONE": self._parse_one,
            "NOUN": lambda state: self._follow(state, lexicon.singulars),
            "FIELD": lambda state: self._follow(state, [words for words, _ in lexicon.fields]),
            "CLAUSES": lambda state: self._repeat({state}, self._parse_clause),
        }
        self._starts = self._repeat({(0, Reading())}, self._parse_opener)

    def list_readings(self, rule: Rule) -> set[Reading]:
        """Every certain reading of the whole sentence by this rule."""
        states = self._starts
        for element in rule.pattern.split():
            states = self._apply(element, states)
            if not states:
                return set()
        states = self._repeat(states, self._parse_closer)
        return {
            reading
            for i, reading in states
            if i == len(self._tokens)
            and is_certain(reading, rule.intent, self._lexicon, takes_bare=rule.takes_bare)
        }

    def _apply(self, element: str, states: set[State]) -> set[State]:
        after = set(states) if element.endswith("?") else set[State]()
        for name in element.removesuffix("?").split("|"):
            parse = self._slots.get(name)
            for state in states:
                after.update(parse(state) if parse else self._say(state, name))
        return after

    def _repeat(self, states: set[State], parse: Callable[[State], Iterable[State]]) -> set[State]:
        """The states after none, one or more times `parse`."""
        seen, new = set(states), set(states)
        while new:
            new = {after for state in new for after in parse(state)} - seen
            seen |= new
        return seen

    # words

    def _match(self, i: int, words: Phrase) -> bool:
        if i + len(words) > len(self._tokens):
            return False
        return all(
            token.kind != "quoted" and token.folded == word
            for token, word in zip(self._tokens[i:], words, strict=False)
        )

    def _list_ends(self, i: int, name: str) -> Iterator[int]:
        """Where the phrases of a class end that begin at token `i`."""
        if i < len(self._tokens):
            for words in self._language.get_phrases(name).get(self._tokens[i].folded, ()):
                if self._match(i, words):
                    yield i + len(words)

    def _follows(self, i: int, name: str) -> bool:
        """Whether a phrase of the class ends right before token `i`."""
        return any(i in self._list_ends(start, name) for start in range(i))

    def _list_optional_ends(self, i: int, name: str) -> list[int]:
        return [i, *self._list_ends(i, name)]

    def _say(self, state: State, name: str) -> Iterator[State]:
        i, reading = state
        if name in self._language.owning:
            reading = replace(reading, is_owned=True)
        for end in self._list_ends(i, name):
            yield end, reading

    def _follow(self, state: State, phrases: Iterable[Phrase]) -> Iterator[State]:
        i, reading = state
        for words in phrases:
            if self._match(i, words):
                yield i + len(words), reading

    def _list_values(
        self, i: int, values: tuple[ValuePhrase, ...]
    ) -> Iterator[tuple[int, ValuePhrase]]:
        for value in values:
            if self._match(i, value.words):
                yield i + len(value.words), value

    def _list_fields(self, i: int) -> Iterator[tuple[int, FieldSpec]]:
        for words, field in self._lexicon.fields:
            if self._match(i, words):
                yield i + len(words), field

    def _get_number(self, i: int) -> int | None:
        token = self._tokens[i] if i < len(self._tokens) else None
        return token.value if token and not token.is_id else None

    def _is_mark(self, i: int, marks: str) -> bool:
        return i < len(self._tokens) and self._tokens[i].folded in marks

    # around the sentence

    def _parse_opener(self, state: State) -> Iterator[State]:
        for end, reading in self._say(state, "opener"):
            yield end, reading
            if self._is_mark(end, ",.!"):
                yield end + 1, reading

    def _parse_closer(self, state: State) -> Iterator[State]:
        i, reading = state
        starts = [i, i + 1] if self._is_mark(i, ",") else [i]
        for start in starts:
            yield from self._say((start, reading), "closer")

    # "all my saved <entities>"

    def _parse_many(self, state: State) -> Iterator[State]:
        starts = {state, *self._say(state, "mine")}
        for end, reading in self._say(state, "the"):
            starts.add((end, replace(reading, is_definite=True)))
        for end, reading in self._say(state, "whole"):
            starts.add((end, replace(reading, is_whole=True)))
        for described in self._repeat(starts, self._parse_modifier):
            yield from self._parse_noun(described)

    def _parse_noun(self, state: State) -> Iterator[State]:
        for start in (state, *self._follow(state, self._lexicon.singulars)):
            yield from self._follow(start, self._lexicon.plurals)
            for end, value in self._list_values(start[0], self._lexicon.values):
                if value.is_plural:
                    yield from _keep(end, start[1].add_value(value))
        reading = state[1]
        if reading.picks_one and not reading.limit:
            one = replace(reading, limit=1)
            yield from self._follow((state[0], one), self._lexicon.singulars)

    def _parse_modifier(self, state: State) -> Iterator[State]:
        i, reading = state
        for end, value in self._list_values(i, self._lexicon.values):
            yield from _keep(end, reading.add_value(value))
        yield from self._parse_limit(i, reading)
        for end in self._list_ends(i, "top"):
            yield from self._parse_limit(end, replace(reading, needs_order=True))
        yield from self._parse_superlative(i, reading)

    def _parse_limit(self, i: int, reading: Reading | None) -> Iterator[State]:
        limit = self._get_number(i)
        if reading and limit and 1 <= limit <= MAX_LIMIT:
            yield from _keep(i + 1, reading.set_limit(limit))

    def _parse_superlative(self, i: int, reading: Reading) -> Iterator[State]:
        date = self._lexicon.date_field
        if date:
            for name, descending in (("newest", True), ("oldest", False)):
                ordered = reading.set_order(date.name, descending, is_time=True)
                for end in self._list_ends(i, name):
                    yield from _keep(end, ordered)
            for end in self._list_ends(i, "last"):
                ordered = reading.set_order(date.name, True, is_time=True)
                yield from self._parse_limit(end, ordered)
                if reading.limit:
                    yield from _keep(end, ordered)
        for name, descending in (("highest", True), ("lowest", False)):
            for start in self._list_ends(i, name):
                for end, field in self._list_fields(start):
                    if field.kind == "int":
                        ordered = reading.set_order(field.name, descending)
                        yield from _keep(end, ordered and replace(ordered, picks_one=True))

    # "the <name> <entity>"

    def _parse_one(self, state: State) -> Iterator[State]:
        definite = {*self._say(state, "mine"), *self._say(state, "the")}
        for described in self._repeat(definite, self._parse_value):
            yield from self._parse_single_noun(described)
            name = find_name(self._tokens, described[0], self._lexicon, self._language)
            # "the Remote Inc …": a value with a capital before a name is rather a part of it.
            is_torn = described not in definite and self._tokens[described[0] - 1].text.istitle()
            if name and not is_torn and not self._language.adjectives_follow:
                named = described[1].add(LOOKUP_FIELD, "contains", name.text)
                for after in _keep(name.end, named):
                    yield from self._parse_single_noun(after)
        for start in {state, *definite}:
            for after in self._parse_single_noun(start):
                yield from self._parse_id(after)
                yield from self._parse_name_after(after)

    def _parse_single_noun(self, state: State) -> set[State]:
        first = set(self._follow(state, self._lexicon.singulars))
        ends = first | {b for a in first for b in self._follow(a, self._lexicon.singulars)}
        for end, value in self._list_values(state[0], self._lexicon.noun_values):
            ends.update(_keep(end, state[1].add_value(value)))
        return ends

    def _parse_value(self, state: State) -> Iterator[State]:
        for end, value in self._list_values(state[0], self._lexicon.values):
            yield from _keep(end, state[1].add_value(value))

    def _parse_name_after(self, state: State) -> Iterator[State]:
        i, reading = state
        for start in self._list_ends(i, "of_name"):
            name = find_name(self._tokens, start, self._lexicon, self._language)
            if name and name.is_marked:
                yield from _keep(name.end, reading.add(LOOKUP_FIELD, "contains", name.text))
        for start in self._list_optional_ends(i, "named"):
            name = find_name(self._tokens, start, self._lexicon, self._language)
            if name and (start > i or name.is_marked):
                yield from _keep(name.end, reading.add(LOOKUP_FIELD, "contains", name.text))

    def _parse_id(self, state: State) -> Iterator[State]:
        i, reading = state
        for start in self._list_optional_ends(i, "number"):
            token = self._tokens[start] if start < len(self._tokens) else None
            if token and token.kind == "number" and token.value and token.value <= MAX_ID:
                yield from _keep(start + 1, reading.add(ID_FIELD, "id", token.value))

    # what follows a noun

    def _parse_clause(self, state: State) -> Iterator[State]:
        yield from self._say(state, "own_clause")
        yield from self._say(state, "filler")
        yield from self._parse_value_clause(state)
        yield from self._parse_comparison(state)
        yield from self._parse_order(state)
        if self._is_mark(state[0], ","):
            yield from self._parse_order((state[0] + 1, state[1]))

    def _parse_value_clause(self, state: State) -> Iterator[State]:
        values, base_values = self._lexicon.values, self._lexicon.base_values
        done = tuple(value for value in values if not value.is_undergone)
        plain = done if self._follows(state[0], "own_clause") else values
        states = tuple(value for value in plain if value.is_state)
        after_own = list(self._say(state, "own_link"))
        bare = plain if self._language.adjectives_follow else states
        choices: list[tuple[State, tuple[ValuePhrase, ...]]] = [(state, bare)]
        choices += [(after, values) for after in self._say(state, "link")]
        choices += [(after, values) for after in self._say(state, "passive_link")]
        choices += [(after, done) for after in after_own]
        choices += [(after, base_values) for after in self._say(state, "did_link")]
        for (start, reading), allowed in choices:
            for end, value in self._list_values(start, allowed):
                for tail in self._list_tails(end):
                    yield from _keep(tail, reading.add_value(value))
        for start, reading in after_own:
            if reading.has_state:
                yield from self._say((start, reading), "received")
            if not any(self._list_values(start, values)):
                yield from self._say((start, reading), "stored")

    def _list_tails(self, i: int) -> list[int]:
        """Ends after a value: "applied", "applied to", "in the applied stage"."""
        stranded = self._list_ends(i, "stranded")
        return [i, *stranded, *self._list_ends(i, "state_noun")]

    def _parse_comparison(self, state: State) -> Iterator[State]:
        i, reading = state
        for start in self._list_optional_ends(i, "with"):
            for end, field in self._list_fields(start):
                if field.values:
                    yield from self._parse_field_value(end, field, reading)
                elif field.kind == "text":
                    yield from self._parse_field_text(end, field, reading)
                elif field.kind == "int":
                    yield from self._parse_field_number(end, field, reading)

    def _parse_field_value(self, i: int, field: FieldSpec, reading: Reading) -> Iterator[State]:
        for start in self._list_optional_ends(i, "is"):
            for end, value in self._list_values(start, self._lexicon.values):
                if value.field == field.name:
                    yield from _keep(end, reading.add_value(value))

    def _parse_field_text(self, i: int, field: FieldSpec, reading: Reading) -> Iterator[State]:
        for start in self._list_optional_ends(i, "is"):
            name = find_name(self._tokens, start, self._lexicon, self._language)
            if name and (start > i or name.is_marked or not name.has_small_plural):
                yield from _keep(name.end, reading.add(field.name, "contains", name.text))

    def _parse_field_number(self, i: int, field: FieldSpec, reading: Reading) -> Iterator[State]:
        for name, op, shift in _COMPARISONS:
            for end in self._list_ends(i, name):
                number = self._get_number(end)
                if number is not None and number >= field.smallest:
                    after = reading.add(field.name, op, number + shift)
                    for last in self._list_optional_ends(end + 1, "unit"):
                        yield from _keep(last, after)

    def _parse_order(self, state: State) -> Iterator[State]:
        i, reading = state
        date = self._lexicon.date_field
        for name, descending in (("newest_first", True), ("oldest_first", False)):
            if date:
                for end in self._list_ends(i, name):
                    yield from _keep(end, reading.set_order(date.name, descending, is_time=True))
        for start in self._list_ends(i, "order_by"):
            for end, field in self._list_fields(start):
                default = field.kind in ("int", "date")
                yield from _keep(end, reading.set_order(field.name, default))
                for name, descending in (("rising", False), ("falling", True)):
                    for last in self._list_ends(end, name):
                        yield from _keep(last, reading.set_order(field.name, descending))


def _keep(end: int, reading: Reading | None) -> list[State]:
    """The state after a step that may have been impossible."""
    return [(end, reading)] if reading is not None else []
