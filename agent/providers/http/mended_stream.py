"""Corrects a stream below Google's SDK where that cannot read it: proxies and gateways send SSE
comments and bare `data:` lines, on which its parser ends, and odd numbers of tokens, on which its
types do. The SDK stays: it sees the same response with only its events in it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any, Final, cast

import httpx2
import orjson

from ...base.text.foreign_json import as_object
from .bodies import BLANK, is_event_stream, read_start
from .json_values import parse_json
from .stated_usage import read_count

_USAGE: Final = "usageMetadata"
_MAYBE_ODD: Final = re.compile(
    rb'Count"\s*+:\s*+(?!\d{1,8}\s*+[,}])|"usageMetadata"\s*+:\s*+(?!\{)'
)
_SILENT: Final = (b":", b"event:", b"id:", b"retry:")
_UNFIT: Final = frozenset({"content-length", "content-encoding", "transfer-encoding"})


class MendingTransport(httpx2.AsyncBaseTransport):
    """A transport that corrects the streams of another client's answers."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        sent = await self._client.send(request, stream=True)
        kept = [(key, value) for key, value in sent.headers.multi_items() if key not in _UNFIT]
        return httpx2.Response(
            sent.status_code, headers=kept, stream=_Mended(sent), extensions=sent.extensions
        )


class _Mended(httpx2.AsyncByteStream):
    def __init__(self, sent: httpx2.Response) -> None:
        self._sent = sent

    async def __aiter__(self) -> AsyncIterator[bytes]:
        chunks = self._sent.aiter_bytes()
        start = await read_start(chunks)
        if self._sent.status_code == 200 and is_event_stream(start.lstrip(BLANK)):
            async for line in mend_lines(start, chunks):
                yield line
            return
        whole = b"".join([start, *[chunk async for chunk in chunks]])
        yield mend_usage(whole)

    async def aclose(self) -> None:
        await self._sent.aclose()


async def mend_lines(start: bytes, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines of a Gemini stream, corrected to the form that the SDK can read.

    What is no field of an event stays: Google sends an error as plain JSON between events.
    """
    # Pieces of an unfinished line are joined when it ends: joined with each chunk, a line of 8 MB
    # took 1.7 s of the loop (tests/providers/test_linear_reading.py).
    *lines, unfinished = start.split(b"\n")
    pieces = [unfinished]
    while True:
        # What came together goes on together: each piece by itself is half as dear as its event.
        mended = [line + b"\n" for each in lines if (line := mend_line(each)) is not None]
        if mended:
            yield b"".join(mended)
        if (chunk := await anext(chunks, None)) is None:
            break
        first, *lines = chunk.split(b"\n")
        pieces.append(first)
        if lines:
            lines, pieces = [b"".join(pieces), *lines[:-1]], lines[-1:]
    if (last := mend_line(b"".join(pieces))) is not None:
        yield last


def mend_line(line: bytes) -> bytes | None:
    """Correct a stream's line to the form that the SDK can read; None to skip it.

    >>> [mend_line(line) for line in (b": ping", b"event: message", b"data:", b'data:{}', b"")]
    [None, None, None, b'data: {}', b'']
    """
    line = line.removesuffix(b"\r")
    if line.startswith(_SILENT):
        return None
    if not line.startswith(b"data:"):
        return line
    data = line.removeprefix(b"data:").strip()
    return b"data: " + mend_usage(data) if data else None


def mend_usage(raw: bytes) -> bytes:
    """Correct invalid token counts in an event's JSON; return other JSON unchanged.

    >>> mend_usage(b'{"usageMetadata":{"promptTokenCount":10.0,"totalTokenCount":"x"}}')
    b'{"usageMetadata":{"promptTokenCount":10}}'
    """
    if _USAGE.encode() not in raw or _MAYBE_ODD.search(raw) is None:
        return raw
    try:
        body: object = parse_json(raw)
    except ValueError:
        return raw
    if not isinstance(body, dict) or _USAGE not in body:
        return raw
    answer = cast("dict[str, Any]", body)
    counts = as_object(answer[_USAGE])
    fit = {
        name: read_count(value) if name.endswith("Count") else value
        for name, value in counts.items()
        if not name.endswith("Count") or read_count(value) is not None
    }
    if fit == answer[_USAGE]:
        return raw
    return orjson.dumps({**answer, _USAGE: fit or None})
