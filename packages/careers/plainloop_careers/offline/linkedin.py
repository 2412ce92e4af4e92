"""LinkedIn's "Save to PDF": its lines have an order that tells firms, positions and places apart.

    Firm                                  Firm
    Position                              Length of all positions, if they are several
    Period (length)                       Position
    Place                                 Period (length)

A wrapped position would be taken for a firm and a position, and "Page 1 of 2" for either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from ..resumes.periods import cut_period, is_length, is_period_with_length

_PROFILE: Final = re.compile(r"\blinkedin\.com/in/", re.I)
_PAGE: Final = re.compile(r"[^\W\d_]+ (\d{1,2}) [^\W\d_]+ (\d{1,2})")  # in any language
_LINE_CHARS: Final = 66  # of a position; where the next word has no room, the line goes on
_HEAD_LINES: Final = 4  # of a firm and a position, if both are wrapped
_PLACE: Final = re.compile(r"[^\W\d_a-z][^.:;!?()]{1,60}")
_BULLET: Final = re.compile(r"^\s*[-*•·–▪◦+‣]\s+")
_ADDRESS_ENDS: Final = re.compile(r"[\w.-]{1,40}(?: \([^()]{2,20}\))?")


def is_linkedin(text: str) -> bool:
    """Whether a text is of LinkedIn's PDF: a profile's address, and each period with its length.

    Another résumé may name the address, too, and a length here and there.
    """
    if not _PROFILE.search(text):
        return False
    # "(2018 - 2022)" and "June 2022)" are the end of a school's wrapped line.
    lines = [line for line in text.splitlines() if line and line[0] not in "(·"]
    lines = [line for line in lines if line.count("(") == line.count(")")]
    dated = [line for line in lines if not cut_period(line)[0].strip()]
    return bool(dated) and all(map(is_period_with_length, dated))


def clean_pages(text: str) -> str:
    """Remove the lines "Page 1 of 2" and what follows them up to the next text.

    Also joins addresses that the side bar wraps.
    """
    lines: list[str] = []
    is_after_page = False
    for line in text.splitlines():
        page = _PAGE.fullmatch(line.strip())
        if page and int(page[1]) <= int(page[2]):
            is_after_page = True
        elif line.strip() or not is_after_page:
            while is_after_page and is_period_with_length(line) and lines and not lines[-1]:
                lines.pop()  # firm and position end the page before
            is_after_page = False
            last = lines[-1] if lines else ""
            is_cut = last.endswith(("-", "/")) if "linkedin.com/in/" in last else "@" in last
            is_cut &= " " not in last and line[:1].islower()
            if is_cut and _ADDRESS_ENDS.fullmatch(line) and "@" not in line and "www." not in line:
                lines[-1] += line
            else:
                lines.append(line)
    return "\n".join(lines)


def cut_person(text: str, find_heading: Callable[[str], str | None]) -> tuple[str, list[str]]:
    """Cut the person's name, headline and place out of the text: they stand below the side bar.

    Returns (the rest, [name, headline, place], of which the last two may be missing).
    """
    lines = text.splitlines()
    heads = (n for n, line in enumerate(lines) if find_heading(line) in ("summary", "work"))
    end = next(heads, 0)
    while end and not lines[end - 1]:
        end -= 1
    start = end
    while start and lines[start - 1]:
        start -= 1
    name, *rest = lines[start:end] or [""]
    headline = [" ".join(rest[:-1])] if rest[:-1] else []
    return "\n".join(lines[:start] + lines[end:]), [name, *headline, *rest[-1:]]


def parse_positions(lines: list[str]) -> list[dict[str, Any]]:
    """Parse the lines of the section of work to JSON Resume's entries."""
    dated = [n for n, line in enumerate(lines) if is_period_with_length(line)]
    heads = [(_find_head(lines, n), n) for n in dated]
    entries: list[dict[str, Any]] = []
    firm = ""
    for number, (start, at) in enumerate(heads):
        end = heads[number + 1][0] if number + 1 < len(heads) else len(lines)
        *firms, position = _split_head(lines[start:at])
        firm = firms[0] if firms else firm
        entry = {"position": position, "name": firm, **cut_period(lines[at])[1]}
        below = lines[at + 1 : end]
        if below and _is_place(below[0]):
            entry["location"] = below.pop(0)
        texts = list(filter(None, below))
        bullets = [_BULLET.sub("", text, count=1) for text in texts if _BULLET.match(text)]
        plain = [text for text in texts if not _BULLET.match(text)]
        entry |= {"summary": " ".join(plain)} if plain else {}
        entries.append(entry | ({"highlights": bullets} if bullets else {}))
    return entries


def parse_schools(lines: list[str]) -> list[dict[str, Any]]:
    """Parse the lines of the section of education: a school, then "degree, area · (period)"."""
    entries: list[dict[str, Any]] = []
    for school, *rest in _split_paragraphs(lines):
        text, dates = cut_period(" ".join(rest))
        degree, _, area = text.partition("·")[0].strip(" ()").partition(", ")
        entry = {"institution": school, "studyType": degree.partition(" - ")[0], "area": area}
        entries.append({key: value for key, value in entry.items() if value} | dates)
    return entries


def _split_paragraphs(lines: list[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []


def _find_head(lines: list[str], at: int) -> int:
    """Return where the lines of firm and position above a period begin."""
    start = at
    while start and lines[start - 1] and not is_period_with_length(lines[start - 1]):
        start -= 1
    # A page ends below the length of all positions.
    if start > 1 and not lines[start - 1] and is_length(lines[start - 2]):
        start -= 2
        while start and lines[start - 1] and not is_period_with_length(lines[start - 1]):
            start -= 1
    head = lines[start:at]
    is_whole = len(head) <= _HEAD_LINES and (not start or not lines[start - 1])
    if is_whole or any(map(is_length, head)):
        return start
    # Without an empty line, the text of the position before stands above.
    needed = 2
    while len(head) > needed and _goes_on(head[-needed], head[-needed + 1]):
        needed += 1
    return at - min(len(head), needed)


def _split_head(head: list[str]) -> list[str]:
    """Split the lines above a period into [firm, position]; only [position] of the same firm."""
    head = list(filter(None, head))
    at = next((n for n, line in enumerate(head) if is_length(line)), None)
    if at is not None:
        return [" ".join(head[:at]), " ".join(head[at + 1 :])] if at else [" ".join(head[1:])]
    while len(head) > 1 and _goes_on(head[-2], head[-1]):
        head[-2:] = [f"{head[-2]} {head[-1]}"]
    return [" ".join(head[:-1]), head[-1]] if len(head) > 1 else head or [""]


def _goes_on(upper: str, lower: str) -> bool:
    """Whether the first word of a line had no room in the line above."""
    return len(upper) + 1 + len(lower.split()[0]) > _LINE_CHARS


def _is_place(line: str) -> bool:
    words = re.findall(r"[^\W\d_]{4,}", line)
    return _PLACE.fullmatch(line) is not None and all(word[0].isupper() for word in words)
