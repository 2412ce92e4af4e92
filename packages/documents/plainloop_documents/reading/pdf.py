"""A PDF's text in the order in which it is read: column by column, and rows of tables as rows.

Where on the page each line stands, and which lines make a column, is pdfminer's work. What it
cannot know is that a date beside a position, or a label beside its value, is no column of its own.
Runs in the child.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from statistics import median
from typing import Any, Final, cast

from pdfminer.high_level import extract_pages
from pdfminer.layout import LAParams, LTContainer, LTCurve, LTTextLine
from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser

from plainloop.agent.dataclasses import dataclass, field

from .bidi import is_as_seen, to_reading_order
from .links import add_addresses, iter_links
from .refusal import MAX_TEXT_CHARS, Refusal, to_plain

_YEAR: Final = re.compile(r"(?:19|20)\d{2}")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
# What pdfminer writes for a glyph whose font does not say which letter it is.
_UNMAPPED: Final = re.compile(r"\(cid:\d+\)")
_UNMAPPED_BULLET: Final = re.compile(rf"(?m)^{_UNMAPPED.pattern}(?= )")
_DATE_CHARS: Final = 40
_DATE_WORDS: Final = 4  # "March 2019 – June 2021", "seit Mai 2020"
_LABEL: Final = re.compile(r"\S.{0,30}:$")
_EDGE_PT: Final = 3.0  # lines of one column begin or end at the same place
_MARGIN_PT: Final = 15.0
_MOSTLY: Final = 0.5
_TEXT_LINES: Final = 3  # that begin where a date does: it stands in their column
_BAR_LINES: Final = 3
_SIDE_LINES: Final = 400  # of a page; where more stand, no side bar is sought
_BAR_WIDTH: Final = 0.7  # of the column beside it, at the most
_BAR_STEP: Final = 2.2  # heights of a line from one to the next
_DOT_MAX_PT: Final = 8.0
_DOT_SQUARE: Final = 0.8  # of its longer side: neither a rule nor a bar of a chart
_DOT_SIZE: Final = 0.45  # of its line's height; Chromium's is a third
_DOT_GAP: Final = 2.0  # heights of the line between the dot and its text
_DOT_LINE: Final = 1.2  # usual heights of a line; higher ones are headings
_DOT_PAIRS: Final = 100_000  # of a page; each dot is compared with each line and dot
_GAP: Final = 1.4  # times the usual distance of two lines: a new paragraph
_BULLETS: Final = str.maketrans(dict.fromkeys("\uf0b7\uf0a7\uf076\uf0d8", "•"))  # Word's symbols


@dataclass(slots=True, eq=False)
class _Line:
    """A line of text with its position, in points from the left and from the bottom."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    links: list[str] = field(default_factory=list[str])  # what a click on it opens

    def is_beside(self, other: _Line) -> bool:
        """Return whether both lines are in the same row of the page."""
        shared = min(self.top, other.top) - max(self.bottom, other.bottom)
        height = min(self.top - self.bottom, other.top - other.bottom)
        return self is not other and shared > height / 2

    def measure_distance(self, left: float, right: float, y: float) -> tuple[float, float]:
        """Return the (vertical, horizontal) distance of a box from the line."""
        above = max(self.bottom - y, y - self.top, 0)
        return above, max(self.left - right, left - self.right, 0)


