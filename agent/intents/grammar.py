"""The grammar of the intent rules: which readings do a sentence's tokens have, word for word.

Generic over entity and language. A state is (next token, reading so far); each element of a
pattern turns a set of states into the set of states after it. A word that no element explains
ends a state, so a sentence with such a word has no reading at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from ..core.spec import FieldSpec
from .language import Language, Rule
from .lexicon import Lexicon, Phrase, ValuePhrase
from .names import Name, find_name
from .queries import ID_FIELD, LOOKUP_FIELD
from .reading import Reading, is_certain, settle
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
_BREAKS: Final = (",", ".", "!", "?", ":", "-", "–", "…")


class Grammar:
    """One sentence against one entity in one language."""

    def __init__(self, tokens: list[Token], lexicon: Lexicon, language: Language) -> None:
        self._tokens = tokens
        # What is quoted is no word of the grammar.
        words = ["" if item.kind == "quoted" else item.folded for item in tokens]
        self._words = tuple(words)
        self._lexicon = lexicon
        self._language = language
        self._slots: dict[str, Callable[[State], Iterable[State]]] = {
            "MANY": self._parse_many,
            "ONE": self._parse_one,
            "NOUN": self._parse_single_noun,
            "FIELD": self._parse_asked_field,
            "NAME": self._parse_bare_name,
            "PERSON": self._parse_person,
            "OWNER": self._parse_owner,
            "DEED": self._parse_deed,
            "UNDERGO": self._parse_undergone,
            "A_VALUE": lambda state: {(end, state[1]) for end, _ in self._parse_value(state)},
            "STORED": lambda state: self._say(
                (state[0], replace(state[1], is_stored=True)), "store"
            ),
            "CLAUSES": lambda state: self._repeat({state}, self._parse_clause),
        }
        self._starts = self._repeat({(0, Reading())}, self._parse_opener)
        # The phrase classes that may begin the sentence, or occur in it: few rules fit them.
        places = {i for i, _ in self._starts if i < len(self._words)}
        self.begun = {name for i in places for name in language.classes.get(self._words[i], ())}
        self.said = {name for word in words for name in language.classes.get(word, ())}
        self._rule: Rule | None = None

    def list_readings(self, rule: Rule) -> set[Reading]:
        """Every certain reading of the whole sentence by this rule."""
        states = self._starts
        self._rule = rule
        for element in rule.pattern.split():
            states = self._apply(element, states)
            if not states:
                return set()
        states = self._repeat(states, self._parse_closer)
        ended = {reading for i, reading in states if i == len(self._tokens)}
        settled = {settle(reading, rule, self._lexicon) for reading in ended}
        return {item for item in settled if item and is_certain(item, rule, self._lexicon)}

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

    def _list_ends(self, i: int, name: str) -> list[int]:
        """Where the phrases of a class end that begin at token `i`."""
        phrases = self._language.split_phrases.get(name)  # a language may lack one
        if not phrases or i >= len(self._words) or self._words[i] not in phrases:
            return []
        ends = [(i + len(words), words) for words in phrases[self._words[i]]]
        return [end for end, words in ends if self._words[i:end] == words]

    def _follows(self, i: int, name: str) -> bool:
        """Whether a phrase of the class ends right before token `i`."""
        return any(i in self._list_ends(start, name) for start in range(i))

    def _is_active(self, i: int) -> bool:
        """Whether "I have" opens what a participle at token `i` ends: "habe ich bei X abgelehnt".

        Where adjectives follow their noun, only right before it.
        """
        if self._language.adjectives_follow:
            return self._follows(i, "own_clause")
        return self._was_said(i, "own_clause")

    def _was_said(self, i: int, name: str) -> bool:
        return any(end <= i for start in range(i) for end in self._list_ends(start, name))

    def _list_optional_ends(self, i: int, name: str) -> list[int]:
        return [i, *self._list_ends(i, name)]

    def _say(self, state: State, name: str, **changes: Any) -> list[State]:
        """The states after a phrase of the class, the reading changed."""
        i, reading = state
        ends = self._list_ends(i, name)
        if not ends:
            return []
        if name in self._language.owning:
            changes["is_owned"] = True
        after = replace(reading, **changes) if changes else reading
        return [(end, after) for end in ends]

    def _follow(self, state: State, phrases: Iterable[Phrase]) -> Iterator[State]:
        i, reading = state
        for words in phrases:
            if self._words[i : i + len(words)] == words:
                yield i + len(words), reading

    def _list_values(
        self, i: int, values: tuple[ValuePhrase, ...]
    ) -> Iterator[tuple[int, ValuePhrase]]:
        for value in values:
            if self._words[i : i + len(value.words)] == value.words:
                yield i + len(value.words), value

    def _list_fields(self, i: int) -> Iterator[tuple[int, FieldSpec]]:
        for words, field in self._lexicon.fields:
            if self._words[i : i + len(words)] == words:
                yield i + len(words), field

    def _get_number(self, i: int) -> int | None:
        token = self._tokens[i] if i < len(self._tokens) else None
        return token.value if token and not token.is_id else None

    def _is_mark(self, i: int, marks: tuple[str, ...]) -> bool:
        return i < len(self._tokens) and self._tokens[i].folded in marks

    # around the sentence

    def _parse_opener(self, state: State) -> Iterator[State]:
        for name in ("opener", "around"):
            for end, reading in self._say(state, name):
                yield end, reading
                if self._is_mark(end, _BREAKS):
                    yield end + 1, reading

    def _parse_closer(self, state: State) -> Iterator[State]:
        i, reading = state
        starts = [i, i + 1] if self._is_mark(i, _BREAKS) else [i]
        for start in starts:
            for name in ("closer", "around"):
                yield from self._say((start, reading), name)

    # "all my saved <entities>"

    def _parse_many(self, state: State) -> Iterator[State]:
        starts = {state, *self._say(state, "mine")}
        for end, reading in self._say(state, "the"):
            starts.add((end, replace(reading, is_definite=not self._language.has_plain_articles)))
        for end, reading in self._say(state, "whole"):
            starts.add((end, replace(reading, is_whole=True)))
        for described in self._repeat(starts, self._parse_modifier):
            yield from self._parse_noun(described)

    def _parse_noun(self, state: State) -> Iterator[State]:
        for start in (state, *self._follow(state, self._lexicon.singulars)):
            for words in self._lexicon.plurals:
                if self._words[start[0] : start[0] + len(words)] == words:
                    yield start[0] + len(words), self._mark_noun(start[1], words)
            for end, value in self._list_values(start[0], self._lexicon.values):
                if value.is_plural:
                    after = start[1].add_value(value, self._lexicon)
                    if after is not None and value.is_others:
                        was = start[1].has_property
                        after = replace(after, has_state=True, has_property=was)
                    is_own = value.words in self._lexicon.own_nouns
                    after = after and replace(after, has_noun_value=True, is_own_noun=is_own)
                    yield from _keep(end, after)
        reading = state[1]
        if reading.conditions:
            yield from self._say(state, "ones", is_vague=True)
        if reading.limit and not reading.conditions:  # "which 3 pay best"
            yield state[0], replace(reading, is_vague=True)
        if reading.is_whole:  # "every <entity>"
            yield from self._follow(state, self._lexicon.singulars)
        if reading.picks_one and not reading.limit:
            one = replace(reading, limit=1)
            yield from self._follow((state[0], one), self._lexicon.singulars)

    def _mark_noun(self, reading: Reading, words: Phrase) -> Reading:
        lexicon = self._lexicon
        return replace(
            reading,
            is_own_noun=words in lexicon.own_nouns,
            is_ambiguous=words in lexicon.ambiguous_nouns,
            is_vague=words in lexicon.vague_nouns,
            is_main_noun=words in lexicon.main_nouns,
        )

    def _parse_modifier(self, state: State) -> Iterator[State]:
        i, reading = state
        for end, value in self._list_values(i, self._lexicon.values):
            yield from _keep(end, reading.add_value(value, self._lexicon))
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
            recent = reading.set_order(date.name, True, is_time=True)
            recent = recent and replace(recent, is_recent=True)
            for end in self._list_ends(i, "recent"):
                yield from _keep(end, recent)
            for end in self._list_ends(i, "last"):
                yield from self._parse_limit(end, recent)
                if reading.limit:
                    yield from _keep(end, recent)
        yield from self._parse_extreme(i, reading)

    def _parse_extreme(self, i: int, reading: Reading) -> Iterator[State]:
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
            ends.update(_keep(end, state[1].add_value(value, self._lexicon)))
        return ends

    def _parse_value(self, state: State) -> Iterator[State]:
        for end, value in self._list_values(state[0], self._lexicon.values):
            yield from _keep(end, state[1].add_value(value, self._lexicon))

    def _parse_name_after(self, state: State) -> Iterator[State]:
        i, reading = state
        for start in self._list_ends(i, "of_name"):
            name = find_name(self._tokens, start, self._lexicon, self._language)
            if name and name.has_capitals:
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

    # names without a noun

    def _parse_bare_name(self, state: State) -> Iterator[State]:
        """A row by its name alone: only where rows go through an order, as people speak of them."""
        has_order = any(field.order for field in self._lexicon.entity.fields)
        return self._parse_name(state) if has_order else iter(())

    def _find_name(
        self, i: int, *, is_person: bool = False, takes_small: bool = False
    ) -> Name | None:
        """A name, written small where no other word makes sense: what is none is not found."""
        rule = self._rule
        is_lookup = rule is not None and rule.intent == "lookup" and not rule.is_phrase
        name = find_name(
            self._tokens,
            i,
            self._lexicon,
            self._language,
            is_person=is_person,
            takes_small=takes_small or is_lookup or (rule is not None and rule.needs_already),
        )
        is_kind = name and name.text.islower() and name.has_small_plural
        return None if is_kind and not is_lookup else name

    def _parse_name(self, state: State) -> Iterator[State]:
        name = self._find_name(state[0])
        if name and name.has_capitals:
            # A search may guess which field holds the name, a count may not.
            is_lookup = self._rule is None or self._rule.intent != "count"
            field = LOOKUP_FIELD if is_lookup else self._lexicon.party_field
            yield from _keep(name.end, state[1].add(field, "contains", name.text))

    def _parse_person(self, state: State, *, is_first_enough: bool = False) -> Iterator[State]:
        if state[1].asked == (self._lexicon.party_field, None):
            return  # nobody asks for the name of somebody by name
        name = self._find_name(state[0], is_person=True)
        is_whole = is_first_enough or (name is not None and " " in name.text)
        if name and name.has_capitals and is_whole and self._lexicon.entity.is_person:
            yield from _keep(name.end, state[1].add(LOOKUP_FIELD, "contains", name.text))

    def _parse_owner(self, state: State) -> Iterator[State]:
        for end, reading in self._parse_person(state, is_first_enough=True):
            name = str(reading.conditions[-1].value)
            for ending in self._language.possessives:
                if name.endswith(ending):
                    yield from _keep(
                        end, state[1].add(LOOKUP_FIELD, "contains", name.removesuffix(ending))
                    )

    def _parse_deed(self, state: State) -> Iterator[State]:
        lexicon = self._lexicon
        for end, value in self._list_values(state[0], (*lexicon.base_values, *lexicon.values)):
            if value.is_state:
                yield from _keep(end, state[1].add_value(value, lexicon))

    def _parse_stored(self, state: State) -> list[State]:
        return self._say(state, "store", is_stored=True)

    def _parse_undergone(self, state: State) -> Iterator[State]:
        done = [value for value in self._lexicon.values if value.is_undergone]
        for end, value in self._list_values(state[0], (*self._lexicon.undergone_bases, *done)):
            yield from _keep(end, state[1].add_value(value, self._lexicon))

    def _parse_asked_field(self, state: State) -> Iterator[State]:
        for end, field in self._list_fields(state[0]):
            yield end, replace(state[1], asked=(field.name, None))

    # what follows a noun

    def _parse_clause(self, state: State) -> Iterator[State]:
        yield from self._say(state, "own_clause")
        yield from self._say(state, "listed", is_listed=True)
        yield from self._say(state, "filler")
        yield from self._say(state, "passive_clause")
        yield from self._parse_value_clause(state)
        yield from self._parse_period(state)
        yield from self._parse_comparison(state)
        yield from self._parse_order(state)
        if self._is_mark(state[0], (",",)):
            yield from self._parse_order((state[0] + 1, state[1]))

    def _parse_value_clause(self, state: State) -> Iterator[State]:
        values, base_values = self._lexicon.values, self._lexicon.base_values
        done = tuple([value for value in values if not value.is_undergone])
        plain = done if self._is_active(state[0]) else values
        if self._was_said(state[0], "passive_clause"):
            plain = tuple([value for value in values if value.is_undergone])
        states = tuple([value for value in plain if value.is_state])
        after_own = list(self._say(state, "own_link"))
        bare = plain if self._language.adjectives_follow else states
        choices: list[tuple[State, tuple[ValuePhrase, ...]]] = [(state, bare)]
        choices += [(after, values) for after in self._say(state, "link")]
        choices += [(after, values) for after in self._say(state, "passive_link")]
        choices += [(after, done) for after in after_own]
        choices += [(after, base_values) for after in self._say(state, "did_link")]
        for (start, reading), allowed in choices:
            for end, value in self._list_values(start, allowed):
                for after in _keep(end, reading.add_value(value, self._lexicon)):
                    yield from self._parse_tail(after) if value.is_state else (after,)
                    if value.is_undergone:
                        yield from self._say(after, "own_object")
        for start, reading in self._say(state, "passive_start"):
            for end, value in self._list_values(start, values):
                if value.is_undergone:
                    for after in _keep(end, reading.add_value(value, self._lexicon)):
                        yield from self._say(after, "passive_end")
        for start, reading in [state, *self._say(state, "link")]:
            for end, value in self._list_values(start, self._lexicon.exact_values):
                for last in self._list_ends(end, "state_noun"):
                    yield from _keep(last, reading.add_value(value, self._lexicon))
        for start, reading in [*after_own, *self._say(state, "did_link")]:
            if reading.has_state or reading.has_noun_value:
                received = reading.reach(self._lexicon)
                yield from self._say((start, received), "received")
            if not any(self._list_values(start, values)):
                yield from self._say((start, reading), "stored", is_stored=True)
        if state[1].has_state or state[1].has_noun_value:
            yield from self._say((state[0], state[1].reach(self._lexicon)), "got_clause")
            if state[1].is_owned:
                yield from self._say((state[0], state[1].reach(self._lexicon)), "received")
        for after in (state, *self._say(state, "link")):
            is_told = after is not state or self._is_active(state[0])
            if is_told and not any(self._list_values(after[0], values)):
                yield from self._say(after, "stored", is_stored=True)
        yield from self._say(state, "stored_clause", is_stored=True)

    def _parse_tail(self, state: State) -> Iterator[State]:
        """After a value: "applied", "applied to", "applied to Acme", "rejected me"."""
        yield state
        yield from self._say(state, "stranded")
        targets = [*self._list_ends(state[0], "target")]
        if self._follows(state[0], "target"):  # it ends the value: "applied to"
            targets.append(state[0])
        for i in targets:
            if not self._follows_field(i):  # "at Acme" is read as the company, too
                yield from self._parse_bare_name((i, state[1]))

    def _follows_field(self, i: int) -> bool:
        return any(end == i for start in range(i) for end, _ in self._list_fields(start))

    def _parse_period(self, state: State) -> Iterator[State]:
        i, reading = state
        if reading.period is not None:
            return
        starts = [(start, "in") for start in self._list_optional_ends(i, "during")]
        starts += [(start, "since") for start in self._list_ends(i, "since")]
        for start, op in starts:
            for name in self._language.periods:
                for end in self._list_ends(start, f"period {name}"):
                    yield end, replace(reading, period=(op, name))
                    year = self._get_number(end)
                    if year and 1990 <= year <= 2100 and name.isalpha():
                        yield end + 1, replace(reading, period=(op, f"{name}_{year}"))
            year = self._get_number(start)
            if start > i and year and 1990 <= year <= 2100:
                yield start + 1, replace(reading, period=(op, str(year)))
        for start in self._list_ends(i, "past"):
            # "last week" is the one before this; "in the last week" means seven days.
            if start - i > 1 or self._get_number(start) is not None:
                yield from self._parse_past_days(start, reading)

    def _parse_past_days(self, i: int, reading: Reading) -> Iterator[State]:
        number = self._get_number(i)
        i += number is not None
        i = max(self._list_optional_ends(i, "past_ones"))
        days = self._language.period_days.get(self._tokens[i].folded) if self._has(i) else None
        if days and 0 < (count := days * (number or 1)) <= 9999:
            yield i + 1, replace(reading, period=("in", f"last_{count}_days"))

    def _has(self, i: int) -> bool:
        return i < len(self._tokens)

    def _parse_comparison(self, state: State) -> Iterator[State]:
        i, reading = state
        for start in self._list_optional_ends(i, "with"):
            for end, field in self._list_fields(start):
                if field.values:
                    yield from self._parse_field_value(end, field, reading)
                elif field.kind == "text":
                    # "in Berlin", but "in vain": that word alone begins a time as well.
                    is_weak = end in self._list_ends(i, "during")
                    yield from self._parse_field_text(end, field, reading, needs_mark=is_weak)
                elif field.kind == "int":
                    yield from self._parse_field_number(end, field, reading)
            yield from self._parse_number_field(start, reading)

    def _parse_field_value(self, i: int, field: FieldSpec, reading: Reading) -> Iterator[State]:
        for start in self._list_optional_ends(i, "is"):
            for end, value in self._list_values(start, self._lexicon.exact_values):
                if value.field == field.name:
                    yield from _keep(end, reading.add_value(value, self._lexicon))

    def _parse_field_text(
        self, i: int, field: FieldSpec, reading: Reading, *, needs_mark: bool
    ) -> Iterator[State]:
        for start in self._list_optional_ends(i, "is"):
            # Owned rows have a place: "my jobs in leeds". What others have is searched for.
            is_known = field.is_lookup or reading.is_owned or reading.has_state
            small = is_known and (needs_mark or not self._language.has_small_names)
            name = self._find_name(start, takes_small=small)
            if needs_mark:
                fits = name and name.has_capitals
            else:
                fits = name and (start > i or name.is_marked or not name.has_small_plural)
            if name and fits:
                yield from _keep(name.end, reading.add(field.name, "contains", name.text))

    def _parse_field_number(self, i: int, field: FieldSpec, reading: Reading) -> Iterator[State]:
        for end, op, number, shift in self._list_bounds(i):
            if number >= field.smallest:
                yield from _keep(end, reading.add(field.name, op, number + shift))

    def _parse_number_field(self, i: int, reading: Reading) -> Iterator[State]:
        """The number before its field: "over 80,000 euros salary"."""
        for end, op, number, shift in self._list_bounds(i):
            for after, field in self._list_fields(end):
                if field.kind == "int" and number >= field.smallest:
                    yield from _keep(after, reading.add(field.name, op, number + shift))

    def _list_bounds(self, i: int) -> Iterator[tuple[int, str, int, int]]:
        """Where "over 5 euros" or "5 or more" ends, its operator, number and what to add to it."""
        for name, op, shift in _COMPARISONS:
            for start in self._list_ends(i, name):
                if (number := self._get_number(start)) is not None:
                    for end in self._list_optional_ends(start + 1, "unit"):
                        yield end, op, number, shift
        if (number := self._get_number(i)) is not None:
            for start in self._list_optional_ends(i + 1, "unit"):
                for name, op in (("or_more", "gte"), ("or_less", "lte")):
                    for end in self._list_ends(start, name):
                        yield end, op, number, 0

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
                after = end + self._is_mark(end, (",",))
                for name, descending in (("rising", False), ("falling", True)):
                    for last in self._list_ends(after, name):
                        yield from _keep(last, reading.set_order(field.name, descending))
        yield from self._parse_extreme(i, reading)
        for start, field in self._list_fields(i):
            if field.kind == "int":  # "that pay best"
                for name, descending in (("highest", True), ("lowest", False)):
                    for end in self._list_ends(start, name):
                        ordered = reading.set_order(field.name, descending)
                        yield from _keep(end, ordered and replace(ordered, picks_one=True))


def _keep(end: int, reading: Reading | None) -> list[State]:
    """The state after a step that may have been impossible."""
    return [(end, reading)] if reading is not None else []
