"""`/v1/responses` as a WebSocket: responses one after the other, each as its events."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import AgentError, InputError
from plainloop.agent.events import TERMINAL, WAITING
from plainloop.agent.service.runs import ViewerDropped
from plainloop.server.auth.identity import Identity, get_identity
from plainloop.server.http.endpoint import AppContext, make_request
from plainloop.server.http.error_table import get_mapping
from plainloop.server.http.reading import convert
from plainloop.server.protocols.encoder import Frame, encode_events
from plainloop.server.ws.outlet import CLOSE_RESTARTING, CLOSE_TOO_SLOW, Outlet
from plainloop.server.ws.reading import FrameReader, ProtocolSocket, decode_frame

from .answers import Answer
from .errors import to_error
from .response_routes import ResponseRoutes
from .responses import ResponseEncoder
from .retries import RETRY_HEADER
from .shapes import ResponseBody


def list_sockets(app: AppContext) -> Sequence[ProtocolSocket]:
    return (ProtocolSocket("/v1/responses", ResponseSocket(app).serve),)


@dataclass(frozen=True, slots=True)
class ResponseSocket:
    app: AppContext

    async def serve(self, outlet: Outlet, identity: Identity) -> None:
        # A key of the handshake would make all responses of the socket one, and so would its count.
        unmeant = ("idempotency-key", RETRY_HEADER)
        headers = {k: v for k, v in outlet.socket.headers.items() if k not in unmeant}
        request = make_request(self.app, identity, self.app.service.pack, headers)
        newest = ""  # the response that this socket may continue, also an unstored one

        async def act(text: str | None) -> None:
            nonlocal newest
            body = parse_create(text)
            kept = newest
            if body.previous_response_id == kept:
                newest = ""  # the protocol: after a failed continuation it is gone
            answer = await ResponseRoutes(self.app, kept).begin(request, body)
            newest = answer.encoder.resource["id"]
            await self._show(outlet, answer)

        await FrameReader(outlet, identity, self.app, act, to_error_event).read_all()

    async def _show(self, outlet: Outlet, answer: Answer[ResponseEncoder]) -> None:
        """To the response's end; the next one is begun after it."""
        last = ""
        with self.app.streams.held(*answer.request.owner):
            try:
                identity = get_identity(answer.request)
                shown = self.app.auth.show_while_held(identity, answer.watch())
                async with aclosing(shown) as batches:
                    async for events in batches:
                        last = events[-1]["event"]
                        for frame in encode_events(answer.encoder, events):
                            await outlet.send(frame)
            except ViewerDropped:
                await outlet.close(CLOSE_TOO_SLOW)
                return
        if last in WAITING:
            for frame in answer.encoder.wait():
                await outlet.send(frame)
        elif last not in TERMINAL:  # this process is being stopped, the run continues
            await outlet.close(CLOSE_RESTARTING)


def parse_create(text: str | None) -> ResponseBody:
    """Parse a `response.create` event to the body of a response.

    Raises: InputError.
    """
    event = as_object(decode_frame(text, "the event"))
    if event.get("type") != "response.create":
        raise InputError(
            "the only supported event is response.create", hint="Send other requests over HTTP."
        )
    del event["type"]
    return convert(ResponseBody.fit(event), ResponseBody, "the event")


def to_error_event(error: AgentError) -> Frame:
    """Convert an error to an event of the WebSocket, which stays open."""
    return {"type": "error", "status": get_mapping(error).status, "error": to_error(error)}
