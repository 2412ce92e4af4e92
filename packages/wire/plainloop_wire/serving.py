"""Running the wire server: inside a test or a program, or as a command."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from plainloop.agent.base.listening import open_listener
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS

from .app import make_app
from .call import Brain, Rules
from .faults import End, build_faults
from .script import load_script
from .sending import DROP_KEY

LOOPBACK: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8399
_GRACE_S: Final = 1


# The wire formats, by the provider that speaks them and the setting `protocol` where it has two.
_CHOICES: Final[Mapping[str, tuple[str, str | None]]] = {
    "anthropic": ("anthropic", None),
    "openai": ("openai", "chat"),
    "openai_responses": ("openai", "responses"),
    "gemini": ("gemini", None),
    "ollama": ("ollama", None),
}
WIRES: Final = tuple(_CHOICES)


class _Protocol(HttpToolsProtocol):
    """Lets the application close its client's socket: the only way to drop a connection."""

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope[DROP_KEY] = self.transport.close  # type: ignore[typeddict-unknown-key]


@asynccontextmanager
async def serve_wire(app: Starlette, port: int = 0, host: str = LOOPBACK) -> AsyncGenerator[str]:
    """Serve in this event loop; gives the base URL. port 0: a free one.

    Raises: ConfigError when the address is taken.
    """
    listener = open_listener(host, port)
    config = _build_config(app)
    config.load()
    state = ServerState()
    # Not uvicorn.Server: it takes over the signal handlers of the program around it.
    server = await asyncio.get_running_loop().create_server(
        lambda: _Protocol(config=config, server_state=state, app_state={}), sock=listener
    )
    try:
        yield _url(listener)
    finally:
        server.close()
        # Idle connections at once; those with an answer on the way get a moment to end it.
        connections, tasks = list(state.connections), list(state.tasks)
        for connection in connections:
            connection.shutdown()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=_GRACE_S)
            for task in late:
                task.cancel()
        for connection in connections:
            connection.transport.close()
        await asyncio.sleep(0)  # lets the transports tell their protocols


def run_wire_server(
    host: str = LOOPBACK,
    port: int = DEFAULT_PORT,
    *,
    brain: Brain | None = None,
    script: Path | None = None,
    fail: Sequence[str] = (),
    first_ms: float = 0.0,
    delay_ms: float = 0.0,
    cut_after_bytes: int | None = None,
    cut_after_events: int | None = None,
    cut_end: End = "abort",
    retry_after_s: float | None = None,
    key: str | None = None,
    strict_models: bool = False,
    context_tokens: int | None = None,
    log_file: Path | None = None,
    echo: Callable[[str], None] = print,
) -> None:
    """Serve until a signal; prints the address and how to point plainloop at it.

    brain: None is the offline brain. Raises: ConfigError for a bad script, fault or address.
    """
    if brain is None:
        from plainloop.agent.offline.brain import brain as rules  # only needed by the command

        brain = rules
    app = make_app(
        brain,
        faults=build_faults(
            fail=fail,
            first_ms=first_ms,
            delay_ms=delay_ms,
            cut_after_bytes=cut_after_bytes,
            cut_after_events=cut_after_events,
            end=cut_end,
            retry_after_s=retry_after_s,
        ),
        script=load_script(script) if script else None,
        rules=Rules(key=key, strict_models=strict_models, context_tokens=context_tokens),
        log_file=log_file,
    )
    listener = open_listener(host, port)
    for line in build_usage_lines(_url(listener), key or "any"):
        echo(line)
    uvicorn.Server(_build_config(app)).run(sockets=[listener])


def build_usage_lines(base_url: str, key: str = "any") -> list[str]:
    """Build what to put before a plainloop command to use this server, one line per wire."""
    settings = [build_environ(wire, base_url, key) for wire in WIRES]
    return [
        f"wire server on {base_url}",
        *("  " + " ".join(f"{name}={value}" for name, value in each.items()) for each in settings),
        f"requests so far: {base_url}/__log",
    ]


def build_environ(wire: str, base_url: str, key: str = "any") -> dict[str, str]:
    """The variables that send plainloop over a wire to this server; wire: one of `WIRES`."""
    provider, protocol = _CHOICES[wire]
    defaults = PROVIDER_DEFAULTS[provider]
    environ = {"AGENT_PROVIDER": provider}
    if protocol is not None:
        environ["AGENT_PROTOCOL"] = protocol
    environ["AGENT_API_BASE"] = f"{base_url}/v1" if provider == "openai" else base_url
    return {**environ, defaults.key_variables[0]: key} if defaults.needs_key else environ


def _build_config(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=_Protocol,
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
    )


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
