"""Replicas of the default pack, whose `/mcp` clients call."""

from __future__ import annotations

from tests.server.conftest import serve, served

__all__ = ["serve", "served"]
