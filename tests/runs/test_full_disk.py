"""The database's disk is full for a while: runs wait and say why; nothing ends or is lost."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store.api import record_replica
from plainloop.agent.store.embedded.server import start_embedded
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.outages import try_once
from plainloop.agent.store.store import Store
from tests.fixtures import make_settings
from tests.machine.scripted import text, tools, triage
from tests.runs.conftest import Replica, StartReplica
from tests.runs.test_detached import Gate

TABLES = ("messages", "steps", "run_events", "llm_calls", "runs", "probes")
FILL = """
create function is_full() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/5/16384": No space left on device'
        using errcode = 'disk_full';
end $$
"""


async def fill(store: Store) -> None:
    """From now on the server says what it says then."""
    async with store.database.connection() as connection:
        await connection.execute(FILL)
        for table in TABLES:
            await connection.execute(
                f"create trigger is_full before insert or update on {table}"
                " for each row execute function is_full()"
            )


async def make_room(store: Store) -> None:
    async with store.database.connection() as connection:
        await connection.execute("drop function is_full cascade")


async def wait_for_log(caplog: pytest.LogCaptureFixture, word: str) -> None:
    async with asyncio.timeout(60):
        while not list_told(caplog, word):
            await asyncio.sleep(0.01)


def list_told(caplog: pytest.LogCaptureFixture, word: str) -> list[logging.LogRecord]:
    """The log's lines whose reason says it."""
    return [item for item in caplog.records if word in getattr(item, "reason", "")]


@pytest.mark.parametrize("call", [None, ("c1", "add_note", {"text": "milk"})])
async def test_a_run_waits_until_there_is_room_and_the_log_has_a_line_for_either(
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
    told = [item.getMessage() for item in caplog.records if item.name.endswith("outages")]
    assert told == ["database_away", "database_back"]
    notes = await store.read("acme").fetchval("select count(*) from notes")
    assert notes == (1 if call else 0)


async def test_a_message_that_cannot_be_kept_is_refused_with_the_true_reason(
    replica: StartReplica,
) -> None:
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


async def test_a_disk_that_is_really_full_is_not_ready(small_disk: Path) -> None:
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
