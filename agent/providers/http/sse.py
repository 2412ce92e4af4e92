"""An incremental reader of server-sent events: bytes in, events out.

Follows the WHATWG event-stream grammar as far as model providers use it, and forgives what they
really send: CRLF, lone CR, no space after the colon, comment lines, several data lines, a last
event without its blank line.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, Final

from msgspec import Struct

from .json_values import parse_json

# A lone CR at the very end may be the first half of CRLF: it waits for the next bytes.
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")
# An event as nearly all servers write it.
_PLAIN_EVENT: Final = re.compile(rb"(?:event: ([^\r\n]*)\n)?data: ([^\r\n]*)\n\n")
_BOM = b"\xef\xbb\xbf"
_DONE: Final = b"[DONE]"


# The event's name, "" when the server named none, and its data lines joined by LF.
ServerEvent = tuple[str, bytes]


class SSEReader:
    r"""Splits a byte stream into server-sent events, independent of chunk boundaries.

    >>> reader = SSEReader()
    >>> reader.feed(b"event: a\r\nda"), reader.feed(b"ta:1\r\n\r\n"), reader.close()
    ([], [('a', b'1')], [])
    """

    def __init__(self) -> None:
        self._pieces: list[bytes] = []  # the unfinished line
        self._event = ""
        self._data: list[bytes] = []
        self._is_start = True

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """Add a chunk of bytes; return the server-sent events that it completes."""
        # Joined when a line ends, not with each chunk: a long line would take quadratic time.
        self._pieces.append(chunk)
        # The CR at the end of the last chunk may have been a line's whole end: then this chunk
        # begins a line.
        has_waiting_cr = len(self._pieces) > 1 and self._pieces[-2].endswith(b"\r")
        if b"\n" not in chunk and b"\r" not in chunk and not has_waiting_cr:
            return []
        buffer = b"".join(self._pieces)
        if self._is_start:
            buffer = buffer.removeprefix(_BOM)
            self._is_start = False
        events: list[ServerEvent] = []
        begin = 0
        is_between = not self._event and not self._data
        while is_between and (plain := _PLAIN_EVENT.match(buffer, begin)) is not None:
            name, data = plain.groups(b"")
            events.append((name.decode("utf-8", "replace"), data))
            begin = plain.end()
        rest = buffer[begin:]
        lines = _LINE_END.split(rest) if b"\r" in rest else rest.split(b"\n")
        self._pieces = [lines.pop()]
        return events + self._take_lines(lines)

    def close(self) -> list[ServerEvent]:
        """End the stream; return the last event if no empty line ended it."""
        last = b"".join(self._pieces).removesuffix(b"\r")
        self._pieces = []
        return self._take_lines([last, b""] if last else [b""])

    def _take_lines(self, lines: list[bytes]) -> list[ServerEvent]:
        events: list[ServerEvent] = []
        for line in lines:
            if not line:
                if self._data:
                    events.append((self._event, b"\n".join(self._data)))
                self._event, self._data = "", []
                continue
            field, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if field == b"data":
                self._data.append(value)
            elif field == b"event":
                self._event = value.decode("utf-8", "replace")
        return events


class JsonEvent(Struct, frozen=True):
    """A server-sent event with its parsed data. is_done: it is the stream's end marker."""

    event: str
    data: dict[str, Any]
    is_done: bool = False


class UnreadableEvent(Exception):
    """An event whose data is not JSON, usually because the connection was cut."""


async def read_json_events(
    start: bytes, chunks: AsyncIterable[bytes]
) -> AsyncIterator[list[JsonEvent]]:
    """Yield the JSON events of each chunk of a server-sent stream, and its end marker.

    Empty data and non-objects are keep-alives and are skipped.
    Raises: UnreadableEvent, behind the events before it.
    """
    async for events in read_events(start, chunks):
        parsed: list[JsonEvent] = []
        for name, raw in events:
            stripped = raw.strip()
            if stripped == _DONE:
                parsed.append(JsonEvent(name, {}, is_done=True))
            elif stripped:
                try:
                    data: Any = parse_json(raw)
                except ValueError as error:
                    yield parsed
                    raise UnreadableEvent from error
                if data.__class__ is dict:
                    parsed.append(JsonEvent(name, data))
        yield parsed


async def read_events(
    start: bytes, chunks: AsyncIterable[bytes]
) -> AsyncIterator[list[ServerEvent]]:
    """Yield a list of the server-sent events that each chunk of a body completes.

    start: the body's first bytes, read already.
    """
    reader = SSEReader()
    yield reader.feed(start)
    async for chunk in chunks:
        yield reader.feed(chunk)
    yield reader.close()
