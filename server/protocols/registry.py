"""The protocols of other clients that this server speaks, each found by its entry point.

`server.edges` lists those that are served; unset: all. They are described by their own
specifications and by docs/frontends.md, not by `/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from starlette.routing import Route

from ...agent.config.installed import find_entries, load_entry
from ...agent.core.api import ApiRoute
from ...agent.dataclasses import dataclass
from ...agent.errors import ConfigError
from ..http.endpoint import AppContext, ErrorTeller, OwnedRoute
from ..settings import ServerSettings
from ..ws.reading import ProtocolSocket
from .agents import list_names


@dataclass(frozen=True, slots=True)
class ProtocolAdapter:
    """A protocol adapter: its routes, sockets and error format.

    make_teller: in place of `tell_error`, where that depends on the settings. list_open: routes
    that anybody may ask, without a token. list_sockets: its WebSockets.
    """

    list_routes: Callable[[AppContext], Sequence[ApiRoute]]
    tell_error: ErrorTeller
    make_teller: Callable[[AppContext], ErrorTeller] | None = None
    list_open: Callable[[AppContext], Sequence[Route]] | None = None
    list_sockets: Callable[[AppContext], Sequence[ProtocolSocket]] | None = None
    base: str = ""


NONE: Final = "-"


def list_protocol_routes(app: AppContext) -> list[OwnedRoute]:
    """List the routes of all protocols that the settings enable, each with its error format.

    Raises: ConfigError for a protocol that there is not, and for another name of no agent.
    """
    # Before the first request: a wrong name in the settings ends the start.
    list_names(app)
    return [
        OwnedRoute(route, app.service.pack, tell)
        for adapter in _list_served(app)
        for tell in [adapter.make_teller(app) if adapter.make_teller else adapter.tell_error]
        for route in adapter.list_routes(app)
    ]


def list_tellers(app: AppContext) -> dict[str, ErrorTeller]:
    """Map path prefixes to the functions with which the enabled protocols format errors."""
    return {adapter.base: adapter.tell_error for adapter in _list_served(app) if adapter.base}


def list_open_routes(app: AppContext) -> list[Route]:
    """List the routes of the enabled protocols that need no token."""
    return [
        route
        for adapter in _list_served(app)
        if adapter.list_open
        for route in adapter.list_open(app)
    ]


def list_protocol_sockets(app: AppContext) -> list[ProtocolSocket]:
    """List the WebSockets of the enabled protocols. Raises: as `list_protocol_routes`."""
    served = _list_served(app)
    return [
        item for adapter in served if adapter.list_sockets for item in adapter.list_sockets(app)
    ]


def _list_served(app: AppContext) -> list[ProtocolAdapter]:
    known = find_entries("protocols")
    chosen = [
        name for name in app.settings.get_table(ServerSettings).edges or known if name != NONE
    ]
    if unknown := [name for name in chosen if name not in known]:
        names = ", ".join(known) or "none; install plainloop-frontends"
        raise ConfigError(
            f"unknown protocol {unknown[0]!r} in server.edges", hint=f"Known protocols: {names}."
        )
    return [load_entry("protocols", name) for name in chosen]
