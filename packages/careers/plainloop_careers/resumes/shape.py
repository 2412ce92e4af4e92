"""The shape of a JSON Resume: what is checked on import, and the compact form for models.

Source: https://jsonresume.org/schema (1.0.0). Unknown keys are kept; null stands for "not given".
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

import msgspec
import orjson

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.errors import InputError

from ..files import Patterns, describe_fault, load_data
from .periods import NOW, cut_period

_SAID: Final = Patterns(__file__)
_ISO: Final = re.compile(r"\d{4}(?:-\d\d){0,2}")
_MONTH: Final = re.compile(r"\d{4}-\d\d")
SHAPE: Final = load_data(__file__, "shape.toml")
_SECTIONS: Final = tuple(SHAPE)
_ONES: Final = ("basics", "location")  # all else are lists of entries
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
# Says nothing about the person, or is nothing a model should spend tokens on.
_NOT_FOR_MODELS: Final = frozenset({"$schema", "meta", "image", "url", "canonical", "references"})


def _make_type(name: str, said: dict[str, Any]) -> Any:
    """Make the type that checks a section's entry; unknown keys and nulls pass."""
    if not said:
        return dict[str, Any]
    types: dict[str, Any] = dict.fromkeys(said.get("text", "").split(), str | None)
    types |= dict.fromkeys(said.get("texts", "").split(), list[str] | None)
    for key, inner in said.items():
        if isinstance(inner, dict):
            kind = _make_type(key, cast(dict[str, Any], inner))
            types[key] = (kind if key in _ONES else list[kind]) | None
    return msgspec.defstruct(name, [(key, kind, None) for key, kind in types.items()])


_JsonResume: Final = _make_type("JsonResume", SHAPE)


def parse_resume_data(value: Any) -> dict[str, Any]:
    """Check that a value is a JSON Resume with some content, and return it.

    Keys of the schema before 1.0 get today's names, and dates in words become ISO dates. A name
    that is only the paper's title ("Lebenslauf") is left out.

    Raises: InputError naming the first key that is wrong, e.g. `work[0].name`.
    """
    value = _update(value)
    try:
        msgspec.convert(value, _JsonResume)
        orjson.dumps(value)  # unknown keys are stored too: at most 254 levels, 64-bit integers
    except msgspec.ValidationError as error:
        told = f"this is not JSON Resume: {describe_fault(error)}"
        raise InputError(told, hint=_HINT) from error
    except orjson.JSONEncodeError as error:
        told = "this JSON Resume has a number that is too large, or too many nested levels"
        raise InputError(told, hint="Export the file again, or remove that field.") from error
    data = cast(dict[str, Any], value)
    if not any(data.get(section) for section in _SECTIONS):
        raise InputError(
            "this is not JSON Resume: it has none of the format's sections", hint=_HINT
        )
    basics = as_object(data.get("basics"))
    if is_document_title(basics.get("name") or ""):
        return {**data, "basics": {k: v for k, v in basics.items() if k != "name"}}
    return data


# Before 1.0: https://github.com/jsonresume/resume-schema/releases
_RENAMED: Final = {"company": "name", "website": "url", "gpa": "score", "picture": "image"}
_DATES: Final = ("startDate", "endDate")
_RENAMED_IN: Final = ("basics", "work", "volunteer", "education", "publications", "projects")


def _update(value: Any) -> Any:
    """Return a JSON Resume in the keys and dates of today's schema.

    >>> _update({"work": [{"company": "Noma", "startDate": "May 2019", "endDate": "Present"}]})
    {'work': [{'name': 'Noma', 'startDate': '2019-05'}]}
    """
    updated = dict(as_object(value))
    for section in _RENAMED_IN:
        if isinstance(updated.get(section), dict):
            updated[section] = _update_entry(as_object(updated[section]))
        entries = as_list(updated.get(section))
        if entries and all(isinstance(one, dict) for one in entries):
            updated[section] = [_update_entry(as_object(one)) for one in entries]
    return updated or value


def _update_entry(entry: dict[str, Any]) -> dict[str, Any]:
    updated: dict[str, Any] = {}
    for key, item in entry.items():
        new = _RENAMED.get(key, key)
        updated[key if new in entry else new] = item
    for name in ("score", *_DATES):
        if isinstance(updated.get(name), int | float):
            updated[name] = str(updated[name])
    for name in _DATES:
        text = updated.get(name)
        if not isinstance(text, str):
            continue
        updated[name] = to_iso_date(text)
        if name == "endDate" and NOW.fullmatch(text.strip()):
            del updated[name]
    return updated


def to_iso_date(text: str) -> str:
    """Return a month in words as an ISO date, any other text unchanged.

    >>> to_iso_date("April 2021"), to_iso_date("spring")
    ('2021-04', 'spring')
    """
    rest, dates = cut_period(text)
    date = "".join(dates.values())
    is_month = not rest.strip() and _MONTH.fullmatch(date) and not _ISO.fullmatch(text)
    return date if is_month else text


def is_json_resume(value: Any) -> bool:
    """Whether a value is a valid JSON Resume, which a design's own parser need not return."""
    try:
        parse_resume_data(value)
    except InputError:
        return False
    return True


_TITLE: Final = _SAID.compile("title")


def is_document_title(text: str) -> bool:
    """Whether a line is a title such as "Lebenslauf", and therefore not a person's name."""
    return _TITLE.fullmatch(text.strip(" :#*_-–—\t\n")) is not None


_HINT: Final = f"Expected an object with any of {', '.join(_SECTIONS)} (https://jsonresume.org)."


def to_compact_resume(data: Any) -> Any:
    """Return the résumé without links, metadata and empty values, for a model to read.

    >>> to_compact_resume({"basics": {"name": "Ann", "image": "", "url": "http://a"}, "work": []})
    {'basics': {'name': 'Ann'}}
    """
    return drop_empty(data, _NOT_FOR_MODELS)


def drop_empty(value: Any, keys: frozenset[str] = frozenset()) -> Any:
    """Return a JSON value without empty values and without these keys, at any depth."""
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        kept = {key: drop_empty(item, keys) for key, item in items if key not in keys}
        return {key: item for key, item in kept.items() if item not in _EMPTY}
    if isinstance(value, list):
        left = [drop_empty(item, keys) for item in cast(list[Any], value)]
        return [item for item in left if item not in _EMPTY]
    return value
