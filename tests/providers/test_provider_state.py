"""What a model wants back comes back to it, byte for byte, and to no other."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, LLMResponse, Message
from tests.providers.asking import HELLO, ask
from tests.providers.conversations import WEATHER, connect, results
from tests.providers.local_server import Local, Reply, run_local


def chat(**message: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    return {"model": "m", "choices": [choice]}


def chat_call(call_id: str) -> dict[str, Any]:
    function = {"name": "get_weather", "arguments": '{"city":"Bonn"}'}
    return {"id": call_id, "type": "function", "function": function}


THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
HIDDEN = {"type": "redacted_thinking", "data": "b3BhcXVl"}
SEARCH = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"q": "x"}}
CITED = {"type": "text", "text": "So.", "citations": [{"cited_text": "x", "encrypted_index": "e"}]}
TOOL_USE = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Bonn"}}
DETAILS = [{"type": "reasoning.text", "index": 0, "text": "Hm.", "signature": "c2ln"}]
GEMINI_PARTS = [
    {"text": "Hm.", "thought": True, "thoughtSignature": "c2lnMQ=="},
    {"text": "Signed.", "thoughtSignature": "c2lnMg=="},
    {"text": " Plain."},
    {
        "functionCall": {"args": {"city": "Bonn"}, "id": "fc9", "name": "get_weather"},
        "thoughtSignature": "c2lnMw==",
    },
    {"functionCall": {"args": {}, "name": "get_weather"}},
    {"text": "", "thoughtSignature": "c2lnNA=="},
]
OLLAMA_CALL = {"function": {"name": "get_weather", "arguments": {"city": "Bonn"}}}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2lnNQ=="}
LOOKED_UP = {"type": "web_search_call", "id": "srv_1", "action": {"type": "search"}}
ITEM_CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "get_weather",
    "arguments": '{"city":"Bonn"}',
}
SAID = {
    "type": "message",
    "role": "assistant",
    "phase": "commentary",
    "content": [{"type": "output_text", "text": "So."}],
}
ANSWERS: dict[str, dict[str, Any]] = {
    "anthropic": {
        "model": "m",
        "stop_reason": "tool_use",
        "content": [THINKING, HIDDEN, SEARCH, CITED, TOOL_USE],
    },
    "responses": {
        "model": "m",
        "status": "completed",
        "output": [THOUGHT, LOOKED_UP, SAID, ITEM_CALL],
    },
    "deepseek": chat(reasoning_content="Hm.", content="", tool_calls=[chat_call("call_1")]),
    "kimi": chat(reasoning_content="Hm.", tool_calls=[chat_call("get_weather_0")]),
    "glm": chat(reasoning_content="Hm.", content="So.", tool_calls=[chat_call("call_1")]),
    "minimax": chat(
        reasoning_content="Hm.", reasoning_details=DETAILS, tool_calls=[chat_call("call_1")]
    ),
    "ollama": {
        "model": "m",
        "done": True,
        "message": {"content": "", "thinking": "Hm.", "tool_calls": [OLLAMA_CALL, OLLAMA_CALL]},
    },
    "compatible": chat(reasoning="Hm.", content="So.", tool_calls=[chat_call("call_1")]),
    "gemini": {
        "candidates": [
            {"content": {"role": "model", "parts": GEMINI_PARTS}, "finishReason": "STOP"}
        ]
    },
}
RETURNED_ITEMS = [
    THOUGHT,
    LOOKED_UP,
    {"role": "assistant", "content": "So.", "phase": "commentary"},
    ITEM_CALL,
]


def turn(call_id: str, **said: Any) -> dict[str, Any]:
    """A turn of the model's with its call, in Chat Completions."""
    return {"role": "assistant", **said, "tool_calls": [chat_call(call_id)]}


RETURNED: dict[str, dict[str, Any]] = {
    "anthropic": {"role": "assistant", "content": [THINKING, HIDDEN, SEARCH, CITED, TOOL_USE]},
    "deepseek": turn("call_1", content="", reasoning_content="Hm."),
    "kimi": turn("get_weather_0", content=None, reasoning_content="Hm."),
    "glm": turn("call_1", content="So.", reasoning_content="Hm."),
    "minimax": turn("call_1", content=None, reasoning_details=DETAILS),
    "ollama": {
        "role": "assistant",
        "content": "",
        "thinking": "Hm.",
        "tool_calls": [OLLAMA_CALL, OLLAMA_CALL],
    },
    "compatible": turn("call_1", content="So."),
    "gemini": {"role": "model", "parts": GEMINI_PARTS},
}


def answered(answer: LLMResponse) -> list[Message]:
    """The thread after the answer, each of its calls served."""
    served = [(call["id"], call["name"], {"celsius": 20}, False) for call in answer.tool_calls]
    return [*HELLO.messages, answer.message, results(*served)]


