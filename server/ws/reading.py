"""The life of an accepted WebSocket, whatever its frames say: read, act, tell what went wrong."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from ...agent.base.finishing import end_tasks
from ...agent.dataclasses import dataclass
from ...agent.errors import AgentError, AuthError, InputError
from ...agent.service.settings import RunLimits
from ..auth.identity import Identity, make_expired
from ..http.endpoint import AppContext
from ..http.error_table import INTERNAL_ERROR, INTERNAL_MESSAGE
from ..http.reading import decode_json
from .frames import Frame
from .outlet import CLOSE_UNAUTHENTICATED, Outlet

logger = logging.getLogger(__name__)

LONGEST_S: Final = 1e8  # beyond it a token has no end, and loops no timer


def decode_frame(text: str | None, what: str) -> Any:
    """Decode a JSON text frame.

    Raises: InputError that names `what`, also for binary data (None).
    """
    try:
        return decode_json((text or "").encode())
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{what} is not JSON", hint="Send one JSON object as text.", code="INVALID_FORMAT"
        ) from error


@dataclass(frozen=True, slots=True)
class ProtocolSocket:
    """A WebSocket of another protocol. serve: handles it until the client is gone."""

    path: str
    serve: Callable[[Outlet, Identity], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class FrameReader:
    """Reads a client's frames, and reports what is wrong with one. act: what one frame's text asks
    for; None: it was a binary one. tell: an error as a frame.
    """

    outlet: Outlet
    identity: Identity
    app: AppContext
    act: Callable[[str | None], Awaitable[None]]
    tell: Callable[[AgentError], Frame]

    async def read_all(self) -> None:
        """Handle frames until the client leaves or stops reading, or its token or key ends."""
        viewer_timeout_s = self.app.settings.get_table(RunLimits).viewer_timeout_s
        reader = asyncio.create_task(self._read_frames())
        guard = asyncio.create_task(self.outlet.wait_until_stuck(viewer_timeout_s))
        try:
            await asyncio.wait({reader, guard}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end_tasks(reader, guard)
        error = None if reader.cancelled() else reader.exception()
        if isinstance(error, TimeoutError):
            error = make_expired()
        if isinstance(error, AuthError):
            with contextlib.suppress(WebSocketDisconnect):
                await self.outlet.send(self.tell(error))
                await self.outlet.close(CLOSE_UNAUTHENTICATED)
        elif error is not None and not isinstance(error, WebSocketDisconnect):
            raise error

    async def _read_frames(self) -> None:
        until = self.identity.expires_at
        left_s = None if until is None else until - time.time()
        if left_s is not None and left_s > LONGEST_S:
            left_s = None
        # The token's end ends the socket, not only its next frame: runs are shown until then
        # (test_a_socket_is_closed_when_its_token_expires).
        async with asyncio.timeout(left_s):
            while True:
                message = await self.outlet.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._handle(message)

    async def _handle(self, message: Message) -> None:
        """Handle one frame; report any error to the client, and keep the socket open.

        Raises: AuthError when the token has expired or the key was revoked.
        """
        try:
            # A frame counts as a request: else a socket would be the way around the rate.
            self.app.requests.take(self.identity.tenant_id, self.identity.user_id)
            await self.app.auth.check_held(self.identity)
            await self.act(message.get("text"))
        except (AuthError, WebSocketDisconnect):
            raise
        except AgentError as error:
            await self.outlet.send(self.tell(error))
        except Exception:  # the edge: a bug ends this frame, not the socket
            logger.exception("frame_failed")
            await self.outlet.send(self.tell(AgentError(INTERNAL_MESSAGE, code=INTERNAL_ERROR)))
