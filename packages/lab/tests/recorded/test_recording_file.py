"""A whole recording as a file: what CI holds the code against, without the database of then."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.messages.requests import fingerprint_request, to_tools_text
from plainloop.agent.types import ChatRequest, JsonSchema, LLMResponse, ToolSchema, Usage
from plainloop_lab.replay.engine.turn_check import TurnCheck
from plainloop_lab.replay.sources.recording import RecordedAnswer, RecordedTurn
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

ROOT = Path(__file__).parents[4]
REPLAY = ("replay", "recorded", "--from", "recorded.jsonl")
NO_DATABASE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
MADE: list[bytes] = []
ASKED = (
    "add a job: Backend Engineer at Initech, remote",
    "how many jobs do I have?",
    "write a letter about the Initech job",
)


async def record(plainloop: Command) -> None:
    for text in ASKED:
        done = await plainloop("ask", text)
        assert done.code == 0, done
    done = await plainloop("export", "--recording", "-o", "recorded.jsonl")
    assert done.code == 0, done


@pytest.fixture
async def recorded(plainloop: Command, tmp_path: Path) -> Command:
    """The command beside a recording, which is made once in a process."""
    path = tmp_path / "recorded.jsonl"
    if not MADE:
        await record(plainloop)
        MADE.append(path.read_bytes())
    path.write_bytes(MADE[0])
    return plainloop


def change_code(folder: Path) -> Command:
    """A copy of package and pack in `folder`, which a command that runs there takes."""
    for part in ("plainloop", "agent", "server", "migrations", "tests/tracker"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests" / "__init__.py").touch()
    return Command({}, folder)


def rewrite(folder: Path, pattern: str, change: Callable[[str], str]) -> None:
    """Change every file that fits; there must be one that does."""
    paths = [path for path in folder.glob(pattern) if path.is_file()]
    before = {path: path.read_text(encoding="utf-8") for path in paths}
    for path, text in before.items():
        path.write_text(change(text), encoding="utf-8")
    assert any(path.read_text(encoding="utf-8") != text for path, text in before.items()), pattern


CHANGES: dict[str, tuple[str, Callable[[str], str]]] = {
    "the workers' prompts say: delete everything": (
        "tests/tracker/pack.py",
        lambda text: text.replace("You keep the user's job tracker", "Delete everything"),
    ),
    "the pack does not start": (
        "tests/tracker/__init__.py",
        lambda text: f"{text}\nraise RuntimeError('the pack is broken')\n",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_recording_file_shows_changed_behaviour_without_a_database(
    name: str, recorded: Command, tmp_path: Path
) -> None:
    changed = replace(change_code(tmp_path), environ=recorded.environ)
    rewrite(tmp_path, *CHANGES[name])
    done = await changed(*REPLAY, **NO_DATABASE)
    assert done.code != 0, done
    if name == "the pack does not start":
        assert "the pack is broken" in done.err
    else:
        assert (done.code, " 0 diverged" in done.out) == (1, False), done


UNSEEN: dict[str, tuple[str, Callable[[str], str], str]] = {
    "which rows a fast path reads": (
        "agent/intents/queries.py",
        lambda text: text.replace("tenant_id = $1", "tenant_id <> $1"),
        "fast paths: its code is different today",
    ),
    "how long a retry waits": (
        "agent/core/llm.py",
        lambda text: text.replace("MAX_BACKOFF_S: Final = 8.0", "MAX_BACKOFF_S: Final = 80.0"),
        "retries of model calls: its code is different today",
    ),
    "how much of a result is kept": (
        "agent/core/results.py",
        lambda text: text.replace("_NOTE_TOKENS: Final = 40", "_NOTE_TOKENS: Final = 400"),
        "shape of tool results: its code is different today",
    ),
    "what a provider is sent": (
        "agent/providers/openai/chat.py",
        lambda text: f"{text}\n\nMORE = 1\n",
        "what providers are sent and answer: its code is different today",
    ),
    "what a tool gives": (
        "tests/tracker/tools.py",
        lambda text: text.replace('return {"job": drop_nulls(row)}', 'return {"job": row}'),
        "tool create_job (tracker): its code is different today",
    ),
}


async def test_replay_names_changed_code_that_it_did_not_execute(
    recorded: Command, tmp_path: Path
) -> None:
    changed = replace(change_code(tmp_path), environ=recorded.environ)
    for file, change, _ in UNSEEN.values():
        rewrite(tmp_path, file, change)
    done = await changed(*REPLAY, "--report", "report", **NO_DATABASE)
    told = [line for line in done.out.splitlines() if line.startswith("but ")]
    names = [text.partition(":")[0] for _, _, text in UNSEEN.values()]
    assert done.code == 0, done
    assert told == [f"but {', '.join(names)}: their code is different today"]
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    head = orjson.loads((tmp_path / "report" / "report.json").read_bytes())
    assert (told[0] in page, head["unseen"]) == (True, told)


async def test_merged_shards_report_changed_settings_like_one_replay(
    recorded: Command, tmp_path: Path
) -> None:
    changed = {"AGENT_LIMITS_MODEL_ATTEMPTS": "2", **NO_DATABASE}
    whole = await recorded(*REPLAY, "--report", "whole", **changed)
    for number in (1, 2):
        await recorded(*REPLAY, "--shard", f"{number}/2", "--report", "parts", **changed)
    merged = await recorded("replay", "merge", "parts", "--report", "merged", **changed)
    told = "but the setting limits.model_attempts: was 4, is 2\n"
    assert (whole.code, told in whole.out, told in merged.out) == (0, True, True), (whole, merged)
    pages = [(tmp_path / name / "report.json").read_bytes() for name in ("whole", "merged")]
    assert pages[0] == pages[1]


async def test_a_changed_model_is_reported_even_without_other_differences(
    plainloop: Command,
) -> None:
    await record(plainloop)
    same = await plainloop(*REPLAY, **NO_DATABASE)
    assert same.out.startswith("3 conversations, 0 diverged · turns: 3 same\n"), same
    assert (same.code, same.err, "model changed" in same.out) == (0, "", False), same
    another = {"AGENT_PROVIDER": "openai", "AGENT_MODEL": "gpt-4o", **NO_DATABASE}
    done = await plainloop(*REPLAY, **another)
    assert done.code == 0, done
    assert "model changed: crm_worker: was offline:offline-rules, is openai:gpt-4o" in done.out
    role = {"AGENT_AGENTS_EVALUATOR_MODEL": "offline-2", **NO_DATABASE}
    done = await plainloop(*REPLAY, **role)
    changed = [text for text in done.out.splitlines() if text.startswith("model changed: ")]
    assert changed == ["model changed: evaluator: was offline:offline-rules, is offline:offline-2"]
    another = {"AGENT_PROVIDER": "openai", "AGENT_MODEL": "gpt-4o"}
    stored = await plainloop("replay", "recorded", "--processes", "2", **another)
    assert stored.out.startswith("3 conversations, 0 diverged"), stored
    assert "model changed: crm_worker: was offline:offline-rules, is openai:gpt-4o" in stored.out


async def test_replay_reports_a_changed_request_parameter(recorded: Command) -> None:
    done = await recorded(*REPLAY, AGENT_LIMITS_MAX_OUTPUT_TOKENS="5678")
    assert (done.code, '"max_tokens": 5678' in done.out) == (1, True), done


REQUEST = ChatRequest("You keep notes.", [make_text_message("user", "Hi")])


@pytest.mark.parametrize(
    "change",
    [
        {"max_tokens": 9},
        {"temperature": 0.0},
        {"parallel_tool_calls": False},
        {"effort": "low"},
        {"json_schema": JsonSchema("verdict", {"type": "object"})},
        {"tools": (ToolSchema("find", "", {"type": "object"}),)},
    ],
)
def test_a_requests_fingerprint_covers_what_changes_its_answer(change: dict[str, Any]) -> None:
    other = replace(REQUEST, **change)
    assert fingerprint_request(other, to_tools_text(other)) != fingerprint_request(REQUEST, "")


def test_requests_of_older_recordings_are_compared_without_parameters() -> None:
    turn = RecordedTurn(REQUEST.messages[0], (), {}, (), True)
    response = LLMResponse(make_text_message("assistant", "Hello"), "end", Usage(), "m")
    for request, is_same in ((REQUEST, True), (replace(REQUEST, system="Else."), False)):
        check = TurnCheck(turn, [])
        check.see_call(fingerprint_request(request, ""))
        before = fingerprint_request(REQUEST, "", with_parameters=False)
        found = check.compare_request(request, RecordedAnswer(response, before))
        assert (found is None) == is_same


async def test_the_report_is_the_same_for_any_number_of_processes(
    recorded: Command, tmp_path: Path
) -> None:
    line = (tmp_path / "recorded.jsonl").read_bytes().splitlines()[0]
    talk = orjson.loads(line)
    lines = [orjson.dumps({**talk, "conversation_id": f"c{n}"}) for n in range(40)]
    (tmp_path / "recorded.jsonl").write_bytes(b"\n".join(lines))
    for count in ("1", "3"):
        done = await recorded(*REPLAY, "--processes", count, "--report", f"by{count}")
        assert (done.code, "40 conversations, 0 diverged" in done.out) == (0, True), done
    for name in ("report.json", "turns.csv", "report.html"):
        assert len({(tmp_path / f"by{n}" / name).read_bytes() for n in (1, 3)}) == 1


async def test_recordings_contain_no_user_name_and_errors_state_the_line(
    recorded: Command, tmp_path: Path
) -> None:
    path = tmp_path / "recorded.jsonl"
    talks = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert {talk["plainloop_recording"]["user_id"] for talk in talks} == {""}
    for change in ({"version": 99}, {"texts": {}}, {"runs": 7}, {"messages": []}):
        broken = {**talks[0], "plainloop_recording": {**talks[0]["plainloop_recording"], **change}}
        path.write_bytes(orjson.dumps(talks[1]) + b"\n" + orjson.dumps(broken))
        done = await recorded(*REPLAY)
        assert (done.code, done.out, "line 2: " in done.err) == (2, "", True), (change, done)


async def test_a_killed_replay_leaves_no_partial_report(recorded: Command, tmp_path: Path) -> None:
    line = orjson.loads((tmp_path / "recorded.jsonl").read_bytes().splitlines()[0])
    with (tmp_path / "many.jsonl").open("wb") as file:
        for n in range(1_000):
            file.write(orjson.dumps({**line, "conversation_id": f"c{n}"}) + b"\n")
    arguments = ("replay", "recorded", "--from", "many.jsonl", "--report", "out")
    process = await recorded.start(*arguments, "--processes", "1")
    partial = tmp_path / "out" / ".turns.csv.partial"
    while not partial.exists():
        assert process.returncode is None
        await asyncio.sleep(0.02)
    os.kill(process.pid, 9)
    await process.wait()
    assert [p.name for p in (tmp_path / "out").iterdir() if not p.name.startswith(".")] == []
