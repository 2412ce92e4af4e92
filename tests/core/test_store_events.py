"""The event log: what is written, in whatever portions, comes back one event per number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.events import Event
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.rows import from_event_row, to_event_row
from plainloop.agent.store.store import Store
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_event,
    make_step,
    make_text,
    make_tool_answer,
    make_tool_use,
)


async def test_events_come_back_one_by_one_and_in_order(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    call, result = make_tool_use("c1", status="saved"), make_tool_answer("c1", [{"b": 1, "a": 2}])
    final = make_text("assistant", "One job. Good luck.")
    events: list[Event] = [
        make_event(1, "run_start", run_id=run.run_id),
        make_event(2, "node_start", step=0, node="worker"),
        make_event(3, "text_delta", content="One "),
        make_event(4, "text_delta", content="moment"),
        make_event(5, "tool_start", id="c1", name="list_jobs", arguments={"status": "saved"}),
        make_event(6, "tool_result", id="c1", name="list_jobs", result=[{"b": 1, "a": 2}]),
        make_event(7, "tool_result", id="c1", name="list_jobs", result="cut for the viewer"),
        make_event(8, "node_end", step=0, node="worker", next="worker"),
        make_event(9, "node_end", step=0, node="other", next="worker"),
        make_event(10, "text_delta", content="One job."),
        make_event(11, "text_delta", content=" Good luck."),
        make_event(12, "done", content="One job. Good luck."),
    ]
    await store.record_steps(
        run,
        [make_step(update={"messages": [call, result]}, next_node="worker", events=(*events[:9],))],
    )
    await store.record_event_batches([(run, events[9:10])])
    end = RunEnd("succeeded")
    last = make_step(1, update={"messages": [final]}, events=(*events[10:],), end=end)
    await store.record_steps(run, [last])
    for after in range(13):
        assert await store.load_events("acme", run.run_id, after) == events[after:]
    stored = await store.read("acme").fetchval("select events::text from steps where n = 0")
    assert stored.count('"b"') == 0, "what the messages hold is not stored twice"


async def test_events_with_a_gap_are_a_bug(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    with pytest.raises(ValueError, match="gap"):
        events = [make_event(1, "run_start"), make_event(3, "done")]
        await store.record_event_batches([(run, events)])


NAMES = st.sampled_from(["text_delta", "text_reset", "tool_result", "usage", "done"])
DATA = st.dictionaries(
    st.sampled_from(["content", "id", "result"]), st.text(max_size=3), max_size=2
)


@given(st.lists(st.tuples(NAMES, DATA), min_size=1, max_size=20), st.integers(1, 10**6))
def test_packing_loses_nothing(bodies: list[tuple[str, dict[str, str]]], first: int) -> None:
    events: list[Event] = [
        make_event(first + n, name, **data) for n, (name, data) in enumerate(bodies)
    ]
    row = to_event_row(events)
    assert row is not None
    assert row[:2] == (first, first + len(events) - 1)
    assert from_event_row({"first_seq": first, "events": row[2]}, {}) == events


@given(st.lists(st.text(max_size=4), min_size=1, max_size=6), st.integers(0, 6), st.booleans())
def test_deltas_of_a_steps_text_come_back_as_they_were_told(
    pieces: list[str], flushed: int, is_same: bool
) -> None:
    """flushed: pieces stored before the step. is_same: the message is what was told."""
    told = pieces[flushed:]
    text = make_text("assistant", "".join(pieces) + ("" if is_same else "?"))
    usage = {"node": "w", "provider": "p", "model": "m", "source": "x"}
    usage = {**usage, "input_tokens": 1, "output_tokens": None}
    events = [
        make_event(1, "node_start", step=3, node="w"),
        *(make_event(n, "text_delta", content=piece) for n, piece in enumerate(told, 2)),
        make_event(len(told) + 2, "usage", **usage),
        make_event(len(told) + 3, "usage", **{**usage, "node": "another"}),
    ]
    step = make_step(
        3, node="w", next_node="END", update={"messages": [make_text("user", ""), text]}
    )
    row = to_event_row(events, step)
    assert row is not None
    assert not (is_same and "".join(told)) or all(isinstance(size, int) for size in row[2][1][1])
    kept = {"n": 3, "node": "w", "next_node": "END", "first_position": 7, "first_seq": 1}
    assert from_event_row({**kept, "events": row[2]}, {8: text}) == events
