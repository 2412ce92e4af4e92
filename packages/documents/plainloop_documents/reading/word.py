"""The text of a Word document (DOCX). Runs in the child."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import docx
from docx.oxml.ns import qn

from .refusal import Refusal, to_plain

UNPACKED_BYTES: Final = 64 << 20  # of everything in the container
MAX_ENTRIES: Final = 2_000
# Of one part. 800,000 empty paragraphs pack to 90 kB and take a tree builder a quarter of a minute
# (test_a_word_document_with_too_many_paragraphs_is_refused).
MAX_TAGS: Final = 600_000
_TYPES: Final = "[Content_Types].xml"
_OTHER_TYPE: Final = re.compile(
    rb"ms-word\.(?:document|template)\.macroEnabled|wordprocessingml\.template\.main\+xml"
)
# In text it would be `&lt;!`. UTF-16 has a zero beside each letter.
_DECLARATION: Final = re.compile(rb"<\0?!\0?D\0?O\0?C\0?T\0?Y\0?P\0?E")
_DECLARATION_BYTES: Final = 18
_PIECE_BYTES: Final = 1 << 20
_PARAGRAPH: Final = qn("w:p")
_TEXT: Final = qn("w:t")
_TAB: Final = qn("w:tab")
# What stands for a character in a run's text.
_CHARACTERS: Final = {
    **dict.fromkeys((qn("w:br"), qn("w:cr")), "\n"),
    **dict.fromkeys((_TAB, qn("w:ptab")), "\t"),
    qn("w:noBreakHyphen"): "-",  # "555-1234" must not become "5551234"
}
# Word Online calls it document2.xml, or document22.xml (ruby-docx/docx #83, PHPWord #1253).
_MAIN: Final = r"word/document\d*\.xml"
# Word writes a text box twice: the second time for readers of long ago
# (test_a_text_box_stored_twice_by_word_is_read_once).
_SECOND_COPY: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def read(content: bytes) -> str:
    """Read a Word document's text, with header, footer and tables; headings and items as Markdown.

    Raises: Refusal `corrupt`, `too_large`, `encrypted`, `other_zip`, `open_document`, `macros`,
    `declarations`.
    """
    check_container(content)
    document: Any = docx.Document(io.BytesIO(content))
    section = document.sections[0] if len(document.sections) else None
    parts = [document.element.body]
    if section is not None:  # an author's name and address often stand in the header
        heads, feet = [section.header], [section.footer]
        if section.different_first_page_header_footer:
            heads, feet = [section.first_page_header, *heads], [section.first_page_footer, *feet]
        parts = [part._element for part in heads] + parts + [part._element for part in feet]
    return to_plain("\n".join(line for part in parts for line in _iter_lines(part)))


def check_container(content: bytes, main: str = _MAIN) -> None:
    """Refuse a DOCX or XLSX file that is unsafe, too large unpacked or of another kind.

    main: the pattern of the name of the part it must have.
    """
    try:
        container = zipfile.ZipFile(io.BytesIO(content))
        entries = container.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise Refusal("corrupt") from error
    if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > UNPACKED_BYTES:
        raise Refusal("too_large")
    if any(entry.flag_bits & 1 for entry in entries):
        raise Refusal("encrypted")
    names = {entry.filename for entry in entries}
    if not any(re.fullmatch(main, name) for name in names):
        raise Refusal("open_document" if "content.xml" in names else "other_zip")
    # What python-docx would take for damage, or leave out without a word.
    if _TYPES in names and _OTHER_TYPE.search(container.read(_TYPES)):
        raise Refusal("macros")
    for name in names:
        if name.endswith((".xml", ".rels")):
            with container.open(name) as part:
                tags, before = 0, b""
                while tags <= MAX_TAGS and (piece := part.read(_PIECE_BYTES)):
                    tags += piece.count(b"<")
                    # A comment before it may be of any length; one cut in two is whole again.
                    if _DECLARATION.search(before + piece):
                        raise Refusal("declarations")
                    before = piece[-_DECLARATION_BYTES:]
                if tags > MAX_TAGS:
                    raise Refusal("too_large")


def _iter_lines(part: Any) -> Iterator[str]:
    """Yield the text of each paragraph in order, in tables and text boxes too."""
    for moved in part.iter(qn("w:moveFrom")):  # a tracked move: its `w:moveTo` has the text too
        moved.clear()
    for paragraph in part.iter(_PARAGRAPH):
        if next(paragraph.iterancestors(_SECOND_COPY), None) is not None:
            continue
        pieces: list[str] = []
        for node in paragraph.iter(_TEXT, *_CHARACTERS):
            if next(node.iterancestors(_PARAGRAPH)) is not paragraph:  # of a text box in it
                continue
            if node.tag == _TEXT:
                pieces.append(node.text or "")
            # Not the ruler's tab stops.
            elif node.tag != _TAB or next(node.iterancestors(qn("w:pPr")), None) is None:
                pieces.append(_CHARACTERS[node.tag])
        line = "".join(pieces).strip()
        # Headings and list items as Markdown has them: that is what tells sections apart.
        style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        name = "" if style is None else str(style.get(qn("w:val")))
        is_item = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}") is not None
        mark = "- " if is_item or name.startswith("List") else ""
        mark = "## " if name.startswith("Heading") else mark
        yield mark + line if line else ""
