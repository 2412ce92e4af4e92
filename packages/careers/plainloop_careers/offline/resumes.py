"""Plain-text and Markdown résumés to JSON Resume, by their lines and headings."""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.base.text import fold

from .outline import (
    BULLET,
    DOCUMENT,
    FLUENCY,
    LABEL,
    SKILL_SPLIT,
    SPLIT_ENTRY,
    find_heading,
    list_items,
    list_lines,
    split_entries,
    split_sections,
    strip_mark,
    unwrap,
)
from .periods import PERIOD, cut_period
from .wording import is_title

_GIVEN_LABEL: Final = re.compile(
    r"^(?:(?:first|given) names?|vornamen?|pr[ée]noms?|nombre)\s*:\s*(?P<name>\S.*)$", re.I
)
_NAME_LABEL: Final = re.compile(
    r"^(?:(?:full |last |family )?name|surname|(?:vor- und |vor-/|vollst[äa]ndiger )?(?:nach)?name"
    r"|nom(?: et pr[ée]noms?| complet| de famille)?|pr[ée]noms? et nom|apellidos?"
    r"|nombre (?:completo|y apellidos?))\s*:\s*(?P<name>\S.*)$",
    re.I,
)
_CITY_LABEL: Final = re.compile(
    r"^(?:location|city|residence|based in|(?:wohn)?ort|wohnhaft in|ville|lieu(?: de r[ée]sidence)?"
    r"|r[ée]sidence|ciudad|localidad|lugar de residencia|residencia)\s*:\s*"
    r"(?:(?:[A-Z]{1,2}-)?(?P<code>\d{4,5})\s+)?(?P<city>[^\W\d][^|•·;\d]*?)\s*(?:[|•·;]|$)",
    re.I,
)
_NAME_WORD: Final = (
    r"(?:[^\W\d_a-z][^\W\d_]*(?:['’.-][^\W\d_]*)*"
    r"|de|del|della|di|da|van|von|der|den|la|le|zu|bin|al)"
)
_NAME: Final = re.compile(
    rf"(?:(?:Dr|Prof|Mr|Mrs|Ms|Dipl)\.\s*)*{_NAME_WORD}(?:\s+{_NAME_WORD}){{1,4}}"
)
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_PHONE: Final = re.compile(r"(?<![\w/])(?:\+|\()?\d[\d\s()./-]{6,18}\d(?!\w)")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s)>\]|,]+", re.I)
_SPLIT_STUDIES: Final = re.compile(r"\s+(?:at|@)\s+|\s*[,|•·]\s+|\s+[–—-]\s+|\s{2,}")
_DEGREE: Final = re.compile(
    r"\b((?:b|m|d)\.?\s?(?:sc|eng|ed|arch|tech|com|phil|mus|des|ba|fa|pa|ph|a|s)\b\.?|ll\.?\s?[bm]\b\.?"
    r"|ph\.?\s?d\b\.?|j\.?d\b\.?|bachelor(?:'s)?|master(?:'s)?|m[áa]ster|dipl(?:om|ôme|oma|\.)?(?:-\w+)?"
    r"|doctora(?:te|t|do)|promotion|magister|staatsexamen|associate(?:'s)?|certificate|abitur"
    r"|baccalaur[ée]at|bachillerato|licence|licenciatura|grado|ausbildung|bts|dut"
    r"|a[- ]levels?|gcses?|high school diploma|(?:fach)?matura|fachabitur|fachhochschulreife"
    r"|realschulabschluss)(?![\w])"
    r"(?:\s+of\s+(?:science|arts|fine arts|engineering|business administration))?",
    re.I,
)
_SCHOOL: Final = re.compile(
    r"universi|college|school|institut|academ|akademie|hochschule|schule|gymnasium|polytechnic"
    r"|polit[ée]cnic|lyc[ée]e|instituto|\b(?:mit|eth|tu|lmu|fh|uni)\b|[ée]cole",
    re.I,
)


def parse_resume(text: str) -> dict[str, Any]:
    """The text as JSON Resume; what cannot be recognised is left out, nothing is invented."""
    sections = split_sections(unwrap(text))
    resume: dict[str, Any] = {"basics": _parse_basics(sections)}
    resume["work"] = [_to_work(entry) for entry in split_entries(sections.get("work", []))]
    education = [_to_education(entry) for entry in split_entries(sections.get("education", []))]
    resume["education"] = education
    resume["skills"] = _parse_skills(list_lines(sections, "skills"))
    resume["languages"] = [_to_language(item) for item in list_items(sections, "languages")]
    resume["interests"] = [{"name": name} for name in list_items(sections, "interests")]
    resume["projects"] = [_to_project(e) for e in split_entries(sections.get("projects", []))]
    for name, key in (("certificates", "name"), ("awards", "title"), ("publications", "name")):
        resume[name] = [{key: line} for line in list_lines(sections, name)]
    return {name: value for name, value in resume.items() if value or name in ("basics", "work")}


