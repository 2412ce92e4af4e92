"""A document as DOCX."""

from __future__ import annotations

import io
import re
from typing import Any, Final

import docx
from docx.shared import Mm, Pt

from .blocks import Block, split_blocks, split_spans

MARGIN_MM: Final = 25
FONT: Final = "Calibri"
FONT_PT: Final = 11
_STYLES: Final = {"heading": "Heading 2", "item": "List Bullet", "paragraph": "Normal"}
# XML has no place for them.
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def build_docx(title: str, content: str) -> bytes:
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
    for block in split_blocks(_CONTROL.sub("", content)):
        _add_block(document, block)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def _add_block(document: Any, block: Block) -> None:
    paragraph = document.add_paragraph(style=_STYLES[block.kind])
    for index, line in enumerate(block.lines):
        if index:
            paragraph.add_run().add_break()
        for span in split_spans(line):
            run = paragraph.add_run(span.text)
            run.bold, run.italic = span.style == "bold" or None, span.style == "italic" or None
