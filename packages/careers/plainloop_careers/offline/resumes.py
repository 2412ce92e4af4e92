"""Plain-text and Markdown résumés to JSON Resume, by their lines and headings.

One plain layout: a section below its heading, an entry in one line that names it and its years,
bullets. What is not recognised is left out and nothing is invented; a model reads the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from plainloop.agent.base.text import fold

from ..files import load_data
from ..resumes.review import OPEN_END
from .wording import is_title

_HEADING: Final = {
    name: re.compile(rf"^(?:{'|'.join(patterns)})$", re.I)
    for name, patterns in load_data(__file__, "sections.toml").items()
}
_DOCUMENT: Final = re.compile(r"^(?:curr[íi]culum v[íi]tae|cv|r[ée]sum[ée]|lebenslauf)$", re.I)
_LINE_CHARS: Final = 1000
_BULLET: Final = re.compile(r"^\s*[-*•·–▪◦+‣]\s+")
_SPLIT: Final = re.compile(r"\s+(?:at|@)\s+|\s*[,|•·]\s+|\s+[–—-]\s+|\s{2,}")
_AT: Final = re.compile(r"\s(?:at|@)\s")
_SKILL_SPLIT: Final = re.compile(r"(?<!\s)\s*[,;|•·]\s*")
_LABEL: Final = re.compile(r"^([^:]{2,40}):\s*(.+)$")
_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[ '’.-]+[^\W\d_]+){0,5}")
_CONTACTS: Final = {
    "email": re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"),
    # No day of birth: 04.05.1990.
    "phone": re.compile(
        r"(?<![\w./])(?!\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b)(?:\+|\()?\d[\d\s()./-]{6,18}\d(?!\w)"
    ),
    "url": re.compile(r"(?:https?://|www\.)[^\s)>\]|,]+", re.I),
}
_DEGREE: Final = re.compile(
    r"\b(?:(?:b|m|d)\.?\s?(?:sc|eng|ba|fa|ph|a|s)\b\.?|ph\.?\s?d\b\.?|bachelor(?:'s)?"
    r"|master(?:'s)?|diploma?|a[- ]levels?)(?!\w)(?:\s+of\s+(?:science|arts|engineering))?",
    re.I,
)
_SCHOOL: Final = re.compile(
    r"universi|college|school|institut|academ|hochschule|polytechnic|politec|\b(?:mit|eth|tu)\b",
    re.I,
)
_MONTHS: Final[tuple[str, ...]] = (*"jan feb mar apr may jun jul aug sep oct nov dec".split(),)
_DATE: Final = rf"(?:\b(?:{'|'.join(_MONTHS)})[a-z]*\.?\s+|\b\d{{1,2}}[./])?(?:19|20)\d\d(?:-\d\d)?"
_PERIOD: Final = re.compile(
    rf"[(\[]?(?P<start>{_DATE})\s*(?:-+>?|–|—|→|to|until)\s*"
    rf"(?P<end>{_DATE}|(?:present|now|today|current)\b)[)\]]?"
    rf"|[(\[]?\bsince\s+(?P<since>{_DATE})[)\]]?|[(\[]?\b(?P<only>{_DATE})\b[)\]]?",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """Holds an entry's line, taken apart. is_at: an "at" stands between two of the names."""

    names: list[str]
    is_at: bool
    dates: dict[str, str] = field(default_factory=dict[str, str])
    bullets: list[str] = field(default_factory=list[str])


def parse_resume(text: str) -> dict[str, Any]:
    """The text as JSON Resume; what cannot be recognised is left out, nothing is invented."""
    sections = _split_sections(text)
    work, education = (_split_entries(sections.get(name, [])) for name in ("work", "education"))
    resume: dict[str, Any] = {
        "basics": _parse_basics(sections),
        "work": [*filter(None, map(_to_work, work))],
        "education": [*filter(None, map(_to_education, education))],
        "skills": _parse_skills(_list_lines(sections, "skills")),
    }
    return {name: value for name, value in resume.items() if value or name in ("basics", "work")}


def is_heading(text: str) -> bool:
    """Whether a line is what the paper or a part of it is called: nobody's name.

    >>> is_heading("Lebenslauf"), is_heading("Work experience"), is_heading("Ann Lee")
    (True, True, False)
    """
    return not text or _DOCUMENT.match(text.strip()) is not None or _find_heading(text) is not None


def _find_heading(line: str) -> str | None:
    """The section that a line begins."""
    plain = re.sub(r"^[#\s*_]+|(?<![\s*_:#])[\s*_:#]+$", "", line)
    if not plain or len(plain) > 40 or _BULLET.match(line):
        return None
    return next((name for name, pattern in _HEADING.items() if pattern.match(plain)), None)


def _split_sections(text: str) -> dict[str, list[str]]:
    """The lines of each section, "basics" for those before the first heading; a wrapped bullet is
    whole again.
    """
    sections: dict[str, list[str]] = {}
    current = sections.setdefault("basics", [])
    for line in (text[:_LINE_CHARS].rstrip() for text in text.splitlines()):
        label = _LABEL.match(line)
        last = current[-1] if current else ""
        is_bullets = _BULLET.match(last) and not _BULLET.match(line) and not _PERIOD.search(line)
        if name := _find_heading(line):
            current = sections.setdefault(name, [])
        elif label and _find_heading(label[1]) == "skills":  # "Skills: Fish, Meat"
            current = sections.setdefault("skills", [])
            current.append(label[2])
        elif re.fullmatch(r"[\s=_*-]*", line):
            continue
        elif is_bullets and (line.lstrip()[0].islower() or OPEN_END.search(last)):
            current[-1] += " " + line.strip()
        else:
            current.append(line)
    return sections


