"""OpenAI Chat Completions through the real SDK."""

from __future__ import annotations

import json
from typing import Any

import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain, FixedBrain, given, say, think

MODEL = "gpt-4o"
TOOLS: list[Any] = [
    {"type": "function", "function": {"name": "get_weather", "parameters": TOOL, "strict": True}}
]
USER = {"role": "user", "content": "Weather in Oslo and Rome?"}


async def read_stream(client: Any, **asked: Any) -> tuple[str, list[tuple[str, str]], Any, Any]:
    """Text, calls as (name, arguments), finish reason and usage of a stream."""
    text, calls, finish, usage = "", {}, None, None
    async for chunk in await client.chat.completions.create(**asked, stream=True):
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
            for piece in choice.delta.tool_calls or []:
                name, arguments = calls.get(piece.index, ("", ""))
                name += piece.function.name or ""
                calls[piece.index] = (name, arguments + (piece.function.arguments or ""))
    return text, list(calls.values()), finish, usage


async def test_streamed_and_plain_answers_are_equal(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    asked: dict[str, Any] = {"model": MODEL, "tools": TOOLS, "messages": [USER]}
    plain = await client.chat.completions.create(**asked)
    streamed = await read_stream(client, **asked, stream_options={"include_usage": True})
    message = plain.choices[0].message
    calls = [(call.function.name, call.function.arguments) for call in message.tool_calls]
    assert streamed == (message.content, calls, "tool_calls", plain.usage)
    usage = plain.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert calls == [("get_weather", '{"city":"Oslo"}'), ("get_weather", '{"city":"Rome"}')]


async def test_openai_streams_contain_usage_only_on_request(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    *_, finish, usage = await read_stream(
        client, model=MODEL, messages=[{"role": "user", "content": "Hi"}]
    )
    assert (finish, usage) == ("stop", None)


async def test_the_openai_double_reads_system_and_tool_messages(wire_server, connect):
    brain = CityBrain()
    client = connect(await wire_server(brain)).openai
    calls = [
        {
            "id": f"call_{i}",
            "type": "function",
            "function": {"name": "get_weather", "arguments": f'{{"city": "{city}"}}'},
        }
        for i, city in enumerate(("Oslo", "Rome"))
    ]
    answer = await client.chat.completions.create(
        model=MODEL,
        tools=TOOLS,
        messages=[
            {"role": "system", "content": "Be kind."},
            {"role": "developer", "content": "Be short."},
            USER,
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "call_1", "content": "sunny"},
            {"role": "tool", "tool_call_id": "call_0", "content": '{"error": "no data"}'},
        ],
    )
    assert answer.choices[0].message.content == "Seen: ['sunny', {'error': 'no data'}]"
    assert brain.requests[0].system == "Be kind.\n\nBe short."
    assert brain.requests[0].messages[-1]["parts"] == [
        given("call_1", "sunny"),
        given("call_0", {"error": "no data"}, is_error=True),
    ]


async def test_openai_json_mode_takes_a_schema_or_json_object(wire_server, connect):
    brain = CityBrain()
    client = connect(await wire_server(brain)).openai
    formats: list[Any] = [
        {"type": "json_schema", "json_schema": {"name": "t", "schema": SCHEMA, "strict": True}},
        {"type": "json_object"},
    ]
    for wanted in formats:
        answer = await client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": "route, as json"}],
            response_format=wanted,
        )
        assert answer.choices[0].message.content == '{"worker":"crm"}'
    assert [request.json_schema.name for request in brain.requests] == ["t", "json_object"]


async def test_an_openai_refusal_is_in_its_own_field(wire_server, connect):
    brain = FixedBrain(say("", stop="refusal", refusal="I cannot."))
    client = connect(await wire_server(brain)).openai
    answer = await client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "Hi"}]
    )
    message = answer.choices[0].message
    assert (message.refusal, message.content) == ("I cannot.", None)


async def test_openai_tool_arguments_are_cut_at_the_token_limit(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    answer = await client.chat.completions.create(
        model=MODEL, tools=TOOLS, messages=[USER], max_completion_tokens=8
    )
    choice = answer.choices[0]
    assert choice.finish_reason == "length"
    assert choice.message.tool_calls[0].function.arguments in '{"city":"Oslo"}'
    assert choice.message.tool_calls[0].function.arguments != '{"city":"Oslo"}'


async def test_chat_reasoning_is_counted_and_shown_only_by_compatible_models(wire_server, connect):
    client = connect(await wire_server(FixedBrain(think("Hm, greetings.", "Hello")))).openai
    messages = [{"role": "user", "content": "Hi"}]
    own = await client.chat.completions.create(model="gpt-5.4", messages=messages)
    other = await client.chat.completions.create(
        model="deepseek-chat",
        messages=[*messages, {"role": "assistant", "content": "", "reasoning_content": "x"}],
        extra_body={"thinking": {"type": "enabled"}},
    )
    assert own.usage.completion_tokens_details.reasoning_tokens > 0
    assert not hasattr(own.choices[0].message, "reasoning_content")
    assert other.choices[0].message.reasoning_content == "Hm, greetings."


async def test_any_text_is_unchanged_after_streaming_in_chunks(wire_server, connect):
    for text in ("", "tabs\tand\n\nlines  ", "日本語のとても長い文章" * 9, "🙂 é"):
        client = connect(await wire_server(FixedBrain(say(text)))).openai
        streamed, *_ = await read_stream(
            client, model=MODEL, messages=[{"role": "user", "content": "Hi"}]
        )
        assert streamed == text


@pytest.mark.parametrize("format", [None, {"type": "json_object"}])
async def test_models_without_schema_mode_follow_the_prompts_schema(wire_server, connect, format):
    brain = CityBrain()
    client = connect(await wire_server(brain)).openai
    system = f"Route. Answer with JSON of this schema:\n{json.dumps(SCHEMA)}"
    answer = await client.chat.completions.create(
        model="deepseek-flash",
        messages=[{"role": "system", "content": system}, USER],
        **({} if format is None else {"response_format": format}),
    )
    assert answer.choices[0].message.content == '{"worker":"crm"}'
    assert brain.requests[-1].json_schema.schema == SCHEMA
