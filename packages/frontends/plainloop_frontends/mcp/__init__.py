"""MCP at `/mcp`: the packs' tools and whole runs, for any client, of 2026-07-28 and before."""

from __future__ import annotations

from typing import Final

from plainloop.server.protocols.json_rpc import tell_error
from plainloop.server.protocols.registry import ProtocolAdapter

from .metadata import list_open_routes, make_teller
from .routes import list_mcp_routes

ADAPTER: Final = ProtocolAdapter(list_mcp_routes, tell_error, make_teller, list_open_routes)
__all__ = ["ADAPTER"]
