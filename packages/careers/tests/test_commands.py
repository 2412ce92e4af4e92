"""The pack's commands: imports, letters shown and written to files, the profile's interview."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pypdf
import pytest

from packages.staff.tests.test_onboard import to_lines
from plainloop.agent.packs.commands import LOCAL
from plainloop.agent.store.store import Store
from plainloop_careers.store import load_document_page, save_document
from plainloop_careers.terminal import LISTED, list_documents
from plainloop_wire.faults import Fault, Faults
from plainloop_wire.script import parse_script
from tests.cli.conftest import Command, point_at
from tests.cli.test_bad_input import describe
from tests.wire_fixtures import StartWire

SAMPLES = Path(__file__).parents[3] / "docs" / "samples"


@pytest.fixture
async def letter(plainloop: Command) -> str:
    """The title of a stored letter, document 1."""
    await plainloop("import", "resume", str(SAMPLES / "resume.json"))
    await plainloop("ask", "add a job: Backend Engineer at Initech, remote")
    await plainloop("ask", "--last", "write a cover letter for the Initech job")
    return "Cover letter for Backend Engineer at Initech"


async def test_letter_commands_list_show_and_export_without_overwriting(
    letter: str, plainloop: Command, tmp_path: Path
) -> None:
    listed = await plainloop("documents", "list")
    assert listed.out.split(None, 2) == ["1", "v1", f"{letter}\n"]
    shown = await plainloop("documents", "show", "1")
    assert shown.out.startswith("Dear Initech hiring team,")
    assert "← resume.work[0].highlights[1]" in shown.err
    for format_, begin in (("pdf", b"%PDF-"), ("docx", b"PK\x03\x04"), ("md", b"Dear Initech")):
        done = await plainloop("documents", "export", "1", "--format", format_)
        path = tmp_path / f"cover-letter-for-backend-engineer-at-initech-v1.{format_}"
        assert (done.code, done.out.startswith(path.name)) == (0, True), done
        assert path.read_bytes().startswith(begin)
    written = path.read_bytes()
    again = await plainloop("documents", "export", "1", "--format", "md")
    assert (again.code, "already exists" in again.err) == (2, True)
    assert path.read_bytes() == written
    done = await plainloop("documents", "export", "1", "-o", "mine.pdf")
    assert done.code == 0, done
    text = pypdf.PdfReader(tmp_path / "mine.pdf").pages[0].extract_text()
    assert "Dear Initech hiring team," in text
    hurried = await plainloop(
        "documents", "export", "1", "-o", "late.pdf", AGENT_LIMITS_UPLOAD_PARSE_S="0.01"
    )
    assert (hurried.code, "more than 0.01 s" in hurried.err) == (2, True), hurried.err
    odd = await plainloop("documents", "export", "1", "-o", "mine.odt")
    assert (odd.code, "Use the extension .pdf, .docx or .md." in odd.err) == (2, True)
    for arguments in (["show", "9"], ["export", "1", "--version", "2"]):
        done = await plainloop("documents", *arguments)
        assert (done.code, "there is no document" in done.err) == (3, True), done
    other = await plainloop("documents", "show", "1", "--tenant", "other")
    assert (other.code, other.out) == (3, "")


RESUME = {
    "basics": {"name": "Ada Lovelace", "email": "ada@example.org"},
    "work": [{"name": "Babbage Ltd", "position": "Analyst", "startDate": "1842-01-01"}],
    "skills": [{"name": "Mathematics", "keywords": ["Number theory"]}],
}
TEXT_RESUME = """\
Ada Lovelace
ada@example.org

Experience
Analyst, Babbage Ltd (1842–1843)
- Wrote the first program

