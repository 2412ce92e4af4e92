"""The database's disk is full for a while: runs wait and say why; nothing ends or is lost."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.service import retry_pauses
from plainloop.agent.service.retry_pauses import FIRST_PAUSE_S, JITTER, KNOWN_RUNS, RetryPauses
from plainloop.agent.store import outages
from plainloop.agent.store.api import record_replica
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.outages import try_once
from plainloop.agent.store.store import Store
from tests.fixtures import make_settings
from tests.machine.scripted import text, tools, triage
from tests.runs.conftest import Replica, StartReplica
from tests.runs.test_detached import Gate
from tests.runs.test_turns import answer

TABLES = ("messages", "steps", "run_events", "llm_calls", "runs", "probes")
# An update finds room in its row's page, so the run can be claimed; its step cannot be stored.
NO_STEPS = ("messages", "steps")
NO_CALLS = (*NO_STEPS, "llm_calls")  # nor can it be taken up
FILL = """
create or replace function is_full() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/5/16384": No space left on device'
        using errcode = 'disk_full';
end $$
"""


async def fill(store: Store, tables: Sequence[str] = TABLES) -> None:
    """From now on the server says what it says then. tables: those that find no room."""
    async with store.database.connection() as connection:
        await connection.execute(FILL)
        for table in tables:
            await connection.execute(
                f"create or replace trigger is_full before insert or update on {table}"
                " for each row execute function is_full()"
            )


async def make_room(store: Store) -> None:
    """Let rows be stored again; dropping the triggers would lock tables that runs write to."""
    async with store.database.connection() as connection:
        await connection.execute(
            "create or replace function is_full() returns trigger language plpgsql as "
            "'begin return new; end'"
        )


async def wait_for_log(caplog: pytest.LogCaptureFixture, word: str) -> None:
    async with asyncio.timeout(60):
        while not list_told(caplog, word):
            await asyncio.sleep(0.01)


def list_outages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [item.getMessage() for item in caplog.records if item.name.endswith("outages")]


def list_told(caplog: pytest.LogCaptureFixture, word: str) -> list[logging.LogRecord]:
    """The log's lines whose reason says it."""
    return [item for item in caplog.records if word in getattr(item, "reason", "")]


@pytest.mark.parametrize("call", [None, ("c1", "add_note", {"text": "milk"})])
async def test_a_full_disk_pauses_a_run_with_one_log_line(
    replica: StartReplica, caplog: pytest.LogCaptureFixture, call: Any
) -> None:
    gate = Gate(tools(call) if call else text("Here I am."))
    one: Replica = await replica(triage("note_writer"), gate, *[text("Here I am.")] * 4)
    run_id = await one.submit(await one.create_thread(), "go on")
    await gate.asked.wait()
    store = one.service.store
    await fill(store)
    gate.open.set()
    await wait_for_log(caplog, "could not extend file")
    for _ in range(20):
        assert not await try_once("probe", record_replica(store, "here", is_draining=False))
    await make_room(store)
    assert await try_once("probe", record_replica(store, "here", is_draining=False))
    events = await one.collect(run_id)
    assert events[-1]["event"] == "done", events[-1]
    async with asyncio.timeout(
        outages.FORGET_S / 2
    ):  # what comes round beside runs stops a moment later
        while len(told := list_outages(caplog)) < 2:
            await asyncio.sleep(0.01)
    assert told == ["database_away", "database_back"]
    notes = await store.read("acme").fetchval("select count(*) from notes")
    assert notes == (1 if call else 0)


async def test_a_message_at_a_full_disk_is_refused_with_the_reason(replica: StartReplica) -> None:
    one: Replica = await replica(triage("note_writer"), text("now"))
    thread_id = await one.create_thread()
    await fill(one.service.store)
    with pytest.raises(StoreError, match="disk is full") as refused:
        await one.submit(thread_id, "hello")
    assert refused.value.code == "STORE_FULL"
    assert "base/" not in str(refused.value), "a path inside the database"
    await make_room(one.service.store)
    assert await one.load_texts(thread_id) == []
    assert (await one.collect(await one.submit(thread_id, "hello")))[-1]["event"] == "done"


async def test_a_full_disk_makes_the_replica_not_ready(small_disk: Path) -> None:
    """A row finds room in a file that is there, so the probe asks for more than that."""
    url = await asyncio.to_thread(start_embedded, small_disk)
    ballast = small_disk / "ballast"
    store = await connect_store(make_settings(url, small_disk / "data"))
    try:
        await record_replica(store, "here", is_draining=False)
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(2**16)):
                pass
        with pytest.raises(StoreError) as refused:
            await record_replica(store, "here", is_draining=False)
        assert refused.value.code == "STORE_FULL"
        ballast.unlink()
        await record_replica(store, "here", is_draining=False)
    finally:
        await store.close()


