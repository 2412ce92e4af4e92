"""One HTTP/1.1 connection over httptools (llhttp, as Node has it): one request at a time.

What the bytes alone do not tell is told as httpx2's own transport tells it: the SDKs, and those who
read their errors, know nothing else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterable, Callable
from typing import Any, Final

import httptools
import httpx2

MAX_HEADER_BYTES: Final = 65_536
# Otherwise endless headers, trailers or interim answers would fill the memory.
MAX_IDLE_BYTES: Final = 131_072  # of a head, of trailers, of what else brings nothing of a body
# A slow viewer must not make us hold a whole answer
# (tests/providers/test_http_transport.py::test_slow_readers_exert_back_pressure).
MAX_BUFFERED_BYTES: Final = 262_144  # of a body that nobody reads; then the server waits

_CUT_BEFORE: Final = "Server disconnected without sending a response."
_CUT_IN_BODY: Final = "peer closed connection without sending complete message body"


class Connection(asyncio.Protocol):
    """One HTTP/1.1 connection to a provider, for one request after the other.
    For each request: `begin`, `send`, `read_head`, `read` until b"", `end`.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: Any = None
        self._parser: Any = httptools.HttpResponseParser(self)
        # As lenient as Node and aiohttp: no answer is refused for a space too many.
        # Strict parsing guards a shared server against smuggled requests; here, one client reads
        # one answer.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
        )
        self._waiter: asyncio.Future[None] | None = None
        self._waits_since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_choked = self._is_paused = self._is_closed = False  # the socket, we, both
        self.on_lost: Callable[[], None] | None = None
        # Before the first request: `end` and `data_received` read its fields.
        self.begin(None)
        self._is_complete = True

    def begin(self, read_s: float | None, *, has_body: bool = True) -> None:
        """Reset the state for a new request, and start its read timeout.

        read_s: the longest silence. has_body: HEAD is answered without one, which only the sender
        knows.
        """
        self.status, self.reason = 0, b""
        self.headers: list[tuple[bytes, bytes]] = []
        self.has_read = False  # anything at all of the answer
        self._has_body = has_body
        self._has_head = self._is_complete = self._is_interim = False
        self._keeps_alive = self._ends_with_connection = False
        self._failure: httpx2.TransportError | None = None
        self._parts: list[bytes] = []
        self._size = self._idle_bytes = self._unsent = 0
        self._read_s = read_s
        self._set_timer(read_s, self._check_silence)
        if self._is_closed:  # before anything was asked
            self._finish(None)

    async def send(self, head: bytes, body: bytes | AsyncIterable[bytes]) -> None:
        """Write a request's head and body. A failure shows only when the response is read."""
        if isinstance(body, bytes):
            self._transport.write(head + body)
            return
        self._transport.write(head)
        is_chunked = b"\r\ntransfer-encoding: chunked\r\n" in head
        async for part in body:
            if part:
                framed = b"%x\r\n%b\r\n" % (len(part), part) if is_chunked else part
                self._transport.write(framed)
            # A server may answer (413, say) before it has read the body, and then reads no further.
            while self._is_choked and not (self._is_closed or self._is_complete):
                await self._wait()
            if self._is_closed or self._is_complete:
                return  # it has answered already
        if is_chunked:
            self._transport.write(b"0\r\n\r\n")

    async def read_head(self) -> None:
        """Wait until the response's head has arrived. Raises: httpx2.TransportError."""
        while not self._has_head:
            if self._failure is not None:
                raise self._failure
            await self._wait()

    async def read(self) -> bytes:
        """Wait for the next part of the response's body and return it; b"" at the end.

        Raises: httpx2.TransportError, behind all that came before.
        """
        while not self._parts:
            if self._is_complete:
                return b""
            if self._failure is not None:
                raise self._failure
            await self._wait()
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        if self._is_paused:
            self._is_paused = False
            self._transport.resume_reading()
        return data

    def end(self, idle_s: float | None) -> bool:
        """End the exchange; return whether the connection stays open for the next request.

        Kept only if the response was read to its end and the server keeps the connection alive.
        """
        # The unread rest of a body would be read as the next request's answer.
        if self._is_complete and self._keeps_alive and not self._is_paused and idle_s != 0:
            self._set_timer(idle_s, self.close)
            return not self._is_closed
        self.close()
        return False

    def close(self) -> None:
        """Close the connection at once, discarding its buffers."""
        self._set_timer(None, self.close)
        self._lose()
        if self._transport is not None:
            self._transport.abort()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        # Servers send 408 into an idle connection before they close it: read with the next request,
        # it would be that one's answer.
        if self._is_complete:  # it was not asked: whose answer would that be?
            self.close()
            return
        self.has_read = True
        size = self._size
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._fail(
                httpx2.RemoteProtocolError("the server switched protocols, which was not requested")
            )
        except httptools.HttpParserError as error:
            self._keeps_alive = False
            self._fail(httpx2.RemoteProtocolError(str(error) or "no HTTP"))
        self._idle_bytes = self._idle_bytes + len(data) if self._size == size else 0
        if self._idle_bytes > MAX_IDLE_BYTES:
            self._fail(httpx2.RemoteProtocolError("the answer's headers are too long"))
        if self._size > MAX_BUFFERED_BYTES and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._finish(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish(exc)
        self._parser = None  # it holds us

    def pause_writing(self) -> None:
        self._is_choked = True

    def resume_writing(self) -> None:
        self._is_choked = False
        self._wake()

    # What httptools calls. Behind a whole answer it may begin with another one, unasked.

    def on_message_begin(self) -> None:
        if self._is_complete:
            self._keeps_alive = False

    def on_status(self, reason: bytes) -> None:
        self.reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(name) + len(value) > MAX_HEADER_BYTES:
            raise ValueError("a header of the provider's answer exceeds 64 KiB: check its URL")
        if not self._has_head:  # else a trailer
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        if self._is_complete:
            return
        self.status = self._parser.get_status_code()
        if self.status < 200:  # 100, 103: the answer is still to come
            self._is_interim, self.headers, self.reason = True, [], b""
            return
        self._has_head = True
        self._keeps_alive = self._parser.should_keep_alive() and self._has_body
        # Without a frame the body ends with the connection: then its close is an end, not a cut.
        if not self._keeps_alive:
            self._ends_with_connection = not any(map(_is_frame, self.headers))
            self._is_complete = not self._has_body

    def on_body(self, data: bytes) -> None:
        if not self._is_complete:
            self._parts.append(data)
            self._size += len(data)

    def on_message_complete(self) -> None:
        self._is_complete, self._is_interim = not self._is_interim, False

    # Waiting, and what ends it.

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        self._waits_since = time.monotonic()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _set_timer(self, seconds: float | None, then: Callable[[], None]) -> None:
        """Replace the only timer, which limits silence in an answer or idleness after it."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self._loop.call_later(seconds, then)

    def _check_silence(self) -> None:
        left_s = self._read_s or 0.0
        # A server that accepts bytes of a large body is not silent; one that accepts none is
        # (tests/providers/test_http_transport.py::test_a_server_that_accepts_no_bytes_times_out).
        if self._is_choked:
            before, self._unsent = self._unsent, self._transport.get_write_buffer_size()
            if self._unsent == before:
                self._fail(httpx2.WriteTimeout("WriteTimeout"))
        elif self._waiter is not None:
            # Counted from the moment when a reader began to wait: time without a reader is not the
            # server's silence. One timer for all reads, moved when it fires, costs less than one
            # for each read.
            left_s += self._waits_since - time.monotonic()
            if left_s <= 0:
                self._fail(httpx2.ReadTimeout("ReadTimeout"))
        if self._failure is None:
            self._set_timer(left_s, self._check_silence)

    def _fail(self, failure: httpx2.TransportError) -> None:
        """Close with a failure that readers get after the bytes received so far."""
        if self._failure is None and not self._is_complete:
            self._failure = failure
            self.close()
            self._wake()

    def _finish(self, error: Exception | None) -> None:
        """Handle the connection's end: it completes a body without a length, and cuts any other."""
        self._lose()
        if not self._has_head:
            cut = httpx2.RemoteProtocolError(_CUT_BEFORE)
            self._fail(cut if error is None else httpx2.ReadError(str(error) or repr(error)))
        elif error is None and self._ends_with_connection and self._failure is None:
            self._is_complete = True
        else:
            self._fail(httpx2.RemoteProtocolError(_CUT_IN_BODY))
        self._wake()

    def _lose(self) -> None:
        self._is_closed = True
        if self.on_lost is not None:
            self.on_lost()


def _is_frame(header: tuple[bytes, bytes]) -> bool:
    """Whether a header says where the body ends."""
    name, value = header[0].lower(), header[1].strip().lower()
    is_chunked = name == b"transfer-encoding" and value.endswith(b"chunked")
    return name == b"content-length" or is_chunked
