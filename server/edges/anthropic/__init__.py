"""Anthropic's Messages API, over the same runs as everything else."""

from __future__ import annotations

from .errors import tell_error
from .routes import list_anthropic_routes

__all__ = ["list_anthropic_routes", "tell_error"]
