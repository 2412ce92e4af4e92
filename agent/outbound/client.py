"""The guarded way out: every HTTP request whose URL came from a user, a model or a page.

    URL ─► scheme, credentials ─► one look-up ─► every address and the port checked
        ─► connected to that very address ─► the same again for each redirect

A name is looked up once per connection and the checked address is the one that is connected to, so
an answer that changes in between reaches nothing. No proxy or netrc of the environment is used and
no cookie is kept or sent.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import socket
import ssl
import zlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final, cast

import httpcore2
import httpx2

from ..errors import OutboundFailed, OutboundRefused
from .addresses import USUAL_PORTS, AllowList, is_public

MAX_REDIRECTS: Final = 5
MAX_BYTES: Final = 2_000_000
TIMEOUT_S: Final = 20.0
CONNECT_TIMEOUT_S: Final = 5.0
USER_AGENT: Final = "plainloop"
# Cautious: the first addresses of an answer that lists thousands.
MAX_ADDRESSES: Final = 8

Resolve = Callable[[str, int], Awaitable[list[str]]]


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer, whatever its status. content: decoded from gzip, at most `max_bytes` of it."""

    url: str  # after redirects
    status: int
    headers: Mapping[str, str]
    content: bytes
    is_cut: bool  # there was more than `max_bytes`

    @property
    def media_type(self) -> str:
        """`text/html`, without parameters; "" when the answer names none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class OutboundRequest:
    """Says what to ask for. Errors name its host only: the rest may hold keys."""

    url: str
    method: str = "GET"
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    json: Any = None
    content: bytes | None = None  # a body as it is, instead of JSON
    max_bytes: int = MAX_BYTES
    timeout_s: float = TIMEOUT_S  # for everything: look-up, redirects, body
    max_redirects: int = MAX_REDIRECTS


async def resolve_host(host: str, port: int) -> list[str]:
    """The addresses of a name, or of what the system takes for one ("127.1", "0x7f.1")."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(item[4][0]) for item in found))


async def fetch(
    request: OutboundRequest, allow: AllowList | None = None, *, resolve: Resolve = resolve_host
) -> Fetched:
    """Send the request and read the answer, within its bounds.

    Raises: OutboundRefused where it may not go; OutboundFailed when no answer can be had.
    """
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
                    told = {name.lower(): value for name, value in response.headers.items()}
                    return Fetched(str(response.url), response.status_code, told, content, is_cut)
    except (TimeoutError, httpx2.TimeoutException) as error:
        host = _name_host(request.url)
        raise OutboundFailed(f"{host} did not answer within {request.timeout_s:g} s") from error
    except httpx2.TooManyRedirects as error:
        raise OutboundFailed(f"{_name_host(request.url)} redirects in circles") from error
    except httpx2.InvalidURL as error:
        raise OutboundRefused(f"this is no URL that can be read: {error}") from error
    except httpx2.HTTPError as error:
        reason = str(error).split("\n")[0][:200] or type(error).__name__
        raise OutboundFailed(f"{_name_host(request.url)} cannot be read: {reason}") from error


def make_guarded_client(
    allow: AllowList | None = None, *, resolve: Resolve = resolve_host, **options: Any
) -> httpx2.AsyncClient:
    """A client that cannot leave the guard; `options` as of httpx2.AsyncClient, for SDKs.

    Refusals rise from it as OutboundRefused. It follows redirects, each one guarded.
    """
    transport = GuardedTransport(allow or AllowList(), resolve)
    options = {"follow_redirects": True, "max_redirects": MAX_REDIRECTS, **options}
    options["headers"] = {"user-agent": USER_AGENT, **(options.get("headers") or {})}
    return httpx2.AsyncClient(transport=transport, trust_env=False, **options)


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over connections that check where they lead.

    It builds the pool itself: should a later httpx2 keep it elsewhere, nothing works rather than
    nothing is checked.
    """

    def __init__(self, allow: AllowList, resolve: Resolve = resolve_host) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=load_tls(), network_backend=GuardedBackend(allow, resolve)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        check_url(request.url)
        request.headers.pop("cookie", None)
        response = await super().handle_async_request(request)
        response.headers.pop("set-cookie", None)
        return response


def check_url(url: httpx2.URL) -> None:
    """Raises: OutboundRefused for what no address can make right."""
    if url.scheme not in ("http", "https"):
        scheme = url.scheme or "no scheme"
        raise OutboundRefused(f"only http and https URLs can be read, not {scheme}")
    if url.userinfo:
        raise OutboundRefused("a URL with a user name or password in it is not read")
    if not url.host or url.port == 0:
        raise OutboundRefused("the URL names no host that can be asked")


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections to addresses that were checked, and to nothing else."""

    def __init__(self, allow: AllowList, resolve: Resolve = resolve_host) -> None:
        self._allow = allow
        self._resolve = resolve
        # Typed by hand: the package offers a stand-in of the same name where anyio is missing.
        self._network = cast(httpcore2.AsyncNetworkBackend, httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            texts = await self._resolve(host, port)
            # Without the zone of "fe80::1%eth0": it is refused either way.
            found = [ipaddress.ip_address(text.partition("%")[0]) for text in texts]
        except (OSError, UnicodeError, ValueError) as error:
            raise httpcore2.ConnectError(f"no address is known for {host}") from error
        # One bad address refuses the host: a name that answers with inside and outside is a trick.
        for address in [] if self._allow.has_host(host, port) else found:
            if self._allow.has_address(address, port):
                continue
            if not is_public(address):
                raise OutboundRefused(f"{host} leads to a private or reserved address", hint=_HINT)
            if port not in USUAL_PORTS:
                raise OutboundRefused(f"port {port} of {host} is not open to requests", hint=_HINT)
        addresses = found[:MAX_ADDRESSES]
        limit_s = min(timeout or CONNECT_TIMEOUT_S, CONNECT_TIMEOUT_S)
        for index, address in enumerate(addresses):
            try:
                return await self._network.connect_tcp(
                    str(address), port, limit_s, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                if index + 1 == len(addresses):
                    raise
        raise httpcore2.ConnectError(f"{host} has no address")

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        raise OutboundRefused("no request leads to a local socket")

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


_HINT: Final = "The operator can open a host with AGENT_OUTBOUND_ALLOW=host:port."


@functools.cache
def load_tls() -> ssl.SSLContext:
    """The trusted certificates, of the package and not of the environment; read once."""
    return httpx2.create_ssl_context(trust_env=False)


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
    """(chunk, most bytes that are still wanted) → content."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return lambda chunk, most: chunk[:most]
    if name not in ("gzip", "x-gzip", "deflate"):
        raise OutboundFailed(f"the answer is packed as {name[:40]!r}, which was not asked for")
    packed = zlib.decompressobj(zlib.MAX_WBITS | 32)  # gzip or zlib, by its head

    def unpack(chunk: bytes, most: int) -> bytes:
        try:
            return packed.decompress(chunk, most)
        except zlib.error as error:
            raise OutboundFailed("the answer's packed body is corrupt") from error

    return unpack


def _name_host(url: str) -> str:
    """The host alone: paths and parameters may hold what is private."""
    try:
        return httpx2.URL(url).host or "the URL"
    except httpx2.InvalidURL:
        return "the URL"
