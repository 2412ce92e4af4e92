"""HTTP to the providers: httpx2's clients, as the SDKs want them, over aiohttp's connections.

httpx2's own transport goes through anyio, httpcore2 and h11, all Python: most of the CPU time of a
model call (docs/decisions/0012). It stays in use where the environment names a proxy. The SDKs
offer aiohttp as well, each in a client of its own; this one serves all of them, and tells a server
that hung up from one that cannot be reached.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from typing import Any, Final

import aiohttp
import httpx2
from yarl import URL

MAX_HEADER_BYTES: Final = 65_536  # of an answer, each

# aiohttp's own headers: the request brings what the SDK decided.
_ITS_OWN: Final = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
# In the words of httpx2's own transport: an SDK's user has nothing else to tell them apart by.
_CUT_BEFORE: Final = "Server disconnected without sending a response."
_CUT_IN_BODY: Final = "peer closed connection without sending complete message body"
# The first class that fits counts.
_FAILURES: Final[tuple[tuple[type[Exception], type[httpx2.TransportError], str], ...]] = (
    (aiohttp.SocketTimeoutError, httpx2.ReadTimeout, ""),
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout, ""),
    (aiohttp.ClientConnectorError, httpx2.ConnectError, ""),  # also look-up of names and TLS
    (aiohttp.ServerDisconnectedError, httpx2.RemoteProtocolError, _CUT_BEFORE),
    (aiohttp.ClientPayloadError, httpx2.RemoteProtocolError, _CUT_IN_BODY),
    (aiohttp.ClientConnectionError, httpx2.ReadError, ""),
    (aiohttp.NonHttpUrlClientError, httpx2.UnsupportedProtocol, ""),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol, ""),
    (aiohttp.ClientError, httpx2.RemoteProtocolError, ""),  # what is no HTTP
    (ValueError, httpx2.LocalProtocolError, ""),  # a header that would end its line
)


class ProviderTransport(httpx2.AsyncBaseTransport):
    """Connections of one event loop, kept open between requests."""

    def __init__(self, tls: ssl.SSLContext, limits: httpx2.Limits) -> None:
        connector = aiohttp.TCPConnector(
            ssl=tls,
            limit=limits.max_connections or 0,
            keepalive_timeout=limits.keepalive_expiry,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # httpx2 does
            skip_auto_headers=_ITS_OWN,
            max_line_size=MAX_HEADER_BYTES,
            max_field_size=MAX_HEADER_BYTES,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            data: Any = request.content or None
        except httpx2.RequestNotRead:  # its length is not known: it goes out as a stream
            request.headers.pop("transfer-encoding", None)  # aiohttp's to say
            data = request.stream
        encoding, limits = request.headers.encoding, request.extensions.get("timeout", {})
        # Not `multi_items`, which asks for the encoding twice a header: 100 Python calls.
        headers = [(k.decode(encoding).lower(), v.decode(encoding)) for k, v in request.headers.raw]
        with _told_as_httpx2():
            response = await self._session.request(
                request.method,
                URL(str(request.url), encoded=True),
                headers=headers,
                data=data,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(
                    connect=limits.get("pool"),
                    sock_connect=limits.get("connect"),
                    sock_read=limits.get("read"),
                ),
            )
        return httpx2.Response(
            response.status,
            headers=response.raw_headers,
            stream=_Body(response),
            extensions={
                "http_version": b"HTTP/1.1",
                "reason_phrase": (response.reason or "").encode(errors="replace"),
            },
        )

    async def aclose(self) -> None:
        await self._session.close()


class _Body(httpx2.AsyncByteStream):
    """A response's body as it comes; closing it gives a finished connection back."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _told_as_httpx2():
            async for data in self._response.content.iter_any():
                yield data

    async def aclose(self) -> None:
        self._response.close()


@contextmanager
def _told_as_httpx2() -> Generator[None]:
    """Raises: httpx2.TransportError subclasses, which the SDKs turn into their own."""
    try:
        yield
    except Exception as error:
        for theirs, ours, words in _FAILURES:
            if isinstance(error, theirs):
                cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
                raise ours(words or str(cause) or type(error).__name__) from None  # said in full
        raise
