"""`plainloop export` writes what `replay --from` reads."""

from __future__ import annotations

from pathlib import Path

import orjson

from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop


async def test_exported_threads_are_replayed_from_the_file(
    plainloop: Command, tmp_path: Path
) -> None:
    await plainloop("ask", "add a job: Backend Engineer at Initech, remote")
    await plainloop("ask", "--last", "move the Initech job to applied")
    await plainloop("ask", "how many jobs do I have?")
    done = await plainloop("export", "-o", "all.jsonl")
    assert (done.code, done.out) == (0, "2 conversations: all.jsonl\n")
    lines = (tmp_path / "all.jsonl").read_bytes().splitlines()
    roles = [[message["role"] for message in orjson.loads(line)["messages"]] for line in lines]
    assert roles[0][:4] == ["user", "assistant", "tool", "assistant"]
    assert roles[1] == ["user", "assistant"]
    replayed = await plainloop("replay", "recorded", "--from", "all.jsonl")
    assert replayed.out.startswith("2 conversations, 0 diverged · turns: 3 same\n")


async def test_one_thread_goes_to_stdout(plainloop: Command) -> None:
    await plainloop("ask", "hello")
    done = await plainloop("export", "--thread", "last")
    assert done.code == 0
    assert orjson.loads(done.out)["messages"][0] == {"role": "user", "content": "hello"}


async def test_a_file_is_never_overwritten(plainloop: Command, tmp_path: Path) -> None:
    await plainloop("ask", "hello")
    (tmp_path / "all.jsonl").write_text("mine")
    done = await plainloop("export", "-o", "all.jsonl")
    assert (done.code, "is there already" in done.err) == (2, True)
    assert (tmp_path / "all.jsonl").read_text() == "mine"


async def test_another_tenants_threads_are_not_exported(plainloop: Command) -> None:
    await plainloop("ask", "hello")
    done = await plainloop("export", "--tenant", "other")
    assert (done.code, done.out) == (3, "")
