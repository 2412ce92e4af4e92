"""An address that comes in a request is guarded: `POST /api/config/test` and `…/models`."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from plainloop.agent.errors import OutboundRefused
from plainloop.agent.outbound.addresses import parse_allow_list
from plainloop.agent.providers import registry
from tests.providers.local_server import Reply, run_local
from tests.server.conftest import serve  # noqa: F401 - a fixture

CHAT = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "OK"}}
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


@pytest.mark.parametrize("provider", ["deepseek", "openai", "anthropic", "gemini", "ollama"])
async def test_each_protocol_is_guarded(provider: str):
    async with run_local(Reply(b"{}")) as local:
        closed = parse_allow_list(())
        chosen = registry.create_provider(provider, "key", "m", local.url, guard=closed)
        with pytest.raises(OutboundRefused, match="private or reserved"):
            await registry.test_connection(chosen)

    assert local.requests == []


async def test_an_address_in_a_request_leads_inside_only_where_it_is_allowed(serve: Any):  # noqa: F811
    async with run_local(Reply(orjson.dumps(CHAT))) as local:
        choice = {"provider": "deepseek", "api_key": "k", "model": "m", "api_base": local.url}
        boss = await (await serve()).client(is_admin=True)
        refused = [
            await boss.post(f"/api/config/{what}", json=choice) for what in ("test", "models")
        ]
        assert local.requests == []
        opened = await serve(outbound_allow=(local.url.removeprefix("http://"),))
        told = await (await opened.client(is_admin=True)).post("/api/config/test", json=choice)

    assert [(item.status_code, item.json()["error"]["code"]) for item in refused] == [
        (400, "URL_REFUSED"),
        (400, "URL_REFUSED"),
    ]
    assert (told.json()["ok"], told.json()["content"]) == (True, "OK")
