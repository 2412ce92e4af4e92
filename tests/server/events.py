"""Server-Sent Events, read by the book, and folded to what a user sees."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2


@dataclass(frozen=True)
class Sse:
    seq: int
    event: str
    data: dict[str, Any]


def parse_sse(text: str) -> list[Sse]:
    """Whole events only: what a cut left of the last one is nothing."""
    events: list[Sse] = []
    *blocks, _ = text.split("\n\n")
    for block in blocks:
        fields = dict(
            line.split(": ", 1)
            for line in block.split("\n")
            if line and not line.startswith(":") and ": " in line
        )
        if "event" in fields:
            events.append(Sse(int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return events


def fold(events: Iterable[Sse]) -> str:
    """The text that a client shows: deltas appended, emptied by a reset."""
    text = ""
    for item in events:
        if item.event == "text_delta":
            text += item.data["content"]
        elif item.event == "text_reset":
            text = ""
    return text


def names(events: Iterable[Sse]) -> list[str]:
    return [item.event for item in events]


async def post(client: httpx2.AsyncClient, conversation: str, content: str, **more: Any) -> Any:
    """The whole stream of a message's run: the answer and its events."""
    headers = more.pop("headers", {})
    answer = await client.post(
        f"/api/chat/conversations/{conversation}/messages",
        json={"content": content, **more},
        headers={"accept": "text/event-stream", **headers},
    )
    return answer, parse_sse(answer.text)


class RawStream:
    """A stream over a bare socket, so that it can be cut at any byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.head = b""
        self.has_ended = False  # in the way of HTTP: not by a cut

    @classmethod
    async def open(
        cls, url: str, path: str, token: str, *, body: Any = None, **headers: str
    ) -> RawStream:
        """A GET, or with a body a POST."""
        method = "GET" if body is None else "POST"
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"host: {parts.netloc}", "connection: close"]
        if token:
            lines.append(f"authorization: Bearer {token}")
        if body is not None:
            lines += ["content-type: application/json", f"content-length: {len(content)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        stream = cls(reader, writer)
        stream.head = await reader.readuntil(b"\r\n\r\n")
        return stream

    @property
    def status(self) -> int:
        return int(self.head.split(b" ", 2)[1])

    async def read_chunk(self) -> bytes:
        """One chunk of the body; b"" at its end, and where the connection ends."""
        try:
            size = int((await self.reader.readuntil(b"\r\n")).strip(), 16)
            chunk = await self.reader.readexactly(size + 2)
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""
        self.has_ended = size == 0
        return chunk[:-2]

    async def read_all(self) -> str:
        chunks: list[bytes] = []
        while chunk := await self.read_chunk():
            chunks.append(chunk)
        return b"".join(chunks).decode()

    async def read_bytes(self, count: int) -> str:
        """The first bytes of the body, then the connection is cut."""
        body = b""
        while len(body) < count and (chunk := await self.read_chunk()):
            body += chunk
        self.cut()
        return body[:count].decode(errors="ignore")

    def cut(self) -> None:
        self.writer.transport.abort()
