"""Uploaded files: what is read of them, and the one clear word for each that cannot be."""

from __future__ import annotations

import asyncio
import io
import os
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import fpdf
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from packages.documents.tests.bombs import edit, fill_body
from packages.documents.tests.children import has_begun, list_children, wait_for_child
from packages.documents.tests.samples import (
    LINES,
    encrypt_pdf,
    fill_resume,
    make_docx,
    make_docx_bomb,
    make_drawn_pdf,
    make_entity_bomb,
    make_lying_zip,
    make_pdf,
    make_pdf_bomb,
    make_placed_pdf,
    make_scan,
    make_zip,
)
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop_documents.process import run_child
from plainloop_documents.reading.files import DOCUMENT_JOB, read_file

LIMITS = Limits()


@pytest.fixture(autouse=True)
def leaves_no_process_behind():
    before = list_children()
    yield
    assert [child.cmdline() for child in list_children() - before] == []


async def test_reading_a_pdf_returns_text_and_page_count():
    file = await read_file(make_pdf(*LINES, pages=2), "cv.pdf", LIMITS)

    assert (file.format, file.pages) == ("pdf", 2)
    assert file.text.count("Programmer at Pied Piper, 2013-12-01 to 2014-12-01") == 2
    assert file.text.splitlines()[: len(LINES)] == list(LINES)


async def test_a_pdf_that_is_protected_against_changes_only_is_read():
    file = await read_file(encrypt_pdf(make_pdf(*LINES), ""), "cv.pdf", LIMITS)

    assert "Richard Hendriks" in file.text


async def test_a_pdfs_few_unknown_glyphs_are_bullets_or_left_out():
    content = make_drawn_pdf("■ Programmer ◆at Pied Piper", unmapped="■◆")

    assert (await read_file(content, "cv.pdf", LIMITS)).text == "• Programmer at Pied Piper"


async def test_bullets_that_a_pdf_draws_are_read_as_bullets():
    document = fpdf.FPDF()
    document.add_page()
    document.set_font("helvetica", size=10)

    def draw(y: float, text: str, *dots: float, size: float = 1.2, style: str = "F") -> None:
        for x in dots:
            document.ellipse(x, y + 2.5 - size / 2, size, size, style=style)
        document.set_xy(20, y)
        document.cell(0, 5, text)

    draw(20, "Cook, Noma", 15, size=2.6)  # the dot of a time line
    draw(25, "Cut the costs of the kitchen by 30 % and", 16)
    draw(30, "kept its three stars")
    draw(35, "Led a team of ten", 16)
    draw(40, "Trained two heads", 16, style="D")  # of a list within the list
    draw(50, "Norwegian", 8, 11, 14, 17)  # a rating
    draw(55, "English")

    text = (await read_file(bytes(document.output()), "cv.pdf", LIMITS)).text

    assert (
        text.split()
        == (
            "Cook, Noma • Cut the costs of the kitchen by 30 % and kept its three stars"
            " • Led a team of ten • Trained two heads Norwegian English"
        ).split()
    )


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        (")סדנהמ( 2019 זאמ Acme-ב יתדבע ,םלוע םולש", "שלום עולם, עבדתי ב-Acme מאז 2019 (מהנדס)"),
        ("2019 ذنم Acme يف ملاعلاب ابحرم", "مرحبا بالعالم في Acme منذ 2019"),
        ("Engineer at םולש since 2019", "Engineer at שלום since 2019"),
        ("ﺎﺒﺣﺮﻣ ﻢﻟﺎﻌﻟﺎﺑ ﺔﻨﻳﺪﻣ", "مدينة بالعالم مرحبا"),
    ],
)
async def test_a_pdfs_right_to_left_lines_are_read_in_their_order(seen: str, read: str):
    assert (await read_file(make_drawn_pdf(seen), "cv.pdf", LIMITS)).text == read


