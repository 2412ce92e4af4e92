"""A language as the intent rules know it: words and sentence patterns, read from one TOML file.

A file in `languages/` is all that another language takes. Its keys are the fields below.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, convert, field

from plainloop.agent.types import FastIntent
from plainloop_rules.entity_words import read_language_file

Phrase = tuple[str, ...]  # folded words
# What becomes of a word: a pattern for the whole word, then a template for each form (`\1s`).
Forms = tuple[tuple[str, ...], ...]

_CHOICE: Final = re.compile(r"(\([^()]*\)|\[[^\[\]]*\])")
# What the rows that are asked for may begin with: "my", "all", "the newest".
_STARTING_MANY: Final = ("mine", "the", "whole", "newest", "oldest", "recent", "last")
_FOLDER: Final = Path(__file__).parent / "languages"


class Words(frozenset[str]):
    """A set of words, written in the file as one text with spaces between."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence pattern of the grammar.

    A pattern is a row of elements: a phrase class (a key of `Language.phrases`), several with `|`
    between, or a slot that the grammar fills from an entity's spec; `?` after it: may be missing.

    MANY      "all my <value> <entities>"
    ONE       "the <name> <entity>", "<entity> named <name>", "the <entity>", "<entity> #3"
    FIELD     a word for one of its fields, whose value is asked
    CLAUSES   any number of "that I have <value>", "with <field> over 5", "sorted by <field>" …

    takes_bare: bare plurals ("list <entities>") surely mean what is stored. Not so after "show
    me": that may as well ask for a search of the outside world, and needs "my", "all" or the like.
    is_phrase: no sentence ("my <entities>"): after a question of ours it is rather its answer.
    takes_definite: "the <entities> in Berlin" are those that are stored.
    """

    intent: FastIntent
    pattern: str
    takes_bare: bool = False
    is_phrase: bool = False
    takes_definite: bool = False


class Language(Struct, frozen=True, eq=False, dict=True, kw_only=True, forbid_unknown_fields=True):
    """The words and patterns of one language; several words are separated by spaces.

    Phrases may have parts: `(that|which) i [have|had]` stands for six of them.
    """

    name: str
    rules: dict[str, Rule]
    phrases: dict[str, tuple[str, ...]]  # phrase class → its alternatives
    periods: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    # How answers say them: "in {}" of a month or year, "on {}" of a day, "since {}", "{} days".
    said_periods: dict[str, str] = field(default_factory=dict[str, str])
    has_capital_months: bool = False
    period_days: dict[str, int] = field(default_factory=dict[str, int])  # "weeks" → 7
    owning: frozenset[str]  # phrase classes that say "what I have stored"
    contractions: dict[str, str] = field(default_factory=dict[str, str])  # "whats" → "what is"
    endings: dict[str, str] = field(
        default_factory=dict[str, str]
    )  # after an apostrophe: "'ve" → "have"
    # What a word is written together with: "d'" → "de".
    beginnings: dict[str, str] = field(default_factory=dict[str, str])
    possessives: tuple[str, ...] = ()  # how a name ends whose things are meant: "'s"
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    unread: Words = Words()  # of questions that are a model's: no part of a name either
    # Words that, written small, are no part of a name that someone looks up.
    never_names: Words = Words()
    never_alone: Words = Words()  # small words that name only together with others
    vague_endings: tuple[str, ...] = ()  # a small word that ends so describes, it does not name
    state_endings: tuple[str, ...] = ()  # a value that ends so tells what happened to *stored* rows
    finite: Words = Words()  # verbs that make a phrase a statement: "my jobs are remote"
    vague_values: frozenset[str] = frozenset()  # values that also mean something else: "other"
    plural_look: str = "$^"  # what a plural looks like
    # The first row whose pattern fits counts.
    plural_forms: Forms = ()  # of a noun
    value_forms: Forms = ()  # of a value's last word: gender, number, case
    base_forms: Forms = ()  # of a participle: "saved" → "save"
    # Small words that change no request wherever they stand: "eigentlich".
    particles: Words = Words()
    transcribed: dict[str, str] = field(default_factory=dict[str, str])  # "ü" → "ue"
    drops_accents: bool = False  # people type "cuantos" for "cuántos"
    has_plain_articles: bool = False  # "the items" are no certain ones
    has_decimal_comma: bool = False  # "50.000" is fifty thousand
    splits_compounds: bool = False  # "Acme-Items" is a name and a noun
    adjectives_follow: bool = False  # "items guardados"; a name then stands after its noun, too
    # False: only capitals (or quotes) make a name, and every word may be looked at as one.
    has_small_names: bool = True
    nouns_have_capitals: bool = False  # so capitals prove no name

    def fold(self, text: str) -> str:
        """Normalize a text for comparison: fold its case and, by language, drop its accents."""
        folded = text.casefold()
        for letter, letters in self.transcribed.items():
            folded = folded.replace(letter, letters)
        if not self.drops_accents or folded.isascii():
            return folded
        decomposed = unicodedata.normalize("NFD", folded)
        return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")

    def split(self, phrase: str) -> tuple[str, ...]:
        """Split a phrase into normalized words.

        A contraction becomes the words of which it is made.
        """
        words: list[str] = []
        for word in phrase.split():
            parts = self._parts_by_word.get(word)
            if parts is None:
                parts = self._parts_by_word[word] = self._split_word(word)
            words += parts
        return tuple(words)

    @cached_property
    def _parts_by_word(self) -> dict[str, list[str]]:
        # Four languages have 5,600 phrases of 1,900 words: splitting each word once saves a third
        # of what the first sentence waits for. Words of patterns and specs only: users add none.
        return {}

    def _split_word(self, word: str) -> list[str]:
        folded = self.fold(word)
        parts = self.contractions.get(folded, folded).split()
        return [piece for part in parts for piece in self.split_beginnings(part)]

    def split_beginnings(self, word: str) -> list[str]:
        """Split a folded contraction into its words: "d'un" → "de", "un"."""
        begun: list[str] = []
        while True:
            if word in self.beginnings:  # before a choice: "d'(entretien|entretiens)"
                return [*begun, self.beginnings[word]]
            start = next((s for s in self.beginnings if word.startswith(s) and word != s), None)
            if start is None:
                return [*begun, word]
            begun.append(self.beginnings[start])
            word = word[len(start) :]

    def is_plural(self, word: str) -> bool:
        """Return whether a word looks like a plural.

        >>> [ENGLISH.is_plural(word) for word in ("boxes", "status", "boss", "box")]
        [True, False, False, False]
        """
        return re.search(self.plural_look, word) is not None

    @cached_property
    def split_phrases(self) -> dict[str, tuple[tuple[str, Phrase], ...]]:
        """Return the language's phrases by their first word.

        Each phrase is (class, words).
        """
        groups = {**self.phrases, **{f"period {name}": said for name, said in self.periods.items()}}
        index: dict[str, dict[tuple[str, Phrase], None]] = {}
        particles = self.folded_particles
        for name, phrases in groups.items():
            for phrase in (one for item in phrases for one in expand(item)):
                words = self.split(phrase)
                # Particles are dropped from sentences, so they are from phrases of several words.
                if not particles.isdisjoint(words):
                    words = tuple(word for word in words if word not in particles) or words
                index.setdefault(words[0], {})[name, words] = None
        return {word: tuple(found) for word, found in index.items()}

    @cached_property
    def starting(self) -> frozenset[str]:
        """Return the words that can begin a sentence under some rule.

        The words of entities are left out.
        """
        classes = {*_STARTING_MANY}
        for rule in self.rules.values():
            for element in rule.pattern.split():
                classes.update(element.removesuffix("?").split("|"))
                if not element.endswith("?"):
                    break
        starting = {*self.folded_numbers}
        for word, found in self.split_phrases.items():
            if not classes.isdisjoint(dict(found)):
                starting.add(word)
        return frozenset(starting | self._list_written(starting))

    @cached_property
    def opening(self) -> frozenset[str]:
        """Return the words that may precede a sentence, such as greetings and "please"."""
        phrases = (item for found in self.split_phrases.values() for item in found)
        words = {w for name, words in phrases if name in ("opener", "around") for w in words}
        words |= self.folded_particles
        return frozenset(words | self._list_written(words))

    def _list_written(self, words: Collection[str]) -> set[str]:
        """Return the written forms of these words: "whats" for "what", "d" of "d'Acme" for "de"."""
        written = {short for short, long in self.contractions.items() if long.split()[0] in words}
        written |= {short for short, long in self.beginnings.items() if long in words}
        return {re.split(r"\W", self.fold(word))[0] for word in (*written, *words)}

    @cached_property
    def folded_numbers(self) -> dict[str, int]:
        return {self.fold(word): number for word, number in self.numbers.items()}

    @cached_property
    def folded_particles(self) -> frozenset[str]:
        return frozenset(map(self.fold, self.particles))

    @cached_property
    def folded_never_names(self) -> frozenset[str]:
        return frozenset(map(self.fold, self.never_names))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Return every word that the language's patterns use."""
        phrases = (words for found in self.split_phrases.values() for _, words in found)
        words = {word for phrase in phrases for word in phrase}
        others = (*self.numbers, *self.period_days, *self.unread)
        return frozenset(words | {self.fold(word) for word in others})


