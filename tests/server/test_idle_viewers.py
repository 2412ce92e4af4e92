"""Many who watch a run that waits, at several processes: each sees all of it, and none is dropped.

PLAINLOOP_VIEWERS (200) of them at PLAINLOOP_VIEWER_PROCESSES (2); what one costs in memory is
printed (`-s`), never asserted. As many sockets are open here: beyond `ulimit -Hn` it is skipped.
"""

from __future__ import annotations

import asyncio
import os
import resource
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from plainloop.server.observe import descriptors
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.server.conftest import begin
from tests.server.test_serving import make_client, start_server, stop_server

VIEWERS = int(os.environ.get("PLAINLOOP_VIEWERS", "200"))
PROCESSES = int(os.environ.get("PLAINLOOP_VIEWER_PROCESSES", "2"))
PATIENCE_S = 120.0 + VIEWERS / 20
AT_ONCE = 50  # that connect at a time
LIMITS = ("REQUESTS_PER_MINUTE", "STREAMS_PER_USER", "CONNECTIONS")


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
    viewer = Viewer(*await asyncio.open_connection(place.hostname, place.port))
    viewer.writer.write(
        f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept: text/event-stream\r\n"
        "Connection: close\r\n\r\n".encode()
    )
    await viewer.read_until(b"approval_request")
    return viewer


async def test_idle_viewers_at_several_processes_all_see_how_it_ends(plainloop: Command) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < VIEWERS + 200:
        pytest.skip(f"{VIEWERS} viewers need more file descriptors than {hard} (ulimit -Hn)")
    descriptors.allow_descriptors(VIEWERS)
    environ = {f"AGENT_LIMITS_{name}": str(10_000 + VIEWERS) for name in LIMITS}
    async with asyncio.timeout(PATIENCE_S):
        served = [await start_server(plainloop, **environ) for _ in range(PROCESSES)]
        async with make_client(served[0][1]) as ann:
            path, waiting = await ask_to_delete(ann)
            before = [psutil.Process(process.pid).memory_info().rss for process, _ in served]
            viewers: list[Viewer] = []
            for first in range(0, VIEWERS, AT_ONCE):
                numbers = range(first, min(first + AT_ONCE, VIEWERS))
                stream = f"{path}/stream?run_id={waiting['run_id']}&after=0"
                urls = [served[n % PROCESSES][1] for n in numbers]
                viewers += await asyncio.gather(*(watch(url, stream) for url in urls))
            for (process, _), was in zip(served, before, strict=True):
                more = psutil.Process(process.pid).memory_info().rss - was
                each = more * PROCESSES / VIEWERS / 1024
                print(f"\n{VIEWERS} viewers, {PROCESSES} processes: {each:.1f} kB each", end="")
            [asked] = waiting["approvals"]
            decision = f"/api/runs/{waiting['run_id']}/approvals/{asked['approval_id']}"
            assert (await ann.post(decision, json={"approve": True})).status_code == 200
            rests = await asyncio.gather(*(viewer.read_rest() for viewer in viewers))
        for viewer in viewers:
            viewer.writer.close()
        for process, _ in served:
            await stop_server(process)

    assert [rest.count(b"event: done\n") for rest in rests] == [1] * VIEWERS
    assert [rest.count(b"event: error\n") for rest in rests] == [0] * VIEWERS


async def ask_to_delete(ann: Any) -> tuple[str, dict[str, Any]]:
    """The conversation's path, and what its run, which now waits, answered."""
    path = f"/api/chat/conversations/{await begin(ann)}"
    headers = {"accept": "application/json"}
    for content in ("add a job: Cook at Initech", "delete the job at Initech"):
        body = {"content": content}
        answer = await ann.post(f"{path}/messages", json=body, headers=headers)
    return path, answer.json()


def test_a_process_lets_itself_open_what_its_connections_take(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And says so where the system lets it not. (The numbers of this process stay as they are.)"""
    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: set_to.append(limits))

    descriptors.allow_descriptors(900)
    descriptors.allow_descriptors(2000)
    assert set_to == [(2000 + descriptors.OTHERS, 4096)]
    assert caplog.messages == []

    descriptors.allow_descriptors(5000)
    assert set_to[1:] == [(4096, 4096)]
    [told] = caplog.records
    assert told.getMessage() == "few_file_descriptors"
    assert "LimitNOFILE=" in told.__dict__["hint"]
