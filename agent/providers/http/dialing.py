"""Opens TCP and TLS connections: each address of a name is tried, the next one soon after the one
before (RFC 8305), which uvloop does not know: a host whose IPv6 leads nowhere is not rare.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from contextlib import suppress
from functools import partial
from typing import Any, Final

import httpx2
from aiohappyeyeballs import start_connection  # pyright: ignore[reportUnknownVariableType]

from .connection import Connection

# RFC 8305's recommended delay.
NEXT_ADDRESS_S: Final = 0.25
LOOK_UP_HOLDS_S: Final = 10.0


class Dialer:
    """Opens connections for one event loop; concurrent look-ups of a name are shared."""

    def __init__(self, tls: ssl.SSLContext) -> None:
        self._tls = tls
        self._known: dict[tuple[str, int], tuple[float, asyncio.Task[list[Any]]]] = {}

    async def connect(
        self, host: str, port: int, *, is_tls: bool, timeout_s: float | None
    ) -> Connection:
        """Open a connection to a host, trying the host's addresses in turn.

        Raises: httpx2.ConnectError, also for look-up and certificate; httpx2.ConnectTimeout.
        """
        tls_options: dict[str, Any] = {"ssl": self._tls, "server_hostname": host} if is_tls else {}
        try:
            async with asyncio.timeout(timeout_s):
                addresses = await self._look_up(host, port)
                sock = await start_connection(addresses, happy_eyeballs_delay=NEXT_ADDRESS_S)
                try:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                    loop = asyncio.get_running_loop()
                    return (await loop.create_connection(Connection, sock=sock, **tls_options))[1]
                except BaseException:
                    sock.close()
                    raise
        except TimeoutError:
            raise httpx2.ConnectTimeout("ConnectTimeout") from None
        # UnicodeError: a label of more than 63 characters cannot be encoded for a look-up.
        except (OSError, RuntimeError, UnicodeError) as error:  # ssl's and getaddrinfo's are first
            raise httpx2.ConnectError(str(error) or type(error).__name__) from None

    async def _look_up(self, host: str, port: int) -> list[Any]:
        find = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        with suppress(socket.gaierror):  # a name
            return find(flags=socket.AI_NUMERICHOST)
        until, looking = self._known.get((host, port), (0.0, None))
        if looking is None or until < time.monotonic():
            looking = asyncio.create_task(asyncio.to_thread(find))
            self._known[host, port] = time.monotonic() + LOOK_UP_HOLDS_S, looking
        try:
            # Shared with other callers: one that gives up must not end the look-up for all.
            return await asyncio.shield(looking)
        except OSError:
            self._known.pop((host, port), None)
            raise