def list_forms(word: str, forms: Forms) -> tuple[str, ...]:
    r"""Return a word's forms under the first pattern that matches it.

    () if none matches.

    >>> list_forms("entry", ENGLISH.plural_forms), list_forms("box", ENGLISH.plural_forms)
    (('entries',), ('boxes',))
    >>> list_forms("saved", ENGLISH.base_forms), list_forms("planned", ENGLISH.base_forms)
    (('sav', 'save'), ('plann', 'planne', 'plan'))
    """
    for pattern, *templates in forms:
        if found := re.fullmatch(pattern, word):
            return tuple(found.expand(template) for template in templates)
    return ()


def list_choices(phrase: str) -> Iterator[tuple[str, ...]]:
    """Yield the parts of a phrase with choices, each part as its alternatives.

    Choices do not nest.

    >>> [*list_choices("(that|which) i [have]")]
    [('that', 'which'), (' i ',), ('have', '')]
    """
    for piece in filter(None, _CHOICE.split(phrase)):
        is_choice, may_lack = piece[0] in "([", piece[0] == "["
        given = piece[1:-1].split("|") if is_choice else [piece]
        yield (*given, "") if may_lack else tuple(given)


def expand(phrase: str) -> list[str]:
    """List every phrase that a pattern with choices, such as `(a|b) [c]`, stands for.

    >>> expand("(that|which) i [have]")
    ['that i have', 'that i', 'which i have', 'which i']
    """
    if phrase.isalpha():  # most are one word
        return [phrase]
    return [" ".join("".join(chosen).split()) for chosen in product(*list_choices(phrase))]


