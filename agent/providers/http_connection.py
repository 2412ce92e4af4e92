"""One connection over HTTP/1.1: an exchange at a time, read by llhttp as the bytes come."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Final, cast

import httptools
import httpx2

MAX_HEAD_BYTES: Final = 100_000
BUFFER_BYTES: Final = 1_000_000  # unread ones, from which on the server has to wait

# In the words of httpx2's own transport: an SDK's user has nothing else to tell them apart by.
_CUT_IN_BODY: Final = "peer closed connection without sending complete message body"
_CUT_BEFORE: Final = "Server disconnected without sending a response."

Headers = list[tuple[bytes, bytes]]


@dataclass(slots=True)
class Answer:
    """What has come of one response."""

    is_head: bool  # of a HEAD request: it has no body, whatever its headers say
    status: int = 0
    reason: bytes = b""
    headers: Headers | None = None
    head_bytes: int = 0
    has_head: bool = False
    is_complete: bool = False
    may_go_on: bool = False  # the connection may carry another request


class Connection(asyncio.Protocol):
    """One connection and the exchange that is under way on it."""

    def __init__(self) -> None:
        self.is_closed = False
        self.idle_since = 0.0
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser: Any = None
        self._answer: Answer | None = None
        self._chunks: deque[bytes] = deque()
        self._buffered = 0
        self._is_paused = False
        self._failure: httpx2.TransportError | None = None
        self._waiter: asyncio.Future[None] | None = None

    # What the pool does

    async def exchange(self, request: bytes, timeout_s: float | None, *, is_head: bool) -> Answer:
        """Send the request, wait for the answer's head.

        Raises: httpx2.ReadTimeout, ReadError, RemoteProtocolError.
        """
        answer = self._answer = Answer(is_head, headers=[])
        self._parser = httptools.HttpResponseParser(self)
        assert self._transport is not None
        self._transport.write(request)
        while not answer.has_head:
            await self._wait(timeout_s)
        return answer

    async def read(self, timeout_s: float | None) -> bytes:
        """What of the body has come since the last time; b"" at its end. Raises: as exchange."""
        while not self._chunks:
            if self._answer is None or self._answer.is_complete:
                return b""
            await self._wait(timeout_s)
        data = b"".join(self._chunks)
        self._chunks.clear()
        self._buffered = 0
        if self._is_paused and self._transport is not None:
            self._is_paused = False
            self._transport.resume_reading()
        return data

    def end_exchange(self) -> bool:
        """Whether another request may follow; else the connection is closed."""
        answer, self._answer, self._parser = self._answer, None, None
        is_whole = answer is not None and answer.is_complete and answer.may_go_on
        if not is_whole or self._chunks or self.is_closed:
            self.close()
            return False
        self.idle_since = time.monotonic()
        return True

    def close(self) -> None:
        self.is_closed = True
        if self._answer is not None and not self._answer.is_complete:
            self._fail(httpx2.ReadError("the connection was closed on this side"))
        if self._transport is not None:
            self._transport.abort()

    async def _wait(self, timeout_s: float | None) -> None:
        if self._failure is not None:
            raise self._failure
        self._waiter = self._loop.create_future()
        timer = None if timeout_s is None else self._loop.call_later(timeout_s, self._expire)
        try:
            await self._waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()

    def _expire(self) -> None:
        self._fail(httpx2.ReadTimeout("the server sent nothing for too long"))

    def _fail(self, failure: httpx2.TransportError) -> None:
        self._failure = self._failure or failure
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(self._failure)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # What the event loop tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        answer = self._answer
        if answer is None or answer.is_complete:
            self.close()  # nobody asked for this
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self.is_closed = True
            if not answer.is_complete:
                self._fail(httpx2.RemoteProtocolError(f"not HTTP/1.1: {error}"))
        if self._buffered > BUFFER_BYTES and not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()
        if answer.has_head:
            self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_closed = True
        answer = self._answer
        if answer is None or answer.is_complete or self._failure is not None:
            return
        if exc is not None:
            self._fail(httpx2.ReadError(str(exc)))
        elif answer.has_head and not _has_length(answer.headers or []):
            answer.is_complete = True  # such a body ends with its connection
            self._wake()
        else:
            said = _CUT_IN_BODY if answer.has_head else _CUT_BEFORE
            self._fail(httpx2.RemoteProtocolError(said))

    # What the parser tells

    def on_message_begin(self) -> None:
        assert self._answer is not None
        if self._answer.is_complete:
            raise ValueError("two answers to one request")

    def on_status(self, reason: bytes) -> None:
        assert self._answer is not None
        self._answer.reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        assert self._answer is not None and self._answer.headers is not None
        self._answer.head_bytes += len(name) + len(value)
        if self._answer.head_bytes > MAX_HEAD_BYTES:
            raise ValueError("its head is too long")
        self._answer.headers.append((name, value))

    def on_headers_complete(self) -> None:
        answer = self._answer
        assert answer is not None
        answer.status = self._parser.get_status_code()
        answer.has_head = answer.status >= 200
        answer.may_go_on = self._parser.should_keep_alive()
        if answer.is_head and answer.has_head:
            answer.is_complete, answer.may_go_on = True, False

    def on_body(self, data: bytes) -> None:
        self._chunks.append(data)
        self._buffered += len(data)

    def on_message_complete(self) -> None:
        answer = self._answer
        assert answer is not None
        if answer.has_head:
            answer.is_complete = True
        else:  # 100 Continue, 103 Early Hints: the answer is still to come
            answer.headers, answer.reason = [], b""


def _has_length(headers: Headers) -> bool:
    """Whether the body says itself where it ends."""
    found = {name.lower(): value.lower() for name, value in headers}
    coding = found.get(b"transfer-encoding")
    return coding.endswith(b"chunked") if coding is not None else b"content-length" in found
