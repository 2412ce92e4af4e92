"""Clients of the real SDKs, pointed at a wire server, retries off."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2
import pytest

from plainloop.agent.providers.http.clients import close_clients
from tests.wire_fixtures import StartWire, WireServer, wire_server

__all__ = ["StartWire", "WireServer", "wire_server"]


class Clients:
    """One client per SDK; imported on first use because the SDKs are slow to import."""

    def __init__(self, server: WireServer, http: Any, key: str) -> None:
        self._server = server
        self._http = http
        self._key = key

    @property
    def anthropic(self) -> Any:
        import anthropic

        return anthropic.AsyncAnthropic(
            base_url=self._server.base_url, api_key=self._key, max_retries=0, http_client=self._http
        )

    @property
    def openai(self) -> Any:
        import openai

        return openai.AsyncOpenAI(
            base_url=self._server.openai_url,
            api_key=self._key,
            max_retries=0,
            http_client=self._http,
        )

    @property
    def gemini(self) -> Any:
        from google import genai
        from google.genai import types

        options = types.HttpOptions(
            base_url=self._server.base_url, api_version="v1beta", httpx_async_client=self._http
        )
        return genai.Client(api_key=self._key, http_options=options).aio


Connect = Callable[..., Clients]


@pytest.fixture(autouse=True)
async def closed_clients() -> AsyncIterator[None]:
    """Those of our own providers, which live as long as their loop."""
    yield
    await close_clients()


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    """One HTTP client for all SDKs of a test, closed before the servers are."""
    # Nothing here is encrypted: reading the trusted certificates takes longer than most tests.
    async with httpx2.AsyncClient(verify=False) as client:
        yield client


@pytest.fixture
def connect(http: httpx2.AsyncClient) -> Connect:
    def make(server: WireServer, key: str = "any") -> Clients:
        return Clients(server, http, key)

    return make