Skills
Mathematics
"""


async def test_a_resume_is_imported_from_json_text_and_stdin(plainloop: Command, tmp_path: Path):
    (tmp_path / "resume.json").write_text(json.dumps(RESUME))
    (tmp_path / "resume.txt").write_text(TEXT_RESUME)
    structured = await plainloop("import", "resume", "resume.json", AGENT_PROVIDER="anthropic")
    parsed = await plainloop("import", "resume", "resume.txt")
    piped = await plainloop("import", "resume", "-", stdin=TEXT_RESUME.encode())

    assert structured.out == (
        "résumé, version 1: Ada Lovelace · 1 in work · 0 in education · 1 in skills\n"
    ), "JSON needs no key"
    assert parsed.out.startswith("résumé, version 2: Ada Lovelace · 1 in work")
    assert piped.out.startswith("résumé, version 3: Ada Lovelace · 1 in work")


async def test_a_text_resume_is_parsed_by_the_model(plainloop: Command, wire_server: StartWire):
    server = await wire_server()
    environ = point_at("openai", server.base_url)
    done = await plainloop("import", "resume", "-", stdin=TEXT_RESUME.encode(), **environ)
    usage = await plainloop("usage", "--by", "role")

    assert done.out.startswith("résumé, version 1: Ada Lovelace · 1 in work")
    assert len(server.requests) == 1
    assert "parser" in usage.out


async def test_a_resume_that_the_model_cannot_read_is_kept_as_text(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server(faults=Faults(series=(Fault(status=401, times=None),)))
    environ = point_at("openai", server.base_url)
    failed = await plainloop("import", "resume", "-", stdin=TEXT_RESUME.encode(), **environ)
    again = await plainloop("import", "resume", "-", stdin=TEXT_RESUME.encode())

    assert (failed.code, failed.out) == (7, "")
    assert failed.err.startswith("error[MODEL_AUTH]: ")
    assert again.out.startswith("résumé, version 2: ")


async def test_an_invalid_parser_answer_is_retried_once_then_the_text_is_kept(
    plainloop: Command, wire_server: StartWire
):
    said = {"answer": {"text": "What a nice person!"}}
    server = await wire_server(script=parse_script([said, said]))
    environ = point_at("openai", server.base_url)
    done = await plainloop("import", "resume", "-", stdin=TEXT_RESUME.encode(), **environ)
    shown = await plainloop("resume", "show")

    assert (done.code, done.out) == (0, "résumé, version 1: stored as text, not parsed\n")
    assert "contains no complete JSON object" in done.err
    assert len(server.requests) == 2
    assert "not parsed yet" in shown.err


async def test_a_job_is_imported_once_per_url(plainloop: Command):
    posting = b"Title: Cook\nCompany: Cafe Uno\nURL: https://jobs.example.org/1\n"
    first = await plainloop("import", "job", "-", stdin=posting)
    second = await plainloop("import", "job", "-", stdin=posting)
    listed = await plainloop("ask", "how many jobs do I have?")

    assert first.out == "job #1 Cook at Cafe Uno (saved)\n"
    assert second.out == first.out.strip() + " (already in the tracker, not added again)\n"
    assert listed.out == "You have 1 job.\n"


BAD_RESUMES = {
    "a comma too many": (b'{"basics": {"name": "Ada",}}', "INVALID_INPUT", "line 1, column"),
    "another shape": (b'{"basics": "Ada"}', "INVALID_INPUT", "basics"),
    "empty": (b"", "FILE_EMPTY", "empty"),
    "PDF": (b"%PDF-1.7\n\x00\x01\x02", "FILE_CORRUPT", "resume.json"),
    "no text": (b"\xff\xfe\x00{", "INVALID_INPUT", "resume.json"),
    "deep": (b"[" * 100_000, "INVALID_INPUT", ""),
}


async def test_a_corrupt_resume_is_refused_and_the_old_one_is_kept(
    plainloop: Command, tmp_path: Path
):
    good, bad = tmp_path / "good.json", tmp_path / "resume.json"
    good.write_text('{"basics": {"name": "Ada Lovelace"}}')
    first = await plainloop("import", "resume", str(good))
    for name, (content, code, says) in BAD_RESUMES.items():
        bad.write_bytes(content)
        done = await plainloop("import", "resume", str(bad))
        assert (describe(done), says in done.err) == ((2, code), True), name
    for kind in ("resume", "job"):
        missing = await plainloop("import", kind, "nowhere.json")
        assert describe(missing) == (2, "INVALID_INPUT")
    again = await plainloop("import", "resume", str(good))

    assert first.out.startswith("résumé, version 1: Ada Lovelace")
    assert again.out.startswith("résumé, version 2: Ada Lovelace")


PROFILE_ANSWERS = (
    "Data engineer",
    "Oslo",
    "remote",
    "90k",
    "Pipelines",
    "in May",
    "short and warm",
)


async def test_plainloop_onboard_begins_resumes_and_ends_the_interview(plainloop: Command):
    begun = await plainloop("onboard", stdin=to_lines(*PROFILE_ANSWERS[:3]))
    resumed = await plainloop("onboard", stdin=to_lines(*PROFILE_ANSWERS[3:], "not read any more"))

    assert (begun.code, resumed.code) == (0, 0)
    assert begun.out.splitlines()[0].startswith("Welcome!")
    assert resumed.out.splitlines() == [
        "Let us continue with your profile. What should I note about your salary: expected pay?",
        "Noted. What should I note about your strengths: skills and achievements to stress?",
        "Noted. What should I note about your availability: notice period or first day?",
        "Noted. What should I note about your cover letters: tone and length?",
        "Thank you, your profile is complete.",
    ]
    assert "the Careers interview" in begun.err
    assert resumed.err.endswith("the interview is complete\n")
    assert "profile_interview" in resumed.err
    thread = re.search(r"thread ([0-9a-f-]{36})", begun.err)
    assert thread is not None
    shown = (await plainloop("show", thread[1])).out
    assert "[0] user (the agent speaks first)\n" in shown
    assert "Pipelines" in shown


async def test_each_posting_of_an_imported_list_becomes_a_job_or_an_error(
    plainloop: Command, tmp_path: Path
) -> None:
    postings = [
        {"text": name, "hostedUrl": f"https://jobs.example.com/cafe/{n}"}
        for n, name in enumerate(("Cook", "Baker"))
    ]
    path = tmp_path / "lever.json"
    path.write_text(json.dumps(postings), encoding="utf-8")
    done = await plainloop("import", "job", str(path))
    assert (done.code, done.out.splitlines()) == (
        0,
        ["job #1 Cook at Cafe (saved)", "job #2 Baker at Cafe (saved)"],
    )
    path.write_text(json.dumps([{"id": "ff"}]), encoding="utf-8")
    done = await plainloop("import", "job", str(path))
    assert (done.code, done.out) == (2, "")
    assert "row 1 was left out: the row has no company and no title" in done.err
    assert "no job was imported from " in done.err and "; rows left out: 1" in done.err


class Lines:
    """A terminal that keeps what it is told."""

    def __init__(self, store: Store) -> None:
        self.said: list[str] = []
        self.remarks: list[str] = []
        self.say, self.remark = self.said.append, self.remarks.append
        self._store = store

    @asynccontextmanager
    async def open_store(self, pack: str) -> AsyncGenerator[Store]:
        yield self._store


async def test_the_documents_command_reports_that_its_list_is_cut(store: Store) -> None:
    shown: dict[int, Lines] = {}
    for count in (LISTED, LISTED + 1):
        async with store.transaction("t1") as db:
            while len(await load_document_page(db, ("t1", LOCAL), limit=count)) < count:
                await save_document(db, ("t1", LOCAL), kind="other", title="A", content="x")
        shown[count] = Lines(store)
        await list_documents(cast("Any", shown[count]), "t1")

    assert [len(lines.said) for lines in shown.values()] == [LISTED, LISTED]
    assert shown[LISTED].remarks == []
    assert shown[LISTED + 1].remarks == ["only the 100 documents changed last are listed"]
