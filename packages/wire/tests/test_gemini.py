"""Gemini through the real SDK."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import errors, types

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain, FixedBrain, think

MODEL = "gemini-3-flash-preview"
OLD_MODEL = "gemini-2.5-flash"


def build_config(**options: Any) -> types.GenerateContentConfig:
    declaration = types.FunctionDeclaration(name="get_weather", parameters_json_schema=TOOL)
    return types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declaration])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        **options,
    )


def user(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])


def results(*values: dict[str, Any]) -> types.Content:
    parts = [
        types.Part(function_response=types.FunctionResponse(name="get_weather", response=value))
        for value in values
    ]
    return types.Content(role="user", parts=parts)


async def test_streamed_and_plain_answers_are_equal(wire_server, connect):
    client = connect(await wire_server(CityBrain())).gemini
    asked: dict[str, Any] = {"model": MODEL, "contents": "Oslo and Rome?", "config": build_config()}
    plain = await client.models.generate_content(**asked)
    chunks = [chunk async for chunk in await client.models.generate_content_stream(**asked)]
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts]
    plain_parts = plain.candidates[0].content.parts
    assert "".join(part.text or "" for part in parts) == "Let me look."
    assert [part for part in parts if part.function_call] == plain_parts[1:]
    assert chunks[-1].candidates[0].finish_reason.value == "STOP"
    usage = plain.usage_metadata
    assert chunks[-1].usage_metadata == usage
    assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count


async def test_gemini_streams_use_crlf_and_need_alt_sse(wire_server, http):
    server = await wire_server(CityBrain())
    url = f"{server.base_url}/v1/models/{MODEL}:streamGenerateContent?key=any"
    body = {"contents": [{"parts": [{"text": "Hi"}]}]}
    answer = await http.post(f"{url}&alt=sse", json=body)
    assert answer.text.endswith("}\r\n\r\n")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert (await http.post(url, json=body)).status_code == 400


async def test_from_gemini_3_on_the_first_parallel_call_alone_is_signed(wire_server, connect):
    client = connect(await wire_server(CityBrain())).gemini
    signed: dict[str, list[bool]] = {}
    for model in (MODEL, OLD_MODEL):
        answer = await client.models.generate_content(
            model=model, contents="Oslo, Rome", config=build_config()
        )
        calls = [part for part in answer.candidates[0].content.parts if part.function_call]
        signed[model] = [bool(part.thought_signature) for part in calls]
    assert signed == {MODEL: [True, False], OLD_MODEL: [False, False]}


async def test_gemini_accepts_its_own_signed_parts(wire_server, connect):
    brain = CityBrain()
    client = connect(await wire_server(brain)).gemini
    first = await client.models.generate_content(
        model=MODEL, contents="Oslo, Rome", config=build_config()
    )
    history = [
        user("Oslo, Rome"),
        first.candidates[0].content,
        results({"result": {"degrees": 3}}, {"error": "none"}),
    ]
    last = await client.models.generate_content(
        model=MODEL, contents=history, config=build_config()
    )
    assert last.text == "Seen: [{'degrees': 3}, {'error': 'none'}]"
    parts = brain.requests[-1].messages[-1]["parts"]
    assert [(part["name"], part["is_error"]) for part in parts] == [
        ("get_weather", False),
        ("get_weather", True),
    ]
    calls = brain.requests[-1].messages[-2]["parts"][1:]
    assert [part["id"] for part in parts] == [call["id"] for call in calls]


async def test_gemini_refuses_missing_and_changed_signatures(wire_server, connect):
    client = connect(await wire_server(CityBrain())).gemini
    first = await client.models.generate_content(
        model=MODEL, contents="Oslo", config=build_config()
    )
    content = first.candidates[0].content
    history = [user("Oslo"), content, results({"result": 3})]
    call = next(part for part in content.parts if part.function_call)
    with pytest.raises(errors.ClientError, match="Corrupted thought signature"):
        await client.models.generate_content(
            model="gemini-3-pro-preview", contents=history, config=build_config()
        )
    call.thought_signature = b"changed"
    with pytest.raises(errors.ClientError, match="Corrupted thought signature"):
        await client.models.generate_content(model=MODEL, contents=history, config=build_config())
    call.thought_signature = None
    with pytest.raises(errors.ClientError, match="missing a thought_signature"):
        await client.models.generate_content(model=MODEL, contents=history, config=build_config())
    later = [*history, types.Content(role="model", parts=[types.Part(text="3")]), user("Thanks")]
    answer = await client.models.generate_content(
        model=MODEL, contents=later, config=build_config()
    )
    assert answer.text == "You said: Thanks"  # only the current turn is checked
    call.thought_signature = b"skip_thought_signature_validator"
    answer = await client.models.generate_content(
        model=MODEL, contents=history, config=build_config()
    )
    assert answer.text == "Seen: [3]"


async def test_gemini_json_mode_takes_both_kinds_of_schema(wire_server, connect):
    brain = CityBrain()
    client = connect(await wire_server(brain)).gemini
    openapi: dict[str, Any] = {"type": "OBJECT", "properties": {"worker": {"type": "STRING"}}}
    for wanted in ({"response_json_schema": SCHEMA}, {"response_schema": openapi}):
        options: Any = {"response_mime_type": "application/json", **wanted}
        answer = await client.models.generate_content(
            model=MODEL, contents="route", config=types.GenerateContentConfig(**options)
        )
        assert answer.text == '{"worker":"crm"}'
    assert [request.json_schema.schema for request in brain.requests] == [
        SCHEMA,
        {"type": "object", "properties": {"worker": {"type": "string"}}},
    ]


async def test_gemini_thoughts_are_counted_separately_and_shown_on_request(wire_server, connect):
    client = connect(await wire_server(FixedBrain(think("Hm, greetings.", "Hello")))).gemini
    silent = await client.models.generate_content(model=MODEL, contents="Hi")
    shown = await client.models.generate_content(
        model=MODEL,
        contents="Hi",
        config=types.GenerateContentConfig(
            thinking_config=types.ThinkingConfig(include_thoughts=True)
        ),
    )
    assert silent.usage_metadata.thoughts_token_count > 0
    assert [part.thought for part in silent.candidates[0].content.parts] == [None]
    assert [part.thought for part in shown.candidates[0].content.parts] == [True, None]
