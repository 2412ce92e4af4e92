"""A document as PDF, on A4."""

from __future__ import annotations

import re
from typing import Any, Final

import fpdf
from fpdf.enums import TextMode

from .blocks import Block, Span
from .fonts import choose_fonts, has_shaping, is_core_text

MARGIN_MM: Final = 25
FONT_PT: Final = 11
HEADING_PT: Final = 13
LINE_MM: Final = 5.6
GAP_MM: Final = 3.2
INDENT_MM: Final = 5
STROKE_MM: Final = 0.12  # what makes a letter bold that has no bold form
CORE_FONT: Final = "helvetica"
# Without a picture of their own, or with a twin that every font has.
_TWINS: Final = {
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD), None),
    **dict.fromkeys((0x2010, 0x2011), "-"),
    **dict.fromkeys((0x202F, 0x2007, 0x2009), "\u00a0"),
    0x09: "    ",
    **dict.fromkeys((0x2028, 0x2029), "\n"),
}
# They only say which way the text around them runs, and come along with copied Latin text.
_DIRECTIONS: Final = dict.fromkeys(
    (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NO_SPACES: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")  # breaks anywhere


def to_shown(text: str) -> str:
    """Remove or replace characters of a text that few fonts have."""
    text = _CONTROL.sub("", text.translate(_TWINS))
    # Where a mark is all that the core fonts lack, no font file is needed
    # (test_invisible_marks_in_western_text_need_no_font_file).
    bare = text.translate(_DIRECTIONS)
    return bare if is_core_text(bare) else text


def build_pdf(title: str, blocks: list[Block], font: str | None = None) -> bytes:
    """Build a PDF file on A4 from parsed blocks of Markdown; return its bytes.

    Raises: InputError when no font can show the text; ConfigError for a broken font file.
    """
    document = fpdf.FPDF(format="A4")
    document.set_margins(MARGIN_MM, MARGIN_MM)
    document.set_auto_page_break(True, MARGIN_MM)
    document.set_title(_CONTROL.sub("", title)[:255])
    document.set_creator("plainloop")
    family, text = CORE_FONT, "".join(span.text for block in blocks for span in block.spans)
    if font is None and is_core_text(text):
        document.core_fonts_encoding = "cp1252"
    else:
        fonts = choose_fonts(text + "•", font)
        family, *others = [f"text{index}" for index in range(len(fonts))]
        for name, item in zip((family, *others), fonts, strict=True):
            document.add_font(name, fname=item.path)
        document.set_fallback_fonts(others)
        if has_shaping():
            document.set_text_shaping(True)
    document.add_page()
    for index, block in enumerate(blocks):
        _write_block(document, block, family)
        is_in_list = {item.kind for item in blocks[index : index + 2]} == {"item"}
        if not is_in_list or index + 1 == len(blocks):
            document.ln(GAP_MM)
    return bytes(document.output())


def _write_block(document: Any, block: Block, family: str) -> None:
    """Write one paragraph, heading or list item onto the PDF's page.

    The core fonts have bold and italic forms. A font file is one form: there, bold is drawn with an
    outline and italic is underlined, as on a typewriter.
    """
    size = HEADING_PT if block.kind == "heading" else FONT_PT
    indent = INDENT_MM * block.depth
    document.set_left_margin(MARGIN_MM + indent)
    document.set_x(MARGIN_MM + indent)
    spans = [Span(f"{block.mark}  "), *block.spans] if block.mark else block.spans
    for span in spans:
        bold, italic = "bold" in span.styles, "italic" in span.styles
        if family == CORE_FONT:
            document.set_font(family, "B" * bold + "I" * italic, size)
        else:
            document.set_font(family, "U" * italic, size)
            document.text_mode = TextMode.FILL_STROKE if bold else TextMode.FILL
            document.set_line_width(STROKE_MM)
        mode = "CHAR" if _NO_SPACES.search(span.text) else "WORD"
        document.write(LINE_MM, span.text, wrapmode=mode)
    document.set_left_margin(MARGIN_MM)
    document.ln(LINE_MM)
