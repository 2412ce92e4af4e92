"""Replicas serve under load while changed copies of them start beside them, one after the
other: no harmful one is ever ready, the harmless ones are, and nothing that is served is disturbed.

`AGENT_DEPLOY_SERVED=200` for as many changes (2), half of them harmful, `AGENT_DEPLOY_REPLICAS=3`
for as many replicas (2), `AGENT_DEPLOY_THINK_S=0` for clients that never rest (0.1 s); it prints
what a judgement took, and the turns of clients beside it.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import psutil
import pytest

from packages.lab.tests.deploy.changing import HARMFUL, HARMLESS, copy_served, copy_tree
from tests.cli.conftest import Command, make_environ
from tests.server.events import parse_sse
from tests.server.test_serving import make_client, start_server

CHANGES = int(os.environ.get("AGENT_DEPLOY_SERVED") or 2)
FIRST = int(os.environ.get("AGENT_DEPLOY_FIRST") or 0)
REPLICAS = int(os.environ.get("AGENT_DEPLOY_REPLICAS") or 2)
THINK_S = float(os.environ.get("AGENT_DEPLOY_THINK_S") or 0.1)
BETWEEN = 10  # turns of clients from one change to the next
PATIENCE_S = 300.0
READY = 0.95  # of the harmless ones
JUDGED = {"AGENT_DEPLOY_JUDGE": "refuse", "AGENT_PROVIDER": "offline"}
LIMITS = ("REQUESTS_PER_MINUTE", "MESSAGES_PER_MINUTE", "RUNS_PER_USER", "STREAMS_PER_USER")
# Each takes another way; the deletion waits for a person.
SAID = (
    "add a job: Cook at Firm{n}x",
    "list my jobs",
    "write me a letter to Cafe Uno about the job",
    "move job 1 to applied",
    "hello",
    "how many jobs do I have?",
)
DELETE = "delete job 1"


@dataclass
class Load:
    """Clients that talk all the time, and what they saw. took: seconds of each turn, by whether a
    changed copy was there.
    """

    clients: list[httpx2.AsyncClient]
    asked: int = 0
    added: list[str] = field(default_factory=list[str])
    ends: list[str] = field(default_factory=list[str])
    took: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})
    is_beside: bool = False
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def talk(self, client: httpx2.AsyncClient) -> None:
        while not self.stop.is_set():
            self.asked += 1
            words = SAID[self.asked % len(SAID)].format(n=self.asked)
            began, was_beside = time.monotonic(), self.is_beside
            end = await self.say(client, words)
            if was_beside is self.is_beside:
                self.took[was_beside].append(time.monotonic() - began)
            self.ends.append(end)
            if words.startswith("add"):
                self.added.append(words.rpartition(" ")[2])
            await asyncio.sleep(THINK_S)  # else those on two processors leave none for the copy

    async def say(self, client: httpx2.AsyncClient, words: str) -> str:
        """The event that the stream ended with: a new conversation's first."""
        made = await client.post("/api/chat/conversations", json={})
        path = f"/api/chat/conversations/{made.json()['id']}/messages"
        headers = {"accept": "text/event-stream"}
        text = ""
        async with client.stream("POST", path, json={"content": words}, headers=headers) as answer:
            assert answer.status_code == 200, await answer.aread()
            async for piece in answer.aiter_text():
                text += piece
                if "event: approval_request" in text:
                    break
        return parse_sse(text)[-1].event

    async def wait_for_more(self, count: int) -> None:
        enough = len(self.ends) + count
        async with asyncio.timeout(PATIENCE_S):
            while len(self.ends) < enough:
                await asyncio.sleep(0.02)


@dataclass(frozen=True)
class Judged:
    """What a started copy came to. cpu_s: of its process, from its start."""

    state: str  # ready, refused, or the line that it ended with
    conversations: int
    cpu_s: float


@pytest.fixture
async def command(tmp_path: Path) -> AsyncIterator[Command]:
    command = Command(make_environ(tmp_path), tmp_path)
    yield command
    await command.close()


