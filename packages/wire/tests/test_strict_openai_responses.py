"""Each Responses request that OpenAI would refuse is refused, in its words."""

from __future__ import annotations

from typing import Any

import openai
import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain
from plainloop_wire.call import Rules
from plainloop_wire.openai_responses.sealing import make_item_id, make_reasoning_id, seal

MODEL = "gpt-4o"
REASONS = "gpt-6.1-terra"
USER = {"role": "user", "content": "Hi"}
RS = make_reasoning_id("seed")
REASONING = {"type": "reasoning", "id": RS, "summary": [], "encrypted_content": seal(REASONS, RS)}
AFTER_REASONING = make_item_id("fc_", "seed", "part", has_reasoning=True)


def function(**changes: Any) -> dict[str, Any]:
    return {"type": "function", "name": "get_weather", "parameters": TOOL, **changes}


def call(call_id: str, **changes: Any) -> dict[str, Any]:
    given = {"call_id": call_id, "name": "get_weather", "arguments": "{}"}
    return {"type": "function_call", **given, **changes}


def output(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "3"}


def talk(*items: dict[str, Any]) -> dict[str, Any]:
    return {"input": list(items)}


def reasoned(*items: dict[str, Any]) -> dict[str, Any]:
    return {"model": REASONS, "input": list(items)}


def wanted(**changes: Any) -> dict[str, Any]:
    given = {"type": "json_schema", "name": "t", "schema": SCHEMA, **changes}
    return {"text": {"format": given}}


REFUSED: list[tuple[str, dict[str, Any], str | None, str]] = [
    ("no input", {"input": ...}, "missing_required_parameter", "'input'"),
    ("empty input", {"input": []}, "empty_array", "Invalid 'input': empty array"),
    ("unknown field", {"max_tokens": 100}, None, "argument supplied: max_tokens"),
    ("item of no type", talk({"foo": 1}), "invalid_value", "Supported values are: 'message'"),
    ("unknown item", talk({"type": "tool"}), "invalid_value", "Invalid value: 'tool'"),
    ("unknown item field", talk({**USER, "foo": 1}), "unknown_parameter", "'input[0].foo'"),
    ("wrong role", talk({"role": "tool", "content": "x"}), "invalid_value", "'tool'"),
    (
        "assistant with a user's part",
        talk(USER, {"role": "assistant", "content": [{"type": "input_text", "text": "x"}]}),
        "invalid_value",
        "Supported values are: 'output_text', 'refusal'",
    ),
    ("output without call", talk(USER, output("a")), None, "No tool call found for function call"),
    ("call without output", talk(USER, call("a")), None, "No tool output found for function call"),
    ("output before its call", talk(USER, output("a"), call("a")), None, "No tool call found"),
    ("two outputs", talk(USER, call("a"), output("a"), output("a")), None, "No tool call found"),
    ("call id long", talk(call("x" * 65), output("x" * 65)), "string_above_max_length", "64"),
    (
        "arguments as an object",
        talk(call("a", arguments={}), output("a")),
        "invalid_type",
        "input[0].arguments",
    ),
    (
        "item id of another kind",
        talk(call("a", id="call_a"), output("a")),
        "invalid_value",
        "Expected an ID that begins with 'fc'",
    ),
    (
        "an item twice",
        talk(call("a", id="fc_1"), output("a"), call("b", id="fc_1"), output("b")),
        None,
        "Duplicate item found with id fc_1",
    ),
    ("stored item", talk({"type": "item_reference", "id": "msg_1"}), None, "not persisted"),
    (
        "stored response",
        {"previous_response_id": "resp_1"},
        "previous_response_not_found",
        "resp_1",
    ),
    (
        "reasoning without its encryption",
        reasoned(USER, {**REASONING, "encrypted_content": None}, call("a"), output("a")),
        None,
        "Items are not persisted when `store` is set to false",
    ),
    (
        "reasoning of another model",
        {**reasoned(USER, REASONING, call("a"), output("a")), "model": "gpt-6-luna"},
        "invalid_encrypted_content",
        "could not be verified",
    ),
    (
        "reasoning that leads to nothing",
        reasoned(USER, REASONING, USER),
        None,
        "without its required following item",
    ),
    (
        "call without the reasoning before it",
        reasoned(USER, call("a", id=AFTER_REASONING), output("a")),
        None,
        f"without its required 'reasoning' item: '{RS}'",
    ),
    ("tiny limit", {"max_output_tokens": 5}, "integer_below_min_value", ">= 16, but got 5"),
    (
        "temperature on a reasoning model",
        {"model": REASONS, "temperature": 0.5},
        None,
        "Unsupported parameter: 'temperature' is not supported with this model.",
    ),
    ("effort on another", {"reasoning": {"effort": "low"}}, None, "'reasoning.effort'"),
    (
        "encrypted reasoning of a model that has none",
        {"include": ["reasoning.encrypted_content"]},
        None,
        "Encrypted content is not supported with this model.",
    ),
    ("unknown include", {"include": ["foo"]}, "invalid_value", "Invalid value: 'foo'"),
    (
        "chat form of a tool",
        {"tools": [{"type": "function"}]},
        "missing_required_parameter",
        "name",
    ),
    (
        "other tools",
        {"tools": [{"type": "x"}]},
        "invalid_value",
        "Here only 'function' is simulated",
    ),
    ("tool name", {"tools": [function(name="a b")]}, "invalid_value", "tools[0].name"),
    ("tools alike", {"tools": [function(), function()]}, None, "duplicate function name"),
    (
        "strict tool with an open object",
        {"tools": [function(strict=True, parameters={"type": "object", "properties": {}})]},
        "invalid_function_parameters",
        "'additionalProperties' is required",
    ),
    ("choice without tools", {"tool_choice": "required"}, None, "require at least one tool"),
    (
        "choice of no tool",
        {"tools": [function()], "tool_choice": {"type": "function", "name": "x"}},
        None,
        "Tool choice 'x' not found",
    ),
    ("format without name", wanted(name=...), "missing_required_parameter", "text.format.name"),
    (
        "strict format with optional fields",
        wanted(strict=True, schema={**SCHEMA, "required": []}),
        None,
        "Missing 'worker'",
    ),
    (
        "JSON object unannounced",
        {"text": {"format": {"type": "json_object"}}, "instructions": "Answer in JSON."},
        None,
        "must contain the word 'json'",
    ),
]


