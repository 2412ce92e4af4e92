"""A TCP proxy in front of replicas: round-robin by connection, and a line that can be cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass
class Proxy:
    """Each connection goes to the next of those that listen."""

    ports: list[int] = field(default_factory=list[int])
    served: list[int] = field(default_factory=list[int])  # whom each connection went to
    url: str = ""
    is_cut: bool = False  # nothing comes through
    _open: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        for _ in self.ports:
            port = self.ports[len(self.served) % len(self.ports)]
            self.served.append(port)
            with suppress(OSError):
                if self.is_cut:
                    break
                behind = await asyncio.open_connection("127.0.0.1", port)
                await asyncio.gather(copy(reader, behind[1]), copy(behind[0], writer))
                break
        self._open.discard(writer)
        writer.close()

    def cut(self) -> None:
        """Break what is open and refuse what comes, until `is_cut` is taken back."""
        self.is_cut = True
        for writer in self._open:
            writer.transport.abort()

    def lead_to(self, *urls: str) -> None:
        """What comes from now on goes there, uncut."""
        self.ports, self.is_cut = [int(url.rpartition(":")[2]) for url in urls], False


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def proxying(*urls: str) -> AsyncIterator[Proxy]:
    proxy = Proxy()
    proxy.lead_to(*urls)
    server = await asyncio.start_server(proxy.carry, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()


@asynccontextmanager
async def cutting_proxy(url: str, *sizes: int) -> AsyncIterator[str]:
    """The server behind a line that is cut after so many bytes of what it says, connection by
    connection, and whole then."""
    place, left = urlsplit(url), [*sizes]

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        most = left.pop(0) if left else 2**40
        behind, forth = await asyncio.open_connection(place.hostname, place.port)
        sending = asyncio.create_task(copy(reader, forth))
        with suppress(OSError):
            while most > 0 and (data := await behind.read(min(most, 65536))):
                most -= len(data)
                writer.write(data)
                await writer.drain()
        sending.cancel()
        forth.transport.abort()
        if most > 0:
            writer.close()
        else:
            writer.transport.abort()

    server = await asyncio.start_server(carry, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
