"""Vercel's AI SDK: its UI message stream, for `useChat` and what is built on it."""

from __future__ import annotations

from collections.abc import Sequence

from ....agent.core.api import ApiRoute
from ...http.endpoint import AppContext
from .routes import UiRoutes, tell_error
from .socket import list_sockets

__all__ = ["list_sockets", "list_ui_routes", "tell_error"]


def list_ui_routes(around: AppContext) -> Sequence[ApiRoute]:
    return UiRoutes(around).list_routes()
