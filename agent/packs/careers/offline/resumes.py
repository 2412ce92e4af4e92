"""Plain-text and Markdown résumés to JSON Resume, by their lines and headings."""

from __future__ import annotations

import re
from typing import Any, Final

from ....offline.brain.words import fold
from .names import is_title
from .periods import PERIOD, cut_period

_SECTIONS: Final[dict[str, str]] = {
    "work": r"(?:work|professional|relevant|career|employment)?\s*(?:experience|employment|history"
    r"|work|career)(?:\s+history)?|(?:berufs|arbeits)erfahrung(?:en)?|beruflicher werdegang"
    r"|berufliche (?:laufbahn|erfahrung)|praxis(?:erfahrung)?"
    r"|experiencia(?: (?:laboral|profesional))?"
    r"|trayectoria(?: profesional)?|exp[ée]riences?(?: professionnelles?)?"
    r"|parcours(?: professionnel)?",
    "education": r"education(?:\s+(?:and|&)\s+\w+)?|academic.*|studies|qualifications"
    r"|(?:schul|aus|hochschul)?bildung|studium|akademischer werdegang"
    r"|formations?(?: acad[ée]mique)?|[ée]tudes|dipl[ôo]mes|estudios"
    r"|formaci[óo]n(?: acad[ée]mica)?|educaci[óo]n",
    "skills": r"(?:technical|key|core|professional|it)?\s*(?:skills|competenc(?:i?es)|technologies"
    r"|tech stack)(?:\s*(?:and|&)\s*\w+)?|(?:(?:edv|it|fach)[- ]?)?kenntnisse|f[äa]higkeiten"
    r"|kompetenzen|comp[ée]tences(?: \w+)?|habilidades|aptitudes|competencias|conocimientos",
    "summary": r"(?:professional\s+)?(?:summary|profile|about(?: me)?|objective)|profil"
    r"|[üu]ber mich|kurzprofil|zusammenfassung|r[ée]sum[ée] professionnel|resumen"
    r"|perfil(?: profesional)?|[àa] propos",
    "projects": r"(?:personal |selected |side )?projects|projekte|projets|proyectos",
    "languages": r"languages|sprach(?:en|kenntnisse)|langues|idiomas",
    "certificates": r"certifi(?:cates|cations?)(?:\s.*)?|zertifikate|certificats|certificados"
    r"|weiterbildung(?:en)?",
    "awards": r"(?:awards|honou?rs)(?:\s.*)?|auszeichnungen|prix|premios",
    "publications": r"publications|ver[öo]ffentlichungen|publicaciones",
    "volunteer": r"volunteer(?:ing)?(?:\s.*)?|ehrenamt(?:\s.*)?|b[ée]n[ée]volat|voluntariado",
    "interests": r"(?:interests|hobb(?:ies|ys))(?:\s.*)?|interessen|intereses"
    r"|centres d.int[ée]r[êe]ts?",
    "references": r"references|referenzen|r[ée]f[ée]rences|referencias",
    # Says who it is: belongs to the lines at the top, wherever it stands.
    "basics": r"contact(?: (?:details|information|me))?|personal (?:data|details|information)"
    r"|kontakt(?:daten)?|pers[öo]nliche (?:daten|angaben)|zur person|contacto|datos personales"
    r"|coordonn[ée]es|(?:informations|donn[ée]es) personnelles|[ée]tat civil",
}
_HEADING: Final = {
    name: re.compile(rf"^(?:{pattern})$", re.I) for name, pattern in _SECTIONS.items()
}
# What the paper is, which is nobody's name; "Lebenslauf von Ann Lee" goes on with one.
_DOCUMENT: Final = re.compile(
    r"^(?:(?:tabellarischer )?lebenslauf|curriculum(?: vitae)?|curr[íi]culum(?: v[íi]tae)?|c\.?v\.?"
    r"|r[ée]sum[ée]|hoja de vida|vita|bewerbung(?:sunterlagen)?)\b"
    r"\s*(?:von|of|de|for)?\s*[-–—:|,]*\s*",
    re.I,
)
_GIVEN_LABEL: Final = re.compile(
    r"^(?:(?:first|given) names?|vornamen?|pr[ée]noms?|nombre)\s*:\s*(?P<name>\S.*)$", re.I
)
_NAME_LABEL: Final = re.compile(
    r"^(?:(?:full |last |family )?name|surname|(?:vor- und |vor-/|vollst[äa]ndiger )?(?:nach)?name"
    r"|nom(?: et pr[ée]noms?| complet| de famille)?|pr[ée]noms? et nom|apellidos?"
    r"|nombre (?:completo|y apellidos?))\s*:\s*(?P<name>\S.*)$",
    re.I,
)
_NAME_WORD: Final = (
    r"(?:[^\W\d_a-z][^\W\d_]*(?:['’.-][^\W\d_]*)*"
    r"|de|del|della|di|da|van|von|der|den|la|le|zu|bin|al)"
)
_NAME: Final = re.compile(
    rf"(?:(?:Dr|Prof|Mr|Mrs|Ms|Dipl)\.\s*)*{_NAME_WORD}(?:\s+{_NAME_WORD}){{1,4}}"
)
_LINE_CHARS: Final = 1000
_TAGGED: Final = re.compile(r"<(?P<tag>\w+)>\s*\n(?P<inner>.*)</(?P=tag)>", re.S)
_INTRO: Final = re.compile(r"\A\W*(?:r[ée]sum[ée]|cv|text|parse|extract)\b[^\n]*:\s*\n", re.I)
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_PHONE: Final = re.compile(r"(?<![\w/])(?:\+|\()?\d[\d\s()./-]{6,18}\d(?!\w)")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s)>\]|,]+", re.I)
_BULLET: Final = re.compile(r"^\s*[-*•·–▪◦+‣]\s+")
# A line that ends so is not over.
_OPEN_LINE: Final = re.compile(
    r"(?:[,;&/]|\b(?:a|an|the|of|to|and|or|for|with|in|on|by|at|from|into|across|und|oder|der|die|das"
    r"|mit|f[üu]r|von|zu|im|bei|et|ou|de|du|des|la|le|les|pour|avec|y|o|el|los|las|para|con))$",
    re.I,
)
_SPLIT_ENTRY: Final = re.compile(
    r"\s+(?:at|@|bei|chez|en(?=\s+[^\W\d_a-z]))\s+|\s*[,|•·]\s+|\s+[–—-]\s+|\s{2,}"
)
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
_SKILL_SPLIT: Final = re.compile(r"\s*[,;|•·]\s*")
_LABEL: Final = re.compile(r"^([^:]{2,40}):\s*(.+)$")
_FLUENCY: Final = re.compile(
    r"^(?P<name>[^\W\d_]+(?: [^\W\d_]+)?)\s*(?:[:(–—-]\s*)(?P<level>[^)]+)\)?$"
)