def _list_lines(sections: dict[str, list[str]], name: str) -> list[str]:
    """A section's lines without marks and without the empty ones."""
    lines = (_strip_mark(_BULLET.sub("", line)) for line in sections.get(name, []))
    return [line for line in lines if line]


def _strip_mark(line: str) -> str:
    """A line without Markdown's marks."""
    plain = re.sub(r"^[#>\s]+", "", line)
    plain = re.sub(r"\[([^\[\]]++)\]\((?:[^()]|\([^()]*\))++\)", r"\1", plain)
    return re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`", "", plain).strip()


def _parse_basics(sections: dict[str, list[str]]) -> dict[str, Any]:
    """Contacts, and the name on top, behind its label or in the address, rather than a heading,
    a title or a town.
    """
    head = [line for line in _list_lines(sections, "basics") if not _DOCUMENT.match(line)]
    text = "\n".join(head)
    found = {key: pattern.search(text) for key, pattern in _CONTACTS.items()}
    basics = {key: match[0].strip() for key, match in found.items() if match}
    local = fold(basics.get("email", "").partition("@")[0])
    for place, line in enumerate(head):
        label = re.match(r"(?:full )?name\s*:\s*(.+)", line, re.I)
        name = _SPLIT.split(label[1] if label else line)[0].strip()
        if not _NAME.fullmatch(name) or is_title(name) or _SCHOOL.search(name):
            continue
        if label or place == 0 or any(word in local for word in fold(name).split() if word[1:]):
            basics = {"name": name, **basics}
            break
    about = _list_lines(sections, "summary")
    return {**basics, **({"summary": " ".join(about)} if about else {})}


def _split_entries(lines: list[str]) -> list[_Entry]:
    """One entry a line that names something; bullets, and a line of years alone, belong to it."""
    entries: list[_Entry] = []
    for line in lines:
        if _BULLET.match(line) and entries:
            entries[-1].bullets.append(_strip_mark(_BULLET.sub("", line)))
            continue
        head, dates = _cut_period(_strip_mark(_BULLET.sub("", line)))
        names = [name.strip(" *_,:()") for name in _SPLIT.split(head.strip(" ,:|–—-()"))]
        if any(names):
            entries.append(_Entry([name for name in names if name], _AT.search(head) is not None))
        if entries:
            entries[-1].dates.update(dates)
    return entries


def _cut_period(line: str) -> tuple[str, dict[str, str]]:
    """Return (the line without its period, `startDate` and `endDate` as far as it says them)."""
    match = _PERIOD.search(line)
    if match is None:
        return line, {}
    said = {"startDate": match["start"] or match["since"], "endDate": match["end"] or match["only"]}
    dates = {key: _to_iso(date) for key, date in said.items() if date and date[-1].isdigit()}
    return f"{line[: match.start()]} {line[match.end() :]}", dates


def _to_iso(date: str) -> str:
    """The date as ISO: "Mar 2019" and "03/2019" are "2019-03", "2019" stays."""
    year = re.search(r"(?:19|20)\d\d", date)
    assert year is not None
    before, after = date[: year.start()].strip(" ./").lower(), date[year.end() :].strip("-")
    month = after or (str(_MONTHS.index(before[:3]) + 1) if before[:1].isalpha() else before)
    is_month = month.isdecimal() and 1 <= int(month) <= 12
    return f"{year[0]}-{int(month):02d}" if is_month else year[0]


def _to_work(entry: _Entry) -> dict[str, Any]:
    """Position and employer, told apart by "at" or by which of them is a title; else {}."""
    first, second, *places = (*entry.names, "", "")
    if not second or not (entry.is_at or is_title(first) != is_title(second)):
        return {}
    is_turned = is_title(second) and not is_title(first)
    work: dict[str, Any] = {"position": first, "name": second}
    if is_turned:
        work = {"position": second, "name": first}
    work |= {"location": ", ".join(filter(None, places))} if any(places) else {}
    return {**work, **entry.dates, **({"highlights": entry.bullets} if entry.bullets else {})}


def _to_education(entry: _Entry) -> dict[str, Any]:
    """The school, and the degree with its subject as far as they are named; {} without a school."""
    schools = [name for name in entry.names if _SCHOOL.search(name)]
    if not schools:
        return {}
    education: dict[str, Any] = {"institution": schools[0]}
    for name in entry.names:
        degree = _DEGREE.search(name)
        if degree and name != schools[0] and "studyType" not in education:
            area = re.sub(r"^\W*(?:in|of)\s+|^\W+", "", name[degree.end() :]).strip()
            education |= {"studyType": degree[0], **({"area": area} if area else {})}
    return {**education, **entry.dates}


def _parse_skills(lines: list[str]) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    for line in lines:
        label = _LABEL.match(line)
        items = [item.strip(" .") for item in _SKILL_SPLIT.split(label[2] if label else line)]
        items = [item for item in items if item]
        if label:
            groups.append({"name": label[1].strip(), "keywords": items})
        else:
            groups += [{"name": item} for item in items]
    return groups
