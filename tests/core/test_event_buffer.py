"""A run's events: numbered, shown, kept until they are stored, and shown to observers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from plainloop.agent.core.event_buffer import SEQ_ROOM, EventBuffer
from plainloop.agent.core.journal import Journal, RunHandedOver
from plainloop.agent.core.observing import observing, tell_call, tell_events
from plainloop.agent.core.routes import ApiRoute
from plainloop.agent.events import Event
from plainloop.agent.store.records import Run
from plainloop.agent.store.store import Store
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_event,
    make_settled,
)

RUN = Run("acme", "ann", "t", "r", "owner", 1, 1, "default", "tracker", 0, next_seq=5)


def make_buffer() -> tuple[EventBuffer, list[int]]:
    seen: list[int] = []
    return EventBuffer(RUN, lambda event: seen.append(event["seq"])), seen


def emit(buffer: EventBuffer, *texts: str) -> None:
    for text in texts:
        buffer.emit({"event": "text_delta", "data": {"content": text}})


def list_texts(events: Any) -> list[tuple[int, str]]:
    return [(event["seq"], event["data"]["content"]) for event in events]


def test_emitted_events_continue_the_runs_numbers_and_reach_viewers():
    buffer, seen = make_buffer()
    assert (buffer.stored_seq, buffer.has_unstored) == (4, False)
    emit(buffer, "a", "b")
    assert (seen, buffer.stored_seq, buffer.has_unstored) == ([5, 6], 4, True)
    assert list_texts(buffer.list_unstored()) == [(5, "a"), (6, "b")]


def test_changing_an_events_data_later_does_not_alter_the_event():
    buffer, _ = make_buffer()
    data: Any = {"content": "a"}
    buffer.emit({"event": "text_delta", "data": data})
    data["content"] = "changed"
    assert list_texts(buffer.list_unstored()) == [(5, "a")]


def test_unstored_events_are_dropped_and_their_numbers_reused():
    buffer, seen = make_buffer()
    emit(buffer, "a")
    for text in ("b", "c"):
        buffer.append({"event": "text_delta", "data": {"content": text}})
    buffer.void(2)
    emit(buffer, "d")
    assert (seen, list_texts(buffer.list_unstored())) == ([5, 6], [(5, "a"), (6, "d")])


def test_a_commit_stores_all_events_and_sends_the_unsent_ones():
    buffer, seen = make_buffer()
    emit(buffer, "a")
    unseen = [buffer.append({"event": "done", "data": {"content": "b"}})]
    assert seen == [5]
    buffer.store_all(unseen)
    assert (seen, buffer.stored_seq, buffer.has_unstored) == ([5, 6], 6, False)


def test_a_failed_flush_is_repeated():
    buffer, _ = make_buffer()
    emit(buffer, "a", "b")
    assert list_texts(buffer.take(is_early=False)) == [(5, "a"), (6, "b")]
    emit(buffer, "c")
    assert buffer.take(is_early=False) == [], "one flush at a time"
    assert list_texts(buffer.list_unstored()) == [(5, "a"), (6, "b"), (7, "c")]
    buffer.end_flush(is_stored=False)
    assert buffer.stored_seq == 4
    assert list_texts(buffer.take(is_early=False)) == [(5, "a"), (6, "b"), (7, "c")]
    buffer.end_flush(is_stored=True)
    assert (buffer.stored_seq, buffer.list_unstored(), buffer.has_unstored) == (7, (), False)


def test_a_flush_that_ends_after_a_commit_does_not_undo_it():
    buffer, _ = make_buffer()
    emit(buffer, "a")
    buffer.take(is_early=False)
    emit(buffer, "b")
    buffer.store_all([])
    buffer.end_flush(is_stored=True)
    assert buffer.stored_seq == 6

    emit(buffer, "c")
    buffer.take(is_early=False)
    buffer.store_all([])
    buffer.end_flush(is_stored=False)
    assert (buffer.stored_seq, buffer.list_unstored()) == (7, ())


def test_a_flush_stores_a_bounded_number_of_events():
    buffer, _ = make_buffer()
    emit(buffer, *map(str, range(SEQ_ROOM + 3)))
    assert [event["seq"] for event in buffer.take(is_early=False)] == [*range(5, 5 + SEQ_ROOM)]
    buffer.end_flush(is_stored=True)
    assert len(buffer.take(is_early=False)) == 3


def test_a_steps_start_event_alone_is_not_flushed_at_once():
    buffer, _ = make_buffer()
    buffer.emit({"event": "node_start", "data": {"step": 0, "node": "worker"}})
    assert buffer.take(is_early=True) == []
    assert len(buffer.take(is_early=False)) == 1
    buffer.end_flush(is_stored=True)
    buffer.emit({"event": "node_start", "data": {"step": 1, "node": "worker"}})
    emit(buffer, "a")
    assert len(buffer.take(is_early=True)) == 2


def test_a_deferred_steps_events_are_stored_with_it_or_restored():
    buffer, _ = make_buffer()
    emit(buffer, "a")
    held = buffer.list_unstored()
    buffer.hold()
    emit(buffer, "b")
    assert (list_texts(buffer.list_unstored()), buffer.stored_seq) == ([(6, "b")], 4)
    buffer.store_held()
    assert buffer.stored_seq == 5
    buffer.restore(held)
    assert list_texts(buffer.list_unstored()) == [(5, "a"), (6, "b")]


def test_a_flush_does_not_repeat_a_deferred_steps_events():
    buffer, _ = make_buffer()
    emit(buffer, "a")
    buffer.take(is_early=False)
    emit(buffer, "b")
    buffer.hold()
    assert buffer.list_unstored() == ()
    buffer.end_flush(is_stored=False)
    assert buffer.list_unstored() == ()


class Watcher:
    """Keeps what it is shown; may fail at it."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.seen: list[Any] = []

    def see_event(self, run: Run, event: Event) -> None:
        self.seen.append((run.run_id, event["event"]))
        if self.error:
            raise self.error

    def see_call(self, start: Any, settled: Any) -> None:
        self.seen.append((start.call_id, settled.status))
        if self.error:
            raise self.error


