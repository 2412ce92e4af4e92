"""An address that comes in a request is guarded: `POST /api/config/test` and `…/models`."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import OutboundRefused
from plainloop.agent.outbound.addresses import parse_allow_list
from plainloop.agent.providers import registry
from tests.providers.local_server import Reply, run_local
from tests.server.conftest import serve  # noqa: F401 - a fixture


@pytest.mark.parametrize("provider", ["deepseek", "openai", "anthropic", "gemini", "ollama"])
async def test_api_base_is_guarded_for_each_protocol(provider: str):
    async with run_local(Reply(b"{}")) as local:
        closed = parse_allow_list(())
        chosen = registry.create_provider(provider, "key", "m", local.url, guard=closed)
        with pytest.raises(OutboundRefused, match="private or reserved"):
            await registry.test_connection(chosen)

    assert local.requests == []


async def test_api_base_in_a_request_cannot_reach_internal_addresses(serve: Any):  # noqa: F811
    """Where it is allowed: tests/server/test_core_routes.py."""
    async with run_local(Reply(b"{}")) as local:
        choice = {"provider": "deepseek", "api_key": "k", "model": "m", "api_base": local.url}
        boss = await (await serve()).client(is_admin=True)
        refused = [
            await boss.post(f"/api/config/{what}", json=choice) for what in ("test", "models")
        ]

    assert local.requests == []
    assert [(item.status_code, item.json()["error"]["code"]) for item in refused] == [
        (400, "URL_REFUSED"),
        (400, "URL_REFUSED"),
    ]