def parse_resume(text: str) -> dict[str, Any]:
    """The text as JSON Resume; what cannot be recognised is left out, nothing is invented."""
    sections = _split_sections(_unwrap(text))
    resume: dict[str, Any] = {"basics": _parse_basics(sections)}
    resume["work"] = [_to_work(entry) for entry in _split_entries(sections.get("work", []))]
    education = [_to_education(entry) for entry in _split_entries(sections.get("education", []))]
    resume["education"] = education
    resume["skills"] = _parse_skills(_list_lines(sections, "skills"))
    resume["languages"] = [_to_language(item) for item in _list_items(sections, "languages")]
    resume["interests"] = [{"name": name} for name in _list_items(sections, "interests")]
    resume["projects"] = [_to_project(e) for e in _split_entries(sections.get("projects", []))]
    for name, key in (("certificates", "name"), ("awards", "title"), ("publications", "name")):
        resume[name] = [{key: line} for line in _list_lines(sections, name)]
    return {name: value for name, value in resume.items() if value or name in ("basics", "work")}


def _unwrap(text: str) -> str:
    """The résumé itself, without the tags or the label that a prompt put around it."""
    tagged = _TAGGED.search(text)
    return _INTRO.sub("", tagged["inner"] if tagged else text)


def _split_sections(text: str) -> dict[str, list[str]]:
    """The lines of each section, "basics" for those before the first heading; wrapped lines are
    whole again, and an empty line stands where the text had some.
    """
    sections: dict[str, list[str]] = {}
    current = sections.setdefault("basics", [])
    for line in (text[:_LINE_CHARS].rstrip() for text in text.splitlines()):
        name, rest = _find_heading(line), ""
        if name is None:
            name, rest = _find_inline_heading(line, current is sections.get("skills"))
        if name is not None:
            current = sections.setdefault(name, [])
            current += ["", rest] if rest else [""]
        elif re.fullmatch(r"[\s=_*-]*", line):
            current.append("")
        elif current and _goes_on(current[-1], line):
            current[-1] += " " + line.strip()
        else:
            current.append(line)
    return sections


