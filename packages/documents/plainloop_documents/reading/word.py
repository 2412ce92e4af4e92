"""The text of a Word document (DOCX). Runs in the child."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import docx
from docx.oxml.ns import qn

from .links import add_addresses
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
_STRICT: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_PARAGRAPH: Final = qn("w:p")
_TEXT: Final = qn("w:t")
_TAB: Final = qn("w:tab")
# What stands for a character in a run's text.
_CHARACTERS: Final = {
    **dict.fromkeys((qn("w:br"), qn("w:cr")), "\n"),
    **dict.fromkeys((_TAB, qn("w:ptab")), "\t"),
    qn("w:noBreakHyphen"): "-",  # "555-1234" must not become "5551234"
}
# What carries a link: a word, a picture, and a field ("HYPERLINK "https://…"").
_LINK: Final = qn("w:hyperlink")
_PICTURE_LINK: Final = qn("a:hlinkClick")
_FIELD: Final = qn("w:instrText")
_SIMPLE_FIELD: Final = qn("w:fldSimple")
_LINKS: Final = (_LINK, _PICTURE_LINK, _FIELD, _SIMPLE_FIELD)
_FIELD_ADDRESS: Final = re.compile(r'HYPERLINK\s+"([^"]{1,400})"')
_LEVELS: Final = tuple("012345678")  # of a list in a list, as in Word
# Word Online calls it document2.xml, or document22.xml (ruby-docx/docx #83, PHPWord #1253).
_MAIN: Final = r"word/document\d*\.xml"
# Word writes a text box twice: the second time for readers of long ago
# (test_a_text_box_stored_twice_by_word_is_read_once).
_SECOND_COPY: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def read(content: bytes) -> str:
    """Read the text of a Word document, as Markdown.

    Header, footer and tables are included.

    Raises: Refusal `corrupt`, `too_large`, `encrypted`, `other_zip`, `open_document`, `macros`,
    `declarations`.
    """
    check_container(content)
    document: Any = docx.Document(io.BytesIO(to_transitional(content)))
    section = document.sections[0] if len(document.sections) else None
    parts = [(document.element.body, document.part.rels)]
    if section is not None:  # an author's name and address often stand in the header
        heads, feet = [section.header], [section.footer]
        if section.different_first_page_header_footer:
            heads, feet = [section.first_page_header, *heads], [section.first_page_footer, *feet]
        heads, feet = ([(it._element, it.part.rels) for it in its] for its in (heads, feet))
        parts = [*heads, *parts, *feet]
    lines = [line for part, targets in parts for line in _iter_lines(part, targets)]
    return to_plain("\n".join(add_addresses(lines)))


def to_transitional(content: bytes) -> bytes:
    """Convert a "Strict Open XML" file to the usual namespaces, which python-docx can read.

    The names of their elements are the same, and python-docx knows only the usual namespaces.
    """
    container = zipfile.ZipFile(io.BytesIO(content))
    if not _STRICT.search(container.read("_rels/.rels")):
        return content
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as usual:
        for entry in container.infolist():
            part = container.read(entry)
            is_xml = entry.filename.endswith((".xml", ".rels"))
            renamed = rb"http://schemas.openxmlformats.org/\1/2006/\2"
            usual.writestr(entry.filename, _STRICT.sub(renamed, part) if is_xml else part)
    return target.getvalue()


def check_container(content: bytes, main: str = _MAIN) -> None:
    """Refuse a Word or Excel file that is unsafe, too large or of another kind.

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


def _iter_lines(part: Any, targets: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield each paragraph's text and links in order, in tables and text boxes too.

    targets: the part's relationships, which hold the addresses of its links.
    """
    for moved in part.iter(qn("w:moveFrom")):  # a tracked move: its `w:moveTo` has the text too
        moved.clear()
    for paragraph in part.iter(_PARAGRAPH):
        if next(paragraph.iterancestors(_SECOND_COPY), None) is not None:
            continue
        pieces: list[str] = []
        links: list[str] = []
        fields: list[str] = []
        for node in paragraph.iter(_TEXT, *_CHARACTERS, *_LINKS):
            if next(node.iterancestors(_PARAGRAPH)) is not paragraph:  # of a text box in it
                continue
            if node.tag == _TEXT:
                pieces.append(node.text or "")
            elif node.tag in (_LINK, _PICTURE_LINK):
                target = targets.get(node.get(qn("r:id")))
                links += [target.target_ref] if target is not None and target.is_external else []
            elif node.tag in _LINKS:
                fields.append(node.get(qn("w:instr")) or node.text or "")
            # Not the ruler's tab stops.
            elif node.tag != _TAB or next(node.iterancestors(qn("w:pPr")), None) is None:
                pieces.append(_CHARACTERS[node.tag])
        line = "".join(pieces).strip()
        # Headings and list items as Markdown has them: that is what tells sections apart.
        style = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        name = "" if style is None else str(style.get(qn("w:val")))
        is_item = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}") is not None
        depth = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}/{qn('w:ilvl')}")
        level = name[-1:] if name.startswith("List") else "1"  # "List Bullet 2"
        level = int(level) - 1 if level in _LEVELS else 0
        if depth is not None and depth.get(qn("w:val")) in _LEVELS:
            level = int(depth.get(qn("w:val")))
        mark = "  " * level + "- " if is_item or name.startswith("List") else ""
        mark = "## " if name.startswith("Heading") else mark
        links += _FIELD_ADDRESS.findall("".join(fields))
        yield (mark + line if line else ""), links
