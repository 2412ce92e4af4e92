"""Services of a test: one per wire, all over the test's own database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from agent.config import load_settings
from agent.config_values import Secret
from agent.runner import Service, open_service
from server.wire import build_environ
from tests.wire_fixtures import StartWire, WireServer

OpenService = Callable[..., Awaitable[Service]]


@pytest.fixture
async def open_wire(
    database_url: str, tmp_path: Path, wire_server: StartWire
) -> AsyncIterator[OpenService]:
    """`await open_wire("anthropic", AGENT_DESIGN="react")`: the service over that wire.

    "offline" has the same brain in this process, with no wire between. server: one that the test
    has started; else a new one.
    """
    async with AsyncExitStack() as stack:

        async def open_one(
            wire: str, server: WireServer | None = None, **variables: str
        ) -> Service:
            environ = {"AGENT_PROVIDER": "offline"}
            if wire != "offline":
                environ = build_environ(wire, (server or await wire_server()).base_url)
            settings = load_settings({"AGENT_DATA_DIR": str(tmp_path), **environ, **variables})
            database = replace(settings.database, url=Secret(database_url))
            return await stack.enter_async_context(
                open_service(replace(settings, database=database))
            )

        yield open_one
