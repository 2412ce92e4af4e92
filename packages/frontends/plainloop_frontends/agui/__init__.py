"""AG-UI, for its own clients and for CopilotKit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plainloop.agent.core.api import ApiRoute
from plainloop.server.http.endpoint import AppContext, to_error_response
from plainloop.server.protocols.registry import ProtocolAdapter

from .routes import AgUiRoutes


def list_agui_routes(app: AppContext) -> Sequence[ApiRoute]:
    return AgUiRoutes(app).list_routes()


# Its clients show status and body, whatever it is.
ADAPTER: Final = ProtocolAdapter(list_agui_routes, to_error_response)
__all__ = ["ADAPTER"]
