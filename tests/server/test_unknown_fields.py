"""A body is refused for what it holds and nobody knows: a mistyped limit is not lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.errors import ShapeError
from plainloop.server.ws.frames import parse_frame
from tests.server.conftest import Serve, Served


async def test_a_mistyped_query_parameter_suggests_the_nearest_name(served: Served) -> None:
    boss = await served.client("boss", is_admin=True)
    body = {"scope": "tenant", "limit_tokens": 5_000, "limit_usdd": "1"}
    refused = await boss.put("/api/budgets", json=body)
    listed = (await boss.get("/api/budgets")).json()

    assert refused.status_code in (400, 422)
    assert "limit_usdd" in refused.json()["error"]["message"]
    assert refused.json()["error"]["hint"] == "did you mean `limit_usd`?"
    assert listed == {"budgets": []}


def list_body_schemas(document: dict[str, Any]) -> dict[str, Any]:
    """By name every object that a request's JSON may hold."""
    known: dict[str, Any] = document["components"]["schemas"]
    found: dict[str, Any] = {}

    def walk(schema: Any) -> None:
        for name in find_names(schema):
            if name not in found:
                found[name] = known[name]
                walk(known[name])

    for path in document["paths"].values():
        for operation in path.values():
            content = operation.get("requestBody", {}).get("content", {})
            walk(content.get("application/json", {}))
    return found


def find_names(schema: Any) -> list[str]:
    text = json.dumps(schema)
    return [part.split('"')[0] for part in text.split("#/components/schemas/")[1:]]


async def test_every_body_refuses_unknown_fields(serve: Serve, all_packs: tuple[str, ...]) -> None:
    served = await serve(packs=all_packs)
    client = await served.client("ann")
    found = list_body_schemas((await client.get("/openapi.json")).json())
    open_ones = [
        name
        for name, schema in found.items()
        if "properties" in schema and schema.get("additionalProperties") is not False
    ]

    assert {"NewBudget", "NewMessage", "NewReplay", "NewJob"} <= {*found}
    assert open_ones == []


async def test_a_mistyped_filter_suggests_the_nearest_name(served: Served) -> None:
    client = await served.client("ann")
    refused = await client.get("/api/usage", params={"since": "2026-01-01", "grop_by": "day"})
    listed = await client.get("/api/chat/conversations", params={"limt": "5"})

    assert (refused.status_code, listed.status_code) == (422, 422)
    assert "unknown field `grop_by`" in refused.json()["error"]["message"]
    assert listed.json()["error"]["hint"] == "did you mean `limit`?"


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        ({"content": "hi", "conversation": "1"}, "unknown field `conversation`: did you mean `con"),
        ({"type": "message", "content": "hi", "zzz": 1}, "`zzz`: known: content, conversation_id,"),
        ({"type": "ping", "at": 1}, "unknown field `at`"),
        ({"type": "pong"}, "Invalid value 'pong'"),
        ({"type": ["ping"], "content": "hi"}, "not a valid frame"),
        ([1], "Expected `object`, got `array`"),
    ],
)
def test_a_frame_with_an_unknown_field_is_refused(frame: Any, told: str) -> None:
    with pytest.raises(ShapeError) as caught:
        parse_frame(json.dumps(frame))
    assert told in caught.value.message
