"""The service over a Postgres cluster that fails over: nothing acknowledged is lost or done twice.

Its size is PLAINLOOP_FAILOVER_STREAMS (40: as scale.md tells); unset, it is skipped. It
needs patroni, etcd-server and haproxy, or pg-auto-failover-cli; for cuts of the network iproute2
and root, and PLAINLOOP_FAILOVER_DELAY_MS (20) is how far hosts are apart. A minute or two each.
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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import jwt
import pytest

from plainloop.agent.store.connecting.hosts import split_hosts
from tests.cli.conftest import Command, make_environ, point_at
from tests.server.events import Sse, fold, parse_sse
from tests.server.test_serving import start_server

STREAMS = int(os.environ.get("PLAINLOOP_FAILOVER_STREAMS", "0"))
SCRIPT = Path(__file__).parents[2] / "deploy" / "ha" / "cluster.py"
DELAY_MS = os.environ.get("PLAINLOOP_FAILOVER_DELAY_MS", "20")
PROGRAMS = {
    "patroni": ("patroni", "etcd", "haproxy", "setpriv", "psql"),
    "auto_failover": ("pg_autoctl", "setpriv", "psql"),
}
NODES: tuple[str, ...] = ("n1", "n2")  # in the order of their addresses
SERVICE = "s1"  # a host with a replica and nothing else
SECRET = "a secret of the test, of 32 bytes and more"
PATIENCE_S = 300.0
PAUSE_S = 0.3  # between two tries of a client
SILENT_S = 30.0  # twice the pause after which a stream says that it is alive
# For hosts that vanish, as scale.md has it; and a client that goes by it.
QUICK = {
    "AGENT_LIMITS_KEEP_ALIVE_S": "5",
    "AGENT_LIMITS_LEASE_S": "12",
    "AGENT_LIMITS_HEARTBEAT_S": "4",
}
QUICK_SILENT_S = 10.0
MORE_AFTER = 2  # messages of each client after the fail-over

pytestmark = pytest.mark.skipif(not STREAMS, reason="PLAINLOOP_FAILOVER_STREAMS is not set")


def control(*arguments: str | Path) -> str:
    command = [sys.executable, SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return done.stdout


StartCluster = Callable[..., "Cluster"]


@dataclass(frozen=True)
class Cluster:
    """enter: by host, what comes before a command that runs there; addresses: those of hosts."""

    folder: Path
    urls: dict[str, str]
    addresses: dict[str, str]
    enter: dict[str, list[str]]

    @property
    def primary(self) -> str:
        roles = json.loads(control("roles", self.folder))
        return next(name for name, role in roles.items() if role == "primary")


@pytest.fixture
def start_cluster() -> Iterator[StartCluster]:
    # Not below pytest's own folder, which no other user may enter.
    folder = Path(tempfile.mkdtemp(prefix="plainloop-ha-"))

    def start(*options: str, by: str = "patroni") -> Cluster:
        for program in (*PROGRAMS[by], *(["ip"] if "--delay" in options else [])):
            if shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") is None:
                pytest.skip(f"{program} is not installed")
        return Cluster(folder, **json.loads(control("up", folder, "--by", by, *options)))

    try:
        yield start
    finally:
        control("down", folder)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
async def command(tmp_path: Path) -> AsyncIterator[Command]:
    command = Command(make_environ(tmp_path), tmp_path)
    yield command
    await command.close()


@dataclass
class Load:
    """What clients did. acknowledged: by company, the run of a message that was taken."""

    replicas: list[httpx2.AsyncClient]
    acknowledged: dict[str, str] = field(default_factory=dict)
    taken_at: list[float] = field(default_factory=list)
    last_taken_at: dict[int, float] = field(default_factory=dict)  # by client
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
            await self.read(asked, number, company, events)
        numbers = [event.seq for event in events]
        assert numbers == sorted(set(numbers)), "each event once, in order"
        self.ended[events[-1].event] += 1
        assert events[-1].event == "done", events[-1]
        assert fold(events) == events[-1].data["content"]

    async def read(self, asked: Any, number: int, company: str, events: list[Sse]) -> None:
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
                    self.last_taken_at[number] = self.taken_at[-1]
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


@pytest.mark.parametrize(
    ("by", "how"),
    [
        ("patroni", "postgres"),
        ("patroni", "host"),
        ("patroni", "vanish"),
        ("auto_failover", "postgres"),
        ("auto_failover", "host"),
        ("auto_failover", "vanish"),
    ],
)
async def test_nothing_acknowledged_is_lost_when_the_primary_dies(
    by: str, how: str, start_cluster: StartCluster, command: Command
) -> None:
    cluster = start_cluster(*(["--quick"] if how == "vanish" else []), by=by)
    # One replica knows both hosts, the other one a proxy before them, where there is one.
    urls = (cluster.urls["hosts"], cluster.urls.get("proxy", cluster.urls["hosts"]))
    served = [await start_replica(command, url, is_quick=how == "vanish") for url in urls]

    async def break_it(load: Load) -> Broken:
        if how == "vanish":  # with the replica on it, which gets no more requests
            served[1].process.send_signal(signal.SIGSTOP)
            load.replicas.pop()
        # Aside: clients, and what they wait for, are of this loop.
        name, at = (await asyncio.to_thread(control, "kill", cluster.folder, how)).split()
        return Broken(name, float(at))

    async def mend_it() -> None:
        await asyncio.to_thread(control, "start", cluster.folder)

    await try_it(f"{by}, {how}", cluster, served, break_it, mend_it)


@pytest.mark.parametrize("what", ["service", "replication", "host"])
async def test_nothing_acknowledged_is_lost_when_the_network_is_cut(
    what: str, start_cluster: StartCluster, command: Command
) -> None:
    if os.geteuid() != 0 or not Path("/dev/net/tun").exists():
        pytest.skip("hosts with addresses of their own need root and /dev/net/tun")
    cluster = start_cluster("--delay", DELAY_MS, "--host", SERVICE)
    primary = cluster.primary
    away = {"service": SERVICE, "replication": "n1", "host": primary}[what]
    other = {"service": primary, "replication": "n2", "host": "all"}[what]
    # One replica is where the primary is, the other one knows it as its cut wants it to.
    known = "hosts" if what == "service" else "proxy"
    served = [
        await start_replica(command, cluster.urls["hosts"], primary, cluster),
        await start_replica(command, cluster.urls[known], SERVICE, cluster),
    ]

    async def break_it(load: Load) -> Broken:
        if what == "host":
            load.replicas.pop(0)  # which gets no more requests
        await asyncio.to_thread(control, "cut", cluster.folder, away, other)
        return Broken(f"{away} and {other}", time.monotonic())

    async def mend_it() -> None:
        await asyncio.to_thread(control, "heal", cluster.folder)

    await try_it(f"cut of {what}", cluster, served, break_it, mend_it)


def add_option(url: str, option: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{option}"


@dataclass(frozen=True)
class Replica:
    process: Any
    client: httpx2.AsyncClient


async def start_provider(command: Command) -> str:
    """Start a provider that takes its time, so that streams are open when it happens; its URL."""
    wire = await command.start("wire-server", "--port", "0", "--first-ms", "200")
    async with asyncio.timeout(PATIENCE_S):
        line = (await wire.stdout.readline()).decode()
    return next(word for word in line.split() if word.startswith("http"))


async def start_replica(
    command: Command,
    database_url: str,
    host: str = "",
    cluster: Cluster | None = None,
    *,
    provider: str | None = None,
    is_quick: bool = False,
) -> Replica:
    """Start a replica that uses this provider; None: one of its own, on the same host."""
    enter = [] if cluster is None else cluster.enter[host]
    here = replace(command, program=(*enter, *command.program))
    provider = provider or await start_provider(here)
    limits = ("REQUESTS_PER_MINUTE", "MESSAGES_PER_MINUTE", "RUNS_PER_USER", "STREAMS_PER_USER")
    environ = {
        **point_at("anthropic", provider),
        **{f"AGENT_LIMITS_{name}": "1000000" for name in limits},
        "AGENT_AUTH_JWT_SECRET": SECRET,
        "DATABASE_URL": add_option(database_url, "connect_timeout=3") if is_quick else database_url,
        **(QUICK if is_quick else {}),
    }
    address = "127.0.0.1" if cluster is None else cluster.addresses[host]
    process, url = await start_server(here, "--host", address, **environ)
    claims = {"sub": "ann", "tenant": "acme", "exp": time.time() + 3600}
    headers = {"authorization": f"Bearer {jwt.encode(claims, SECRET)}"}
    silent_s = QUICK_SILENT_S if is_quick else SILENT_S
    client = httpx2.AsyncClient(base_url=url, headers=headers, timeout=silent_s, trust_env=False)
    return Replica(process, client)


@dataclass(frozen=True)
class Broken:
    """name: of the host, where it is one. at: when nothing came of it any more."""

    name: str
    at: float


async def find_parts(load: Load, url: str, pids: dict[str, int]) -> tuple[float, str]:
    """When a host took writes; and until a message was taken, what each process had of its core,
    and for how long it stood ready without one.
    """
    there_at = await find_primary(url)
    before = {name: read_schedule(pid) for name, pid in pids.items()}
    await wait_until(lambda: load.taken_at[-1] > there_at)
    after = {name: read_schedule(pid) for name, pid in pids.items()}
    parts = [
        f"the {name} computed for {after[name][0] - before[name][0]:.1f} s and waited "
        f"{after[name][1] - before[name][1]:.1f} s for a core"
        for name in pids
    ]
    return there_at, ", ".join(parts)


def read_schedule(pid: int) -> tuple[float, float]:
    """Of its main thread, in seconds: with a core, and ready without one. Linux has them."""
    try:
        on, off, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    except OSError:
        return 0.0, 0.0
    return int(on) / 1e9, int(off) / 1e9


async def try_it(
    what: str,
    cluster: Cluster,
    served: list[Replica],
    break_it: Callable[[Load], Awaitable[Broken]],
    mend_it: Callable[[], Awaitable[None]],
) -> None:
    load = Load([one.client for one in served])
    tasks = [asyncio.create_task(load.talk(number)) for number in range(STREAMS)]
    await wait_until(lambda: load.live >= STREAMS * 0.8 or any(task.done() for task in tasks))
    broken = await break_it(load)
    url = leave_out(cluster, broken.name)
    pids = {"replica": served[0].process.pid, "clients": os.getpid()}
    finding = asyncio.create_task(find_parts(load, url, pids))
    # Each client ends what it was about, and begins something new, before anything is mended.
    # Counted from when it broke: on a busy machine seconds pass until then, and a host that is
    # started again within them stays the primary.
    await wait_until(
        lambda: (
            all(at > broken.at + 1 for at in load.last_taken_at.values())
            or any(task.done() for task in tasks)
        )
    )
    await mend_it()
    load.stop.set()
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*tasks)
    times = [broken.at, *(at for at in load.taken_at if at > broken.at)]
    away_s, last_at = max((b - a, a) for a, b in zip(times, times[1:], strict=False))
    there_at, parts = await finding
    told = f"{away_s:.1f} s without service"
    if last_at < there_at < last_at + away_s:
        told += f": {there_at - last_at:.1f} s until a host took writes; then {parts}"
    connection = await asyncpg.connect(url)
    try:
        await check(connection, load)
    finally:
        await connection.close()
    print(
        f"\n{what} ({broken.name}): {len(load.acknowledged)} messages acknowledged, 0 lost, "
        f"0 doubled; {load.resumed} resumed streams; {told}"
    )
    for one in served:
        if one.client in load.replicas or "cut" in what:  # it is there again by itself
            await wait_until_ready(one.client)
        await one.client.aclose()
        assert one.process.returncode is None


def leave_out(cluster: Cluster, broken: str) -> str:
    """The address without the broken host: one that stands still would hide the other."""
    by_host = dict(zip(NODES, split_hosts(cluster.urls["hosts"]), strict=True))
    if by_host.pop(broken, None) is None:
        return cluster.urls["proxy"]
    return by_host.popitem()[1]


async def find_primary(url: str) -> float:
    """When it takes writes."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                connection = await asyncpg.connect(url, timeout=5)
            except (OSError, asyncpg.PostgresError, asyncpg.InternalClientError):
                await asyncio.sleep(0.1)
            else:
                connection.terminate()
                return time.monotonic()


async def wait_until_ready(client: httpx2.AsyncClient) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx2.HTTPError:
                pass
            await asyncio.sleep(PAUSE_S)


async def check(connection: Any, load: Load) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await connection.fetchval("select count(*) from llm_calls where status = 'started'"):
            await asyncio.sleep(0.2)  # rows of cut calls are closed by whoever takes the run up
    rows = await connection.fetch("select company, count(*) as n from tracker_jobs group by 1")
    stored = {row["company"]: row["n"] for row in rows}
    assert set(load.acknowledged) - set(stored) == set(), "lost"
    assert {company: n for company, n in stored.items() if n != 1} == {}, "doubled"
    assert set(stored) - set(load.acknowledged) == set(), "of nobody"
    runs = await connection.fetch("select run_id::text, status from runs")
    by_id = {row["run_id"]: row["status"] for row in runs}
    assert {by_id.get(run_id) for run_id in load.acknowledged.values()} == {"succeeded"}
    assert load.ended == {"done": len(load.acknowledged)}
