"""OpenAI's APIs: chat completions and responses, over the same runs as everything else."""

from __future__ import annotations

from collections.abc import Sequence

from ....agent.core.api import ApiRoute
from ...http.endpoint import AppContext
from .errors import tell_error
from .response_routes import ResponseRoutes
from .response_socket import list_sockets
from .routes import ChatRoutes

__all__ = ["list_openai_routes", "list_sockets", "tell_error"]


def list_openai_routes(app: AppContext) -> Sequence[ApiRoute]:
    return (*ChatRoutes(app).list_routes(), *ResponseRoutes(app).list_routes())
