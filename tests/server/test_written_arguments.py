"""`tool_arguments: true` over HTTP, by every wire: pieces where it streams them, else none."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop.server.settings import AuthSettings
from tests.machine.scripted import text, tools
from tests.server.conftest import SECRET, begin, serving
from tests.server.events import names, post
from tests.wire_fixtures import StartWire

ARGUMENTS = {"company": "Acme", "title": "Cook"}
WIRES: dict[str, dict[str, Any]] = {
    "anthropic": {"provider": "anthropic", "model": "claude-sonnet-4-5"},
    "chat": {"provider": "openai", "model": "gpt-4.1", "protocol": "chat"},
    "responses": {"provider": "openai", "model": "gpt-6.1-terra", "protocol": "responses"},
    "gemini": {"provider": "gemini", "model": "gemini-3.8-flash"},
    "ollama": {"provider": "ollama", "model": "llama3.1"},
}
SENDS_CALLS_WHOLE = ("gemini", "ollama")


class Writer:
    """Writes a job down, then says so."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        if request.messages[-1]["role"] == "tool":
            return text("done")
        return tools(("c1", "create_job", ARGUMENTS), said="I will note it.")


@pytest.mark.parametrize("name", WIRES)
async def test_every_provider_that_streams_arguments_shows_them(
    name: str, settings: Settings, wire_server: StartWire
):
    wire = await wire_server(Writer())
    chosen = WIRES[name]
    base = wire.openai_url if chosen["provider"] == "openai" else wire.base_url
    own = replace(
        settings.change(AuthSettings, jwt_secret=Secret(SECRET)),
        **chosen,
        api_base=base,
        api_key=Secret("any"),
        agent=replace(settings.agent, design="react"),
    )
    async with serving(own) as served:
        ann = await served.client()
        _, asked = await post(ann, await begin(ann), "note that job", tool_arguments=True)
        _, plain = await post(ann, await begin(ann), "note that job, too")

    pieces = [item.data for item in asked if item.event == "tool_arguments_delta"]
    assert names(asked)[-1] == names(plain)[-1] == "done", asked
    assert "tool_start" in names(asked)
    assert "tool_arguments_delta" not in names(plain)
    if name in SENDS_CALLS_WHOLE:
        assert pieces == []
        return
    assert {piece["name"] for piece in pieces} == {"create_job"}
    assert json.loads("".join(piece["content"] for piece in pieces)) == ARGUMENTS
    shown = names(asked)
    assert shown.index("text_delta") < shown.index("tool_arguments_delta")
    assert shown.index("tool_arguments_delta") < shown.index("tool_start")
