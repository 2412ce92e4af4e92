"""The grammar of the intent rules: which readings do a sentence's tokens have, word for word.

Generic over entity and language. Each element of a pattern turns a set of states into
the set of states after it. A word that no element explains ends a state, so a sentence with such a
word has no reading at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from plainloop.agent.intents.queries import ID_FIELD, LOOKUP_FIELD

from .language import Language, Rule
from .lexicon import Lexicon, ValuePhrase
from .measures import parse_comparison, parse_limit, parse_order, parse_period, parse_superlative
from .reading import Reading, is_certain, settle
from .sentence import Sentence, State, keep
from .tokens import Token

MAX_ID: Final = 2**31 - 1
_BREAKS: Final = (",", ".", "!", "?", ":", "-", "–", "…")


class Grammar:
    """Parses one sentence against one entity in one language."""

    def __init__(self, tokens: list[Token], lexicon: Lexicon, language: Language) -> None:
        self._sentence = Sentence(tokens, lexicon, language)
        self._slots: dict[str, Callable[[State], Iterable[State]]] = {
            "MANY": self._parse_many,
            "ONE": self._parse_one,
            "FIELD": lambda state: [
                (end, replace(state[1], asked=field.name))
                for end, field in self._sentence.list_fields(state[0])
            ],
            "CLAUSES": lambda state: self._repeat({state}, self._parse_clause),
        }
        self._starts = self._repeat({(0, Reading())}, self._parse_opener)

    def list_readings(self, rule: Rule) -> set[Reading]:
        """Return every unambiguous interpretation of the whole sentence under this rule."""
        states = self._starts
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
        settled = {settle(reading, self._sentence.lexicon) for reading in ended}
        return {item for item in settled if item and is_certain(item, rule, self._sentence.lexicon)}

    def _repeat(self, states: set[State], parse: Callable[[State], Iterable[State]]) -> set[State]:
        """Return the states after applying `parse` any number of times, also never."""
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
        is_definite = not self._sentence.language.has_plain_articles
        starts.update(self._sentence.say(state, "the", is_definite=is_definite))
        starts.update(self._sentence.say(state, "whole", is_whole=True))
        for described in self._repeat(starts, self._parse_modifier):
            yield from self._parse_noun(described)

    def _parse_noun(self, state: State) -> Iterator[State]:
        sentence, lexicon = self._sentence, self._sentence.lexicon
        for start in (state, *sentence.follow(state, lexicon.singulars)):
            for words in lexicon.plurals:
                for end, reading in sentence.follow(start, (words,)):
                    marked = replace(
                        reading,
                        is_own_noun=words in lexicon.own_nouns,
                        is_ambiguous=words in lexicon.ambiguous_nouns,
                        is_main_noun=words in lexicon.main_nouns,
                    )
                    yield end, marked
            for end, value in sentence.list_values(start[0], lexicon.values):
                if value.is_plural:
                    after = start[1].add_value(value)
                    is_own = value.words in lexicon.own_nouns
                    yield from keep(end, after and replace(after, is_own_noun=is_own))
        if state[1].is_whole:  # "every <entity>"
            yield from sentence.follow(state, lexicon.singulars)

    def _parse_modifier(self, state: State) -> Iterator[State]:
        yield from self._parse_value(state)
        yield from parse_limit(self._sentence, *state)
        yield from parse_superlative(self._sentence, *state)

    def _parse_one(self, state: State) -> Iterator[State]:
        sentence = self._sentence
        definite = {*sentence.say(state, "mine"), *sentence.say(state, "the")}
        for described in self._repeat(definite, self._parse_value):
            yield from self._parse_single_noun(described)
            name = sentence.find_name(described[0])
            # "the Remote Inc …": a value with a capital before a name is rather a part of it.
            is_torn = described not in definite and sentence.tokens[described[0] - 1].text.istitle()
            if name and not is_torn and not sentence.language.adjectives_follow:
                named = described[1].add(LOOKUP_FIELD, "contains", name.text)
                for after in keep(name.end, named):
                    yield from self._parse_single_noun(after)
        for start in {state, *definite}:
            for i, reading in self._parse_single_noun(start):
                for begun in sentence.list_optional_ends(i, "number"):
                    token = sentence.tokens[begun] if sentence.has(begun) else None
                    if token and token.kind == "number" and token.value and token.value <= MAX_ID:
                        yield from keep(begun + 1, reading.add(ID_FIELD, "id", token.value))
                yield from self._parse_name_after((i, reading))

    def _parse_single_noun(self, state: State) -> set[State]:
        sentence, singulars = self._sentence, self._sentence.lexicon.singulars
        ends = set(sentence.follow(state, singulars))
        ends |= {b for a in ends for b in sentence.follow(a, singulars)}
        return ends.union(self._parse_value(state, sentence.lexicon.noun_values))

    def _parse_value(
        self, state: State, values: tuple[ValuePhrase, ...] | None = None
    ) -> Iterator[State]:
        allowed = self._sentence.lexicon.values if values is None else values
        for end, value in self._sentence.list_values(state[0], allowed):
            yield from keep(end, state[1].add_value(value))

    def _parse_name_after(self, state: State) -> Iterator[State]:
        i, reading = state
        starts = [(start, True) for start in self._sentence.list_ends(i, "of_name")]
        starts += [(start, False) for start in self._sentence.list_optional_ends(i, "named")]
        for start, needs_capitals in starts:
            name = self._sentence.find_name(start)
            if name and (name.has_capitals if needs_capitals else start > i or name.is_marked):
                yield from keep(name.end, reading.add(LOOKUP_FIELD, "contains", name.text))

    def _parse_clause(self, state: State) -> Iterator[State]:
        for name in ("own_clause", "listed", "filler"):
            yield from self._sentence.say(state, name)
        yield from self._parse_value_clause(state)
        yield from self._parse_stored(state)
        yield from parse_period(self._sentence, state)
        yield from parse_comparison(self._sentence, state)
        yield from parse_order(self._sentence, state)
        if self._sentence.is_mark(state[0], (",",)):
            yield from parse_order(self._sentence, (state[0] + 1, state[1]))

    def _parse_value_clause(self, state: State) -> Iterator[State]:
        sentence, lexicon = self._sentence, self._sentence.lexicon
        # What others bring about is nothing that "I" did: "the jobs that I rejected".
        done = tuple(value for value in lexicon.values if not value.is_undergone)
        plain = done if sentence.is_active(state[0]) else lexicon.values
        states = tuple(value for value in plain if value.is_state)
        choices = [(state, plain if sentence.language.adjectives_follow else states)]
        choices += [(after, plain) for after in sentence.say(state, "link")]
        choices += [(after, done) for after in sentence.say(state, "own_link")]
        choices += [(after, lexicon.base_values) for after in sentence.say(state, "did_link")]
        for (start, reading), allowed in choices:
            for end, value in sentence.list_values(start, allowed):
                for after in keep(end, reading.add_value(value)):
                    yield after
                    if value.is_state:
                        yield from sentence.say(after, "stranded")
        for after in (state, *sentence.say(state, "link")):
            for end, reading in self._parse_value(after, lexicon.exact_values):
                yield from sentence.say((end, reading), "state_noun")

    def _parse_stored(self, state: State) -> Iterator[State]:
        """Yield the states after "that I added", if no value of the entity has that name."""
        sentence = self._sentence
        choices = [*sentence.say(state, "own_link"), *sentence.say(state, "did_link")]
        is_told = sentence.is_active(state[0])
        choices += [*([state] if is_told else []), *sentence.say(state, "link")]
        for after in choices:
            if not any(sentence.list_values(after[0], sentence.lexicon.values)):
                yield from sentence.say(after, "stored", is_stored=True)
        yield from sentence.say(state, "stored_clause", is_stored=True)
