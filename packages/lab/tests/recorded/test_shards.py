"""A recorded replay in shards: the parts make the report of one process, byte for byte."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from packages.lab.tests.recorded.test_openai_format import ask_tool, line, tell, user
from packages.lab.tests.recorded.test_recorded import TALK
from plainloop.agent.errors import InputError
from plainloop_lab.replay.report.recorded_part import PartHead, RecordedPart, parse_shard, read_head
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

FILES = ("report.json", "turns.csv", "report.html")


def write_talks(path: Path, count: int = 7) -> None:
    talks = [TALK.replace(b'"rooms"', b'"rooms %d"' % n) for n in range(count - 1)]
    # The engine sends this call's argument as it should be; the recording had it otherwise.
    odd = line(user("x"), ask_tool("a"), tell("a"), conversation_id="stops after a tool")
    path.write_bytes(b"\n".join([*talks, odd]))


async def test_replay_reports_are_equal_for_any_number_of_shards(
    plainloop: Command, tmp_path: Path
) -> None:
    write_talks(tmp_path / "talks.jsonl")
    asked = ("replay", "recorded", "--from", "talks.jsonl")
    whole = await plainloop(*asked, "--report", "whole")
    read = orjson.loads((tmp_path / "whole" / "report.json").read_bytes())
    outcomes = [turn["outcome"] for turn in read["conversations"][0]["turns"]]
    assert outcomes == ["same", "same", "unanswered"]
    assert read["totals"]["model_calls_from_recording"] == 6 * 4 + 1
    for shards in (1, 4):
        for number in range(1, shards + 1):
            done = await plainloop(
                *asked, "--shard", f"{number}/{shards}", "--report", f"parts{shards}"
            )
            assert done.code == 0, done.err
    parts = sorted(str(path) for path in (tmp_path / "parts4").glob("*.jsonl"))
    for given in (["parts1"], ["parts4"], parts[::-1]):  # a folder that `--report` named, or files
        merged = await plainloop("replay", "merge", *given, "--report", "merged")
        assert (merged.code, merged.out.splitlines()[0]) == (whole.code, whole.out.splitlines()[0])
        for name in FILES:
            one, other = (tmp_path / folder / name for folder in ("merged", "whole"))
            assert one.read_bytes() == other.read_bytes()


async def test_a_finished_replay_shard_is_not_replayed_again(
    plainloop: Command, tmp_path: Path
) -> None:
    write_talks(tmp_path / "talks.jsonl")
    shard = ("replay", "recorded", "--from", "talks.jsonl", "--shard", "1/2", "--report", "parts")
    await plainloop(*shard)
    assert (await plainloop(*shard)).out == "already done: parts/part-1-of-2.jsonl\n"
    # Another source, settings or code: what is there is of no use.
    write_talks(tmp_path / "talks.jsonl", 5)
    assert "2 conversations, 0 diverged" in (await plainloop(*shard)).out
    assert "already" not in (await plainloop(*shard, AGENT_LIMITS_MODEL_ATTEMPTS="2")).out


async def test_a_shard_with_other_tools_is_replayed_again(
    plainloop: Command, tmp_path: Path
) -> None:
    write_talks(tmp_path / "talks.jsonl", 3)
    shard = ("replay", "recorded", "--from", "talks.jsonl", "--shard", "1/2", "--report", "parts")
    for description in ("Then.", "Today."):
        names = ("find_room", "book_room", "find")
        tools = [{"name": name, "description": description} for name in names]
        (tmp_path / "tools.json").write_bytes(orjson.dumps(tools))
        done = await plainloop(*shard, "--tools", "tools.json")
        assert (done.code, "already done" in done.out) == (0, False), done


async def test_merging_missing_or_mixed_replay_shards_is_refused(
    plainloop: Command, tmp_path: Path
) -> None:
    write_talks(tmp_path / "talks.jsonl")
    for number, folder, sample in (("1/3", "a", "6"), ("3/3", "a", "6"), ("2/3", "b", "5")):
        await plainloop(
            *("replay", "recorded", "--from", "talks.jsonl", "--sample", sample),
            *("--shard", number, "--report", folder),
        )
    some = ["a/part-1-of-3.jsonl", "a/part-3-of-3.jsonl"]
    lacking = await plainloop("replay", "merge", *some, "--report", "out")
    assert (lacking.code, "found 2 of 3 shards; missing: 2" in lacking.err) == (4, True)
    mixed = await plainloop("replay", "merge", *some, "b/part-2-of-3.jsonl", "--report", "out")
    assert (mixed.code, "belong to different replays" in mixed.err) == (4, True)
    none = await plainloop("replay", "merge", "out")
    assert (none.code, "out contains no result of a shard" in none.err) == (2, True)
    assert not (tmp_path / "out" / "report.json").exists()


@pytest.mark.parametrize("shard", ["0/2", "3/2", "x", "1/"])
def test_a_shard_option_not_of_the_form_number_of_total_is_refused(shard: str) -> None:
    with pytest.raises(InputError, match="--shard must be I/N"):
        parse_shard(shard)


def test_a_shards_file_exists_only_when_complete(tmp_path: Path) -> None:
    path, head = tmp_path / "part", PartHead("file", "x", "y", 1, 1, 0)
    with pytest.raises(RuntimeError), RecordedPart(path, head):
        assert not path.exists()
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    with RecordedPart(path, head):
        assert not path.exists()
    assert read_head(path) == head
