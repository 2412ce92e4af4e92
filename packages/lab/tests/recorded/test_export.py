"""`plainloop export` writes what `replay --from` reads."""

from __future__ import annotations

from pathlib import Path

import orjson

from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop


async def test_exported_threads_can_be_replayed_from_the_file(
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
    assert "export --recording" in replayed.out, "what a file of messages does not guard"

    one = await plainloop("export", "--thread", "last")
    asked = {"role": "user", "content": "how many jobs do I have?"}
    assert (one.code, orjson.loads(one.out)["messages"][0]) == (0, asked)
    again = await plainloop("export", "-o", "all.jsonl")
    assert (again.code, "already exists" in again.err) == (2, True)
    assert (tmp_path / "all.jsonl").read_bytes().splitlines() == lines, "it is never overwritten"
    other = await plainloop("export", "--tenant", "other")
    assert (other.code, other.out) == (3, "")
