"""Files made to cost whoever opens them much more than they weigh; each function makes one."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from packages.documents.tests.samples import (
    CATALOG,
    PAGES,
    build_page,
    build_pdf,
    build_stream,
    make_docx,
    make_zip,
    pack,
)

WORDS = "Programmer at Pied Piper, 2013-12-01 to 2014-12-01"
OUTSIDE = "http://127.0.0.1:{port}/template.dotm"
_FONT = b"/Font << /F 6 0 R >>"


def edit(name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A Word document in which one part is another."""
    old, new = zipfile.ZipFile(io.BytesIO(make_docx(write_words))), io.BytesIO()
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in old.namelist():
            content = old.read(part)
            archive.writestr(part, change(content) if part == name else content)
    return new.getvalue()


def write_words(document: Any) -> None:
    document.add_paragraph(WORDS)


def fill_body(filling: bytes) -> bytes:
    return edit("word/document.xml", lambda xml: xml.replace(b"<w:body>", b"<w:body>" + filling, 1))


def nested_zips() -> bytes:
    content = make_docx(write_words)
    for _ in range(20):
        content = make_zip(resume_docx=content)
    return content


def overlapping_zip() -> bytes:
    """Thousands of entries that are all one: 2 GB unpacked of 0.1 MB."""
    data = pack(1_000_000, bytes(100_000))[2:-4]
    head = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 0, 0, len(data), 1_000_000, 1, 0)
    content = head + b"a" + data
    lists = b""
    for number in range(2_000):
        name = b"word/%d.xml" % number
        lists += struct.pack(
            *("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 8, 0, 0, 0, len(data), 1_000_000),
            *(len(name), 0, 0, 0, 0, 0, 0),
        )
        lists += name
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 2_000, 2_000, len(lists), len(content), 0)
    return content + lists + end


def crowded_zip() -> bytes:
    return make_zip(**{f"word/{number}": b"" for number in range(5_000)})


def quadratic_entity() -> bytes:
    """One long entity, named often: what a limit on depth does not see."""
    head = b'<!DOCTYPE d [<!ENTITY a "' + b"a" * 50_000 + b'">]><w:document '
    return edit("word/document.xml", lambda old: old.replace(b"<w:document ", head, 1))


def late_declaration() -> bytes:
    """Entities of entities behind a comment that is longer than what is looked at."""
    entities = b'<!ENTITY a0 "lol">' + b"".join(
        b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12)
    )
    head = b"<!--" + b"x" * 100_000 + b"--><!DOCTYPE d [" + entities + b"]><w:document "

    def change(old: bytes) -> bytes:
        return old.replace(b"<w:document ", head, 1).replace(WORDS.encode(), b"&a11;")

    return edit("word/document.xml", change)


def external_relations(port: int = 9) -> bytes:
    """A template, a picture and a frame that are somewhere else."""
    kinds = ("attachedTemplate", "image", "frame", "oleObject")
    outside = "".join(
        f'<Relationship Id="out{n}" TargetMode="External" Target="{OUTSIDE.format(port=port)}"'
        f' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}"/>'
        for n, kind in enumerate(kinds)
    ).encode()
    return edit(
        "word/_rels/document.xml.rels",
        lambda xml: xml.replace(b"</Relationships>", outside + b"</Relationships>"),
    )


def deep_document() -> bytes:
    depth = 100_000
    return fill_body(b"<w:sdt>" * depth + b"</w:sdt>" * depth)


def one_long_word() -> bytes:
    return fill_body(b"<w:p><w:r><w:t>" + b"a" * 50_000_000 + b"</w:t></w:r></w:p>")


def crowded_tag() -> bytes:
    """Four million characters of attributes in one tag."""
    names = b"".join(b' a%d="%d"' % (n, n) for n in range(300_000))
    return fill_body(b"<w:p" + names + b"/>")


def huge_picture() -> bytes:
    """100,000 by 100,000 points that are all black, in a document with words."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", 100_000, 100_000, 1, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    png += chunk(b"IDAT", pack(40_000_000, bytes(100_000))) + chunk(b"IEND", b"")
    document = io.BytesIO(make_docx(write_words))
    with zipfile.ZipFile(document, "a") as archive:
        archive.writestr("word/media/image1.png", png)
    return document.getvalue()


def circular_pages() -> bytes:
    """A tree of pages whose branch is its own root."""
    pages = b"<< /Type /Pages /Kids [3 0 R 2 0 R 5 0 R] /Count 3 >>"
    inner = b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 5 0 R] /Count 2 >>"
    words = b"BT /F 12 Tf 72 700 Td (%s) Tj ET" % WORDS.encode()
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    page = build_page(b"/Resources << %s >>" % _FONT)
    return build_pdf(CATALOG, pages, page, build_stream(words), inner, font)


def circular_drawing() -> bytes:
    """A form that draws itself, twice."""
    page = build_page(b"/Resources << /XObject << /X 5 0 R >> >>")
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>"
    drawn = build_stream(b"/X Do /X Do", form)
    return build_pdf(CATALOG, PAGES, page, build_stream(b"/X Do"), drawn)


def circular_tables() -> bytes:
    """A table of objects whose predecessor is itself."""
    objects = (CATALOG, PAGES, build_page(), build_stream(b""))
    place = build_pdf(*objects).index(b"xref\n")
    return build_pdf(*objects, trailer=b"/Prev %d" % place)


def broken_table() -> bytes:
    """A table that is somewhere behind the file, and says that there are a billion pages."""
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>"
    return build_pdf(CATALOG, pages, build_page(), build_stream(b""), start=10**12)


def packed_twice() -> bytes:
    """1.2 GB of a page's drawing, packed to some kB by two filters, one upon the other."""
    inner = pack(1_200_000_000, b"q Q\n" * 250_000)
    filters = b"/Filter [/FlateDecode /FlateDecode]"
    return build_pdf(CATALOG, PAGES, build_page(), build_stream(zlib.compress(inner, 9), filters))


def run_lengths() -> bytes:
    """Runs of one character: 64 of it for each byte of the file."""
    runs = b"\x81 " * 4_000_000
    filters = b"/Filter /RunLengthDecode"
    return build_pdf(CATALOG, PAGES, build_page(), build_stream(runs, filters))


def wide_map() -> bytes:
    """A font's table in which each of 2,000 lines names all characters that there are."""
    line = b"1 beginbfrange <00000000> <7fffffff> <0041> endbfrange\n"
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 5 0 R "
    font += b"/DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A >>] >>"
    words = build_stream(b"BT /F 12 Tf 72 700 Td <00410042> Tj ET")
    page = build_page(b"/Resources << %s >>" % _FONT)
    return build_pdf(CATALOG, PAGES, page, words, build_stream(line * 2_000), font)
