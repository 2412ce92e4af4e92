"""Jobs from files: the jsonresume job shape, or text that says `Title:` and `Company:`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, Literal

from plainloop.agent.base.foreign_json import as_object, list_objects, to_list
from plainloop.agent.errors import InputError

from ..files import load_data
from ..web.results import to_plain_line
from .salaries import parse_salary


@cache
def load_labels(table: Literal["labels", "remote_types"]) -> dict[str, str]:
    """Load what people write → the column, or the value, that they mean."""
    known: dict[str, list[str]] = load_data(__file__, "labels.toml")[table]
    return {said: meant for meant, words in known.items() for said in words}


def complete_job(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """Keep only what was found, `source` "import". Raises: InputError without title or company."""
    missing = [key for key in ("title", "company") if not fields.get(key)]
    if missing:
        raise InputError(f"{name} names no {' and no '.join(missing)}", hint=_HINT)
    return {**{key: value for key, value in fields.items() if value}, "source": "import"}


_HINT: Final = (
    "A JSON job has `title` and `company`; a text says them in lines like `Title: Web Developer`."
)


def from_job_json(job: dict[str, Any]) -> dict[str, Any]:
    """A job's fields as jsonresume has them; what stands there in another type is left out.

    Source: https://github.com/jsonresume/resume-schema, job-schema.json.
    """
    skills = list_objects(job.get("skills"))
    words = [
        word for skill in skills for word in _lines(skill.get("keywords") or skill.get("name"))
    ]
    facts = [
        f"{word}: {said}"
        for word, key in (("Type", "type"), ("Experience", "experience"), ("Posted", "date"))
        if (said := to_plain_line(job.get(key)))
    ]
    duties = "\n".join(f"- {line}" for line in _lines(job.get("responsibilities")))
    about = job.get("description")
    blocks = [about if isinstance(about, str) else "", duties, "\n".join(facts)]
    place = job.get("location")
    named = as_object(place)
    parts = [to_plain_line(named.get(key)) for key in ("city", "region", "countryCode")]
    return {
        "title": to_plain_line(job.get("title")),
        "company": to_plain_line(job.get("company")),
        "url": to_plain_line(job.get("url") or as_object(job.get("meta")).get("canonical"), 2_000),
        "location": to_plain_line(place) or ", ".join(dict.fromkeys(filter(None, parts))),
        "remote_type": load_labels("remote_types").get(str(job.get("remote", "")).strip().lower()),
        **parse_salary(str(job.get("salary") or "")),
        "requirements": "\n".join(_lines(job.get("qualifications"))),
        "tags": ", ".join(dict.fromkeys(word.replace(",", " ") for word in words)),
        "notes": "\n\n".join(block.strip() for block in blocks if block.strip()),
    }


_LONG: Final = frozenset({"requirements", "nice_to_haves", "notes"})
_LABEL_LINE: Final = re.compile(r"^[\s#>*_-]*([A-Za-z][A-Za-z ]{1,18}?)[*_]*\s*:[*_]*\s*(.*?)\s*$")
_HEADING: Final = re.compile(r"^\s*#+\s*(.+?)\s*$")
_TITLE_AT_COMPANY: Final = re.compile(r"^\W*(\S.{1,80}?)\s+(?:at|@)\s+(\S.{0,60}?)\W*$")


def from_text(text: str) -> dict[str, Any]:
    """Labelled lines as fields, the rest as notes; a first line "Title at Company" counts too."""
    found: dict[str, list[str]] = {}
    current = "notes"
    for line in text.splitlines():
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
    named = _TITLE_AT_COMPANY.match(first)
    if named and not fields.get("title") and not fields.get("company"):
        fields |= {"title": named[1], "company": named[2]}
    fields |= parse_salary(fields.pop("salary", None) or "")
    mode = (fields.get("remote_type") or "").lower()
    fields["remote_type"] = load_labels("remote_types").get(mode)
    for column in ("requirements", "nice_to_haves"):
        fields[column] = "\n".join(_lines(found.get(column)))
    fields["notes"] = "\n".join(found.get("notes", [])).strip()
    return fields


def _read_label(line: str) -> tuple[str | None, str]:
    """(the column that a line names, what follows on the line); (None, "") for plain text."""
    match = _LABEL_LINE.match(line)
    labels = load_labels("labels")
    if match and match[1].strip().lower() in labels:
        return labels[match[1].strip().lower()], match[2].strip("*_ ")
    heading = _HEADING.match(line)
    column = labels.get(heading[1].lower()) if heading else None
    return (column, "") if column in _LONG else (None, "")


def _line(text: str | None) -> str | None:
    return " ".join(text.split()) or None if text else None


def _lines(value: Any) -> list[str]:
    texts = (text for text in to_list(value) if isinstance(text, str))
    return [line for text in texts if (line := " ".join(text.strip(" \t-•*").split()))]
