"""A loopback server that answers each provider's path with its bytes; a process of its own.

`python -m scripts.benchmarks.chunk.replay PIECES EVENTS_PER_WRITE` prints its address.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from scripts.benchmarks.chunk.streams import FORMATS, Format, make_pieces


@contextmanager
def start_replay(pieces: int, events_per_write: int) -> Iterator[str]:
    """The base URL of the server."""
    command = [sys.executable, "-m", __name__, str(pieces), str(events_per_write)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        if not address:
            raise RuntimeError("the replay server did not start")
        yield address
    finally:
        server.terminate()
        server.wait()


def build_body(form: Format, pieces: int, events_per_write: int) -> list[bytes]:
    """HTTP chunks, each with that many events."""
    events = list(form.build_events(make_pieces(pieces)))
    groups = (events[i : i + events_per_write] for i in range(0, len(events), events_per_write))
    bodies = (b"".join(group) for group in groups)
    return [b"%x\r\n%b\r\n" % (len(body), body) for body in bodies] + [b"0\r\n\r\n"]


async def serve(pieces: int, events_per_write: int) -> None:
    answers = {
        form.path: (form.content_type, build_body(form, pieces, events_per_write))
        for form in FORMATS.values()
    }
    server = await asyncio.start_server(partial(_answer, answers), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    print(f"http://{host}:{port}", flush=True)
    await server.serve_forever()


async def _answer(
    answers: dict[str, tuple[str, list[bytes]]],
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Requests of one connection, one after the other."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            await reader.readexactly(_read_length(head))
            content_type, body = answers[head.split(" ", 2)[1].partition("?")[0]]
            writer.write(
                f"HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\n"
                "transfer-encoding: chunked\r\n\r\n".encode()
            )
            for piece in body:
                writer.write(piece)
                await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


def _read_length(head: str) -> int:
    lengths = [
        line.partition(":")[2]
        for line in head.splitlines()
        if line.lower().startswith("content-length:")
    ]
    return int(lengths[0]) if lengths else 0


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
