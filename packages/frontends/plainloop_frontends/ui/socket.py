"""`/api/ui/{agent}/ws`: what the AI SDK's `WebSocketChatTransport` asks. Several chats share one
socket, each request's chunks carry its id and count from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec import field as named

from plainloop.agent.core.api import ApiRequest
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import AgentError, InputError
from plainloop.agent.events import TERMINAL, WAITING
from plainloop.server.auth.identity import Identity
from plainloop.server.http.endpoint import AppContext, make_request
from plainloop.server.http.error_table import to_words
from plainloop.server.http.reading import convert
from plainloop.server.protocols.encoder import Frame, encode_events
from plainloop.server.ws.outlet import CLOSE_RESTARTING, Outlet, Views
from plainloop.server.ws.reading import FrameReader, ProtocolSocket, decode_frame

from .routes import UiRoutes, UiTurn
from .shapes import WITH_RESETS, Name, UiRequest

PATH: Final = "/api/ui/{agent}/ws"


class UiFrame(Struct):
    """A WebSocket frame of the client.

    Headers in it are the application's: the handshake determined the user.
    """

    type: Literal["send", "resume", "abort"]
    request_id: Name = named(name="requestId")
    id: str = ""  # of the chat
    trigger: str = "submit-message"
    message_id: str | None = named(default=None, name="messageId")
    messages: list[dict[str, Any]] = []
    body: dict[str, Any] = {}
    last_sequence: int | UnsetType | None = named(default=UNSET, name="lastSequence")

    def to_request(self) -> UiRequest:
        """Convert the frame to the equivalent HTTP request's body.

        Raises: ShapeError.
        """
        own = {"id": self.id, "trigger": self.trigger, "messageId": self.message_id}
        return convert({**self.body, **own, "messages": self.messages}, UiRequest, "the frame")


def list_sockets(app: AppContext) -> Sequence[ProtocolSocket]:
    async def serve(outlet: Outlet, identity: Identity) -> None:
        await UiSocket(app, outlet, identity, Views(outlet)).serve()

    return (ProtocolSocket(PATH, serve),)


@dataclass(frozen=True, slots=True)
class UiSocket:
    app: AppContext
    outlet: Outlet
    identity: Identity
    _views: Views  # by request

    async def serve(self) -> None:
        tell = partial(to_error_frame, "")
        reader = FrameReader(self.outlet, self.identity, self.app, self._act, tell)
        try:
            await reader.read_all()
        finally:
            await self._views.close()

    async def _act(self, text: str | None) -> None:
        frame = parse_frame(text)
        if frame.type == "abort":  # its client looks away; the run has a route to be stopped by
            self._views.end(frame.request_id)
            return
        try:
            await self._begin(frame)
        except AgentError as error:
            await self.outlet.send(to_error_frame(frame.request_id, error))

    async def _begin(self, frame: UiFrame) -> None:
        """Start a run for a frame, and stream its chunks. Raises: AgentError."""
        if frame.request_id in self._views:
            raise InputError(
                "a request with this id is still being answered",
                hint="Use a new id for each request.",
            )
        socket, routes = self.outlet.socket, UiRoutes(self.app)
        params = {**socket.path_params, "chat_id": frame.id}
        asker = make_request(self.app, self.identity, self.app.service.pack, {}, params)
        if frame.type == "send":
            turn = await routes.begin(asker, frame.to_request())
        elif (turn := await routes.find_running(asker)) is None:
            await self.outlet.send({"type": "no-active", "requestId": frame.request_id})
            return
        seen = frame.last_sequence if isinstance(frame.last_sequence, int) else -1
        show = partial(self._show, frame.request_id, asker, turn, seen)
        self._views.start(frame.request_id, show, partial(to_error_frame, frame.request_id))

    async def _show(self, request_id: str, asker: ApiRequest, turn: UiTurn, seen: int) -> None:
        """Send the run's chunks until it ends or waits for its user."""
        encoder, sequence, last = UiRoutes(self.app).make_encoder(turn, WITH_RESETS), 0, ""
        named_frame = {"requestId": request_id}

        async def send(chunks: Sequence[Frame]) -> None:
            nonlocal sequence
            for chunk in chunks:
                if sequence > seen:
                    told = {"type": "chunk", **named_frame, "sequence": sequence, "chunk": chunk}
                    await self.outlet.send(told)
                sequence += 1

        with self.app.streams.held(asker.tenant_id, asker.user_id):
            await self.outlet.send({"type": "start", **named_frame})
            await send(encoder.reopen() if turn.after else [])
            batches = self.app.runs.watch_turn(asker.tenant_id, asker.user_id, turn.run_id)
            async with aclosing(self.app.auth.show_while_held(self.identity, batches)) as shown:
                async for events in shown:
                    last = events[-1]["event"]
                    await send(encode_events(encoder, events, turn.after))
            if last in WAITING:
                await send(encoder.wait())
            elif last not in TERMINAL:  # its client resumes over another socket
                await self.outlet.close(CLOSE_RESTARTING)
                return
            await self.outlet.send({"type": "end", **named_frame})


def parse_frame(text: str | None) -> UiFrame:
    """Parse a text frame that a client sent over the WebSocket.

    Raises: InputError, ShapeError.
    """
    return convert(decode_frame(text, "the frame"), UiFrame, "the frame")


def to_error_frame(request_id: str, error: AgentError) -> Frame:
    """Build the frame of a request's error, with a text that users may read."""
    return {"type": "error", "requestId": request_id, "errorText": to_words(error)}
