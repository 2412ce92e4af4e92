"""Lists of models in every form that servers have, and answers that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.errors import ModelAuthError, ModelError, ModelOverloaded
from plainloop.agent.types import ModelInfo
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local

PLAIN = [ModelInfo("a", "a"), ModelInfo("b", "Bee")]
NAMES = ["anthropic", "openai", "compatible", "ollama"]


async def list_models(name: str, *bodies: Any, status: int = 200) -> tuple[Any, list[str]]:
    """What is listed, and the paths that were asked for."""
    raws = [body if isinstance(body, bytes) else json.dumps(body).encode() for body in bodies]
    async with run_local(*(Reply(raw, status) for raw in raws)) as local:
        found = await connect(name, local.url).list_models()
    return found, [request["path"] for request in local.requests]


@pytest.mark.parametrize(
    "body",
    [
        {"object": "list", "data": [{"id": "b", "display_name": "Bee"}, {"id": "a"}]},
        {"data": [{"id": "b", "name": "Bee"}, {"id": "a", "name": None}, {"object": "model"}]},
        {"models": [{"id": "b", "name": "Bee"}, {"name": "a", "model": "a"}]},
        [{"id": "b", "display_name": "Bee"}, {"id": "a"}],
    ],
)
@pytest.mark.parametrize("name", NAMES)
async def test_every_format_of_model_list_is_read(name: str, body: Any) -> None:
    assert (await list_models(name, body))[0] == PLAIN


async def test_all_pages_of_a_model_list_are_read() -> None:
    first = {"data": [{"id": "b", "display_name": "Bee"}], "has_more": True, "last_id": "b"}
    last = {"data": [{"id": "a", "display_name": "a"}], "has_more": False, "last_id": "a"}
    assert await list_models("anthropic", first, last) == (
        PLAIN,
        ["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=b"],
    )


@pytest.mark.parametrize("name", [*NAMES, "gemini"])
async def test_a_model_list_can_be_empty(name: str) -> None:
    for body in ({}, {"data": None}, {"models": None}, {"data": []}, {"models": [{}]}):
        assert (await list_models(name, body))[0] == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("body", [b"", b"<title>502</title>", b'"no"', {"error": {"message": "m"}}])
async def test_a_model_list_of_wrong_form_is_a_model_error(name: str, body: Any) -> None:
    with pytest.raises(ModelOverloaded):
        await list_models(name, body)


@pytest.mark.parametrize("name", [*NAMES, "gemini"])
async def test_listing_models_with_a_wrong_key_is_an_auth_error(name: str) -> None:
    with pytest.raises(ModelError) as caught:
        await list_models(name, {"error": {"message": "who?"}}, status=401)
    assert type(caught.value) is ModelAuthError
    assert caught.value.message.endswith(": who?")
