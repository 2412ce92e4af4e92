"""Each request that OpenAI would refuse is refused, in its words."""

from __future__ import annotations

from typing import Any

import openai
import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain
from plainloop_wire.call import Rules

MODEL = "gpt-4o"
HEADERS = {"authorization": "Bearer any"}
USER = {"role": "user", "content": "Hi"}


def function(**changes: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "get_weather", "parameters": TOOL, **changes}}


def calls(*ids: str) -> dict[str, Any]:
    made = [
        {"id": i, "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
        for i in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(tool_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": tool_id, "content": "3"}


def talk(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"messages": list(messages)}


def parameters(**schema: Any) -> dict[str, Any]:
    return {"tools": [function(parameters={"type": "object", **schema})]}


def wanted(strict: bool, schema: dict[str, Any], name: str = "t") -> dict[str, Any]:
    inner = {"name": name, "schema": schema, "strict": strict}
    return {"response_format": {"type": "json_schema", "json_schema": inner}}


REFUSED: list[tuple[str, dict[str, Any], str | None, str]] = [
    ("no model", {"model": ...}, None, "you must provide a model parameter"),
    ("no messages field", {"messages": ...}, "missing_required_parameter", "'messages'"),
    ("no messages", {"messages": []}, "empty_array", "Invalid 'messages': empty array"),
    ("unknown field", {"top_z": 1}, None, "Unrecognized request argument supplied: top_z"),
    (
        "unknown message field",
        talk({**USER, "foo": 1}),
        "unknown_parameter",
        "Unknown parameter: 'messages[0].foo'.",
    ),
    (
        "reasoning sent to OpenAI",
        talk(USER, {"role": "assistant", "content": "x", "reasoning_content": "y"}, USER),
        "unknown_parameter",
        "messages[1].reasoning_content",
    ),
    (
        "thoughts not sent back with a call",
        {"model": "deepseek-flash", **talk(USER, calls("a"), result("a"))},
        None,
        "`reasoning_content` in the thinking mode must be passed back",
    ),
    ("wrong role", talk({"role": "bot", "content": "x"}), "invalid_value", "'bot'"),
    ("wrong type", talk({"role": "user", "content": 5}), "invalid_type", "messages[0].content"),
    ("assistant says nothing", talk(USER, {"role": "assistant"}), None, "expected a string"),
    (
        "orphaned result",
        talk(USER, result("a")),
        None,
        "messages with role 'tool' must be a response to a preceeding message",
    ),
    (
        "call without result",
        talk(USER, calls("a"), USER),
        None,
        "The following tool_call_ids did not have response messages: a",
    ),
    ("call last", talk(USER, calls("a", "b"), result("a")), None, "response messages: b"),
    ("two results", talk(USER, calls("a"), result("a"), result("a")), None, "role 'tool' must"),
    (
        "result after another message",
        talk(USER, calls("a", "b"), result("a"), USER, result("b")),
        None,
        "response messages: b",
    ),
    ("call id long", talk(USER, calls("x" * 41)), "string_above_max_length", "length 41"),
    (
        "no calls in the list",
        talk(USER, {"role": "assistant", "tool_calls": []}, USER),
        "empty_array",
        "messages[1].tool_calls",
    ),
    ("no tools in the list", {"tools": []}, "empty_array", "Invalid 'tools'"),
    (
        "tool name",
        {"tools": [function(name="get weather")]},
        "invalid_value",
        "tools[0].function.name",
    ),
    (
        "tool name long",
        {"tools": [function(name="x" * 65)]},
        "string_above_max_length",
        "tools[0].function.name",
    ),
    ("tools alike", {"tools": [function(), function()]}, None, "duplicate function name"),
    (
        "schema without type",
        {"tools": [function(parameters={"properties": {}})]},
        "invalid_function_parameters",
        "schema must be a JSON Schema of 'type: \"object\"'",
    ),
    (
        "array without items",
        parameters(properties={"tags": {"type": "array"}}),
        "invalid_function_parameters",
        "In context=('properties', 'tags'), array schema missing items.",
    ),
    (
        "open strict tool",
        {"tools": [function(parameters={"type": "object", "properties": {}}, strict=True)]},
        "invalid_function_parameters",
        "'additionalProperties' is required to be supplied and to be false",
    ),
    (
        "optional property in a strict format",
        wanted(True, {**SCHEMA, "required": []}),
        None,
        "Missing 'worker'",
    ),
    ("format name", wanted(True, SCHEMA, name="a b"), "invalid_value", "json_schema.name"),
    ("format type", {"response_format": {"type": "xml"}}, "invalid_value", "'xml'"),
    (
        "json object without the word",
        {"response_format": {"type": "json_object"}},
        None,
        "must contain the word 'json'",
    ),
    ("choice without tools", {"tool_choice": "auto"}, None, "only allowed when 'tools'"),
    ("flag without tools", {"parallel_tool_calls": False}, None, "only allowed when 'tools'"),
    ("stream options alone", {"stream_options": {"include_usage": True}}, None, "stream_options"),
    ("temperature", {"temperature": 3}, "decimal_above_max_value", "maximum value"),
    (
        "max_tokens to a reasoning model",
        {"model": "gpt-5.4", "max_tokens": 5},
        "unsupported_parameter",
        "Use 'max_completion_tokens' instead",
    ),
    (
        "temperature to a reasoning model",
        {"model": "o3", "temperature": 0.2},
        "unsupported_value",
        "Only the default (1) value is supported",
    ),
    ("limit zero", {"max_completion_tokens": 0}, "integer_below_min_value", "got 0"),
]


def build_body(changes: dict[str, Any]) -> dict[str, Any]:
    body = {"model": MODEL, "messages": [USER], **changes}
    return {key: value for key, value in body.items() if value is not ...}


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [pytest.param(changes, code, message, id=name) for name, changes, code, message in REFUSED],
)
async def test_a_wrong_request_is_a_400_that_says_why(wire_server, http, changes, code, message):
    server = await wire_server(CityBrain())
    answer = await http.post(
        f"{server.openai_url}/chat/completions", headers=HEADERS, json=build_body(changes)
    )
    error = answer.json()["error"]
    assert (answer.status_code, error["type"], error["code"]) == (
        400,
        "invalid_request_error",
        code,
    )
    assert message in error["message"]


async def test_a_good_long_tool_conversation_is_accepted(wire_server, http):
    server = await wire_server(CityBrain())
    body = build_body(
        talk(
            {"role": "system", "content": "Kind."},
            USER,
            calls("a", "b"),
            result("b"),
            result("a"),
            {"role": "assistant", "content": [{"type": "text", "text": "So."}]},
            USER,
            calls("c"),
            result("c"),
        )
    )
    answer = await http.post(f"{server.openai_url}/chat/completions", headers=HEADERS, json=body)
    assert answer.status_code == 200


async def test_arguments_that_are_no_json_reach_the_brain_as_invalid(wire_server, http):
    brain = CityBrain()
    server = await wire_server(brain)
    broken = calls("a")
    broken["tool_calls"][0]["function"]["arguments"] = '{"city": "Os'
    await http.post(
        f"{server.openai_url}/chat/completions",
        headers=HEADERS,
        json=build_body(talk(USER, broken, result("a"))),
    )
    assert brain.requests[0].messages[1]["parts"] == [
        {
            "type": "tool_call",
            "id": "a",
            "name": "get_weather",
            "arguments": {},
            "invalid_arguments": '{"city": "Os',
        }
    ]


@pytest.mark.parametrize(
    ("headers", "code"),
    [({}, None), ({"authorization": "Bearer"}, None), ({"authorization": "Bearer no"}, "invalid")],
)
async def test_a_missing_or_wrong_key_is_a_401(wire_server, http, headers, code):
    server = await wire_server(CityBrain(), rules=Rules(key="right"))
    answer = await http.post(
        f"{server.openai_url}/chat/completions", headers=headers, json=build_body({})
    )
    assert answer.status_code == 401
    assert (answer.json()["error"]["code"] or "").startswith(code or "")


async def test_an_unknown_model_is_a_404_under_strict_models(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(strict_models=True))).openai
    with pytest.raises(openai.NotFoundError) as caught:
        await client.chat.completions.create(model="claude-x", messages=[USER])
    assert caught.value.code == "model_not_found"


async def test_a_prompt_longer_than_the_window_is_refused(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(context_tokens=50))).openai
    with pytest.raises(openai.BadRequestError) as caught:
        await client.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "word " * 60}]
        )
    assert caught.value.code == "context_length_exceeded"
