"""Anthropic's Messages API, over the same runs as everything else."""

from __future__ import annotations

from typing import Final

from plainloop.server.protocols.registry import ProtocolAdapter

from .errors import tell_error
from .routes import BASE, list_anthropic_routes

ADAPTER: Final = ProtocolAdapter(list_anthropic_routes, tell_error, base=f"{BASE}/")
__all__ = ["ADAPTER"]
