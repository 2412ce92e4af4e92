"""Thinking of Claude 5.1 and later: stored with its request, sent back only behind the same one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.errors import StateRefused
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatProvider, ChatRequest, LLMResponse, Message
from tests.providers.asking import ask
from tests.providers.conversations import WEATHER, results, user
from tests.providers.documented import to_json, to_sse
from tests.providers.local_server import Local, Reply, run_local

MODEL = "claude-sonnet-5-5"
HI = ChatRequest(system="Be brief.", messages=[user("Hi")], max_tokens=100)
THOUGHT = {"type": "thinking", "thinking": "", "signature": "one"}
LATER = {"type": "thinking", "thinking": "", "signature": "two"}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Bonn"}}
TEXT = {"type": "text", "text": "So."}
SSE = {"content-type": "text/event-stream"}


def connect(url: str, key: str = "secret-key", model: str = MODEL) -> ChatProvider:
    return create_provider("anthropic", key, model, url)


def answer(*blocks: dict[str, Any], **more: Any) -> Reply:
    body = {"model": MODEL, "stop_reason": "end_turn", "content": [*blocks], **more}
    return Reply(json.dumps(body).encode())


async def exchange(local: Local, *replies: Reply, request: ChatRequest = HI) -> LLMResponse:
    local.replies = list(replies)
    return await ask(connect(local.url), request, stream=False)


def go_on(said: LLMResponse, *more: Message, request: ChatRequest = HI) -> ChatRequest:
    return replace(request, messages=[*request.messages, said.message, *more, user("And now?")])


def list_blocks(local: Local) -> list[dict[str, Any]]:
    return [b for m in local.body["messages"] if m["role"] == "assistant" for b in m["content"]]


async def test_thinking_between_calls_is_sent_back_in_order():
    with_tools = replace(HI, tools=(WEATHER,))
    async with run_local(Reply(b"{}")) as local:
        said = await exchange(local, answer(THOUGHT, TEXT, LATER, CALL), request=with_tools)
        served = results(("toolu_1", "get_weather", {"celsius": 20}, False))
        await exchange(local, answer(TEXT), request=go_on(said, served, request=with_tools))
    assert list_blocks(local) == [THOUGHT, TEXT, LATER, CALL]


@pytest.mark.parametrize("text", ["  ", "cut \x00 off"])
async def test_thinking_after_altered_text_is_omitted(text: str):
    async with run_local(Reply(b"{}")) as local:
        said = await exchange(local, answer(THOUGHT, {"type": "text", "text": text}, LATER, TEXT))
        again = await exchange(local, answer(TEXT), request=go_on(said))
    assert [block for block in list_blocks(local) if block["type"] == "thinking"] == [THOUGHT]
    assert again.notes == ("left out thinking: the request before it has changed (1 part)",)


async def test_redacted_thinking_is_bound_to_its_prefix_too():
    hidden = {"type": "redacted_thinking", "data": "b3BhcXVl"}
    async with run_local(Reply(b"{}")) as local:
        said = await exchange(local, answer(hidden, TEXT))
        request = go_on(said)
        await exchange(local, answer(TEXT), request=request)
        kept = list_blocks(local)
        changed = replace(request, system="Be long.")
        await exchange(local, answer(TEXT), request=changed)
    assert (kept, list_blocks(local)) == ([hidden, TEXT], [TEXT])


async def test_thinking_stays_valid_after_storing_as_json():
    with_tools = replace(HI, tools=(WEATHER,))
    arguments = {"zebra": 1, "a": {"z": 1, "b": 2}}
    async with run_local(Reply(b"{}")) as local:
        said = await exchange(
            local, answer(THOUGHT, {**CALL, "input": arguments}), request=with_tools
        )
        said = replace(said, message=json.loads(json.dumps(said.message)))
        served = results(("toolu_1", "get_weather", {"celsius": 20}, False))
        request = go_on(said, served, request=with_tools)
        first = await exchange(local, answer(LATER, TEXT), request=request)
        await exchange(local, answer(TEXT), request=go_on(first, request=request))
    assert [b for b in list_blocks(local) if b["type"] == "thinking"] == [THOUGHT, LATER]


@pytest.mark.parametrize("stream", [False, True])
async def test_thinking_dropped_by_the_provider_is_noted(stream: bool):
    dropped = [
        {"type": "thinking_dropped", "path": f"messages.{n}.content.0", "reason": "prefix"}
        for n in (1, 3)
    ]
    events = to_sse(
        {"type": "message_start", "message": {"model": MODEL, "input_transformations": dropped}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "So"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    )
    reply = Reply(events, headers=SSE) if stream else answer(TEXT, input_transformations=dropped)
    async with run_local(reply) as local:
        said = await ask(connect(local.url), HI, stream=stream)
    assert said.notes == ("the provider dropped 2 parts of thinking: prefix",)


async def test_a_gateway_without_block_binding_gets_no_thinking():
    said = "thinking.adaptive.block_binding: Extra inputs are not permitted"
    refusal = {"type": "error", "error": {"type": "invalid_request_error", "message": said}}
    async with run_local(Reply(to_json(refusal), 400)) as local:
        with pytest.raises(StateRefused):
            await ask(connect(local.url), HI, stream=False)


async def test_opaque_state_is_not_sent_to_another_url():
    async with run_local(answer(THOUGHT, TEXT)) as first, run_local(answer(TEXT)) as second:
        said = await ask(connect(first.url), HI, stream=False)
        await ask(connect(second.url), go_on(said), stream=False)
        await ask(connect(first.url, key="sk-of-another-account"), go_on(said), stream=False)
        assert (list_blocks(second), list_blocks(first)) == ([TEXT], [TEXT])
        assert "secret-key" not in json.dumps(said.message)
        await ask(connect(first.url), go_on(said), stream=False)
        assert list_blocks(first) == [THOUGHT, TEXT]
