"""Vercel's AI SDK: its UI message stream, for `useChat` and what is built on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plainloop.agent.core.api import ApiRoute
from plainloop.server.http.endpoint import AppContext
from plainloop.server.protocols.registry import ProtocolAdapter

from .routes import UiRoutes, tell_error
from .socket import list_sockets


def list_ui_routes(app: AppContext) -> Sequence[ApiRoute]:
    return UiRoutes(app).list_routes()


ADAPTER: Final = ProtocolAdapter(list_ui_routes, tell_error, list_sockets=list_sockets)
__all__ = ["ADAPTER"]
