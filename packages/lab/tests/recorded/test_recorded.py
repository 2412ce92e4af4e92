"""Recorded replay: the engine of today over answers of then; a change shows where it begins."""

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.recorded.test_openai_format import SAMPLE, ask_tool, line, tell, user
from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.state import AgentState
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.designs.react import build_react_nodes
from plainloop.agent.types import Update
from plainloop_lab.replay.engine.recorded import ConversationReplay, replay_imported
from plainloop_lab.replay.report.recorded_report import RecordedReport
from plainloop_lab.replay.sources.conversations import Conversation
from plainloop_lab.replay.sources.openai_format import (
    number_lines,
    parse_conversation,
    parse_conversations,
)
from plainloop_lab.replay.sources.tool_inference import infer_tools
from plainloop_lab.replay.sources.tool_schemas import read_tool_file
from scripts.benchmarks.rig.counting import counted_calls
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

SETTINGS = load_settings({})
TALK = line(
    {"role": "system", "content": "You book rooms."},
    user("A room for two"),
    ask_tool("a", "find_room", '{"beds": 2}'),
    tell("a", "room 7"),
    {"role": "assistant", "content": "Room 7 is free."},
    user("Book it"),
    ask_tool("a", "book_room", '{"room": 7}'),
    tell("a", "booked"),
    {"role": "assistant", "content": "It is yours."},
    user("Thanks"),
    conversation_id="rooms",
)


async def replay(conversation: Conversation, build_table: Any = None) -> ConversationReplay:
    return await replay_imported(conversation, infer_tools([conversation]), SETTINGS, build_table)


async def test_a_recording_replayed_by_unchanged_code_has_no_divergence() -> None:
    replayed = await replay(parse_conversation(TALK, 1))
    assert replayed.divergence is None
    assert [(turn.outcome, turn.path) for turn in replayed.turns] == [
        ("same", ("react", "react.tools", "react")),
        ("same", ("react", "react.tools", "react")),
        ("unanswered", ()),
    ]


