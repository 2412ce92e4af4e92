"""Each request that Anthropic would refuse is refused, in its words."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain
from plainloop_wire.call import Rules

MODEL = "claude-sonnet-4-6"
HEADERS = {"x-api-key": "any", "anthropic-version": "2023-06-01"}
WEATHER: dict[str, Any] = {"name": "get_weather", "input_schema": TOOL}


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def use(tool_id: str = "t1") -> dict[str, Any]:
    return {"type": "tool_use", "id": tool_id, "name": "get_weather", "input": {"city": "Oslo"}}


def result(tool_id: str = "t1") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": tool_id, "content": "3"}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def talk(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"messages": list(messages), "tools": [WEATHER]}


def tool(**changes: Any) -> dict[str, Any]:
    return {"tools": [{**WEATHER, **changes}]}


CACHED = {"cache_control": {"type": "ephemeral"}}
LONG = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("max_tokens missing", {"max_tokens": ...}, "max_tokens: Field required"),
    ("max_tokens zero", {"max_tokens": 0}, "max_tokens: Input should be greater"),
    ("max_tokens text", {"max_tokens": "9"}, "max_tokens: Input should be a valid integer"),
    ("unknown field", {"top_z": 1}, "top_z: Extra inputs are not permitted"),
    ("model missing", {"model": ...}, "model: Field required"),
    ("temperature high", {"temperature": 1.5}, "temperature: Input should be less"),
    ("no messages", {"messages": []}, "messages: at least one message is required"),
    ("system role", {"messages": [{"role": "system", "content": "x"}]}, "messages.0.role: "),
    ("assistant first", talk(assistant("x"), user("y")), 'first message must use the "user" role'),
    ("assistant last", talk(user("x"), assistant("y")), "must end with a user message"),
    ("empty text", talk(user("")), "must have non-empty content"),
    ("empty block", talk(user([text("")])), "text content blocks must be non-empty"),
    ("blank block", talk(user([text(" \n")])), "must contain non-whitespace text"),
    ("unknown block", talk(user([{"type": "video"}])), "messages.0.content.0: Input tag 'video'"),
    ("unknown block field", talk(user([text("x", foo=1)])), "foo: Extra inputs"),
    (
        "call without result",
        talk(user("x"), assistant([use()]), user("y")),
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1",
    ),
    (
        "one of two results missing",
        talk(user("x"), assistant([use("a"), use("b")]), user([result("a")])),
        "immediately after: b",
    ),
    (
        "call last",
        talk(user("x"), assistant([use()])),
        "`tool_use` ids were found without `tool_result` blocks",
    ),
    (
        "orphaned result",
        talk(user([result()])),
        "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1",
    ),
    (
        "result too late",
        talk(user("x"), assistant([use()]), user([result()]), assistant("y"), user([result()])),
        "messages.4.content.0: unexpected `tool_use_id`",
    ),
    (
        "two results for one call",
        talk(user("x"), assistant([use()]), user([result(), result()])),
        "Found multiple `tool_result` blocks with id: t1",
    ),
    (
        "text before the result",
        talk(user("x"), assistant([use()]), user([text("y"), result()])),
        "`tool_use` ids were found without `tool_result` blocks",
    ),
    (
        "repeated call id",
        talk(
            user("x"),
            assistant([use()]),
            user([result()]),
            assistant([use()]),
            user([result()]),
        ),
        "`tool_use` ids must be unique",
    ),
    (
        "foreign call id",
        talk(user("x"), assistant([use("a:b")]), user([result("a:b")])),
        "tool_use.id: String should match pattern",
    ),
    ("call by the user", talk(user([use()])), "`tool_use` blocks can only be in `assistant`"),
    (
        "calls without tools",
        {"messages": [user("x"), assistant([use()]), user([result()])]},
        "must define tools",
    ),
    (
        "thinking missing in a tool turn",
        talk(user("x"), assistant([use()]), user([result()]))
        | {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        "Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    ),
    ("tool name", tool(name="get weather"), "tools.0.custom.name: String should match pattern"),
    ("tool name long", tool(name="x" * 65), "tools.0.custom.name: String should match pattern"),
    ("tools alike", {"tools": [WEATHER, WEATHER]}, "Tool names must be unique"),
    ("schema without type", tool(input_schema={}), "input_schema.type: Field required"),
    ("schema wrong", tool(input_schema={"type": "objekt"}), "JSON schema is invalid"),
    (
        "schema wrong inside",
        tool(input_schema={"type": "object", "properties": {"a": {"type": "str"}}}),
        "JSON schema is invalid",
    ),
    (
        "schema with anyOf on top",
        tool(input_schema={"type": "object", "anyOf": [{}]}),
        "does not support oneOf, allOf, or anyOf at the top level",
    ),
    ("tool choice alone", {"tool_choice": {"type": "any"}}, "only be specified while providing"),
    (
        "unknown forced tool",
        {"tools": [WEATHER], "tool_choice": {"type": "tool", "name": "x"}},
        "Tool 'x' not found",
    ),
    (
        "open output schema",
        {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
        "'additionalProperties' must be explicitly set to false",
    ),
    (
        "output schema with bounds",
        {
            "output_config": {
                "format": {
                    "type": "json_schema",
                    "schema": {
                        **SCHEMA,
                        "properties": {"n": {"type": "integer", "minimum": 0, "maximum": 9}},
                    },
                }
            }
        },
        "For 'integer' type, properties minimum, maximum are not supported",
    ),
    (
        "five breakpoints",
        {"messages": [user([text("x", **CACHED)] * 5)]},
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    (
        "a long breakpoint after a short one",
        {"messages": [user([text("x", **CACHED), text("y", **LONG)])]},
        "must not come after",
    ),
]


def build_body(changes: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"model": MODEL, "max_tokens": 9, "messages": [user("Hi")], **changes}
    return {key: value for key, value in body.items() if value is not ...}


@pytest.mark.parametrize(
    ("changes", "message"),
    [pytest.param(changes, message, id=name) for name, changes, message in REFUSED],
)
async def test_a_wrong_request_is_a_400_that_says_why(wire_server, http, changes, message):
    server = await wire_server(CityBrain())
    answer = await http.post(
        f"{server.base_url}/v1/messages", headers=HEADERS, json=build_body(changes)
    )
    error = answer.json()["error"]
    assert (answer.status_code, error["type"]) == (400, "invalid_request_error")
    assert message in error["message"]
    assert answer.json()["type"] == "error"


async def test_a_good_long_tool_conversation_is_accepted(wire_server, http):
    server = await wire_server(CityBrain())
    body = build_body(
        talk(
            user("x"),
            assistant([text("a"), use("a"), use("b")]),
            user([result("b"), result("a"), text("and now?")]),
            assistant([use("c")]),
            user([result("c")]),
        )
    )
    answer = await http.post(f"{server.base_url}/v1/messages", headers=HEADERS, json=body)
    assert answer.status_code == 200


async def test_sampling_is_gone_on_the_new_version_only(wire_server, connect):
    client = connect(await wire_server(CityBrain())).anthropic
    asked: dict[str, Any] = {
        "model": MODEL,
        "max_tokens": 9,
        "messages": [user("Hi")],
        "extra_body": {"temperature": 0.5},
    }
    with pytest.raises(anthropic.BadRequestError, match="temperature: Extra inputs"):
        await client.messages.create(**asked)
    old = {"anthropic-version": "2023-06-01"}
    assert (await client.messages.create(**asked, extra_headers=old)).stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"anthropic-version": "2023-06-01"}, 401, "x-api-key header is required"),
        ({"x-api-key": "wrong", "anthropic-version": "2023-06-01"}, 401, "invalid x-api-key"),
        ({"authorization": "Bearer right"}, 400, "anthropic-version: header is required"),
        ({"x-api-key": "right", "anthropic-version": "1999"}, 400, "is not a valid version"),
        ({"x-api-key": "right", "anthropic-version": "2026-10-21"}, 200, None),
    ],
)
async def test_key_and_version_are_demanded(wire_server, http, headers, status, message):
    server = await wire_server(CityBrain(), rules=Rules(key="right"))
    answer = await http.post(f"{server.base_url}/v1/messages", headers=headers, json=build_body({}))
    assert answer.status_code == status
    assert message is None or message in answer.json()["error"]["message"]


async def test_an_unknown_model_is_a_404_under_strict_models(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(strict_models=True))).anthropic
    with pytest.raises(anthropic.NotFoundError, match="model: gpt-4o"):
        await client.messages.create(model="gpt-4o", max_tokens=9, messages=[user("Hi")])


async def test_a_prompt_longer_than_the_window_is_refused(wire_server, connect):
    client = connect(await wire_server(CityBrain(), rules=Rules(context_tokens=50))).anthropic
    with pytest.raises(anthropic.BadRequestError, match="prompt is too long: .* > 50 maximum"):
        await client.messages.create(model=MODEL, max_tokens=9, messages=[user("word " * 60)])


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"model": "\xff"}'])
async def test_a_body_that_is_no_json_object_is_a_400(wire_server, http, body):
    server = await wire_server(CityBrain())
    answer = await http.post(f"{server.base_url}/v1/messages", headers=HEADERS, content=body)
    assert (answer.status_code, answer.json()["type"]) == (400, "error")