def drop_absent(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: drop_absent(item) for key, item in value.items() if item is not ...}
    return value


@pytest.mark.parametrize(
    ("changes", "code", "text"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
async def test_it_is_refused(wire_server, http, changes, code, text):
    server = await wire_server(CityBrain())
    body = drop_absent({"model": MODEL, "input": "Hi", **changes})
    answer = await http.post(
        f"{server.openai_url}/responses", json=body, headers={"authorization": "Bearer any"}
    )
    error = answer.json()["error"]

    assert answer.status_code in (400, 404), error
    assert (error["type"], error["code"]) == ("invalid_request_error", code)
    assert text in error["message"] or text in (error["param"] or "")


async def test_a_result_may_stand_apart_from_its_call(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    answer = await client.responses.create(
        model=MODEL, input=[USER, call("a"), call("b"), output("b"), output("a"), USER]
    )

    assert answer.output_text == "You said: Hi"


async def test_without_a_key_or_with_a_wrong_one_nobody_is_answered(wire_server, http, connect):
    server = await wire_server(CityBrain(), rules=Rules(key="right"))
    bare = await http.post(f"{server.openai_url}/responses", json={"model": MODEL, "input": "Hi"})
    assert bare.status_code == 401
    with pytest.raises(openai.AuthenticationError, match="Incorrect API key"):
        await connect(server, key="wrong-key").openai.responses.create(model=MODEL, input="Hi")


async def test_a_model_of_nobody_is_refused_when_models_are_strict(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(strict_models=True))).openai
    with pytest.raises(openai.BadRequestError) as caught:
        await client.responses.create(model="this-model-does-not-exist", input="Hi")

    assert (caught.value.code, caught.value.param) == ("model_not_found", "model")


async def test_a_prompt_beyond_the_window_is_refused(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(context_tokens=100))).openai
    with pytest.raises(openai.BadRequestError) as caught:
        await client.responses.create(model=MODEL, input="word " * 200)

    assert caught.value.code == "context_length_exceeded"
