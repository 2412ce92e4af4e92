"""The `wire_server` fixture: real provider formats on a loopback port, for any test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from plainloop_wire.app import Wire, make_app
from plainloop_wire.call import Brain
from plainloop_wire.serving import serve_wire


@dataclass(frozen=True, slots=True)
class WireServer:
    """A running server. `base_url` suits Anthropic and Gemini; OpenAI's ends in /v1."""

    base_url: str
    wire: Wire

    @property
    def openai_url(self) -> str:
        return f"{self.base_url}/v1"

    @property
    def requests(self) -> list[Any]:
        return self.wire.journal.entries


StartWire = Callable[..., Coroutine[Any, Any, WireServer]]


@pytest.fixture
async def wire_server() -> AsyncIterator[StartWire]:
    """A factory: `server = await wire_server(brain, faults=…, script=…, rules=…)`.

    Without a brain it is the offline one. All servers stop with the test.
    """
    async with AsyncExitStack() as stack:

        async def start(brain: Brain | None = None, **options: Any) -> WireServer:
            app = make_app(brain or get_offline_brain(), **options)
            base_url = await stack.enter_async_context(serve_wire(app))
            return WireServer(base_url, app.state.wire)

        yield start


def get_offline_brain() -> Brain:
    """The offline provider's, or skip the test where plainloop-rules is not installed."""
    return pytest.importorskip("plainloop_rules.offline.brain.brain")
