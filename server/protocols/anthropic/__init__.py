"""Anthropic's Messages API, over the same runs as everything else."""

from __future__ import annotations

from .errors import tell_error
from .routes import BASE, list_anthropic_routes

__all__ = ["BASE", "list_anthropic_routes", "tell_error"]
