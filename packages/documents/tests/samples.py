"""Files as people and attackers make them, made by the libraries that write them."""

from __future__ import annotations

import functools
import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import docx
import fpdf
import pypdf
from PIL import Image

LINES = (
    "Richard Hendriks",
    "richard@example.com",
    "Experience",
    "Programmer at Pied Piper, 2013-12-01 to 2014-12-01",
    "Education",
    "University of Oklahoma, Information Technology, Bachelor",
    "Skills: HTML, CSS, Javascript",
)


def make_pdf(*lines: str, pages: int = 1) -> bytes:
    document = fpdf.FPDF()
    document.set_font("helvetica", size=11)
    for _ in range(pages):
        document.add_page()
        for line in lines:
            document.cell(0, 7, line, new_x="LMARGIN", new_y="NEXT")
    return bytes(document.output())


def make_placed_pdf(*placed: tuple[float, float, str]) -> bytes:
    """A page with texts at (x, y) in millimetres, drawn row by row, as table layouts are."""
    document = fpdf.FPDF()
    document.add_page()
    document.set_font("helvetica", size=10)
    for x, y, text in sorted(placed, key=lambda item: (item[1], item[0])):
        document.set_xy(x, y)
        document.cell(0, 5, text)
    return bytes(document.output())


def encrypt_pdf(content: bytes, user_password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    writer.encrypt(user_password, owner_password="owner", algorithm="AES-256")
    return write(writer.write)


def make_drawn_pdf(words: str, *, unmapped: str = "", is_leftwards: bool = False) -> bytes:
    """A page with the words letter by letter, each to the right of the one before, or to its left.

    unmapped: letters of which the font does not say which ones they are, as print shops do it.
    """
    step = "-13.2 Tc " if is_leftwards else ""
    font, glyphs = f"/F1 11 Tf {step}300 700 Td ", [*dict.fromkeys(words)]
    codes = "".join(f"{glyphs.index(letter) + 1:04x}" for letter in words)
    known = [letter for letter in glyphs if letter not in unmapped]
    pairs = "".join(f"<{glyphs.index(it) + 1:04x}> <{ord(it):04x}>\n" for it in known)
    table = f"1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{len(known)} beginbfchar\n"
    family = b"/Type /Font /BaseFont /Boxes"
    system = b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    return build_pdf(
        *(CATALOG, PAGES, build_page(b"/Resources << /Font << /F1 5 0 R >> >>")),
        build_stream(f"BT {font}<{codes}> Tj ET".encode()),
        b"<< %b /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>"
        % family,
        b"<< %b /Subtype /CIDFontType2 %b /FontDescriptor 8 0 R /DW 600 >>" % (family, system),
        build_stream(f"{table}{pairs}endbfchar".encode()),
        b"<< /Type /FontDescriptor /FontName /Boxes /Flags 4 /FontBBox [0 0 600 700] >>",
    )


def make_scan() -> bytes:
    """A page that is a picture."""
    document = fpdf.FPDF()
    document.add_page()
    document.image(Image.new("L", (400, 600), 200), x=10, y=10, w=100)
    return bytes(document.output())


CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"


def build_pdf(*objects: bytes, trailer: bytes = b"", start: int | None = None) -> bytes:
    """Objects from number 1 on, with their table. start: where the table is said to be."""
    content = b"%PDF-1.7\n"
    offsets: list[int] = []
    for number, item in enumerate(objects, 1):
        offsets.append(len(content))
        content += b"%d 0 obj\n" % number + item + b"\nendobj\n"
    place = len(content) if start is None else start
    content += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    content += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    content += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer)
    return content + b"startxref\n%d\n%%%%EOF" % place


def build_page(more: bytes = b"") -> bytes:
    return b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R %s >>" % more


def build_stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n" % (len(content), more) + content + b"\nendstream"


def pack(size_bytes: int, block: bytes) -> bytes:
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(block) for _ in range(size_bytes // len(block)))
    return packed + packer.flush()


@functools.cache
def make_pdf_bomb(size_bytes: int = 800_000_000) -> bytes:
    """A content stream that unpacks to hundreds of megabytes of drawing."""
    packed = pack(size_bytes, b"q 1 0 0 1 0 0 cm Q\n" * 50_000)
    drawing = build_stream(packed, b"/Filter /FlateDecode")
    return build_pdf(CATALOG, PAGES, build_page(), drawing)


def make_docx(fill: Callable[[Any], None]) -> bytes:
    document = docx.Document()
    fill(document)
    return write(document.save)


def fill_resume(document: Any) -> None:
    document.sections[0].header.paragraphs[0].text = "Richard Hendriks · richard@example.com"
    document.add_heading("Experience", 1)
    document.add_paragraph("Programmer at Pied Piper, 2013-12-01 to 2014-12-01")
    document.add_paragraph("Built an algorithm", style="List Bullet")
    document.add_heading("Skills", 1)
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text = "HTML"
    table.cell(0, 1).text = "Javascript"


def make_zip(**files: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return target.getvalue()


@functools.cache
def make_docx_bomb(size_bytes: int = 300_000_000) -> bytes:
    return make_zip(word__document_xml=bytes(size_bytes))


def make_lying_zip() -> bytes:
    """A container whose list of contents says that its bomb is small."""
    content = bytearray(make_docx_bomb())
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = (1000).to_bytes(4, "little")
    return bytes(content)


def make_entity_bomb() -> bytes:
    """The "billion laughs": entities of entities in the document's XML."""
    base = io.BytesIO(make_docx(lambda document: document.add_paragraph("x")))
    target = io.BytesIO()
    entities = '<!ENTITY a0 "lol">' + "".join(
        f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12)
    )
    with zipfile.ZipFile(base) as old, zipfile.ZipFile(target, "w") as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "word/document.xml":
                text = content.decode().replace("<w:t>x</w:t>", "<w:t>&a11;</w:t>")
                head, _, rest = text.partition("?>")
                content = f"{head}?><!DOCTYPE d [{entities}]>{rest}".encode()
            new.writestr(item.filename, content)
    return target.getvalue()


def write(save: Callable[[Any], Any]) -> bytes:
    target = io.BytesIO()
    save(target)
    return target.getvalue()