def _goes_on(before: str, line: str) -> bool:
    """Whether a line is the rest of the list item before it."""
    if not before or not _BULLET.match(before) or _BULLET.match(line) or PERIOD.search(line):
        return False
    rest = line.lstrip()
    is_deeper = len(line) - len(rest) > len(before) - len(before.lstrip())
    if is_deeper or rest[0].islower() or _OPEN_LINE.search(before):
        return True
    # A number and what it counts, on either side of the line's end.
    is_parted = (rest[0].isdigit() and before[-1] not in ".!?") or before[-1].isdigit()
    return is_parted and not _SPLIT_ENTRY.search(line)


def _find_heading(line: str) -> str | None:
    plain = re.sub(r"^[#\s*_]+|[\s*_:#]+$", "", line)
    if not plain or len(plain) > 40 or _BULLET.match(line):
        return None
    return next((name for name, pattern in _HEADING.items() if pattern.match(plain)), None)


def _find_inline_heading(line: str, is_in_skills: bool) -> tuple[str | None, str]:
    """The section that a line names before a colon, and what it says: "Skills: Fish, Meat". Among
    skills "Languages: Python, Go" is one group of them, and "Deutsch (gut)" is not.
    """
    label = _LABEL.match(_strip_mark(line))
    name = _find_heading(label[1]) if label and not _BULLET.match(line) else None
    if label is None or name not in ("skills", "languages", "interests"):
        return None, ""
    has_levels = any(_FLUENCY.match(item) for item in _SKILL_SPLIT.split(label[2]))
    if is_in_skills and not (name == "languages" and has_levels):
        return None, ""
    return name, label[2]


def is_heading(text: str) -> bool:
    """Whether a line is what the paper or a part of it is called: nobody's name.

    >>> is_heading("Lebenslauf"), is_heading("Work experience"), is_heading("Ann Lee")
    (True, True, False)
    """
    return not _DOCUMENT.sub("", text.strip()) or _find_heading(text) is not None


def is_fragment(text: str) -> bool:
    """Whether a text begins or ends within a sentence: a piece of a wrapped line is no fact."""
    words = text.split()
    begins_inside = bool(words) and words[0].islower() and words[0].isalpha()
    return begins_inside or _OPEN_LINE.search(text.strip()) is not None


def _parse_basics(sections: dict[str, list[str]]) -> dict[str, Any]:
    head = _list_lines(sections, "basics")
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
    about = _list_lines(sections, "summary") or [line for line in lines if len(line) > 80]
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
        first = re.split(r"\s*[,|•·]\s*|\s+[–—-]\s+|\s{2,}", _DOCUMENT.sub("", line))[0].strip()
        is_name = _NAME.fullmatch(first) and not is_title(first)
        if is_name and _find_heading(first) is None and not _SCHOOL.search(first):
            found.append((first, line))
    # The address tells which of several lines is the person: "Berlin Mitte" is none.
    found.sort(key=lambda item: not _is_in_address(item[0], email))
    if found or not head:
        return found[0] if found else ("", "")
    single = _DOCUMENT.sub("", head[0]).strip()
    is_single = re.fullmatch(_NAME_WORD, single) and _find_heading(single) is None
    return (single, head[0]) if is_single and not is_title(single) else ("", "")


