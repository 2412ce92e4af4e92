"""`plainloop knowledge` as people run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.retrieval.tests.answering import HANDBOOK, TRAVEL
from plainloop.agent.errors import InputError
from plainloop.agent.store.admin.audit import list_audit, name_account
from plainloop.agent.store.store import Store
from plainloop_retrieval import store as documents
from plainloop_retrieval.measuring import SAMPLE, load_questions
from tests.cli.conftest import Command
from tests.wire_fixtures import StartWire


async def test_knowledge_add_reads_only_changed_files_again(
    plainloop: Command, environ: dict[str, str]
):
    folder = plainloop.folder / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "handbook.md").write_text(HANDBOOK)
    (folder / "deep" / "travel.txt").write_text(TRAVEL)
    (folder / "scan.pdf").write_bytes(b"%PDF-x")

    first = await plainloop("knowledge", "add", "papers", "--outside", **environ)
    (folder / "scan.pdf").unlink()
    (folder / "handbook.md").write_text(f"{HANDBOOK}\n# More\n\nThere is more.\n")
    second = await plainloop("knowledge", "add", "papers", "--outside", **environ)

    assert first.code == 2
    assert "2 added, 1 refused" in first.err and "scan.pdf is damaged" in first.err
    outside = "written by others"
    assert first.out == (
        f"handbook.md · 3 passages · {len(HANDBOOK)} bytes · {outside}\n"
        f"travel.txt · 1 passage · {len(TRAVEL)} bytes · {outside}\n"
    )
    assert "1 changed" in second.err and "1 unchanged" in second.err
    assert second.out.startswith("handbook.md · 4 passages") and "travel" not in second.out


async def test_knowledge_commands_are_in_the_audit_trail(
    plainloop: Command, environ: dict[str, str], store: Store
):
    for name in ("a.md", "b.md"):
        (plainloop.folder / name).write_text("Text.")
    await plainloop("knowledge", "add", "a.md", "b.md", **environ)
    await plainloop("knowledge", "add", "a.md", **environ)  # unchanged
    removed = await plainloop("knowledge", "remove", "b.md", "c.md", **environ)
    entries = await list_audit(store.read("local"), None, None)

    assert removed.code == 3
    assert [(item.action, item.target) for item in entries] == [
        ("document.delete", "b.md"),
        ("document.save", "b.md"),
        ("document.save", "a.md"),
    ]
    assert {(item.actor, item.via) for item in entries} == {(name_account().name, "cli")}


async def test_knowledge_add_refuses_two_files_of_one_name(
    plainloop: Command, environ: dict[str, str]
):
    for name in ("a", "b"):
        (plainloop.folder / name).mkdir()
        (plainloop.folder / name / "read.md").write_text("Text.")
    done = await plainloop("knowledge", "add", "a", "b", **environ)
    assert (done.code, "two files have the name read.md" in done.err) == (2, True)
    assert (await plainloop("knowledge", "list", **environ)).out == ""


async def test_knowledge_add_refuses_an_unknown_collection_by_name(
    plainloop: Command, environ: dict[str, str]
):
    done = await plainloop("knowledge", "list", "--collection", "none", **environ)
    assert done.code == 3
    assert "there is no collection 'none'" in done.err


async def test_knowledge_measure_compares_word_vector_and_merged_search(
    plainloop: Command, environ: dict[str, str], wire_server: StartWire, store: Store
):
    if not await documents.has_vectors(store.read("local")):
        pytest.skip("this Postgres has no pgvector")
    server = await wire_server()
    by_wire = {
        "AGENT_AGENTS_EMBEDDING_PROVIDER": "openai",
        "AGENT_AGENTS_EMBEDDING_API_BASE": server.openai_url,
        "AGENT_AGENTS_EMBEDDING_API_KEY": "any",
    }

    done = await plainloop("knowledge", "measure", **environ, **by_wire)
    usage = await plainloop("usage", "--by", "role", **environ)

    lines = [line.split() for line in done.out.splitlines()]
    assert [line[:2] for line in lines] == [
        ["24", "questions"],
        ["by", "words"],
        ["by", "meaning"],
        ["by", "both"],
    ], done.err
    assert lines[1][2:] == ["0.71", "0.71", "0.71"]
    assert all(0 < float(number) <= 1 for line in lines[1:] for number in line[2:])
    assert "embedding" in usage.out
    # The sample leaves nothing behind.
    assert await documents.list_documents(store.read("local"), "*sample*") == []
    assert await list_audit(store.read("local"), None, None) == []


async def test_knowledge_add_shows_a_progress_bar(plainloop: Command, environ: dict[str, str]):
    folder = plainloop.folder / "papers"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(HANDBOOK)
    terminal = await plainloop.open_terminal("knowledge", "add", "papers", **environ)
    shown = await terminal.read_until("3 added")
    assert "reading" in shown and "3/3" in shown


def test_invalid_question_files_are_refused(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text('{"question": "what?"}')
    (tmp_path / "b.jsonl").write_text("\n")
    why = {
        "a.jsonl": "could not be read",
        "b.jsonl": "no questions",
        "c.jsonl": "could not be read",
    }
    for name, text in why.items():
        with pytest.raises(InputError, match=text):
            load_questions(tmp_path / name)
    assert len(load_questions(SAMPLE / "questions.jsonl")) == 24
