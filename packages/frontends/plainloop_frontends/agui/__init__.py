"""AG-UI, for its own clients and for CopilotKit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plainloop.agent.core.api import ApiRoute
from plainloop.server.edges.registry import ProtocolEdge
from plainloop.server.http.endpoint import AppContext, to_error_response

from .routes import AgUiRoutes


def list_agui_routes(around: AppContext) -> Sequence[ApiRoute]:
    return AgUiRoutes(around).list_routes()


# Its clients show status and body, whatever it is.
EDGE: Final = ProtocolEdge(list_agui_routes, to_error_response)
__all__ = ["EDGE"]
