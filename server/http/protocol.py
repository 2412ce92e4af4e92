"""uvicorn's HTTP protocol with what it lacks: a bound on a request's head, ways to drop a client
and to cut an answer, and errors in our own shape where no application is asked.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import orjson
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ..settings import ServerLimits
from .error_table import to_error_body
from .sse import ABORT_KEY, CUT_KEY


def _build_refusal(status: str, code: str, message: str, *more: str) -> bytes:
    """Build a whole answer to a request that no application sees. more: headers."""
    body = orjson.dumps(to_error_body(code, message))
    headers = (
        "content-type: application/json",
        f"content-length: {len(body)}",
        "connection: close",
        *more,
    )
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body


_TOO_LARGE: Final = _build_refusal(
    "431 Request Header Fields Too Large",
    "HEADERS_TOO_LARGE",
    "the request line or headers are too large",
)
_TOO_SLOW: Final = _build_refusal(
    "408 Request Timeout", "REQUEST_TOO_SLOW", "the request took too long to arrive"
)
_FULL: Final = _build_refusal(
    "503 Service Unavailable",
    "TOO_MANY_CONNECTIONS",
    "the server has too many open connections",
    "retry-after: 1",
)
_NO_HTTP: Final = _build_refusal("400 Bad Request", "INVALID_FORMAT", "this is not an HTTP request")


class _Line(list[Any]):
    """The queue of a connection's pipelined requests: a list, as it is empty in nearly all."""

    __slots__ = ()

    def appendleft(self, item: Any) -> None:
        self.insert(0, item)


class _Flow(FlowControl):
    """uvicorn's flow control, which makes its event (760 bytes) only while writing is paused."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self.read_paused = self.write_paused = False

    async def drain(self) -> None:
        if self.write_paused:
            await super().drain()

    def pause_writing(self) -> None:
        if not self.write_paused:
            self._is_writable_event = asyncio.Event()
        super().pause_writing()


# asyncio's own high-water mark, so that a long catch-up pauses its writer as it would without us.
_GATHERED_BYTES: Final = 64 * 1024  # as many wait for the end of a turn: then a slow client shows


class _Gathering:
    """A socket's transport that joins the writes of one turn of the event loop."""

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes] = []
        self._size_bytes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._waiting:
            # After the other callbacks of this turn: frames of several runs leave in one write and
            # one packet (test_simultaneous_frames_are_sent_in_one_write).
            self._loop.call_soon(self._flush)
        self._waiting.append(data)
        self._size_bytes += len(data)
        if self._size_bytes > _GATHERED_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._waiting:
            self._transport.write(b"".join(self._waiting))
            self._waiting.clear()
            self._size_bytes = 0


class RefusingSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket protocol that remembers that a refused handshake was answered.

    uvicorn forgets it behind a body of `websocket.http.response`, and logs an error for each client
    without a valid token (test_a_refused_handshake_is_not_logged_as_an_error).
    """

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True


class BoundedProtocol(HttpToolsProtocol):
    """An HTTP connection with limits on headers, time and pipelined requests.

    uvicorn ends idle connections between requests (`timeout_keep_alive`), but waits for ever for
    the first request, and for the rest of one that has begun: 205 silent sockets shut out all.
    """

    max_header_bytes = 0  # of a request's line and headers; these three are set by `make_protocol`
    head_timeout_s = 0.0
    body_timeout_s = 0.0
    # Not in the instance's dict: of more than 30 attributes Python shares no names between
    # connections, which took 1.3 kB of each (test_a_connection_shares_its_attributes_names).
    __slots__ = ("_deadline", "_head_bytes", "_is_in_head")

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._head_bytes, self._is_in_head = 0, True
        self._deadline: asyncio.TimerHandle | None = None
        self.flow = _Flow(transport)
        line: Any = _Line()
        self.pipeline = line
        self._set_deadline(self.head_timeout_s)

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_deadline(None)
        super().connection_lost(exc)

    def _set_deadline(self, after_s: float | None) -> None:
        """Set when what the client is sending must be complete, replacing the last deadline."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if after_s is None else self.loop.call_later(after_s, self._expire)

    def _expire(self) -> None:
        """Refuse a request that came too slowly, or cut the line if its answer has begun."""
        cycle: Any = self.cycle  # None before the first request, whatever uvicorn's types say
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self._refuse(_TOO_SLOW)
        else:
            self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        self._set_deadline(None)
        # The deadline ends here: a socket may be silent for hours, and uvicorn's pings find a dead
        # one.
        gathering: Any = _Gathering(self.transport, self.loop)
        self.transport = gathering  # the socket's protocol is given it
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        if self._is_in_head:
            # The head of the next request on a kept-alive connection. While an answer is sent,
            # empty lines begin no head: old clients send one after a body (RFC 9112, 2.2), and its
            # answer would be cut (test_an_empty_line_behind_a_request_begins_no_other). Without an
            # answer they do: uvicorn's own time-out ends at any byte
            # (test_an_empty_line_keeps_no_idle_connection_open).
            cycle: Any = self.cycle
            is_idle = cycle is None or cycle.response_complete
            if self._deadline is None and (is_idle or data.strip(b"\r\n")):
                self._set_deadline(self.head_timeout_s)
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > self.max_header_bytes:
            self._refuse(_TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        self._is_in_head = True
        scope: Any = self.scope
        scope[ABORT_KEY] = self.transport.abort
        scope[CUT_KEY] = self.transport.close

    def on_headers_complete(self) -> None:
        size_bytes = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        limit = self.limit_concurrency
        if size_bytes > self.max_header_bytes:
            self._refuse(_TOO_LARGE)
        # Before uvicorn's own check, whose refusal is plain text
        # (test_connections_beyond_the_limit_get_503).
        elif limit is not None and max(len(self.connections), len(self.tasks)) >= limit:
            self._refuse(_FULL)
        else:
            self._is_in_head = False
            self._set_deadline(self.body_timeout_s)
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._is_in_head:  # else its head was refused: uvicorn has no cycle for the body
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self._is_in_head:
            return
        self._set_deadline(None)
        self._is_in_head = True  # of the next one
        self._head_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(_NO_HTTP)

    def _refuse(self, answer: bytes) -> None:
        """Send the answer and close; only close where it would stand in an earlier one."""
        if self.transport.is_closing():
            return
        # Answers come in the order of requests: a pipelined one waits for the answer that is still
        # sent (RFC 9112, 9.3.2; test_a_refused_pipelined_request_is_not_written_into_a_stream).
        cycle: Any = self.cycle
        is_answering = self._is_in_head and cycle is not None and not cycle.response_complete
        if not is_answering:
            self.transport.write(answer)
        self.transport.close()


def make_protocol(limits: ServerLimits) -> type[BoundedProtocol]:
    """Return a protocol class for `uvicorn.Config(http=…)` with these header and time limits."""
    bounds = {
        "max_header_bytes": limits.header_bytes,
        "head_timeout_s": limits.head_timeout_s,
        "body_timeout_s": limits.body_timeout_s,
    }
    return type("Protocol", (BoundedProtocol,), bounds)
