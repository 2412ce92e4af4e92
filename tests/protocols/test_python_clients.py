"""Other people's Python clients, unmodified: each gets what it is for, by each of its ways.

`./scripts/packages` fetches those of tests/protocols/python_clients.txt, and with
AGENT_TEST_CLIENTS=all the large ones too. What is not there is skipped. Each is also tried with
the default models of OpenAI, Anthropic and Kimi behind: their strict doubles refuse what those APIs
refuse.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from packages.frontends.tests.test_openai_chat import MODEL
from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import text, tools, triage
from tests.processes import run_program
from tests.protocols.behind import BEHIND, serve_behind
from tests.protocols.conftest import ServeNotes
from tests.wire_fixtures import StartWire

FOLDER = Path(__file__).parents[2] / ".venv" / "clients"
PROGRAM = Path(__file__).with_name("python_client.py")
ANN = {"name": "Ann", "age": 41}
OSLO = "You are in Oslo."
AGENT = ["human", "ai", "tool", "ai"]
CLIENTS: dict[str, dict[str, Any]] = {
    "openai": dict.fromkeys(("chat", "responses", "streamed"), ANN),
    "instructor": {
        mode + way: ANN for mode in ("TOOLS", "JSON", "JSON_SCHEMA") for way in ("", " streamed")
    },
    "pydantic_ai": {
        mode + way: ANN
        for mode in ("ToolOutput", "NativeOutput", "PromptedOutput")
        for way in ("", " streamed")
    },
    "langchain": {
        **{
            mode + way: ANN
            for mode in ("json_schema", "function_calling", "json_mode")
            for way in ("", " streamed")
        },
        **dict.fromkeys(("ProviderStrategy", "ToolStrategy"), ANN),
        **{f"{strategy} kinds": AGENT for strategy in ("ProviderStrategy", "ToolStrategy")},
    },
    "dspy": dict.fromkeys(("ChatAdapter", "JSONAdapter"), ANN),
    "smolagents": dict.fromkeys(("whole", "streamed"), OSLO),
    "crewai": dict.fromkeys(("whole", "streamed"), OSLO),
    "llm": {"whole": OSLO, "streamed": OSLO, "schema": ANN},
    "inspect": {"accuracy": 1.0, "samples": 18},
    "aider": {"--no-stream": "Oslo", "--stream": "Oslo"},
    "llama_index": {"complete": OSLO, "streamed": OSLO, "shaped": ANN, "agent": OSLO},
    "mirascope": {"whole": OSLO, "shaped": ANN, "tool": OSLO},
    "deepeval": {"shaped": ANN, "whole": OSLO},
    "llm_anthropic": {"whole": OSLO, "streamed": OSLO, "schema": ANN},
}
FOLDERS = {"llm_anthropic": "llm"}


def answer(request: ChatRequest) -> LLMResponse:
    """A model that does what it is asked for: calls a tool, answers in a shape, or in words."""
    wanted = request.json_schema.schema if request.json_schema else None
    if wanted and "worker" in wanted.get("properties", {}):
        return triage("note_writer")
    own = {tool.name: tool.parameters.get("properties", {}) for tool in request.tools}
    said = request.system + "\n".join(map(str, request.messages))
    choice = request.tool_choice
    if "get_place" in own and "Oslo" not in said:
        return tools(("c1", "get_place", {}))
    if "final_answer" in own and "Oslo" in said:
        return tools(("c2", "final_answer", {"answer": OSLO}))
    shaped = [name for name in own if "age" in own[name]]
    if shaped and (choice is None or choice.mode == "required"):
        return tools(("c3", choice.name if choice and choice.name else shaped[0], ANN))
    if wanted is not None or "json" in said.lower():
        return text(json.dumps(ANN))
    if "[[ ## name ## ]]" in said:
        return text("[[ ## name ## ]]\nAnn\n\n[[ ## age ## ]]\n41\n\n[[ ## completed ## ]]")
    if "place.txt" in said:
        return text("place.txt\n```\nOslo\n```\n")
    asked = [get_text(item) for item in request.messages if item["role"] == "user"]
    return text(OSLO if asked else "")


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("client", CLIENTS)
async def test_each_python_client_works_unmodified(
    client: str, behind: str, serve: ServeNotes, wire_server: StartWire, tmp_path: Path
) -> None:
    folder = FOLDER / FOLDERS.get(client, client)
    if client != "openai" and not folder.is_dir():
        pytest.skip(f"{client} is not installed: AGENT_TEST_CLIENTS=all ./scripts/packages")
    served = await serve_behind(behind, answer, serve, wire_server)
    paths = str(folder) if client != "openai" else ""
    told = await run_program(
        *(sys.executable, str(PROGRAM), client, served.url, served.token(), MODEL, str(tmp_path)),
        folder=tmp_path,
        timeout_s=300,
        environ={"PYTHONPATH": paths, "PYTHONNOUSERSITE": "1"},
    )

    assert json.loads(told.strip().rpartition("\n")[2]) == CLIENTS[client]
