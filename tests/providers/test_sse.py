from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.providers.http.sse import ServerEvent, SSEReader


def read(*chunks: bytes) -> list[ServerEvent]:
    reader = SSEReader()
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    return events + reader.close()


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: 1\n\n", [("", b"1")]),
        (b"data:1\n\n", [("", b"1")]),
        (b"data:  1\n\n", [("", b" 1")]),
        (b"data: 1\r\n\r\ndata: 2\r\n\r\n", [("", b"1"), ("", b"2")]),
        (b"data: 1\r\rdata: 2\r\r", [("", b"1"), ("", b"2")]),
        (b"event: ping\ndata: {}\n\n", [("ping", b"{}")]),
        (b"event: a\n\ndata: 1\n\n", [("", b"1")]),
        (b"data: a\ndata: b\n\n", [("", b"a\nb")]),
        (b": PROCESSING\n\ndata: 1\n\n", [("", b"1")]),
        (b"id: 7\nretry: 10\ndata: 1\n\n", [("", b"1")]),
        (b"data\n\n", [("", b"")]),
        (b"\n\n\ndata: [DONE]\n\n", [("", b"[DONE]")]),
        (b"data: no blank line at the end", [("", b"no blank line at the end")]),
        (b"data: 1\r", [("", b"1")]),
        (b"\xef\xbb\xbfdata: 1\n\n", [("", b"1")]),
        ("data: Grüße 東京 🙂\n\n".encode(), [("", "Grüße 東京 🙂".encode())]),
        (b"", []),
    ],
)
def test_server_sent_events_are_parsed(stream: bytes, events: list[tuple[str, bytes]]) -> None:
    assert read(stream) == events


_LINES = st.sampled_from(
    [
        b"data: x",
        b"data:y",
        "data: é東🙂".encode(),
        b"event: e",
        b": note",
        b"",
        b"data: {}",
        b"junk",
    ]
)
_STREAMS = st.lists(st.tuples(_LINES, st.sampled_from([b"\n", b"\r\n", b"\r"]))).map(
    lambda lines: b"".join(line + end for line, end in lines)
)


@given(stream=_STREAMS, cuts=st.lists(st.integers(0, 400)))
def test_event_parsing_does_not_depend_on_chunks(stream: bytes, cuts: list[int]) -> None:
    bounds = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[a:b] for a, b in zip(bounds, bounds[1:], strict=False)]
    assert read(*chunks) == read(stream)
    assert read(*(bytes([byte]) for byte in stream)) == read(stream)


@given(data=st.lists(st.text().filter(lambda text: not re.search(r"[\r\n]", text))))
def test_parsing_written_server_sent_events_returns_the_same_data(data: list[str]) -> None:
    stream = "".join(f"event: m\ndata: {text}\n\n" for text in data).encode()
    assert read(stream) == [("m", text.encode()) for text in data]
