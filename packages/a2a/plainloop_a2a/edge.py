"""What the service finds by the entry point `plainloop.edges`."""

from __future__ import annotations

from typing import Final

from plainloop.server.edges.registry import ProtocolEdge

from .card import list_open_routes
from .errors import tell_error
from .routes import list_a2a_routes

EDGE: Final = ProtocolEdge(list_a2a_routes, tell_error, list_open=list_open_routes)