def _parse_basics(sections: dict[str, list[str]]) -> dict[str, Any]:
    head = list_lines(sections, "basics")
    text = "\n".join(sections["basics"])
    basics: dict[str, Any] = {}
    contacts = {
        key: pattern.search(text) for key, pattern in (("email", _EMAIL), ("phone", _PHONE))
    }
    contacts["url"] = _URL.search(_EMAIL.sub(" ", text))
    basics |= {key: match[0].strip() for key, match in contacts.items() if match}
    lines = [line for line in head if not _EMAIL.search(line) and not _URL.search(line)]
    name, rest = _find_name(head, basics.get("email", ""))
    if not name:
        name = _take_name(sections, basics.get("email", ""))
    if name:
        after = lines[lines.index(rest) + 1 :] if rest in lines else lines
        rest_of_line = rest.partition(name)[2].strip(" ,|–—-•·")
        labels = [rest_of_line] if rest_of_line and not _EMAIL.search(rest_of_line) else after[:1]
        basics = {"name": name, **basics}
        if labels and len(labels[0]) <= 80 and not re.search(r"\d|:", labels[0]):
            basics = {"name": name, "label": labels[0], **basics}
    if home := next(filter(None, map(_CITY_LABEL.match, head)), None):
        code = {"postalCode": home["code"]} if home["code"] else {}
        basics["location"] = {"city": home["city"], **code}
    about = list_lines(sections, "summary") or [line for line in lines if len(line) > 80]
    if about:
        basics["summary"] = " ".join(about)
    return basics


def _find_name(head: list[str], email: str) -> tuple[str, str]:
    """(the name, the line that it stands in); ("", "") rather than a heading or a title."""
    family = next(filter(None, map(_NAME_LABEL.match, head)), None)
    given = next(filter(None, map(_GIVEN_LABEL.match, head)), None)
    if family or given:
        parts = [match["name"].strip() for match in (given, family) if match]
        whole = next((part for part in parts if " " in part), " ".join(parts))
        return whole, (family or given or [""])[0]
    found: list[tuple[str, str]] = []
    for line in head:
        first = re.split(r"\s*[,|•·]\s*|\s+[–—-]\s+|\s{2,}", DOCUMENT.sub("", line))[0].strip()
        is_name = _NAME.fullmatch(first) and not is_title(first)
        if is_name and find_heading(first) is None and not _SCHOOL.search(first):
            found.append((first, line))
    # The address tells which of several lines is the person: "Berlin Mitte" is none.
    found.sort(key=lambda item: not _is_in_address(item[0], email))
    if found or not head:
        return found[0] if found else ("", "")
    single = DOCUMENT.sub("", head[0]).strip()
    is_single = re.fullmatch(_NAME_WORD, single) and find_heading(single) is None
    return (single, head[0]) if is_single and not is_title(single) else ("", "")


def _take_name(sections: dict[str, list[str]], email: str) -> str:
    """The name out of the section that it stands in by its place on the page, beside a side bar;
    only the address shows that it is one.
    """
    for lines in sections.values():
        for line in lines:
            if _NAME.fullmatch(strip_mark(line)) and _is_in_address(line, email):
                lines.remove(line)
                return strip_mark(line)
    return ""


def _is_in_address(name: str, email: str) -> bool:
    local = fold(email.partition("@")[0])
    return any(word in local for word in fold(name).split() if len(word) > 1)


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
    names = [name for head in heads for name in _split_names(head, _SPLIT_STUDIES)]
    education: dict[str, Any] = {}
    for name in names:
        degree = _DEGREE.search(name)
        if _SCHOOL.search(name) and "institution" not in education:
            education["institution"] = name
        elif degree and "studyType" not in education:
            education["studyType"] = degree[0]
            area = re.sub(r"^\W*(?:in|of|en|de)\s+|^\W+", "", name[degree.end() :]).strip()
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
        if BULLET.match(line) and (i > 0 or not PERIOD.search(line)):
            bullets.append(strip_mark(BULLET.sub("", line)))
            continue
        if not dates:
            line, dates = cut_period(line)
        plain = strip_mark(BULLET.sub("", line)).strip(" ,:|–—-()")
        if plain:
            heads.append(plain)
    return heads, bullets, dates


def _split_names(head: str, pattern: re.Pattern[str] = SPLIT_ENTRY) -> list[str]:
    return [part.strip(" *_") for part in pattern.split(head) if part.strip(" *_")]


def _parse_skills(lines: list[str]) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    plain: list[str] = []
    for line in lines:
        label = LABEL.match(line)
        items = [item.strip(" .") for item in SKILL_SPLIT.split(label[2] if label else line)]
        items = [item for item in items if item]
        if label:
            groups.append({"name": label[1].strip(), "keywords": items})
        else:
            plain += items
    return [*groups, *({"name": item} for item in plain)]


def _to_language(item: str) -> dict[str, str]:
    """`German (native)`, `Deutsch: Muttersprache`, `Français – C1`."""
    match = FLUENCY.match(item)
    if match is None:
        return {"language": item}
    return {"language": match["name"], "fluency": match["level"].strip()}