def change_node(name: str, change: Any) -> Any:
    """A table like `react`'s, one node's update changed: what a code change may do."""

    def build(pack: Pack) -> NodeTable:
        table = build_react_nodes(pack, "You book rooms.")

        async def changed(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
            update, next_node = await table.nodes[name](state, ctx)
            return change(update, next_node)

        return NodeTable({**table.nodes, name: changed}, table.start)

    return build


def shout(update: Update, next_node: str) -> tuple[Update, str]:
    (message,) = update["messages"]
    parts: Any = [
        {**part, "result": part["result"].upper()} if part["type"] == "tool_result" else part
        for part in message["parts"]
    ]
    return {**update, "messages": [{**message, "parts": parts}]}, next_node


async def test_replay_shows_a_changed_state_update_as_a_diff() -> None:
    replayed = await replay(parse_conversation(TALK, 1), change_node("react.tools", shout))
    found = replayed.divergence
    assert found is not None
    assert (found.kind, found.step, found.node) == ("update", 1, "react.tools")
    changed = [text for text in found.render_diff() if text[0] in "+-"]
    assert changed == ['-          "result": "room 7",', '+          "result": "ROOM 7",']
    assert [turn.outcome for turn in replayed.turns] == ["diverged", "skipped", "skipped"]


async def test_replay_reports_another_path_through_the_nodes() -> None:
    ends_early = change_node("react.tools", lambda update, _: (update, "END"))
    found = (await replay(parse_conversation(TALK, 1), ends_early)).divergence
    assert found is not None
    assert (found.kind, found.recorded, found.replayed) == (
        "path",
        {"next": "react"},
        {"next": "END"},
    )


async def test_replay_reports_an_exception_of_changed_code_as_another_end() -> None:
    def forget_messages(update: Update, _: str) -> tuple[Update, str]:
        return update, update["messages"][5]["role"]

    talk = parse_conversation(TALK, 1)
    replayed = await replay(talk, change_node("react.tools", forget_messages))
    found = replayed.divergence
    assert found is not None
    assert (found.kind, found.step, found.node) == ("end", 1, "react.tools")
    told = "IndexError: list index out of range"
    assert found.replayed == {"ended with": "INTERNAL_ERROR", "message": told}
    assert [turn.outcome for turn in replayed.turns] == ["diverged", "skipped", "skipped"]


async def test_replay_reports_a_changed_prompt_as_a_changed_request() -> None:
    def other_prompt(pack: Pack) -> NodeTable:
        return build_react_nodes(pack, "You book flights.")

    found = (await replay(parse_conversation(TALK, 1), other_prompt)).divergence
    assert found is not None
    assert (found.kind, found.step) == ("request", 0)
    assert '-  "system": "You book rooms."' in found.render_diff()


async def test_replay_shows_only_the_changed_parts_of_long_texts() -> None:
    words = ", ".join(f"word {i}" for i in range(400))
    talk = line(user("x"), ask_tool("a"), tell("a", words), {"role": "assistant", "content": "y"})

    def replace_one(update: Update, next_node: str) -> tuple[Update, str]:
        text = orjson.dumps(update["messages"]).replace(b"word 200,", b"WORD,")
        return {**update, "messages": orjson.loads(text)}, next_node

    def build(pack: Pack) -> NodeTable:
        table = change_node("react.tools", replace_one)(pack)
        return NodeTable(
            {**table.nodes, "react": build_react_nodes(pack, "").nodes["react"]}, "react"
        )

    found = (await replay(parse_conversation(talk, 1), build)).divergence
    assert found is not None
    changed = [text for text in found.render_diff() if text[0] in "+-"]
    assert len(changed) == 2
    assert all(len(text) < 200 for text in changed)


def test_tool_schemas_are_inferred_from_all_calls() -> None:
    calls = ['{"a": 1, "b": ["x"]}', '{"a": 2.5}', '{"a": null, "c": {"d": true}}']
    talk = [
        item for i, text in enumerate(calls) for item in (ask_tool(f"{i}", "f", text), tell(f"{i}"))
    ]
    (shape,) = infer_tools([parse_conversation(line(user("x"), *talk), 1)])
    assert (shape.name, shape.effect) == ("f", "external")
    assert shape.parameters == {
        "type": "object",
        "properties": {
            "a": {"type": "number"},
            "b": {"type": "array", "items": {"type": "string"}},
            "c": {"type": "object", "properties": {"d": {"type": "boolean"}}, "required": ["d"]},
        },
        "required": ["a"],
    }


def test_a_tools_file_is_read_in_both_usual_formats() -> None:
    plain = {"name": "f", "description": "Find.", "parameters": {"type": "object"}}
    wrapped = {"type": "function", "function": plain, "effect": "read"}
    (one,), (two,) = (read_tool_file(orjson.dumps([item])) for item in (plain, wrapped))
    assert (one.name, one.description, one.effect) == ("f", "Find.", "external")
    assert (two.parameters, two.effect) == ({"type": "object"}, "read")


async def test_the_replay_report_shows_each_divergence_once_and_escaped(tmp_path: Path) -> None:
    talks = [
        parse_conversation(TALK.replace(b'"rooms"', b'"<b>%s"' % name), 1) for name in (b"a", b"c")
    ]
    with RecordedReport(tmp_path, "here & now") as report:
        for talk in talks:
            report.add(await replay(talk, change_node("react.tools", shout)))
    page = (tmp_path / "report.html").read_text()
    assert "<b>2</b> of 2 differ from their recording" in page
    assert (page.count("<details open"), page.count("<ins>+"), page.count("<del>-")) == (2, 2, 2)
    assert "&lt;b&gt;a" in page and "<b>a" not in page and "here &amp; now" in page
    rows = (tmp_path / "turns.csv").read_text().splitlines()
    assert rows[1:3] == [
        "<b>a,0,diverged,react react.tools,1,update,react.tools",
        "<b>a,1,skipped,,0,,",
    ]


async def test_conversations_can_be_read_from_stdin(plainloop: Command) -> None:
    for given in (TALK, gzip.compress(TALK)):
        done = await plainloop("replay", "recorded", "--from", "-", stdin=given)
        assert (done.code, done.out.splitlines()[0][:15]) == (0, "1 conversation,")


async def test_replay_reports_how_many_histories_it_repaired(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "odd.jsonl").write_bytes(line(user("x"), tell("z")))
    done = await plainloop("replay", "recorded", "--from", "odd.jsonl", "--repair")
    note = "line-1, message 2: the tool result 'z' answers no open call; left out\n"
    assert (done.code, done.err) == (0, note)
    assert "repaired invalid histories: 1 conversation\n" in done.out


# By name: the arguments, and what is told.
BAD = {
    "no file": ("--from missing.jsonl", "no such file: missing.jsonl"),
    "a bad line": ("--from bad.jsonl", "line 2: not JSON"),
    "nothing": ("--from empty.jsonl", "the file contains no conversation"),
    "tools that lack one": (
        "--from good.jsonl --tools few.json",
        "the file given to --tools has no schema of book_room",
    ),
    "tools that are none": ("--from good.jsonl --tools bad.jsonl", "the tools file cannot be read"),
    "no tools": (
        "--from good.jsonl --tools none.json",
        "the file given to --tools has no schema of book_room",
    ),
    "no file of tools": ("--from good.jsonl --tools no.json", "no such file: no.json"),
    "a folder": ("--from .", "cannot read .: Is a directory"),
    "half a compressed file": ("--from half.gz", "cannot read half.gz"),
    "a file for the report": (
        "--from good.jsonl --report good.jsonl",
        "cannot create the folder good.jsonl: a file has that name",
    ),
    "a filter of threads": (
        "--from good.jsonl --worker x",
        "with a file, only --thread and --sample can choose conversations",
    ),
    "tools of threads": ("--tools few.json", "--tools and --repair need a file"),
}


async def test_invalid_replay_input_is_refused_with_its_reason(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "good.jsonl").write_bytes(TALK)
    (tmp_path / "bad.jsonl").write_bytes(TALK + b"\n{oops\n")
    (tmp_path / "empty.jsonl").write_bytes(b"\n\n")
    (tmp_path / "few.json").write_bytes(b'[{"name": "find_room"}]')
    (tmp_path / "none.json").write_bytes(b"[]")
    (tmp_path / "half.gz").write_bytes(gzip.compress(TALK)[:40])
    for name, (arguments, told) in BAD.items():
        done = await plainloop("replay", "recorded", *arguments.split())
        assert (done.code, told in done.err) == (2, True), (name, done)
        assert "Traceback" not in done.err


REACH_OUT = """
import socket
from plainloop_lab.replay.engine.no_network import NetworkBlocked, block_network
block_network()
for reach in (
    lambda: socket.create_connection(("192.0.2.1", 9), timeout=1),
    lambda: socket.getaddrinfo("example.org", 80),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9)),
):
    try:
        reach()
        print("reached")
    except NetworkBlocked as blocked:
        print(blocked.code)
"""


async def test_a_recorded_replay_cannot_reach_the_network() -> None:
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", REACH_OUT], capture_output=True, check=True
    )
    assert done.stdout.decode().split() == ["NETWORK_BLOCKED"] * 3


