"""A page for each conversation that differs: both sides, the cause, the command to run it again."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.recorded.test_recording_file import NO_DATABASE, change_code, rewrite
from packages.lab.tests.recorded.test_recording_file import plainloop as plainloop
from packages.lab.tests.recorded.test_recording_file import recorded as recorded
from plainloop_lab.replay.engine.divergence import Divergence
from plainloop_lab.replay.report.causes import find_cause, list_rows
from tests.cli.conftest import Command

HELLO = {"role": "user", "parts": [{"type": "text", "text": "hi"}]}
BYE = {"role": "user", "parts": [{"type": "text", "text": "bye"}]}
TOOL = {"name": "find", "description": "Find.", "parameters": {}}


def ask(**fields: Any) -> dict[str, Any]:
    return {"system": "Be brief.", "tools": [TOOL], "messages": [HELLO, BYE], **fields}


@pytest.mark.parametrize(
    ("found", "kind", "told"),
    [
        (
            Divergence("request", 0, "clerk", ask(), ask(system="Be brief.\nBe kind.")),
            "prompt",
            "The prompt of clerk has changed: “Be kind.” is new.",
        ),
        (
            Divergence("request", 0, "clerk", ask(), ask(tools=[{**TOOL, "description": "Seek."}])),
            "tool",
            "The tools of clerk have changed: find has a different description.",
        ),
        (
            Divergence("request", 0, "clerk", ask(), ask(messages=[BYE, HELLO])),
            "order",
            "clerk gets the same messages in another order.",
        ),
        (
            Divergence("request", 0, "clerk", ask(), ask(messages=[HELLO])),
            "history",
            "clerk gets another part of the history: 2 messages then, 1 today.",
        ),
        (
            Divergence("request", 0, "clerk", {"fingerprint": "a"}, {"parameters": {}}),
            "settings",
            "A parameter of the request of clerk has changed",
        ),
        (
            Divergence("path", 1, "agent_router", {"node": "clerk"}, {"node": "writer"}),
            "rule",
            "A routing rule has changed: after the same steps, clerk answered then",
        ),
        (
            Divergence("path", 1, "a", {"next": "b"}, {"next": "c"}),
            "order",
            "The order of steps has changed: a leads to c, not to b.",
        ),
        (
            Divergence("update", 1, "clerk.tools", {"messages": [1]}, {"messages": [2]}),
            "tool",
            "The result that clerk.tools passes on has changed.",
        ),
        (Divergence("calls", 1, "clerk", 1, 2), "model", "The number of model calls has changed"),
        (
            Divergence("approval", 1, "clerk.tools", ["c1"], []),
            "rule",
            "The rules for approvals have changed",
        ),
        (
            Divergence("end", 1, "clerk", {"ended with": "an answer"}, {"ended with": "LIMIT"}),
            "rule",
            "The run ends differently",
        ),
    ],
)
def test_a_conversations_page_states_the_cause_of_its_difference(
    found: Divergence, kind: str, told: str
) -> None:
    cause = find_cause(found)
    assert (cause.kind, cause.sentence[: len(told)]) == (kind, told)
    assert cause.sentence.endswith(".")


def test_a_conversations_page_marks_the_first_difference_once() -> None:
    rows = list_rows(Divergence("request", 0, "clerk", ask(), ask(system="Be kind.", tools=[])))
    assert [row.is_first for row in rows if row.differs].count(True) == 1
    first = next(row for row in rows if row.differs)
    assert first.is_first


async def test_a_report_has_a_page_for_each_conversation_that_differs(
    recorded: Command, tmp_path: Path
) -> None:
    changed = replace(change_code(tmp_path), environ=recorded.environ)
    rewrite(
        *(tmp_path, "tests/tracker/tools.py"),
        lambda text: text.replace("Save a job in the tracker.", "Keep a job."),
    )
    command = ("replay", "recorded", "--from", "recorded.jsonl")
    done = await changed(*command, "--report", "out", **NO_DATABASE)
    assert done.code == 1, done
    told = "The tools of crm_worker have changed: create_job has a different description."
    assert told in done.out
    out = changed.folder / "out"
    pages = sorted((out / "differences").iterdir())
    text = pages[0].read_text()
    assert (told in text, text.count('id="first"'), "<script" in text) == (True, 1, False)
    assert 'href="differences/0.html#first"' in (out / "report.html").read_text()
    report = orjson.loads((out / "report.json").read_bytes())
    first = next(c for c in report["conversations"] if any("cause" in t for t in c["turns"]))
    assert next(t["cause"]["kind"] for t in first["turns"] if "cause" in t) == "tool"
    again = text.partition('<pre class="again">plainloop ')[2].partition("</pre>")[0]
    alone = await changed(*shlex.split(again), **NO_DATABASE)
    assert (alone.code, alone.out.count("1 conversation, 1 diverged")) == (1, 1), alone


async def test_replay_names_a_requested_conversation_id_missing_in_the_file(
    recorded: Command,
) -> None:
    done = await recorded("replay", "recorded", "--from", "recorded.jsonl", "--thread", "nobody")
    assert (done.code, "the file has no conversation nobody" in done.err) == (2, True)
