"""Letters from the terminal: listed, shown with what they rest on, written to files."""

from __future__ import annotations

from pathlib import Path

import pypdf
import pytest

from tests.cli.conftest import Command

SAMPLES = Path(__file__).parents[2] / "docs" / "samples"


@pytest.fixture
async def letter(plainloop: Command) -> str:
    """The title of a stored letter, document 1."""
    await plainloop("import", "resume", str(SAMPLES / "resume.json"))
    await plainloop("ask", "add a job: Backend Engineer at Initech, remote")
    await plainloop("ask", "--last", "write a cover letter for the Initech job")
    return "Cover letter for Backend Engineer at Initech"


async def test_a_letter_is_listed_and_shown_with_its_sources(
    letter: str, plainloop: Command
) -> None:
    listed = await plainloop("documents", "list")
    assert listed.out.split(None, 2) == ["1", "v1", f"{letter}\n"]
    shown = await plainloop("documents", "show", "1")
    assert shown.out.startswith("Dear Initech hiring team,")
    assert "← resume.work[0].highlights[1]" in shown.err


@pytest.mark.parametrize(
    ("format_", "begin"), [("pdf", b"%PDF-"), ("docx", b"PK\x03\x04"), ("md", b"Dear Initech")]
)
async def test_a_letter_is_written_to_a_file_once(
    format_: str, begin: bytes, letter: str, plainloop: Command, tmp_path: Path
) -> None:
    done = await plainloop("documents", "export", "1", "--format", format_)
    path = tmp_path / f"cover-letter-for-backend-engineer-at-initech-v1.{format_}"
    assert (done.code, done.out.startswith(path.name)) == (0, True), done
    written = path.read_bytes()
    assert written.startswith(begin)
    again = await plainloop("documents", "export", "1", "--format", format_)
    assert (again.code, "is there already" in again.err) == (2, True)
    assert path.read_bytes() == written


async def test_what_is_not_there_is_told(letter: str, plainloop: Command) -> None:
    for arguments in (["show", "9"], ["export", "1", "--version", "2"]):
        done = await plainloop("documents", *arguments)
        assert (done.code, "there is no document" in done.err) == (3, True), done
    other = await plainloop("documents", "show", "1", "--tenant", "other")
    assert (other.code, other.out) == (3, "")


async def test_the_files_name_says_the_format(
    letter: str, plainloop: Command, tmp_path: Path
) -> None:
    done = await plainloop("documents", "export", "1", "-o", "mine.pdf")
    assert done.code == 0, done
    text = pypdf.PdfReader(tmp_path / "mine.pdf").pages[0].extract_text()
    assert "Dear Initech hiring team," in text
    odd = await plainloop("documents", "export", "1", "-o", "mine.odt")
    assert (odd.code, "End it in .pdf, .docx or .md." in odd.err) == (2, True)
