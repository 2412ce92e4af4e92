"""Many who watch a run that waits, at several processes: each sees all of it, and none is dropped.

PLAINLOOP_VIEWERS (200) of PLAINLOOP_VIEWER_RUNS (1) at PLAINLOOP_VIEWER_PROCESSES (2); what
one costs in memory is printed (`-s`), never asserted, and with PLAINLOOP_VIEWER_SECONDS how busy
each process is. A process has as many sockets as viewers: beyond `ulimit -Hn` it is skipped.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from itertools import cycle, islice
from typing import Any

import psutil
import pytest

from plainloop.server.observe import descriptors
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.server.conftest import ask, begin
from tests.server.test_serving import make_client, start_server, stop_server

VIEWERS = int(os.environ.get("PLAINLOOP_VIEWERS", "200"))
PROCESSES = int(os.environ.get("PLAINLOOP_VIEWER_PROCESSES", "2"))
RUNS = int(os.environ.get("PLAINLOOP_VIEWER_RUNS", "1"))
SECONDS = float(os.environ.get("PLAINLOOP_VIEWER_SECONDS", "0"))
PATIENCE_S = 120.0 + VIEWERS / 20 + SECONDS
LIMITS = ("REQUESTS_PER_MINUTE", "STREAMS_PER_USER", "CONNECTIONS")


async def test_idle_viewers_on_several_processes_all_get_the_end(plainloop: Command) -> None:
    pytest.importorskip("plainloop_rules")
    per_process = VIEWERS // PROCESSES
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < per_process + 200:
        pytest.skip(f"{per_process} viewers need more file descriptors than {hard} (ulimit -Hn)")
    environ = {f"AGENT_LIMITS_{name}": str(10_000 + VIEWERS) for name in LIMITS}
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        served = [await start_server(plainloop, **environ) for _ in range(PROCESSES)]
        logs = [group.create_task(read_log(process)) for process, _ in served]
        async with make_client(served[0][1]) as ann:
            waiting = [await ask_to_delete(ann) for _ in range(RUNS)]
            paths = [f"{path}/stream?run_id={run['run_id']}&after=0" for path, run in waiting]
            before = [psutil.Process(process.pid).memory_info().rss for process, _ in served]
            crowds = [
                await start_crowd(plainloop, url, [*islice(cycle(paths), per_process)])
                for _, url in served
            ]
            for crowd in crowds:
                assert await crowd.stdout.readline() == b"watching\n"
            await report(served, before, per_process)
            for _, run in waiting:
                [asked] = run["approvals"]
                decision = f"/api/runs/{run['run_id']}/approvals/{asked['approval_id']}"
                assert (await ann.post(decision, json={"approve": True})).status_code == 200
            ends = [json.loads(await crowd.stdout.readline()) for crowd in crowds]
        for process, _ in served:
            await stop_server(process)
        await asyncio.gather(*logs)

    assert ends == [{"done": per_process}] * PROCESSES


async def start_crowd(plainloop: Command, url: str, paths: list[str]) -> Any:
    """A process of as many viewers as paths."""
    program = (sys.executable, "-m", "tests.server.viewers", url)
    crowd = await plainloop.start(program=program)
    assert crowd.stdin
    crowd.stdin.write("\n".join(paths).encode())
    crowd.stdin.close()
    return crowd


async def read_log(process: Any) -> None:
    """Take what the replica logs: one whose log nobody reads stands still in the end."""
    async for _ in process.stderr:
        pass


async def report(served: list[tuple[Any, str]], before: list[int], per_process: int) -> None:
    """Print what a viewer takes; how busy who serves them is, where it is watched for a while."""
    processes = [psutil.Process(process.pid) for process, _ in served]
    for process, was in zip(processes, before, strict=True):
        each = (process.memory_info().rss - was) / per_process / 1024
        print(f"\n{per_process} viewers at a process: {each:.1f} kB each", end="")
    if SECONDS:
        count = [count_cpu(process) for process in processes]
        await asyncio.sleep(SECONDS)
        cores = [
            (count_cpu(process) - was) / SECONDS
            for process, was in zip(processes, count, strict=True)
        ]
        print("\ncores, a process:", *(f"{busy:.3f}" for busy in cores), end="")


def count_cpu(process: psutil.Process) -> float:
    spent = process.cpu_times()
    return spent.user + spent.system


async def ask_to_delete(ann: Any) -> tuple[str, dict[str, Any]]:
    """The conversation's path, and what its run, which now waits, answered."""
    conversation = await begin(ann)
    await ask(ann, conversation, "add a job: Cook at Initech")
    asked = await ask(ann, conversation, "delete the job at Initech")
    return f"/api/chat/conversations/{conversation}", asked


def test_a_process_raises_its_file_descriptor_limit(
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
