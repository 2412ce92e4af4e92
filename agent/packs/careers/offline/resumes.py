"""Plain-text and Markdown résumés to JSON Resume, by their lines and headings."""

from __future__ import annotations

import re
from typing import Any, Final

from .names import is_title

_SECTIONS: Final[dict[str, str]] = {
    "work": r"(?:work|professional|relevant)?\s*(?:experience|employment|history|work|career)"
    r"(?:\s+history)?|berufserfahrung|experiencia(?: laboral)?|exp[ée]rience(?: professionnelle)?",
    "education": r"education(?:\s+(?:and|&)\s+\w+)?|academic.*|studies"
    r"|ausbildung|bildung|formation|estudios",
    "skills": r"(?:technical|key|core|professional)?\s*(?:skills|competencies|technologies"
    r"|tech stack)"
    r"(?:\s*(?:and|&)\s*\w+)?|kenntnisse|f[äa]higkeiten|comp[ée]tences|habilidades",
    "summary": r"(?:professional\s+)?(?:summary|profile|about(?: me)?|objective)|profil",
    "projects": r"(?:personal |selected |side )?projects|projekte",
    "languages": r"languages|sprachen|langues|idiomas",
    "certificates": r"certifi(?:cates|cations?)(?:\s.*)?",
    "awards": r"(?:awards|honou?rs)(?:\s.*)?",
    "publications": r"publications",
    "volunteer": r"volunteer(?:ing)?(?:\s.*)?",
    "interests": r"(?:interests|hobbies)(?:\s.*)?",
    "references": r"references",
}
_HEADING: Final = {
    name: re.compile(rf"^(?:{pattern})$", re.I) for name, pattern in _SECTIONS.items()
}
_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE: Final = rf"(?:{_MONTH}\s+)?(?:\d{{1,2}}[./])?(?:19|20)\d{{2}}(?:[-./]\d{{1,2}}){{0,2}}"
_PERIOD: Final = re.compile(
    rf"[(\[]?\s*(?P<start>{_DATE})\s*(?:-|–|—|to|until|bis)\s*"
    rf"(?P<end>{_DATE}|present|now|today|current|ongoing|heute)\s*[)\]]?"
    rf"|[(\[]?\b(?P<only>{_DATE})\b[)\]]?",
    re.I,
)
_OPEN_ENDS: Final = frozenset("present now today current ongoing heute".split())
_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_LINE_CHARS: Final = 1000
_TAGGED: Final = re.compile(r"<(?P<tag>\w+)>\s*\n(?P<inner>.*)</(?P=tag)>", re.S)
_INTRO: Final = re.compile(r"\A\W*(?:r[ée]sum[ée]|cv|text|parse|extract)\b[^\n]*:\s*\n", re.I)
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_PHONE: Final = re.compile(r"(?<![\w/])(?:\+|\()?\d[\d\s()./-]{6,18}\d(?!\w)")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s)>\]|,]+", re.I)
_BULLET: Final = re.compile(r"^\s*[-*•·–▪◦+]\s+")
_SPLIT_ENTRY: Final = re.compile(r"\s+(?:at|@|bei|chez|en)\s+|\s*[,|•·]\s+|\s+[–—-]\s+")
_DEGREE: Final = re.compile(
    r"\b(b\.?s\.?|m\.?s\.?|b\.?sc\.?|m\.?sc\.?|b\.?a\.?|m\.?a\.?|b\.?eng\.?|m\.?eng\.?|ph\.?d\.?"
    r"|mba"
    r"|bachelor(?:'s)?|master(?:'s)?"
    r"|diploma?|doctorate|associate(?:'s)?|certificate|abitur|licence|licenciatura)(?![\w])"
    r"(?:\s+of\s+(?:science|arts|engineering|business administration))?",
    re.I,
)
_SCHOOL: Final = re.compile(
    r"universit|college|school|institute|academy|hochschule|schule|polytechnic|\b(?:mit|eth|tu"
    r"|lmu)\b|[ée]cole",
    re.I,
)
_SKILL_SPLIT: Final = re.compile(r"\s*[,;|•·]\s*")
_LABEL: Final = re.compile(r"^([^:]{2,40}):\s*(.+)$")


