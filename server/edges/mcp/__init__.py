"""MCP at `/mcp`: the packs' tools and whole runs, for any client, of 2026-07-28 and before."""

from .routes import list_mcp_routes, tell_error

__all__ = ["list_mcp_routes", "tell_error"]
