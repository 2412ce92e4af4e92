"""What goes over the wire, whole: each neutral request × each provider."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.errors import ModelError
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatProvider, ChatRequest
from tests.providers.conversations import (
    PROVIDERS,
    REQUESTS,
    ROUND_TRIP,
    assistant,
    call,
    connect,
    results,
    user,
)
from tests.providers.local_server import Reply, run_local

EXPECTED = json.loads((Path(__file__).parent / "fixtures" / "request_bodies.json").read_text())
REFUSED = Reply(b'{"error": {"message": "enough seen"}}', status=400)


async def capture(name: str, request: ChatRequest, *, stream: bool = False) -> dict[str, Any]:
    """The request as the server got it."""
    async with run_local(REFUSED) as local:
        provider = connect(name, local.url)
        with pytest.raises(ModelError):
            await _send(provider, request, stream=stream)
    (seen,) = local.requests
    return seen


async def _send(provider: ChatProvider, request: ChatRequest, *, stream: bool) -> None:
    if stream:
        async for _ in provider.generate_stream(request):
            pass
    else:
        await provider.generate(request)


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("request_name", REQUESTS)
async def test_each_providers_request_body_is_as_expected(name: str, request_name: str) -> None:
    seen = await capture(name, REQUESTS[request_name])
    assert seen["body"] == EXPECTED[request_name][name]


@pytest.mark.parametrize(
    ("name", "path", "added"),
    [
        ("anthropic", "/v1/messages", {"stream": True}),
        (
            "openai",
            "/chat/completions",
            {"stream": True, "stream_options": {"include_usage": True}},
        ),
        ("responses", "/responses", {"stream": True}),
        ("glm", "/chat/completions", {"stream": True}),
        ("gemini", "/v1beta/models/gemini-3-test:streamGenerateContent?alt=sse", {}),
        ("ollama", "/api/chat", {"stream": True}),
    ],
)
async def test_a_streamed_request_differs_only_in_stream_options(
    name: str, path: str, added: Mapping[str, Any]
) -> None:
    seen = await capture(name, REQUESTS["plain"], stream=True)
    assert seen["path"] == path
    assert seen["body"] == {**EXPECTED["plain"][name], **added}


@pytest.mark.parametrize("name", PROVIDERS)
async def test_each_turns_prompt_extends_the_previous_one(name: str) -> None:
    """Tools, system and all earlier messages, byte for byte: what prompt caches go by."""
    thread = [user("Weather in Köln?")]
    before = b""
    for turn in range(6):
        request = replace(ROUND_TRIP, messages=list(thread))
        prompt = _to_prompt(await capture(name, request, stream=True))
        assert prompt.startswith(before)
        before = prompt
        thread += [
            assistant(call(f"call_{turn}", "get_weather", city="Köln", days=turn)),
            results((f"call_{turn}", "get_weather", {"celsius": turn}, turn == 3)),
            assistant({"type": "text", "text": f"{turn} °C"}),
            user("And tomorrow?"),
        ]


async def test_review_feedback_is_not_written_to_the_cache() -> None:
    draft = assistant({"type": "text", "text": "You are welcome."})
    request = replace(ROUND_TRIP, messages=[*ROUND_TRIP.messages, draft, user("Shorter.")])
    body = (await capture("anthropic", replace(request, is_newest_passing=True)))["body"]
    assert "cache_control" not in json.dumps(body["messages"][-1])
    assert json.dumps(body["messages"]).count("cache_control") == 2


LOW_EFFORT: dict[str, dict[str, Any]] = {
    "responses": {"reasoning": {"effort": "low"}},
    "deepseek": {"reasoning_effort": "low"},
    "ollama": {"think": False},
}


@pytest.mark.parametrize("name", PROVIDERS)
async def test_low_effort_is_sent_in_each_providers_parameter(name: str) -> None:
    body = (await capture(name, replace(REQUESTS["plain"], effort="low")))["body"]
    if name == "gemini":
        assert body["generationConfig"].pop("thinkingConfig") == {"thinking_level": "LOW"}
    assert body == {**EXPECTED["plain"][name], **LOW_EFFORT.get(name, {})}


async def test_models_without_effort_levels_get_none() -> None:
    async with run_local(REFUSED) as local:
        for provider, model in (("gemini", "gemini-2.0-flash"), ("openai", "gpt-4o")):
            chat = create_provider(provider, "k", model, local.url)
            with pytest.raises(ModelError):
                await _send(chat, replace(REQUESTS["plain"], effort="low"), stream=False)
        reasoning = create_provider("openai", "k", "o4-mini", local.url, protocol="openai_chat")
        with pytest.raises(ModelError):
            await _send(reasoning, replace(REQUESTS["plain"], effort="low"), stream=False)
    plain, older, newer = (request["body"] for request in local.requests)
    assert "thinkingConfig" not in plain["generationConfig"]
    assert "reasoning_effort" not in older
    assert newer["reasoning_effort"] == "low"


async def test_without_a_thread_only_the_stable_prefix_is_cached() -> None:
    body = (await capture("anthropic", replace(ROUND_TRIP, cache_key=None)))["body"]
    assert "cache_control" not in json.dumps(body["messages"])


async def test_the_api_key_is_in_the_providers_header() -> None:
    headers = {name: (await capture(name, REQUESTS["plain"]))["headers"] for name in PROVIDERS}
    assert headers["gemini"]["x-goog-api-key"] == "test-key"
    assert {headers[name]["authorization"] for name in PROVIDERS if name != "gemini"} == {
        "Bearer test-key"
    }


def _to_prompt(seen: dict[str, Any]) -> bytes:
    """The prompt in the order in which it is cached: tools, system, the conversation."""
    body = seen["body"]
    system = [body.get(key) for key in ("system", "instructions", "systemInstruction")]
    stable = json.dumps([body.get("tools"), system])
    return "\n".join([stable, *(json.dumps(turn) for turn in _turns(body))]).encode()


def _turns(body: dict[str, Any]) -> list[Any]:
    """The conversation without the cache marks, which move on purpose."""
    turns = json.loads(json.dumps(body.get("messages") or body.get("input") or body["contents"]))
    for turn in turns:
        for block in turn["content"] if isinstance(turn.get("content"), list) else []:
            block.pop("cache_control", None)
    return turns