async def test_right_to_left_pdf_text_stored_in_reading_order_is_unchanged():
    read = "שלוםעולםבעבודהשלימאז"

    content = make_drawn_pdf(read, is_leftwards=True)
    assert (await read_file(content, "cv.pdf", LIMITS)).text == read


async def test_bytes_before_a_pdfs_header_are_ignored():
    file = await read_file(b"\r\n\r\n" + make_pdf(*LINES), "cv.pdf", LIMITS)

    assert "Richard Hendriks" in file.text


async def test_a_word_documents_parts_are_read_in_order():
    file = await read_file(make_docx(fill_resume), "cv.docx", LIMITS)

    assert [line for line in file.text.splitlines() if line] == [
        "Richard Hendriks · richard@example.com",
        "## Experience",
        "Programmer at Pied Piper, 2013-12-01 to 2014-12-01",
        "- Built an algorithm",
        "## Skills",
        "HTML",
        "Javascript",
    ]


def place(x: float, top: float, *lines: str) -> list[tuple[float, float, str]]:
    return [(x, top + 6 * index, line) for index, line in enumerate(lines) if line]


async def test_pdf_columns_are_read_one_after_the_other():
    side = place(10, 30, "Contact", "ann@example.com", "+49 170 1234567", "", "Skills", "Python")
    main = place(
        75, 30, "Experience", "Engineer at Acme", "2019 - 2021", "- Handles 20,000", "events a day"
    )
    file = await read_file(make_placed_pdf((10, 15, "Ann Smith"), *side, *main), "cv.pdf", LIMITS)

    assert [line for line in file.text.splitlines() if line] == [
        "Ann Smith",
        *("Contact", "ann@example.com", "+49 170 1234567", "Skills", "Python"),
        *("Experience", "Engineer at Acme", "2019 - 2021", "- Handles 20,000", "events a day"),
    ]


async def test_a_date_at_a_pdfs_margin_stays_in_its_line():
    left = make_placed_pdf(
        *place(10, 30, "Name:", "Geburtsdatum:", "", "03/2019 - heute", "2015 - 2019"),
        *place(70, 30, "Ann Smith", "1. Mai 1990", "", "Engineer at Acme", "Clerk at Initech"),
    )
    right = make_placed_pdf(
        *place(10, 30, "Engineer at Acme GmbH", "- Built things", "Clerk at Initech", "- Filed"),
        *((165, 30, "2019 - 2021"), (165, 42, "2015 - 2019")),
    )

    assert (await read_file(left, "cv.pdf", LIMITS)).text.split("\n") == [
        *("Name:  Ann Smith", "Geburtsdatum:  1. Mai 1990", ""),
        *("03/2019 - heute  Engineer at Acme", "2015 - 2019  Clerk at Initech"),
    ]
    assert (await read_file(right, "cv.pdf", LIMITS)).text.split("\n") == [
        *("Engineer at Acme GmbH  2019 - 2021", "- Built things"),
        *("Clerk at Initech  2015 - 2019", "- Filed"),
    ]


async def test_a_text_box_stored_twice_by_word_is_read_once():
    name = b"http://schemas.openxmlformats.org/markup-compatibility/2006"
    box = b"<w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>"
    both = b"<mc:Choice Requires='wps'>%b</mc:Choice><mc:Fallback>%b</mc:Fallback>" % (box, box)
    body = b"<w:p><w:r><mc:AlternateContent xmlns:mc='%b'>%b</mc:AlternateContent></w:r></w:p>"
    content = fill_body(body % (name, both))

    text = (await read_file(content, "cv.docx", LIMITS)).text

    assert text.count("In a box.") == 1


async def test_hyphens_tabs_and_tracked_moves_of_word_are_read():
    run = b"<w:r><w:t>Tel. 555</w:t><w:noBreakHyphen/><w:t>1234</w:t><w:ptab/><w:t>Oslo</w:t></w:r>"
    moves = b"".join(
        b"<w:p><w:%b w:id='1'><w:r><w:t>Moved.</w:t></w:r></w:%b></w:p>" % (name, name)
        for name in (b"moveFrom", b"moveTo")
    )
    content = fill_body(b"<w:p>%b</w:p>%b" % (run, moves))

    text = (await read_file(content, "cv.docx", LIMITS)).text

    assert text.splitlines()[:3] == ["Tel. 555-1234\tOslo", "", "Moved."]


