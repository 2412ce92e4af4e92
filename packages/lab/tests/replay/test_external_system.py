"""What a registered tool would tell an external system, no replay tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from packages.lab.tests.recorded.desk import DEEDS, open_desk, write_pack
from packages.lab.tests.replay.test_live import load_results
from plainloop.agent.store.store import Store
from plainloop_wire.script import parse_script
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire

EFFECTS = {"look": "read", "book": "write", "phone": "external"}
RECORDED = [{"name": name, "arguments": {"n": 1}} for name in EFFECTS]
OTHERS = [{"name": name, "arguments": {"n": 2}} for name in EFFECTS]


def make_script(calls: list[dict[str, Any]]) -> Any:
    triage = {"worker": "clerk", "success_criteria": "x"}
    steps: list[dict[str, Any]] = [
        {"match": {"schema": True}, "answer": {"json": triage}},
        {"match": {"after_tool": True}, "answer": {"text": "It is done."}},
        {"answer": {"tool_calls": calls}},
    ]
    return parse_script([{**step, "times": None} for step in steps])


async def test_no_replay_writes_to_an_external_system(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    own = await wire_server(script=make_script(RECORDED))
    # Each call of the recording once more than it was made, and others.
    candidate = await wire_server(script=make_script([*RECORDED, *RECORDED[1:], *OTHERS]))
    async with open_desk() as desk:
        environ = write_pack(tmp_path, EFFECTS) | {"DESK_PORT": str(desk.port)}
        asked = await plainloop("ask", "do it", **environ, **point_at("openai", own.openai_url))
        assert (asked.code, asked.out) == (0, "It is done.\n"), asked
        assert sorted(desk.told) == ["book", "look", "phone"], "so that the tools really tell it"
        checked = await plainloop("replay", "recorded", **environ)
        assert (checked.code, len(desk.told)) == (0, 3), checked
        environ |= point_at("openai", candidate.openai_url)
        for allow, told in (((), []), (("--allow-reads",), ["look"])):
            live = ("replay", "live", "--no-baseline", "--no-share", *allow)
            done = await plainloop(*live, **environ)
            assert done.code == 0, done
            assert sorted(desk.told[3:]) == told
            await check_served(store, "read" if allow else "closed")
    (row,) = await store.read("local").fetch(DEEDS)
    assert row["n"] == 1


async def check_served(store: Store, read: str) -> None:
    """What the newest replay's tools came to. read: what a read that was not recorded did."""
    (item,) = await load_results(store)
    (turn,) = (item.result or {})["turns"]
    assert sorted((use["name"], use["arguments"]["n"], use["served"]) for use in turn["tools"]) == [
        ("book", 1, "closed"),
        ("book", 1, "recorded"),
        ("book", 2, "closed"),
        ("look", 1, "recorded"),
        ("look", 2, read),
        ("phone", 1, "closed"),
        ("phone", 1, "recorded"),
        ("phone", 2, "closed"),
    ]
