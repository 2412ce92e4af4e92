"""A document as DOCX."""

from __future__ import annotations

import io
import re
from typing import Any, Final

import docx
from docx.shared import Mm, Pt

from .blocks import Block

MARGIN_MM: Final = 25
FONT: Final = "Calibri"
FONT_PT: Final = 11
_STYLES: Final = {"heading": "Heading 2", "paragraph": "Normal"}
# XML has no place for them.
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def build_docx(title: str, blocks: list[Block]) -> bytes:
    """Build a Word file on A4 from parsed blocks of Markdown; return its bytes."""
    document = docx.Document()
    for section in document.sections:
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = Mm(MARGIN_MM)
        section.top_margin = section.bottom_margin = Mm(MARGIN_MM)
    normal: Any = document.styles["Normal"]
    normal.font.name, normal.font.size = FONT, Pt(FONT_PT)
    normal.paragraph_format.space_after = Pt(8)
    document.core_properties.title = _CONTROL.sub("", title)[:255]
    document.core_properties.author = ""  # the library's own name otherwise
    numbered: dict[int, tuple[int, int]] = {}  # by depth: the list's id and its next number
    for block in blocks:
        item = "List Bullet" if block.mark == "•" else "List Number"
        paragraph: Any = document.add_paragraph(style=_STYLES.get(block.kind, item))
        if block.kind == "item" and item == "List Number":
            number = int(block.mark.removesuffix("."))
            list_id, following = numbered.get(block.depth, (0, 0))
            if number != following:
                list_id = _start_list(document, number)
            numbered[block.depth] = list_id, number + 1
            paragraph._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = list_id
        for span in block.spans:
            run = paragraph.add_run(_CONTROL.sub("", span.text))  # its line ends become breaks
            run.bold = "bold" in span.styles or None
            run.italic = "italic" in span.styles or None
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def _start_list(document: Any, number: int) -> int:
    """Add a numbered list to a Word file that starts with the number; return its id.

    All paragraphs of the style "List Number" are one list otherwise, which starts with 1.
    """
    numbering = document.part.numbering_part.element
    usual = document.styles["List Number"].element.pPr.numPr.numId.val
    added = numbering.add_num(numbering.num_having_numId(usual).abstractNumId.val)
    added.add_lvlOverride(ilvl=0).add_startOverride(number)
    return added.numId
