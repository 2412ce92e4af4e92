"""Our providers over the real SDKs and sockets: a conversation is the same on every wire.

The brain sees the same neutral request as in process, and its answer comes back as it was given.
"""

from __future__ import annotations

from typing import Any

import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain
from plainloop.agent.base.tokens.estimate import estimate_tokens
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import (
    ChatProvider,
    ChatRequest,
    JsonSchema,
    LLMResponse,
    Message,
    ToolSchema,
)

# What `create_provider` takes for each wire.
WIRES: dict[str, dict[str, Any]] = {
    "anthropic": {"provider": "anthropic"},
    "openai": {"provider": "openai", "model": "gpt-4o"},
    "openai_responses": {
        "provider": "openai",
        "model": "gpt-6.1-terra",
        "protocol": "openai_responses",
    },
    "gemini": {"provider": "gemini"},
    "ollama": {"provider": "ollama"},
}
PROVIDERS = tuple(WIRES)
TOOLS = (ToolSchema("get_weather", "The weather of a city.", TOOL),)
QUESTION: Message = {
    "role": "user",
    "parts": [{"type": "text", "text": "Is it warm in Oslo and Rome?"}],
}


def make_provider(name: str, server: Any) -> ChatProvider:
    base = server.openai_url if name.startswith("openai") else server.base_url
    return create_provider(**WIRES[name], api_key="any", api_base=base)


async def ask(provider: ChatProvider, request: ChatRequest, *, stream: bool) -> LLMResponse:
    if not stream:
        return await provider.generate(request)
    last = None
    async for item in provider.generate_stream(request):
        last = item
    assert isinstance(last, LLMResponse)
    return last


def describe(message: Message) -> list[Any]:
    """A message without ids, provider state and empty reasoning: those may differ."""
    hidden = ("id", "provider_state")
    return [
        {key: value for key, value in part.items() if key not in hidden}
        for part in message["parts"]
        if part["type"] != "reasoning" or part["text"]
    ]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_tool_conversation_has_equal_messages_over_each_wire(wire_server, name, stream):
    brain = CityBrain()
    server = await wire_server(brain)
    provider = make_provider(name, server)
    request = ChatRequest(system="Be kind.", messages=[QUESTION], tools=TOOLS, max_tokens=500)
    first = await ask(provider, request, stream=stream)
    assert (first.stop, describe(first.message)) == (
        "tool_use",
        [
            {"type": "text", "text": "Let me look."},
            {"type": "tool_call", "name": "get_weather", "arguments": {"city": "Oslo"}},
            {"type": "tool_call", "name": "get_weather", "arguments": {"city": "Rome"}},
        ],
    )
    results: list[Any] = [
        {
            "type": "tool_result",
            "id": call["id"],
            "name": call["name"],
            "result": result,
            "is_error": "error" in result,
        }
        for call, result in zip(
            first.tool_calls, ({"degrees": 3, "tags": ["a"]}, {"error": "no data"}), strict=True
        )
    ]
    history: list[Message] = [QUESTION, first.message, {"role": "tool", "parts": results}]
    follow_up = ChatRequest(system="Be kind.", messages=history, tools=TOOLS, max_tokens=500)
    last = await ask(provider, follow_up, stream=stream)
    in_process = CityBrain().answer(follow_up)
    assert (last.text, last.stop) == (in_process.text, "end")
    seen = brain.requests[-1]
    assert (seen.system, seen.tools) == (follow_up.system, follow_up.tools)
    assert [message["role"] for message in seen.messages] == ["user", "assistant", "tool"]
    for got, given in zip(seen.messages, history, strict=True):
        assert describe(got) == describe(given)

    thanks: Message = {"role": "user", "parts": [{"type": "text", "text": "Thanks."}]}
    closing = ChatRequest(
        system="Be kind.", messages=[*history, last.message, thanks], tools=TOOLS, max_tokens=500
    )
    assert (await ask(provider, closing, stream=stream)).text == "You said: Thanks."


TRACKER = (
    ToolSchema(
        "list_jobs",
        "List the tracked jobs.",
        {
            "type": "object",
            "properties": {
                "status": {"type": "string", "enum": ["saved", "applied"]},
                "limit": {"type": "integer"},
            },
        },
    ),
)
TRIAGE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "worker": {"type": "string", "enum": ["tracker", "general"]},
        "success_criteria": {"type": "string"},
    },
    "required": ["worker", "success_criteria"],
    "additionalProperties": False,
}
OFFLINE_REQUESTS = {
    "a worker's turn": {"system": "You track jobs.", "tools": TRACKER},
    "triage": {
        "system": "Workers:\n- tracker: lists and changes tracked jobs\n- general: all else",
        "json_schema": JsonSchema("triage", TRIAGE),
    },
    "plain": {"system": "You help."},
}


@pytest.mark.parametrize("given", OFFLINE_REQUESTS.values(), ids=OFFLINE_REQUESTS)
@pytest.mark.parametrize("name", PROVIDERS)
async def test_offline_answers_are_equal_over_each_wire(wire_server, name, given):
    server = await wire_server()
    asked: Message = {
        "role": "user",
        "parts": [{"type": "text", "text": "List my saved jobs, please."}],
    }
    request = ChatRequest(messages=[asked], **given)
    expected = await create_provider("offline", None).generate(request)
    for stream in (False, True):
        answer = await ask(make_provider(name, server), request, stream=stream)
        assert answer.stop == expected.stop
        assert [part for part in describe(answer.message) if part["type"] != "reasoning"] == (
            describe(expected.message)
        )


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", PROVIDERS)
async def test_json_answers_and_usage_arrive_unchanged(wire_server, name, stream):
    server = await wire_server(CityBrain())
    request = ChatRequest(
        system="Route.", messages=[QUESTION], json_schema=JsonSchema("triage", SCHEMA)
    )
    answer = await ask(make_provider(name, server), request, stream=stream)
    assert (answer.text, answer.stop) == ('{"worker":"crm"}', "end")
    raw = answer.usage.raw
    assert raw is not None
    sent = server.requests[-1]["usage"]
    assert raw == {key: sent[key] for key in raw}
    assert answer.usage.output_total == estimate_tokens(answer.text)
    assert answer.usage.source == "provider"


@pytest.mark.parametrize("name", ("anthropic", "openai", "openai_responses"))
async def test_parallel_calls_can_be_switched_off_on_each_wire(wire_server, name):
    server = await wire_server(CityBrain())
    request = ChatRequest(
        system="", messages=[QUESTION], tools=TOOLS, max_tokens=500, parallel_tool_calls=False
    )
    answer = await make_provider(name, server).generate(request)
    assert [call["arguments"] for call in answer.tool_calls] == [{"city": "Oslo"}]


@pytest.mark.parametrize("name", [name for name in PROVIDERS if name != "ollama"])
async def test_cached_tokens_of_each_wire_are_in_the_cache_read_bucket(wire_server, name):
    server = await wire_server(CityBrain())
    provider = make_provider(name, server)
    request = ChatRequest(
        system="You keep the books of a small company and answer briefly. " * 150,
        messages=[QUESTION],
        tools=TOOLS,
        cache_key="thread",
    )
    first = await provider.generate(request)
    second = await provider.generate(request)
    assert (first.usage.cache_read_tokens or 0) == 0
    assert (second.usage.cache_read_tokens or 0) >= 1024
    assert first.usage.input_total == second.usage.input_total
