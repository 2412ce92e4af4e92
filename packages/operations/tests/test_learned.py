"""`plainloop learned`: what is remembered is listed, forgotten, exported and brought in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.cli.app import run as run_command
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.learned.votes import find_templates
from plainloop.agent.store.store import Store
from plainloop_operations.commands.learned import (
    forget_learned,
    print_learned,
    read_learned,
    write_learned,
)
from tests.routers.remembering import SortingBrain, fast, open_office, worker
from tests.wire_fixtures import StartWire

ANN = Owner("acme", "ann")
SONG = "please sing of the sea"


def sort(text: str, _within: bool) -> dict[str, Any]:
    return worker() if text == SONG else fast("list", company=text.split()[-1])


@pytest.fixture
async def taught(
    settings: Settings, wire_server: StartWire, store: Store, monkeypatch: pytest.MonkeyPatch
) -> Store:
    """Ann has said one sentence three times; another one Ann and Ben, once each."""
    assert settings.get_table(DatabaseSettings).url is not None
    monkeypatch.setenv("DATABASE_URL", settings.get_table(DatabaseSettings).url.reveal())
    monkeypatch.setenv("AGENT_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("AGENT_PACKS", "tests.tracker")
    server = await wire_server(brain := SortingBrain(sort))
    async with open_office(settings, server.base_url, brain) as office:
        await office.teach(SONG)
        await office.ask("whatever there is at Acme", "ann")
        await office.ask("whatever there is at Hooli", "ben")
    return store


async def list_rows(store: Store, owner: Owner, capsys: Any) -> dict[str, dict[str, Any]]:
    capsys.readouterr()
    await print_learned(store, owner, None, as_json=True)
    return {row["template"]: row for row in json.loads(capsys.readouterr().out)}


async def test_learned_sentences_of_one_user_are_listed_only_for_that_user(
    taught: Store, capsys: Any
):
    shared = "whatever there is at {jobs.company}"
    own = await list_rows(taught, ANN, capsys)
    assert {name: (row["is_private"], row["is_known"]) for name, row in own.items()} == {
        SONG: (True, True),
        shared: (False, True),
    }
    assert [*await list_rows(taught, Owner("acme", "ben"), capsys)] == [shared]
    assert await list_rows(taught, Owner("evil", "ann"), capsys) == {}


async def test_learned_list_shows_answer_and_votes_of_each_sentence(taught: Store, capsys: Any):
    capsys.readouterr()
    await print_learned(taught, ANN, "tracker", as_json=False)
    out = capsys.readouterr().out
    assert "list jobs company={0}  all users  known" in " ".join(out.split(" ")).replace(
        "   ", "  "
    )
    assert SONG in out


async def test_forgotten_sentences_are_deleted_for_all_users(taught: Store, capsys: Any):
    own = await list_rows(taught, ANN, capsys)
    await forget_learned(taught, ANN, None, [own[SONG]["id"]])
    assert SONG not in await list_rows(taught, ANN, capsys)
    with pytest.raises(NotFoundError, match="no such sentence"):
        await forget_learned(taught, ANN, None, ["learned.nothing"])
    await forget_learned(taught, ANN, None, [])
    assert await list_rows(taught, ANN, capsys) == {}


async def test_imported_learned_sentences_work_at_once_and_import_twice_safely(
    taught: Store, capsys: Any, tmp_path: Path
):
    path = tmp_path / "learned.jsonl"
    await write_learned(taught, ANN, None, path)
    text = path.read_text()
    assert len(text.splitlines()) == 2
    for word in ("acme", "hooli", "ann", "ben"):
        assert word not in text.lower()
    for _ in range(2):
        await read_learned("other", path)
    rows = await list_rows(taught, Owner("other", "eve"), capsys)
    assert [(row["votes"], row["is_known"]) for row in rows.values()] == [(1, True)] * 2
    found = await find_templates(taught.read("other"), "eve", "tracker", SONG, "please")
    assert [item.is_agreed(is_within=False) for item in found] == [True]


async def test_a_pack_can_ship_learned_sentences(
    taught: Store, capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(InputError, match="no installed pack contains learned.jsonl"):
        await read_learned("other", None)
    (tmp_path / "shipping").mkdir()
    source = """
from dataclasses import replace
from tests.tracker.pack import build_pack

def make_pack():
    return replace(build_pack(), name="shipping")
"""
    (tmp_path / "shipping" / "__init__.py").write_text(source)
    await write_learned(taught, ANN, None, tmp_path / "shipping" / "learned.jsonl")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("AGENT_PACKS", "shipping")
    await read_learned("other", None)
    assert len(await list_rows(taught, Owner("other", "eve"), capsys)) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("no JSON", "line 1 is not a learned sentence"),
        ('{"pack": "a", "template": "b", "answer": {"tool": "c"}}', "unknown field"),
        ('{"pack": "a", "template": "b", "answer": {}}', "either a worker or a fast path"),
    ],
)
async def test_importing_invalid_learned_sentences_stores_nothing(
    taught: Store, capsys: Any, tmp_path: Path, line: str, said: str
):
    path = tmp_path / "learned.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match=said):
        await read_learned("other", path)
    assert await list_rows(taught, Owner("other", "eve"), capsys) == {}


def test_learned_forget_without_a_name_or_all_is_refused(capsys: Any):
    assert run_command(["learned", "forget"]) != 0
    assert "name the sentences to forget, or use --all" in capsys.readouterr().err
