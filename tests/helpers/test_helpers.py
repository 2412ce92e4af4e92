"""Helpers: each a run of its own under its caller's, which waits, ends and is replayed with it."""

from __future__ import annotations

import asyncio
from typing import Any

from plainloop.agent.replay.engine.stored import replay_stored
from plainloop.agent.replay.sources.stored import load_stored
from plainloop.agent.store.helper_runs import HelperRun, list_helpers
from tests.helpers.conftest import REFUSED, Camp, Gate, ask
from tests.machine.running import TENANT, USER, check_shape
from tests.machine.scripted import text, tools
from tests.runs.conftest import Replica
from tests.runs.test_approvals import decide, wait_for_request


async def list_begun(replica: Replica, run_id: str) -> dict[str, HelperRun]:
    found = await list_helpers(replica.service.store.read(TENANT), run_id)
    return {item.worker: item for item in found}


async def load_results(replica: Replica, thread_id: str) -> dict[str, Any]:
    """What the caller's model was told, by tool."""
    messages = await replica.service.store.load_messages(TENANT, thread_id)
    parts = [part for message in messages for part in message["parts"]]
    return {part["name"]: part["result"] for part in parts if part["type"] == "tool_result"}


async def check_replay(replica: Replica, *thread_ids: str) -> None:
    """A recorded replay of each takes the same way."""
    packs = {replica.service.pack.name: replica.service.pack}
    for thread_id in thread_ids:
        stored = await load_stored(replica.service.store, TENANT, thread_id)
        replayed = await replay_stored(stored, packs, replica.service.settings)
        assert [turn.outcome for turn in replayed.turns] == ["same"], replayed


async def test_of_three_at_once_one_fails_one_waits_and_all_is_told_and_replayed(
    camp: Camp,
) -> None:
    signal = tools(("s1", "signal", {"text": "fire"}))
    one = await camp.start(
        lead=[tools(*ask("north", "south", "west")), text("All is told.")],
        north=[text("Snow.")],
        south=[REFUSED],
        west=[signal, text("Signalled.")],
    )
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "look around", tags=("tour",))
    asked = await wait_for_request(one, run_id)
    assert asked["id"] == "c_west"
    assert asked["question"] == 'signal {"text":"fire"} (west)'
    assert (await one.service.store.load_run(TENANT, USER, run_id)).status == "waiting"
    assert one.service.live.list_all() == [], "nothing is held while it waits"
    assert camp.world == []

    await decide(one, run_id, True)
    events = await one.collect(run_id)
    assert events[-1]["data"] == {"content": "All is told."}
    assert camp.world == ["fire"]
    for event in events:
        check_shape(event)
    results = await load_results(one, thread_id)
    assert results["ask_north"] == {"answer": "Snow."}
    assert results["ask_south"]["error"].startswith("south failed")
    assert results["ask_west"] == {"answer": "Signalled."}

    begun = await list_begun(one, run_id)
    assert {name: item.status for name, item in begun.items()} == {
        "north": "succeeded",
        "south": "failed",
        "west": "succeeded",
    }
    told = [e["data"] for e in events if e["event"] == "helper"]
    assert {(d["worker"], d["event"]) for d in told} >= {
        ("north", "done"),
        ("south", "error"),
        ("west", "tool_start"),
        ("west", "approval_request"),
    }
    assert {d["run_id"] for d in told} == {item.run_id for item in begun.values()}
    rows = await one.service.store.read(TENANT).fetch(
        "select user_id, worker, tags from llm_calls where worker is not null order by call_id"
    )
    assert {(r["user_id"], r["worker"]) for r in rows} == {
        (USER, name) for name in ("lead", "north", "south", "west")
    }
    assert all(row["tags"] == ["tour"] for row in rows)
    threads = [str(item.thread_id) for name, item in begun.items() if name != "south"]
    await check_replay(one, thread_id, *threads)
    await one.check_records(run_id, thread_id, "look around")
    listed = await one.service.store.list_threads(TENANT, USER, limit=9)
    assert [item.thread_id for item in listed] == [thread_id]