def test_an_observer_that_raises_does_not_stop_other_observers():
    broken, watcher = Watcher(RuntimeError("a bug")), Watcher()
    events = [make_event(1, "run_start"), make_event(2, "done")]
    start = make_call_start(RUN)
    with observing(broken), observing(watcher):
        tell_events(RUN, events)
        tell_call(start, make_settled(start))
        buffer, _ = make_buffer()
        emit(buffer, "a")
    tell_events(RUN, events)
    shown = [("r", "run_start"), ("r", "done"), (start.call_id, "succeeded"), ("r", "text_delta")]
    assert watcher.seen == shown
    assert broken.seen == [shown[0], *shown[2:]]


async def test_a_handed_over_run_starts_no_further_step(store: Store):
    run = await begin_run(store, await create_thread(store))
    events: list[Event] = []
    journal = Journal(store, run, events.append)
    journal.tell_place(3)
    journal.begin_step(0, "worker")
    assert (journal.step, journal.node, journal.is_leaving) == (0, "worker", False)
    assert [(event["event"], event["data"]) for event in events] == [
        ("queued", {"place": 3}),
        ("node_start", {"step": 0, "node": "worker"}),
    ]
    assert len(journal.take_events()) == 2
    journal.events.end_flush(is_stored=True)
    journal.hand_over()
    with pytest.raises(RunHandedOver):
        journal.begin_step(1, "worker")
    journal.emit({"event": "done", "data": {"content": ""}})
    assert (journal.take_events(), journal.step) == ([], 0)


class Filter(msgspec.Struct):
    name: str


class NewRow(msgspec.Struct):
    title: str


async def list_rows(request: Any, query: Filter) -> list[str]:
    return [query.name]


async def save_row(request: Any, body: NewRow, upload: Any) -> None:
    return None


def test_an_api_routes_types_come_from_its_handlers_signature():
    listing = ApiRoute("GET", "/api/rows", list_rows, "List rows")
    saving = replace(listing, method="POST", handler=save_row)
    told = [(each.body, each.query, each.upload) for each in (listing, saving)]
    assert told == [(None, Filter, False), (NewRow, None, True)]
    assert (listing.answer, saving.answer) == (list[str], type(None))
