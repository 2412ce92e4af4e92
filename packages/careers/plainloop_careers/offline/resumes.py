"""Résumés of one plain English layout to JSON Resume: enough to try the product without a model.

A name on top, sections below their headings, entries that begin with a line like "Cook at Noma,
2019 - 2021", bullets below. What is not recognised is left out and nothing is invented.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..resumes.review import OPEN_END
from ..resumes.shape import is_document_title

_HEADINGS: Final = {
    name: re.compile(rf"(?:{said})(?: (?:and|&) \w+)?", re.I)
    for name, said in {
        "work": r"(?:work |professional )?(?:experience|history)|employment(?: history)?",
        "education": r"education|studies|qualifications",
        "skills": r"(?:technical |key )?skills",
        "summary": r"(?:professional )?summary|profile|about(?: me)?",
        "languages": r"languages",
        "other": r"projects|certificat\w+|awards|publications|volunteering|interests|references",
    }.items()
}
_LINE_CHARS: Final = 1000
_BULLET: Final = re.compile(r"^\s*[-*•–]\s+")
_MARKS: Final = re.compile(r"^[#>\s]+|\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`")
_SPLIT: Final = re.compile(r"\s+(?:at|@)\s+|\s*[,|•·]\s+|\s+[–—-]\s+|\s{2,}")
_LABEL: Final = re.compile(r"^([^:]{2,40}):\s*(.+)$")
_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[ '’.-]+[^\W\d_]+){0,5}")
_CONTACTS: Final = {
    "email": re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"),
    # No day of birth: 04.05.1990.
    "phone": re.compile(
        r"(?<![\w./])(?!\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b)[+(]?\d[\d\s()./-]{6,18}\d(?!\w)"
    ),
    "url": re.compile(r"(?:https?://|www\.)[^\s)>\]|,]+", re.I),
}
_DEGREE: Final = re.compile(
    r"\b(?:[bm]\.?\s?(?:sc|eng|a|s)\b\.?|ph\.?\s?d\b\.?|(?:bachelor|master|diploma|doctor)(?:'s)?)"
    r"(?!\w)(?:\s+of\s+(?:science|arts|engineering))?",
    re.I,
)
_SCHOOL: Final = re.compile(
    r"universi|college|school|institut|academ|polytechnic|\b(?:mit|tu)\b", re.I
)
_MONTHS: Final[tuple[str, ...]] = (*"jan feb mar apr may jun jul aug sep oct nov dec".split(),)
_DATE: Final = (
    rf"(?:\b(?:{'|'.join(_MONTHS)})[a-z]*\.?\s+|\b\d{{1,2}}[./])?(?:19|20)\d\d(?:-\d\d){{0,2}}"
)
_PERIOD: Final = re.compile(
    rf"[(\[]?(?P<start>{_DATE})\s*(?:-+|–|—|to|until)\s*"
    rf"(?P<end>{_DATE}|(?:present|now|today|current)\b)[)\]]?"
    rf"|[(\[]?\bsince\s+(?P<since>{_DATE})[)\]]?|[(\[]?\b(?P<only>{_DATE})\b[)\]]?",
    re.I,
)


def parse_resume(text: str) -> dict[str, Any]:
    """The text as JSON Resume; what cannot be recognised is left out, nothing is invented."""
    sections = split_sections(text)
    resume: dict[str, Any] = {"basics": _parse_basics(sections)}
    resume["work"] = [_to_work(entry) for entry in split_entries(sections.get("work", []))]
    schooling = split_entries(sections.get("education", []))
    resume["education"] = [_to_education(entry) for entry in schooling]
    resume["skills"] = _parse_skills(list_lines(sections, "skills"))
    spoken = ", ".join(list_lines(sections, "languages")).split(",")
    resume["languages"] = [{"language": item.strip()} for item in spoken if item.strip()]
    return {name: value for name, value in resume.items() if value or name in ("basics", "work")}


def split_sections(text: str) -> dict[str, list[str]]:
    """The lines of each section, "basics" for those before the first heading; a wrapped bullet is
    whole again, and an empty line stands where the text had some.
    """
    sections: dict[str, list[str]] = {}
    current = sections.setdefault("basics", [])
    for line in (text[:_LINE_CHARS].rstrip() for text in text.splitlines()):
        label = _LABEL.match(line)
        if name := _find_heading(line):
            current = sections.setdefault(name, [])
            current.append("")
        elif label and _find_heading(label[1]) == "skills":  # "Skills: Fish, Meat"
            current = sections.setdefault("skills", [])
            current.append(label[2])
        elif current and _goes_on(current[-1], line):
            current[-1] += " " + line.strip()
        else:
            current.append(line)
    return sections


def _find_heading(line: str) -> str | None:
    plain = line.strip(" \t#*_:")
    is_short = len(plain) <= 40 and not _BULLET.match(line)
    found = (name for name, said in _HEADINGS.items() if said.fullmatch(plain))
    return next(found, None) if is_short else None


def _goes_on(before: str, line: str) -> bool:
    """Whether a line is the rest of the bullet before it."""
    if not line or not _BULLET.match(before) or _BULLET.match(line) or _PERIOD.search(line):
        return False
    return line.lstrip()[:1].islower() or OPEN_END.search(before) is not None


def split_entries(lines: list[str]) -> list[list[str]]:
    """Groups of lines, each with the heading lines of one entry and its bullets."""
    entries: list[list[str]] = []
    after_gap = True
    for line in lines:
        if not line:
            after_gap = True
            continue
        last = entries[-1] if entries else []
        has_bullets, has_period = (any(map(p.search, last)) for p in (_BULLET, _PERIOD))
        is_next = has_bullets or (has_period and (bool(_PERIOD.search(line)) or after_gap))
        if not last or (not _BULLET.match(line) and (line.startswith("#") or is_next)):
            entries.append([])
        entries[-1].append(line)
        after_gap = False
    return entries


def list_lines(sections: dict[str, list[str]], name: str) -> list[str]:
    """A section's lines without marks and without the empty ones."""
    lines = (_MARKS.sub("", _BULLET.sub("", line)).strip() for line in sections.get(name, []))
    return [line for line in lines if line]


