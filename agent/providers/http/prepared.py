"""Reuses the request head that an SDK built once; later calls only replace the body.

The SDK builds an endpoint's request, with address, key, version and its own headers, into a
transport that sends nothing. Each body is then sent with these first lines, which saves a fifth of
a turn's Python calls (docs/decisions/11-cpu-of-a-turn.md). An answer that is more than a body to
read (an error, a redirect, compressed) is handed to the SDK, as it would have received it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import partial
from types import ModuleType
from typing import Any

import httpx2

from ...dataclasses import dataclass
from .connection import Connection
from .transport import Origin, ProviderTransport, build_head, make_response, read_origin


class RawAnswer:
    """An answer read from its connection, with the part of httpx2's interface that we use."""

    def __init__(self, connection: Connection, give_back: Callable[[], None]) -> None:
        self.headers: Mapping[str, str] = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in connection.headers
        }
        self.content = b""  # the whole body, once it was read by `aread`
        self._connection = connection
        self._give_back: Callable[[], None] | None = give_back

    async def aiter_bytes(self) -> AsyncGenerator[bytes]:
        while data := await self._connection.read():
            yield data

    async def aread(self) -> bytes:
        self.content = b"".join([data async for data in self.aiter_bytes()])
        return self.content

    async def aclose(self) -> None:
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back()


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """Sends bodies with the request line and headers that an SDK built once."""

    request: httpx2.Request
    origin: Origin
    head: bytes  # ends where the body's length is to follow
    limits: Mapping[str, float | None]  # seconds
    transport: ProviderTransport
    module: ModuleType  # the SDK, for its classes of errors
    post: Callable[..., Awaitable[httpx2.Response]]  # the SDK's own, over a transport

    async def send(self, body: bytes, *, stream: bool) -> RawAnswer | httpx2.Response:
        """POST a body with the prepared head and return the response.

        Raises: the SDK's APIStatusError, APITimeoutError or APIConnectionError, as it would.
        """
        head = b"%b%d\r\n\r\n" % (self.head, len(body))
        try:
            asked = await self.transport.ask("POST", self.origin, head, body, self.limits)
            connection, give_back = asked[0], partial(self.transport.give_back, *asked)
            # Some servers compress without being asked; the SDK decompresses
            # (test_prepared_requests_read_compressed_answers).
            is_encoded = any(name.lower() == b"content-encoding" for name, _ in connection.headers)
            if connection.status < 300 and not is_encoded:
                answer = RawAnswer(connection, give_back)
                if not stream:
                    try:
                        await answer.aread()
                    finally:
                        await answer.aclose()
                return answer
        except httpx2.TimeoutException as error:
            raise self.module.APITimeoutError(request=self.request) from error
        except httpx2.HTTPError as error:
            raise self.module.APIConnectionError(request=self.request) from error
        begun = make_response(connection, give_back)
        try:
            return await self.post(_Begun(begun, self.transport), body, stream=stream)
        # Also when cancelled: the connection has a slot of the pool.
        except BaseException:
            await begun.aclose()
            raise


async def prepare_request(
    client: Any, url: str, options: Any, transport: ProviderTransport
) -> PreparedRequest:
    """Let the SDK build a request to `url` once, so that later ones only replace its body.

    client: the SDK's. options: of its `post`. transport: what sends the request.
    """

    def post(
        over: httpx2.AsyncBaseTransport, body: bytes, *, stream: bool = False
    ) -> Awaitable[httpx2.Response]:
        http = httpx2.AsyncClient(transport=over, follow_redirects=True)
        return client.with_options(http_client=http).post(
            url, cast_to=httpx2.Response, content=body, stream=stream, options=options
        )

    recorder = _Recorder()
    await post(recorder, b"")
    assert recorder.request is not None  # a post sends one
    request = recorder.request
    return PreparedRequest(
        request,
        read_origin(request.url),
        build_head(request, without=b"content-length") + b"content-length: ",
        request.extensions.get("timeout", {}),
        transport,
        sys.modules[type(client).__module__.partition(".")[0]],
        post,
    )


class _Recorder(httpx2.AsyncBaseTransport):
    """Records the request that an SDK built, without sending it."""

    request: httpx2.Request | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.request = request
        return httpx2.Response(200)


class _Begun(httpx2.AsyncBaseTransport):
    """A transport that answers with the begun answer, and sends the requests of redirects."""

    def __init__(self, answer: httpx2.Response, transport: ProviderTransport) -> None:
        self._answer: httpx2.Response | None = answer
        self._transport = transport

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        answer, self._answer = self._answer, None
        if answer is not None:
            return answer
        return await self._transport.handle_async_request(request)
