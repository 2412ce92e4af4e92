"""pi, a coding agent for the terminal, unmodified: it reads and changes a file with its own tools,
over the Messages API, Chat Completions and Responses.

`AGENT_TEST_CLIENTS=all ./scripts/packages` fetches it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages.frontends.tests.test_openai_chat import MODEL
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import text, tools, triage
from tests.processes import run_program
from tests.protocols.behind import BEHIND, serve_behind
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import find_node
from tests.protocols.test_python_clients import FOLDER
from tests.wire_fixtures import StartWire

CLI = FOLDER / "pi" / "node_modules" / "@mariozechner" / "pi-coding-agent" / "dist" / "cli.js"
APIS = {"anthropic-messages": "/anthropic", "openai-completions": "/v1", "openai-responses": "/v1"}


def answer(request: ChatRequest) -> LLMResponse:
    """Read the file, change it, and say so."""
    if request.json_schema is not None:
        return triage("note_writer")
    said = "\n".join(map(str, request.messages))
    if "Lima" not in said:
        return tools(("c1", "read", {"path": "place.txt"}))
    if "Successfully" not in said:
        edits = [{"oldText": "Lima", "newText": "Oslo"}]
        return tools(("c2", "edit", {"path": "place.txt", "edits": edits}))
    return text("place.txt now says Oslo.")


@pytest.mark.skipif(
    not CLI.is_file(), reason="pi is not installed: AGENT_TEST_CLIENTS=all ./scripts/packages"
)
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("api", APIS)
async def test_a_coding_agent_can_read_and_edit_a_file(
    api: str, behind: str, serve: ServeNotes, wire_server: StartWire, tmp_path: Path
) -> None:
    served = await serve_behind(behind, answer, serve, wire_server)
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    (work / "place.txt").write_text("Lima\n")
    provider = {"baseUrl": served.url + APIS[api], "api": api, "apiKey": served.token()}
    models = {"providers": {"plainloop": {**provider, "models": [{"id": MODEL}]}}}
    (home / "models.json").write_text(json.dumps(models))
    told = await run_program(
        *(find_node(20), str(CLI), "--provider", "plainloop", "--model", MODEL, "--no-session"),
        *("-p", "Change place.txt to Oslo."),
        folder=work,
        timeout_s=300,
        environ={"PI_CODING_AGENT_DIR": str(home), "PI_OFFLINE": "1", "PI_TELEMETRY": "0"},
    )

    assert told.strip() == "place.txt now says Oslo."
    assert (work / "place.txt").read_text() == "Oslo\n"
