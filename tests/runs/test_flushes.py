"""Events between two commits: stored once, in order, whatever becomes of a flush."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from plainloop.agent.core.journal import Journal
from plainloop.agent.errors import LeaseLost, StoreError
from plainloop.agent.events import Event
from plainloop.agent.service.live_runs import BUFFERED_EVENTS, LiveRun, LiveRuns
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.service.watcher import Watcher
from plainloop.agent.store.records import SEQ_ROOM, RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.types import Update
from tests.core.store_samples import begin_run, create_thread, make_text


async def open_journal(store: Store, seen: list[Event]) -> Journal:
    run = await begin_run(store, await create_thread(store))
    journal = Journal(store, run, seen.append)
    journal.begin_step(0, "worker")
    return journal


async def flush(store: Store, journal: Journal, *, is_told: bool) -> list[Event]:
    """is_told: whether the answer to the COMMIT arrived."""
    events = journal.take_events()
    assert await store.record_event_batches([(journal.run, events)]) == {journal.run.run_id}
    journal.events.end_flush(is_stored=is_told)
    return events


async def test_a_repeated_flush_stores_events_once(store: Store) -> None:
    seen: list[Event] = []
    journal = await open_journal(store, seen)
    journal.emit({"event": "text_delta", "data": {"content": "a"}})
    await flush(store, journal, is_told=False)
    journal.emit({"event": "text_delta", "data": {"content": "b"}})
    await flush(store, journal, is_told=False)
    assert await store.load_events("acme", journal.run.run_id) == seen
    journal.emit({"event": "text_delta", "data": {"content": "c"}})
    update: Update = {"messages": [make_text("assistant", "abc")]}
    await journal.commit(update, "END", RunEnd("succeeded"), {"content": "abc"})
    assert await store.load_events("acme", journal.run.run_id) == seen
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))


async def test_a_flush_takes_no_events_while_a_commit_is_running(store: Store) -> None:
    seen: list[Event] = []
    journal = await open_journal(store, seen)
    journal.emit({"event": "text_delta", "data": {"content": "a"}})
    committing = asyncio.create_task(journal.commit({}, "worker.tools", None, {"content": ""}))
    await asyncio.sleep(0)  # the commit has begun
    while not committing.done():
        assert journal.take_events() == []
        await asyncio.sleep(0)


@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_commit_during_a_flush_stores_events_once(is_stored: bool, store: Store) -> None:
    # It holds a connection, and the flush may be waiting for one.
    seen: list[Event] = []
    journal = await open_journal(store, seen)
    journal.emit({"event": "text_delta", "data": {"content": "a"}})
    events = journal.take_events()
    await journal.commit({}, "worker.tools", None, {"content": ""})
    if is_stored:
        await store.record_event_batches([(journal.run, events)])
    journal.events.end_flush(is_stored=is_stored)
    assert journal.take_events() == []
    assert await store.load_events("acme", journal.run.run_id) == seen
    assert journal.events.stored_seq == seen[-1]["seq"]


@pytest.mark.parametrize("flush_is_first", [True, False])
async def test_a_run_that_ends_during_a_flush_keeps_all_its_events(
    flush_is_first: bool, store: Store
) -> None:
    seen: list[Event] = []
    journal = await open_journal(store, seen)
    journal.emit({"event": "text_delta", "data": {"content": "a"}})
    events = journal.take_events()
    if flush_is_first:
        await store.record_event_batches([(journal.run, events)])
    await journal.finish(RunEnd("cancelled", "CANCELLED", "the run was cancelled"), [])
    if not flush_is_first:
        await store.record_event_batches([(journal.run, events)])
    journal.events.end_flush(is_stored=flush_is_first)
    assert await store.load_events("acme", journal.run.run_id) == seen
    assert [event["event"] for event in seen] == ["node_start", "text_delta", "error"]


async def test_a_long_steps_start_event_is_flushed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = await open_journal(store, [])
    monkeypatch.setattr("plainloop.agent.core.journal.START_FLUSH_DELAY_S", 3600)
    assert journal.take_events() == []
    monkeypatch.setattr("plainloop.agent.core.journal.START_FLUSH_DELAY_S", 0)
    assert [event["event"] for event in await flush(store, journal, is_told=True)] == ["node_start"]


async def test_an_unstored_end_event_is_not_shown(store: Store) -> None:
    seen: list[Event] = []
    journal = await open_journal(store, seen)
    sql = "update runs set fence = fence + 1"
    assert await store.read("acme").execute(sql) == 1
    with pytest.raises(LeaseLost):
        update: Update = {"messages": [make_text("assistant", "yes")]}
        await journal.commit(update, "END", RunEnd("succeeded"), {"content": "yes"})
    assert [event["event"] for event in seen] == ["node_start"]


@asynccontextmanager
async def hold_run(store: Store) -> AsyncIterator[tuple[LiveRuns, LiveRun]]:
    """A process that executes one run, whose events are flushed only by the test."""
    limits = RunLimits(event_flush_ms=3_600_000)
    runs = LiveRuns(store, "me/1/1", limits, Watcher(store, "me/1/1", limits))
    async with runs.held(await begin_run(store, await create_thread(store))) as live:
        live.journal.begin_step(0, "worker")
        yield runs, live
    await runs.close()


async def test_viewers_see_no_more_unstored_events_than_a_takeover_skips(store: Store) -> None:
    async with hold_run(store) as (runs, live):
        for _ in range(SEQ_ROOM + 3):
            live.journal.emit({"event": "text_delta", "data": {"content": "a"}})
        assert live.list_after(0)[-1]["seq"] == SEQ_ROOM
        await runs.flush()
        assert live.list_after(0)[-1]["seq"] == live.last_seq > SEQ_ROOM + 2


async def test_a_run_keeps_few_of_its_stored_events_in_memory(store: Store) -> None:
    async with hold_run(store) as (runs, live):
        for _ in range(100):
            live.journal.emit({"event": "text_delta", "data": {"content": "a"}})
        assert live.covers(0)
        await runs.flush()
        live.journal.emit({"event": "text_delta", "data": {"content": "b"}})
        assert live.covers(live.last_seq - BUFFERED_EVENTS)
        assert not live.covers(live.last_seq - BUFFERED_EVENTS - 1)


async def test_a_flush_that_the_database_does_not_confirm_does_not_lose_the_run(
    store: Store,
) -> None:
    rename = "alter function {}(json) rename to {}"
    async with hold_run(store) as (runs, live):
        live.journal.emit({"event": "text_delta", "data": {"content": "a"}})
        async with store.database.connection() as connection:
            await connection.execute(rename.format("plainloop_record_events", "moved"))
            with pytest.raises(StoreError):
                await runs.flush()
            await connection.execute(rename.format("moved", "plainloop_record_events"))
        assert not live.is_lost
        await runs.flush()
        stored = await store.load_events("acme", live.run.run_id)
    assert [event["event"] for event in stored] == ["node_start", "text_delta"]
