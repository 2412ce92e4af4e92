"""The shape of a JSON Resume: what is checked on import, and the compact form for models.

Source: https://jsonresume.org/schema (1.0.0). Unknown keys are kept; null stands for "not given".
"""

from __future__ import annotations

import re
from typing import Any, Final, TypedDict, cast

import msgspec

from plainloop.agent.base.foreign_json import as_object
from plainloop.agent.errors import InputError

from ..files import describe_fault

_Text = str | None
_Texts = list[str] | None


class _Location(TypedDict, total=False):
    address: _Text
    city: _Text
    region: _Text
    countryCode: _Text
    postalCode: _Text


class _Profile(TypedDict, total=False):
    network: _Text
    username: _Text
    url: _Text


class _Basics(TypedDict, total=False):
    name: _Text
    label: _Text
    email: _Text
    phone: _Text
    url: _Text
    summary: _Text
    location: _Location | None
    profiles: list[_Profile] | None


class _Work(TypedDict, total=False):
    name: _Text
    position: _Text
    location: _Text
    description: _Text
    startDate: _Text
    endDate: _Text
    summary: _Text
    highlights: _Texts


class _Volunteer(TypedDict, total=False):
    organization: _Text
    position: _Text
    startDate: _Text
    endDate: _Text
    summary: _Text
    highlights: _Texts


class _Education(TypedDict, total=False):
    institution: _Text
    area: _Text
    studyType: _Text
    startDate: _Text
    endDate: _Text
    score: _Text
    courses: _Texts


class _Skill(TypedDict, total=False):
    name: _Text
    level: _Text
    keywords: _Texts


class _Language(TypedDict, total=False):
    language: _Text
    fluency: _Text


class _Project(TypedDict, total=False):
    name: _Text
    description: _Text
    highlights: _Texts
    keywords: _Texts
    startDate: _Text
    endDate: _Text
    roles: _Texts
    entity: _Text


_Plain = dict[str, Any]


class JsonResume(TypedDict, total=False):
    """Types only what the pack reads; the rest of a file passes through."""

    basics: _Basics | None
    work: list[_Work] | None
    volunteer: list[_Volunteer] | None
    education: list[_Education] | None
    awards: list[_Plain] | None
    certificates: list[_Plain] | None
    publications: list[_Plain] | None
    skills: list[_Skill] | None
    languages: list[_Language] | None
    interests: list[_Plain] | None
    references: list[_Plain] | None
    projects: list[_Project] | None


_SECTIONS: Final = tuple(JsonResume.__annotations__)
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
# Says nothing about the person, or is nothing a model should spend tokens on.
_NOT_FOR_MODELS: Final = frozenset({"$schema", "meta", "image", "url", "canonical", "references"})


def parse_resume_data(value: Any) -> dict[str, Any]:
    """The value, checked to be a JSON Resume with at least one section that says something; where
    its name is only the paper's title ("Lebenslauf"), without a name.

    Raises: InputError naming the first key that is wrong, e.g. `work[0].name`.
    """
    try:
        msgspec.convert(value, JsonResume)
    except msgspec.ValidationError as error:
        told = f"this is not JSON Resume: {describe_fault(error)}"
        raise InputError(told, hint=_HINT) from error
    data = cast(dict[str, Any], value)
    if not any(data.get(section) for section in _SECTIONS):
        raise InputError(
            "this is not JSON Resume: it has none of the format's sections", hint=_HINT
        )
    basics = as_object(data.get("basics"))
    if is_document_title(basics.get("name") or ""):
        return {**data, "basics": {k: v for k, v in basics.items() if k != "name"}}
    return data


def is_json_resume(value: Any) -> bool:
    """Whether the value has that shape: the parser of somebody's own design may give another."""
    try:
        parse_resume_data(value)
    except InputError:
        return False
    return True


_TITLE: Final = re.compile(
    r"(?:tabellarischer )?lebenslauf|curriculum(?: vit(?:ae|æ))?|curr[íi]culum(?: v[íi]tae)?"
    r"|c\.?v\.?|r[ée]sum[ée]|hoja de vida|vita|profile?|profil|contact|kontakt|name"
    r"|(?:work |professional )?experience|berufserfahrung|education|skills"
    r"|pers[öo]nliche daten|personal (?:data|details|information)|datos personales",
    re.I,
)


def is_document_title(text: str) -> bool:
    """Whether a line is what the paper, or a part of it, is called, and so nobody's name."""
    return _TITLE.fullmatch(text.strip(" :#*_-–—\t\n")) is not None


_HINT: Final = f"Expected an object with any of {', '.join(_SECTIONS)} (https://jsonresume.org)."


def to_compact_resume(data: Any) -> Any:
    """The résumé without links, metadata and empty values: what a model needs to read.

    >>> to_compact_resume({"basics": {"name": "Ann", "image": "", "url": "http://a"}, "work": []})
    {'basics': {'name': 'Ann'}}
    """
    return drop_empty(data, _NOT_FOR_MODELS)


def drop_empty(value: Any, keys: frozenset[str] = frozenset()) -> Any:
    """A JSON value without nulls and what is empty in it, and without these keys."""
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        kept = {key: drop_empty(item, keys) for key, item in items if key not in keys}
        return {key: item for key, item in kept.items() if item not in _EMPTY}
    if isinstance(value, list):
        left = [drop_empty(item, keys) for item in cast(list[Any], value)]
        return [item for item in left if item not in _EMPTY]
    return value
