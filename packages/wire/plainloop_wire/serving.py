"""Running the wire server: inside a test or a program, or as a command."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from plainloop.agent.base.listening import build_url, open_listener
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS

from .app import make_app
from .call import Brain, Rules
from .faults import build_faults
from .options import LOOPBACK, ServerOptions
from .script import load_script
from .sending import DROP_KEY

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
    """Serve the app in this event loop inside the block; yield its base URL.

    port: 0 chooses a free one. Raises: ConfigError when the address is taken.
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
        yield build_url(listener)
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
    options: ServerOptions, brain: Brain, echo: Callable[[str], None] = print
) -> None:
    """Run the server until a signal.

    First prints its address and the variables to use it. Raises: ConfigError for a bad script,
    fault or address.
    """
    app = make_app(
        brain,
        faults=build_faults(options),
        script=load_script(options.script) if options.script else None,
        rules=Rules(options.key, options.strict_models, options.context_tokens),
        log_file=options.log_file,
    )
    listener = open_listener(options.host, options.port)
    for line in build_usage_lines(build_url(listener), options.key or "any"):
        echo(line)
    uvicorn.Server(_build_config(app)).run(sockets=[listener])


def build_usage_lines(base_url: str, key: str = "any") -> list[str]:
    """Build the lines that explain how to use this server.

    They have its URL, the environment variables per API, and its log.
    """
    settings = [build_environ(wire, base_url, key) for wire in WIRES]
    return [
        f"wire server on {base_url}",
        *("  " + " ".join(f"{name}={value}" for name, value in each.items()) for each in settings),
        f"requests so far: {base_url}/__log",
    ]


def build_environ(wire: str, base_url: str, key: str = "any") -> dict[str, str]:
    """Build the environment variables that make plainloop use this server.

    wire: one of `WIRES`.
    """
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
