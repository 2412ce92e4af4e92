"""`/ws/chat` and `/ws/onboarding`: the same runs as over HTTP, told in frames.

The socket is a viewer: when it closes, its runs go on, and a new one resumes them by `seq`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, assert_never

import orjson
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from agent.core.records import ThreadInfo
from agent.core.store_api import load_answer_position
from agent.core.store_lookup import load_last_run
from agent.errors import (
    AccessDenied,
    AgentError,
    AuthError,
    NotFoundError,
    StoreError,
    TooManyRequests,
)
from agent.events import TERMINAL, Event
from agent.runner import Service
from agent.runs import RunHost, RunKind, ViewerDropped
from server.endpoint import ROUTE_KEY, Surroundings
from server.error_table import INTERNAL_ERROR, INTERNAL_MESSAGE
from server.identity import Identity
from server.origins import OriginPolicy
from server.rates import RateLimit
from server.routes.onboarding import get_interview_pack
from server.routes.showing import make_message_id
from server.tickets import identify_ticket
from server.ws_frames import (
    CancelFrame,
    ClientFrame,
    Frame,
    KickFrame,
    MessageFrame,
    PingFrame,
    ResumeFrame,
    parse_frame,
    to_error_frame,
    to_frame,
)

logger = logging.getLogger(__name__)

# What a client offers beside `bearer.<JWT>`, and we echo: never the token itself.
SUBPROTOCOL: Final = "plainloop"
BEARER: Final = "bearer."
LONGEST_S: Final = 1e8  # beyond it a token has no end, and loops no timer
CLOSE_RESTARTING: Final = 1012
CLOSE_TOO_SLOW: Final = 1013
CLOSE_UNAUTHENTICATED: Final = 4401
CLOSE_REFUSED: Final = 4403
CLOSE_TOO_MANY: Final = 4429


@dataclass(slots=True)
class SocketRoutes:
    """The WebSocket routes."""

    around: Surroundings
    service: Service
    runs: RunHost
    origins: OriginPolicy
    messages: RateLimit
    open_by_user: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def list_routes(self) -> list[WebSocketRoute]:
        return [
            WebSocketRoute("/ws/chat", self.serve_chat),
            WebSocketRoute("/ws/onboarding", self.serve_onboarding),
        ]

    async def serve_chat(self, socket: WebSocket) -> None:
        await self._serve(socket, "chat")

    async def serve_onboarding(self, socket: WebSocket) -> None:
        await self._serve(socket, "onboarding")

    async def _serve(self, socket: WebSocket, kind: RunKind) -> None:
        socket.scope[ROUTE_KEY] = f"/ws/{kind}"
        try:
            self.origins.check_websocket(socket.headers)
        except AccessDenied:
            await socket.close(CLOSE_REFUSED)  # before it is accepted: HTTP 403
            return
        offered = socket.scope.get("subprotocols", [])
        await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
        session = Session(socket, self, kind)
        try:
            identity = await self._identify(socket, offered)
        except AgentError as error:
            await session.send(to_error_frame(error))
            await socket.close(CLOSE_UNAUTHENTICATED)
            return
        await self._serve_user(session, identity)

    async def _serve_user(self, session: Session, identity: Identity) -> None:
        user = (identity.tenant_id, identity.user_id)
        if self.open_by_user[user] >= self.around.settings.limits.sockets_per_user:
            error = TooManyRequests("too many WebSockets of this user", retry_after_s=1)
            await session.send(to_error_frame(error))
            await session.socket.close(CLOSE_TOO_MANY)
            return
        self.open_by_user[user] += 1
        try:
            await session.serve(identity)
        finally:
            self.open_by_user[user] -= 1
            if not self.open_by_user[user]:
                del self.open_by_user[user]

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


class Session:
    """One accepted socket: reads frames, and shows the runs that it asked for."""

    def __init__(self, socket: WebSocket, routes: SocketRoutes, kind: RunKind) -> None:
        self.socket = socket
        self._routes = routes
        self._kind: RunKind = kind
        self._identity = Identity("", "")
        self._views: dict[str, asyncio.Task[None]] = {}  # by run
        self._sending_since: float | None = None

    async def serve(self, identity: Identity) -> None:
        """Until the client goes, its token ends, or this process is being stopped."""
        self._identity = identity
        reader = asyncio.create_task(self._read_frames())
        guard = asyncio.create_task(self._guard_reader())
        try:
            await asyncio.wait({reader, guard}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [reader, guard, *self._views.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        error = None if reader.cancelled() else reader.exception()
        if isinstance(error, TimeoutError):
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self.send(to_error_frame(AuthError("the token has expired")))
                await self.socket.close(CLOSE_UNAUTHENTICATED)
        elif error is not None and not isinstance(error, WebSocketDisconnect):
            raise error

    async def _read_frames(self) -> None:
        until = self._identity.expires_at
        left_s = None if until is None else until - time.time()
        if left_s is not None and left_s > LONGEST_S:
            left_s = None
        async with asyncio.timeout(left_s):
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._handle(message.get("text"))

    async def _handle(self, text: str | None) -> None:
        """One frame; whatever is wrong with it is told, and the socket stays open."""
        try:
            self._routes.around.requests.take(self._identity.tenant_id, self._identity.user_id)
            await self._act(parse_frame(text or ""))
        except AgentError as error:
            await self.send(to_error_frame(error))
        except (WebSocketDisconnect, RuntimeError):
            raise WebSocketDisconnect from None
        except Exception:  # the edge: a bug ends this frame, not the socket
            logger.exception("frame_failed")
            await self.send({"type": "error", "message": INTERNAL_MESSAGE, "code": INTERNAL_ERROR})

    async def _act(self, frame: ClientFrame) -> None:
        match frame:
            case PingFrame():
                await self.send({"type": "pong"})
            case MessageFrame():
                thread = await self._find_thread(frame.conversation_id)
                await self._submit(thread, frame)
            case KickFrame():
                thread = await self._find_thread(frame.conversation_id)
                await self._kick(thread)
            case CancelFrame():
                thread = await self._find_thread(frame.conversation_id)
                await self._routes.runs.cancel(*self._user, thread.thread_id)
            case ResumeFrame():
                thread = await self._find_thread(frame.conversation_id)
                await self._resume(thread, frame)
            case _:
                assert_never(frame)

    @property
    def _user(self) -> tuple[str, str]:
        return self._identity.tenant_id, self._identity.user_id

    async def _find_thread(self, conversation_id: Any) -> ThreadInfo:
        """Asked with every frame: who owned it once may not any more.

        Raises: AccessDenied for a missing one, another's, and one of the other kind alike.
        """
        if conversation_id is None:
            if self._kind != "onboarding":
                raise AccessDenied("no such conversation")
            get_interview_pack(self._routes.service)
            return await self._routes.service.ensure_interview(*self._user)
        try:
            store = self._routes.around.store
            thread = await store.load_thread(*self._user, str(conversation_id))
        except NotFoundError as error:
            raise AccessDenied("no such conversation") from error
        if thread.kind != self._kind:
            raise AccessDenied("no such conversation")
        return thread

    async def _submit(self, thread: ThreadInfo, frame: MessageFrame) -> None:
        self._routes.messages.take(*self._user)
        ticket = await self._routes.runs.submit(
            *self._user,
            thread.thread_id,
            frame.content,
            kind=self._kind,
            idempotency_key=frame.idempotency_key,
            when_busy=frame.when_busy,
        )
        self._view(ticket.run_id, thread.thread_id, 0)

    async def _kick(self, thread: ThreadInfo) -> None:
        if self._kind != "onboarding":
            raise AccessDenied("only an interviewer speaks first")
        self._routes.messages.take(*self._user)
        ticket = await self._routes.runs.submit(
            *self._user, thread.thread_id, None, kind=self._kind
        )
        self._view(ticket.run_id, thread.thread_id, 0)

    async def _resume(self, thread: ThreadInfo, frame: ResumeFrame) -> None:
        """Raises: NotFoundError when the conversation has no run yet."""
        store = self._routes.around.store
        if frame.run_id is not None:
            run = await store.load_run(*self._user, str(frame.run_id))
            if run.thread_id != thread.thread_id:
                raise AccessDenied("no such run")
            run_id = run.run_id
        else:
            active = await self._routes.runs.find_active(*self._user, thread.thread_id)
            db = store.read(self._identity.tenant_id)
            run_id = active or await load_last_run(db, self._identity.user_id, thread.thread_id)
        self._view(run_id, thread.thread_id, frame.after)

    def _view(self, run_id: str, thread_id: str, after: int) -> None:
        """Show a run from here on; an earlier view of it ends."""
        if (earlier := self._views.pop(run_id, None)) is not None:
            earlier.cancel()
        task = asyncio.create_task(self._show(run_id, thread_id, after))
        self._views[run_id] = task
        task.add_done_callback(lambda ended: self._forget(run_id, ended))

    def _forget(self, run_id: str, task: asyncio.Task[None]) -> None:
        if self._views.get(run_id) is task:
            del self._views[run_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("view_failed", exc_info=error)

    async def _show(self, run_id: str, thread_id: str, after: int) -> None:
        has_ended = False
        try:
            async for batch in self._routes.runs.watch_batches(*self._user, run_id, after):
                for event in batch:
                    await self._send_event(event, run_id, thread_id)
                    has_ended = event["event"] in TERMINAL
        except ViewerDropped:
            await self.socket.close(CLOSE_TOO_SLOW)
        except StoreError as error:  # the run goes on when the database is back
            logger.warning("view_ended", extra={"code": error.code})
            await self.socket.close(CLOSE_RESTARTING)
        except AgentError as error:
            await self.send(to_error_frame(error))
        except (WebSocketDisconnect, RuntimeError):
            return  # the client is gone
        else:
            if not has_ended and self._routes.runs.is_draining:
                await self.socket.close(CLOSE_RESTARTING)

    async def _send_event(self, event: Event, run_id: str, thread_id: str) -> None:
        message_id = None
        if event["event"] == "done":
            db = self._routes.around.store.read(self._identity.tenant_id)
            position = await load_answer_position(db, thread_id, run_id)
            message_id = None if position is None else make_message_id(thread_id, position)
        frame = to_frame(event, thread_id, message_id)
        if frame is not None:
            await self.send({**frame, "seq": event["seq"]})

    async def send(self, frame: Frame) -> None:
        self._sending_since = time.monotonic()
        await self.socket.send_text(orjson.dumps(frame).decode())
        self._sending_since = None

    async def _guard_reader(self) -> None:
        """Ends when the client reads nothing: what waits for it must not pile up."""
        timeout_s = self._routes.around.settings.limits.viewer_timeout_s
        while True:
            await asyncio.sleep(timeout_s / 2)
            since = self._sending_since
            if since is not None and time.monotonic() - since > timeout_s:
                logger.info("viewer_dropped")
                return
