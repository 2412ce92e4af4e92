"""What is known: every sentence of résumé, profile and posting with the path it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final, cast

from plainloop.agent.base.foreign_json import as_list, as_object

from .spans import Span, YearMonth, blank_dates, parse_dates, parse_span
from .words import build_grams, join_words, load_countries, load_words, split_words, to_stem

_NOT_FACTS: Final = frozenset({"$schema", "meta", "image", "postalCode"})
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
# A field's name says something too: "score": "4.0" is a GPA.
_KEY_WORDS: Final = {"score": ("gpa", "grade"), "endDate": ("graduated",), "awards": ("award",)}
_NAME_KEYS: Final = ("name", "organization", "institution", "entity", "company")
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

    @cached_property
    def dates(self) -> list[YearMonth]:
        return parse_dates(self.text)

    @cached_property
    def undated(self) -> str:
        return blank_dates(self.text)


@dataclass(frozen=True, slots=True)
class Entry:
    """One position, project, degree: facts that belong together."""

    path: str
    section: str  # work | volunteer | projects | education
    title: str  # employer, organisation, institution … as written
    names: tuple[str, ...]  # the same as keys
    span: Span | None
    dates: frozenset[YearMonth]


@dataclass(frozen=True, slots=True)
class Material:
    """The candidate's own facts and the posting's, apart: only the first support claims."""

    own: tuple[Fact, ...]
    posting: tuple[Fact, ...]
    entries: tuple[Entry, ...]
    today: date  # the end of what is still going on

    def list_posted(self, field: str) -> list[Fact]:
        """List what the posting says in one of its fields."""
        return [fact for fact in self.posting if fact.path == f"job.{field}"]

    def list_entries(self, keys: frozenset[str]) -> list[Entry]:
        """Entries whose name stands among the keys of a sentence."""
        return [entry for entry in self.entries if any(name in keys for name in entry.names)]


def build_material(
    resume: Mapping[str, Any], profile: str, job: Mapping[str, Any], today: date
) -> Material:
    """Index what a letter may draw on."""
    own = [*_list_facts(resume, "resume"), *_list_facts({"": profile}, "profile")]
    return Material(
        own=tuple(own),
        posting=tuple(_list_facts({k: v for k, v in job.items() if k in _POSTING}, "job")),
        entries=tuple(_list_entries(resume, own, today)),
        today=today,
    )


_POSTING: Final = (
    "company",
    "title",
    "location",
    "remote_type",
    "requirements",
    "nice_to_haves",
    "notes",
    "tags",
    "salary_min",
    "salary_max",
    "salary_currency",
    "salary_period",
    "contact_name",
    "contact_email",
    "url",
    "source",
)


def make_fact(path: str, entry: str, text: str, keys: tuple[str, ...] = ()) -> Fact:
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
    )


def _list_facts(value: Any, path: str, entry: str = "", key: str = "") -> Iterator[Fact]:
    """Every sentence of every text below `value`, depth first."""
    if isinstance(value, Mapping):
        fields = cast(Mapping[str, Any], value)
        for name, item in fields.items():
            if name not in _NOT_FACTS:
                below = f"{path}.{name}" if name else path
                yield from _list_facts(item, below, entry, name)
    elif isinstance(value, list):
        for index, item in enumerate(cast(list[Any], value)):
            below = f"{path}[{index}]"
            is_entry = isinstance(item, Mapping)
            yield from _list_facts(item, below, below if is_entry else entry, key)
    elif value is not None and not isinstance(value, bool):
        text = load_countries().get(str(value), "") if key == "countryCode" else str(value)
        for sentence in _SENTENCE.split(text):
            if sentence.strip():
                yield make_fact(path, entry, sentence.strip(), (key,) if key else ())


def _list_entries(resume: Mapping[str, Any], facts: list[Fact], today: date) -> Iterator[Entry]:
    for section in _DATED:
        for index, item in enumerate(as_list(resume.get(section))):
            values = as_object(item)
            if not values:
                continue
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
    """The entry's name as a key, also without a corporate ending ("Acme Inc." → "acme")."""
    endings = load_words("company_endings")
    for key in _NAME_KEYS:
        words = split_words(str(item.get(key) or ""))
        if words:
            yield join_words(words)
        while len(words) > 1 and words[-1] in endings:
            words = words[:-1]
            yield join_words(words)
