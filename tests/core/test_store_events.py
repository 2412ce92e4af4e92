"""The event log: what is written, in whatever portions, comes back one event per number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.events import Event
from plainloop.agent.store.events import (
    MAX_MISSED,
    list_changes,
    list_changes_after,
    list_grown_runs,
    list_settled_changes,
    load_last_change,
)
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.rows import from_event_row, has_message_reference, to_event_row
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    make_event,
    make_step,
    make_text,
    make_tool_answer,
    make_tool_use,
)


async def test_stored_events_are_read_in_order(store: Store) -> None:
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


@pytest.mark.parametrize("with_data", [True, False])
async def test_events_point_to_a_message_of_the_step_before(store: Store, with_data: bool) -> None:
    """with_data: the last step writes the thread's row too, without a message."""
    run = await begin_run(store, await create_thread(store))
    call, final = make_tool_use("c1", status="saved"), make_text("assistant", "One job.")
    events: list[Event] = [
        make_event(1, "usage", **{**USAGE, "node": "worker"}),
        make_event(2, "tool_start", id="c1", name="list_jobs", arguments={"status": "saved"}),
        make_event(3, "usage", **USAGE),
        make_event(4, "done", content="One job."),
    ]
    told: Any = {"data": {"a": 1}} if with_data else {}
    end = RunEnd("succeeded")
    for step in (
        make_step(update={"messages": [call]}, events=(events[0],)),
        make_step(
            1,
            update={"messages": [make_tool_answer("c1", []), final]},
            events=(*events[1:3],),
            before=call,
        ),
        make_step(2, update=told, events=(events[3],), before=final, end=end),
    ):
        await store.record_steps(run, [step])

    for after in range(5):
        assert await store.load_events("acme", run.run_id, after) == events[after:]
    rows = await store.read("acme").fetch(
        "select n, first_position, last_position, events from steps order by n"
    )
    assert [(row["first_position"], row["last_position"]) for row in rows] == [
        (1, 1),
        (2, 3),
        (4, 3),
    ]
    assert rows[1]["events"][0] == ["tool_start", {"id": "c1", "name": "list_jobs"}, -1]
    assert rows[2]["events"] == [["done", {}, -1]]
    texts = [step.update.get("messages", []) for step in await store.load_steps("acme", run.run_id)]
    assert [len(said) for said in texts] == [1, 2, 0]


