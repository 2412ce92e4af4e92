"""Which web pages may talk to us.

A page of another origin may only when it is listed. Without authentication (local mode) that holds
for every request, not only for readable answers, and the name by which we were called must be a
loopback one: else any page could make its own name point here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from ...agent.base.caching.functions import cached_if_short
from ...agent.errors import AccessDenied

_LOOPBACK_NAMES: Final = frozenset({"localhost", "localhost.localdomain"})


class OriginPolicy:
    """Refuses requests that a page of another origin makes. is_local: nobody is authenticated, so
    the machine's own user must be asking.
    """

    def __init__(self, origins: Iterable[str], *, is_local: bool) -> None:
        self._origins = frozenset(map(normalize_origin, origins))
        self._is_local = is_local

    def check_http(self, headers: Headers) -> None:
        """Check host and origin of an HTTP request if the server has no authentication.

        Raises: AccessDenied.
        """
        if not self._is_local:
            return  # a token is needed, and no page has one by itself; CORS guards the answers
        self._check_host(headers)
        self._check_origin(headers)

    def check_websocket(self, headers: Headers) -> None:
        """Check a WebSocket's origin, and its host if there is no authentication."""
        if self._is_local:
            self._check_host(headers)
        self._check_origin(headers)

    def _check_origin(self, headers: Mapping[str, str]) -> None:
        origin = headers.get("origin")
        # Browsers send Origin with every WebSocket and every request but a plain GET or HEAD
        # (Fetch, "append a request Origin header"), whose answer CORS hides. Programs send none.
        if origin is None or origin.lower() in self._origins:
            return
        # `null`, of sandboxed frames and local files, names no host: any page can make one, and it
        # must not equal a missing Host (test_an_origin_without_a_host_is_refused).
        own = get_origin_host(origin)
        if not own or own != headers.get("host", "").lower():
            raise AccessDenied(
                "web pages of this origin may not call this server",
                hint="AGENT_SERVER_ORIGINS lists the allowed origins.",
                code="ORIGIN_REFUSED",
            )

    def _check_host(self, headers: Mapping[str, str]) -> None:
        # The name is not resolved: one that resolves to 127.0.0.1 is what DNS rebinding uses
        # (test_local_mode_answers_only_loopback_requests).
        if not is_loopback(get_host_name(headers.get("host", ""))):
            raise AccessDenied(
                "without authentication, this server answers only under a loopback address or name",
                hint="Use http://127.0.0.1:PORT, or configure keys: docs/run.md",
                code="HOST_REFUSED",
            )


def normalize_origin(origin: str) -> str:
    """Return a configured origin as browsers send it: lower case, without a last slash.

    >>> normalize_origin("https://App.example.com/")
    'https://app.example.com'
    """
    return origin.rstrip("/").lower()


def get_origin_host(origin: str) -> str:
    """Return the host and port in an Origin header, in lower case; "" if it is malformed.

    >>> get_origin_host("http://Localhost:8000"), get_origin_host("null"), get_origin_host("http://[")
    ('localhost:8000', '', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # a bracket that is not closed
        return ""


@cached_if_short()  # clients name one host again and again
def get_host_name(host: str) -> str:
    """Return the host name in a Host header, without port; "" if it is malformed.

    >>> get_host_name("[::1]:8000"), get_host_name("localhost:8000")
    ('::1', 'localhost')
    >>> get_host_name("evil.example@127.0.0.1:8000"), get_host_name("127.0.0.1:80/x")
    ('', '')
    """
    try:
        # urlsplit also takes a user and a path, which a Host header cannot have (RFC 9110, 7.2).
        parts = urlsplit(f"//{host}")
        is_plain = parts.netloc == host and "@" not in host and parts.port != 0
    except ValueError:
        return ""
    return (parts.hostname or "") if is_plain else ""


@cached_if_short()
def is_loopback(name: str) -> bool:
    """Return whether a host name or IP address is this machine's loopback.

    >>> [is_loopback(name) for name in ("localhost", "127.0.0.2", "::1", "0.0.0.0", "example.com")]
    [True, True, True, False, False]
    """
    if name.lower() in _LOOPBACK_NAMES:
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