def read(
    content: bytes, max_pages: int, *, columns_over_pages: bool = False
) -> tuple[str, list[int]]:
    """Read a PDF's text in reading order; return (text, offsets at which pages begin).

    columns_over_pages: read side bars before the column beside them, over all pages; those then
    count as one.

    Raises: Refusal `encrypted`, `too_many_pages`, `too_large`, `unmapped`; pdfminer's own.
    """
    try:
        document = PDFDocument(PDFParser(io.BytesIO(content)))  # an empty password opens many
        pages = list(islice(PDFPage.create_pages(document), max_pages + 1))
        if len(pages) > max_pages:
            raise Refusal("too_many_pages")
        every: list[_Line] = []
        lines_of: list[list[_Line]] = []
        sides: list[_Sides] = []
        layouts = extract_pages(io.BytesIO(content), laparams=LAParams(line_margin=0.6))
        for page, layout in zip(pages, layouts, strict=False):
            lines = list(_iter_lines(layout))
            _mark_bullets(lines, list(_iter_dots(layout)))
            lines = _join_rows(lines)
            lines_of.append(lines)
            every += lines
            is_sought = columns_over_pages and len(lines) <= _SIDE_LINES
            sides.append(_find_side_bar(lines) if is_sought else _Sides([], [], lines))
            if sum(len(line.text) for line in every) > MAX_TEXT_CHARS:
                raise Refusal("too_large")
            for left, right, y, address in iter_links(page) if lines else ():
                places = [line.measure_distance(left, right, y) for line in lines]
                lines[places.index(min(places))].links.append(address)
        # A few are bullets or ornaments; of many, what else seems to be a letter is another one.
        whole = "".join(line.text for line in every)
        if 2 * len(_UNMAPPED.findall(whole)) > sum(map(str.isalnum, _UNMAPPED.sub("", whole))):
            raise Refusal("unmapped")
        shown = add_addresses([(line.text, line.links) for line in every])
        for line, text in zip(every, shown, strict=True):
            line.text = text
        texts = list(map(_to_text, lines_of))
        if any(page.bar for page in sides):
            parts = [page.head for page in sides[:1]] + [page.bar for page in sides]
            parts += [sides[0].main] + [[*page.head, *page.main] for page in sides[1:]]
            texts = ["\n\n".join(filter(None, map(_to_text, parts)))]
    except (PDFPasswordIncorrect, PDFEncryptionError) as error:
        raise Refusal("encrypted") from error
    if not pages:
        raise Refusal("corrupt")
    text, starts = "", list[int]()
    for page in (to_plain(_UNMAPPED.sub("", _UNMAPPED_BULLET.sub("•", it))) for it in texts):
        text += "\n\n" if text and page else ""
        starts.append(len(text))
        text += page
    return text, starts


def _to_text(lines: list[_Line]) -> str:
    """Join lines in reading order, with an empty line after each paragraph and column."""
    steps = [a.bottom - b.bottom for a, b in pairwise(lines) if _follows(a, b)]
    usual = median(steps) if steps else 0.0
    text = lines[0].text if lines else ""
    for upper, lower in pairwise(lines):
        is_near = _follows(upper, lower) and upper.bottom - lower.bottom <= usual * _GAP
        text += ("\n" if is_near else "\n\n") + lower.text
    return text


@dataclass(slots=True)
class _Sides:
    """A page split into what crosses its top, a narrow column, and the wide one beside it."""

    head: list[_Line]
    bar: list[_Line]
    main: list[_Line]


def _find_side_bar(lines: list[_Line]) -> _Sides:
    """Split a page's lines into head, side bar and main column; else all are `main`."""
    found = _Sides([], [], lines)
    for edge in sorted({line.left for line in lines}):
        left = [line for line in lines if line.right <= edge + 1]
        right = [line for line in lines if line.left >= edge - 1]
        bar, main = sorted((left, right), key=_measure_width)
        if len(bar) <= len(found.bar) or min(len(bar), len(main)) < _BAR_LINES:
            continue
        head = [line for line in lines if line not in left and line not in right]
        is_below = all(line.bottom >= max(it.top for it in bar) - 1 for line in head)
        is_narrow = _measure_width(bar) <= _BAR_WIDTH * _measure_width(main)
        # Lines of a text follow each other; towns at the right of a page do not.
        steps = [a.bottom - b.bottom for a, b in pairwise(sorted(bar, key=lambda it: -it.bottom))]
        is_dense = median(steps) <= _BAR_STEP * median(line.top - line.bottom for line in bar)
        if is_below and is_narrow and is_dense:
            found = _Sides(head, bar, main)
    return found


def _measure_width(lines: list[_Line]) -> float:
    return max((line.right - line.left for line in lines), default=0.0)


def _iter_lines(item: Any) -> Iterator[_Line]:
    """Yield the lines of a page, in the order of pdfminer's layout analysis."""
    if isinstance(item, LTTextLine):
        text = " ".join(item.get_text().translate(_BULLETS).split())
        if is_as_seen(item, text):
            text = to_reading_order(text)
        if text:
            yield _Line(text, item.x0, item.x1, item.y0, item.y1)
    elif isinstance(item, LTContainer):
        for part in cast(Iterable[Any], item):
            yield from _iter_lines(part)


