"""An httpx2 transport for the SDKs' clients, over our own HTTP/1.1 connections.

httpx2's own transport goes through anyio, httpcore2 and h11, all Python: most of the CPU time of a
model call (docs/decisions/11-cpu-of-a-turn.md). It stays in use where the environment names a
proxy.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections import defaultdict
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any, Final

import httpx2

from .connection import Connection
from .dialing import Dialer

# Of these a second one does no more than the first (RFC 9110, 9.2.2). No model call is one of them:
# who makes it must know that it may be paid twice.
_REPEATABLE: Final = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"})
_PORTS: Final = {"http": 80, "https": 443}
Origin = tuple[str, str, int]  # scheme, host, port
Idle = dict[Connection, None]  # of one origin, the one used last at the end


class ProviderTransport(httpx2.AsyncBaseTransport):
    """HTTP connections of one event loop, kept open between requests."""

    def __init__(self, tls: ssl.SSLContext, limits: httpx2.Limits) -> None:
        self._dialer = Dialer(tls)
        self._slots = asyncio.Semaphore(limits.max_connections or sys.maxsize)
        self._idle_s = limits.keepalive_expiry
        self._idle = defaultdict[Origin, Idle](dict)
        self._open = set[Connection]()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        limits: dict[str, float | None] = request.extensions.get("timeout", {})
        try:
            body: Any = request.content
        except httpx2.RequestNotRead:  # it goes out as it is made
            body = request.stream
        head = build_head(request) + b"\r\n"
        origin = read_origin(request.url)
        connection, idle = await self.ask(request.method, origin, head, body, limits)
        return make_response(connection, partial(self.give_back, connection, idle))

    async def ask(
        self,
        method: str,
        origin: Origin,
        head: bytes,
        body: bytes | AsyncIterable[bytes],
        limits: Mapping[str, float | None],
    ) -> tuple[Connection, Idle]:
        """Send a request and wait for the head of the response; return the connection.

        Also returns the `idle` for `give_back`, which must follow.
        limits: seconds to "connect", "read" and wait in the "pool"; None or missing is no limit.
        Raises: httpx2.TransportError.
        """
        # Only then: `asyncio.timeout` costs more than taking a free slot.
        if self._slots.locked():
            try:
                async with asyncio.timeout(limits.get("pool")):
                    await self._slots.acquire()
            except TimeoutError:
                raise httpx2.PoolTimeout("PoolTimeout") from None
        else:
            await self._slots.acquire()
        idle = self._idle[origin]
        try:
            return await self._exchange(method, origin, head, body, limits, idle), idle
        except BaseException:
            self._slots.release()
            raise

    def give_back(self, connection: Connection, idle: Idle) -> None:
        """Free a connection's slot, and keep the connection if its response was fully read."""
        if connection.end(self._idle_s):
            idle[connection] = None
        self._slots.release()

    async def aclose(self) -> None:
        for connection in [*self._open]:
            connection.close()
        await asyncio.sleep(0)  # the loop closes the sockets in its next turn

    async def _exchange(
        self,
        method: str,
        origin: Origin,
        head: bytes,
        body: bytes | AsyncIterable[bytes],
        limits: Mapping[str, float | None],
        idle: Idle,
    ) -> Connection:
        """Send a request; return the connection on which the answer has begun.

        One that the server closed while it lay idle is told from a server that hangs up only by
        this: nothing came. Then the next one is tried, where that does no harm.
        """
        scheme, host, port = origin
        while True:
            if is_used := bool(idle):
                # The most recently used one: the others grow old and are closed, as they should be
                # after a peak.
                connection = idle.popitem()[0]
            else:
                connection = await self._dialer.connect(
                    host, port, is_tls=scheme == "https", timeout_s=limits.get("connect")
                )
                self._open.add(connection)
                connection.on_lost = partial(self._forget, connection, idle)
            try:
                connection.begin(limits.get("read"), has_body=method != "HEAD")
                await connection.send(head, body)
                await connection.read_head()
            except BaseException as error:
                # After any failure, also a cancellation: another request must not read the rest of
                # this answer.
                connection.close()
                # The race of keep-alive: the server closes while our request is on its way. Nothing
                # came back, but it may have been read: a POST is not sent again, it would be paid
                # twice (test_a_closed_idle_connection_causes_no_repeated_request).
                is_stale = isinstance(error, httpx2.ReadError | httpx2.RemoteProtocolError)
                is_stale = is_stale and is_used and not connection.has_read
                if not is_stale or method not in _REPEATABLE or not isinstance(body, bytes):
                    raise
            else:
                return connection

    def _forget(self, connection: Connection, idle: Idle) -> None:
        self._open.discard(connection)
        idle.pop(connection, None)


class _Body(httpx2.AsyncByteStream):
    """A response's streamed body; closing it returns a finished connection to the pool."""

    def __init__(self, connection: Connection, give_back: Callable[[], None]) -> None:
        self._connection = connection
        self._give_back: Callable[[], None] | None = give_back

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while data := await self._connection.read():
            yield data

    async def aclose(self) -> None:
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back()


def make_response(connection: Connection, give_back: Callable[[], None]) -> httpx2.Response:
    """Build the httpx2 response for a connection whose head has arrived."""
    return httpx2.Response(
        connection.status,
        headers=connection.headers,
        stream=_Body(connection, give_back),
        extensions={"http_version": b"HTTP/1.1", "reason_phrase": connection.reason},
    )


def read_origin(url: httpx2.URL) -> Origin:
    """Return the URL's (scheme, host, port). Raises: httpx2.UnsupportedProtocol."""
    scheme = url.scheme
    if scheme not in _PORTS:
        raise httpx2.UnsupportedProtocol(
            f"a URL with {scheme or 'no'} scheme is not supported: use http or https"
        )
    return scheme, url.raw_host.decode("ascii"), url.port or _PORTS[scheme]


def build_head(request: httpx2.Request, *, without: bytes = b"") -> bytes:
    """Build the bytes of request line and headers, without the final empty line.

    without: a header to leave out, in lower case.

    Raises: httpx2.LocalProtocolError for a header that would end its line.
    """
    lines = [b"%b %b HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)]
    raw = ((name.lower(), value) for name, value in request.headers.raw)
    lines += [b"%b: %b" % (name, value) for name, value in raw if name != without]
    head = b"\r\n".join(lines)
    # A key pasted with a line break would end its header and begin another
    # (tests/providers/test_http_transport.py::test_header_values_with_line_breaks_are_refused).
    if {head.count(b"\n"), head.count(b"\r")} != {len(lines) - 1} or b"\0" in head:
        raise httpx2.LocalProtocolError(
            "a request header has a line break: check the API key and the configured headers"
        )
    return head + b"\r\n"
