"""Rows in tool results and their marks (`#3 …`) in texts: which one does a request mean?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from plainloop.agent.base.text.foreign_json import as_object, list_objects

from ..reading import Event, Said
from .words import list_words

Row = dict[str, Any]

_MARK: Final = re.compile(r"#(\d{1,9})\b")
_TITLE_KEYS: Final = ("title", "name", "label", "subject")
_AT_KEYS: Final = ("company", "employer", "organization")
_NOTE_KEYS: Final = ("status", "state", "kind")


def find_rows(result: Any) -> list[Row]:
    """Return the rows in a tool's result.

    They are its first list of objects, or the one object if it has an id.
    """
    if isinstance(result, list):
        return list_objects(cast(Any, result))
    found = as_object(result)
    own = [found] if get_row_id(found) is not None else []
    if own and not any(isinstance(value, list | dict) for value in found.values()):
        return own
    inner = (as_object(value) for value in found.values())
    held = [*map(list_objects, found.values()), [o for o in inner if get_row_id(o) is not None][:1]]
    return next(filter(None, held), own)


def get_row_id(row: Mapping[str, Any], key: str = "") -> int | str | None:
    """Return a row's own id, or None.

    It is under `key`, "id", or the first key that ends in `_id`.
    """
    for name in [key, "id", *(name for name in row if name.endswith("_id"))]:
        value = row.get(name) if name else None
        if isinstance(value, int | str) and not isinstance(value, bool):
            return int(value) if str(value).isdecimal() and len(str(value)) < 10 else value
    return None


def format_row(row: Mapping[str, Any]) -> str:
    """Format a row as one readable line: `#3 Web Developer at Microsoft (saved)`."""
    title, place, note = (_first_text(row, keys) for keys in (_TITLE_KEYS, _AT_KEYS, _NOTE_KEYS))
    row_id = get_row_id(row)
    parts = [f"#{row_id}" if row_id is not None else "", title or ("" if place else "entry")]
    parts.append(f"at {place}" if place and title else place)
    parts.append(f"({note})" if note else "")
    return " ".join(part for part in parts if part)


def narrow_rows(rows: list[Row], named: str) -> list[Row]:
    """Return the rows whose title, name or company contain every word of `named`."""
    wanted = set(list_words(named)) - {"at"}
    return [
        row
        for row in rows
        if wanted
        <= {w for keys in (_TITLE_KEYS, _AT_KEYS) for w in list_words(_first_text(row, keys))}
    ]


def find_reference(events: tuple[Event, ...]) -> int | str | None:
    """Return the id of the row that was mentioned last.

    None if no row or several rows were.
    """
    for event in reversed(events):
        if isinstance(event, Said):
            marks = {int(number) for number in _MARK.findall(event.text)}
            if event.role == "assistant":
                return marks.pop() if len(marks) == 1 else None
        elif rows := find_rows(event.result):
            return get_row_id(rows[0]) if len(rows) == 1 else None
    return None


def _first_text(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = as_object(row.get(key)).get("name", row.get(key))
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""
