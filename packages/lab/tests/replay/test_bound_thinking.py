"""A live replay of stored threads on a Claude model that binds thinking to its prefix."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire


@pytest.mark.parametrize("history", ["recorded", "own"])
async def test_a_replay_with_another_prompt_sends_no_invalid_thinking(
    plainloop: Command, wire_server: StartWire, tmp_path: Path, history: str
) -> None:
    server = await wire_server()
    environ = {
        "AGENT_PROVIDER": "anthropic",
        "AGENT_API_BASE": server.base_url,
        "ANTHROPIC_API_KEY": "any",
        "AGENT_DESIGN": "react",
    }
    await plainloop("ask", "add a job: Cook at Acme", **environ)
    await plainloop("ask", "--last", "what can you do?", **environ)
    await plainloop("ask", "--last", "and else?", **environ)
    recorded = len(server.requests)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "react.md").write_text("Be quick.")
    replayed = ("replay", "live", "--thread", "last", "--prompts", "prompts")
    done = await plainloop(*replayed, "--history", history, "--no-share", **environ)

    sent = [entry["body"] for entry in server.requests[recorded:]]
    assert done.code == 0, done
    assert [entry["error"] for entry in server.requests if "error" in entry] == []
    assert {"Be quick." in str(body["system"]) for body in sent} == {True, False}
    thinking = {
        is_candidate: sum(
            block["type"] == "thinking"
            for body in sent
            if ("Be quick." in str(body["system"])) == is_candidate
            for message in body["messages"]
            for block in message["content"]
        )
        for is_candidate in (True, False)
    }
    assert thinking[False] > 0, "the unchanged lane gets its thinking back"
    assert thinking[True] > 0 or history == "recorded"
