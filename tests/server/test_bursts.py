"""Many turns begun at once wait; none fails, none is lost.

PLAINLOOP_BURST: how many (60); for a report of times run it with `-s`.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx2
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.server.settings import AuthSettings
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.fixtures import change_table, run_sql
from tests.machine.scripted import text, triage
from tests.server.conftest import SECRET, Served, begin, serving
from tests.server.events import Sse, parse_sse
from tests.server.held import Held
from tests.server.test_idle_viewers import read_log
from tests.server.test_serving import start_server, stop_server

BURST = int(os.environ.get("PLAINLOOP_BURST", "60"))
ROLE, LIMIT = "crowded", 12
DELAY_S = 0.005
FIRST, SECOND = "tell me a story about work", "and another one about rest"


def answer(request: Any) -> Any:
    return triage("general") if request.json_schema is not None else text("There was once.")


@pytest.fixture
async def crowded(settings: Settings, empty_database_url: str, template_url: str) -> Any:
    """Settings whose role may have few connections in its database."""
    await run_sql(
        empty_database_url,
        f"drop role if exists {ROLE}",
        f"create role {ROLE} login connection limit {LIMIT}",
        f"grant plainloop_app, plainloop_operator, plainloop_backup to {ROLE}",
        f"grant all on schema public to {ROLE}",
    )
    url = empty_database_url.replace("postgres@", f"{ROLE}@", 1)
    assert url != empty_database_url
    yield settings.change(DatabaseSettings, url=Secret(url))
    await run_sql(empty_database_url, f"drop owned by {ROLE} cascade", f"drop role {ROLE}")


def make_busy(settings: Settings, **limits: Any) -> Settings:
    limits = {
        "runs_waiting": BURST,
        "connections": 3 * BURST,
        "drain_s": 1.0,
        "heartbeat_s": 0.5,
        **limits,
    }
    signed = settings.change(AuthSettings, jwt_secret=Secret(SECRET))
    return replace(change_table(signed, "limits", **limits), provider="offline")


async def talk(
    client: httpx2.AsyncClient,
    conversation: str,
    words: str,
    is_stored: asyncio.Event | None = None,
) -> list[Sse]:
    """A message's stream to its end; it waits behind what the conversation is at."""
    path = f"/api/chat/conversations/{conversation}/messages"
    body = {"content": words, "when_busy": "enqueue"}
    async with client.stream("POST", path, json=body) as response:
        if is_stored is not None:
            assert response.status_code == 200
            is_stored.set()
        await response.aread()
        assert response.status_code == 200, response.text
        return parse_sse(response.text)


async def converse(client: httpx2.AsyncClient, conversation: str) -> list[list[Sse]]:
    """Two messages, the second while the first is answered."""
    is_stored = asyncio.Event()
    first = asyncio.create_task(talk(client, conversation, FIRST, is_stored))
    await is_stored.wait()
    second = await talk(client, conversation, SECOND)
    return [await first, second]