def _iter_dots(item: Any) -> Iterator[LTCurve]:
    """Yield small drawn shapes that are about as wide as they are high."""
    if isinstance(item, LTCurve):
        low, high = sorted((item.width, item.height))
        if 0 < high <= _DOT_MAX_PT and low >= high * _DOT_SQUARE:
            yield item
    elif isinstance(item, LTContainer) and not isinstance(item, LTTextLine):
        for part in cast(Iterable[Any], item):
            yield from _iter_dots(part)


def _mark_bullets(lines: list[_Line], dots: list[LTCurve]) -> None:
    """Write drawn bullets, as browsers print them, before the lines that begin behind them.

    Ratings are rows of dots; a heading has no bullet, but may have the dot of a time line.
    """
    if len(dots) * (len(lines) + len(dots)) > _DOT_PAIRS:
        return  # a drawing
    usual = median(line.top - line.bottom for line in lines) if lines else 0.0
    for dot in dots:
        y = (dot.y0 + dot.y1) / 2
        beside = [line for line in lines if line.bottom < y < line.top and line.left >= dot.x1 - 1]
        line = min(beside, key=lambda line: line.left, default=None)
        if line is None or line.text.startswith("•"):
            continue
        height = line.top - line.bottom
        is_near = line.left - dot.x1 <= height * _DOT_GAP
        is_small = dot.height <= height * _DOT_SIZE and height <= usual * _DOT_LINE
        is_alone = not any(
            other is not dot
            and abs(other.y0 - dot.y0) < dot.height
            and abs(other.x0 - dot.x0) < height * _DOT_GAP
            for other in dots
        )
        if is_near and is_small and is_alone:
            line.text = f"• {line.text}"


def _join_rows(lines: list[_Line]) -> list[_Line]:
    """Join dates and labels with the lines that they stand beside, as one line each.

    A date is joined only where it stands among dates: in the one column of a letter-sized page a
    line "2019 – 2021" under a position has the side bar's telephone number beside it by chance.
    """
    labels = [line for line in lines if _LABEL.fullmatch(line.text)]
    others = [line for line in lines if line not in labels]
    dates = [
        line
        for line in others
        if len(line.text) <= _DATE_CHARS
        and len(_WORD.findall(line.text)) <= _DATE_WORDS
        and _YEAR.search(line.text)
    ]
    rows: dict[_Line, _Line] = {}
    for line in lines:
        if _LABEL.fullmatch(line.text):
            beside = [
                other for other in lines if other.left >= line.right and line.is_beside(other)
            ]
        elif line in dates and _is_date_column(line, dates, others):
            beside = [other for other in others if line.is_beside(other) and other not in dates]
        else:
            continue
        beside = [other for other in beside if other not in rows]
        if beside and line not in rows.values():
            rows[line] = min(
                beside, key=lambda other: max(line.left, other.left) - min(line.right, other.right)
            )
    for cell, line in rows.items():
        first, last = (cell, line) if cell.left < line.left else (line, cell)
        line.text = f"{first.text}  {last.text}"
        line.left, line.right = first.left, last.right
    kept = [line for line in lines if line not in rows]
    # What stands in the rows' width is one table, read from its top; a side bar stays apart.
    left = min((line.left for line in rows.values()), default=0.0)
    right = max((line.right for line in rows.values()), default=0.0)
    table = [line for line in kept if line.left < right and line.right > left]
    ordered = iter(sorted(table, key=lambda line: -line.top))
    return [next(ordered) if line in table else line for line in kept]


def _is_date_column(line: _Line, dates: list[_Line], lines: list[_Line]) -> bool:
    """Whether the lines aligned with this one at the left or right are mainly dates.

    They must be several, or one at the edge of the text.
    """
    for edge, outermost in (("left", min), ("right", max)):
        places = [getattr(other, edge) for other in lines]
        own = getattr(line, edge)
        there = [lines[i] for i, place in enumerate(places) if abs(place - own) <= _EDGE_PT]
        found = sum(other in dates for other in there)
        is_edge = abs(outermost(places) - own) <= _MARGIN_PT
        if (found > 1 or is_edge) and found >= _MOSTLY * len(there):
            return True
        if edge == "left" and len(there) - found >= _TEXT_LINES:
            return False  # below the positions; dates of one width end at one place by chance
    return False


def _follows(upper: _Line, lower: _Line) -> bool:
    """Whether the second line stands below the first, in the same column."""
    return lower.bottom < upper.bottom and lower.left < upper.right and upper.left < lower.right
