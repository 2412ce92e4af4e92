"""Schemas of answers that a vendor's strict form refuses: sent so that it accepts them."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.providers.http.json_schema import is_closable, is_strict, to_closed_schema
from plainloop.agent.types import ChatRequest, JsonSchema
from tests.providers.asking import ask
from tests.providers.conversations import connect, user
from tests.providers.test_strict_server import Scripted, address
from tests.wire_fixtures import StartWire


def close(**properties: Any) -> dict[str, Any]:
    shape = {"type": "object", "properties": properties, "required": [*properties]}
    return {**shape, "additionalProperties": False}


PART = {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}
REFERENCE = {"$ref": "#/$defs/part"}
SCHEMAS = {
    "an open definition": {**close(a=REFERENCE), "$defs": {"part": PART}},
    "alternatives by oneOf": close(a={"oneOf": [{"type": "string"}, {"type": "integer"}]}),
    "an open object or null": close(a={**PART, "type": ["object", "null"]}),
    "a pattern of names": close(a={**close(), "patternProperties": {"^x": {"type": "string"}}}),
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=[*SCHEMAS])
def test_strict_mode_is_not_requested_for_what_openai_refuses(schema: dict[str, Any]):
    assert not is_strict(schema)


def test_strict_mode_is_requested_for_closed_schemas():
    named = {"oneOf": {"type": "string"}, "not": {"type": ["string", "null"]}}
    whole = {**close(a=REFERENCE, **named), "$defs": {"part": close(b={"type": "string"})}}
    assert is_strict(whole)
    assert is_strict(close(a={"anyOf": [close(b={"const": 1}), {"type": "null"}]}))


def test_an_object_that_may_be_null_is_closed_too():
    nullable = {**PART, "type": ["object", "null"]}
    assert to_closed_schema(close(a=nullable))["properties"]["a"]["additionalProperties"] is False
    assert not is_closable({"type": ["object", "null"]})


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=[*SCHEMAS])
@pytest.mark.parametrize("name", ["anthropic", "openai", "responses"])
async def test_strict_servers_accept_answers_of_any_schema(
    name: str, schema: dict[str, Any], wire_server: StartWire
):
    server = await wire_server(Scripted())
    provider = connect(name, address(name, server))
    wanted = ChatRequest("Answer.", [user("Go.")], json_schema=JsonSchema("shape", schema))

    answer = await ask(provider, wanted, stream=False)

    assert answer.stop == "end"
