"""The `wire_server` fixture: real provider formats on a loopback port, for any test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

import pytest

from server.wire import Brain, Wire, make_app, serve_wire

# What sends plainloop over each wire, beside the address.
_WIRES: Final = {
    "anthropic": {"AGENT_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "any"},
    "openai": {"AGENT_PROVIDER": "openai", "OPENAI_API_KEY": "any", "AGENT_PROTOCOL": "chat"},
    "openai_responses": {
        "AGENT_PROVIDER": "openai",
        "OPENAI_API_KEY": "any",
        "AGENT_PROTOCOL": "responses",
    },
    "gemini": {"AGENT_PROVIDER": "gemini", "GEMINI_API_KEY": "any"},
    "ollama": {"AGENT_PROVIDER": "ollama"},
}
WIRES: Final = tuple(_WIRES)


def point_at(wire: str, base_url: str) -> dict[str, str]:
    """Variables that send a provider's client to a wire server."""
    base = f"{base_url}/v1" if wire.startswith("openai") else base_url
    return {"AGENT_API_BASE": base, **_WIRES[wire]}


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
            app = make_app(brain or _offline_brain(), **options)
            base_url = await stack.enter_async_context(serve_wire(app))
            return WireServer(base_url, app.state.wire)

        yield start


def _offline_brain() -> Brain:
    from agent.providers.offline import brain

    return brain
