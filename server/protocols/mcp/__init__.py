"""MCP at `/mcp`: the packs' tools and whole runs, for any client, of 2026-07-28 and before."""

from ..json_rpc import tell_error
from .metadata import list_open_routes, make_teller
from .routes import list_mcp_routes

__all__ = ["list_mcp_routes", "list_open_routes", "make_teller", "tell_error"]
