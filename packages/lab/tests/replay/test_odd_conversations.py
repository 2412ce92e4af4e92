"""Odd conversations of other systems, asked live: every provider takes them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.recorded.test_odd_conversations import ODD
from packages.lab.tests.recorded.test_openai_format import line
from plainloop_wire.script import parse_script
from plainloop_wire.serving import WIRES
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire


@pytest.mark.parametrize("wire", WIRES)
async def test_every_provider_accepts_the_odd_conversations(
    wire: str, plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    """The wire server refuses what the provider would."""
    talks = [line(*messages, conversation_id=name) for name, (messages, _) in ODD.items()]
    (tmp_path / "odd.jsonl").write_bytes(b"\n".join(talks))
    calls = [{"name": "find", "arguments": {"n": 1}}, {"name": "nobody_has_this"}]
    steps: list[dict[str, Any]] = [
        {"match": {"after_tool": True}, "answer": {"text": "I see."}, "times": None},
        {"answer": {"text": "So.", "tool_calls": calls}, "times": None},
    ]
    server = await wire_server(script=parse_script(steps))
    url = server.openai_url if wire.startswith("openai") else server.base_url
    environ = point_at(wire, url)
    arguments = ("--from", "odd.jsonl", "--no-baseline", "--history", "own", "--report", "out")
    done = await plainloop("replay", "live", *arguments, **environ)
    assert done.code == 0, done
    report = orjson.loads((tmp_path / "out" / "report.json").read_bytes())
    turns = [turn["lanes"]["candidate"] for c in report["conversations"] for turn in c["turns"]]
    assert Counter(turn["error"] for turn in turns) == {None: len(turns)}
    assert {entry["status"] for entry in server.requests} == {200}
