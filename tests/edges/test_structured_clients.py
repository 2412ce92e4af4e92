"""Clients that ask for data instead of words, unmodified: they get it, by each of their ways."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from plainloop.agent.types import ChatRequest, LLMResponse
from tests.edges.conftest import ServeNotes
from tests.edges.test_openai_chat import MODEL
from tests.machine.scripted import text, tools, triage

FOLDER = Path(__file__).parents[2] / ".venv" / "structured-clients"
PROGRAM = Path(__file__).with_name("structured_client.py")
ANN = {"name": "Ann", "age": 41}
CLIENTS = [
    *(("openai", mode) for mode in ("chat", "responses")),
    *(("instructor", mode) for mode in ("TOOLS", "JSON", "JSON_SCHEMA")),
    *(("pydantic_ai", mode) for mode in ("tool", "native", "prompted")),
    *(("langchain", mode) for mode in ("json_schema", "function_calling", "json_mode")),
    ("dspy", "json"),
]
MODULES = {"pydantic_ai": "pydantic_ai", "langchain": "langchain_openai"}


def answer(request: ChatRequest) -> LLMResponse:
    """A model that does what it is asked for: calls the client's tool, or answers in JSON."""
    if request.tool_choice is not None and request.tool_choice.mode == "required":
        [name] = [tool.name for tool in request.tools if "age" in tool.parameters["properties"]]
        return tools(("c1", name, ANN))
    is_asked = (
        request.json_schema or "json" in str(request.messages).lower() + request.system.lower()
    )
    return text(json.dumps(ANN) if is_asked else "Ann is 41.")


@pytest.mark.parametrize(("kind", "mode"), CLIENTS)
async def test_a_client_gets_data(kind: str, mode: str, serve: ServeNotes) -> None:
    if kind != "openai" and not (FOLDER / MODULES.get(kind, kind)).is_dir():
        pytest.skip(f"{kind} is not installed: ./scripts/packages")
    served = await serve(triage("note_writer"), answer)
    paths = str(FOLDER) if kind != "openai" else ""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(PROGRAM), kind, mode, served.url, served.token(), MODEL),
        env={**os.environ, "PYTHONPATH": paths},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(180):
        told, errors = await process.communicate()

    assert process.returncode == 0, errors.decode()[-3000:]
    assert json.loads(told) == ANN
