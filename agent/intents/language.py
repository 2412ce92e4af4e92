"""A language as the intent rules know it: words and sentence patterns, read from one TOML file.

A file in `languages/` is all that another language takes. Its keys are the fields below.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, convert, field

from ..types import FastIntent

Phrases = Mapping[str, tuple[tuple[str, ...], ...]]  # split phrases by their first word
# What becomes of a word: a pattern for the whole word, then a template for each form (`\1s`).
Forms = tuple[tuple[str, ...], ...]

_FOLDER: Final = Path(__file__).parent / "languages"


class Words(frozenset[str]):
    """A set of words, in the file one text with spaces between."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence pattern.

    A pattern is a row of elements: a phrase class (a key of `Language.phrases`), several with `|`
    between, or a slot that the grammar fills from an entity's spec; `?` after it: may be missing.

    MANY      "all my <value> <entities>"; one when an order picks it: "my highest <field> <entity>"
    ONE       "the <name> <entity>", "<entity> named <name>", "the <entity>", "<entity> #3"
    NOUN      a word for the entity, singular
    FIELD     a word for one of its fields
    CLAUSES   any number of "that I have <value>", "with <field> over 5", "sorted by <field>" …

    takes_bare: bare plurals ("list <entities>") surely mean what is stored. Not so after "show
    me": that may as well ask for a search of the outside world, and needs "my", "all" or the like.
    """

    intent: FastIntent
    pattern: str
    takes_bare: bool = False


class Language(Struct, frozen=True, eq=False, dict=True, forbid_unknown_fields=True):
    """The words of one language; several words separated by spaces."""

    name: str
    rules: dict[str, Rule]
    phrases: dict[str, tuple[str, ...]]  # phrase class → its alternatives
    owning: frozenset[str]  # phrase classes that say "what I have stored"
    contractions: dict[str, str] = field(default_factory=dict[str, str])  # "whats" → "what is"
    endings: dict[str, str] = field(
        default_factory=dict[str, str]
    )  # after an apostrophe: "'ve" → "have"
    # What a word is written together with: "d'" → "de".
    beginnings: dict[str, str] = field(default_factory=dict[str, str])
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    # Words that, written small, are no part of a name that someone looks up.
    never_names: Words = Words()
    never_alone: Words = Words()  # small words that name only together with others
    vague_endings: tuple[str, ...] = ()  # a small word that ends so describes, it does not name
    state_endings: tuple[str, ...] = ()  # a value that ends so tells what happened to *stored* rows
    vague_values: frozenset[str] = frozenset()  # values that also mean something else: "other"
    plural_look: str = "$^"  # what a plural looks like
    # The first row whose pattern fits counts.
    plural_forms: Forms = ()  # of a noun
    value_forms: Forms = ()  # of a value's last word: gender, number, case
    base_forms: Forms = ()  # of a participle: "saved" → "save"
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
        decomposed = unicodedata.normalize("NFD", folded)
        return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")

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

    def is_plural(self, word: str) -> bool:
        """Whether a word looks like a plural.

        >>> [ENGLISH.is_plural(word) for word in ("boxes", "status", "boss", "box")]
        [True, False, False, False]
        """
        return re.search(self.plural_look, word) is not None

    def get_phrases(self, name: str) -> Phrases:
        """A phrase class as split phrases, by their first word; a language may lack one."""
        return self._phrases.get(name, {})

    @cached_property
    def _phrases(self) -> dict[str, Phrases]:
        index: dict[str, Phrases] = {}
        for name, phrases in self.phrases.items():
            by_first: dict[str, tuple[tuple[str, ...], ...]] = {}
            for words in (self.split(phrase) for phrase in phrases):
                by_first[words[0]] = (*by_first.get(words[0], ()), words)
            index[name] = by_first
        return index

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word that the patterns explain."""
        phrases = (phrase for group in self.phrases.values() for phrase in group)
        words = {word for phrase in phrases for word in self.split(phrase)}
        return frozenset(words | {self.fold(word) for word in self.numbers})


def list_forms(word: str, forms: Forms) -> tuple[str, ...]:
    r"""The word's forms by the first row that fits; none fits: none.

    >>> list_forms("entry", ENGLISH.plural_forms), list_forms("box", ENGLISH.plural_forms)
    (('entries',), ('boxes',))
    >>> list_forms("saved", ENGLISH.base_forms), list_forms("planned", ENGLISH.base_forms)
    (('sav', 'save'), ('plann', 'planne', 'plan'))
    """
    for pattern, *templates in forms:
        if found := re.fullmatch(pattern, word):
            return tuple(found.expand(template) for template in templates)
    return ()


def parse_language(name: str, text: str) -> Language:
    """Raises: msgspec.ValidationError, tomllib.TOMLDecodeError: the file is no language."""
    return convert({"name": name, **tomllib.loads(text)}, Language, dec_hook=_split_words)


def _split_words(kind: type, value: Any) -> Any:
    return kind(value.split())


LANGUAGES: Final = tuple(
    parse_language(path.stem, path.read_text("utf-8")) for path in sorted(_FOLDER.glob("*.toml"))
)
ENGLISH: Final = next(language for language in LANGUAGES if language.name == "english")