async def start_changed(command: Command, tree: Path, **environ: str) -> Judged:
    """Start a copy, wait until it was judged or has ended, and kill it."""
    changed = replace(command, environ={**command.environ, "PYTHONPATH": str(tree)})
    process = await changed.start("serve", "--port", "0", **environ)
    assert process.stderr is not None
    line, told = "", {}
    async with asyncio.timeout(PATIENCE_S):
        async for raw in process.stderr:
            line = raw.decode().strip() or line
            if '"deploy_judged"' in line:
                told = json.loads(line)
                break
    cpu_s = 0.0
    if told:
        times = psutil.Process(process.pid).cpu_times()
        cpu_s = times.user + times.system
    if process.returncode is None:
        process.kill()
    await process.wait()
    state = told.get("state", line)
    return Judged(state, told.get("conversations", 0), cpu_s)


async def read_log(process: Any) -> None:
    """Take what the replica logs: one whose log nobody reads stands still in the end."""
    async for _ in process.stderr:
        pass


def choose_changes() -> list[tuple[int, bool]]:
    return [(seed, bool(seed % 2)) for seed in range(FIRST, FIRST + CHANGES)]


async def test_under_load_no_replica_with_harmful_code_becomes_ready(
    command: Command, empty_database_url: str, tmp_path: Path
):
    tree = copy_served(tmp_path / "served")
    environ = {
        **JUDGED,
        **{f"AGENT_LIMITS_{name}": "1000000" for name in LIMITS},
        "DATABASE_URL": empty_database_url,
    }
    started = await asyncio.gather(*(start_server(command, **environ) for _ in range(REPLICAS)))
    clients = [make_client(url) for _, url in started]
    load = Load(clients)
    ready: dict[bool, list[str]] = {True: [], False: []}
    told: dict[bool, list[str]] = {True: [], False: []}
    judged: list[Judged] = []
    async with asyncio.TaskGroup() as group:
        reading = [group.create_task(read_log(process)) for process, _ in started]
        assert await load.say(clients[0], DELETE) == "approval_request"
        talking = [group.create_task(load.talk(client)) for client in clients]
        await load.wait_for_more(len(SAID) * 2)
        for seed, is_harmful in choose_changes():
            kinds = [*(HARMFUL if is_harmful else HARMLESS).items()]
            name, change = kinds[seed // 2 % len(kinds)]
            copy = copy_tree(tree, tmp_path / f"changed{seed}")
            changed = change(random.Random(seed), copy)
            load.is_beside = True
            came = await start_changed(command, copy, **environ, **changed)
            load.is_beside = False
            shutil.rmtree(copy)
            found = ready if came.state == "ready" else told
            found[is_harmful].append(f"{seed} {name}: {came}")
            judged += [came] if came.conversations else []
            await load.wait_for_more(BETWEEN)
        load.stop.set()
        await asyncio.gather(*talking)
        for task in reading:
            task.cancel()
    for client in clients:
        await client.aclose()

    describe(load, judged)
    assert ready[True] == [], "a harmful change was ready"
    harmless = len(ready[False]) + len(told[False])
    assert len(ready[False]) >= READY * harmless, told[False]
    assert set(load.ends) == {"done"}
    await check_served(empty_database_url, load)
    assert all(process.returncode is None for process in command.running[:REPLICAS])


async def check_served(url: str, load: Load) -> None:
    """What was acknowledged is there, once; what waits, waits."""
    connection: Any = await asyncpg.connect(url)
    try:
        rows = await connection.fetch("select company, count(*) as n from tracker_jobs group by 1")
        statuses = await connection.fetch("select status, count(*) as n from runs group by 1")
    finally:
        await connection.close()
    assert {row["company"]: row["n"] for row in rows} == dict.fromkeys(load.added, 1)
    runs = {row["status"]: row["n"] for row in statuses}
    assert runs == {"succeeded": len(load.ends), "waiting": 1}


def describe(load: Load, judged: list[Judged]) -> None:
    if judged:
        talks = sum(one.conversations for one in judged)
        cpu_s = sum(one.cpu_s for one in judged)
        print(f"\n{len(judged)} judgements of {talks} conversations: {cpu_s:.1f} s of a core")
    for is_beside, took in load.took.items():
        if len(took) > 1:
            ordered = sorted(took)
            p50, p99 = (1000 * ordered[int(share * (len(took) - 1))] for share in (0.5, 0.99))
            beside = "beside a judgement" if is_beside else "without"
            print(f"{len(took)} turns {beside}: p50 {p50:.0f} ms, p99 {p99:.0f} ms")
