"""The service over a Postgres cluster that fails over: nothing acknowledged is lost or done twice.

Its size is PLAINLOOP_FAILOVER_STREAMS (40: as operations.md tells); unset, it is skipped. It
needs patroni, etcd-server and haproxy, and takes a minute or two.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import pytest

from tests.cli.conftest import Command, make_environ, point_at
from tests.server.events import Sse, fold, parse_sse
from tests.server.test_serving import start_server

STREAMS = int(os.environ.get("PLAINLOOP_FAILOVER_STREAMS", "0"))
SCRIPT = Path(__file__).parents[2] / "deploy" / "ha" / "cluster.py"
PROGRAMS = ("patroni", "etcd", "haproxy", "setpriv", "psql")
PATIENCE_S = 300.0
PAUSE_S = 0.3  # between two tries of a client
MORE_AFTER = 2  # messages of each client after the fail-over

pytestmark = pytest.mark.skipif(not STREAMS, reason="PLAINLOOP_FAILOVER_STREAMS is not set")


def control(*arguments: str | Path) -> str:
    command = [sys.executable, SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def cluster() -> Iterator[tuple[Path, dict[str, str]]]:
    """Its folder and its addresses."""
    for program in PROGRAMS:
        if shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") is None:
            pytest.skip(f"{program} is not installed")
    # Not below pytest's own folder, which no other user may enter.
    folder = Path(tempfile.mkdtemp(prefix="plainloop-ha-"))
    try:
        yield folder, json.loads(control("up", folder))
    finally:
        control("down", folder)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
async def command(tmp_path: Path) -> AsyncIterator[Command]:
    command = Command(make_environ(tmp_path), tmp_path)
    yield command
    for process in command.running:
        if process.returncode is None:
            process.kill()
            await process.wait()


@dataclass
class Load:
    """What clients did. acknowledged: by company, the run of a message that was taken."""

    replicas: list[httpx2.AsyncClient]
    acknowledged: dict[str, str] = field(default_factory=dict)
    taken_at: list[float] = field(default_factory=list)
    ended: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    live: int = 0
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def talk(self, number: int) -> None:
        """One message after the other, until told to stop, and some more."""
        after = 0
        sent = 0
        while after < MORE_AFTER:
            after += self.stop.is_set()
            await self.send(number, f"Firm{number}x{sent}")
            sent += 1

    async def send(self, number: int, company: str) -> None:
        conversation = await self.begin(number)
        path = f"/api/chat/conversations/{conversation}"
        key = str(uuid.uuid4())
        events: list[Sse] = []
        tries = number
        while not (events and events[-1].event in ("done", "error")):
            tries += 1
            client = self.replicas[tries % len(self.replicas)]
            headers = {"accept": "text/event-stream"}
            if company in self.acknowledged:
                self.resumed += 1
                query = {"run_id": self.acknowledged[company], "after": str(last_seq(events))}
                asked = client.stream("GET", f"{path}/stream", params=query, headers=headers)
            else:
                asked = client.stream(
                    "POST",
                    f"{path}/messages",
                    json={"content": f"add a job: Cook at {company}"},
                    headers={**headers, "idempotency-key": key},
                )
            await self.read(asked, company, events)
        numbers = [event.seq for event in events]
        assert numbers == sorted(set(numbers)), "each event once, in order"
        self.ended[events[-1].event] += 1
        assert events[-1].event == "done", events[-1]
        assert fold(events) == events[-1].data["content"]

    async def read(self, asked: Any, company: str, events: list[Sse]) -> None:
        """As much as comes; a failure is none, the caller goes on elsewhere."""
        text = ""
        try:
            async with asked as answer:
                if answer.status_code != 200:
                    await answer.aread()
                    assert answer.status_code in (409, 429, 500, 503), answer.text
                    if answer.status_code == 500:
                        self.ended[answer.text] += 1
                    await asyncio.sleep(PAUSE_S)
                    return
                if company not in self.acknowledged:
                    self.acknowledged[company] = answer.headers["x-run-id"]
                    self.taken_at.append(time.monotonic())
                self.live += 1
                try:
                    async for chunk in answer.aiter_text():
                        text += chunk
                finally:
                    self.live -= 1
        except (httpx2.HTTPError, OSError):
            await asyncio.sleep(PAUSE_S)
        events += [event for event in parse_sse(text) if event.seq > last_seq(events)]

    async def begin(self, number: int) -> str:
        while True:
            number += 1
            try:
                client = self.replicas[number % len(self.replicas)]
                answer = await client.post("/api/chat/conversations", json={})
                if answer.status_code == 201:
                    return answer.json()["id"]
            except (httpx2.HTTPError, OSError):
                pass
            await asyncio.sleep(PAUSE_S)


def last_seq(events: list[Sse]) -> int:
    return events[-1].seq if events else 0


async def wait_until(is_so: Any) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("how", ["postgres", "host", "vanish"])
async def test_nothing_acknowledged_is_lost_when_the_primary_dies(
    how: str, cluster: tuple[Path, dict[str, str]], command: Command
) -> None:
    folder, urls = cluster
    wire, address = await start_wire(command)
    limits = ("REQUESTS_PER_MINUTE", "MESSAGES_PER_MINUTE", "RUNS_PER_USER", "STREAMS_PER_USER")
    environ = {
        **point_at("anthropic", address),
        **{f"AGENT_LIMITS_{name}": "1000000" for name in limits},
    }
    # One replica knows both hosts, the other one a proxy before them.
    servers = [
        await start_server(command, **environ, DATABASE_URL=urls[name])
        for name in ("hosts", "proxy")
    ]
    clients = [httpx2.AsyncClient(base_url=url, timeout=60, trust_env=False) for _, url in servers]
    load = Load(clients)
    tasks = [asyncio.create_task(load.talk(number)) for number in range(STREAMS)]
    await wait_until(lambda: load.live >= STREAMS * 0.8 or any(task.done() for task in tasks))
    killed_at = time.monotonic()
    if how == "vanish":  # with the replica on it, which gets no more requests
        servers[1][0].send_signal(signal.SIGSTOP)
        load.replicas.pop()
    killed = (await asyncio.to_thread(control, "kill", folder, how)).strip()
    await wait_until(
        lambda: (
            sum(at > killed_at + 1 for at in load.taken_at) > STREAMS
            or any(task.done() for task in tasks)
        )
    )
    await asyncio.to_thread(control, "start", folder)
    load.stop.set()
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*tasks)
    away_s = max(b - a for a, b in zip(load.taken_at, load.taken_at[1:], strict=False))
    for client in clients:
        await client.aclose()
    connection = await asyncpg.connect(urls["proxy"])  # of hosts, one that vanished hides the rest
    try:
        await check(connection, load)
    finally:
        await connection.close()
    print(
        f"\n{how} of {killed} killed: {len(load.acknowledged)} messages acknowledged, 0 lost, "
        f"0 doubled; {load.resumed} resumed streams; {away_s:.1f} s without service"
    )
    assert [server.returncode for server, _ in servers] == [None, None]
    assert wire.returncode is None


async def start_wire(command: Command) -> tuple[Any, str]:
    """A provider that takes its time, so that streams are open when the primary dies."""
    process = await command.start("wire-server", "--port", "0", "--first-ms", "200")
    async with asyncio.timeout(PATIENCE_S):
        line = (await process.stdout.readline()).decode()
    return process, next(word for word in line.split() if word.startswith("http"))


async def check(connection: Any, load: Load) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await connection.fetchval("select count(*) from llm_calls where status = 'started'"):
            await asyncio.sleep(0.2)  # rows of cut calls are closed by whoever takes the run up
    rows = await connection.fetch("select company, count(*) as n from tracker_jobs group by 1")
    assert {row["company"]: row["n"] for row in rows} == dict.fromkeys(load.acknowledged, 1)
    runs = await connection.fetch("select run_id::text, status from runs")
    by_id = {row["run_id"]: row["status"] for row in runs}
    assert {by_id.get(run_id) for run_id in load.acknowledged.values()} == {"succeeded"}
    assert load.ended == {"done": len(load.acknowledged)}
