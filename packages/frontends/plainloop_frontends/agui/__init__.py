"""AG-UI, for its own clients and for CopilotKit."""

from __future__ import annotations

from collections.abc import Sequence

from ....agent.core.api import ApiRoute
from ...http.endpoint import AppContext, to_error_response
from .routes import AgUiRoutes

__all__ = ["list_agui_routes", "tell_error"]

tell_error = to_error_response  # its clients show status and body, whatever it is


def list_agui_routes(around: AppContext) -> Sequence[ApiRoute]:
    return AgUiRoutes(around).list_routes()
