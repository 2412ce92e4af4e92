"""The grammar of the intent rules: which readings do a sentence's tokens have, word for word.

Generic over entity and language. Each element of a pattern turns a set of states into
the set of states after it. A word that no element explains ends a state, so a sentence with such a
word has no reading at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from .language import Language, Rule
from .lexicon import Lexicon, ValuePhrase
from .measures import (
    parse_comparison,
    parse_limit,
    parse_order,
    parse_period,
    parse_superlative,
)
from .names import find_name
from .queries import ID_FIELD, LOOKUP_FIELD
from .reading import Reading, is_certain, settle
from .sentence import Sentence, State, keep
from .tokens import Token

MAX_ID: Final = 2**31 - 1
_BREAKS: Final = (",", ".", "!", "?", ":", "-", "–", "…")


class Grammar:
    """One sentence against one entity in one language."""

    def __init__(self, tokens: list[Token], lexicon: Lexicon, language: Language) -> None:
        self._sentence = Sentence(tokens, lexicon, language)
        words = self._sentence.words
        done = [value for value in lexicon.values if value.is_undergone]
        undergone = (*lexicon.undergone_bases, *done)
        every = (*lexicon.base_values, *lexicon.values)
        deeds = tuple([value for value in every if value.is_state])
        self._slots: dict[str, Callable[[State], Iterable[State]]] = {
            "MANY": self._parse_many,
            "ONE": self._parse_one,
            "NOUN": self._parse_single_noun,
            "FIELD": lambda state: [
                (end, replace(state[1], asked=(field.name, None)))
                for end, field in self._sentence.list_fields(state[0])
            ],
            "NAME": self._parse_bare_name,
            "PERSON": self._parse_person,
            "OWNER": self._parse_owner,
            "DEED": lambda state: self._parse_value(state, deeds),
            "UNDERGO": lambda state: self._parse_value(state, undergone),
            "A_VALUE": lambda state: {(end, state[1]) for end, _ in self._parse_value(state)},
            "STORED": lambda state: self._sentence.say(
                (state[0], replace(state[1], is_stored=True)), "store"
            ),
            "CLAUSES": lambda state: self._repeat({state}, self._parse_clause),
        }
        self._starts = self._repeat({(0, Reading())}, self._parse_opener)
        # The phrase classes that may begin the sentence, or occur in it: few rules fit them.
        places = {i for i, _ in self._starts if i < len(words)}
        self.begun = {name for i in places for name in language.classes.get(words[i], ())}
        self.said = {name for word in words for name in language.classes.get(word, ())}

    def list_readings(self, rule: Rule) -> set[Reading]:
        """Every certain reading of the whole sentence by this rule."""
        states = self._starts
        self._sentence.rule = rule
        for element in rule.pattern.split():
            after = set(states) if element.endswith("?") else set[State]()
            for name in element.removesuffix("?").split("|"):
                parse = self._slots.get(name)
                for state in states:
                    after.update(parse(state) if parse else self._sentence.say(state, name))
            states = after
            if not states:
                return set()
        states = self._repeat(states, self._parse_closer)
        ended = {reading for i, reading in states if i == len(self._sentence.tokens)}
        settled = {settle(reading, rule, self._sentence.lexicon) for reading in ended}
        return {item for item in settled if item and is_certain(item, rule, self._sentence.lexicon)}

    def _repeat(self, states: set[State], parse: Callable[[State], Iterable[State]]) -> set[State]:
        """The states after none, one or more times `parse`."""
        seen, new = set(states), set(states)
        while new:
            new = {after for state in new for after in parse(state)} - seen
            seen |= new
        return seen

    def _parse_opener(self, state: State) -> Iterator[State]:
        for name in ("opener", "around"):
            for end, reading in self._sentence.say(state, name):
                yield end, reading
                if self._sentence.is_mark(end, _BREAKS):
                    yield end + 1, reading

    def _parse_closer(self, state: State) -> Iterator[State]:
        i, reading = state
        starts = [i, i + 1] if self._sentence.is_mark(i, _BREAKS) else [i]
        for start in starts:
            for name in ("closer", "around"):
                yield from self._sentence.say((start, reading), name)

    def _parse_many(self, state: State) -> Iterator[State]:
        starts = {state, *self._sentence.say(state, "mine")}
        for end, reading in self._sentence.say(state, "the"):
            starts.add(
                (end, replace(reading, is_definite=not self._sentence.language.has_plain_articles))
            )
        for end, reading in self._sentence.say(state, "whole"):
            starts.add((end, replace(reading, is_whole=True)))
        for described in self._repeat(starts, self._parse_modifier):
            yield from self._parse_noun(described)

    def _parse_noun(self, state: State) -> Iterator[State]:
        for start in (state, *self._sentence.follow(state, self._sentence.lexicon.singulars)):
            for words in self._sentence.lexicon.plurals:
                if self._sentence.words[start[0] : start[0] + len(words)] == words:
                    marked = replace(
                        start[1],
                        is_own_noun=words in self._sentence.lexicon.own_nouns,
                        is_ambiguous=words in self._sentence.lexicon.ambiguous_nouns,
                        is_vague=words in self._sentence.lexicon.vague_nouns,
                        is_main_noun=words in self._sentence.lexicon.main_nouns,
                    )
                    yield start[0] + len(words), marked
            for end, value in self._sentence.list_values(start[0], self._sentence.lexicon.values):
                if value.is_plural:
                    after = start[1].add_value(value, self._sentence.lexicon)
                    if after is not None and value.is_others:
                        was = start[1].has_property
                        after = replace(after, has_state=True, has_property=was)
                    is_own = value.words in self._sentence.lexicon.own_nouns
                    after = after and replace(after, has_noun_value=True, is_own_noun=is_own)
                    yield from keep(end, after)
        reading = state[1]
        if reading.conditions:
            yield from self._sentence.say(state, "ones", is_vague=True)
        if reading.limit and not reading.conditions:  # "which 3 pay best"
            yield state[0], replace(reading, is_vague=True)
        if reading.is_whole:  # "every <entity>"
            yield from self._sentence.follow(state, self._sentence.lexicon.singulars)
        if reading.picks_one and not reading.limit:
            one = replace(reading, limit=1)
            yield from self._sentence.follow((state[0], one), self._sentence.lexicon.singulars)

    def _parse_modifier(self, state: State) -> Iterator[State]:
        i, reading = state
        for end, value in self._sentence.list_values(i, self._sentence.lexicon.values):
            yield from keep(end, reading.add_value(value, self._sentence.lexicon))
        yield from parse_limit(self._sentence, i, reading)
        for end in self._sentence.list_ends(i, "top"):
            yield from parse_limit(self._sentence, end, replace(reading, needs_order=True))
        yield from parse_superlative(self._sentence, i, reading)

    def _parse_one(self, state: State) -> Iterator[State]:
        definite = {*self._sentence.say(state, "mine"), *self._sentence.say(state, "the")}
        for described in self._repeat(definite, self._parse_value):
            yield from self._parse_single_noun(described)
            name = find_name(
                self._sentence.tokens, described[0], self._sentence.lexicon, self._sentence.language
            )
            # "the Remote Inc …": a value with a capital before a name is rather a part of it.
            is_torn = (
                described not in definite and self._sentence.tokens[described[0] - 1].text.istitle()
            )
            if name and not is_torn and not self._sentence.language.adjectives_follow:
                named = described[1].add(LOOKUP_FIELD, "contains", name.text)
                for after in keep(name.end, named):
                    yield from self._parse_single_noun(after)
        for start in {state, *definite}:
            for after in self._parse_single_noun(start):
                i, reading = after
                for begun in self._sentence.list_optional_ends(i, "number"):
                    token = self._sentence.tokens[begun] if self._sentence.has(begun) else None
                    if token and token.kind == "number" and token.value and token.value <= MAX_ID:
                        yield from keep(begun + 1, reading.add(ID_FIELD, "id", token.value))
                yield from self._parse_name_after(after)

    def _parse_single_noun(self, state: State) -> set[State]:
        first = set(self._sentence.follow(state, self._sentence.lexicon.singulars))
        ends = first | {
            b for a in first for b in self._sentence.follow(a, self._sentence.lexicon.singulars)
        }
        for end, value in self._sentence.list_values(state[0], self._sentence.lexicon.noun_values):
            ends.update(keep(end, state[1].add_value(value, self._sentence.lexicon)))
        return ends

    def _parse_value(
        self, state: State, values: tuple[ValuePhrase, ...] | None = None
    ) -> Iterator[State]:
        allowed = self._sentence.lexicon.values if values is None else values
        for end, value in self._sentence.list_values(state[0], allowed):
            yield from keep(end, state[1].add_value(value, self._sentence.lexicon))

    def _parse_name_after(self, state: State) -> Iterator[State]:
        i, reading = state
        for start in self._sentence.list_ends(i, "of_name"):
            name = find_name(
                self._sentence.tokens, start, self._sentence.lexicon, self._sentence.language
            )
            if name and name.has_capitals:
                yield from keep(name.end, reading.add(LOOKUP_FIELD, "contains", name.text))
        for start in self._sentence.list_optional_ends(i, "named"):
            name = find_name(
                self._sentence.tokens, start, self._sentence.lexicon, self._sentence.language
            )
            if name and (start > i or name.is_marked):
                yield from keep(name.end, reading.add(LOOKUP_FIELD, "contains", name.text))

    def _parse_bare_name(self, state: State) -> Iterator[State]:
        """A row by its name alone: only where rows go through an order, as people speak of them."""
        has_order = any(field.order for field in self._sentence.lexicon.entity.fields)
        name = self._sentence.find_name(state[0]) if has_order else None
        if name and name.has_capitals:
            # A search may guess which field holds the name, a count may not.
            is_lookup = self._sentence.rule is None or self._sentence.rule.intent != "count"
            field = LOOKUP_FIELD if is_lookup else self._sentence.lexicon.party_field
            yield from keep(name.end, state[1].add(field, "contains", name.text))

    def _parse_person(self, state: State, *, is_first_enough: bool = False) -> Iterator[State]:
        if state[1].asked == (self._sentence.lexicon.party_field, None):
            return  # nobody asks for the name of somebody by name
        name = self._sentence.find_name(state[0], is_person=True)
        is_owner = name is not None and name.text.endswith(self._sentence.language.possessives)
        is_whole = is_first_enough or (name is not None and " " in name.text and not is_owner)
        if name and name.has_capitals and is_whole and self._sentence.lexicon.entity.is_person:
            yield from keep(name.end, state[1].add(LOOKUP_FIELD, "contains", name.text))

    def _parse_owner(self, state: State) -> Iterator[State]:
        for end, reading in self._parse_person(state, is_first_enough=True):
            name = str(reading.conditions[-1].value)
            for ending in self._sentence.language.possessives:
                if name.endswith(ending):
                    yield from keep(
                        end, state[1].add(LOOKUP_FIELD, "contains", name.removesuffix(ending))
                    )

    def _parse_clause(self, state: State) -> Iterator[State]:
        yield from self._sentence.say(state, "own_clause")
        yield from self._sentence.say(state, "listed", is_listed=True)
        yield from self._sentence.say(state, "filler")
        yield from self._sentence.say(state, "passive_clause")
        yield from self._parse_value_clause(state)
        yield from parse_period(self._sentence, state)
        yield from parse_comparison(self._sentence, state)
        yield from parse_order(self._sentence, state)
        if self._sentence.is_mark(state[0], (",",)):
            yield from parse_order(self._sentence, (state[0] + 1, state[1]))

    def _parse_value_clause(self, state: State) -> Iterator[State]:
        values, base_values = self._sentence.lexicon.values, self._sentence.lexicon.base_values
        done = tuple([value for value in values if not value.is_undergone])
        plain = done if self._sentence.is_active(state[0]) else values
        if self._sentence.was_said(state[0], "passive_clause"):
            plain = tuple([value for value in values if value.is_undergone])
        states = tuple([value for value in plain if value.is_state])
        after_own = list(self._sentence.say(state, "own_link"))
        bare = plain if self._sentence.language.adjectives_follow else states
        choices: list[tuple[State, tuple[ValuePhrase, ...]]] = [(state, bare)]
        choices += [(after, values) for after in self._sentence.say(state, "link")]
        choices += [(after, values) for after in self._sentence.say(state, "passive_link")]
        choices += [(after, done) for after in after_own]
        choices += [(after, base_values) for after in self._sentence.say(state, "did_link")]
        for (start, reading), allowed in choices:
            for end, value in self._sentence.list_values(start, allowed):
                for after in keep(end, reading.add_value(value, self._sentence.lexicon)):
                    yield from self._parse_tail(after) if value.is_state else (after,)
                    if value.is_undergone:
                        yield from self._sentence.say(after, "own_object")
        for start, reading in self._sentence.say(state, "passive_start"):
            for end, value in self._sentence.list_values(start, values):
                if value.is_undergone:
                    for after in keep(end, reading.add_value(value, self._sentence.lexicon)):
                        yield from self._sentence.say(after, "passive_end")
        for start, reading in [state, *self._sentence.say(state, "link")]:
            for end, value in self._sentence.list_values(
                start, self._sentence.lexicon.exact_values
            ):
                for last in self._sentence.list_ends(end, "state_noun"):
                    yield from keep(last, reading.add_value(value, self._sentence.lexicon))
        for start, reading in [*after_own, *self._sentence.say(state, "did_link")]:
            if reading.has_state or reading.has_noun_value:
                received = reading.reach(self._sentence.lexicon)
                yield from self._sentence.say((start, received), "received")
            if not any(self._sentence.list_values(start, values)):
                yield from self._sentence.say((start, reading), "stored", is_stored=True)
        if state[1].has_state or state[1].has_noun_value:
            yield from self._sentence.say(
                (state[0], state[1].reach(self._sentence.lexicon)), "got_clause"
            )
            if state[1].is_owned:
                yield from self._sentence.say(
                    (state[0], state[1].reach(self._sentence.lexicon)), "received"
                )
        for after in (state, *self._sentence.say(state, "link")):
            is_told = after is not state or self._sentence.is_active(state[0])
            if is_told and not any(self._sentence.list_values(after[0], values)):
                yield from self._sentence.say(after, "stored", is_stored=True)
        yield from self._sentence.say(state, "stored_clause", is_stored=True)

    def _parse_tail(self, state: State) -> Iterator[State]:
        """After a value: "applied", "applied to", "applied to Acme", "rejected me"."""
        yield state
        yield from self._sentence.say(state, "stranded")
        targets = [*self._sentence.list_ends(state[0], "target")]
        if self._sentence.follows(state[0], "target"):  # it ends the value: "applied to"
            targets.append(state[0])
        for i in targets:
            if not self._sentence.follows_field(i):  # "at Acme" is read as the company, too
                yield from self._parse_bare_name((i, state[1]))
