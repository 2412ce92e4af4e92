"""`serve --workers N`: processes that share a port, how they end, and who looks after them."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil
import pytest

from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.server.conftest import begin
from tests.server.events import parse_sse
from tests.server.test_serving import ENVIRON, make_client, start_server, stop_server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers share a port on Linux")


def list_workers(url: str) -> dict[int, psutil.Process]:
    """The processes that listen at the address; one that ends meanwhile is none."""
    port = int(url.rpartition(":")[2])
    listening = [
        item
        for item in psutil.net_connections("tcp")
        if item.status == psutil.CONN_LISTEN and item.laddr[1] == port
    ]
    found: dict[int, psutil.Process] = {}
    for pid in {item.pid for item in listening if item.pid}:
        with suppress(psutil.NoSuchProcess):
            found[pid] = psutil.Process(pid)
    return found


async def wait_until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not holds():
            await asyncio.sleep(0.05)


async def test_workers_share_a_port_and_each_others_runs(plainloop: Command):
    process, url = await start_server(plainloop, "--workers", "2")
    banner = [(await process.stdout.readline()).decode() for _ in range(5)]
    workers = list_workers(url)
    answered: set[int] = set()
    shown: set[str] = set()
    async with make_client(url) as local:
        conversation = await begin(local)
        path = f"/api/chat/conversations/{conversation}/messages"
        answer = await local.post(path, json={"content": "list my jobs"})
    async with asyncio.timeout(120):
        while len(answered) < 2:  # the kernel chooses a worker by the client's port
            async with make_client(url) as other:
                shown.add((await other.get(path)).text)
                answered |= {
                    pid
                    for pid, worker in workers.items()
                    for item in worker.net_connections("tcp")
                    if item.status == psutil.CONN_ESTABLISHED
                    and item.laddr[1] == int(url.rpartition(":")[2])
                }
    code = await stop_server(process)

    assert "  workers   2 processes on this port\n" in banner
    assert parse_sse(answer.text)[-1].event == "done"
    assert answered == set(workers)
    assert len(shown) == 1
    assert code == 0
    assert not any(worker.is_running() for worker in workers.values())


async def test_a_worker_that_was_killed_is_started_again(plainloop: Command):
    process, url = await start_server(plainloop, "--workers", "2")
    before = list_workers(url)
    killed = next(iter(before))
    before[killed].kill()
    await wait_until(lambda: len(set(list_workers(url)) - {killed}) == 2)
    after = list_workers(url)
    async with make_client(url) as local:
        ready = await local.get("/readyz")
    code = await stop_server(process, signal.SIGINT)
    log = (await process.stderr.read()).decode()

    assert len(set(before) & set(after)) == 1
    assert ready.status_code == 200
    assert "ended with -9; started again in 1 s" in log
    assert code == 0


async def test_workers_end_with_a_parent_that_was_killed(plainloop: Command):
    process, url = await start_server(plainloop, "--workers", "2")
    workers = list_workers(url)
    await stop_server(process, signal.SIGKILL)

    await wait_until(lambda: not any(worker.is_running() for worker in workers.values()))


async def test_a_failing_start_of_workers_prints_one_error_and_ends_all(plainloop: Command):
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    failed = await plainloop(
        "serve", "--port", "0", "--workers", "2", DATABASE_URL=nowhere, **ENVIRON
    )

    assert failed.code == 5
    assert failed.err.count("error[STORE_UNAVAILABLE]") == 1


async def test_serving_at_a_port_that_workers_use_is_refused(plainloop: Command):
    process, url = await start_server(plainloop, "--workers", "2")
    port = url.rpartition(":")[2]
    again: list[Any] = [
        await plainloop("serve", "--port", port, *more, **ENVIRON)
        for more in ((), ("--workers", "2"))
    ]
    await stop_server(process)

    assert [item.code for item in again] == [2, 2]
    assert all("Address already in use" in item.err for item in again)


async def test_each_worker_has_a_health_port_of_its_own(plainloop: Command, free_ports: Any):
    first = free_ports(2)
    process, url = await start_server(
        plainloop, "--workers", "2", AGENT_SERVER_HEALTH_PORT=str(first)
    )
    told: list[int] = []
    for port in (first, first + 1):
        async with make_client(f"http://127.0.0.1:{port}") as scraper:
            told.append((await scraper.get("/metrics")).status_code)
    async with make_client(url) as local:
        told.append((await local.get("/metrics")).status_code)
    await stop_server(process)

    assert told == [200, 200, 404]


@pytest.fixture
def free_ports() -> Callable[[int], int]:
    """Find the first of so many free ports in a row."""
    import socket

    def find(count: int) -> int:
        for first in range(20_000, 30_000, count):
            try:
                for port in range(first, first + count):
                    with socket.socket() as probe:
                        probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return first
        raise AssertionError("no free ports")

    return find
