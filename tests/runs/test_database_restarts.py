"""Postgres goes down and comes back under load: nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import StoreError, ToolError
from plainloop.agent.events import TERMINAL, Event
from plainloop.agent.service import runs
from plainloop.agent.store import outages
from plainloop.agent.store.api import record_replica
from plainloop.agent.store.embedded.server import start_embedded, stop_embedded
from plainloop.agent.store.outages import try_once
from tests.crash.checking import check_run
from tests.fixtures import make_settings, run_sql
from tests.machine.notes_pack import REVIEWED, WRITER, add_note, make_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools, triage
from tests.runs.conftest import Replica, StartReplica, start_replica

RESTARTS = int(os.environ.get("AGENT_DATABASE_RESTARTS") or 2)
THREADS = 6


class EndlessProvider(ScriptedProvider):
    """Sorts every request to the writer, who adds one note and says so."""

    async def _take_step(self, request: Any) -> Any:
        self.requests.append(request)
        await asyncio.sleep(0.02)
        if request.json_schema is not None:
            return triage("note_writer")
        if request.messages[-1]["role"] == "tool":
            return text("It is noted, word for word.")
        return tools((f"call{len(self.requests)}", "add_note", {"text": "n"}))


def crash_server(data_dir: Path) -> None:
    """As `pg_ctl stop -m immediate` does it: no farewell, recovery at the next start. When this
    returns, nobody listens any more."""
    pid_file = data_dir / "postgres" / "data" / "postmaster.pid"
    server = psutil.Process(int(pid_file.read_text().splitlines()[0]))
    server.send_signal(signal.SIGQUIT)
    # Who started it may be this process, and has not asked for its end yet: a zombie is gone.
    with suppress(psutil.NoSuchProcess):
        while server.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)


async def restart_server(data_dir: Path) -> None:
    await asyncio.to_thread(crash_server, data_dir)
    await asyncio.to_thread(start_embedded, data_dir)


async def ask(replica: Replica, thread_id: str, n: int) -> tuple[str, list[Event]]:
    """A client that tries again, with its key and its cursor, until it has the whole answer."""
    run_id, events = "", list[Event]()
    while not (events and events[-1]["event"] in TERMINAL):
        try:
            if not run_id:
                key = f"{thread_id}/{n}"
                run_id = await replica.submit(thread_id, "note it", idempotency_key=key)
            after = events[-1]["seq"] if events else 0
            async for event in replica.host.watch(TENANT, USER, run_id, after):
                events.append(event)
        except StoreError:
            await asyncio.sleep(0.05)
    return run_id, events


async def test_runs_survive_a_database_that_restarts_under_load(
    data_dir: Path, tmp_path: Path
) -> None:
    url = await asyncio.to_thread(start_embedded, data_dir)
    settings = make_settings(url, tmp_path / "data")
    async with AsyncExitStack() as stack:
        models = [ScriptedModels(EndlessProvider()) for _ in range(2)]
        pack = make_pack()
        replicas = [
            await start_replica(stack, settings, pack, each, run_attempts=50) for each in models
        ]
        threads = [await replicas[0].create_thread() for _ in range(THREADS)]

        is_over = asyncio.Event()
        answered: list[tuple[str, list[Event]]] = []

        async def talk(n: int) -> None:
            for turn in itertools.count():
                answered.append(await ask(replicas[n % 2], threads[n], turn))
                if is_over.is_set():
                    return

        talking = [asyncio.create_task(talk(n)) for n in range(THREADS)]
        for _ in range(RESTARTS):
            enough = len(answered) + THREADS
            while len(answered) < enough:  # they are at work
                await asyncio.sleep(0.01)
            await restart_server(data_dir)
        is_over.set()
        store = replicas[0].service.store
        await asyncio.gather(*talking)
        for run_id, events in answered:
            await check_run(store, run_id, "note it", events)
        notes = await store.read(TENANT).fetchval("select count(*) from notes")
        assert notes == len(answered) > THREADS, "every write exactly once"
        active = "select count(*) from runs where status not in ('succeeded')"
        assert await store.read(TENANT).fetchval(active) == 0


async def test_a_run_with_a_lost_begin_response_starts_at_once(
    replica: StartReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await replica(triage("note_writer"), text("Here."), lease_s=3600.0)
    store, begin_run = one.service.store, one.service.store.begin_run

    async def lose_answer(*args: Any, **rest: Any) -> Any:
        monkeypatch.undo()
        await begin_run(*args, **rest)
        raise StoreError("the connection was lost")

    monkeypatch.setattr(store, "begin_run", lose_answer)
    thread_id = await one.create_thread()
    with pytest.raises(StoreError):
        await one.submit(thread_id, "please do it", idempotency_key="k")
    run_id = await one.submit(thread_id, "please do it", idempotency_key="k")
    async with asyncio.timeout(60):
        assert (await one.collect(run_id))[-1]["data"] == {"content": "Here."}


async def test_the_list_of_runs_with_a_lost_begin_response_is_bounded(
    replica: StartReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await replica()
    thread_id = await one.create_thread()
    await one.service.watcher.stop("runs")  # as while the database cannot be reached: nobody looks

    async def fail(*args: Any, **rest: Any) -> Any:
        raise StoreError("the database cannot be reached")

    monkeypatch.setattr(one.service.store, "begin_run", fail)
    monkeypatch.setattr(runs, "MAX_UNSURE", 3)
    for _ in range(5):
        with pytest.raises(StoreError):
            await one.submit(thread_id, "please do it")
    assert len(one.service.live.dropped) == 3


async def test_a_write_lost_with_the_database_is_repeated(
    replica: StartReplica, database_url: str
) -> None:
    deaths = [1]

    @tool("write")
    async def careful_note(tool: ToolContext, text: str) -> Any:
        """Write something down."""
        written = await add_note.function(tool, text)
        if deaths:
            deaths.pop()
            backend = await tool.db.fetchval("select pg_backend_pid()")
            await run_sql(database_url, f"select pg_terminate_backend({backend}, 60000)")
            raise ToolError("it took too long")  # as a tool does whose statement hangs
        return written

    worker = replace(WRITER, tools=("careful_note",))
    pack = replace(make_pack(), workers=(worker, REVIEWED), tools=(careful_note,))
    call = tools(("c1", "careful_note", {"text": "milk"}))
    one = await replica(triage("note_writer"), call, *[text("Noted.")] * 3, pack=pack)
    run_id = await one.submit(await one.create_thread(), "note it")
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Noted."}
    notes = await one.service.store.read(TENANT).fetch("select text from notes")
    assert [row["text"] for row in notes] == ["milk"], "once"


async def test_a_database_outage_and_return_log_one_line_each(
    data_dir: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Who waited and came back never is forgotten soon, though not before anybody's next try.
    monkeypatch.setattr(outages, "FORGET_S", 5.0)
    url = await asyncio.to_thread(start_embedded, data_dir)
    settings = make_settings(url, tmp_path / "data")
    async with AsyncExitStack() as stack:
        one = await start_replica(stack, settings, make_pack(), ScriptedModels(EndlessProvider()))
        await ask(one, await one.create_thread(), 0)
        store = one.service.store
        await asyncio.to_thread(stop_embedded, data_dir)
        kinds = ("watch", "flush", "heartbeat")
        for kind in kinds * 5:
            assert not await try_once(kind, record_replica(store, "here", is_draining=False))
        await asyncio.to_thread(start_embedded, data_dir)
        async with asyncio.timeout(150):
            for kind in kinds:
                while not await try_once(kind, record_replica(store, "here", is_draining=False)):
                    await asyncio.sleep(0.05)
            while not any(item.getMessage() == "database_back" for item in caplog.records):
                await asyncio.sleep(0.05)  # what looks for work by itself is served too
    told = [item for item in caplog.records if item.name.endswith("outages")]
    assert [item.getMessage() for item in told] == ["database_away", "database_back"]
    assert not any(item.exc_info for item in told), "no traceback of what everybody knows"