def parse_resume(text: str) -> dict[str, Any]:
    """The text as JSON Resume; what cannot be recognised is left out, nothing is invented."""
    head, sections = _split_sections(_unwrap(text))
    resume: dict[str, Any] = {"basics": _parse_basics(head, sections.get("summary", []))}
    resume["work"] = [_to_work(entry) for entry in _split_entries(sections.get("work", []))]
    education = [_to_education(entry) for entry in _split_entries(sections.get("education", []))]
    resume["education"] = education
    resume["skills"] = _parse_skills(sections.get("skills", []))
    resume["languages"] = [{"language": name} for name in _list_items(sections, "languages")]
    resume["interests"] = [{"name": name} for name in _list_items(sections, "interests")]
    resume["projects"] = [_to_project(e) for e in _split_entries(sections.get("projects", []))]
    for name, key in (("certificates", "name"), ("awards", "title"), ("publications", "name")):
        lines = [_BULLET.sub("", line) for line in sections.get(name, [])]
        resume[name] = [{key: _strip_mark(line)} for line in lines]
    return {name: value for name, value in resume.items() if value or name in ("basics", "work")}


def _unwrap(text: str) -> str:
    """The résumé itself, without the tags or the label that a prompt put around it."""
    tagged = _TAGGED.search(text)
    return _INTRO.sub("", tagged["inner"] if tagged else text)