def add_link(paragraph: Any, text: str, address: str) -> None:
    """As Word does it: a relationship of the part, and a run in an element that names it."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(address, kind, is_external=True))
    link.append(paragraph.add_run(text)._r)
    paragraph._p.append(link)


async def test_link_addresses_in_word_documents_are_read_once():
    def fill(document: Any) -> None:
        line = document.sections[0].header.paragraphs[0]
        add_link(line, "LinkedIn", "https://www.linkedin.com/in/richard")
        line.add_run(" | ")
        add_link(line, "E-mail", "mailto:richard@example.com?subject=Job")
        line = document.add_paragraph("Programmer. ")
        add_link(line, "github.com/Richard/", "https://github.com/richard")
        add_link(line, " LinkedIn", "https://www.linkedin.com/in/richard")
        add_link(line, " file", "file:///C:/cv.docx")
        field = document.add_paragraph("Blog")._p.add_r()
        field.append(OxmlElement("w:instrText"))
        field[-1].text = ' HYPERLINK "https://richard.example.com" '

    text = (await read_file(make_docx(fill), "cv.docx", LIMITS)).text

    assert text.split("\n") == [
        "LinkedIn | E-mail (https://www.linkedin.com/in/richard, richard@example.com)",
        "Programmer. github.com/Richard/ LinkedIn file",
        "Blog (https://richard.example.com)",
    ]


async def test_link_addresses_in_pdfs_are_read_once():
    document = fpdf.FPDF()
    document.set_font("helvetica", size=11)
    for _ in range(2):
        document.add_page()
        for line, link in (
            ("Richard Hendriks", ""),
            ("LinkedIn", "https://www.linkedin.com/in/richard"),
            ("richard@example.com", "mailto:richard@example.com"),
            ("Programmer at Pied Piper", ""),
        ):
            document.cell(0, 7, line, link=link, new_x="LMARGIN", new_y="NEXT")
    only_a_link = fpdf.FPDF()
    only_a_link.add_page()
    only_a_link.link(10, 10, 50, 10, "https://www.linkedin.com/in/richard")

    text = (await read_file(bytes(document.output()), "cv.pdf", LIMITS)).text

    lines = ["Richard Hendriks", "LinkedIn", "richard@example.com", "Programmer at Pied Piper"]
    first = [*lines[:1], "LinkedIn (https://www.linkedin.com/in/richard)", *lines[2:]]
    assert [line for line in text.split("\n") if line] == [*first, *lines]
    with pytest.raises(InputError, match="contains no text"):
        await read_file(bytes(only_a_link.output()), "scan.pdf", LIMITS)


async def test_nesting_levels_of_word_lists_are_read():
    def fill(document: Any) -> None:
        document.add_paragraph("Led a team", style="List Bullet")
        document.add_paragraph("Hired two", style="List Bullet 2")
        for level in (0, 1, 2):
            numbering = document.add_paragraph(f"Level {level}")._p.get_or_add_pPr()
            numbering.get_or_add_numPr().get_or_add_ilvl().val = level

    text = (await read_file(make_docx(fill), "cv.docx", LIMITS)).text

    assert text.split("\n") == [
        *("- Led a team", "  - Hired two"),
        *("- Level 0", "  - Level 1", "    - Level 2"),
    ]


async def test_a_strict_open_xml_document_is_read():
    old = zipfile.ZipFile(io.BytesIO(make_docx(fill_resume)))
    content = io.BytesIO()
    usual = rb"http://schemas\.openxmlformats\.org/(officeDocument|wordprocessingml|drawingml)/2006"
    with zipfile.ZipFile(content, "w") as strict:
        for part in old.namelist():
            strict.writestr(part, re.sub(usual, rb"http://purl.oclc.org/ooxml/\1", old.read(part)))

    text = (await read_file(content.getvalue(), "cv.docx", LIMITS)).text

    assert text == (await read_file(make_docx(fill_resume), "cv.docx", LIMITS)).text


async def test_a_separate_first_page_header_of_word_is_read():
    def fill(document: Any) -> None:
        section = document.sections[0]
        section.different_first_page_header_footer = True
        section.first_page_header.paragraphs[0].text = "Richard Hendriks"
        section.header.paragraphs[0].text = "Page 2 of my life"
        document.add_paragraph("Programmer")

    text = (await read_file(make_docx(fill), "cv.docx", LIMITS)).text

    assert text.split("\n") == ["Richard Hendriks", "Page 2 of my life", "Programmer"]


@pytest.mark.parametrize("name", ["document2", "document22"])
async def test_a_document_of_word_online_is_read(name: str):
    old = zipfile.ZipFile(io.BytesIO(make_docx(fill_resume)))
    parts = {
        part.replace("document.xml", f"{name}.xml"): old.read(part).replace(
            b"word/document.xml", f"word/{name}.xml".encode()
        )
        for part in old.namelist()
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for part, data in parts.items():
            archive.writestr(part, data)

    assert "Pied Piper" in (await read_file(content.getvalue(), "cv.docx", LIMITS)).text


async def test_a_word_document_with_too_many_paragraphs_is_refused():
    body = b"<w:p/>" * 800_000
    content = fill_body(body)

    with pytest.raises(InputError) as caught:
        await read_file(content, "cv.docx", LIMITS)

    assert caught.value.code == "FILE_TOO_LARGE"  # not FILE_TOO_SLOW: it was not read


# As Word ("Web Page, Filtered"), Google Docs and a browser save one.
WORD_HTML = """<html xmlns:o="urn:schemas-microsoft-com:office:office">

