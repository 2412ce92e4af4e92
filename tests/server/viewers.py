"""Many who watch a run, as a process of its own: `python -m tests.server.viewers URL PATH COUNT`.

Says `watching` once each has seen that the run waits, and how many streams ended with which event.
A process may open only so many sockets, so several of these together are a crowd.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from urllib.parse import urlsplit

AT_ONCE = 50  # that connect at a time
BUFFER = 8192  # bytes of a stream that are read ahead


class Viewer:
    """One open stream, read as far as somebody wants."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    async def read_until(self, event: bytes) -> bytes:
        return await self._reader.readuntil(b"event: " + event + b"\n")

    async def read_rest(self) -> bytes:
        return await self._reader.read()


async def watch(url: str, path: str) -> Viewer:
    place = urlsplit(url)
    opened = await asyncio.open_connection(place.hostname, place.port, limit=BUFFER)
    viewer = Viewer(*opened)
    viewer.writer.write(
        f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: text/event-stream\r\n"
        "Connection: close\r\n\r\n".encode()
    )
    await viewer.read_until(b"approval_request")
    return viewer


async def watch_all(url: str, paths: list[str]) -> list[Viewer]:
    """One viewer of each path, a few at a time."""
    viewers: list[Viewer] = []
    for first in range(0, len(paths), AT_ONCE):
        viewers += await asyncio.gather(*(watch(url, it) for it in paths[first : first + AT_ONCE]))
    return viewers


async def count_ends(viewers: list[Viewer]) -> Counter[str]:
    """How many streams ended with which event; `none` without any."""
    ends: Counter[str] = Counter()
    for rest in await asyncio.gather(*(viewer.read_rest() for viewer in viewers)):
        told = [name for name in ("done", "error") if f"event: {name}\n".encode() in rest]
        ends["+".join(told) or "none"] += 1
    for viewer in viewers:
        viewer.writer.close()
    return ends


async def _watch_and_tell(url: str, paths: list[str]) -> None:
    viewers = await watch_all(url, paths)
    print("watching", flush=True)
    print(json.dumps(await count_ends(viewers)), flush=True)


if __name__ == "__main__":
    asyncio.run(_watch_and_tell(sys.argv[1], sys.stdin.read().split()))
