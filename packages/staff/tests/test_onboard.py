"""`onboard` and `knowledge`: the interview over a pipe and in a terminal, and its documents."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop


def to_lines(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


async def test_plainloop_onboard_uses_the_chosen_packs_interview(
    plainloop: Command, tmp_path: Path
):
    folder = tmp_path / "exports"
    answers = ("Ada Lovelace", "42", "backpack", "none", "no", "yes")

    done = await plainloop(
        "onboard",
        "--new",
        stdin=to_lines(*answers),
        AGENT_ONBOARDING="staff_onboarding",
        AGENT_EXPORT_DIR=str(folder),
    )

    assert done.code == 0, done.err
    (path,) = folder.iterdir()
    assert json.loads(path.read_bytes())["starter_kit"] == "backpack"
    assert done.err.endswith("the interview is complete\n")


async def test_onboarding_with_a_pack_without_an_interview_is_refused(plainloop: Command):
    done = await plainloop("onboard", AGENT_ONBOARDING="no_such_pack")

    assert done.code == 2
    assert "unknown pack 'no_such_pack'" in done.err


async def test_documents_are_added_listed_searched_and_removed(plainloop: Command, tmp_path: Path):
    (tmp_path / "canteen.md").write_text("# Canteen\n\nLunch is at noon.\n", encoding="utf-8")
    (tmp_path / "desks.txt").write_text("Desks are shared.", encoding="utf-8")
    staff = {"AGENT_ONBOARDING": "staff_onboarding"}

    added = await plainloop(
        "knowledge", "add", str(tmp_path / "canteen.md"), str(tmp_path / "desks.txt")
    )
    listed = await plainloop("knowledge", "list")
    asked = await plainloop("onboard", stdin=to_lines("When is lunch?"), **staff)
    removed = await plainloop("knowledge", "remove", "canteen.md")
    gone = await plainloop("knowledge", "remove", "canteen.md")

    assert added.out == listed.out
    assert added.out == "canteen.md · 1 passage · 29 bytes\ndesks.txt · 1 passage · 17 bytes\n"
    assert "canteen.md" in asked.out and "Lunch is at noon." in asked.out
    assert removed.out == "removed canteen.md\n"
    assert (gone.code, gone.out) == (3, "")
    assert (await plainloop("knowledge", "list")).out == "desks.txt · 1 passage · 17 bytes\n"


async def test_an_unreadable_file_is_refused_before_indexing(plainloop: Command, tmp_path: Path):
    done = await plainloop("knowledge", "add", str(tmp_path / "missing.md"))

    assert done.code != 0
    assert "missing.md: No such file" in done.err
