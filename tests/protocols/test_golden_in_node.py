"""Every recorded run through the real clients from npm: what they show is what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plainloop.server.protocols.encoder import EncodedWriter
from tests.processes import run_program
from tests.protocols.encoders import CLIENTS, Client, strip_ui
from tests.protocols.golden import Golden, load_golden
from tests.protocols.node_clients import FOLDER, require_node

ENCODERS = {client.name: client for client in CLIENTS}


def write_streams(client: Client, run: Golden) -> list[str]:
    """Its bytes, one stream up to each point at which the run waits."""
    streams: list[str] = []
    begin = 0
    for end in (*run.pauses, None):
        writer = EncodedWriter(client.make(run, begin), begin)
        seen = [event for event in run.events if end is None or event["seq"] <= end]
        whole = writer.open() + writer.write(seen)
        streams.append((whole + (writer.close() or b"")).decode())
        begin = end or 0
    return streams


@pytest.mark.parametrize(
    ("encoder", "package"),
    [
        ("ui messages", "ai"),
        ("ui messages 6", "ai-6"),
        ("ui messages 5", "ai-5"),
        ("ui messages 5", "ai"),
        ("ag-ui", "@ag-ui/client"),
        ("ag-ui 0.0.59", "@ag-ui/client-0059"),
    ],
)
async def test_each_node_client_shows_the_stored_answer(
    encoder: str, package: str, tmp_path: Path
) -> None:
    require_node(package)
    runs = load_golden()
    file = tmp_path / "runs.json"
    file.write_text(json.dumps({run.name: write_streams(ENCODERS[encoder], run) for run in runs}))
    told = await run_program("node", str(FOLDER / "golden.mjs"), str(file), package)
    shown = json.loads(told)
    said = {run.name: strip_ui(run, shown[run.name]["text"]) for run in runs}
    assert said == {run.name: run.answer for run in runs}
    assert [item["broken"] for item in shown.values() if item.get("broken")] == []
    assert {item["count"] for item in shown.values()} == {1}
