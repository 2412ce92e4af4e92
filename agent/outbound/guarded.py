"""The HTTP client that checks each address before it connects; used by `client.py`."""

from __future__ import annotations

import functools
import ipaddress
import ssl
from collections.abc import Iterable
from typing import Any, Final, cast

import httpcore2
import httpx2

from ..errors import OutboundRefused
from .addresses import USUAL_PORTS, AllowList, is_public
from .resolving import MAX_REDIRECTS, Resolve, resolve_host

CONNECT_TIMEOUT_S: Final = 5.0
USER_AGENT: Final = "plainloop"
# Cautious: the first addresses of an answer that lists thousands.
MAX_ADDRESSES: Final = 8


def make_guarded_client(
    allow: AllowList | None = None, *, resolve: Resolve = resolve_host, **options: Any
) -> httpx2.AsyncClient:
    """Build an HTTP client that connects only to public or allowed addresses.

    Refusals rise from it as OutboundRefused. It follows redirects, each one guarded.
    """
    transport = GuardedTransport(allow or AllowList(), resolve)
    options = {"follow_redirects": True, "max_redirects": MAX_REDIRECTS, **options}
    options["headers"] = {"user-agent": USER_AGENT, **(options.get("headers") or {})}
    return httpx2.AsyncClient(transport=transport, trust_env=False, **options)


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """An httpx2 transport that connects only to checked addresses.

    It builds the pool itself: should a later httpx2 keep it elsewhere, nothing works rather than
    nothing is checked.
    """

    def __init__(self, allow: AllowList, resolve: Resolve = resolve_host) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=load_tls(), network_backend=GuardedBackend(allow, resolve)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        check_url(request.url)
        # One page's cookies would identify us at the next, also after a redirect.
        request.headers.pop("cookie", None)
        response = await super().handle_async_request(request)
        response.headers.pop("set-cookie", None)
        return response


def check_url(url: httpx2.URL) -> None:
    """Refuse a URL that is not http(s), has no host, or contains a user name or password.

    Raises: OutboundRefused for what no address can make right.
    """
    if url.scheme not in ("http", "https"):
        scheme = url.scheme or "no scheme"
        raise OutboundRefused(
            f"only http and https URLs are supported, not {scheme}",
            hint="Use an address that begins with https://.",
        )
    if url.userinfo:
        raise OutboundRefused(
            "URLs with a user name or password are not fetched",
            hint="Remove the user name and password from the URL.",
        )
    if not url.host or url.port == 0:
        raise OutboundRefused(
            "the URL has no valid host", hint="Correct the URL, as in https://example.com/page."
        )


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections only to addresses that were checked."""

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
            # Looked up here and connected to by number below: between a check and a second look-up
            # the answer can change (test_the_checked_address_is_used_with_the_original_host_name).
            texts = await self._resolve(host, port)
            # Without the zone of "fe80::1%eth0": it is refused either way.
            resolved = [ipaddress.ip_address(text.partition("%")[0]) for text in texts]
        except (OSError, UnicodeError, ValueError) as error:
            raise httpcore2.ConnectError(f"{host} could not be resolved: check the name") from error
        # One bad address refuses the host: a name that answers with inside and outside is a trick.
        for address in [] if self._allow.has_host(host, port) else resolved:
            if self._allow.has_address(address, port):
                continue
            if not is_public(address):
                raise OutboundRefused(
                    f"{host} resolves to a private or reserved address", hint=_HINT
                )
            if port not in USUAL_PORTS:
                raise OutboundRefused(
                    f"requests to port {port} of {host} are not allowed", hint=_HINT
                )
        addresses = resolved[:MAX_ADDRESSES]
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
        raise OutboundRefused(
            "requests to local sockets are not allowed", hint="Use an http or https address."
        )

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


_HINT: Final = "The operator can allow a host with AGENT_OUTBOUND_ALLOW=host:port."


@functools.cache
def load_tls() -> ssl.SSLContext:
    """Return the TLS context with the package's trusted certificates, ignoring the environment."""
    return httpx2.create_ssl_context(trust_env=False)
