"""Resolves host names, once per connection."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Final

MAX_REDIRECTS: Final = 5  # each is looked up, and checked, like the first address

Resolve = Callable[[str, int], Awaitable[list[str]]]


async def resolve_host(host: str, port: int) -> list[str]:
    """Resolve a host name to its IP addresses, by the operating system."""
    loop = asyncio.get_running_loop()
    # The system's resolver, not a parser of ours: "127.1", "0x7f.1" and /etc/hosts are what
    # connecting would use, too
    # (tests/outbound/test_guard.py::test_internal_and_invalid_urls_are_never_fetched).
    infos = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(item[4][0]) for item in infos))
