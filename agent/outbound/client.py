"""Sends HTTP requests to URLs of users, models or pages, guarded against internal addresses.

    URL ─► scheme, credentials ─► one look-up ─► every address and the port checked
        ─► connected to that very address ─► the same again for each redirect

A name is looked up once per connection and the checked address is the one that is connected to, so
an answer that changes in between reaches nothing. No proxy or netrc of the environment is used and
no cookie is kept or sent.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from ..dataclasses import dataclass, field
from ..errors import OutboundFailed, OutboundRefused
from .addresses import AllowList
from .resolving import MAX_REDIRECTS, Resolve, resolve_host

if TYPE_CHECKING:
    import httpx2

MAX_BYTES: Final = 2_000_000
TIMEOUT_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """An HTTP answer of any status. content: decompressed, cut to `max_bytes`."""

    url: str  # after redirects
    status: int
    headers: Mapping[str, str]
    content: bytes
    is_cut: bool  # there was more than `max_bytes`

    @property
    def media_type(self) -> str:
        """Return the answer's media type, such as `text/html`; "" if it has none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class OutboundRequest:
    """A request to send. Errors name only its host, because the rest may contain keys."""

    url: str
    method: str = "GET"
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    json: Any = None
    content: bytes | None = None  # a body as it is, instead of JSON
    max_bytes: int = MAX_BYTES
    timeout_s: float = TIMEOUT_S  # for everything: look-up, redirects, body
    max_redirects: int = MAX_REDIRECTS


async def fetch(
    request: OutboundRequest, allow: AllowList | None = None, *, resolve: Resolve = resolve_host
) -> Fetched:
    """Send an HTTP request to a public or allowed address and return the answer.

    A longer answer is cut to `max_bytes`.

    Raises: OutboundRefused where it may not go; OutboundFailed when no answer can be had.
    """
    import httpx2  # 0.16 s of CPU, which a command that asks nobody does not have

    from .guarded import make_guarded_client

    try:
        async with asyncio.timeout(request.timeout_s):
            async with make_guarded_client(allow, resolve=resolve) as client:
                client.max_redirects = request.max_redirects
                # identity is what most servers then send; gzip and deflate are unpacked within
                # bounds here, because httpx2 would unpack a whole chunk of a bomb at once.
                headers = {**request.headers, "accept-encoding": "gzip, identity;q=0.5"}
                params = dict(request.params) or None
                async with client.stream(
                    request.method,
                    request.url,
                    params=params,
                    headers=headers,
                    json=request.json,
                    content=request.content,
                ) as response:
                    content, is_cut = await _read_body(response, request.max_bytes)
                    lowered = {name.lower(): value for name, value in response.headers.items()}
                    return Fetched(
                        str(response.url), response.status_code, lowered, content, is_cut
                    )
    except (TimeoutError, httpx2.TimeoutException) as error:
        host = _name_host(request.url)
        raise OutboundFailed(
            f"{host} did not answer within {request.timeout_s:g} s",
            hint="Try again later, or use another source.",
        ) from error
    except httpx2.TooManyRedirects as error:
        raise OutboundFailed(
            f"{_name_host(request.url)} has a redirect loop",
            hint="Open it in a browser, and use the URL shown there.",
        ) from error
    except httpx2.InvalidURL as error:
        raise OutboundRefused(
            f"the URL is not valid: {error}", hint="Correct it; it begins with http:// or https://."
        ) from error
    except httpx2.HTTPError as error:
        reason = str(error).split("\n")[0][:200] or type(error).__name__
        raise OutboundFailed(
            f"{_name_host(request.url)} cannot be read: {reason}",
            hint="Check the address; try again later.",
        ) from error


async def _read_body(response: httpx2.Response, max_bytes: int) -> tuple[bytes, bool]:
    unpack = _make_unpacker(response.headers.get("content-encoding", ""))
    content = bytearray()
    async with aclosing(response.aiter_raw()) as chunks:
        async for chunk in chunks:
            content += unpack(chunk, max_bytes + 1 - len(content))
            if len(content) > max_bytes:
                return bytes(content[:max_bytes]), True
    return bytes(content), False


def _make_unpacker(encoding: str) -> Callable[[bytes, int], bytes]:
    """Make a decoder for a content encoding: (chunk, maximum bytes still wanted) → content."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return lambda chunk, most: chunk[:most]
    if name not in ("gzip", "x-gzip", "deflate"):
        raise OutboundFailed(
            f"the server compressed its answer with {name[:40]!r}, which was not requested",
            hint="Use another source, or configure that server to answer uncompressed.",
        )
    packed = zlib.decompressobj(zlib.MAX_WBITS | 32)  # gzip or zlib, by its head

    def unpack(chunk: bytes, max_bytes: int) -> bytes:
        try:
            # Never called with 0, which zlib takes as no bound: `_read_body` requests one byte more
            # than is left
            # (tests/outbound/test_guard.py::test_a_decompression_bomb_is_cut_at_the_limit).
            return packed.decompress(chunk, max_bytes)
        except zlib.error as error:
            raise OutboundFailed(
                "the compressed body of the answer is corrupt",
                hint="Try again, or use another source.",
            ) from error

    return unpack


def _name_host(url: str) -> str:
    """Return a URL's host for messages: paths and parameters may be private."""
    import httpx2

    try:
        return httpx2.URL(url).host or "the URL"
    except httpx2.InvalidURL:
        return "the URL"
