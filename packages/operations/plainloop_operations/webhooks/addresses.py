"""Which addresses a webhook may have."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address
from typing import Final

import httpx2

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError
from plainloop.agent.outbound.addresses import parse_allow_list
from plainloop.agent.outbound.guarded import check_url

_HINT: Final = "The operator can open others with AGENT_OUTBOUND_ALLOW=host:port."


def check_address(settings: Settings, url: str) -> None:
    """Refuse what could never be told. Where a name leads is asked at each attempt.

    Raises: InputError, OutboundRefused.
    """
    try:
        parsed = httpx2.URL(url)
        check_url(parsed)
    except httpx2.InvalidURL as error:
        raise InputError(f"this is no URL that can be read: {error}") from error
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    allow = parse_allow_list(settings.outbound_allow)
    is_open = allow.has_host(parsed.host, port)
    with suppress(ValueError):  # a name, not an address
        is_open |= allow.has_address(ip_address(parsed.host), port)
    if parsed.scheme != "https" and not is_open:
        raise InputError("a webhook's address begins with https://", hint=_HINT)
