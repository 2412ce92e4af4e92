"""What the intent rules know of a language: words and sentence patterns. Data, no grammar."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ..types import FastIntent


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence pattern.

    A pattern is a row of elements: a phrase class (a key of `Language.phrases`), several with `|`
    between, or a slot that the grammar fills from an entity's spec; `?` after it: may be missing.

    MANY      "all my <value> <entities>"; one when an order picks it: "my highest <field> <entity>"
    ONE       "the <name> <entity>", "<entity> named <name>", "the <entity>", "<entity> #3"
    NOUN      a word for the entity, singular
    FIELD     a word for one of its fields
    CLAUSES   any number of "that I have <value>", "with <field> over 5", "sorted by <field>" …
    """

    name: str
    intent: FastIntent
    pattern: str
    # Bare plurals ("list <entities>") surely mean what is stored. Not so after "show me": that may
    # as well ask for a search of the outside world, and needs "my", "all" or the like.
    takes_bare: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The words of one language, folded, several words separated by spaces."""

    name: str
    rules: tuple[Rule, ...]
    phrases: Mapping[str, tuple[str, ...]]  # phrase class → its alternatives
    owning: frozenset[str]  # phrase classes that say "what I have stored"
    contractions: Mapping[str, str]  # whole words: "whats" → "what is"
    endings: Mapping[str, str]  # what follows an apostrophe: "'ve" → "have"
    numbers: Mapping[str, int]
    # Words that, written small, are no part of a name that someone looks up.
    never_names: frozenset[str]
    never_alone: frozenset[str]  # small words that name only together with others
    vague_endings: tuple[str, ...]  # a small word that ends so describes, it does not name
    state_endings: tuple[str, ...]  # a value that ends so tells what happened to *stored* rows
    vague_values: frozenset[str]  # words of a value that also mean something else: "other"
    list_plurals: Callable[[str], tuple[str, ...]]  # the plural forms of a noun
    is_plural: Callable[[str], bool]
    list_base_forms: Callable[[str], tuple[str, ...]]  # of a participle: "saved" → "save"
    # What a word is written together with: "d'" → "de".
    beginnings: Mapping[str, str] = field(default_factory=dict[str, str])
    # The forms of a value's last word, itself among them: "remoto" → "remotos", "remota" …
    inflect: Callable[[str], tuple[str, ...]] = lambda word: (word,)
    drops_accents: bool = False  # people type "cuantos" for "cuántos"
    has_decimal_comma: bool = False  # "50.000" is fifty thousand
    splits_compounds: bool = False  # "Acme-Items" is a name and a noun
    adjectives_follow: bool = False  # "items guardados"; a name then stands after its noun, too
    # False: only capitals (or quotes) make a name, and every word may be looked at as one.
    has_small_names: bool = True
    nouns_have_capitals: bool = False  # so capitals prove no name

    def fold(self, text: str) -> str:
        """A word as it is compared."""
        folded = text.casefold()
        if not self.drops_accents or folded.isascii():
            return folded
        return "".join(c for c in unicodedata.normalize("NFD", folded) if not _is_accent(c))

    def split(self, phrase: str) -> tuple[str, ...]:
        """The folded words of a phrase, what is written together taken apart."""
        words: list[str] = []
        for word in self.fold(phrase).split():
            for part in self.contractions.get(word, word).split():
                words += self.split_beginnings(part)
        return tuple(words)

    def split_beginnings(self, word: str) -> list[str]:
        """A folded word as the words it is made of: "d'un" → "de", "un"."""
        begun: list[str] = []
        while True:
            start = next((s for s in self.beginnings if word.startswith(s) and word != s), None)
            if start is None:
                return [*begun, word]
            begun.append(self.beginnings[start])
            word = word[len(start) :]

    def get_phrases(self, name: str) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """A phrase class as split phrases, by their first word; a language may lack one."""
        return _index_phrases(self).get(name, {})

    @property
    def vocabulary(self) -> frozenset[str]:
        """Every word that the patterns explain."""
        return _list_vocabulary(self)


@lru_cache(maxsize=8)
def _index_phrases(language: Language) -> dict[str, dict[str, tuple[tuple[str, ...], ...]]]:
    index: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {}
    for name, phrases in language.phrases.items():
        by_first: dict[str, tuple[tuple[str, ...], ...]] = {}
        for words in (language.split(phrase) for phrase in phrases):
            by_first[words[0]] = (*by_first.get(words[0], ()), words)
        index[name] = by_first
    return index


@lru_cache(maxsize=8)
def _list_vocabulary(language: Language) -> frozenset[str]:
    phrases = (phrase for group in language.phrases.values() for phrase in group)
    words = {word for phrase in phrases for word in language.split(phrase)}
    return frozenset(words | {language.fold(word) for word in language.numbers})


def _is_accent(char: str) -> bool:
    return unicodedata.category(char) == "Mn"
