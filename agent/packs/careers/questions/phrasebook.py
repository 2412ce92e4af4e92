"""What words ask, language by language: a pack's tables for `closed_reading`.

A file has the name of its language. Its keys are the fields below; phrases are written as in
`languages/` ("(that|which) i [have]"), choices not inside one another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, convert

from ....intents.language import (
    LANGUAGES,
    Language,
    Words,
    expand,
    list_choices,
    read_language_file,
)
from ....types import Filter
from .beside import Beside

Table = dict[str, tuple[str, ...]]
Phrase = tuple[str, ...]

_LANGUAGES: Final = {language.name: language for language in LANGUAGES}
PLACES: Final = "places.txt"
TRADES: Final = "trades"  # words that name what someone works as
MIN_TAIL_CHARS: Final = 6


class Phrasebook(
    Struct, frozen=True, eq=False, dict=True, kw_only=True, forbid_unknown_fields=True
):
    """The phrases of one language.

    says: what a phrase does in a request, by tag (`closed_reading` says what each means).
    nouns: by entity. values: by condition ("status>=applied"). orders: by field ("salary desc").
    """

    name: str
    says: Table
    nouns: Table
    values: Table
    orders: Table
    trades: Words = Words()  # words that name what someone works as, for a title
    firms: Words = Words()  # words of a firm's name, after which "in" means no place
    trade_endings: tuple[str, ...] = ()
    verb_endings: tuple[str, ...] = ()  # of what several do: "plombier … acceptent"
    trade_loans: Words = Words()  # English ones, which lead at the end: "office manager"
    branches: Words = Words()  # of work, which "in" stands before as well: "jobs in Marketing"
    joining: Words = Words()  # inside a name: "chef de rang"
    particles: Words = Words()  # inside a person's: "Tom van der Berg"
    kin: Words = Words()  # what ends a firm's name after "and": "Meyer und Söhne"
    parted: str = ""  # what is written behind a verb, with a hyphen: "montre-moi"
    beside: Beside = Beside()
    not_endings: tuple[str, ...] = ()  # of words that tell to do something: "pásalo"
    not_names: Words = Words()  # beside the language's own
    places: frozenset[str] = frozenset()

    @property
    def language(self) -> Language:
        return _LANGUAGES[self.name]

    @cached_property
    def phrases(self) -> Mapping[Phrase, tuple[str, ...]]:
        """The tags of each phrase."""
        tagged: dict[Phrase, dict[str, None]] = {}
        for tag, pattern in self._list_patterns():
            for words in self._list_forms(pattern):
                tagged.setdefault(words, {})[tag] = None
        return {words: tuple(tags) for words, tags in tagged.items()}

    @cached_property
    def lengths(self) -> Mapping[str, tuple[int, ...]]:
        """By the first word of phrases, how many words they have, the longest first."""
        lengths: dict[str, set[int]] = {}
        for words in self.phrases:
            lengths.setdefault(words[0], set()).add(len(words))
        return {word: tuple(sorted(found, reverse=True)) for word, found in lengths.items()}

    def _list_patterns(self) -> Iterator[tuple[str, str]]:
        """(tag, pattern) of each."""
        sections = (("", self.says), ("noun ", self.nouns), ("value ", self.values))
        for prefix, table in (*sections, ("order ", self.orders)):
            for name, patterns in table.items():
                for pattern in patterns:
                    yield prefix + name, pattern

    def _list_forms(self, pattern: str) -> Iterator[Phrase]:
        """The phrases of a pattern, without the particles that sentences are cut without."""
        particles = self.language.folded_particles
        forms: list[Phrase] = [()]
        for choices in self._parse(pattern):
            forms = [begun + chosen for begun in forms for chosen in choices]
        for words in filter(None, forms):
            if particles.isdisjoint(words):
                yield words
            else:
                yield tuple(word for word in words if word not in particles) or words

    def _parse(self, pattern: str) -> Iterator[list[Phrase]]:
        """What may stand at each of its places."""
        for given in list_choices(pattern):
            yield [self._split(one) for one in given]

    @cached_property
    def _split(self) -> Callable[[str], Phrase]:
        """The folded words of a text; most are in many patterns."""
        language = self.language
        split = cache(language.split)
        return (lambda text: split(text.replace("-", " "))) if language.splits_compounds else split

    @cached_property
    def marks(self) -> Mapping[str, frozenset[str]]:
        """By word, what it tells inside a longer phrase too: "me apunté a" is a whole sentence."""
        marks: dict[str, frozenset[str]] = {}
        for tag in ("active", "finite", "got", "stored", "me", "asks", "own noun"):
            for said in self.says.get(tag, ()):
                for phrase in self._list_forms(said):
                    if len(phrase) == 1:
                        marks[phrase[0]] = marks.get(phrase[0], frozenset()) | {tag}
        return marks

    def part(self, text: str) -> str:
        """The text with what hangs on a verb as words of their own.

        >>> Phrasebook(name="french", says={}, nouns={}, values={}, orders={}, parted="moi").part(
        ...     "Montre-moi"
        ... )
        'Montre moi'
        """
        if not self.parted:
            return text
        hanging = "|".join(sorted(self.parted.split(), key=len, reverse=True))
        return re.sub(
            rf"-({hanging})\b(?!-(?!(?:{hanging})\b))",  # not of "Thonon-les-Bains"
            lambda found: f" {found[1]}".replace("-", " "),
            text,
            flags=re.I,
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word that has a meaning here or to the language's own rules."""
        words = frozenset(
            word
            for _, pattern in self._list_patterns()
            for choices in self._parse(pattern)
            for phrase in choices
            for word in phrase
        )
        return words.union(
            self.language.vocabulary, self.language.folded_particles, self.language.contractions
        )

    @cached_property
    def leads_to_names(self) -> frozenset[str]:
        """Words after which an article makes no other thing of a name: "bei der Allianz"."""
        found = self.phrases.items()
        return frozenset(words[0] for words, tags in found if len(words) == 1 and "at" in tags)

    @cached_property
    def says_now(self) -> frozenset[str]:
        """Particles that a sentence is cut without, and yet tell when."""
        forms = (form for said in self.says["now"] for form in self._list_forms(said))
        words = {form[0] for form in forms if len(form) == 1}
        return frozenset(words & self.language.folded_particles)

    @cached_property
    def connecting(self) -> re.Pattern[str] | None:
        words = "|".join(map(re.escape, self.beside.connectors))
        return re.compile(rf"[\s,]+(?:{words})[\s,:]+", re.I) if words else None

    @cached_property
    def openings(self) -> frozenset[Phrase]:
        """Those of `Beside`, without choices."""
        openings = (one for said in self.beside.openings for one in expand(said))
        return frozenset(map(self.language.split, openings))

    @cached_property
    def weighty(self) -> frozenset[str]:
        """Words that no aside has."""
        words = {word for phrase, tags in self.phrases.items() if _tells(tags) for word in phrase}
        light = {phrase[0] for phrase, tags in self.phrases.items() if not _tells(tags)}
        return self.beside.weighty.union(words - light)

    @cached_property
    def firm_words(self) -> frozenset[str]:
        return self.firms | self.kin

    @cached_property
    def unnamed(self) -> frozenset[str]:
        """Words that, written small, are no part of a name."""
        return self.language.folded_never_names | self.not_names

    @cached_property
    def folded_places(self) -> frozenset[tuple[str, ...]]:
        return frozenset(self.language.split(place) for place in self.places)

    @cached_property
    def places_by_word(self) -> Mapping[str, list[tuple[str, ...]]]:
        index: dict[str, list[tuple[str, ...]]] = {}
        for words in self.folded_places:
            index.setdefault(words[0], []).append(words)
        return index

    def has_branch(self, item: Filter) -> bool:
        """Whether a branch of work was taken for a place or a firm."""
        is_name = item["op"] == "contains" and item["field"] != "title"
        return is_name and self.language.fold(str(item["value"])) in self.branches

    @cached_property
    def trade_tails(self) -> tuple[str, ...]:
        """How words end that are what someone works as: compounds end in one, too."""
        whole = self.trades if self.language.splits_compounds else ()
        return (*self.trade_endings, *(trade for trade in whole if len(trade) >= MIN_TAIL_CHARS))

    def is_trade(self, words: Phrase) -> bool:
        """Whether the words are what someone works as, by the word that leads them."""
        head = words[0] if self.language.adjectives_follow else words[-1]
        if len(words) > 1 and words[-1] in self.trade_loans:
            return True
        return head in self.trades or (
            len(head) > 4 and head.endswith(self.trade_tails) and head not in self.unnamed
        )


