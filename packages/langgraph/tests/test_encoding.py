"""The encoder, held against the recorded runs of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from plainloop.agent.events import Event
from plainloop_langgraph.encoder import MODES, Cursor, FrameWriter, RunEncoder, read_cursor
from tests.protocols.golden import Golden, load_golden

RUNS = load_golden()
each_run = pytest.mark.parametrize("run", RUNS, ids=[run.name for run in RUNS])


def write(run: Golden, *cursor: Cursor, at_once: bool = True) -> bytes:
    names = {"run_id": "r", "thread_id": "t", "graph_id": "g", "assistant_id": "a"}
    encoder = RunEncoder(names, MODES)
    encoder.history = [orjson.Fragment(b'{"type":"human","id":"q","content":"hi"}')]
    writer = FrameWriter(encoder, MODES, *cursor)
    batches: list[list[Event]] = [run.events] if at_once else [[event] for event in run.events]
    return b"".join([*map(writer.write, batches), writer.close() or b""])


def read(stream: bytes) -> Iterator[tuple[str, str, Any]]:
    for block in stream.decode().split("\n\n")[:-1]:
        told = dict(line.split(": ", 1) for line in block.split("\n"))
        yield told["event"], told["id"], orjson.loads(told["data"])


@each_run
def test_streamed_chunks_and_values_both_contain_the_stored_answer(run: Golden) -> None:
    chunks: dict[str, str] = {}
    values: list[dict[str, Any]] = []
    for event, _, data in read(write(run)):
        if event == "values":
            values = data["messages"]
        elif event == "messages":
            message = data[0]
            if message["type"] == "remove":
                del chunks[message["id"]]
            else:
                chunks[message["id"]] = chunks.get(message["id"], "") + message["content"]
    said = [item["content"] for item in values if item["type"] == "ai" and item["content"]]

    assert values[0]["id"] == "q"
    assert "\n\n".join(said) == run.answer
    assert [item["content"] for item in values[1:]] == [
        chunks.get(item["id"], "") for item in values[1:]
    ]
    assert len({item["id"] for item in values}) == len(values)


@each_run
def test_a_stream_has_an_interrupt_only_if_it_ends_at_one(run: Golden) -> None:
    waiting = [item for item in read(write(run)) if "__interrupt__" in orjson.dumps(item).decode()]
    first = next(iter(run.pauses), None)
    until = Golden(run.name, [event for event in run.events if event["seq"] == first], "")
    cut = Golden(run.name, [e for e in run.events if first and e["seq"] <= first], "")
    asks = any(event["event"] == "approval_request" for event in until.events)

    assert waiting == []
    if asks:
        *_, (name, _, data) = read(write(cut))
        assert name == "values" and len(data["__interrupt__"]) == 1


@each_run
def test_a_resumed_langgraph_stream_has_exactly_the_remaining_events(run: Golden) -> None:
    whole = [*read(write(run))]
    assert [*read(write(run, at_once=False))] == whole
    for n, (_, frame_id, _) in enumerate(whole):
        assert [*read(write(run, read_cursor(frame_id)))] == whole[n + 1 :]
