"""The AI SDK, CopilotKit and assistant-ui, unmodified, in front of vendors' default models."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import text, tools, triage
from tests.protocols.behind import BEHIND, serve_behind
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import get_end, require_node
from tests.protocols.pages import bundle, open_page, write_page
from tests.protocols.test_python_clients import OSLO
from tests.protocols.test_python_clients import answer as answer_client
from tests.wire_fixtures import StartWire

from .test_agui import get_shown
from .test_ai_sdk import get_shown as get_shown_by_sdk


def answer(request: ChatRequest) -> LLMResponse:
    """Call a tool of the worker's own, then answer."""
    if request.json_schema is not None:
        return triage("note_writer")
    has_result = any(item["role"] == "tool" for item in request.messages)
    return text(OSLO) if has_result else tools(("c1", "list_notes", {}))


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("version", ["5", "6", "7"])
async def test_an_ai_sdk_page_shows_the_answer(
    version: str, behind: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    require_node("@ai-sdk/react")
    served = await serve_behind(behind, answer, serve, wire_server)
    end = await get_end(served, "ai_sdk.mjs", f"plain@{version}")

    assert get_shown_by_sdk(end) == OSLO


@pytest.mark.parametrize("behind", BEHIND)
async def test_a_copilotkit_page_shows_the_answer(
    behind: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    require_node("@copilotkit/core")
    served = await serve_behind(behind, answer, serve, wire_server)
    end = await get_end(served, "copilotkit.mjs", "run")

    assert get_shown(end) == OSLO


@pytest.mark.parametrize("behind", BEHIND)
async def test_an_assistant_ui_page_runs_its_tool_and_shows_the_answer(
    behind: str, serve: ServeNotes, wire_server: StartWire, chromium: str, tmp_path: Path
) -> None:
    for package in ("@assistant-ui/react-ai-sdk", "react-dom", "esbuild"):
        require_node(package)
    program = await bundle(tmp_path / "page.js", "assistant_page.jsx")
    served = await serve_behind(behind, answer_client, serve, wire_server)
    content = write_page(program, chat={"api": "/api/ui/default/chat", "token": served.token()})
    async with open_page(chromium, f"{served.url}/page", content) as page:
        await page.get_by_placeholder("Say something").fill("where am I?")
        await page.get_by_role("button", name="Send").click()
        await page.get_by_text(OSLO).wait_for()