async def test_a_replay_makes_no_more_python_calls_than_its_bound() -> None:
    """Python calls of 3.11 for twenty turns with a tool call each: 42,969 before answers were kept,
    36,202 before each was also read for what is odd about it, 38,140 now.
    """
    asked = [
        message
        for n in range(20)
        for message in (
            user(f"A room for {n}, please"),
            ask_tool(f"c{n}", "find_room", f'{{"beds": {n}}}'),
            tell(f"c{n}", f"room {n} is free"),
            {"role": "assistant", "content": f"Room {n} is free."},
        )
    ]
    talk = parse_conversation(line(*asked), 1)
    await replay(talk)  # what is built once

    with counted_calls() as calls:
        replayed = await replay(talk)

    assert {turn.outcome for turn in replayed.turns} == {"same"}
    assert calls[0] <= 38_700  # 60 of them since efforts and notices are compared


@pytest.mark.skipif(not SAMPLE.exists(), reason="../shared/data is not there")
async def test_the_airline_conversations_replay_without_divergence() -> None:
    with SAMPLE.open("rb") as lines:
        talks = list(parse_conversations(number_lines(lines)))
    shapes = infer_tools(talks)
    replays = [await replay_imported(talk, shapes, SETTINGS) for talk in talks]
    outcomes = [turn.outcome for item in replays for turn in item.turns]
    assert [item.conversation_id for item in replays if item.divergence] == []
    assert {name: outcomes.count(name) for name in set(outcomes)} == {
        "same": 760,
        "partial": 20,
        "unanswered": 80,
    }
