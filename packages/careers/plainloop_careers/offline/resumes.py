"""Plain-text and Markdown résumés to JSON Resume, by their lines and headings.

One plain layout: a section below its heading, an entry with a line that names it and its years,
bullets. What is not recognised is left out and nothing is invented; a model reads the rest.
"""

from __future__ import annotations

import re
from typing import Any, Final

from plainloop.agent.base.text.cleaning import fold
from plainloop.agent.base.text.patterns import compile_lazily

from ..files import Patterns, load_data
from ..resumes.periods import cut_period, find_period, is_cut_period
from ..resumes.review import DEGREE, EMAIL, OPEN_END, SCHOOL
from ..resumes.shape import is_document_title
from ..resumes.titles import is_title
from .linkedin import clean_pages, cut_person, is_linkedin, parse_positions, parse_schools

_SAID: Final = Patterns(__file__)
_HEADING: Final = {
    name: compile_lazily(rf"^(?:{'|'.join(patterns)})$", re.I)
    for name, patterns in load_data(__file__, "sections.toml").items()
}
_LINE_CHARS: Final = 1000
_OPENED: Final = re.compile(r"<(\w+)>\s*\n")
_CLOSED: Final = re.compile(r"</(\w+)>")
_INTRO: Final = re.compile(r"\A\W*(?:r[ée]sum[ée]|cv|text|parse|extract)\b[^\n]*:\s*\n", re.I)
_BULLET: Final = re.compile(r"^\s*[-*•·–▪◦+‣]\s+")
# "soft-" goes on with "ware"; "Front-" does not with "und Backend".
_HYPHENATED: Final = re.compile(r"[^\W\d_]{2}-")
_AFTER_HYPHEN: Final = re.compile(r"\s*(?:and|or|und|oder|bzw|et|ou|y|e|o)\b")
_SPLIT: Final = re.compile(r"\s+(?:at|@|/)\s+|\s*[,|•·]\s+|\s+[–—-]\s+|\s{2,}|\t+")
_AT: Final = re.compile(r"(?<!\s)\s+(?:bei|chez|presso|bij|en|na|no|w|hos|в)\s+(?=[^\W\d_a-zß-ÿ])")
_SKILL_SPLIT: Final = re.compile(r"(?<!\s)\s*[,;|•·]\s*")
_LABEL: Final = re.compile(r"^([^:]{2,40}):\s*(.+)$")
_LEVEL: Final = re.compile(r"^([^\W\d_]+(?: [^\W\d_]+)?)\s*\(([^)]+)\)$")  # "German (native)"
_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[ '’.-]+[^\W\d_]+){0,5}")
# No day of birth: 04.05.1990.
_PHONE: Final = _SAID.compile("phone")
_ORCID: Final = re.compile(r"(?:https?://orcid\.org/|(?<![\w-]))(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\b")
# With a scheme or www; without both, of the sites that a résumé's head names so.
_SITES: Final = r"(?<![\w.@/-])(?:[a-z]{2,3}\.)?(?:linkedin|github|gitlab|xing)\.com/"
_URL: Final = re.compile(rf"(?:https?://|www\.|{_SITES})[^\s)>\]|,]+", re.I)
_FIELD: Final = _SAID.compile("field")  # before a value, in the Europass form
_PLACE: Final = _SAID.compile("place")  # in today's Europass form
_NEXT_LABEL: Final = re.compile(r"(?<!\s)\s*\|\s*[^\W\d_]{2,15}:\s*")  # "City: Oslo | Country: NO"
_DATED_PLACE: Final = re.compile(r"\s+[–—-]\s+([^\W\d_][^\d–—]{1,60})")
_REGION: Final = re.compile(r"[A-Z]{2,3}")  # "Mesa, AZ"
_FIRM: Final = _SAID.compile("firm")
_LEGAL: Final = re.compile(r"(?<!^)(\b(?:Ltd|Inc|LLC|Corp|GmbH|Co|Pty)\.)\s+(?!KG)(?=[A-Z])")

_PROFILE_SECTIONS: Final = {"work": parse_positions, "education": parse_schools}


def parse_resume(text: str) -> dict[str, Any]:
    """Parse a résumé's text to JSON Resume, without a model.

    Unrecognised text is left out.
    """
    text, person = unwrap(text), list[str]()
    is_profile = is_linkedin(text)
    if is_profile:
        text, person = cut_person(clean_pages(text), find_heading)
    sections = split_sections(text)
    sections = sections if is_profile else _lift_person(sections)
    sections["basics"] = [*person, *sections["basics"]]
    resume: dict[str, Any] = {"basics": _parse_basics(sections)}
    if len(person) > 1:
        name = _SPLIT.split(person[0])[0]  # "Ann Lee, PhD"
        resume["basics"] |= dict(zip(("name", "label"), (name, *person[1:-1]), strict=False))
    trained = sections.get("certificates", [])
    if "education" not in sections and any(SCHOOL.search(x) and find_period(x) for x in trained):
        sections["education"] = sections.pop("certificates")  # "Training", with a school's years
    for name, build in (
        ("work", _to_work),
        ("education", _to_education),
        ("projects", _to_project),
        ("volunteer", _to_volunteer),
    ):
        if is_profile and name in _PROFILE_SECTIONS:
            resume[name] = _PROFILE_SECTIONS[name](sections.get(name, []))
            continue
        entries = split_entries(sections.get(name, []))
        resume[name] = [build(entry) for entry in entries]
        if name == "work":
            _turn_alike(resume[name], entries)
    resume["skills"] = _parse_skills(list_lines(sections, "skills"))
    spoken = _SKILL_SPLIT.split(", ".join(list_lines(sections, "languages")))
    resume["languages"] = [
        {"language": level[1], "fluency": level[2]}
        if (level := _LEVEL.match(item))
        else {"language": item}
        for item in spoken
        if item
    ]
    for name, key in (("certificates", "name"), ("awards", "title"), ("publications", "name")):
        resume[name] = [{key: line} for line in list_lines(sections, name)]
    return {name: value for name, value in resume.items() if value or name in ("basics", "work")}


def unwrap(text: str) -> str:
    """Return a résumé's text without the tags or label by which a prompt marks it."""
    ends = {closed[1]: closed.start() for closed in _CLOSED.finditer(text)}  # the last of each
    for opened in _OPENED.finditer(text):
        if ends.get(opened[1], 0) >= opened.end():
            text = text[opened.end() : ends[opened[1]]]
            break
    return _INTRO.sub("", text)


def split_sections(text: str) -> dict[str, list[str]]:
    """Split a résumé's lines by section, with the lines before the first heading as "basics".

    A wrapped bullet is joined again, and an empty line stays as one.
    """
    sections: dict[str, list[str]] = {}
    current = sections.setdefault("basics", [])
    lines = (_FIELD.sub("", text[:_LINE_CHARS].rstrip()) for text in text.splitlines())
    for line in lines:
        label = _LABEL.match(line)
        if (name := find_heading(line)) == "within":
            continue  # "Highlights": of the entry above it
        if name:
            current = sections.setdefault(name, [])
            current.append("")
        elif label and find_heading(label[1]) == "skills":  # "Skills: Fish, Meat"
            current = sections.setdefault("skills", [])
            current.append(label[2])
        elif re.fullmatch(r"[\s=_*-]*", line):
            current.append("")
        elif current and _goes_on(current[-1], line):
            end = current[-1][-3:]  # the bullet grows with each line
            is_cut = _HYPHENATED.fullmatch(end) and not _AFTER_HYPHEN.match(line)
            current[-1] += ("" if is_cut else " ") + line.strip()
        else:
            current.append(line)
    return sections


def _lift_person(sections: dict[str, list[str]]) -> dict[str, list[str]]:
    """Move a person's name and details from the end of a side column to the top of the sections.

    The e-mail address confirms the name: each word is in it.
    """
    head = sections["basics"]
    address = EMAIL.search("\n".join(head))
    local = fold(address[0].partition("@")[0]) if address else ""
    for name, lines in sections.items():
        for place, line in enumerate(lines):
            words = fold(line).split()
            if len(words) > 1 and _NAME.fullmatch(line) and all(word in local for word in words):
                moved = {name: lines[:place], "basics": [*lines[place:], *head]}
                return sections if name == "basics" else {**sections, **moved}
    return sections


def find_heading(line: str) -> str | None:
    """Return the name of the section that begins with this line; None if it is no heading."""
    plain = re.sub(r"^[#\s*_]+|(?<![\s*_:#])[\s*_:#]+$", "", line)
    if not plain or len(plain) > 40 or _BULLET.match(line):
        return None
    return next((name for name, pattern in _HEADING.items() if pattern.match(plain)), None)


def is_heading(text: str) -> bool:
    """Whether a line is a heading or title, and therefore not a person's name.

    >>> is_heading("Lebenslauf"), is_heading("Work experience"), is_heading("Ann Lee")
    (True, True, False)
    """
    return not text or is_document_title(text) or find_heading(text) is not None


def _goes_on(before: str, line: str) -> bool:
    """Whether a line continues the bullet or the time span before it."""
    if is_cut_period(before, line):
        return True
    if not _BULLET.match(before) or _BULLET.match(line) or find_period(line):
        return False
    # Its end alone: the bullet grows with each line.
    return line.lstrip()[0].islower() or OPEN_END.search(before[-40:]) is not None


def split_entries(lines: list[str]) -> list[list[str]]:
    """Split a section's lines into its entries."""
    entries: list[list[str]] = []
    # What the last entry's lines have, kept: a look at all of them for each line took minutes for
    # a text of short lines (test_a_resume_of_short_lines_is_parsed_in_linear_time).
    seen: set[str] = set()
    above: int | None = None  # how many lines the first dates have above them; None: not counted
    after_gap = True
    for line in lines:
        if not line:
            after_gap = True
            continue
        last = entries[-1] if entries else []
        marks = _list_marks([line])
        is_detail = "bullet" in marks or line[0] in " \t" or line[0].islower()
        is_next = "bullet" in seen or ("period" in seen and ("period" in marks or after_gap))
        if "period" in seen and is_next and _is_dates_alone(line):
            # What it dates stands above it, after the former's text: as many lines as of the first.
            above = _count_above(entries) if above is None else above
            heads = last[-above:] if 0 < above < len(last) else []
            is_head = not _list_marks(heads) & {"bullet", "period"}
            if heads and is_head and max(map(len, heads)) < 100:
                del last[-above:]
                entries.append([*heads, line])
                seen = _list_marks(entries[-1])
                after_gap = False
                continue
        # "M.Sc. …", its school and its years; then "B.Sc. …".
        is_next |= "period" in seen and "degree" in marks & seen
        if not last or (not is_detail and (line.startswith("#") or is_next)):
            entries.append([])
            seen = set()
        entries[-1].append(line)
        seen |= marks
        after_gap = False
    return entries


_MARKS: Final = {"bullet": _BULLET.search, "period": find_period, "degree": DEGREE.search}


def _list_marks(lines: list[str]) -> set[str]:
    """List which of a bullet, a period and a degree the lines have."""
    return {name for name, search in _MARKS.items() if any(map(search, lines))}


def _count_above(entries: list[list[str]]) -> int:
    """Count the lines above the first dates of a section, of which there are some."""
    dated = next(entry for entry in entries if any(map(find_period, entry)))
    above = next(n for n, text in enumerate(dated) if find_period(text))
    return above if _is_dates_alone(dated[above]) else 1


def _is_dates_alone(line: str) -> bool:
    return find_period(line) is not None and not re.search(r"[^\W\d_]", cut_period(line)[0])


def list_lines(sections: dict[str, list[str]], name: str) -> list[str]:
    """List a section's lines without bullets and Markdown marks."""
    lines = (strip_mark(_BULLET.sub("", line)) for line in sections.get(name, []))
    return [line for line in lines if line]


def strip_mark(line: str) -> str:
    """Remove Markdown's marks from a line."""
    plain = re.sub(r"^[#>\s]+", "", line)
    plain = re.sub(r"\[([^\[\]]++)\]\((?:[^()]|\([^()]*\))++\)", r"\1", plain)
    return re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`", "", plain).strip()


def _parse_basics(sections: dict[str, list[str]]) -> dict[str, Any]:
    head = [line for line in list_lines(sections, "basics") if not is_document_title(line)]
    text = "\n".join(head)
    orcid = _ORCID.search(text)
    text = _ORCID.sub("", text)  # looks like a number to call
    patterns = {"email": EMAIL, "phone": _PHONE, "url": _URL}
    found = {key: pattern.search(text) for key, pattern in patterns.items()}
    contacts: dict[str, Any] = {key: match[0].strip() for key, match in found.items() if match}
    lines = [line for line in head if not EMAIL.search(line) and not _URL.search(line)]
    name, rest = _find_name(head, contacts.get("email", ""))
    basics: dict[str, Any] = {"name": name} if name else {}
    after = lines[lines.index(rest) + 1 :] if rest in lines else []
    if name and after and len(after[0]) <= 80 and _is_post(after[0]):
        basics["label"] = after[0]
    about = list_lines(sections, "summary") or [line for line in lines if len(line) > 80]
    others = dict.fromkeys(match[0] for match in _URL.finditer(text))
    others.pop(contacts.get("url", ""), None)
    if others:
        contacts["profiles"] = [{"url": url} for url in others]
    if orcid:
        url = f"https://orcid.org/{orcid[1]}"
        own = {"network": "ORCID", "username": orcid[1], "url": url}
        contacts["profiles"] = [own, *contacts.get("profiles", [])]
    return {**basics, **contacts, **({"summary": " ".join(about)} if about else {})}


def _is_post(line: str) -> bool:
    """Whether a line names a job title, and so is not a town.

    >>> _is_post("Senior Backend Engineer at Nordfrakt"), _is_post("Gothenburg, Sweden")
    (True, False)
    """
    return is_title(_SPLIT.split(line)[0])


def _find_name(head: list[str], email: str) -> tuple[str, str]:
    """Return (the person's name, its line), confirmed by place, label or address; else ("", "")."""
    local = fold(email.partition("@")[0])
    for place, line in enumerate(head):
        label = re.match(
            r"(?:full |first )?name(?:\(s\) / surname\(s\))?(?:\s*:|\s\s)\s*(.+)", line, re.I
        )
        name = _SPLIT.split(label[1] if label else line)[0].strip()
        words = name.split()
        starts = (n for n in (3, 2, 1) if n < len(words) and find_heading(" ".join(words[:n])))
        name = " ".join(words[next(starts, 0) :])  # "PERSONAL INFORMATION Marko Horvat"
        is_in_address = any(word in local for word in fold(name).split() if len(word) > 1)
        # "Tom Baker" is a name where the address says so.
        is_other = (is_title(name) and not is_in_address) or SCHOOL.search(name)
        if not _NAME.fullmatch(name) or is_other:
            continue
        if label or is_in_address or place == 0:
            return name, line
    return "", ""


def _to_work(entry: list[str]) -> dict[str, Any]:
    places, entry = _cut_places(entry)
    heads, bullets, dates = _split_entry(entry)
    names = _split_names(heads[0]) if heads else []
    before = _AT.split(names[0], maxsplit=1) if names else []
    if len(before) == 2 and is_title(before[0]):  # "Ingeniero en Glovo"
        names[:1] = before
    if len(names) == 1 and len(heads) > 1:
        names += _split_names(heads.pop(1))
    is_placed = len(names) > 2 and _REGION.fullmatch(names[-1]) is not None
    is_below = len(heads) > 1 and (_is_post(heads[1]) or (is_placed and "," not in heads[1]))
    if is_below and not any(map(is_title, names)):
        names = [*_split_names(heads.pop(1))[:1], *names]  # the firm and its town, the post below
    if len(names) > 2 and not any(map(is_title, names[:2])) and any(map(is_title, names)):
        at = next(n for n, name in enumerate(names) if is_title(name))
        names.insert(0, names.pop(at))  # "Company A, London — Product Manager"
    if len(names) > 1 and not is_title(names[0]):
        is_firm = _FIRM.search(names[0]) and not _FIRM.search(names[1])  # by its legal form
        if is_firm or is_title(names[1]):
            names[:2] = names[1::-1]
    work: dict[str, Any] = dict(zip(("position", "name"), names, strict=False))
    details = heads[1:]
    is_town = details and len(details[0].split()) < 3 and _NAME.fullmatch(details[0])
    if is_town and len(names) == 2 and not places:
        names.append(details.pop(0))  # a town alone in its line
    if places or len(names) > 2:
        work["location"] = ", ".join([*names[2:], *places])
    return {**work, **dates, **_pack_details(details, bullets)}


def _cut_places(entry: list[str]) -> tuple[list[str], list[str]]:
    """Cut out where a position was, as Europass has it; return (places, the other lines).

    "City: Porto" and "Country: Portugal", or what a dash parts from the dates above the title.
    """
    found = [match[1].strip() for line in entry if (match := _PLACE.match(line))]
    places = [_NEXT_LABEL.sub(", ", place) for place in found]
    rest = [line for line in entry if not _PLACE.match(line)]
    dated = _DATED_PLACE.fullmatch(cut_period(rest[0])[0]) if rest else None
    if dated and len(rest) > 1 and _is_post(rest[1]) and len(_split_names(rest[1])) > 1:
        return [dated[1], *places], [rest[0].removesuffix(dated[0].lstrip()), *rest[1:]]
    return places, rest


def _turn_alike(posts: list[dict[str, Any]], entries: list[list[str]]) -> None:
    """Swap position and company in entries where the sure ones of the section show that order.

    "Delta Mills — Quality Inspector" below "Sunrise Foods — Quality Manager".
    """
    texts = ["\n".join(entry) for entry in entries]
    named = [post if {"position", "name"} <= post.keys() else None for post in posts]
    sure = [
        text.find(post["name"]) < text.find(post["position"])
        for post, text in zip(named, texts, strict=True)
        if post and is_title(post["position"])
    ]
    for post, text in zip(named, texts, strict=True):
        if sure and all(sure) and post and not any(map(is_title, (post["position"], post["name"]))):
            if text.find(post["position"]) < text.find(post["name"]):
                post["position"], post["name"] = post["name"], post["position"]


def _to_volunteer(entry: list[str]) -> dict[str, Any]:
    work = _to_work(entry)
    named = {"organization": work.pop("name")} if "name" in work else {}
    return {**named, **work}


def _to_education(entry: list[str]) -> dict[str, Any]:
    heads, bullets, dates = _split_entry(entry)
    names = [name for head in heads for name in _split_names(head)]
    schools = [name for name in names if SCHOOL.search(name)][:1]
    education: dict[str, Any] = {"institution": schools[0]} if schools else {}
    others = [name for name in names if name not in schools]
    at = next((n for n, name in enumerate(others) if DEGREE.search(name)), None)
    area = ""
    if at is not None and (degree := DEGREE.search(others[at])):
        education["studyType"] = degree[0]
        area = re.sub(r"^\W*(?:in|of)\s+|^\W+", "", others[at][degree.end() :]).strip()
        # "BFA, Graphic Design": what follows the degree; else what stands before it.
        others = [*others[at + 1 :], *others[:at][::-1]]
        others = [name for name in others if not DEGREE.search(name)]
        area = area or (others.pop(0) if others else "")
    if others and not schools:
        education["institution"] = others.pop(0)
    if others and at is None:
        area = others[0]
    education |= {"area": area} if area else {}
    return {**education, **({"courses": bullets} if bullets else {}), **dates}


def _to_project(entry: list[str]) -> dict[str, Any]:
    heads, bullets, dates = _split_entry(entry)
    name, *rest = heads or bullets[:1] or [""]
    return {"name": name, **dates, **_pack_details(rest, bullets if heads else [])}


def _pack_details(rest: list[str], bullets: list[str]) -> dict[str, Any]:
    details: dict[str, Any] = {"summary": " ".join(rest)} if rest else {}
    return {**details, "highlights": bullets} if bullets else details


def _split_entry(entry: list[str]) -> tuple[list[str], list[str], dict[str, str]]:
    """Split an entry into (heading lines without dates, bullets, dates)."""
    heads: list[str] = []
    bullets: list[str] = []
    dates: dict[str, str] = {}
    for line in entry:
        if _BULLET.match(line) and heads:
            bullets.append(strip_mark(_BULLET.sub("", line)))
            continue
        if not dates:
            line, dates = cut_period(line)
            named = _split_names(strip_mark(line).strip(" ,:|·–—-()")) if dates else []
            if len(named) > 1 and any(map(is_title, named)) and len(" ".join(heads).split()) == 1:
                heads.clear()  # the heading of a part of the section: "Vocational"
        plain = strip_mark(_BULLET.sub("", line)).strip(" ,:|·–—-()")
        plain += ")" if plain.count("(") > plain.count(")") else ""
        heads += [plain] if plain else []
    return heads, bullets, dates


def _split_names(head: str) -> list[str]:
    head = _LEGAL.sub(r"\1\t", head)  # "PLAT Corp. Seoul": its form, then its town
    parts = [part.strip(" *_") for part in _SPLIT.split(head) if part.strip(" *_")]
    for at in range(len(parts) - 1, 0, -1):
        if _FIRM.fullmatch(parts[at]):  # "Smith, Inc."
            parts[at - 1 : at + 1] = [", ".join(parts[at - 1 : at + 1])]
    return parts


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
