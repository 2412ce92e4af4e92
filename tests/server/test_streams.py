"""Streams that survive: cut anywhere, resumed, kept awake, not held up by slow readers."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.service.settings import RunLimits
from plainloop.server.http.sse import EventStream
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, begin, until
from tests.server.events import RawStream, Sse, fold, names, parse_sse, post
from tests.server.held import ANSWER, begin_held, say_raw

PATIENCE_S = 60  # nothing here takes long; a busy machine may
NEVER_S = 10_000
STORY = " ".join(f"word{n} – {'ä' * (n % 7)}" for n in range(60))


async def tell_story(served: Served) -> tuple[str, str, str, list[Sse]]:
    """The path of a finished run's stream, its token, its bytes and its events."""
    ann = await served.client()
    conversation = await begin(ann)
    answer, events = await post(ann, conversation, "tell me a story about work")
    assert names(events)[-1] == "done"
    run_id = answer.headers["x-run-id"]
    path = f"/api/chat/conversations/{conversation}/stream?run_id={run_id}"
    return path, served.token(), answer.text, events


async def test_every_cut_of_a_stream_is_resumed_to_the_identical_message(serve: Serve):
    served = await serve(triage("general"), text(STORY))
    path, token, whole, events = await tell_story(served)
    size = len(whole.encode())
    offsets = [*range(0, size, max(1, size // 120)), size - 1]
    for offset in offsets:
        stream = await RawStream.open(served.url, path, token)
        seen = parse_sse(await stream.read_bytes(offset))
        cursor = {"last_event_id": str(seen[-1].seq)} if seen else {}
        again = await RawStream.open(served.url, path, token, **cursor)
        seen += parse_sse(await again.read_all())
        assert seen == events, offset
    assert fold(events) == events[-1].data["content"] == STORY
    assert len(offsets) >= 100


async def test_tool_arguments_are_streamed_on_request(serve: Serve):
    call = ("c1", "create_job", {"company": "Acme", "title": "Cook"})
    served = await serve(*[triage("crm_worker"), tools(call), text("done")] * 2)
    ann = await served.client()
    conversation = await begin(ann)
    said = "please note that job for me"
    answer, asked = await post(ann, conversation, said, tool_arguments=True)
    path = f"/api/chat/conversations/{conversation}/stream?after=0"
    stored = await ann.get(f"{path}&run_id={answer.headers['x-run-id']}")
    _, plain = await post(ann, conversation, said)
    pieces = [item.data for item in asked if item.event == "tool_arguments_delta"]

    assert [(item["index"], item["id"], item["name"]) for item in pieces] == [
        (0, "c1", "create_job")
    ] * 3
    assert json.loads("".join(item["content"] for item in pieces)) == call[2]
    assert names(asked).index("tool_start") > names(asked).index("tool_arguments_delta")
    assert parse_sse(stored.text) == asked
    assert "tool_arguments_delta" not in names(plain)


async def test_every_cut_of_a_running_stream_is_resumed(serve: Serve):
    """The run is still going: what comes after the cut is seen by whoever comes back."""
    parts = STORY.split(" ")
    go_on = asyncio.Semaphore(0)

    async def speak(request: Any) -> Any:
        await go_on.acquire()
        return text(STORY)

    served = await serve(*[triage("general"), speak] * 8)
    ann = await served.client()
    for n, offset in enumerate((0, 1, 40, 120, 200, 300, 333, 400)):
        conversation = await begin(ann)
        path = f"/api/chat/conversations/{conversation}"
        body = {"content": f"tell me a story about w{'o' * n}rk"}  # triage remembers a sentence
        stream = await RawStream.open(served.url, f"{path}/messages", served.token(), body=body)
        reading = asyncio.create_task(stream.read_bytes(offset))
        go_on.release()
        seen = parse_sse(await reading)
        after = seen[-1].seq if seen else 0
        again = await RawStream.open(served.url, f"{path}/stream?after={after}", served.token())
        seen += parse_sse(await again.read_all())
        assert [item.seq for item in seen] == [*range(1, len(seen) + 1)], (offset, again.head)
        assert fold(seen) == seen[-1].data["content"] == STORY
    assert len(parts) > 60


async def test_the_after_query_works_like_last_event_id(serve: Serve):
    served = await serve(triage("general"), text(STORY))
    path, token, _, events = await tell_story(served)
    for after in (0, 1, len(events) // 2, len(events) - 1):
        stream = await RawStream.open(served.url, f"{path}&after={after}", token)
        assert parse_sse(await stream.read_all()) == events[after:]
    seen = await RawStream.open(served.url, f"{path}&after={len(events)}", token)
    idle = await RawStream.open(served.url, path.partition("?")[0], token)
    assert (seen.status, idle.status) == (204, 204)


async def test_idle_streams_send_keep_alive_comments(serve: Serve):
    run, read = await begin_held(serve, keep_alive_s=0.05), b""
    async with asyncio.timeout(PATIENCE_S):
        while read.count(b": keep-alive\n\n") < 3:
            read += await run.stream.read_chunk()
    run.held.open.set()
    rest = await run.stream.read_all()

    assert parse_sse(rest)[-1].event == "done"
    assert fold(parse_sse(read.decode() + rest)) == ANSWER


async def test_local_and_remote_viewers_see_the_same_events(serve: Serve):
    run, other = await begin_held(serve), await serve()
    remote, path = await other.client(), f"{run.path}/stream"
    watching = [
        await RawStream.open(replica.url, path, replica.token()) for replica in (run.served, other)
    ]
    run.held.open.set()
    events = parse_sse(await run.stream.read_all())
    late = await remote.get(path, params={"after": 0})

    assert events[-1].data == {"content": ANSWER}
    for stream in watching:
        assert parse_sse(await stream.read_all()) == events
    assert parse_sse(late.text) == events


async def test_a_viewer_that_reads_nothing_is_disconnected(serve: Serve):
    # More than the sockets' buffers hold.
    long = "x" * 200_000
    script = [text(" ".join([long] * 80))]
    served = await serve(triage("general"), *script, viewer_timeout_s=0.2)
    ann = await served.client()
    path = f"/api/chat/conversations/{await begin(ann)}"
    stream = await say_raw(served, path)
    stream.writer.transport.pause_reading()  # type: ignore[attr-defined]

    async def has_ended() -> bool:
        return len((await ann.get(path)).json()["messages"]) == 2

    await until(has_ended)

    async def is_cut() -> bool:
        return 'plainloop_http_open{kind="http"} 1.0' in (await ann.get("/metrics")).text

    await until(is_cut)
    stream.cut()


class Wire:
    """An ASGI client that records what it is sent, and can be slow or gone."""

    def __init__(self, *, is_stuck: bool = False, is_stuck_at_end: bool = False) -> None:
        self.sent: list[Any] = []
        self.is_aborted = False
        self.gone = asyncio.Event()
        self.told = asyncio.Event()  # it has been sent something of the body
        self._is_stuck = is_stuck
        self._is_stuck_at_end = is_stuck_at_end

    async def send(self, message: Any) -> None:
        self.sent.append(message)
        if message["type"] == "http.response.body":
            self.told.set()
            is_last = not message["more_body"]
            if self._is_stuck or (is_last and self._is_stuck_at_end):
                await asyncio.Event().wait()

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    def abort(self) -> None:
        self.is_aborted = True


def make_stream(
    batches: Any, keep_alive_s: float = NEVER_S, viewer_timeout_s: float = 0.05
) -> EventStream:
    limits = replace(RunLimits(), keep_alive_s=keep_alive_s, viewer_timeout_s=viewer_timeout_s)
    return EventStream(batches, headers={}, limits=limits, share=nullcontext())


async def test_queued_events_are_sent_to_each_viewer_in_one_write(serve: Serve):
    run = await begin_held(serve)
    (live,) = run.served.service.live.list_all()
    wires = [Wire() for _ in range(25)]
    views = [
        asyncio.create_task(
            make_stream(
                run.served.replica.runs.watch_batches("acme", "ann", live.run.run_id, live.last_seq)
            )({}, wire.receive, wire.send)
        )
        for wire in wires
    ]
    for wire in wires:
        await wire.told.wait()

    def list_writes(skipped: list[int]) -> list[list[list[int]]]:
        """The events' numbers by viewer and write."""
        fresh = [wire.sent[n:] for wire, n in zip(wires, skipped, strict=True)]
        return [[[e.seq for e in parse_sse(m["body"].decode())] for m in sent] for sent in fresh]

    for count in (30, 1, 7):
        first, before = live.last_seq + 1, [len(wire.sent) for wire in wires]
        for n in range(count):
            live.journal.emit({"event": "text_delta", "data": {"content": f"{n} "}})

        async def has_reached_all(before: list[int] = before) -> bool:
            return all(writes and writes[-1][-1] == live.last_seq for writes in list_writes(before))

        await until(has_reached_all)
        assert list_writes(before) == [[[*range(first, first + count)]]] * len(wires)

    for wire in wires:
        wire.gone.set()
    await asyncio.gather(*views)
    run.held.open.set()
    await run.stream.read_all()


async def test_a_stuck_send_ends_with_an_abort():
    async def speak() -> Any:
        yield [{"seq": 1, "event": "text_delta", "data": {"content": "a"}}]

    wire = Wire(is_stuck=True)
    async with asyncio.timeout(PATIENCE_S):
        await make_stream(speak())({"plainloop.abort": wire.abort}, wire.receive, wire.send)

    assert wire.is_aborted


async def test_a_viewer_stuck_at_the_end_is_dropped():
    """uvicorn waits for a full buffer before it writes: the last message waits for the others."""

    async def speak() -> Any:
        yield [{"seq": 1, "event": "done", "data": {"content": "a"}}]

    wire = Wire(is_stuck_at_end=True)
    async with asyncio.timeout(PATIENCE_S):
        await make_stream(speak())({"plainloop.abort": wire.abort}, wire.receive, wire.send)

    assert wire.is_aborted


async def test_a_disconnected_client_ends_its_view_at_once():
    async def say_nothing() -> Any:
        await asyncio.Event().wait()
        yield []

    wire = Wire()
    task = asyncio.create_task(make_stream(say_nothing())({}, wire.receive, wire.send))
    await wire.told.wait()
    wire.gone.set()
    async with asyncio.timeout(PATIENCE_S):
        await task

    assert wire.sent[-1]["body"] == b"retry: 1000\n\n"


async def test_keep_alives_need_no_task_per_viewer():
    async def say_nothing() -> Any:
        await asyncio.Event().wait()
        yield []

    before = len(asyncio.all_tasks())
    wires = [Wire() for _ in range(50)]
    views = [
        asyncio.create_task(make_stream(say_nothing(), 0.2, NEVER_S)({}, wire.receive, wire.send))
        for wire in wires
    ]
    for wire in wires:
        await wire.told.wait()
    each = (len(asyncio.all_tasks()) - before) / len(wires)

    async def is_told() -> bool:
        bodies = [[item.get("body") for item in wire.sent] for wire in wires]
        return all(told.count(b": keep-alive\n\n") > 1 for told in bodies)

    await until(is_told)
    for wire in wires:
        wire.gone.set()
    await asyncio.gather(*views)

    assert each <= 2, "the view, and who hears that its client goes"


async def test_a_lost_database_cuts_streams_without_an_end_event():
    async def lose() -> Any:
        yield [{"seq": 1, "event": "text_delta", "data": {"content": "a"}}]
        raise StoreError("the database cannot be used")

    wire = Wire()
    async with asyncio.timeout(PATIENCE_S):
        await make_stream(lose())({}, wire.receive, wire.send)
    body = b"".join(item.get("body", b"") for item in wire.sent)

    assert [item.event for item in parse_sse(body.decode())] == ["text_delta"]
    assert wire.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


async def test_an_exception_in_a_stream_is_raised():
    async def break_down() -> Any:
        yield [{"seq": 1, "event": "text_delta", "data": {"content": "a"}}]
        raise RuntimeError("a bug")

    wire = Wire()
    with pytest.raises(RuntimeError, match="a bug"):
        await make_stream(break_down())({}, wire.receive, wire.send)
