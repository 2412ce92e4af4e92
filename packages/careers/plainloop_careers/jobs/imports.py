"""Jobs from texts that say `Title:` and `Company:`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, Literal

from plainloop.agent.base.text.patterns import compile_lazily
from plainloop.agent.errors import InputError

from ..files import load_data
from .fields import clean_line
from .salaries import parse_salary


@cache
def load_labels(table: Literal["labels", "remote_types", "statuses"]) -> dict[str, str]:
    """Load the map from words in users' files to columns or values of the job tracker."""
    known: dict[str, list[str]] = load_data(__file__, "labels.toml")[table]
    return {said: meant for meant, words in known.items() for said in words}


def complete_job(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a job's fields for the tracker, with `source` "import"; refuse an incomplete job.

    Raises: InputError without title or company.
    """
    missing = [key for key in ("title", "company") if not fields.get(key)]
    if missing:
        raise InputError(f"no {' and no '.join(missing)} found in {name}", hint=_HINT)
    return {**{key: value for key, value in fields.items() if value}, "source": "import"}


_HINT: Final = (
    "A JSON job needs `title` and `company`; a text needs lines such as `Title: Web Developer`."
)


LONG: Final = frozenset({"requirements", "nice_to_haves", "notes"})
_LABEL_LINE: Final = compile_lazily(
    r"^[\s#>*_-]*([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,3})[*_]*\s*:[*_]*\s*(.*?)\s*$"
)
# Of a sheet's columns; in a text such words are of something else.
_SHEETS_ONLY: Final = frozenset(
    {"status", "applied_at", "created_at", "updated_at", "heading", "ignored", "job_fit", "source"}
)
ITEM: Final = compile_lazily(r"\s*(?:[-•*–·]|\d{1,2}[.)])\s")
_HEADING: Final = compile_lazily(r"^\s*#+\s*(.+?)\s*$")
_IN_BRACKETS: Final = re.compile(r"([^()]*[^()\s])\s*\(([^()]{1,40})\)\s*")
_TITLE_AT_COMPANY: Final = compile_lazily(
    r"^\W*(\S.{1,80}?)\s+(?:at|@|bei|chez|presso|na empresa)\s+(\S.{0,60}?)\W*$", re.I
)


def from_text(text: str) -> dict[str, Any]:
    """Parse lines such as "Title: Cook" to a job's fields, with all other lines as notes.

    A first line "Title at Company" counts too.
    """
    found: dict[str, list[str]] = {}
    current, before = "notes", ""
    for line in text.splitlines():
        # A section of items ends where, after an empty line, something else begins.
        if current != "notes" and not before.strip() and line.strip():
            current = current if ITEM.match(line) else "notes"
        before = line
        if line.strip() in ("---", "+++"):
            continue
        column, rest = read_label(line)
        if column is None:
            found.setdefault(current, []).append(line)
            continue
        current = column if column in LONG else "notes"
        if rest:
            found.setdefault(column, []).append(rest)
    fields: dict[str, Any] = {
        column: clean_line(lines[0]) for column, lines in found.items() if column not in LONG
    }
    first = next((line for line in found.get("notes", []) if line.strip()), "")
    title, company = split_heading(first)
    if title and not fields.get("title") and not fields.get("company"):
        fields |= {"title": title, "company": company}
    fields |= parse_salary(fields.pop("salary", None) or "")
    place, mode = split_workplace(fields.get("location") or "")
    mode = (fields.get("remote_type") or mode).lower()
    fields["remote_type"] = load_labels("remote_types").get(mode)
    if fields["remote_type"] and place:
        fields["location"] = place
    for column in ("requirements", "nice_to_haves"):
        fields[column] = "\n".join(_lines(found.get(column)))
    fields["notes"] = "\n".join(found.get("notes", [])).strip()
    return fields


def add_description(fields: dict[str, Any], text: Any) -> dict[str, Any]:
    """Return a job's fields with a description before the notes; its requirements become fields."""
    if not isinstance(text, str) or not text.strip():
        return fields
    asked = from_text(text)
    sections = {name: asked[name] for name in ("requirements", "nice_to_haves") if asked.get(name)}
    notes = "\n\n".join(filter(None, (text.strip(), fields.get("notes"))))
    return {**sections, **fields, "notes": notes}


def split_workplace(place: str) -> tuple[str, str]:
    """Split a place such as "Oslo (on-site)" into the place and its way of working, "" without one.

    >>> split_workplace("Bodø, Norway (On-site)"), split_workplace("Oslo (NO)")
    (('Bodø, Norway', 'on site'), ('Oslo (NO)', ''))
    """
    found = _IN_BRACKETS.fullmatch(place)
    mode = found[2].strip().lower().replace("-", " ") if found else ""
    # Short labels are for cells of a sheet ("no", "x"), and here a country's code.
    if found and len(mode) > 3 and mode in load_labels("remote_types"):
        return found[1], mode
    return place, ""


def split_heading(text: str) -> tuple[str, str]:
    """Split a heading such as "Cook at Noma" into (title, company); ("", "") if unclear.

    >>> split_heading("Cook at Noma"), split_heading("Noma - Cook")
    (('Cook', 'Noma'), ('', ''))
    """
    named = _TITLE_AT_COMPANY.match(text[:200])
    return (named[1], named[2]) if named else ("", "")


def read_label(line: str) -> tuple[str | None, str]:
    """Return (column, rest) for a line that begins with a known label; else (None, "")."""
    match = _LABEL_LINE.match(line)
    labels = load_labels("labels")
    column = labels.get(match[1].strip().lower()) if match else None
    if match and column and column not in _SHEETS_ONLY:
        return column, match[2].strip("*_ ")
    heading = _HEADING.match(line)
    column = labels.get((heading[1] if heading else line.strip()).lower())
    return (column, "") if column in LONG else (None, "")


def _lines(texts: list[str] | None) -> list[str]:
    return [line for text in texts or [] if (line := " ".join(text.strip(" \t-•*").split()))]