def _take_name(sections: dict[str, list[str]], email: str) -> str:
    """The name out of the section that it stands in by its place on the page, beside a side bar;
    only the address shows that it is one.
    """
    for lines in sections.values():
        for line in lines:
            if _NAME.fullmatch(_strip_mark(line)) and _is_in_address(line, email):
                lines.remove(line)
                return _strip_mark(line)
    return ""


def _is_in_address(name: str, email: str) -> bool:
    local = fold(email.partition("@")[0])
    return any(word in local for word in fold(name).split() if len(word) > 1)


def _split_entries(lines: list[str]) -> list[list[str]]:
    """Groups of lines, each with the heading lines of one entry and its bullets."""
    entries: list[list[str]] = []
    after_gap = True
    for line in lines:
        if not line:
            after_gap = True
            continue
        is_detail = _BULLET.match(line) is not None or line[:1] in (" ", "\t")
        is_whole = bool(entries) and _has_period(entries[-1]) and len(entries[-1]) > 1
        begins = (
            not is_detail
            and not line[:1].islower()
            and (
                line.lstrip().startswith("#")
                or (bool(entries) and _has_bullets(entries[-1]))
                or (bool(entries) and PERIOD.search(line) is not None and _has_period(entries[-1]))
                or (after_gap and is_whole and _is_short(line))
            )
        )
        if begins or not entries:
            entries.append([])
        entries[-1].append(line)
        after_gap = False
    return entries


def _is_short(line: str) -> bool:
    """Like the head of an entry, not like a sentence about it."""
    return len(line) <= 80 and not line.rstrip().endswith(".")


def _has_bullets(entry: list[str]) -> bool:
    return any(_BULLET.match(line) for line in entry)


def _has_period(entry: list[str]) -> bool:
    return any(PERIOD.search(line) for line in entry)


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
        if _BULLET.match(line) and (i > 0 or not PERIOD.search(line)):
            bullets.append(_strip_mark(_BULLET.sub("", line)))
            continue
        if not dates:
            line, dates = cut_period(line)
        plain = _strip_mark(_BULLET.sub("", line)).strip(" ,:|–—-()")
        if plain:
            heads.append(plain)
    return heads, bullets, dates


def _split_names(head: str, pattern: re.Pattern[str] = _SPLIT_ENTRY) -> list[str]:
    return [part.strip(" *_") for part in pattern.split(head) if part.strip(" *_")]


def _parse_skills(lines: list[str]) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    plain: list[str] = []
    for line in lines:
        label = _LABEL.match(line)
        items = [item.strip(" .") for item in _SKILL_SPLIT.split(label[2] if label else line)]
        items = [item for item in items if item]
        if label:
            groups.append({"name": label[1].strip(), "keywords": items})
        else:
            plain += items
    return [*groups, *({"name": item} for item in plain)]


def _to_language(item: str) -> dict[str, str]:
    """`German (native)`, `Deutsch: Muttersprache`, `Français – C1`."""
    match = _FLUENCY.match(item)
    if match is None:
        return {"language": item}
    return {"language": match["name"], "fluency": match["level"].strip()}


def _list_lines(sections: dict[str, list[str]], name: str) -> list[str]:
    """A section's lines without marks and without the empty ones."""
    lines = (_strip_mark(_BULLET.sub("", line)) for line in sections.get(name, []))
    return [line for line in lines if line]


def _list_items(sections: dict[str, list[str]], name: str) -> list[str]:
    items = (item for line in _list_lines(sections, name) for item in _SKILL_SPLIT.split(line))
    return [item.strip(" .") for item in items if item.strip(" .")]


def _strip_mark(line: str) -> str:
    """A line without Markdown's marks."""
    plain = re.sub(r"^[#>\s]+", "", line)
    plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", plain)
    return re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`", "", plain).strip()
