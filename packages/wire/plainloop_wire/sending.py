"""The last step: bytes to the client, frame by frame, and the failures that happen on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from starlette.types import Receive, Scope, Send

from plainloop.agent.dataclasses import dataclass

from .faults import Fault
from .journal import Entry

DROP_KEY = "plainloop.drop_connection"  # in the ASGI scope; put there by serving.py


class ConnectionDropped(Exception):
    """Raised where the server cannot close the socket itself: it breaks the response off."""


@dataclass(frozen=True, slots=True)
class WireResponse:
    """An ASGI application that sends one prepared answer and records how sending ended."""

    status: int
    headers: Mapping[str, str]
    frames: Sequence[bytes]  # one HTTP chunk each; a plain body is one frame
    entry: Entry
    on_end: Callable[[Entry], None]
    is_stream: bool = False
    delay_s: float = 0.0
    cut: Fault | None = None
    error_frame: bytes = b""  # sent at a cut with end = "error"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(_wait_disconnect(receive))
        try:
            await self._send_all(scope, send, gone)
        finally:
            gone.cancel()
            self.on_end(self.entry)

    async def _send_all(self, scope: Scope, send: Send, gone: asyncio.Future[None]) -> None:
        headers = dict(self.headers)
        # A body that will be cut keeps its full length, so that the client sees it is short.
        if not self.is_stream and (self.cut is None or self.cut.end == "abort"):
            headers["content-length"] = str(sum(len(frame) for frame in self.frames))
        raw = [(key.encode(), value.encode()) for key, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": raw})
        frames, is_cut = cut_frames(self.frames, self.cut)
        for i, frame in enumerate(frames):
            if i and self.delay_s:
                await asyncio.wait({gone}, timeout=self.delay_s)
            else:
                await asyncio.sleep(0)  # each frame its own write, as from a real model
            if gone.done():
                self.entry["disconnected"] = True
                return
            await send({"type": "http.response.body", "body": frame, "more_body": True})
            self.entry["sent_bytes"] += len(frame)
        if is_cut and self.cut is not None:
            await asyncio.wait({gone}, timeout=self.cut.hold_ms / 1000)
            if self.cut.end == "abort":
                drop_connection(scope)
                return
            if self.cut.end == "error" and self.is_stream:
                await send(
                    {"type": "http.response.body", "body": self.error_frame, "more_body": True}
                )
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def cut_frames(frames: Sequence[bytes], cut: Fault | None) -> tuple[list[bytes], bool]:
    """Return (the frames up to the cut, whether anything was cut off)."""
    if cut is None:
        return list(frames), False
    if cut.cut_after_events is not None and len(frames) > 1:
        return list(frames[: cut.cut_after_events]), cut.cut_after_events < len(frames)
    if cut.cut_after_bytes is None:
        return list(frames), False
    kept: list[bytes] = []
    left = cut.cut_after_bytes
    for frame in frames:
        if left <= 0:
            return kept, True
        kept.append(frame[:left])
        if len(frame) > left:
            return kept, True
        left -= len(frame)
    return kept, False


def drop_connection(scope: Scope) -> None:
    """Close the client's socket without ending the response.

    Raises: ConnectionDropped under a server that gives no access to the socket.
    """
    drop = scope.get(DROP_KEY)
    if drop is None:
        raise ConnectionDropped
    drop()


async def _wait_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
