"""Other people's protocols that this server speaks, each a folder beside this file.

`server.edges` lists those that are served. They are described by their own specifications and by
docs/frontends.md, not by `/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...agent.core.api import ApiRoute
from ...agent.errors import ConfigError
from ..http.endpoint import ErrorTeller, OwnedRoute, Surroundings
from . import agui, mcp, openai, ui


@dataclass(frozen=True, slots=True)
class ProtocolEdge:
    """One protocol: its routes, and how it says what went wrong."""

    list_routes: Callable[[Surroundings], Sequence[ApiRoute]]
    tell_error: ErrorTeller


EDGES: Final[Mapping[str, ProtocolEdge]] = {
    "mcp": ProtocolEdge(mcp.list_mcp_routes, mcp.tell_error),
    "openai": ProtocolEdge(openai.list_openai_routes, openai.tell_error),
    "ui": ProtocolEdge(ui.list_ui_routes, ui.tell_error),
    "agui": ProtocolEdge(agui.list_agui_routes, agui.tell_error),
}
NONE: Final = "-"


def list_edge_routes(around: Surroundings) -> list[OwnedRoute]:
    """The routes of all protocols that the settings name.

    Raises: ConfigError for a protocol that there is not.
    """
    chosen = [name for name in around.settings.server.edges if name != NONE]
    if unknown := [name for name in chosen if name not in EDGES]:
        known = ", ".join(EDGES)
        raise ConfigError(f"no protocol {unknown[0]!r} in server.edges", hint=f"known: {known}")
    return [
        OwnedRoute(route, around.service.pack, EDGES[name].tell_error)
        for name in chosen
        for route in EDGES[name].list_routes(around)
    ]
