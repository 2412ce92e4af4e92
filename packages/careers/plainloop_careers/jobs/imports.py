"""Jobs from files: the jsonresume job shape, or text that says `Title:` and `Company:`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypedDict

import msgspec

from plainloop.agent.errors import InputError

from ..files import describe_fault, load_data, parse_json
from .salaries import parse_salary

_Text = str | None
_Texts = list[str] | None


@cache
def load_labels(table: Literal["labels", "remote_types", "statuses"]) -> dict[str, str]:
    """Load what people write → the column, or the value, that they mean."""
    known: dict[str, list[str]] = load_data(__file__, "labels.toml")[table]
    return {said: meant for meant, words in known.items() for said in words}


class _Skill(TypedDict, total=False):
    name: _Text
    keywords: _Texts


class JobFile(TypedDict, total=False):
    """Source: https://github.com/jsonresume/resume-schema, job-schema.json; other keys ignored."""

    title: _Text
    company: _Text
    type: _Text
    date: _Text
    description: _Text
    location: dict[str, _Text] | str | None
    remote: str | bool | None
    salary: str | int | float | None
    experience: _Text
    responsibilities: _Texts
    qualifications: _Texts
    skills: list[_Skill] | None
    url: _Text
    meta: dict[str, Any] | None


def parse_job_text(text: str, name: str) -> dict[str, Any]:
    """A job's fields, as far as the text says them.

    Raises: InputError: corrupt JSON (line and column), another shape (key path).
    """
    if Path(name).suffix.lower() == ".json" or text.lstrip().startswith("{"):
        try:
            file = msgspec.convert(parse_json(text, name), JobFile)
        except msgspec.ValidationError as error:
            told = f"the JSON is not a job: {describe_fault(error)}"
            raise InputError(told, hint=_HINT) from error
        return _from_job_file(file)
    return from_text(text)


def complete_job(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """Keep only what was found, `source` "import". Raises: InputError without title or company."""
    missing = [key for key in ("title", "company") if not fields.get(key)]
    if missing:
        raise InputError(f"no {' and no '.join(missing)} found in {name}", hint=_HINT)
    return {**{key: value for key, value in fields.items() if value}, "source": "import"}


_HINT: Final = (
    "A JSON job needs `title` and `company`; a text needs lines such as `Title: Web Developer`."
)


def _from_job_file(job: JobFile) -> dict[str, Any]:
    meta_url = (job.get("meta") or {}).get("canonical")
    # Every skill's keywords, a skill without any by its own name; each once.
    words = [
        word
        for skill in job.get("skills") or []
        for word in (_lines(skill.get("keywords")) or _lines([skill.get("name") or ""]))
    ]
    facts = [
        f"{word}: {value}"
        for word, value in (
            ("Type", job.get("type")),
            ("Experience", job.get("experience")),
            ("Posted", job.get("date")),
        )
        if value
    ]
    duties = [f"- {line}" for line in _lines(job.get("responsibilities"))]
    blocks = [job.get("description") or "", "\n".join(duties), "\n".join(facts)]
    return {
        "title": _line(job.get("title")),
        "company": _line(job.get("company")),
        "url": _line(job.get("url")) or (meta_url if isinstance(meta_url, str) else None),
        "location": _format_place(job.get("location")),
        "remote_type": load_labels("remote_types").get(str(job.get("remote", "")).strip().lower()),
        **parse_salary(str(job.get("salary") or "")),
        "requirements": "\n".join(_lines(job.get("qualifications"))),
        "tags": ", ".join(dict.fromkeys(word.replace(",", " ") for word in words)),
        "notes": "\n\n".join(block.strip() for block in blocks if block.strip()),
    }


def _format_place(location: dict[str, _Text] | str | None) -> str | None:
    """`Berlin, DE`: city, region unless it is the same, country."""
    if not isinstance(location, dict):
        return _line(location)
    parts = [_line(location.get(key)) for key in ("city", "region", "countryCode")]
    return ", ".join(dict.fromkeys(part for part in parts if part)) or _line(
        location.get("address")
    )


_LONG: Final = frozenset({"requirements", "nice_to_haves", "notes"})
_LABEL_LINE: Final = re.compile(
    r"^[\s#>*_-]*([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,3})[*_]*\s*:[*_]*\s*(.*?)\s*$"
)
# Of a sheet's columns; in a text such words are of something else.
_SHEETS_ONLY: Final = frozenset(
    {"status", "applied_at", "created_at", "updated_at", "heading", "ignored", "job_fit", "source"}
)
_ITEM: Final = re.compile(r"\s*(?:[-•*–·]|\d{1,2}[.)])\s")
_HEADING: Final = re.compile(r"^\s*#+\s*(.+?)\s*$")
_TITLE_AT_COMPANY: Final = re.compile(
    r"^\W*(\S.{1,80}?)\s+(?:at|@|bei|chez|presso|na empresa)\s+(\S.{0,60}?)\W*$", re.I
)


def from_text(text: str) -> dict[str, Any]:
    """Labelled lines as fields, the rest as notes; a first line "Title at Company" counts too."""
    found: dict[str, list[str]] = {}
    current, before = "notes", ""
    for line in text.splitlines():
        # A section of items ends where, after an empty line, something else begins.
        if current != "notes" and not before.strip() and line.strip():
            current = current if _ITEM.match(line) else "notes"
        before = line
        if line.strip() in ("---", "+++"):
            continue
        column, rest = _read_label(line)
        if column is None:
            found.setdefault(current, []).append(line)
            continue
        current = column if column in _LONG else "notes"
        if rest:
            found.setdefault(column, []).append(rest)
    fields: dict[str, Any] = {
        column: _line(lines[0]) for column, lines in found.items() if column not in _LONG
    }
    first = next((line for line in found.get("notes", []) if line.strip()), "")
    title, company = split_heading(first)
    if title and not fields.get("title") and not fields.get("company"):
        fields |= {"title": title, "company": company}
    fields |= parse_salary(fields.pop("salary", None) or "")
    mode = (fields.get("remote_type") or "").lower()
    fields["remote_type"] = load_labels("remote_types").get(mode)
    for column in ("requirements", "nice_to_haves"):
        fields[column] = "\n".join(_lines(found.get(column)))
    fields["notes"] = "\n".join(found.get("notes", [])).strip()
    return fields


def split_heading(text: str) -> tuple[str, str]:
    """(title, company) of "Cook at Noma"; two empty texts where nothing says which is which.

    >>> split_heading("Cook at Noma"), split_heading("Noma - Cook")
    (('Cook', 'Noma'), ('', ''))
    """
    named = _TITLE_AT_COMPANY.match(text[:200])
    return (named[1], named[2]) if named else ("", "")


def _read_label(line: str) -> tuple[str | None, str]:
    """(the column that a line names, what follows on the line); (None, "") for plain text."""
    match = _LABEL_LINE.match(line)
    labels = load_labels("labels")
    column = labels.get(match[1].strip().lower()) if match else None
    if match and column and column not in _SHEETS_ONLY:
        return column, match[2].strip("*_ ")
    heading = _HEADING.match(line)
    column = labels.get((heading[1] if heading else line.strip()).lower())
    return (column, "") if column in _LONG else (None, "")


def _line(text: str | None) -> str | None:
    return " ".join(text.split()) or None if text else None


def _lines(texts: list[str] | None) -> list[str]:
    return [line for text in texts or [] if (line := " ".join(text.strip(" \t-•*").split()))]
