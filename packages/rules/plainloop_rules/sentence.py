"""One sentence as the intent rules walk through it: where a phrase of a class, a value, a field or
a name that begins at a token ends.

A state is (next token, reading so far); each step turns one into the states after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from plainloop.agent.core.spec import FieldSpec

from .language import Language
from .lexicon import Lexicon, Phrase, ValuePhrase
from .names import Name, find_name
from .reading import Reading
from .tokens import Token

State = tuple[int, Reading]


class Sentence:
    """A sentence's tokens with one entity's words in one language."""

    def __init__(self, tokens: list[Token], lexicon: Lexicon, language: Language) -> None:
        self.tokens = tokens
        # What is quoted is no word of the grammar.
        self.words = tuple(["" if item.kind == "quoted" else item.folded for item in tokens])
        self.lexicon = lexicon
        self.language = language
        # By class, where its phrases begin and end: most classes have none in most sentences.
        self._ends: dict[str, dict[int, list[int]]] = {}
        for i, word in enumerate(self.words):
            for name, words in language.split_phrases.get(word, ()):
                if self.words[i : i + len(words)] == words:
                    found = self._ends.setdefault(name, {})
                    found.setdefault(i, []).append(i + len(words))

    def list_ends(self, i: int, name: str) -> list[int]:
        """List the ends of the phrases of class `name` that begin at token `i`."""
        return self._ends[name].get(i, []) if name in self._ends else []

    def is_active(self, i: int) -> bool:
        """Return whether a participle at token `i` may belong to "have" (active, not passive).

        An example is "habe ich bei X beworben". Where adjectives follow their noun, only right
        before it.
        """
        said = self._ends.get("own_clause", {}).values()
        if self.language.adjectives_follow:
            return any(i in ends for ends in said)
        return any(min(ends) <= i for ends in said)

    def list_optional_ends(self, i: int, name: str) -> list[int]:
        return [i, *self.list_ends(i, name)]

    def say(self, state: State, name: str, **changes: Any) -> list[State]:
        """Return (end, reading) after each phrase of class `name` that begins here.

        changes: fields of the reading that the phrase sets.
        """
        i, reading = state
        if name not in self._ends or i not in self._ends[name]:
            return []
        if name in self.language.owning:
            changes["is_owned"] = True
        after = replace(reading, **changes) if changes else reading
        return [(end, after) for end in self._ends[name][i]]

    def follow(self, state: State, phrases: Iterable[Phrase]) -> Iterator[State]:
        i, reading = state
        for words in phrases:
            if self.words[i : i + len(words)] == words:
                yield i + len(words), reading

    def list_values(
        self, i: int, values: tuple[ValuePhrase, ...]
    ) -> Iterator[tuple[int, ValuePhrase]]:
        for value in values:
            if self.words[i : i + len(value.words)] == value.words:
                yield i + len(value.words), value

    def list_fields(self, i: int) -> Iterator[tuple[int, FieldSpec]]:
        for words, field in self.lexicon.fields:
            if self.words[i : i + len(words)] == words:
                yield i + len(words), field

    def get_number(self, i: int) -> int | None:
        token = self.tokens[i] if i < len(self.tokens) else None
        return token.value if token and not token.is_id else None

    def is_mark(self, i: int, marks: tuple[str, ...]) -> bool:
        return i < len(self.tokens) and self.tokens[i].folded in marks

    def has(self, i: int) -> bool:
        return i < len(self.tokens)

    def find_name(self, i: int, *, takes_small: bool = False) -> Name | None:
        """Return the name that begins at token `i`, or None.

        takes_small: accept a name in lower case too.
        """
        name = find_name(self.tokens, i, self.lexicon, self.language, takes_small=takes_small)
        is_kind = name and name.text.islower() and name.has_small_plural
        return None if is_kind else name


def keep(end: int, reading: Reading | None) -> list[State]:
    """Return a list of the one state (end, reading) that follows.

    [] if `reading` is None, because the step is impossible.
    """
    return [(end, reading)] if reading is not None else []
