"""`/ws/chat` and `/ws/onboarding`: who may open one, and as whom.

The socket is a viewer: when it closes, its runs go on, and a new one resumes them by `seq`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, get_args

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from ...agent.errors import AccessDenied, AgentError, AuthError, TooManyRequests
from ..auth.identity import Identity, make_read_only
from ..auth.origins import OriginPolicy
from ..auth.tickets import identify_ticket
from ..http.endpoint import IDENTITY_KEY, ROUTE_KEY, AppContext
from .frames import to_error_frame
from .outlet import CLOSE_UNAUTHENTICATED, Outlet
from .reading import EdgeSocket
from .session import RunKind, Session

# What a client offers beside `bearer.<JWT>`, and we echo: never the token itself.
SUBPROTOCOL: Final = "plainloop"
BEARER: Final = "bearer."
CLOSE_REFUSED: Final = 4403
CLOSE_TOO_MANY: Final = 4429


def list_paths() -> list[str]:
    """List where the WebSockets of our own protocol are, one of each kind of run."""
    return [f"/ws/{kind}" for kind in get_args(RunKind)]


@dataclass(slots=True)
class SocketRoutes:
    """The WebSocket routes."""

    around: AppContext
    origins: OriginPolicy
    edges: Sequence[EdgeSocket] = ()  # of other people's protocols

    def list_routes(self) -> list[WebSocketRoute]:
        kinds = zip(list_paths(), get_args(RunKind), strict=True)
        own = [EdgeSocket(path, partial(self._talk, kind)) for path, kind in kinds]
        return [
            WebSocketRoute(edge.path, partial(self._serve, edge)) for edge in (*own, *self.edges)
        ]

    async def _talk(self, kind: RunKind, outlet: Outlet, identity: Identity) -> None:
        await Session(outlet, identity, kind, self.around).serve()

    async def _serve(self, edge: EdgeSocket, socket: WebSocket) -> None:
        socket.scope[ROUTE_KEY] = edge.path
        try:
            self.origins.check_websocket(socket.headers)
        except AccessDenied:
            await socket.close(CLOSE_REFUSED)  # before it is accepted: HTTP 403
            return
        offered = socket.scope.get("subprotocols", [])
        await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
        outlet = Outlet(socket)
        try:
            identity = await self._identify(socket, offered)
            if not identity.can_write:
                raise make_read_only()
        except AgentError as error:
            await outlet.send(to_error_frame(error))
            await socket.close(CLOSE_UNAUTHENTICATED)
            return
        socket.scope[IDENTITY_KEY] = identity
        try:
            with self.around.sockets.held(identity.tenant_id, identity.user_id):
                await edge.serve(outlet, identity)
        except TooManyRequests as error:
            await outlet.send(to_error_frame(error))
            await outlet.close(CLOSE_TOO_MANY)

    async def _identify(self, socket: WebSocket, offered: list[str]) -> Identity:
        """By header, by subprotocol, by ticket, or by `?token=`. Raises: AuthError."""
        auth = self.around.auth
        if auth.is_local:
            return await auth.identify_header(None)
        if header := socket.headers.get("authorization"):
            return await auth.identify_header(header)
        for name in offered:
            if name.startswith(BEARER):
                return await auth.identify(name.removeprefix(BEARER))
        if ticket := socket.query_params.get("ticket"):
            return await identify_ticket(self.around.store, ticket)
        if token := socket.query_params.get("token"):
            if not self.around.settings.server.query_token:
                raise AuthError("?token= is switched off here", hint="Use a ticket.")
            return await auth.identify(token)
        raise AuthError("a token or a ticket is needed")