def _tells(tags: tuple[str, ...]) -> bool:
    """Whether the tags of a phrase say which rows, or what to do with them."""
    told = ("noun ", "value ", "order ", "count", "list", "show", "sort", "whole", "last", "stop")
    return any(tag.startswith(told) for tag in tags) and "skip" not in tags


def _read_words(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return "\n".join(line for line in lines if not line.startswith("#"))


@lru_cache(maxsize=8)
def load_phrasebooks(folder: Path) -> tuple[Phrasebook, ...]:
    """Raises: ConfigError that names a file that is no phrasebook."""
    text = (folder / PLACES).read_text("utf-8").casefold().replace("\n", ",")
    places = frozenset(place.strip() for place in text.split(",") if place.strip())
    return tuple(_load_phrasebook(path, places) for path in sorted(folder.glob("*.toml")))


def _load_phrasebook(path: Path, places: frozenset[str]) -> Phrasebook:
    fold = _LANGUAGES[path.stem].fold
    trades = _read_words(path.parent / TRADES / f"{path.stem}.txt")

    def parse(name: str, text: str) -> Phrasebook:
        given = {"name": name, "places": places, "trades": trades, **tomllib.loads(text)}
        return convert(
            given, Phrasebook, dec_hook=lambda kind, value: kind(map(fold, value.split()))
        )

    return read_language_file(path, parse)