@pytest.fixture
async def local() -> AsyncIterator[Local]:
    """One server for all vendors: what another address made is not sent to this one."""
    async with run_local(Reply(b"{}")) as local:
        yield local


async def get_answer(local: Local, name: str) -> LLMResponse:
    local.replies = [Reply(json.dumps(ANSWERS[name]).encode())]
    return await ask(connect(name, local.url), asking(HELLO.messages), stream=False)


def asking(messages: list[Message]) -> ChatRequest:
    return replace(HELLO, messages=messages, tools=(WEATHER,))


async def send(
    local: Local, name: str, messages: list[Message]
) -> tuple[list[dict[str, Any]], LLMResponse]:
    """The turns as the server got them, and its next answer."""
    local.replies = [Reply(json.dumps(ANSWERS[name]).encode())]
    answer = await ask(connect(name, local.url), asking(messages), stream=False)
    body = local.body
    return body.get("messages") or body.get("input") or body["contents"], answer


@pytest.mark.parametrize("name", RETURNED)
async def test_opaque_state_of_answers_is_sent_back_unchanged(local: Local, name: str) -> None:
    turns, answer = await send(local, name, answered(await get_answer(local, name)))
    (returned,) = [turn for turn in turns if turn["role"] in ("assistant", "model")]
    assert returned == RETURNED[name]
    assert not answer.notes


@pytest.mark.parametrize("signature", [{"signature": ""}, {}, {"signature": "theirs"}])
async def test_thinking_of_anthropic_compatible_servers_is_sent_back(
    signature: dict[str, str],
) -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", **signature}
    body = {"model": "m", "stop_reason": "tool_use", "content": [thinking, TOOL_USE]}
    async with run_local(Reply(json.dumps(body).encode())) as local:
        chat = create_provider("anthropic", "test-key", "deepseek-test", local.url)
        answer = await ask(chat, asking(HELLO.messages), stream=False)
        await ask(chat, asking(answered(answer)), stream=False)
    assert local.body["messages"][1] == {"role": "assistant", "content": [thinking, TOOL_USE]}


async def test_responses_items_are_sent_back_unchanged(local: Local) -> None:
    turns, answer = await send(local, "responses", answered(await get_answer(local, "responses")))
    assert turns[-1 - len(RETURNED_ITEMS) : -1] == RETURNED_ITEMS
    assert turns[-1]["call_id"] == "call_1"
    assert not answer.notes


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        (origin, name)
        for name in ("anthropic", "responses", "deepseek", "compatible", "gemini", "ollama")
        for origin in ANSWERS
        if origin != name
    ],
)
async def test_another_model_gets_no_opaque_state(local: Local, origin: str, name: str) -> None:
    first = await get_answer(local, origin)
    turns, answer = await send(local, name, answered(first))
    sent = json.dumps(turns)
    for secret in ("c2ln", "b3BhcXVl", "srv_1", "encrypted_index", "Hm."):
        assert secret not in sent
    assert "get_weather" in sent
    has_state = any("provider_state" in part for part in first.message["parts"])
    assert any("dropped provider_state of" in note for note in answer.notes) == has_state


async def test_tool_results_carry_the_providers_call_id(local: Local) -> None:
    turns, _ = await send(local, "kimi", answered(await get_answer(local, "kimi")))
    assert turns[-1]["tool_call_id"] == "get_weather_0"
    turns, _ = await send(local, "gemini", answered(await get_answer(local, "gemini")))
    given = [part["functionResponse"].get("id") for part in turns[-1]["parts"]]
    assert given == ["fc9", None]


@pytest.mark.parametrize("name", ANSWERS)
async def test_repeated_provider_call_ids_become_unique_in_the_thread(
    local: Local, name: str
) -> None:
    first = await get_answer(local, name)
    _, second = await send(local, name, answered(first))
    ids = [call["id"] for answer in (first, second) for call in answer.tool_calls]
    assert len(set(ids)) == len(ids)
    assert all(ids)


async def test_thinking_that_cannot_be_stored_as_signed_is_not_sent_back() -> None:
    thinking = {**THINKING, "thinking": "H\0m."}
    body = {"model": "m", "stop_reason": "tool_use", "content": [thinking, TOOL_USE]}
    asked = replace(HELLO, tools=(WEATHER,))
    async with run_local(Reply(json.dumps(body).encode())) as local:
        provider = create_provider("anthropic", "test-key", "claude-haiku-4-5", local.url)
        answer = await ask(provider, asked, stream=False)
        thread = [*HELLO.messages, answer.message, results(("toolu_1", "get_weather", {}, False))]
        await ask(provider, replace(asked, messages=thread), stream=False)

    assert answer.message["parts"][0] == {"type": "reasoning", "text": "Hm."}
    assert [block["type"] for block in local.body["messages"][1]["content"]] == ["tool_use"]
