"""What the service finds by the entry point `plainloop.protocols`."""

from __future__ import annotations

from typing import Final

from plainloop.server.protocols.registry import ProtocolAdapter

from .card import list_open_routes
from .errors import tell_error
from .routes import list_a2a_routes

ADAPTER: Final = ProtocolAdapter(list_a2a_routes, tell_error, list_open=list_open_routes)
