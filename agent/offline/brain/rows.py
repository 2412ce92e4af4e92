"""Rows in tool results and their marks (`#3 …`) in texts: which one does a request mean?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

from ...base.text import fold
from ..reading import Done, Event, Said
from .words import list_stems, list_words

Row = dict[str, Any]
Item = TypeVar("Item")

_MARK: Final = re.compile(r"#(\d{1,9})\b([^#\n]*)")
_TITLE_KEYS: Final = ("title", "name", "label", "subject")
_AT_KEYS: Final = ("company", "employer", "organization")
_NOTE_KEYS: Final = ("status", "state", "kind")
_ORDINALS: Final = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "4th": 3,
    "fifth": 4,
    "last": -1,
}


_POINTING: Final = re.compile(
    r"^\W*(?:(?:and|what about|how about|show me|tell me about|open|i mean|no)\b[\s,]*)*"
    r"the\s+([\w&.'’-]+(?:\s[\w&.'’-]+){0,2}?)(?:\s+(?:one|job|please))*\W*$",
    re.I,
)


def find_rows(result: Any) -> list[Row]:
    """The rows in a result: its first list of objects, or its one object with an id."""
    if isinstance(result, list):
        return [cast(Row, item) for item in cast(list[Any], result) if isinstance(item, dict)]
    if not isinstance(result, dict):
        return []
    found = cast(Row, result)
    if get_row_id(found) is not None and not any(
        isinstance(v, list | dict) for v in found.values()
    ):
        return [found]
    for value in found.values():
        if isinstance(value, list) and any(isinstance(i, dict) for i in cast(list[Any], value)):
            return find_rows(value)
    for value in found.values():
        if isinstance(value, dict) and get_row_id(cast(Row, value)) is not None:
            return [cast(Row, value)]
    return [found] if get_row_id(found) is not None else []


def get_row_id(row: Mapping[str, Any], key: str = "") -> int | str | None:
    """The row's own id: under `key`, "id", or its first key that ends in `_id`."""
    for name in [key, "id", *(name for name in row if name.endswith("_id"))]:
        value = row.get(name) if name else None
        if isinstance(value, int | str) and not isinstance(value, bool):
            return int(value) if str(value).isdecimal() and len(str(value)) < 10 else value
    return None


def format_row(row: Mapping[str, Any]) -> str:
    """One readable line: `#3 Web Developer at Microsoft (saved)`."""
    title = _first_text(row, _TITLE_KEYS)
    place = _first_text(row, _AT_KEYS)
    note = _first_text(row, _NOTE_KEYS)
    row_id = get_row_id(row)
    parts = [f"#{row_id}" if row_id is not None else "", title or ("" if place else "entry")]
    parts.append(f"at {place}" if place and title else place)
    parts.append(f"({note})" if note else "")
    return " ".join(part for part in parts if part)


def narrow_rows(rows: list[Row], names: Mapping[str, Any], clause: str) -> list[Row]:
    """The rows that the request can mean, by the names that it gives or else by its words."""
    company, title = fold(str(names.get("company") or "")), str(names.get("title") or "")
    if company:
        rows = [row for row in rows if _is_same_name(company, fold(_first_text(row, _AT_KEYS)))]
    if title:
        wanted = set(list_stems(title))
        rows = _keep_best(rows, lambda row: _count_shared(wanted, _first_text(row, _TITLE_KEYS)))
    if company or title or len(rows) < 2:
        return rows
    words = set(list_words(clause))
    named = [
        row
        for row in rows
        if any(_is_named(_first_text(row, keys), words) for keys in (_AT_KEYS, _TITLE_KEYS))
    ]
    return named or rows


def find_reference(clause: str, events: tuple[Event, ...]) -> int | str | None:
    """The id of the row that was talked about last; None when several fit or none was."""
    for event in reversed(events):
        if isinstance(event, Said) and event.role == "assistant":
            marks = list_marks(event.text)
            if marks:
                return choose_mark(clause, marks)
        elif isinstance(event, Done):
            rows = find_rows(event.result)
            if len(rows) == 1:
                return get_row_id(rows[0])
    return None


def is_about_nothing(events: tuple[Event, ...]) -> bool:
    """Whether the thing that was asked for last is not there: "it" then means no row at all."""
    for event in reversed(events):
        if isinstance(event, Said):
            if event.role == "assistant" and list_marks(event.text):
                return False
        elif find_rows(event.result):
            return False
        elif event.arguments and _has_empty_list(event.result):
            return True
    return False


def list_marks(text: str) -> list[tuple[int, str]]:
    """The rows that a text marks: (id, rest of the line), each once."""
    marks: dict[int, str] = {}
    for match in _MARK.finditer(text):
        marks.setdefault(int(match[1]), match[2])
    return list(marks.items())


def choose_mark(clause: str, marks: list[tuple[int, str]]) -> int | None:
    """The one mark that a reply such as "the second one" or "the Berlin one" means."""
    if len(marks) == 1:
        return marks[0][0]
    words = list_words(clause)
    for word in words:
        if word in _ORDINALS and -len(marks) <= _ORDINALS[word] < len(marks):
            return marks[_ORDINALS[word]][0]
    stems = set(list_stems(clause))
    best = _keep_best(marks, lambda mark: _count_shared(stems, mark[1]))
    return best[0][0] if len(best) == 1 else None


def find_pointed(text: str, last_answer: str) -> str:
    """The row of the last answer that a mere "and the second one?" points to; "" for all else.

    >>> find_pointed("and the second one?", "#7 Cook (saved)\\n#5 Baker (saved)")
    '#5 Baker (saved)'
    """
    match = _POINTING.match(text)
    marks = list_marks(last_answer) if match else []
    chosen = choose_mark(match[1], marks) if match and len(marks) > 1 else None
    return next((f"#{number}{rest}".strip() for number, rest in marks if number == chosen), "")


def _has_empty_list(result: Any) -> bool:
    values = cast(Row, result).values() if isinstance(result, dict) else (result,)
    return any(value == [] for value in values)


def _count_shared(stems: set[str], text: str) -> int:
    return len(stems & set(list_stems(text)))


def _keep_best(items: list[Item], score: Callable[[Item], int]) -> list[Item]:
    """The items with the highest score; none when nobody scores."""
    top = max((score(item) for item in items), default=0)
    return [item for item in items if score(item) == top] if top else []


def _is_same_name(wanted: str, company: str) -> bool:
    return bool(company) and (wanted in company or company in wanted)


def _is_named(name: str, words: set[str]) -> bool:
    own = list_words(name)
    return bool(own) and set(own) <= words


def _first_text(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = row.get(key)
        if isinstance(value, dict):
            value = cast(Row, value).get("name")
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""