<head>
<meta http-equiv=Content-Type content="text/html; charset=windows-1252">
<style>
<!--
 /* Style Definitions */
 p.MsoNormal {margin:0in; font-size:11.0pt;}
-->
</style>
</head>

<body lang=EN-US style='tab-interval:.5in'>
<div class=WordSection1>
<h1>Zoë Müller</h1>
<p class=MsoNormal>Programmer at Pied Piper,
2013 – 2014<o:p></o:p></p>
<p class=MsoNormal>€ 20,000 saved</p>
</div>
</body>
</html>"""
DOCS_HTML = (
    '<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type">'
    '<style type="text/css">.c1{color:#000}</style></head><body class="c3 doc-content">'
    '<h1 class="c1"><span>Zoë Müller</span></h1><ul class="c2"><li class="c1"><span>Programmer '
    "at Pied Piper, 2013 – 2014</span></li></ul></body></html>"
)
SAVED_HTML = (
    "<!DOCTYPE html>\n<!-- saved from url=(0031)https://cv.example.com/zoe.html -->\n"
    "<html><head><title>CV</title><script>track()</script></head><body>"
    "<aside><p>Skills: HTML</p></aside><main><h1>Zoë Müller</h1>"
    '<p style="font-size:0.9em">Programmer at Pied Piper, 2013 – 2014</p></main>'
    "<footer>zoe@example.com</footer></body></html>"
)


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (
            WORD_HTML.encode("cp1252"),
            "# Zoë Müller|Programmer at Pied Piper, 2013 – 2014|€ 20,000 saved",
        ),
        (DOCS_HTML.encode(), "# Zoë Müller|- Programmer at Pied Piper, 2013 – 2014"),
        (
            SAVED_HTML.encode("utf-16"),
            "Skills: HTML|# Zoë Müller|Programmer at Pied Piper, 2013 – 2014|zoe@example.com",
        ),
        ("<p>Zoë Müller</p><p>Programmer</p>".encode(), "Zoë Müller|Programmer"),
        (
            "<p>Иван Петров, программист. Навыки: управление проектами</p>".encode("koi8_r"),
            "Иван Петров, программист. Навыки: управление проектами",
        ),
    ],
)
async def test_a_document_saved_as_html_is_read_as_text(content: bytes, read: str):
    file = await read_file(content, "cv.htm", LIMITS)

    assert [line for line in file.text.splitlines() if line] == read.split("|")
    assert file.format == "text"


async def test_a_files_type_is_detected_from_its_content_not_its_name():
    assert (await read_file(make_pdf(*LINES), "cv.txt", LIMITS)).format == "pdf"
    assert (await read_file(b"plain words", "cv.pdf", LIMITS)).format == "text"
    assert "<" not in (await read_file(DOCS_HTML.encode(), "cv.txt", LIMITS)).text


XXE = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'


def replace_in(part: str, old: bytes, new: bytes) -> bytes:
    return edit(part, lambda content: content.replace(old, new, 1))


HALF_DOCX = make_docx(fill_resume)
REFUSED: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "encrypted pdf": (
        lambda: encrypt_pdf(make_pdf(*LINES), "secret"),
        "FILE_ENCRYPTED",
        "protected by a password",
    ),
    "encrypted docx": (
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
        "FILE_ENCRYPTED",
        "protected by a password",
    ),
    "scan": (make_scan, "FILE_WITHOUT_TEXT", "contains no text, only images"),
    "pdf whose letters are unknown": (
        lambda: make_drawn_pdf(LINES[3], unmapped="aeiorstnlPgm"),
        "FILE_WITHOUT_TEXT",
        "fonts that do not say which letters they draw",
    ),
    "empty pdf page": (lambda: make_pdf(), "FILE_WITHOUT_TEXT", "contains no text"),
    "half a pdf": (lambda: make_pdf(*LINES)[:300], "FILE_CORRUPT", "is damaged"),
    "head of a pdf": (lambda: b"%PDF-1.7\n", "FILE_CORRUPT", "is damaged"),
    "half a docx": (lambda: HALF_DOCX[: len(HALF_DOCX) // 2], "FILE_CORRUPT", "is damaged"),
    "docx without xml": (
        lambda: make_zip(word__document_xml=b"not xml"),
        "FILE_CORRUPT",
        "is damaged",
    ),
    "many pages": (lambda: make_pdf("x", pages=51), "FILE_TOO_LONG", "has more than 50 pages"),
    "docx bomb": (make_docx_bomb, "FILE_TOO_LARGE", "too large after unpacking"),
    "docx that reads a file": (
        lambda: replace_in("word/document.xml", b"<w:document ", XXE + b"<w:document "),
        "FILE_UNSAFE",
        "declares XML entities",
    ),
    "docx that names a file outside": (
        lambda: replace_in("word/styles.xml", b"<w:styles ", XXE + b"<w:styles "),
        "FILE_UNSAFE",
        "declares XML entities",
    ),
    "docx with macros": (
        lambda: replace_in(
            "[Content_Types].xml",
            b"openxmlformats-officedocument.wordprocessingml.document.main+xml",
            b"ms-word.document.macroEnabled.main+xml",
        ),
        "FILE_UNSUPPORTED",
        "with macros, or a template",
    ),
    "word template": (
        lambda: replace_in("[Content_Types].xml", b"document.main+xml", b"template.main+xml"),
        "FILE_UNSUPPORTED",
        "with macros, or a template",
    ),
    "html without text": (
        lambda: b"<html><body><img src='cv.png'></body></html>",
        "FILE_WITHOUT_TEXT",
        "contains no text",
    ),
    "open document": (
        lambda: make_zip(content_xml=b"<x/>"),
        "FILE_UNSUPPORTED",
        "an OpenDocument file",
    ),
    "a document in a zip": (
        lambda: make_zip(resume_docx=HALF_DOCX),
        "FILE_UNSUPPORTED",
        "but not a Word document",
    ),
    "postscript": (lambda: b"%!PS-Adobe-3.0\nshowpage\n", "FILE_UNSUPPORTED", "PostScript"),
    "recording": (lambda: b"RIFF\x10\0\0\0WAVEfmt ", "FILE_UNSUPPORTED", "a recording"),
    "other zip": (lambda: make_zip(a=b"x"), "FILE_UNSUPPORTED", "but not a Word document"),
    "old doc": (
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 WordDocument",
        "FILE_UNSUPPORTED",
        "old Word document",
    ),
    "rtf": (lambda: b"{\\rtf1 hello}", "FILE_UNSUPPORTED", "an RTF document"),
    "image": (lambda: b"\x89PNG\r\n\x1a\n", "FILE_UNSUPPORTED", "an image"),
    "program": (lambda: b"\x7fELF\x02\x01", "FILE_UNSUPPORTED", "a program"),
    "unknown encoding": (
        lambda: b"J\x81rgen M\x90ller, K\x8dln, \x81ber",
        "FILE_UNSUPPORTED",
        "unknown text encoding",
    ),
    "binary": (lambda: bytes(range(256)), "FILE_UNSUPPORTED", "not a text file"),
}


@pytest.mark.parametrize("more", [b"It\x92s", "ü".encode()[:1]])
async def test_a_few_wrong_bytes_in_utf_8_are_replaced(more: bytes):
    text = "Jürgen Müller, Köln: Gärtner für Bäume, Büsche, Grünflächen\n"

    read = (await read_file(text.encode() * 2 + more, "cv.txt", LIMITS)).text

    assert read.startswith(text * 2)
    assert "\ufffd" in read.removeprefix(text * 2)
    assert (await read_file(text.encode("cp1252"), "cv.txt", LIMITS)).text == text


RUSSIAN = "Иван Петров, программист в компании Ромашка. Навыки: управление проектами"
BALTIC = "Jonas Žukauskas, įmonė Ąžuolas. Išsilavinimas, įgūdžiai, projektų valdymas"

JAPANESE = ("euc_jp", "shift_jis", "iso2022_jp")
CENTRAL = (
    "Wójcik Małgorzata, księgowa. Doświadczenie: prowadzenie ksiąg, źródła, sąd",
    "Jiří Novák, programátor. Škola: Západočeská univerzita v Plzni, také němčina",
    "Ivan Horvat, programer u Zagrebu. Obrazovanje: Sveučilište, vještine, čovjek, žena",
    "Ján Kováč, programátor. Vzdelanie: Žilinská univerzita, skúsenosti, šťastie, účtovníctvo",
    "Kovács Győző, mérnök, Győr, fejlesztő",
)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        *((it, RUSSIAN) for it in ("koi8_r", "cp1251", "iso8859_5", "cp866", "mac_cyrillic")),
        ("koi8_u", "Іван Петренко, програміст. Освіта: Київський університет, їжа"),
        ("cp1253", "Γιώργος Παπαδόπουλος, προγραμματιστής. Εκπαίδευση: Άλφα"),
        ("cp1255", "דוד כהן, מתכנת. השכלה: אוניברסיטת תל אביב, כישורים"),
        ("cp1256", "محمد أحمد، مبرمج. التعليم: جامعة القاهرة، المهارات"),
        ("cp874", "สมชาย ใจดี โปรแกรมเมอร์ การศึกษา จุฬาลงกรณ์มหาวิทยาลัย"),
        ("cp1254", "Ayşe Yılmaz, Yazılım mühendisi, İstanbul. Eğitim: Boğaziçi Üniversitesi"),
        *((it, BALTIC) for it in ("cp1257", "iso8859_13")),
        ("cp1257", "Jānis Bērziņš, programmētājs uzņēmumā Ķīpsala. Izglītība, vadība"),
        ("cp1252", "Þórður Guðmundsson, forritari í Reykjavík við Háskóla Íslands, maður"),
        ("cp1252", "María Muñoz, ingeniera. ¿cómo trabajo?, con ilusión"),
        ("cp1252", "Tõnu Jõgi, õpetaja, Tallinna Ülikool"),
        ("cp1250", "Kovács Győző, mérnök, Győr, fejlesztő"),
        ("cp1250", "Ştefan Ionescu, inginer, Braşov, învăţământ"),
        ("cp1252", "Søren Kjærgård, Århus. È già così, perché là. François, à Orléans, Noël"),
        ("iso8859_15", "Jürgen Müller, Köln, 32.000 €"),
        *((it, "Jürgen Müller, Käsekühler, Köln") for it in ("mac_roman", "cp850")),
        *((it, "山田太郎、プログラマー、東京大学") for it in JAPANESE),
        *((it, text) for it in ("cp1250", "iso8859_2") for text in CENTRAL),
        ("gb18030", "张伟,程序员,北京公司。教育:清华大学,技能:项目管理"),
    ],
)
async def test_texts_in_older_encodings_are_read(encoding: str, text: str):
    assert (await read_file(text.encode(encoding), "cv.txt", LIMITS)).text == text


@pytest.mark.parametrize("kind", REFUSED)
async def test_an_unreadable_file_is_refused_with_code_reason_and_hint(kind: str):
    make, code, message = REFUSED[kind]

    with pytest.raises(InputError) as caught:
        await read_file(make(), "cv.file", LIMITS)

    assert (caught.value.code, caught.value.message.startswith("cv.file ")) == (code, True)
    assert message in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("make", [make_pdf_bomb, make_lying_zip, make_entity_bomb])
async def test_a_decompression_bomb_is_stopped_by_the_size_limits(make: Callable[[], bytes]):
    content = make()

    with pytest.raises(InputError) as caught:
        await read_file(content, "cv.file", replace(LIMITS, upload_parse_s=5.0))

    assert caught.value.code in ("FILE_TOO_LARGE", "FILE_TOO_SLOW", "FILE_CORRUPT", "FILE_UNSAFE")


async def test_a_reader_child_beyond_its_deadline_is_killed_and_reported():
    with pytest.raises(InputError) as caught:
        await read_file(make_pdf(*LINES, pages=40), "cv.pdf", replace(LIMITS, upload_parse_s=0.01))

    assert (caught.value.code, caught.value.message) == (
        "FILE_TOO_SLOW",
        "cv.pdf could not be read within 0.01 s",
    )


async def read_bomb() -> dict[str, Any]:
    bomb = make_pdf_bomb()
    return await run_child(DOCUMENT_JOB, bomb, timeout_s=20, max_pages=50, name="cv")


async def test_a_cancelled_upload_leaves_no_reader_process():
    before = list_children()
    task = asyncio.create_task(read_bomb())
    await wait_for_child(task, before)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_crashing_reader_reports_a_damaged_file(monkeypatch: pytest.MonkeyPatch):
    # A native crash cannot be had on demand; a child that dies by a signal is the same to us.
    before = list_children()
    task = asyncio.create_task(read_bomb())
    child = await wait_for_child(task, before)
    while not has_begun(child):
        await asyncio.sleep(0)
    child.send_signal(11)

    assert (await task)["error"] == "corrupt"


async def test_the_reader_child_has_no_keys_and_cannot_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    before = list_children()
    task = asyncio.create_task(read_bomb())
    child = await wait_for_child(task, before)
    environ: dict[str, str] = {}
    while not environ:  # empty until the child has become a Python
        environ = child.environ()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert set(environ) <= {"PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR", "LC_CTYPE"}
    assert "ANTHROPIC_API_KEY" in os.environ


async def test_many_files_at_once_run_in_few_processes():
    most, before = 0, list_children()
    content = make_pdf(*LINES, pages=5)
    tasks = [asyncio.create_task(read_file(content, "cv.pdf", LIMITS)) for _ in range(8)]
    while not all(task.done() for task in tasks):
        most = max(most, len(list_children() - before))
        await asyncio.sleep(0.01)

    assert {task.result().pages for task in tasks} == {5}
    assert 1 <= most <= 4
