"""`replay recorded --since-merge-base` replays what a branch may change, and nothing else."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from packages.lab.tests.recorded.test_recording_file import NO_DATABASE, change_code, rewrite
from packages.lab.tests.recorded.test_recording_file import plainloop as plainloop
from packages.lab.tests.recorded.test_recording_file import recorded as recorded
from tests.cli.conftest import Command

SINCE = ("replay", "recorded", "--from", "recorded.jsonl", "--since-merge-base")


def git(folder: Path, *arguments: str) -> None:
    known = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *known, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def branch(recorded: Command, tmp_path: Path) -> Command:
    """A repository with the pack and its recordings, on a branch of its own."""
    changed = replace(change_code(tmp_path), environ=recorded.environ)
    (tmp_path / ".gitignore").write_text("__pycache__\n.data\n")
    (tmp_path / "notes.md").write_text("old\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    git(tmp_path, "checkout", "-qb", "feature")
    return changed


async def ask(branch: Command) -> str:
    done = await branch(*SINCE, **NO_DATABASE)
    assert done.code == 0, done
    return done.out.splitlines()[0].partition(": ")[2]


async def test_replay_since_merge_base_skips_unaffected_packs(
    branch: Command, tmp_path: Path
) -> None:
    assert await ask(branch) == "0 of 3 conversations"
    (tmp_path / "notes.md").write_text("new\n")
    assert await ask(branch) == "0 of 3 conversations"
    lines = (tmp_path / "recorded.jsonl").read_bytes().splitlines(keepends=True)
    first = lines[0].replace(b'"conversation_id":"', b'"conversation_id" : "', 1)
    (tmp_path / "recorded.jsonl").write_bytes(b"".join([first, *lines[1:]]))
    git(tmp_path, "commit", "-qam", "another line")
    assert await ask(branch) == "1 of 3 conversations"
    rewrite(tmp_path, "tests/tracker/__init__.py", lambda text: f"{text}\nMORE = 1\n")
    assert await ask(branch) == "3 of 3 conversations"


async def test_a_file_moved_out_of_a_pack_counts_as_a_change_of_the_pack(
    branch: Command, tmp_path: Path
) -> None:
    (tmp_path / "tests/tracker/hints.md").write_text("Read by the pack.\n" * 9)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "second")
    git(tmp_path, "branch", "-f", "main")
    git(tmp_path, "mv", "tests/tracker/hints.md", "hints.md")
    assert await ask(branch) == "3 of 3 conversations"


async def test_replay_since_merge_base_replays_all_packs_for_a_shared_file(
    branch: Command, tmp_path: Path
) -> None:
    (tmp_path / "plainloop.toml").write_text("")
    assert await ask(branch) == "3 of 3 conversations"


async def test_a_missing_merge_base_is_an_error_that_names_what_to_fetch(
    branch: Command, tmp_path: Path
) -> None:
    git(tmp_path, "branch", "-D", "main")
    done = await branch(*SINCE, **NO_DATABASE)
    assert (done.code, "git finds no common commit" in done.err) == (2, True), done
    assert "fetch-depth: 0" in done.err


async def test_since_merge_base_needs_a_file_in_a_git_repository(recorded: Command) -> None:
    done = await recorded("replay", "recorded", "--since-merge-base")
    assert (done.code, "needs `replay recorded --from FILE.jsonl`" in done.err) == (2, True), done
