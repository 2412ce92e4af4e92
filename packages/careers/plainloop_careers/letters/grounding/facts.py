"""What is known: every sentence of résumé, profile and posting with the path it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Any, Final, cast

from plainloop.agent.dataclasses import dataclass, field

from ...files import Patterns
from .spans import Span, YearMonth, blank_dates, parse_dates, parse_span
from .words import WORD, build_grams, join_words, load_countries, load_words, split_words, to_stem

_SAID: Final = Patterns(__file__)
_NOT_FACTS: Final = frozenset({"$schema", "meta", "image", "postalCode"})
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
# A field's name says something too: "score": "4.0" is a GPA.
_KEY_WORDS: Final = {"score": ("gpa", "grade"), "endDate": ("graduated",), "awards": ("award",)}
_LETTER: Final = re.compile(r"[^\W\d_]")
_NAME_KEYS: Final = ("name", "organization", "institution", "entity", "company")
_ENTRY_KEYS: Final = ("position", *_NAME_KEYS, "startDate", "endDate", "summary", "keywords")
_DATED: Final = ("work", "volunteer", "projects", "education")


@dataclass(frozen=True)  # without slots, for what is worked out once
class Fact:
    """One sentence of the material."""

    path: str  # "resume.work[0].highlights[1]", "profile", "job.requirements"
    entry: str  # "resume.work[0]": what the path's parent is about; "" for none
    text: str
    words: frozenset[str]
    grams: frozenset[str]  # keys of its runs of words, see words.join_words
    stems: frozenset[str]  # of its content words and its field's name
    initials: frozenset[str]  # "Information Technology" → "it"

    @cached_property
    def dates(self) -> list[YearMonth]:
        """Return the dates in the fact's text, as (year, month or None) each."""
        return parse_dates(self.text)

    @cached_property
    def undated(self) -> str:
        """Return the fact's text with spaces instead of its dates."""
        return blank_dates(self.text)


@dataclass(frozen=True, slots=True)
class Entry:
    """Facts of one position, project or degree in the résumé."""

    path: str
    section: str  # work | volunteer | projects | education
    title: str  # employer, organisation, institution … as written
    names: tuple[str, ...]  # the same as keys
    span: Span | None
    dates: frozenset[YearMonth]


@dataclass(frozen=True, slots=True)
class Material:
    """The candidate's and the posting's facts, apart: claims need support by the candidate's."""

    own: tuple[Fact, ...]
    posting: tuple[Fact, ...]
    entries: tuple[Entry, ...]
    today: date  # the end of what is still going on
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])  # section → its length

    def list_posted(self, field: str) -> list[Fact]:
        """List the facts in one field of the posting."""
        return [fact for fact in self.posting if fact.path == f"job.{field}"]

    def list_entries(self, keys: frozenset[str]) -> list[Entry]:
        """List the résumé's entries that a sentence names. keys: its words and phrases, joined."""
        return [entry for entry in self.entries if any(name in keys for name in entry.names)]


def build_material(
    resume: Mapping[str, Any], profile: str, job: Mapping[str, Any], today: date
) -> Material:
    """Build the facts that a letter's claims are checked against."""
    own = [*_list_facts(resume, "resume"), *_list_facts({"": profile}, "profile")]
    sections = {
        key: cast(list[Any], value) for key, value in resume.items() if isinstance(value, list)
    }
    return Material(
        own=tuple(own),
        posting=tuple(_list_facts({k: v for k, v in job.items() if k in _POSTING}, "job")),
        entries=tuple(_list_entries(sections, own, today)),
        today=today,
        sizes={key: len(value) for key, value in sections.items()},
    )


_POSTING: Final = _SAID["posting"]


def make_fact(path: str, entry: str, text: str, keys: tuple[str, ...] = ()) -> Fact:
    """Build a fact from a sentence, with its words and dates for comparison."""
    words = split_words(text)
    plain = load_words("function_words")
    content = [word for word in words if word not in plain and len(word) > 1]
    named = [extra for key in keys for extra in _KEY_WORDS.get(key, (key,))]
    return Fact(
        path=path,
        entry=entry,
        text=text,
        words=frozenset(words),
        grams=build_grams(words),
        stems=frozenset(to_stem(word) for word in [*content, *named]),
        initials=frozenset(_list_initials(text)),
    )


