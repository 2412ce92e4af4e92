"""Letters as files, read back by the libraries that read them."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import docx
import pypdf
import pytest
from fontTools.fontBuilder import FontBuilder
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.careers.tests.letters import LETTERS
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import ConfigError, InputError
from plainloop_careers.letters.export import export_document
from plainloop_documents.writing import fonts
from plainloop_documents.writing.document import run

OPTIONS = {"title": "Letter", "font": None}
ENGLISH = "Dear Hiring Manager,\n\nI built **many** pages – “fast” ones.\nReally.\n\n- HTML\n- CSS"
EUROPE = "Grüße aus Köln, señor Œuvre, 3 € für ß"
GREEK = "Αγαπητή κυρία, Здравствуйте, Szanowni Państwo, Çağrı"
has_wide_font = pytest.mark.skipif(
    "DejaVuSans.ttf" not in fonts.find_system_fonts(), reason="no wide font on this system"
)


def make_row(content: str, title: str = "Cover letter for Cook at Acme") -> dict[str, Any]:
    return {"title": title, "content": content, "version": 2}


def make_pdf(content: str, font: str | None = None) -> pypdf.PdfReader:
    """Made in this process, where a test says which fonts there are."""
    made = run(content.encode(), {"title": "Letter", "format": "pdf", "font": font})
    return pypdf.PdfReader(io.BytesIO(base64.b64decode(made["content"])))


def read_pdf(content: str, font: str | None = None) -> str:
    reader = make_pdf(content, font)
    return "\n".join(page.extract_text() for page in reader.pages)


async def test_a_markdown_export_is_the_unchanged_text():
    file = await export_document(make_row(GREEK), "md")

    assert (file.content.decode(), file.filename) == (
        GREEK + "\n",
        "cover-letter-for-cook-at-acme-v2.md",
    )


async def test_a_word_document_has_the_paragraphs_and_their_emphasis():
    file = await export_document(make_row(ENGLISH), "docx")
    document = docx.Document(io.BytesIO(file.content))

    assert [(item.style.name, item.text) for item in document.paragraphs] == [
        ("Normal", "Dear Hiring Manager,"),
        ("Normal", "I built many pages – “fast” ones.\nReally."),
        ("List Bullet", "HTML"),
        ("List Bullet", "CSS"),
    ]
    assert [run.text for run in document.paragraphs[1].runs if run.bold] == ["many"]
    assert document.core_properties.title == "Cover letter for Cook at Acme"
    assert document.core_properties.author == ""


async def test_a_word_export_keeps_letters_of_any_language():
    text = "مرحبا नमस्ते 你好 שלום 😀"
    file = await export_document(make_row(text), "docx")

    assert docx.Document(io.BytesIO(file.content)).paragraphs[0].text == text


async def test_a_pdf_with_western_letters_needs_no_font_file(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fonts, "find_system_fonts", dict)
    text = read_pdf(f"{ENGLISH}\n\n{EUROPE}")

    assert "I built many pages – “fast” ones." in text
    assert EUROPE in text
    assert "•  HTML" in text


async def test_invisible_marks_in_western_text_need_no_font_file(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fonts, "find_system_fonts", dict)

    assert read_pdf("Dear \u200eAnn,\u2028\u2066Hello\u2069") == "Dear Ann,\nHello"


async def test_an_exported_letter_can_be_read_back_completely():
    for letter in LETTERS.values():
        assert (read_pdf(letter)).split() == letter.split()


def list_styles(reader: pypdf.PdfReader) -> dict[str, str]:
    """Each piece of text with the font that it is written in."""
    found: dict[str, str] = {}

    def visit(text: str, _cm: Any, _tm: Any, font: Any, _size: Any) -> None:
        if text.strip():
            found[text.strip()] = str(font["/BaseFont"]).removeprefix("/Helvetica") if font else ""

    for page in reader.pages:
        page.extract_text(visitor_text=visit)
    return found


def test_a_pdf_export_has_the_same_emphasis_as_the_word_export():
    text = "I built **many** pages, *really* ***all***, at [Acme](https://acme.example).\n\n# Head"

    styles = list_styles(make_pdf(text))

    assert (styles["many"], styles["really"], styles["all"]) == (
        "-Bold",
        "-Oblique",
        "-BoldOblique",
    )
    assert "Acme (https://acme.example)" in " ".join(" ".join(styles).split())
    assert "**" not in "".join(styles)


def test_pdf_and_word_number_lists_and_keep_non_markdown_text():
    text = "3. first\n4. second\n\n5 * 3 is <b>fifteen</b>, snake_case_name\n\n• dot"
    made = run(text.encode(), {"title": "Letter", "format": "docx", "font": None})
    document = docx.Document(io.BytesIO(base64.b64decode(made["content"])))
    shown = read_pdf(text)

    assert [(item.style.name, item.text) for item in document.paragraphs] == [
        ("List Number", "first"),
        ("List Number", "second"),
        ("Normal", "5 * 3 is <b>fifteen</b>, snake_case_name"),
        ("List Bullet", "dot"),
    ]
    assert [word in shown for word in ("3.  first", "4.  second", "<b>fifteen</b>", "•  dot")] == [
        True
    ] * 4


def list_numbers(document: Any) -> list[str]:
    """The numbers that Word shows: each list counts on from where it starts."""
    starts = {
        num.numId: int(num.xpath("./w:lvlOverride/w:startOverride/@w:val")[0])
        for num in document.part.numbering_part.element.num_lst
        if num.xpath("./w:lvlOverride")
    }
    shown: list[str] = []
    for paragraph in document.paragraphs:
        if paragraph.style.name == "List Number":
            list_id = paragraph._p.pPr.numPr.numId.val
            shown.append(f"{starts[list_id]}. {paragraph.text}")
            starts[list_id] += 1
    return shown


def test_numbered_lists_of_a_word_export_start_with_their_own_numbers():
    text = "3. c\n4. d\n\nText\n\n1. a\n   - x\n   7. g\n2. b"
    made = run(text.encode(), {**OPTIONS, "format": "docx"})
    document = docx.Document(io.BytesIO(base64.b64decode(made["content"])))

    assert list_numbers(document) == ["3. c", "4. d", "1. a", "7. g", "2. b"]


def test_a_paragraph_after_an_empty_item_is_not_in_its_list():
    made = run(b"- a\n-\n\nText", {**OPTIONS, "format": "docx"})
    document = docx.Document(io.BytesIO(base64.b64decode(made["content"])))

    assert [item.style.name for item in document.paragraphs] == ["List Bullet", "Normal"]


def test_fonts_are_found_by_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch):
    def find_user(_: int) -> None:
        raise KeyError("getpwuid(): uid not found")

    found = fonts.find_system_fonts()
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", find_user)

    assert fonts.find_system_fonts.__wrapped__() == found


@has_wide_font
def test_a_font_without_bold_letters_still_shows_what_is_bold():
    drawn = make_pdf("Αγαπητή **κυρία**").pages[0].get_contents()

    assert drawn is not None
    assert b"2 Tr" in drawn.get_data()  # filled and outlined


async def test_a_slow_export_is_stopped_with_an_error():
    with pytest.raises(InputError) as caught:
        await export_document(make_row("a\n\n" * 4_000), "docx", limits=Limits(upload_parse_s=0.1))

    assert caught.value.code == "EXPORT_TOO_LARGE"
    with pytest.raises(InputError, match="more than 5,000 paragraphs"):
        await export_document(make_row("a\n\n" * 6_000), "docx")


@has_wide_font
async def test_a_pdf_in_another_alphabet_uses_a_system_font():
    assert read_pdf(GREEK) == GREEK


def make_font(folder: Path, characters: str) -> str:
    """A font with boxes for exactly these characters."""
    names = {ord(character): f"g{ord(character)}" for character in characters}
    builder = FontBuilder(1000)
    order = [".notdef", *names.values()]
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(order, _make_box()))
    builder.setupHorizontalMetrics(dict.fromkeys(order, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    path = folder / "boxes.ttf"
    builder.save(path)
    return str(path)


def _make_box() -> Any:
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((0, 500))
    pen.lineTo((400, 500))
    pen.closePath()
    return pen.glyph()


async def test_a_pdf_export_uses_the_operators_font_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fonts, "find_system_fonts", dict)
    font = make_font(tmp_path, "Жд •")

    assert read_pdf("Жд Ж", font) == "Жд Ж"


async def test_a_pdf_export_names_characters_that_no_font_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fonts, "find_system_fonts", dict)
    with pytest.raises(InputError) as caught:
        read_pdf("Hallo Ж, д", make_font(tmp_path, "Halo,Ж •"))

    assert (caught.value.code, caught.value.message) == (
        "GLYPHS_MISSING",
        "no font on this server has the characters “д” (U+0434)",
    )
    assert "DOCX" in (caught.value.hint or "")


@pytest.mark.skipif(fonts.has_shaping(), reason="a shaping engine is installed")
@pytest.mark.parametrize("text", ["مرحبا بكم", "नमस्ते", "שלום עולם"])
async def test_a_pdf_in_a_script_that_cannot_be_shaped_is_refused(text: str):
    with pytest.raises(InputError) as caught:
        read_pdf(text)

    assert caught.value.code == "SCRIPT_UNSUPPORTED"


async def test_an_export_error_names_the_invalid_font_file(tmp_path: Path):
    (tmp_path / "x.ttf").write_bytes(b"no font")
    for name in ("x.ttf", "missing.ttf"):
        with pytest.raises(ConfigError, match="AGENT_PDF_FONT"):
            read_pdf("Жд", str(tmp_path / name))


async def test_a_long_pdf_export_has_several_pages():
    file = await export_document(make_row("word " * 4_000), "pdf")

    assert len(pypdf.PdfReader(io.BytesIO(file.content)).pages) > 3


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_exported_or_refused_without_a_crash(text: str):
    for format_ in ("docx", "pdf"):
        try:
            run((text or "x").encode("utf-8", "replace"), {**OPTIONS, "format": format_})
        except InputError as error:
            assert (format_, error.code) in (
                ("pdf", "GLYPHS_MISSING"),
                ("pdf", "SCRIPT_UNSUPPORTED"),
            )