async def begin_unstored(
    one: Replica, tables: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """(thread, run) whose step found no room, and that was not waited for."""
    monkeypatch.setattr(outages, "PAUSES_S", (0.01,))
    gate = one.provider.script[1]
    assert isinstance(gate, Gate)
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "go on")
    await gate.asked.wait()
    await fill(one.service.store, tables)
    gate.open.set()
    return thread_id, run_id


def count_lines(caplog: pytest.LogCaptureFixture) -> Counter[str]:
    """The log's lines about runs."""
    lines = [item.getMessage() for item in caplog.records]
    return Counter(line for line in lines if line.startswith("run_"))


async def load_row(store: Store, run_id: str) -> Any:
    sql = "select status, owner, fence, attempt from runs where run_id = $1"
    return await store.read("acme").fetchrow(sql, run_id)


@pytest.mark.parametrize("tables", [NO_STEPS, NO_CALLS])
async def test_a_run_paused_at_a_full_disk_has_no_owner(
    replica: StartReplica,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tables: Sequence[str],
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr(retry_pauses, "FIRST_PAUSE_S", 3600.0)
    monkeypatch.setattr(retry_pauses, "LONGEST_PAUSE_S", 3600.0)
    one = await replica(triage("note_writer"), Gate(text("Lost.")), *[answer] * 9)
    other = await replica(*[answer] * 9)
    store = one.service.store
    thread_id, run_id = await begin_unstored(one, tables, monkeypatch)
    async with asyncio.timeout(60):
        while (left := await load_row(store, run_id))["owner"] is not None:
            await asyncio.sleep(0.01)
    for _ in range(20):
        for each in (one, other):
            await each.service.watcher.pollers["runs"].look()
    assert await load_row(store, run_id) == left, "nobody has claimed it"
    assert (left["status"], left["attempt"]) == ("running", 1)

    following = [await each.submit(thread_id, "are you there?") for each in (other, one)]
    await make_room(store)
    await fill(store)
    with pytest.raises(StoreError) as refused:
        await one.submit(thread_id, "and now?")
    assert refused.value.code == "STORE_FULL", "nobody works on the thread: it is not busy"
    await make_room(store)
    await other.host.drain(0.0)  # so that one of them has all lines
    async with store.database.operate() as tx:  # the pause is over
        await tx.execute("update runs set lease_until = now() where owner is null")
    one.service.watcher.poke("runs")
    told = [(await one.collect(each))[-1]["data"] for each in (run_id, *following)]
    assert told == [{"content": "here"}] * 3
    assert count_lines(caplog) == {"run_left_unstored": 1, "run_stored_again": 1}


@pytest.mark.parametrize("tables", [NO_STEPS, NO_CALLS])
async def test_repeated_pauses_at_a_full_disk_log_one_line(
    replica: StartReplica,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tables: Sequence[str],
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setattr(retry_pauses, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(retry_pauses, "LONGEST_PAUSE_S", 0.02)
    one = await replica(triage("note_writer"), Gate(text("Lost.")), *[text("Here I am.")] * 99)
    _, run_id = await begin_unstored(one, tables, monkeypatch)
    async with asyncio.timeout(60):
        while (await load_row(one.service.store, run_id))["fence"] < 9:
            await asyncio.sleep(0.01)
    assert count_lines(caplog) == {"run_left_unstored": 1}
    await make_room(one.service.store)
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Here I am."}
    row = await load_row(one.service.store, run_id)
    assert (row["status"], row["attempt"]) == ("succeeded", 1), "a full disk is not its fault"
    assert count_lines(caplog) == {"run_left_unstored": 1, "run_stored_again": 1}


def test_disk_pauses_grow_and_reset_after_a_stored_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "uniform", lambda low, high: (low + high) / 2)
    pauses, full = RetryPauses(), StoreError("the disk is full", code="STORE_FULL")
    assert [pauses.grow("one", 1, full) for _ in range(9)] == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    assert pauses.grow("other", 1, full) == 0.5
    assert [pauses.grow("one", 2, full) for _ in range(2)] == [0.5, 1]
    pauses.end("one")
    assert pauses.grow("one", 2, full) == 0.5


def test_the_table_of_paused_runs_is_bounded() -> None:
    pauses, full = RetryPauses(), StoreError("the disk is full")
    for n in range(2 * KNOWN_RUNS):
        pauses.grow(str(n), 0, full)
    assert len(pauses._failed) == KNOWN_RUNS
    for n in range(2 * KNOWN_RUNS):
        pauses.end(str(n))
    assert pauses._failed == {}


def test_pauses_of_several_runs_end_at_different_times() -> None:
    pauses, full = RetryPauses(), StoreError("the disk is full")
    told = [pauses.grow(str(n), 0, full) for n in range(200)]
    assert len(set(told)) > 100
    assert FIRST_PAUSE_S * (1 - JITTER) <= min(told) <= max(told) <= FIRST_PAUSE_S * (1 + JITTER)