def _split_sections(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """The lines before the first heading, and the lines of each section."""
    head: list[str] = []
    sections: dict[str, list[str]] = {}
    current = head
    for line in (text[:_LINE_CHARS] for text in text.splitlines()):
        name = _find_heading(line)
        if name is not None:
            current = sections.setdefault(name, [])
        elif line.strip() and not re.fullmatch(r"[\s=_*-]+", line):
            current.append(line.rstrip())
    return head, sections


def _find_heading(line: str) -> str | None:
    plain = re.sub(r"^[#\s*_]+|[\s*_:#]+$", "", line)
    if not plain or len(plain) > 40 or _BULLET.match(line):
        return None
    return next((name for name, pattern in _HEADING.items() if pattern.match(plain)), None)


def _parse_basics(head: list[str], summary: list[str]) -> dict[str, Any]:
    text = "\n".join(head)
    basics: dict[str, Any] = {}
    plain = [_strip_mark(line) for line in head]
    names = [line for line in plain if line and not _EMAIL.search(line) and not _URL.search(line)]
    if names:
        basics["name"] = (
            _LABEL.sub(r"\2", names[0]) if names[0].lower().startswith("name") else names[0]
        )
    if len(names) > 1 and len(names[1]) <= 80 and not re.search(r"\d", names[1]):
        basics["label"] = names[1]
    for key, pattern in (("email", _EMAIL), ("phone", _PHONE), ("url", _URL)):
        match = pattern.search(_EMAIL.sub(" ", text) if key == "url" else text)
        if match:
            basics[key] = match[0].strip()
    about = [_strip_mark(_BULLET.sub("", line)) for line in summary] or [
        line for line in names[1:] if len(line) > 80
    ]
    if about:
        basics["summary"] = " ".join(about)
    return basics


def _split_entries(lines: list[str]) -> list[list[str]]:
    """Groups of lines, each with the heading lines of one entry and its bullets."""
    entries: list[list[str]] = []
    for line in lines:
        is_detail = _BULLET.match(line) is not None or line[:1] in (" ", "\t")
        begins = not is_detail and (
            not entries
            or line.lstrip().startswith("#")
            or _has_bullets(entries[-1])
            or (_PERIOD.search(line) is not None and _has_period(entries[-1]))
        )
        if begins or not entries:
            entries.append([])
        entries[-1].append(line)
    return entries


def _has_bullets(entry: list[str]) -> bool:
    return any(_BULLET.match(line) for line in entry)


def _has_period(entry: list[str]) -> bool:
    return any(_PERIOD.search(line) for line in entry)


def _to_work(entry: list[str]) -> dict[str, Any]:
    heads, bullets, dates = _split_entry(entry)
    names = _split_names(heads[0]) if heads else []
    if len(names) == 1 and len(heads) > 1:
        names += _split_names(heads.pop(1))
    if len(names) > 1 and is_title(names[1]) and not is_title(names[0]):
        names[:2] = names[1::-1]
    work: dict[str, Any] = {}
    if names:
        work["position"] = names[0]
    if len(names) > 1:
        work["name"] = names[1]
    if len(names) > 2:
        work["location"] = ", ".join(names[2:])
    return {**work, **dates, **_pack_details(heads[1:], bullets)}


def _to_education(entry: list[str]) -> dict[str, Any]:
    heads, bullets, dates = _split_entry(entry)
    names = [name for head in heads for name in _split_names(head)]
    education: dict[str, Any] = {}
    for name in names:
        degree = _DEGREE.search(name)
        if _SCHOOL.search(name) and "institution" not in education:
            education["institution"] = name
        elif degree and "studyType" not in education:
            education["studyType"] = degree[0]
            area = re.sub(r"^\W*(?:in|of)\s+|^\W+", "", name[degree.end() :]).strip()
            if area:
                education["area"] = area
        elif "area" not in education and "institution" in education:
            education["area"] = name
        elif "institution" not in education:
            education["institution"] = name
    if bullets:
        education["courses"] = bullets
    return {**education, **dates}


def _to_project(entry: list[str]) -> dict[str, Any]:
    heads, bullets, dates = _split_entry(entry)
    if not heads:
        return {"name": bullets[0], **dates} if bullets else dates
    return {"name": heads[0], **dates, **_pack_details(heads[1:], bullets)}


def _pack_details(rest: list[str], bullets: list[str]) -> dict[str, Any]:
    details: dict[str, Any] = {"summary": " ".join(rest)} if rest else {}
    return {**details, "highlights": bullets} if bullets else details


def _split_entry(entry: list[str]) -> tuple[list[str], list[str], dict[str, str]]:
    """(heading lines without dates, bullets, dates) of one entry."""
    heads: list[str] = []
    bullets: list[str] = []
    dates: dict[str, str] = {}
    for i, line in enumerate(entry):
        if _BULLET.match(line) and (i > 0 or not _PERIOD.search(line)):
            bullets.append(_strip_mark(_BULLET.sub("", line)))
            continue
        match = None if dates else _PERIOD.search(line)
        if match:
            dates = _to_dates(match)
            line = f"{line[: match.start()]} {line[match.end() :]}"
        plain = _strip_mark(_BULLET.sub("", line)).strip(" ,|–—-()")
        if plain:
            heads.append(plain)
    return heads, bullets, dates


def _to_dates(match: re.Match[str]) -> dict[str, str]:
    if match["only"]:
        return {"endDate": _to_iso(match["only"])}
    dates = {"startDate": _to_iso(match["start"])}
    if match["end"].casefold() not in _OPEN_ENDS:
        dates["endDate"] = _to_iso(match["end"])
    return dates


def _to_iso(date: str) -> str:
    """The date as ISO: "Mar 2019" and "03/2019" are "2019-03", "2019" stays."""
    year = re.search(r"(?:19|20)\d{2}", date)
    if year is None:
        return date
    rest = date[: year.start()] + date[year.end() :]
    name = re.search(r"[a-z]{3}", rest, re.I)
    if name and name[0].lower() in _MONTHS:
        return f"{year[0]}-{_MONTHS.index(name[0].lower()) + 1:02d}"
    numbers = [int(n) for n in re.findall(r"\d{1,2}", rest)]
    if numbers and 1 <= numbers[0] <= 12 and all(n <= 31 for n in numbers):
        return "-".join([year[0], *(f"{n:02d}" for n in numbers[:2])])
    return year[0]


def _split_names(head: str) -> list[str]:
    return [part.strip(" *_") for part in _SPLIT_ENTRY.split(head) if part.strip(" *_")]


def _parse_skills(lines: list[str]) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    plain: list[str] = []
    for line in lines:
        text = _strip_mark(_BULLET.sub("", line))
        label = _LABEL.match(text)
        items = [item.strip(" .") for item in _SKILL_SPLIT.split(label[2] if label else text)]
        items = [item for item in items if item]
        if label:
            groups.append({"name": label[1].strip(), "keywords": items})
        else:
            plain += items
    return [*groups, *({"name": item} for item in plain)]


def _list_items(sections: dict[str, list[str]], name: str) -> list[str]:
    lines = [_strip_mark(_BULLET.sub("", line)) for line in sections.get(name, [])]
    return [
        item.strip(" .") for line in lines for item in _SKILL_SPLIT.split(line) if item.strip(" .")
    ]


def _strip_mark(line: str) -> str:
    """A line without Markdown's marks."""
    plain = re.sub(r"^[#>\s]+", "", line)
    plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", plain)
    return re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`", "", plain).strip()
