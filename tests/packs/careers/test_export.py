"""Letters as files, read back by the libraries that read them."""

from __future__ import annotations

import asyncio
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

from plainloop.agent.errors import ConfigError, InputError
from plainloop.agent.outbound.writing import fonts
from plainloop.agent.outbound.writing.document import run
from plainloop.agent.packs.careers.letters.export import export_document
from tests.packs.careers.letter_texts import LETTERS

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


async def test_markdown_is_the_text_as_it_is():
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


async def test_any_language_can_be_a_word_document():
    text = "مرحبا नमस्ते 你好 שלום 😀"
    file = await export_document(make_row(text), "docx")

    assert docx.Document(io.BytesIO(file.content)).paragraphs[0].text == text


async def test_western_letters_need_no_font_file(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fonts, "find_system_fonts", dict)
    text = read_pdf(f"{ENGLISH}\n\n{EUROPE}")

    assert "I built many pages – “fast” ones." in text
    assert EUROPE in text
    assert "•  HTML" in text


async def test_a_whole_letter_can_be_read_back():
    for _, letter, *_ in LETTERS:
        assert (read_pdf(letter)).split() == letter.split()


@has_wide_font
async def test_other_alphabets_take_a_font_of_the_system():
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


async def test_the_operators_font_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fonts, "find_system_fonts", dict)
    font = make_font(tmp_path, "Жд •")

    assert read_pdf("Жд Ж", font) == "Жд Ж"


async def test_characters_that_no_font_has_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fonts, "find_system_fonts", dict)
    with pytest.raises(InputError) as caught:
        read_pdf("Hallo Ж, д", make_font(tmp_path, "Halo,Ж •"))

    assert (caught.value.code, caught.value.message) == (
        "GLYPHS_MISSING",
        "no font here has the characters “д” (U+0434)",
    )
    assert "DOCX" in (caught.value.hint or "")


@pytest.mark.skipif(fonts.has_shaping(), reason="a shaping engine is installed")
@pytest.mark.parametrize("text", ["مرحبا بكم", "नमस्ते"])
async def test_a_script_that_would_come_out_broken_is_refused(text: str):
    with pytest.raises(InputError) as caught:
        read_pdf(text)

    assert caught.value.code == "SCRIPT_UNSUPPORTED"


async def test_a_file_that_is_no_font_is_a_clear_error(tmp_path: Path):
    (tmp_path / "x.ttf").write_bytes(b"no font")
    for name in ("x.ttf", "missing.ttf"):
        with pytest.raises(ConfigError, match="AGENT_PDF_FONT"):
            read_pdf("Жд", str(tmp_path / name))


async def test_long_documents_run_over_pages():
    file = await export_document(make_row("word " * 4_000), "pdf")

    assert len(pypdf.PdfReader(io.BytesIO(file.content)).pages) > 3


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_exported_or_refused(text: str):
    for format_ in ("md", "docx", "pdf"):
        try:
            asyncio.run(export_document(make_row(text or "x"), format_))
        except InputError as error:
            assert (format_, error.code) in (
                ("pdf", "GLYPHS_MISSING"),
                ("pdf", "SCRIPT_UNSUPPORTED"),
            )
