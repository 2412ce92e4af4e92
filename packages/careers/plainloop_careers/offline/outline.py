"""A résumé as a page: its sections, their entries and lines, in four languages."""

from __future__ import annotations

import re
from typing import Final

from ..files import load_data
from ..resumes.review import OPEN_END
from .periods import PERIOD

_HEADING: Final = {
    name: re.compile(rf"^(?:{'|'.join(patterns)})$", re.I)
    for name, patterns in load_data(__file__, "sections.toml").items()
}
# What the paper is, which is nobody's name; "Lebenslauf von Ann Lee" goes on with one.
DOCUMENT: Final = re.compile(
    r"^(?:(?:tabellarischer )?lebenslauf|curriculum(?: vitae)?|curr[íi]culum(?: v[íi]tae)?|c\.?v\.?"
    r"|r[ée]sum[ée]|hoja de vida|vita|bewerbung(?:sunterlagen)?)\b"
    r"\s*(?:von|of|de|for)?\s*[-–—:|,]*\s*",
    re.I,
)
_LINE_CHARS: Final = 1000
_TAGGED: Final = re.compile(r"<(?P<tag>\w+)>\s*\n(?P<inner>.*)</(?P=tag)>", re.S)
_INTRO: Final = re.compile(r"\A\W*(?:r[ée]sum[ée]|cv|text|parse|extract)\b[^\n]*:\s*\n", re.I)
BULLET: Final = re.compile(r"^\s*[-*•·–▪◦+‣]\s+")
SPLIT_ENTRY: Final = re.compile(
    r"\s+(?:at|@|bei|chez|en(?=\s+[^\W\d_a-z]))\s+|\s*[,|•·]\s+|\s+[–—-]\s+|\s{2,}"
)
SKILL_SPLIT: Final = re.compile(r"(?<!\s)\s*[,;|•·]\s*")
LABEL: Final = re.compile(r"^([^:]{2,40}):\s*(.+)$")
FLUENCY: Final = re.compile(
    r"^(?P<name>[^\W\d_]+(?: [^\W\d_]+)?)\s*(?:[:(–—-]\s*)(?P<level>[^)]+)\)?$"
)


def unwrap(text: str) -> str:
    """The résumé itself, without the tags or the label that a prompt put around it."""
    tagged = _TAGGED.search(text)
    return _INTRO.sub("", tagged["inner"] if tagged else text)


def split_sections(text: str) -> dict[str, list[str]]:
    """The lines of each section, "basics" for those before the first heading; wrapped lines are
    whole again, and an empty line stands where the text had some.
    """
    sections: dict[str, list[str]] = {}
    current = sections.setdefault("basics", [])
    for line in (text[:_LINE_CHARS].rstrip() for text in text.splitlines()):
        name, rest = find_heading(line), ""
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
    if not before or not BULLET.match(before) or BULLET.match(line) or PERIOD.search(line):
        return False
    rest = line.lstrip()
    is_deeper = len(line) - len(rest) > len(before) - len(before.lstrip())
    if is_deeper or rest[0].islower() or OPEN_END.search(before):
        return True
    # A number and what it counts, on either side of the line's end.
    is_parted = (rest[0].isdigit() and before[-1] not in ".!?") or before[-1].isdigit()
    return is_parted and not SPLIT_ENTRY.search(line)


def find_heading(line: str) -> str | None:
    """The section that a line begins."""
    plain = re.sub(r"^[#\s*_]+|(?<![\s*_:#])[\s*_:#]+$", "", line)
    if not plain or len(plain) > 40 or BULLET.match(line):
        return None
    return next((name for name, pattern in _HEADING.items() if pattern.match(plain)), None)


def _find_inline_heading(line: str, is_in_skills: bool) -> tuple[str | None, str]:
    """The section that a line names before a colon, and what it says: "Skills: Fish, Meat". Among
    skills "Languages: Python, Go" is one group of them, and "Deutsch (gut)" is not.
    """
    label = LABEL.match(strip_mark(line))
    name = find_heading(label[1]) if label and not BULLET.match(line) else None
    if label is None or name not in ("skills", "languages", "interests"):
        return None, ""
    has_levels = any(FLUENCY.match(item) for item in SKILL_SPLIT.split(label[2]))
    if is_in_skills and not (name == "languages" and has_levels):
        return None, ""
    return name, label[2]


def is_heading(text: str) -> bool:
    """Whether a line is what the paper or a part of it is called: nobody's name.

    >>> is_heading("Lebenslauf"), is_heading("Work experience"), is_heading("Ann Lee")
    (True, True, False)
    """
    return not DOCUMENT.sub("", text.strip()) or find_heading(text) is not None


def split_entries(lines: list[str]) -> list[list[str]]:
    """Groups of lines, each with the heading lines of one entry and its bullets."""
    entries: list[list[str]] = []
    after_gap = True
    for line in lines:
        if not line:
            after_gap = True
            continue
        is_detail = BULLET.match(line) is not None or line[:1] in (" ", "\t")
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
    return any(BULLET.match(line) for line in entry)


def _has_period(entry: list[str]) -> bool:
    return any(PERIOD.search(line) for line in entry)


def list_lines(sections: dict[str, list[str]], name: str) -> list[str]:
    """A section's lines without marks and without the empty ones."""
    lines = (strip_mark(BULLET.sub("", line)) for line in sections.get(name, []))
    return [line for line in lines if line]


def list_items(sections: dict[str, list[str]], name: str) -> list[str]:
    items = (item for line in list_lines(sections, name) for item in SKILL_SPLIT.split(line))
    return [item.strip(" .") for item in items if item.strip(" .")]


def strip_mark(line: str) -> str:
    """A line without Markdown's marks."""
    plain = re.sub(r"^[#>\s]+", "", line)
    plain = re.sub(r"\[([^\[\]]++)\]\((?:[^()]|\([^()]*\))++\)", r"\1", plain)
    return re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`", "", plain).strip()