async def test_a_burst_with_few_database_connections_only_waits(crowded: Settings) -> None:
    chosen = make_busy(crowded, runs_at_once=20)
    script = [answer] * (4 * BURST)
    async with AsyncExitStack() as stack:
        both = [await stack.enter_async_context(serving(chosen, *script)) for _ in range(2)]
        beats = watch_heartbeats(both)
        users = [await both[n % 2].client(f"user {n}") for n in range(BURST // 2)]
        for client in users:
            client.timeout = httpx2.Timeout(600)
        conversations = [await begin(client) for client in users]

        started = time.perf_counter()
        told = [
            events
            for pair in await asyncio.gather(*map(converse, users, conversations))
            for events in pair
        ]
        took_s = time.perf_counter() - started
        assert Counter(events[-1].event for events in told) == {"done": len(told)}
        shown = await asyncio.gather(*map(read_texts, users, conversations))
        expected = [FIRST, "There was once.", SECOND, "There was once."]
        assert shown == [expected] * len(users)
    worst = sorted(beats)[int(len(beats) * 0.99) - 1] if beats else 0.0
    print(f"{len(told)} turns in {took_s:.1f} s; p99 of {len(beats)} heartbeats: {worst:.3f} s")


async def test_a_burst_beyond_provider_connections_is_answered_in_order(plainloop: Command) -> None:
    """All are asked at once of a server process. Its model is a third process: here, it would wait
    for its turns behind thousands of clients, longer than a call may take.
    """
    pytest.importorskip("plainloop_rules")
    provider = await plainloop.start("wire-server", "--port", "0")
    provider_reading = asyncio.create_task(read_log(provider))
    api_base = (await provider.stdout.readline()).decode().split()[-1]
    counts = ("RUNS_WAITING", "CONNECTIONS", "REQUESTS_PER_MINUTE", "MESSAGES_PER_MINUTE")
    environ = {f"AGENT_LIMITS_{name}": str(1000 + 4 * BURST) for name in counts}
    # One process is thousands of clients here: it may be slow to send what it begins.
    environ["AGENT_LIMITS_HEAD_TIMEOUT_S"] = "600"
    environ |= {"AGENT_PROVIDER": "anthropic", "AGENT_API_BASE": api_base}
    process, url = await start_server(plainloop, **environ, ANTHROPIC_API_KEY="any")
    reading = asyncio.create_task(read_log(process))
    async with AsyncExitStack() as stack:
        # One each: a pool looks through all that it has at each request.
        clients = [await stack.enter_async_context(connect(url)) for _ in range(BURST // 2)]
        names = [await begin(client) for client in clients]
        started = time.perf_counter()
        told = await asyncio.gather(*map(converse, clients, names))
        took_s = time.perf_counter() - started
        shown = [await read_texts(*each) for each in zip(clients, names, strict=True)]
    await stop_server(process)
    await reading
    await stop_server(provider)
    await provider_reading
    ends = [events[-1] for pair in told for events in pair]
    answers = [[events[-1].data["content"] for events in pair] for pair in told]

    assert Counter(end.event for end in ends) == {"done": len(ends)}
    assert shown == [[FIRST, first, SECOND, second] for first, second in answers]
    print(f"{len(ends)} turns over connections to a provider in {took_s:.1f} s")


def connect(url: str) -> httpx2.AsyncClient:
    # None is kept: a busy machine lets the server end an idle connection as it is used again.
    limits = httpx2.Limits(max_keepalive_connections=0)
    return httpx2.AsyncClient(
        base_url=url, timeout=600, trust_env=False, verify=False, limits=limits
    )


async def read_texts(client: httpx2.AsyncClient, conversation: str) -> list[str]:
    shown = (await client.get(f"/api/chat/conversations/{conversation}")).json()
    return [item["content"] for item in shown["messages"]]


def watch_heartbeats(replicas: list[Served]) -> list[float]:
    """How long each took, from now on."""
    took: list[float] = []
    for replica in replicas:
        queue = replica.service.store.queue
        beat = queue.heartbeat

        async def timed(*args: Any, beat: Any = beat) -> Any:
            started = time.perf_counter()
            try:
                return await beat(*args)
            finally:
                took.append(time.perf_counter() - started)

        queue.heartbeat = timed  # type: ignore[method-assign]
    return took


async def test_a_full_queue_is_503_and_loses_nothing(settings: Settings) -> None:
    held = Held()
    script = [*held.script, *[answer] * 20]
    chosen = make_busy(settings, runs_at_once=1, runs_waiting=2)
    async with serving(chosen, *script) as served:
        ann = await served.client("ann")
        conversations = [await begin(ann) for _ in range(6)]
        first = asyncio.create_task(talk(ann, conversations[0], FIRST))
        await held.asked.wait()
        paths = [f"/api/chat/conversations/{name}/messages" for name in conversations]
        stored = [asyncio.Event() for _ in range(2)]
        waiting = [
            asyncio.create_task(talk(ann, name, FIRST, is_stored))
            for name, is_stored in zip(conversations[1:3], stored, strict=True)
        ]
        for is_stored in stored:
            await is_stored.wait()
        refused = [await ann.post(path, json={"content": FIRST}) for path in paths[3:]]
        assert [item.status_code for item in refused] == [503] * 3
        assert {item.headers["retry-after"] for item in refused} == {"5"}
        assert {item.json()["error"]["code"] for item in refused} == {"QUEUE_FULL"}
        assert (
            await asyncio.gather(*(read_texts(ann, name) for name in conversations[3:])) == [[]] * 3
        )
        held.open.set()
        ended = await asyncio.gather(first, *waiting)
        assert [events[-1].event for events in ended] == ["done"] * 3
        again = [await talk(ann, name, FIRST) for name in conversations[3:]]
        assert [events[-1].event for events in again] == ["done"] * 3


class SlowDoor:
    """The database's socket, some milliseconds further away; `cut` breaks all connections off."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._writers: set[asyncio.StreamWriter] = set()
        self.passed = 0

    async def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(str(self._socket))
        self._writers |= {writer, forth}
        await asyncio.gather(
            self._pass(reader, forth), self._pass(back, writer), return_exceptions=True
        )
        for end in (writer, forth):
            self._writers.discard(end)
            end.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            await asyncio.sleep(DELAY_S)
            writer.write(data)
            self.passed += 1
        writer.close()

    def cut(self) -> int:
        """How many."""
        for writer in (cut := [*self._writers]):
            writer.transport.abort()
        return len(cut)


async def insist(client: httpx2.AsyncClient, conversation: str, words: str) -> Sse:
    """As a good client: one key, again until the end was seen. The last event."""
    path = f"/api/chat/conversations/{conversation}/messages"
    for _ in range(600):
        try:
            answer = await client.post(
                path,
                json={"content": words},
                headers={"idempotency-key": conversation, "accept": "text/event-stream"},
            )
        except httpx2.RemoteProtocolError:  # cut, which means: come back
            continue
        events = parse_sse(answer.text) if answer.status_code == 200 else []
        if events and events[-1].event in ("done", "error"):
            return events[-1]
        assert answer.status_code in (200, 503), answer.text
        await asyncio.sleep(0.1)
    raise AssertionError("it never ended")


async def test_a_burst_during_a_database_outage_loses_nothing(settings: Settings) -> None:
    assert settings.get_table(DatabaseSettings).url is not None
    url = settings.get_table(DatabaseSettings).url.reveal()
    (folder,) = parse_qs(urlsplit(url).query)["host"]
    with tempfile.TemporaryDirectory() as near:
        door = SlowDoor(Path(folder) / ".s.PGSQL.5432")
        server = await asyncio.start_unix_server(door.enter, f"{near}/.s.PGSQL.5432")
        slow = Secret(url.replace(quote(folder, safe="/"), near))
        chosen = make_busy(settings.change(DatabaseSettings, url=slow), runs_at_once=20)
        async with serving(chosen, *[answer] * (20 * BURST)) as served:
            users = [await served.client(f"user {n}") for n in range(BURST // 2)]
            conversations = [await begin(client) for client in users]
            asked = [
                asyncio.create_task(insist(client, name, FIRST))
                for client, name in zip(users, conversations, strict=True)
            ]
            cut = 0
            for _ in range(3):
                seen = door.passed
                while door.passed < seen + 4 * BURST and not all(task.done() for task in asked):
                    await asyncio.sleep(0.01)
                cut += door.cut()  # somewhere in the middle
            ended = await asyncio.gather(*asked)
            shown = await asyncio.gather(*map(read_texts, users, conversations))
        server.close()
    assert cut > 0
    assert Counter(item.event for item in ended) == {"done": len(users)}
    assert shown == [[FIRST, "There was once."]] * len(users)
