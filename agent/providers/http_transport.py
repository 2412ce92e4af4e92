"""HTTP/1.1 to the providers: httpx2's transport over asyncio and llhttp, nothing between them.

    request ─► an idle connection of its origin, or a new one ─► head and body in one write
            ─► the answer's head ─► its body as it comes ─► idle again, if it came to its end

httpx2's own transport goes through anyio, httpcore2 and h11, which is two thirds of the CPU time
of a model call (docs/decisions/0012). It stays in use where the environment names a proxy.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
import ssl
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, cast

import httpx2

from agent.providers.http_connection import Connection

NEXT_ADDRESS_S: Final = 0.25  # until a name's next address is tried as well

Origin = tuple[str, str, int]  # scheme, host, port


class Body(httpx2.AsyncByteStream):
    """A response's body; closing it gives the connection back."""

    def __init__(
        self, pool: ProviderTransport, origin: Origin, connection: Connection, timeout_s: Any
    ) -> None:
        self._pool = pool
        self._origin = origin
        self._connection: Connection | None = connection
        self._timeout_s = timeout_s

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while self._connection is not None:
            data = await self._connection.read(self._timeout_s)
            if not data:
                return
            yield data

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._pool.give_back(self._origin, connection)


class ProviderTransport(httpx2.AsyncBaseTransport):
    """Connections of one event loop, kept open between requests."""

    def __init__(self, tls: ssl.SSLContext, limits: httpx2.Limits) -> None:
        self._tls = tls
        self._tls.set_alpn_protocols(["http/1.1"])
        self._max_idle = limits.max_keepalive_connections or 0
        self._max_idle_s = limits.keepalive_expiry or 0.0
        self._slots = asyncio.Semaphore(limits.max_connections or 1)
        self._idle: dict[Origin, list[Connection]] = {}
        self._open: set[Connection] = set()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        limits: dict[str, float | None] = request.extensions.get("timeout", {})
        origin, sent = to_origin(request.url), await to_wire(request)
        await self._take_slot(limits.get("pool"))
        connection: Connection | None = None
        try:
            connection = self._take_idle(origin) or await self._connect(
                origin, limits.get("connect")
            )
            answer = await connection.exchange(
                sent, limits.get("read"), is_head=request.method == "HEAD"
            )
        except BaseException:
            if connection is not None:
                connection.close()
                self._open.discard(connection)
            self._slots.release()
            raise
        return httpx2.Response(
            answer.status,
            headers=answer.headers,
            stream=Body(self, origin, connection, limits.get("read")),
            extensions={"http_version": b"HTTP/1.1", "reason_phrase": answer.reason},
        )

    def give_back(self, origin: Origin, connection: Connection) -> None:
        self._slots.release()
        if not connection.end_exchange():
            self._open.discard(connection)
            return
        idle = self._idle.setdefault(origin, [])
        idle.append(connection)
        if sum(map(len, self._idle.values())) > self._max_idle:
            self._drop(idle.pop(0))

    async def aclose(self) -> None:
        for connection in [*self._open]:
            self._drop(connection)
        self._idle.clear()

    async def _take_slot(self, timeout_s: float | None) -> None:
        if not self._slots.locked():
            await self._slots.acquire()
            return
        try:
            async with asyncio.timeout(timeout_s):
                await self._slots.acquire()
        except TimeoutError as error:
            raise httpx2.PoolTimeout("all connections are in use") from error

    def _take_idle(self, origin: Origin) -> Connection | None:
        """The connection that was used last: the server's own idle time is the furthest away."""
        idle = self._idle.get(origin, [])
        while idle:
            connection = idle.pop()
            is_fresh = time.monotonic() - connection.idle_since < self._max_idle_s
            if is_fresh and not connection.is_closed:
                return connection
            self._drop(connection)
        return None

    async def _connect(self, origin: Origin, timeout_s: float | None) -> Connection:
        scheme, host, port = origin
        tls: dict[str, Any] = (
            {"ssl": self._tls, "server_hostname": host} if scheme == "https" else {}
        )
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout_s):
                found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                connected = await connect_first(order_addresses(found))
                _, connection = await loop.create_connection(Connection, sock=connected, **tls)
        except TimeoutError as error:
            raise httpx2.ConnectTimeout(f"no connection to {host}:{port} in time") from error
        except OSError as error:  # also what TLS and the look-up of names find wrong
            raise httpx2.ConnectError(str(error)) from error
        self._open.add(connection)
        return connection

    def _drop(self, connection: Connection) -> None:
        connection.close()
        self._open.discard(connection)


def order_addresses(found: Sequence[Any]) -> list[Any]:
    """Of each kind in turn, as the look-up preferred them: one kind may be cut off here.

    >>> order_addresses([(6, "a"), (6, "b"), (4, "c")])
    [(6, 'a'), (4, 'c'), (6, 'b')]
    """
    kinds = {info[0]: [other for other in found if other[0] == info[0]] for info in found}
    turns = itertools.zip_longest(*kinds.values())
    return [info for turn in turns for info in turn if info is not None]


async def connect_first(addresses: Sequence[Any]) -> socket.socket:
    """A socket to the first address that answers; the next one is tried when one fails or takes
    long. Not asyncio's own way to do so: uvloop has none.

    Raises: OSError of the address that failed last.
    """
    trying: set[asyncio.Task[socket.socket]] = set()
    left, failure = [*addresses], OSError("the name has no address")
    try:
        while left or trying:
            if left:
                trying.add(asyncio.create_task(_connect_socket(left.pop(0))))
            wait_s = NEXT_ADDRESS_S if left else None
            ended, trying = await asyncio.wait(
                trying, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED
            )
            won: list[socket.socket] = []
            for task in ended:
                try:
                    won.append(task.result())
                except OSError as error:
                    failure = error
            for late in won[1:]:
                late.close()
            if won:
                return won[0]
        raise failure
    finally:
        for task in trying:
            task.cancel()


async def _connect_socket(info: Any) -> socket.socket:
    family, kind, protocol, _, address = info
    connected = socket.socket(family, kind, protocol)
    connected.setblocking(False)
    try:
        await asyncio.get_running_loop().sock_connect(connected, address)
    except BaseException:
        connected.close()
        raise
    return connected


def to_origin(url: httpx2.URL) -> Origin:
    """Raises: httpx2.UnsupportedProtocol."""
    if url.scheme not in ("http", "https"):
        raise httpx2.UnsupportedProtocol(f"neither http nor https: {url.scheme!r}")
    return (
        url.scheme,
        url.raw_host.decode("ascii"),
        url.port or (443 if url.scheme == "https" else 80),
    )


async def to_wire(request: httpx2.Request) -> bytes:
    """The request's head and body.

    Raises: httpx2.LocalProtocolError for a header that would end its line.
    """
    stream = cast(httpx2.AsyncByteStream, request.stream)
    body = b"".join([part async for part in stream])
    if "transfer-encoding" in request.headers:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
    lines = [
        b"%b %b HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path),
        *(b"%b: %b" % header for header in request.headers.raw),
    ]
    head = b"\r\n".join(lines)
    ends = len(lines) - 1
    if head.count(b"\n") != ends or head.count(b"\r") != ends or b"\0" in head:
        raise httpx2.LocalProtocolError("a header of the request holds a line end")
    return b"%b\r\n\r\n%b" % (head, body)
