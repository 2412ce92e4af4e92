"""What a JSON Resume says, as facts: employers, dates, skills. Nothing is added to it."""

from __future__ import annotations

import re
from typing import Any, Final, cast

from plainloop.agent.base.foreign_json import as_list, as_object, list_objects

from .resumes import is_heading, parse_resume

Resume = dict[str, Any]
_MARKS: Final = ("basics", "work", "education", "skills")
_MIN_TEXT_CHARS: Final = 80
_MAX_DEPTH: Final = 4
_YEAR: Final = re.compile(r"\b(?:19|20)\d{2}\b")


def find_resume(result: Any, depth: int = 0) -> Resume:
    """The résumé in a tool's result, whichever key holds it; {} when there is none."""
    if depth > _MAX_DEPTH:
        return {}
    if isinstance(result, str):
        is_long = len(result) >= _MIN_TEXT_CHARS and "\n" in result
        return parse_resume(result) if is_long else {}
    if not isinstance(result, dict):
        return {}
    found = cast(Resume, result)
    if any(found.get(mark) for mark in _MARKS):
        return found
    for value in found.values():
        resume = find_resume(value, depth + 1)
        if resume:
            return resume
    return {}


def get_name(resume: Resume) -> str:
    """The person's; "" where only a heading stands in its place."""
    name = get_text(as_object(resume.get("basics")), "name")
    return "" if is_heading(name) else name


def list_skills(resume: Resume) -> list[str]:
    """Skill names and keywords in the résumé's own spelling, each once."""
    names = [
        name
        for entry in list_objects(resume.get("skills"))
        for name in (get_text(entry, "name"), *list_texts(entry, "keywords"))
    ]
    return list(dict.fromkeys(filter(None, names)))


def list_texts(entry: Resume, key: str) -> list[str]:
    items = as_list(entry.get(key))
    return [item.strip() for item in items if isinstance(item, str) and item.strip()]


def get_text(entry: Resume, *keys: str) -> str:
    """The first of the keys that holds text."""
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return re.sub(r"\s+", " ", value).strip()
    return ""


def get_period(entry: Resume) -> str:
    """The years as the résumé states them: "2013–2014", "since 2019", ""."""
    found = (_YEAR.search(get_text(entry, key)) for key in ("startDate", "endDate"))
    start, end = (match[0] if match else "" for match in found)
    if start and end:
        return start if start == end else f"{start}–{end}"
    return f"since {start}" if start else end


def get_employer(entry: Resume) -> str:
    return get_text(entry, "name", "company", "organization")


def format_work(entry: Resume) -> str:
    position, employer, period = get_text(entry, "position"), get_employer(entry), get_period(entry)
    text = " at ".join(part for part in (position, employer) if part)
    return f"{text} ({period})" if period and text else text


def format_education(entry: Resume) -> str:
    degree = " in ".join(p for p in (get_text(entry, "studyType"), get_text(entry, "area")) if p)
    place, period = get_text(entry, "institution"), get_period(entry)
    text = ", ".join(part for part in (degree, place) if part)
    return f"{text} ({period})" if period and text else text
