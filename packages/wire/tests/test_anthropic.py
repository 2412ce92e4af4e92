"""Anthropic Messages through the real SDK."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain, FixedBrain, given, say, think

MODEL = "claude-sonnet-4-6"
TOOLS: list[Any] = [{"name": "get_weather", "description": "Weather.", "input_schema": TOOL}]
USER = {"role": "user", "content": "Weather in Oslo and Rome?"}


async def test_streamed_and_plain_answers_are_equal(wire_server, connect):
    server = await wire_server(CityBrain())
    client = connect(server).anthropic
    asked = {"model": MODEL, "max_tokens": 200, "tools": TOOLS, "messages": [USER]}
    plain = await client.messages.create(**asked)
    async with client.messages.stream(**asked) as stream:
        streamed = await stream.get_final_message()
    assert [block.model_dump(exclude={"parsed_output"}) for block in streamed.content] == [
        block.model_dump() for block in plain.content
    ]
    assert (streamed.stop_reason, streamed.usage) == (plain.stop_reason, plain.usage)
    assert plain.model == MODEL
    assert 0 < plain.usage.input_tokens == server.requests[0]["usage"]["input_tokens"]


async def test_anthropic_parallel_calls_are_separate_blocks(wire_server, connect):
    brain = CityBrain()
    client = connect(await wire_server(brain)).anthropic
    first = await client.messages.create(model=MODEL, max_tokens=200, tools=TOOLS, messages=[USER])
    calls = [block for block in first.content if block.type == "tool_use"]
    assert [call.input for call in calls] == [{"city": "Oslo"}, {"city": "Rome"}]
    results = [
        {"type": "tool_result", "tool_use_id": calls[0].id, "content": '{"degrees": 3}'},
        {
            "type": "tool_result",
            "tool_use_id": calls[1].id,
            "content": [{"type": "text", "text": "sunny"}],
            "is_error": True,
        },
    ]
    history = [
        USER,
        {"role": "assistant", "content": [block.model_dump() for block in first.content]},
        {"role": "user", "content": results},
    ]
    last = await client.messages.create(model=MODEL, max_tokens=200, tools=TOOLS, messages=history)
    assert last.content[0].text == "Seen: [{'degrees': 3}, 'sunny']"
    assert brain.requests[-1].messages[-1] == {
        "role": "tool",
        "parts": [given(calls[0].id, {"degrees": 3}), given(calls[1].id, "sunny", is_error=True)],
    }


async def test_anthropic_events_have_the_documented_order(wire_server, connect):
    client = connect(await wire_server(CityBrain())).anthropic
    async with client.messages.with_streaming_response.create(
        model=MODEL, max_tokens=200, tools=TOOLS, messages=[USER], stream=True
    ) as response:
        body = b"".join([chunk async for chunk in response.iter_bytes()]).decode()
    names = [line.removeprefix("event: ") for line in body.splitlines() if "event: " in line]
    assert names[:3] == ["message_start", "content_block_start", "ping"]
    assert names[-2:] == ["message_delta", "message_stop"]
    assert [name for name in names if name in ("content_block_start", "content_block_stop")] == [
        "content_block_start",
        "content_block_stop",
    ] * 3


async def test_anthropic_answers_a_forced_tool_with_a_call_of_that_tool(wire_server, connect):
    client = connect(await wire_server(CityBrain())).anthropic
    answer = await client.messages.create(
        model=MODEL,
        max_tokens=50,
        tools=[{"name": "route", "input_schema": SCHEMA}],
        tool_choice={"type": "tool", "name": "route"},
        messages=[{"role": "user", "content": "route"}],
    )
    assert (answer.content[0].name, answer.content[0].input, answer.stop_reason) == (
        "route",
        {"worker": "crm"},
        "tool_use",
    )


async def test_anthropic_thinking_is_signed_and_counted_and_shown_on_request(wire_server, connect):
    client = connect(await wire_server(FixedBrain(think("Hm, greetings.", "Hello")))).anthropic
    asked: dict[str, Any] = {
        "model": MODEL,
        "max_tokens": 2000,
        "messages": [{"role": "user", "content": "Hi"}],
    }
    silent = await client.messages.create(**asked)
    shown = await client.messages.create(**asked, thinking={"type": "adaptive"})
    assert [block.type for block in silent.content] == ["text"]
    assert [block.type for block in shown.content] == ["thinking", "text"]
    assert silent.usage.output_tokens_details.thinking_tokens > 0

    history = [
        *asked["messages"],
        {"role": "assistant", "content": [block.model_dump() for block in shown.content]},
        {"role": "user", "content": "And?"},
    ]
    again = await client.messages.create(**{**asked, "messages": history})
    assert again.content[0].text == "Hello"
    history[1]["content"][0]["signature"] = "forged"
    with pytest.raises(anthropic.BadRequestError, match="Invalid `signature`"):
        await client.messages.create(**{**asked, "messages": history})


@pytest.mark.parametrize(
    ("response", "max_tokens", "stop_sequences", "expected"),
    [
        (say("one two three four five six seven eight nine ten"), 3, [], ("max_tokens", None)),
        (say("one END two"), 50, ["END"], ("stop_sequence", "END")),
        (say("", stop="refusal", refusal="no"), 50, [], ("refusal", None)),
    ],
)
async def test_anthropic_answers_have_the_matching_stop_reason(
    wire_server, connect, response, max_tokens, stop_sequences, expected
):
    client = connect(await wire_server(FixedBrain(response))).anthropic
    answer = await client.messages.create(
        model=MODEL,
        max_tokens=max_tokens,
        stop_sequences=stop_sequences,
        messages=[{"role": "user", "content": "Hi"}],
    )
    assert (answer.stop_reason, answer.stop_sequence) == expected
