"""All that a fold gives reaches the end of a provider's stream, however one read is filled."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest

from plainloop.agent.providers.http.exchange import fold_events
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import StreamDelta, join_deltas
from tests.providers.asking import HELLO
from tests.providers.conversations import VERDICT, connect
from tests.providers.documented import to_sse
from tests.providers.local_server import Reply, run_local
from tests.providers.test_own_fixtures import STREAMS, reply

FIELDS = set(StreamDelta.__struct_fields__)
# What a protocol never streams: a field that is new here must come through every other one.
WHOLE = {"gemini": {"calls"}, "ollama": {"calls"}}


async def read(name: str, chunk_size: int | None) -> list[StreamDelta]:
    async with run_local(reply(name, chunk_size=chunk_size)) as local:
        stream = connect(name, local.url).generate_stream(HELLO)
        return [item async for item in stream if isinstance(item, StreamDelta)]


def list_kinds(deltas: list[StreamDelta]) -> list[tuple[str, Any]]:
    """What a viewer sees, in order: neighbours of one kind are one."""
    seen = [(kind, getattr(delta, kind)) for delta in deltas for kind in delta.kinds]
    joined: list[tuple[str, Any]] = []
    for kind, group in groupby(seen, key=lambda each: each[0]):
        pieces = [value for _, value in group]
        is_text = isinstance(pieces[0], str)
        joined.append((kind, "".join(pieces) if is_text else [x for p in pieces for x in p]))
    return joined


@pytest.mark.parametrize("name", STREAMS)
async def test_events_read_together_show_the_same_as_one_by_one(name: str):
    at_once, one_by_one = await read(name, None), await read(name, 1)

    assert {kind for delta in at_once for kind in delta.kinds} == FIELDS - WHOLE.get(name, set())
    assert list_kinds(at_once) == list_kinds(one_by_one)
    assert len(at_once) <= len(one_by_one)


def test_joining_delta_pieces_drops_no_field():
    call: Any = {"index": 0, "id": "a", "name": "b", "content": "{"}
    samples = {"text": "a", "reasoning": "b", "calls": [call]}
    assert samples.keys() == FIELDS, "say here what a new field looks like"
    piece = StreamDelta(**samples)

    assert join_deltas([piece, piece]) == StreamDelta("aa", "bb", (call, call))


def test_joined_delta_pieces_keep_their_order():
    call: Any = {"index": 0, "id": "a", "name": "b", "content": "{"}
    both = StreamDelta("x", calls=[call])
    sent = [StreamDelta("a"), StreamDelta("b"), both, both, StreamDelta(reasoning="c")]

    folded = list(fold_events(lambda delta: delta, sent))

    one = StreamDelta("x", calls=(call,))
    assert folded == [StreamDelta("ab"), one, one, StreamDelta(reasoning="c")]


async def test_a_forced_json_call_is_streamed_as_text():
    """Another vendor's Messages endpoint: the answer's JSON comes as arguments of a call."""
    start = {"type": "message_start", "message": {"id": "m", "model": "x", "usage": {}}}
    block = {"type": "tool_use", "id": "t", "name": "verdict", "input": {}}
    written = '{"verdict": "pass", "score": 1}'
    events = [
        start,
        {"type": "content_block_start", "index": 0, "content_block": block},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": written},
        },
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {}},
        {"type": "message_stop"},
    ]
    body = Reply(to_sse(*events), headers={"content-type": "text/event-stream"})
    async with run_local(body) as local:
        chat = create_provider("anthropic", "test-key", "kimi-test", local.url)
        stream = chat.generate_stream(replace(HELLO, json_schema=VERDICT))
        shown = [item async for item in stream if isinstance(item, StreamDelta)]

    assert [delta.calls for delta in shown if delta.calls] == []
    assert "".join(delta.text for delta in shown).replace(" ", "") == written.replace(" ", "")
