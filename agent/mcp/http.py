"""A tool server over HTTP: each request is a POST, its answer JSON or a stream of events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final

import httpx2

from ..errors import AgentError
from ..outbound.addresses import AllowList
from ..outbound.guarded import make_guarded_client
from ..providers.http.sse import read_events
from .headers import SESSION_HEADER
from .wire import (
    MAX_MESSAGE_BYTES,
    Message,
    Receive,
    ServerError,
    ServerGone,
    ServerRefused,
    SessionLost,
    parse_message,
    take_result,
)

_JSON: Final = "application/json"
_STREAM: Final = "text/event-stream"


class HttpWire:
    """MCP over HTTP to one server; no connection is kept between requests."""

    # By 2026-07-28 closing the response is how a request is cancelled.
    is_closed_by_request = True

    def __init__(
        self, url: str, headers: Mapping[str, str], allow: AllowList, receive: Receive
    ) -> None:
        """Prepare the client; nothing is sent yet. headers: the operator's own, with what lets us
        in. They go to this URL and no other.
        """
        self._url = url
        self._receive = receive
        self._session_id: str | None = None
        self._client = make_guarded_client(
            allow,
            follow_redirects=False,
            # How long an answer may take is the caller's to say.
            timeout=httpx2.Timeout(None, connect=10.0, pool=10.0),
            headers={
                **headers,
                "accept": f"{_JSON}, {_STREAM}",
                "content-type": _JSON,
                "accept-encoding": "identity",  # a packed answer could be any size
            },
        )

    async def request(self, message: Message, headers: Mapping[str, str]) -> Message:
        async with self._post(message, headers) as response:
            if response.status_code >= 400:
                await self._refuse(response)
            # Only servers of the older era set it; without it, every request stands alone.
            if message["method"] == "initialize":
                self._session_id = response.headers.get(SESSION_HEADER)
            kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind == _JSON:
                return parse_message(await _read_body(response))
            if kind != _STREAM:
                raise ServerError(
                    f"the server answered with {kind[:80] or 'nothing'} instead of JSON: check "
                    "that its `url` is an MCP endpoint"
                )
            async with aclosing(_read_chunks(response)) as chunks:
                stream = read_events(b"", chunks)
                async for _, data in (event async for events in stream for event in events):
                    if not data.strip():
                        continue
                    message_in = parse_message(data)
                    if "method" in message_in:
                        self._receive(message_in)
                    elif message_in.get("id") == message["id"]:
                        return message_in
            raise ServerGone("the server's stream ended without an answer: try again")

    async def send(self, message: Message, headers: Mapping[str, str]) -> None:
        async with self._post(message, headers) as response:
            if response.status_code >= 400:
                told = f"the server answered with HTTP {response.status_code}: check its `url`"
                raise ServerRefused(0, told, status=response.status_code)

    async def close(self) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def _post(
        self, message: Message, headers: Mapping[str, str]
    ) -> AsyncGenerator[httpx2.Response]:
        session = {SESSION_HEADER: self._session_id} if self._session_id else {}
        try:
            async with self._client.stream(
                "POST", self._url, json=message, headers={**headers, **session}
            ) as response:
                if 300 <= response.status_code < 400:
                    raise ServerError(
                        "the server redirected the request, and redirects are not followed: set "
                        "`url` to the final address"
                    )
                yield response
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            raise ServerGone(
                "the server cannot be reached: check its `url`, and that it runs", was_sent=False
            ) from error
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            raise ServerGone(
                "the connection to the server broke off, perhaps after the call was made: check "
                "before you try again"
            ) from error
        except httpx2.InvalidURL as error:
            raise ServerGone(
                f"the server's `url` is not valid: {error}. Correct it in the settings",
                was_sent=False,
            ) from error
        except AgentError as error:  # the guard's: it leads where nothing of ours may go
            hint = f" {error.hint}" if error.hint else ""
            raise ServerGone(f"{error.message}.{hint}", was_sent=False) from error

    async def _refuse(self, response: httpx2.Response) -> None:
        """Raise the error of a failed response.

        Raises: the error of the body, where it has one; else of the status.
        """
        status = response.status_code
        # The older era's sign for an unknown session; without a session it is a wrong `url`.
        if status == 404 and self._session_id is not None:
            self._session_id = None
            raise SessionLost("the server has ended the session: call the tool again")
        parsed: Any = None
        if response.headers.get("content-type", "").lower().startswith(_JSON):
            try:
                parsed = parse_message(await _read_body(response))
            except ServerError:
                parsed = None
        if parsed is not None and isinstance(parsed.get("error"), dict):
            take_result(parsed, status)
        hint = ": check the server's headers in the settings" if status in (401, 403) else ""
        raise ServerRefused(0, f"the server answered with HTTP {status}{hint}", status=status)


async def _read_body(response: httpx2.Response) -> bytes:
    async with aclosing(_read_chunks(response)) as chunks:
        return b"".join([chunk async for chunk in chunks])


async def _read_chunks(response: httpx2.Response) -> AsyncGenerator[bytes]:
    """Yield the body in chunks, up to the size limit.

    Raises: ServerError for more than we take, and for what came packed though we did not ask.
    """
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ServerError(
            "the server compressed its answer, although compression was not requested: switch off "
            "its compression"
        )
    size_bytes = 0
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            size_bytes += len(chunk)
            if size_bytes > MAX_MESSAGE_BYTES:
                raise ServerError("the server's answer is too large: ask for less")
            yield chunk
