"""`/ws/chat` and `/ws/onboarding`: who may open one, and as whom.

The socket is a viewer: when it closes, its runs go on, and a new one resumes them by `seq`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import Final, get_args

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from ...agent.base.sharing.fair_queue import act_for
from ...agent.dataclasses import dataclass
from ...agent.errors import AgentError, AuthError
from ..auth.identity import Identity, make_read_only
from ..auth.origins import OriginPolicy
from ..auth.tickets import identify_ticket
from ..http.endpoint import IDENTITY_KEY, AppContext, to_error_response
from ..observe.logs import ROUTE_KEY
from ..settings import ServerSettings
from .outlet import Outlet
from .reading import ProtocolSocket
from .session import RunKind, Session

# What a client offers beside `bearer.<JWT>`, and we echo: never the token itself.
SUBPROTOCOL: Final = "plainloop"
BEARER: Final = "bearer."
DENIAL: Final = "websocket.http.response"  # ASGI's extension for a refusal with a body


def list_paths() -> list[str]:
    """List the WebSocket paths of plainloop's own protocol, one for each kind of run."""
    return [f"/ws/{kind}" for kind in get_args(RunKind)]


@dataclass(slots=True)
class SocketRoutes:
    """The WebSocket routes."""

    app: AppContext
    origins: OriginPolicy
    foreign: Sequence[ProtocolSocket] = ()  # of other protocols

    def list_routes(self) -> list[WebSocketRoute]:
        kinds = zip(list_paths(), get_args(RunKind), strict=True)
        own = [ProtocolSocket(path, partial(self._talk, kind)) for path, kind in kinds]
        return [
            WebSocketRoute(one.path, partial(self._serve, one)) for one in (*own, *self.foreign)
        ]

    async def _talk(self, kind: RunKind, outlet: Outlet, identity: Identity) -> None:
        await Session(outlet, identity, kind, self.app).serve()

    async def _serve(self, one: ProtocolSocket, socket: WebSocket) -> None:
        socket.scope[ROUTE_KEY] = one.path
        offered = socket.scope.get("subprotocols", [])
        with ExitStack() as held:
            try:
                # No CORS guards a WebSocket: any page can open one
                # (test_a_page_of_another_origin_cannot_open_a_socket).
                self.origins.check_websocket(socket.headers)
                identity = await self._identify(socket, offered)
                # A socket is for sending; a client that may only read has the event streams
                # (test_a_read_only_key_cannot_change_anything).
                if not identity.can_write:
                    raise make_read_only()
                held.enter_context(self.app.sockets.held(identity.tenant_id, identity.user_id))
            except AgentError as error:
                await refuse(socket, error)
                return
            socket.scope[IDENTITY_KEY] = identity
            act_for(identity.tenant_id, identity.user_id)
            # A browser fails the handshake if it offered protocols and none comes back (WebSockets,
            # "establish a WebSocket connection"); echoing `bearer.…` would write the token into a
            # response.
            await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
            await one.serve(Outlet(socket), identity)

    async def _identify(self, socket: WebSocket, offered: list[str]) -> Identity:
        """Authenticate by header, subprotocol, ticket or `?token=`. Raises: AuthError."""
        auth = self.app.auth
        if auth.is_local:
            return await auth.identify_header(None)
        if header := socket.headers.get("authorization"):
            return await auth.identify_header(header)
        # The one header that a browser's WebSocket lets a script set (RFC 6455, 1.9).
        for name in offered:
            if name.startswith(BEARER):
                return await auth.identify(name.removeprefix(BEARER))
        if ticket := socket.query_params.get("ticket"):
            return await identify_ticket(self.app.store, ticket)
        if token := socket.query_params.get("token"):
            # A token in a URL ends up in proxies' logs; kept for clients that can do nothing else
            # (test_a_token_in_the_query_can_be_switched_off).
            if not self.app.settings.get_table(ServerSettings).query_token:
                raise AuthError(
                    "?token= is disabled on this server", hint="Get a ticket with POST /ws/ticket."
                )
            return await auth.identify(token)
        raise AuthError(
            "a token or a ticket is required",
            hint="Get a ticket with POST /ws/ticket, or send `Authorization: Bearer <token>`.",
        )


async def refuse(socket: WebSocket, error: AgentError) -> None:
    """Refuse a WebSocket's handshake with the error's HTTP status, instead of accepting it.

    Clients that retry reset their counter when a socket opens: one that was accepted and then
    closed made them come again at once, for ever
    (test_a_refused_token_never_opens_a_socket).
    """
    if DENIAL in socket.scope.get("extensions", {}):
        await socket.send_denial_response(to_error_response(error))
    else:
        await socket.close()  # the server makes it 403
