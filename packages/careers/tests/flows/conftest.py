"""Services of a test: one per wire, all over the test's own database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages.careers.tests.flows.playing import Played, play
from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import Service
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop_wire.serving import build_environ
from tests.wire_fixtures import StartWire, WireServer

COMPATIBLE = ("deepseek", "kimi", "glm", "minimax")
OpenService = Callable[..., Awaitable[Service]]
PlayInProcess = Callable[..., Awaitable[Played]]


@pytest.fixture
async def open_wire(
    database_url: str, tmp_path: Path, wire_server: StartWire
) -> AsyncIterator[OpenService]:
    """`await open_wire("anthropic", AGENT_DESIGN="react")`: the service over that wire.

    "offline" has the same brain in this process, with no wire between; the names in `COMPATIBLE`
    are the providers that speak Chat Completions in their own way. server: one that the test
    has started; else a new one.
    """
    async with AsyncExitStack() as stack:

        async def open_one(
            wire: str, server: WireServer | None = None, **variables: str
        ) -> Service:
            environ = {"AGENT_PROVIDER": "offline"}
            if wire in COMPATIBLE:
                server = server or await wire_server()
                environ = build_environ("openai", server.base_url)
                environ |= {"AGENT_PROVIDER": wire, "AGENT_API_KEY": "any"}
            elif wire != "offline":
                environ = build_environ(wire, (server or await wire_server()).base_url)
            settings = load_settings({"AGENT_DATA_DIR": str(tmp_path), **environ, **variables})
            database = replace(settings.get_table(DatabaseSettings), url=Secret(database_url))
            return await stack.enter_async_context(open_service(settings.with_tables(database)))

        yield open_one


@pytest.fixture(scope="session")
def plays() -> dict[str, Played]:
    """What was played in process, by what was asked for: it never comes out differently."""
    return {}


@pytest.fixture
def play_in_process(open_wire: OpenService, plays: dict[str, Played]) -> PlayInProcess:
    """`await play_in_process(turns, AGENT_DESIGN="react", resume=…)`: what wires must equal."""

    async def play_once(turns: Sequence[str], **options: Any) -> Played:
        key = repr((turns, sorted(options.items())))
        if key not in plays:
            variables = {name: options.pop(name) for name in list(options) if name.isupper()}
            service = await open_wire("offline", **variables)
            plays[key] = await play(service, "in_process", turns, **options)
        return plays[key]

    return play_once
