"""OpenAI's APIs: chat completions and responses, over the same runs as everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plainloop.agent.core.api import ApiRoute
from plainloop.server.http.endpoint import AppContext
from plainloop.server.protocols.registry import ProtocolAdapter

from .errors import tell_error
from .response_routes import ResponseRoutes
from .response_socket import list_sockets
from .routes import ChatRoutes


def list_openai_routes(app: AppContext) -> Sequence[ApiRoute]:
    return (*ChatRoutes(app).list_routes(), *ResponseRoutes(app).list_routes())


ADAPTER: Final = ProtocolAdapter(
    list_openai_routes, tell_error, list_sockets=list_sockets, base="/v1/"
)
__all__ = ["ADAPTER"]
