"""Which addresses a webhook may have."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from typing import Final

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError, OutboundRefused
from plainloop.agent.outbound.addresses import Address, is_public, normalize_host, parse_allow_list

# RFC 6761, 6762 and 8375, and what clouds and containers use: no resolver of the internet has them,
# nor names without a dot (ICANN refuses them, RFC 7085).
_INTERNAL: Final = (
    ".localhost",
    ".local",
    ".internal",
    ".home.arpa",
    ".localdomain",
    ".invalid",
    ".onion",
    ".test",
)
_NUMERIC: Final = re.compile(r"(?:0[xX])?[0-9a-fA-F]+(?:\.(?:0[xX])?[0-9a-fA-F]+){0,3}")
_LAST_PORT: Final = 65_535
_HINT: Final = "The operator can allow other addresses with AGENT_OUTBOUND_ALLOW=host:port."


def check_address(settings: Settings, url: str) -> None:
    """Refuse a webhook URL that no delivery could reach.

    The addresses of a host name are checked at each delivery.

    Raises: InputError, OutboundRefused.
    """
    import httpx2  # slow to import, and most services have no webhook

    from plainloop.agent.outbound.guarded import check_url

    try:
        parsed = httpx2.URL(url)
        if parsed.port is not None and not 0 < parsed.port <= _LAST_PORT:
            raise InputError(f"{parsed.port} is not a valid port: use 1 to {_LAST_PORT}")
        check_url(parsed)
    except httpx2.InvalidURL as error:
        raise InputError(
            f"the URL is not valid: {error}", hint="Write it like https://example.com/hook."
        ) from error
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    allow = parse_allow_list(settings.outbound_allow)
    host, address = normalize_host(parsed.host), read_address(parsed.host)
    is_open = allow.has_host(host, port)
    is_open |= address is not None and allow.has_address(address, port)
    if is_open:
        return
    if parsed.scheme != "https":
        raise InputError("a webhook's URL must start with https://", hint=_HINT)
    if address is not None and not is_public(address):
        message = f"webhooks are never sent to {address}: it is internal or reserved"
        raise OutboundRefused(message, hint=_HINT)
    if address is None and ("." not in host or f".{host}".endswith(_INTERNAL)):
        raise OutboundRefused(
            f"webhooks are never sent to {host}: the name is internal", hint=_HINT
        )


def read_address(host: str) -> Address | None:
    """Parse a host as an IP address, in every notation that sockets accept.

    None if it is a name.

    >>> read_address("127.0.0.1") == read_address("2130706433") == read_address("0x7f.1")
    True
    >>> read_address("example.com"), str(read_address("[fd00::1]"))
    (None, 'fd00::1')
    """
    with suppress(ValueError):
        return ip_address(host.strip("[]"))
    if _NUMERIC.fullmatch(host):
        with suppress(OSError):
            return IPv4Address(socket.inet_aton(host))
    return None
