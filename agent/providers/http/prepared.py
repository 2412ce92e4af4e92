"""Requests that an SDK built once: from one model call to the next only the body differs.

The SDK builds an endpoint's request, with address, key, version and its own headers, into a
transport that sends nothing; it also makes every error. Each body is then sent with these first
lines, which saves a quarter of a turn's Python calls (docs/decisions/11-cpu-of-a-turn.md).
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import httpx2

from .connection import Connection
from .transport import Idle, Origin, ProviderTransport, build_head, make_response, read_origin


class RawAnswer:
    """Reads an answer from its connection; what is used of httpx2's responses, and no more."""

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
    """Sends bodies with the first lines of a request that an SDK built."""

    request: httpx2.Request
    origin: Origin
    head: bytes  # ends where the body's length is to follow
    limits: Mapping[str, float | None]  # seconds
    transport: ProviderTransport
    module: ModuleType  # the SDK, for its classes of errors
    make_error: Callable[[httpx2.Response], Exception]

    async def send(self, body: bytes, *, stream: bool) -> RawAnswer | httpx2.Response | None:
        """Send a body; None if the answer is a redirect, which only the SDK follows.

        Raises: the SDK's APIStatusError, APITimeoutError or APIConnectionError, as it would.
        """
        head = b"%b%d\r\n\r\n" % (self.head, len(body))
        try:
            connection, idle = await self.transport.ask(
                "POST", self.origin, head, body, self.limits
            )
            answer = self._wrap(connection, idle)
            if 300 <= connection.status < 400:
                await answer.aclose()
                return None
            if stream and connection.status < 300:
                return answer
            try:
                await answer.aread()
            finally:
                await answer.aclose()
        except httpx2.TimeoutException as error:
            raise self.module.APITimeoutError(request=self.request) from error
        except httpx2.HTTPError as error:
            raise self.module.APIConnectionError(request=self.request) from error
        if isinstance(answer, httpx2.Response) and connection.status >= 400:
            raise self.make_error(answer)
        return answer

    def _wrap(self, connection: Connection, idle: Idle) -> RawAnswer | httpx2.Response:
        give_back = partial(self.transport.give_back, connection, idle)
        is_encoded = any(name.lower() == b"content-encoding" for name, _ in connection.headers)
        if connection.status < 300 and not is_encoded:
            return RawAnswer(connection, give_back)
        response = make_response(connection, give_back)
        response.request = self.request
        return response


async def prepare_request(
    client: Any, url: str, options: Any, transport: ProviderTransport
) -> PreparedRequest:
    """Let an SDK build a request to `url`.

    client: the SDK's. options: of its `post`. transport: what sends the request.
    """
    recorder = _Recorder()
    builder = client.with_options(http_client=httpx2.AsyncClient(transport=recorder))
    await builder.post(url, cast_to=httpx2.Response, content=b"", options=options)
    assert recorder.request is not None  # a post sends one
    request = recorder.request
    return PreparedRequest(
        request,
        read_origin(request.url),
        build_head(request, without=b"content-length") + b"content-length: ",
        request.extensions.get("timeout", {}),
        transport,
        sys.modules[type(client).__module__.partition(".")[0]],
        getattr(client, "_make_status_error_from_response"),  # noqa: B009 its own, but stable
    )


class _Recorder(httpx2.AsyncBaseTransport):
    """Keeps the request that it is given; nothing is sent."""

    request: httpx2.Request | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.request = request
        return httpx2.Response(200)
