"""A document as PDF, on A4."""

from __future__ import annotations

import re
from typing import Any, Final

import fpdf

from .blocks import Block, split_blocks, to_plain
from .fonts import choose_fonts, has_shaping, is_core_text

MARGIN_MM: Final = 25
FONT_PT: Final = 11
HEADING_PT: Final = 13
LINE_MM: Final = 5.6
GAP_MM: Final = 3.2
INDENT_MM: Final = 5
CORE_FONT: Final = "helvetica"
# Without a picture of their own, or with a twin that every font has.
_TWINS: Final = {
    **dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD), None),
    **dict.fromkeys((0x2010, 0x2011), "-"),
    **dict.fromkeys((0x202F, 0x2007, 0x2009), "\u00a0"),
    0x09: "    ",
}
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NO_SPACES: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")  # breaks anywhere


def build_pdf(title: str, content: str, font: str | None = None) -> bytes:
    """Raises: InputError when no font can show the text; ConfigError for a broken font file."""
    text = _CONTROL.sub("", content.translate(_TWINS))
    blocks = split_blocks(text)
    shown = "".join(to_plain(line) for block in blocks for line in block.lines)
    document = fpdf.FPDF(format="A4")
    document.set_margins(MARGIN_MM, MARGIN_MM)
    document.set_auto_page_break(True, MARGIN_MM)
    document.set_title(_CONTROL.sub("", title)[:255])
    document.set_creator("plainloop")
    family = _set_fonts(document, shown, font)
    document.add_page()
    for index, block in enumerate(blocks):
        _write_block(document, block, family, is_last_item=_ends_list(blocks, index))
    return bytes(document.output())


def _set_fonts(document: Any, text: str, font: str | None) -> str:
    """The family to write with."""
    if font is None and is_core_text(text):
        document.core_fonts_encoding = "cp1252"
        return CORE_FONT
    families: list[str] = []
    for index, item in enumerate(choose_fonts(text + "•", font)):
        families.append(f"text{index}")
        document.add_font(families[-1], fname=item.path)
    document.set_fallback_fonts(families[1:])
    if has_shaping():
        document.set_text_shaping(True)
    return families[0]


def _write_block(document: Any, block: Block, family: str, *, is_last_item: bool) -> None:
    document.set_font(family, size=HEADING_PT if block.kind == "heading" else FONT_PT)
    lines = [to_plain(line) for line in block.lines]
    if block.kind == "item":
        document.set_x(MARGIN_MM + INDENT_MM)
        lines = [f"•  {line}" for line in lines]
    for line in lines:
        mode = "CHAR" if _NO_SPACES.search(line) else "WORD"
        document.multi_cell(
            0, LINE_MM, line, align="L", new_x="LMARGIN", new_y="NEXT", wrapmode=mode
        )
    if block.kind != "item" or is_last_item:
        document.ln(GAP_MM)


def _ends_list(blocks: list[Block], index: int) -> bool:
    return index + 1 == len(blocks) or blocks[index + 1].kind != "item"
