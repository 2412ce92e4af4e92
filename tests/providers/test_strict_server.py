"""Our requests before the strict wire server: it refuses what the real APIs refuse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.models import Models
from plainloop.agent.errors import ConfigError, ContextTooLong
from plainloop.agent.providers.settings import GeminiSettings
from plainloop.agent.types import ChatRequest, LLMResponse, Usage
from plainloop_wire.call import Rules
from tests.providers.asking import ask
from tests.providers.conversations import REQUESTS, WEATHER, call, connect, user
from tests.wire_fixtures import StartWire, WireServer

PROTOCOLS = ("anthropic", "openai", "responses", "gemini", "ollama")
TEXT = "Grüße 東京 🙂 and then some more words, so that there is something to stream."


class Scripted:
    """Answers with a call to the first tool until there is a result, then with text."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        last = request.messages[-1]
        parts: list[Any] = [{"type": "text", "text": TEXT}]
        if request.json_schema is not None:
            parts = [{"type": "text", "text": '{"verdict": "pass", "score": 1}'}]
        elif request.tools and last["role"] == "user":
            parts = [call("call_x", request.tools[0].name, city="Köln")]
        is_call = parts[0]["type"] == "tool_call"
        return LLMResponse(
            {"role": "assistant", "parts": parts}, "tool_use" if is_call else "end", Usage(), "m"
        )


def address(name: str, server: WireServer) -> str:
    return server.openai_url if name in ("openai", "responses") else server.base_url


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", PROTOCOLS)
async def test_strict_servers_accept_every_kind_of_request(
    name: str, stream: bool, wire_server: StartWire
) -> None:
    server = await wire_server(Scripted())
    provider = connect(name, address(name, server))
    for request_name, request in REQUESTS.items():
        answer = await ask(provider, request, stream=stream)
        assert answer.stop in ("end", "tool_use"), request_name
        assert answer.usage.source == "provider", request_name


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", [name for name in PROTOCOLS if name != "ollama"])
async def test_a_too_long_prompt_raises_context_too_long(
    name: str, stream: bool, wire_server: StartWire
) -> None:
    server = await wire_server(Scripted(), rules=Rules(context_tokens=50))
    long = ChatRequest(system="", messages=[user("too much " * 100)])
    with pytest.raises(ContextTooLong):
        await ask(connect(name, address(name, server)), long, stream=stream)


async def test_a_prompt_cut_by_ollama_is_detected(wire_server: StartWire) -> None:
    server = await wire_server(Scripted(), rules=Rules(context_tokens=2_048))
    long = ChatRequest(system="", messages=[user("too much " * 2_000)])
    answer = await ask(connect("ollama", server.base_url), long, stream=True)
    assert "the window may have cut some" in " ".join(answer.notes)


@pytest.mark.parametrize("role", ["worker", "classifier"])
async def test_newer_gemini_models_combine_search_and_tools(
    role: str, wire_server: StartWire
) -> None:
    server = await wire_server(Scripted())
    models = Models(make_searching(api_base=server.base_url, api_key=Secret("k")), "gemini")
    request = ChatRequest(system="", messages=[user("Köln?")], tools=(WEATHER,))
    answer = await ask(models.resolve(role).chat, request, stream=True)
    sent = server.requests[-1]["body"]

    assert answer.tool_calls[0]["name"] == "get_weather"
    assert {name for tool in sent["tools"] for name in tool} == (
        {"functionDeclarations", *(["googleSearch"] if role == "worker" else [])}
    )


def test_older_gemini_models_refuse_search_beside_tools() -> None:
    own = {"model": "gemini-2.5-pro", "small_model": "gemini-2.5-pro", "api_key": Secret("k")}
    models = Models(make_searching(**own), "gemini")
    with pytest.raises(ConfigError, match=r"gemini-2\.5-pro cannot use search grounding and tools"):
        models.resolve("worker")
    assert models.resolve("classifier").model == "gemini-2.5-pro"


def make_searching(**changes: Any) -> Settings:
    return replace(Settings().with_tables(GeminiSettings(search_grounding=True)), **changes)
