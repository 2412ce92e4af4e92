"""A loopback HTTP server that answers byte for byte what a test says and keeps what it got."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One canned answer. `cut_at`: bytes of the body that are sent; `end`: how it stops there."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    chunk_size: int | None = None  # None: the whole body in one piece
    cut_at: int | None = None
    end: str = "clean"  # clean: a proper last chunk; drop: the connection closes; hang: silence


@dataclass
class Local:
    """The running server: where it is, what it will answer, what it has seen."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)  # the last one is repeated
    requests: list[dict[str, Any]] = field(default_factory=list)
    closed_by_client: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def body(self) -> dict[str, Any]:
        """The last request's JSON."""
        return self.requests[-1]["body"]


@asynccontextmanager
async def run_local(*replies: Reply) -> AsyncIterator[Local]:
    local = Local(replies=list(replies))
    handlers: set[asyncio.Task[Any]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        handlers.add(task)
        try:
            while await _serve_one(local, reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            local.closed_by_client.set()
        finally:
            handlers.discard(task)
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    local.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield local
    finally:
        server.close()
        for task in handlers:
            task.cancel()
        await asyncio.gather(*handlers, return_exceptions=True)


async def _serve_one(
    local: Local, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    line, *fields = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (f.partition(":") for f in fields)}
    raw = await reader.readexactly(int(headers.get("content-length", 0)))
    method, path, _ = line.split(" ")
    body = json.loads(raw) if raw else None
    local.requests.append({"method": method, "path": path, "headers": headers, "body": body})
    reply = local.replies.pop(0) if len(local.replies) > 1 else local.replies[0]
    return await _send(reply, local, reader, writer)


async def _send(
    reply: Reply, local: Local, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    fields = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
    writer.write(
        f"HTTP/1.1 {reply.status} X\r\n{fields}transfer-encoding: chunked\r\n\r\n".encode()
    )
    body = reply.body[: reply.cut_at]
    size = reply.chunk_size or max(1, len(body))
    for at in range(0, len(body), size):
        piece = body[at : at + size]
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
    if reply.end == "drop":
        return False
    if reply.end == "hang":
        await reader.read()  # returns when the client closes
        local.closed_by_client.set()
        return False
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True
