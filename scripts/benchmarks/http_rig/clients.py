"""Clients that cost little: bare sockets, so that a thousand of them fit into one process."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_TIME = re.compile(rb'"content":"(\d+) "')


@dataclass(slots=True)
class Gate:
    """Opens when all streams are: what comes before is the load of starting them."""

    missing: int
    opened_ns: int | None = None
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    def pass_one(self) -> None:
        self.missing -= 1
        if not self.missing:
            self.opened_ns = time.monotonic_ns()
            self.opened.set()


@dataclass(slots=True)
class Connection:
    """One kept-alive HTTP connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    host: str
    delays_ms: list[float] = field(default_factory=list[float])
    gaps_ms: list[float] = field(default_factory=list[float])  # between arrivals

    @classmethod
    async def open(cls, url: str) -> Connection:
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        return cls(reader, writer, parts.netloc)

    async def send(self, method: str, path: str, body: object = None, accept: str = "*/*") -> bytes:
        """Returns: the head of the answer."""
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: {self.host}\r\naccept: {accept}\r\n"
        if body is not None:
            head += f"content-type: application/json\r\ncontent-length: {len(content)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        if int(answer[9:12]) >= 300:
            raise RuntimeError(answer.decode())
        return answer

    async def ask(self, method: str, path: str, body: object = None) -> bytes:
        """The whole answer to a request for JSON."""
        head = await self.send(method, path, body, "application/json")
        size = int(re.findall(rb"content-length: (\d+)", head)[0])
        return await self.reader.readexactly(size)

    async def read_stream(self, gate: Gate | None = None) -> bytes:
        """Chunks up to the last one. gate: since it opened, how late each time in a delta comes,
        and how long after the one before.
        """
        last, before = b"", 0
        while True:
            size = int(await self.reader.readuntil(b"\r\n"), 16)
            chunk = await self.reader.readexactly(size + 2)
            if not size:
                return last
            last = chunk
            if gate is not None and gate.opened_ns is not None:
                now = time.monotonic_ns()
                times = [int(at) for at in _TIME.findall(chunk)]
                times = [at for at in times if at > gate.opened_ns]
                self.delays_ms += [(now - at) / 1e6 for at in times]
                if times:
                    if before:
                        self.gaps_ms.append((now - before) / 1e6)
                    self.gaps_ms += [0.0] * (len(times) - 1)
                    before = now

    def close(self) -> None:
        self.writer.close()


async def begin_conversations(url: str, count: int) -> list[str]:
    """The ids of new conversations."""
    connection = await Connection.open(url)
    made = [
        json.loads(await connection.ask("POST", "/api/chat/conversations", {}))["id"]
        for _ in range(count)
    ]
    connection.close()
    return made


def get_percentile(values: Sequence[float], share: float) -> float:
    """
    >>> get_percentile([1, 2, 3, 4], 0.5)
    3
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
