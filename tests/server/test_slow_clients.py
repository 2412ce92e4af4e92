"""Who sends slowly, and who opens too much: bounded before any token is looked at."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections import deque
from types import CoroutineType
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.server.conftest import Serve, Served, begin, until
from tests.server.events import RawStream, parse_sse
from tests.server.held import SAID, begin_held, say_raw


async def connect(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    return await asyncio.open_connection(parts.hostname, parts.port)


async def test_an_unfinished_header_blocks_no_other_client(serve: Serve):
    served = await serve(head_timeout_s=0.3, connections=20)
    opened = [await connect(served.url) for _ in range(25)]
    for number, (_, writer) in enumerate(opened):
        writer.write(b"GET /api/health HTTP/1.1\r\nx-a: " if number % 2 else b"")
    async with asyncio.timeout(20):
        answers = [await reader.read() for reader, _ in opened]
    async with httpx2.AsyncClient(base_url=served.url, trust_env=False) as client:
        health = await client.get("/api/health")

    assert health.status_code == 200
    assert all(answer.startswith(b"HTTP/1.1 408 ") for answer in answers)
    assert b"REQUEST_TOO_SLOW" in answers[0]


BODIES = (
    ("POST", "/api/chat/conversations", "application/json"),
    ("POST", "/v1/chat/completions", "application/json"),
    ("POST", "/api/replays", "application/json"),
)


@pytest.mark.parametrize(("method", "path", "kind"), BODIES)
async def test_a_client_disconnecting_in_its_body_is_no_error(
    method: str, path: str, kind: str, served: Served, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO")
    _, writer = await connect(served.url)
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\n"
        f"authorization: Bearer {served.token()}\r\ncontent-length: 5000\r\n\r\n"
    )
    writer.write(head.encode() + b'{"half": ')
    await writer.drain()
    writer.close()

    def list_requests() -> list[tuple[str, int]]:
        logged = [record for record in caplog.records if record.getMessage() == "request"]
        return [(record.levelname, vars(record)["status"]) for record in logged]

    await until(lambda: bool(list_requests()))
    assert list_requests() == [("INFO", 499)]
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_the_header_timeout_applies_to_every_request_of_a_connection(serve: Serve):
    served = await serve(head_timeout_s=0.3)
    reader, writer = await connect(served.url)
    writer.write(b"GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
    first = await reader.readuntil(b"}")
    writer.write(b"GET /api/health HTTP/1.1\r\n")
    async with asyncio.timeout(20):
        second = await reader.read()

    assert first.startswith(b"HTTP/1.1 200 ")
    assert second.startswith(b"HTTP/1.1 408 ")


async def test_requests_sent_at_once_are_answered_in_order(served: Served):
    reader, writer = await connect(served.url)
    paths = ("/api/health", "/readyz", "/nothing", "/api/health")
    heads = [f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n" for path in paths]
    writer.write("\r\n".join([*heads[:-1], f"{heads[-1]}connection: close\r\n", ""]).encode())
    async with asyncio.timeout(20):
        answered = (await reader.read()).split(b"HTTP/1.1 ")[1:]

    assert [answer[:3] for answer in answered] == [b"200", b"200", b"404", b"200"]


async def test_an_idle_connection_keeps_only_one_queue(serve: Serve):
    """That of its last request, which waits for what its client sends; each takes 600 bytes."""

    def count() -> int:
        gc.collect()
        return sum(type(item) is deque for item in gc.get_objects())

    served = await serve()
    parts = urlsplit(served.url)
    assert parts.hostname
    assert parts.port
    before = count()
    opened: list[socket.socket] = []
    for _ in range(20):
        opened.append(socket.create_connection((parts.hostname, parts.port)))
        opened[-1].sendall(b"GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        assert await asyncio.to_thread(opened[-1].recv, 9999)
    each = (count() - before) / len(opened)
    for item in opened:
        item.close()

    assert each < 2


async def test_a_connection_shares_its_attributes_names(served: Served):
    """Of more than 30 attributes Python makes a dict of 1.6 kB for each connection."""

    def count() -> int:
        gc.collect()
        return sum(type(one) is dict and "ws_protocol_class" in one for one in gc.get_objects())

    before = count()
    ann = await served.client()
    assert (await ann.get("/api/health")).status_code == 200
    assert count() == before


async def test_an_open_stream_holds_few_frames(serve: Serve):
    run = await begin_held(serve)
    inner = [
        one
        for one in gc.get_objects()
        if isinstance(one, CoroutineType) and "starlette" in one.cr_code.co_filename
    ]
    run.held.open.set()
    async with asyncio.timeout(60):
        await run.stream.read_all()

    frames = {one.cr_code.co_qualname for one in inner}
    assert frames == {"Router.__call__", "Router.app", "Route.handle"}


async def test_slow_request_bodies_time_out(serve: Serve):
    served = await serve(body_timeout_s=0.3)
    reader, writer = await connect(served.url)
    head = f"authorization: Bearer {served.token()}\r\ncontent-type: application/json\r\n"
    line = "POST /api/chat/conversations HTTP/1.1\r\nhost: x\r\n"
    writer.write(f"{line}{head}content-length: 9\r\n\r\n{{".encode())
    async with asyncio.timeout(20):
        answer = await reader.read()

    assert answer.startswith(b"HTTP/1.1 408 ")


async def test_long_answers_do_not_count_as_slow_requests(serve: Serve):
    run = await begin_held(serve, head_timeout_s=0.2, body_timeout_s=0.2)
    reading = asyncio.create_task(run.stream.read_all())
    await asyncio.wait({reading}, timeout=0.8)
    run.held.open.set()

    assert parse_sse(await reading)[-1].event == "done"


async def test_an_empty_line_behind_a_request_begins_no_other(serve: Serve):
    run = await begin_held(serve, head_timeout_s=0.2)
    run.stream.writer.write(b"\r\n")
    reading = asyncio.create_task(run.stream.read_all())
    await asyncio.wait({reading}, timeout=0.8)
    run.held.open.set()

    assert parse_sse(await reading)[-1].event == "done"


async def test_an_empty_line_keeps_no_idle_connection_open(serve: Serve):
    served = await serve(head_timeout_s=0.2)
    reader, writer = await connect(served.url)
    writer.write(b"GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n")
    async with asyncio.timeout(20):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"\r\n")
        left = await reader.read()  # to the end of the connection

    assert b"408" in left
    writer.close()


async def test_a_refused_pipelined_request_is_not_written_into_a_stream(serve: Serve):
    run = await begin_held(serve, header_bytes=4000)
    head = b"POST /api/health HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\na: "
    run.stream.writer.write(head + b"x" * 5000 + b"\r\n\r\n{}")
    async with asyncio.timeout(20):
        told = await run.stream.read_all()
    run.held.open.set()

    assert "HEADERS_TOO_LARGE" not in told


async def test_a_refused_head_with_a_body_logs_no_warning(
    serve: Serve, caplog: pytest.LogCaptureFixture
):
    served = await serve(header_bytes=4000)
    reader, writer = await connect(served.url)
    head = b"POST /api/health HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\na: "
    writer.write(head + b"x" * 5000 + b"\r\n\r\n{}")
    async with asyncio.timeout(20):
        answer = await reader.read()

    assert answer.startswith(b"HTTP/1.1 431 ")
    assert "Invalid HTTP request" not in caplog.text


async def test_streams_and_runs_per_user_are_limited(serve: Serve):
    run = await begin_held(serve, streams_per_user=1, runs_per_user=1)
    bob, other = await run.served.client("bob"), await begin(run.ann)
    path = f"/api/chat/conversations/{other}/messages"
    refused = [
        await run.ann.get(f"{run.path}/stream"),
        await run.ann.post(path, json={"content": SAID}),
    ]
    elsewhere = await bob.get("/api/chat/conversations")
    run.held.open.set()
    async with asyncio.timeout(60):
        await run.stream.read_all()

    told = [answer.json()["error"] for answer in refused]
    assert [answer.status_code for answer in (*refused, elsewhere)] == [429, 429, 200]
    assert ("streams" in told[0]["message"], "runs" in told[1]["message"]) == (True, True)
    assert [error["hint"] for error in told] == [
        "Close one first. limits.streams_per_user sets the maximum (1).",
        "Wait until one of the 1 runs has ended. limits.runs_per_user sets the maximum.",
    ]
    assert not any("retry-after" in answer.headers for answer in refused), "nobody knows"


async def test_without_authentication_per_user_limits_do_not_apply(serve: Serve):
    bounds = dict.fromkeys(("streams_per_user", "runs_per_user", "messages_per_minute"), 1)
    run = await begin_held(serve, auth=False, **bounds)
    other = f"/api/chat/conversations/{await begin(run.ann)}"
    again = await RawStream.open(run.served.url, f"{run.path}/stream", "")
    streams = (run.stream, again, await say_raw(run.served, other))
    run.held.open.set()
    async with asyncio.timeout(60):
        await asyncio.gather(*(stream.read_all() for stream in streams))

    assert [stream.status for stream in streams] == [200, 200, 200]