def _list_facts(value: Any, path: str, entry: str = "", key: str = "") -> Iterator[Fact]:
    """Yield a fact for each sentence of each text below `value`, depth first."""
    if isinstance(value, Mapping):
        fields = cast(Mapping[str, Any], value)
        for name, item in fields.items():
            if name not in _NOT_FACTS and not _is_piece(name, item, fields):
                below = f"{path}.{name}" if name else path
                yield from _list_facts(item, below, entry, name)
    elif isinstance(value, list):
        for index, item in _join_wrapped(cast(list[Any], value)):
            below = f"{path}[{index}]"
            is_entry = isinstance(item, Mapping)
            yield from _list_facts(item, below, below if is_entry else entry, key)
    elif value is not None and not isinstance(value, bool):
        text = load_countries().get(str(value), "") if key == "countryCode" else str(value)
        for sentence in _SENTENCE.split(text):
            if sentence.strip():
                yield make_fact(path, entry, sentence.strip(), (key,) if key else ())


def _is_piece(key: str, text: Any, entry: Mapping[str, Any]) -> bool:
    """Whether a position or employer is really a wrapped line of text.

    That is: in lower case, without dates and without the other half of an entry.
    """
    if key not in ("position", *_NAME_KEYS) or not isinstance(text, str):
        return False
    is_alone = not any(entry.get(other) for other in _ENTRY_KEYS if other != key)
    return is_alone and text[:1].islower() and " " in text


def _join_wrapped(items: list[Any]) -> Iterator[tuple[int, Any]]:
    """Yield items with their positions, each joined with the wrapped lines after it.

    "events a day", under "- Handles 20,000", is no fact of its own.
    """
    whole: list[tuple[int, Any]] = []
    for index, item in enumerate(items):
        before = whole[-1][1] if whole else None
        if isinstance(item, str) and isinstance(before, str) and _is_rest_of(before, item):
            whole[-1] = (whole[-1][0], f"{before} {item.strip()}")
        else:
            whole.append((index, item))
    yield from whole


def _is_rest_of(before: str, line: str) -> bool:
    begins = _LETTER.search(before)
    is_closed = before.rstrip().endswith((".", "!", "?", ":"))
    return line.strip()[:1].islower() and not is_closed and bool(begins and begins[0].isupper())


def _list_initials(text: str) -> Iterator[str]:
    """Yield the initials of each run of two to five capitalised words, as acronyms."""
    words = [match[0] for match in WORD.finditer(text)]
    for start in range(len(words)):
        for end in range(start + 2, min(len(words), start + 5) + 1):
            run = words[start:end]
            if all(word[0].isupper() for word in run):
                yield "".join(word[0] for word in run).casefold()


def _list_entries(sections: Mapping[str, Any], facts: list[Fact], today: date) -> Iterator[Entry]:
    for section in _DATED:
        for index, item in enumerate(cast(list[Any], sections.get(section) or [])):
            if not isinstance(item, Mapping):
                continue
            values = cast(Mapping[str, Any], item)
            path = f"resume.{section}[{index}]"
            texts = [fact.text for fact in facts if fact.entry == path]
            yield Entry(
                path=path,
                section=section,
                title=next((str(values[key]) for key in _NAME_KEYS if values.get(key)), section),
                names=tuple(_list_names(values)),
                span=parse_span(values.get("startDate"), values.get("endDate"), today),
                dates=frozenset(item for text in texts for item in parse_dates(text)),
            )


def _list_names(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield an entry's name as a key, also without its corporate ending ("Acme Inc." → "acme")."""
    endings = load_words("company_endings")
    for key in _NAME_KEYS:
        words = split_words(str(item.get(key) or ""))
        if words:
            yield join_words(words)
        while len(words) > 1 and words[-1] in endings:
            words = words[:-1]
            yield join_words(words)
