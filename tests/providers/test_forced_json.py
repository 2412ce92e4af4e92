"""JSON mode by a forced call: on servers that speak Messages but have no output schema."""

from __future__ import annotations

import json

import pytest

from plainloop.agent.providers.registry import create_provider
from tests.providers.asking import ask, read_reasoning
from tests.providers.conversations import JSON_MODE, VERDICT
from tests.providers.documented import EVENT_STREAM, to_sse
from tests.providers.local_server import Reply, run_local
from tests.providers.test_strict_server import Scripted
from tests.wire_fixtures import StartWire

MODEL = "glm-5.3"  # not Anthropic's own, so the address is some other vendor's


@pytest.mark.parametrize("stream", [False, True])
async def test_json_mode_by_a_forced_call_returns_its_arguments_as_text(
    stream: bool, wire_server: StartWire
) -> None:
    server = await wire_server(Scripted())
    provider = create_provider("anthropic", "test-key", MODEL, server.base_url)
    answer = await ask(provider, JSON_MODE, stream=stream)
    assert json.loads(answer.text) == {"verdict": "pass", "score": 1}
    assert (answer.stop, answer.tool_calls) == ("end", [])


async def test_the_request_forces_one_tool_of_the_schemas_name() -> None:
    call = {"type": "tool_use", "id": "t", "name": "verdict", "input": {"verdict": "pass"}}
    body = {"content": [call], "stop_reason": "max_tokens", "usage": {"input_tokens": 1}}
    async with run_local(Reply(json.dumps(body).encode())) as local:
        provider = create_provider("anthropic", "test-key", MODEL, local.url)
        answer = await ask(provider, JSON_MODE, stream=False)
    assert (answer.text, answer.stop) == ('{"verdict": "pass"}', "length")
    assert local.body["tool_choice"] == {"type": "tool", "name": "verdict"}
    assert local.body["tools"] == [
        {"name": "verdict", "description": "Gives the answer.", "input_schema": VERDICT.schema}
    ]
    assert "output_config" not in local.body


async def test_claude_uses_its_schema_mode_at_any_url() -> None:
    refused = Reply(b'{"error": {"message": "enough seen"}}', status=400)
    async with run_local(refused) as local:
        provider = create_provider("anthropic", "test-key", "claude-sonnet-5-5", local.url)
        with pytest.raises(Exception, match="enough seen"):
            await ask(provider, JSON_MODE, stream=False)
    assert "output_config" in local.body


async def test_thinking_before_a_forced_call_is_streamed() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": ""}
    call = {"type": "tool_use", "id": "t", "name": "verdict", "input": {"verdict": "pass"}}
    events = [
        {"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": thinking},
        {"type": "content_block_start", "index": 1, "content_block": call},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ]
    async with run_local(Reply(to_sse(*events), headers=EVENT_STREAM)) as local:
        provider = create_provider("anthropic", "test-key", MODEL, local.url)
        answer = await ask(provider, JSON_MODE, stream=True)  # checks that the deltas add up
    assert (read_reasoning(answer), answer.text) == ("Hm.", '{"verdict": "pass"}')