def parse_language(name: str, table: dict[str, Any]) -> Language:
    """Convert the table of a language file. Raises: msgspec.ValidationError: it is no language."""
    return convert({"name": name, **table}, Language, dec_hook=_split_words)


def _split_words(kind: type, value: Any) -> Any:
    if not isinstance(value, str):
        raise TypeError(f"write the words as one text, separated by spaces, not {value!r}")
    return kind(value.split())


LANGUAGES: Final = tuple(
    read_language_file(path, parse_language) for path in sorted(_FOLDER.glob("*.toml"))
)
_BY_NAME: Final = {language.name: language for language in LANGUAGES}
ENGLISH: Final = _BY_NAME["english"]


def describe_period(name: str, op: str, period: str) -> str:
    """Return a period as text in a language, such as "in October 2025".

    op: "in" or "since".

    >>> describe_period("english", "in", "october_2025"), describe_period("english", "in", "monday")
    ('in October 2025', 'on Monday')
    >>> describe_period("german", "since", "monday"), describe_period("german", "in", "last_7_days")
    ('seit Montag', 'letzte 7 Tage')
    """
    language = _BY_NAME[name]
    if days := re.fullmatch(r"last_(\d+)_days", period):
        return language.said_periods["days"].format(days[1])
    found = re.fullmatch(r"(\w+)_(\d{4})", period)
    base, year = (found[1], found[2]) if found else (period, "")
    text = expand(language.periods[base][0])[0] if base in language.periods else base
    is_span = "_" in base or base in ("today", "yesterday")
    if language.has_capital_months and not is_span:
        text = text.capitalize()
    kind = "since" if op == "since" else "span" if is_span else "in"
    if kind == "in" and (base.endswith("day") or "-" in base):
        kind = "day"
    return language.said_periods[kind].format(f"{text} {year}".strip())