def _to_iso(date: str) -> str:
    """The date as ISO: "Mar 2019" and "03/2019" are "2019-03", "2019" stays."""
    year = re.search(r"(?:19|20)\d\d", date)
    assert year is not None
    before, after = date[: year.start()].strip(" ./").lower(), date[year.end() :].strip("-")
    month = after or (str(_MONTHS.index(before[:3]) + 1) if before[:1].isalpha() else before)
    is_month = month.isdecimal() and 1 <= int(month) <= 12
    return f"{year[0]}-{int(month):02d}" if is_month else date[year.start() :]


def _parse_basics(sections: dict[str, list[str]]) -> dict[str, Any]:
    head = [line for line in list_lines(sections, "basics") if not is_document_title(line)]
    text = "\n".join(head)
    found = {key: pattern.search(text) for key, pattern in _CONTACTS.items()}
    contacts = {key: match[0].strip() for key, match in found.items() if match}
    name = _SPLIT.split(head[0])[0].strip() if head else ""
    about = list_lines(sections, "summary")
    basics = {"name": name} if _NAME.fullmatch(name) else {}
    return {**basics, **contacts, **({"summary": " ".join(about)} if about else {})}


def _to_work(entry: list[str]) -> dict[str, Any]:
    """Position and employer stand in one line: of two lines neither says which of them it is."""
    heads, bullets, dates = _split_entry(entry)
    names = heads[0] if heads and (len(heads) == 1 or len(heads[0]) > 1) else []
    work: dict[str, Any] = dict(zip(("position", "name", "location"), names, strict=False))
    return {**work, **dates, **({"highlights": bullets} if bullets else {})}


def _to_education(entry: list[str]) -> dict[str, Any]:
    heads, _, dates = _split_entry(entry)
    names = [name for head in heads for name in head]
    school = next((name for name in names if _SCHOOL.search(name)), "")
    education: dict[str, Any] = {"institution": school} if school else {}
    for name in (name for name in names if name != school):
        degree = _DEGREE.search(name)
        if degree and "studyType" not in education:
            education["studyType"] = degree[0]
            name = re.sub(r"^\W*(?:in|of)\s+|^\W+", "", name[degree.end() :]).strip()
        if name:
            education.setdefault("area" if "institution" in education else "institution", name)
    return {**education, **dates}


def _split_entry(entry: list[str]) -> tuple[list[list[str]], list[str], dict[str, str]]:
    """(what each heading line names, bullets, `startDate` and `endDate` as far as told)."""
    heads: list[list[str]] = []
    bullets: list[str] = []
    dates: dict[str, str] = {}
    for line in entry:
        period = _PERIOD.search(line) if not dates else None
        if _BULLET.match(line) and heads:
            bullets.append(_MARKS.sub("", _BULLET.sub("", line)).strip())
            continue
        if period:
            starts, ends = period["start"] or period["since"], period["end"] or period["only"]
            said = {"startDate": starts, "endDate": ends}
            dates = {
                key: _to_iso(date) for key, date in said.items() if date and date[-1].isdigit()
            }
            line = f"{line[: period.start()]}  {line[period.end() :]}"
        parts = _SPLIT.split(_MARKS.sub("", _BULLET.sub("", line)).strip(" ,:|·–—-()"))
        if names := [part.strip() for part in parts if part.strip(" ,|")]:
            heads.append(names)
    return heads, bullets, dates


def _parse_skills(lines: list[str]) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    for line in lines:
        label = _LABEL.match(line)
        items = [item.strip(" .") for item in re.split(r"[,;|•·]", label[2] if label else line)]
        items = [item for item in items if item]
        if label:
            groups.append({"name": label[1].strip(), "keywords": items})
        else:
            groups += [{"name": item} for item in items]
    return groups