async def test_events_with_a_gap_are_a_bug(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    with pytest.raises(ValueError, match="only 2 of the events 1 to 3 are stored"):
        events = [make_event(1, "run_start"), make_event(3, "done")]
        await store.record_event_batches([(run, events)])


NAMES = st.sampled_from(["text_delta", "text_reset", "tool_result", "usage", "done"])
DATA = st.dictionaries(
    st.sampled_from(["content", "id", "result"]), st.text(max_size=3), max_size=2
)


@given(st.lists(st.tuples(NAMES, DATA), min_size=1, max_size=20), st.integers(1, 10**6))
def test_packing_events_into_rows_loses_nothing(
    bodies: list[tuple[str, dict[str, str]]], first: int
) -> None:
    events: list[Event] = [
        make_event(first + n, name, **data) for n, (name, data) in enumerate(bodies)
    ]
    row = to_event_row(events)
    assert row is not None
    assert row[:2] == (first, first + len(events) - 1)
    assert from_event_row({"first_seq": first, "events": row[2]}, {}) == events


@given(st.lists(st.text(max_size=4), min_size=1, max_size=6), st.integers(0, 6), st.booleans())
def test_stored_text_deltas_are_read_back_unchanged(
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


USAGE = {
    "node": "worker",
    "provider": "openai",
    "model": "m",
    "input_tokens": 3,
    "output_tokens": 2,
    "source": "provider",
    "cache_read_tokens": None,
    "cache_write_tokens": None,
    "reasoning_tokens": None,
    "cost_usd": "0.1",
}
CALL = make_tool_use("c1", status="saved")
RESULT = make_tool_answer("c1", [{"a": 1}])
FINAL = make_text("assistant", "One job.")
MESSAGES: dict[int, Message] = {4: CALL, 5: RESULT, 6: FINAL}


@pytest.mark.parametrize(
    ("event", "packed"),
    [
        (make_event(1, "node_start", step=2, node="worker"), ["node_start"]),
        (make_event(1, "node_end", step=2, node="worker", next="END"), ["node_end"]),
        (make_event(1, "usage", **USAGE), ["usage", [*USAGE.values()][1:], 0]),
        (
            make_event(1, "tool_start", id="c1", name="x", arguments={"status": "saved"}),
            ["tool_start", {"id": "c1", "name": "x"}, 0],
        ),
        (
            make_event(1, "tool_result", id="c1", name="x", result=[{"a": 1}]),
            ["tool_result", {"id": "c1", "name": "x"}, 1],
        ),
        (make_event(1, "done", content="One job."), ["done", {}, 2]),
        (make_event(1, "text_delta", content="job."), ["text_delta", [4, 4], 2]),
        # What only looks like it is kept as it is.
        (make_event(1, "node_end", step=2, node="worker", next="worker"), None),
        (make_event(1, "usage", **{**USAGE, "node": "router"}), None),
        (make_event(1, "usage", **USAGE, extra=1), None),
        (make_event(1, "tool_start", id="c2", name="x", arguments={"status": "saved"}), None),
        (make_event(1, "tool_result", id="c1", name="x", result="cut"), None),
        (make_event(1, "done", content="Another."), None),
        (make_event(1, "error", content="One job."), None),
    ],
)
def test_events_omit_what_the_steps_row_contains(event: Event, packed: list[Any] | None) -> None:
    step = make_step(2, update={"messages": [CALL, RESULT, FINAL]})
    stored = to_event_row([event], step)
    assert stored == (1, 1, [packed or [event["event"], event["data"]]])
    row = {"n": 2, "node": "worker", "next_node": "END", "first_seq": 1, "first_position": 4}
    row["events"] = stored[2]
    assert from_event_row(row, MESSAGES) == [event]
    assert has_message_reference(row) is (packed is not None and len(packed) == 3)


def test_events_that_no_step_contains_are_stored_completely() -> None:
    events = [
        make_event(5, "node_start", step=2, node="worker"),
        make_event(6, "text_delta", content="a"),
        make_event(7, "text_delta", content="b"),
        make_event(8, "reasoning_delta", content="c"),
        make_event(9, "text_delta", content="d", extra=1),
    ]
    stored = to_event_row(events)
    assert stored == (
        5,
        9,
        [
            ["node_start", {"step": 2, "node": "worker"}],
            ["text_delta", ["a", "b"]],
            ["reasoning_delta", ["c"]],
            ["text_delta", {"content": "d", "extra": 1}],
        ],
    )
    assert from_event_row({"first_seq": 5, "events": stored[2]}, {}) == events
    assert to_event_row([]) is None


async def test_runs_with_new_events_are_distinguished_from_others(store: Store) -> None:
    runs = [await begin_run(store, await create_thread(store)) for _ in range(4)]
    grown, stepped, same, ended = runs
    await store.record_event_batches([(grown, [make_event(1, "text_delta", content="a")])])
    told = (make_event(1, "node_start", step=0, node="worker"),)
    await store.record_steps(stepped, [make_step(next_node="worker", events=told)])
    await answer(store, ended)
    known = {("acme", run.run_id): (0, "running") for run in runs}
    known["umbrella", same.run_id] = (0, "running")  # not of that tenant: gone
    async with store.database.operate() as tx:
        found = await list_grown_runs(tx, known)
        seen = dict.fromkeys(known, (1, "running"))
        later = await list_grown_runs(tx, {key: seen[key] for key in known if key[0] == "acme"})
    expected = {("acme", run.run_id) for run in (grown, stepped, ended)}
    assert {*found} == {*expected, ("umbrella", same.run_id)}
    assert later == [("acme", ended.run_id)]


async def test_a_viewer_gets_the_changes_that_it_missed(store: Store) -> None:
    await answer(store, await begin_run(store, await create_thread(store)))
    async with store.transaction("acme") as tx:
        after = await load_last_change(tx)
        assert await load_last_change(tx) == after > 0
    run = await begin_run(store, await create_thread(store))
    theirs = await begin_run(store, await create_thread(store, user_id="bob"))
    for each in (run, theirs):
        await answer(store, each)

    async def list_runs(user_id: str | None) -> set[str]:
        async with store.transaction("acme") as tx:
            rows = await list_changes_after(tx, user_id, after)
        assert rows is not None and after not in {row["change_id"] for row in rows}
        return {str(row["run_id"]) for row in rows if row["run_id"]}

    assert {run.run_id} <= await list_runs("ann")
    assert theirs.run_id not in await list_runs("ann")
    assert {run.run_id, theirs.run_id} <= await list_runs(None)
    async with store.transaction("acme") as tx:
        assert await list_changes_after(tx, "ann", after + 1_000) is None
    async with store.transaction("umbrella") as tx:
        assert await load_last_change(tx) == 0
    async with store.database.operate() as tx:
        newer: list[Any] = await list_changes(tx, {"acme": after})
        assert await list_changes(tx, {"umbrella": 0}) == []
        assert await list_settled_changes(tx, ["acme", "umbrella"]) == {"acme": 0, "umbrella": 0}
    assert {row["tenant_id"] for row in newer} == {"acme"}
    assert min(row["change_id"] for row in newer) > after


async def test_a_viewer_that_missed_too_many_changes_reads_everything(store: Store) -> None:
    sql = (
        "insert into changes (tenant_id, user_id, status)"
        " select $1, 'ann', 'begun' from generate_series(1, $2)"
    )
    async with store.transaction("acme") as tx:
        await tx.execute(sql, "acme", 1)
        after = await load_last_change(tx)
        await tx.execute(sql, "acme", MAX_MISSED)
        missed = await list_changes_after(tx, "ann", after)
        assert missed is not None
        assert len(missed) == MAX_MISSED
        await tx.execute(sql, "acme", 1)
        assert await list_changes_after(tx, "ann", after) is None
