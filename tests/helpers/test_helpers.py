"""Helpers: each a run of its own under its caller's, which waits, ends and is replayed with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.errors import InputError, RunWaiting, TooManyRequests
from plainloop.agent.packs.helping import add_helpers
from plainloop.agent.service.resuming import resume_run
from plainloop.agent.store.approvals import list_inbox
from plainloop.agent.store.budgets import list_budget_usage, save_budget
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.helper_runs import HelperRun, list_helpers
from plainloop.agent.store.records import Budget
from plainloop.agent.store.runs import take_run_slot
from tests.helpers.conftest import REFUSED, Camp, ask
from tests.machine.notes_pack import make_pack
from tests.machine.passing import pass_s as pass_s
from tests.machine.running import TENANT, USER, check_shape
from tests.machine.scripted import text, tools
from tests.replaying import load_stored, replay_stored
from tests.runs.conftest import Replica
from tests.runs.test_approvals import decide, wait_for_request
from tests.runs.test_detached import Gate

SIGNAL = tools(("s1", "signal", {"text": "fire"}))


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


async def test_parallel_helpers_can_fail_or_wait_and_the_run_replays(camp: Camp) -> None:
    one = await camp.start(
        lead=[tools(*ask("north", "south", "west")), text("All is told.")],
        north=[text("Snow.")],
        south=[REFUSED],
        west=[SIGNAL, text("Signalled.")],
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


async def test_a_denial_is_reported_only_to_the_helper(camp: Camp) -> None:
    one, thread_id, run_id = await camp.begin(
        lead=[tools(*ask("west")), text("It did not.")], west=[SIGNAL, text("I was not allowed.")]
    )
    await wait_for_request(one, run_id)
    inbox = await list_inbox(one.service.store.read(TENANT), USER, 9)
    assert [item.run_id for item in inbox] == [run_id], "asked once, in its caller's conversation"
    await decide(one, run_id, False)
    assert (await one.collect(run_id))[-1]["data"] == {"content": "It did not."}
    assert camp.world == []
    assert await load_results(one, thread_id) == {"ask_west": {"answer": "I was not allowed."}}
    begun = (await list_begun(one, run_id))["west"]
    assert begun.run_id is not None
    (own,) = await one.service.store.queue.list_approvals(TENANT, USER, begun.run_id)
    assert (own.status, own.decided_by) == ("denied", "ann")


async def test_cancelling_a_caller_cancels_its_helpers_and_their_helpers(camp: Camp) -> None:
    north, south = Gate(text("late")), Gate(text("late"))
    one, thread_id, run_id = await camp.begin(
        lead=[tools(*ask("north", "west"))],
        north=[tools(*ask("south"))],
        south=[south],
        west=[north],
    )
    await asyncio.gather(north.asked.wait(), south.asked.wait())
    async with one.service.store.transaction(TENANT) as tx:  # all together are one of the limit
        await take_run_slot(tx, USER, 2)
        with pytest.raises(TooManyRequests):
            await take_run_slot(tx, USER, 1)
    assert await one.host.cancel(TENANT, USER, thread_id) == run_id
    assert (await one.collect(run_id))[-1]["data"]["code"] == "CANCELLED"
    rows = await one.service.store.read(TENANT).fetch("select status, owner from runs")
    assert [(row["status"], row["owner"]) for row in rows] == [("cancelled", None)] * 4
    assert one.service.live.list_all() == []
    calls = await one.service.store.read(TENANT).fetch(
        "select status from llm_calls where status not in ('succeeded', 'cancelled')"
    )
    assert calls == []


async def test_cancelling_a_caller_cancels_a_waiting_helper(camp: Camp) -> None:
    one, thread_id, run_id = await camp.begin(
        lead=[tools(*ask("north"))], north=[tools(*ask("south"))], south=[SIGNAL]
    )
    asked = await wait_for_request(one, run_id)
    assert asked["question"] == 'signal {"text":"fire"} (south) (north)'
    wanted = {"helper": "south", "tool": "signal", "arguments": {"text": "fire"}}
    assert asked["arguments"] == wanted, "the call that a person agrees to, however deep"
    await one.host.cancel(TENANT, USER, thread_id)
    assert (await one.collect(run_id))[-1]["data"]["code"] == "CANCELLED"
    rows = await one.service.store.read(TENANT).fetch("select distinct status from runs")
    assert [row["status"] for row in rows] == ["cancelled"]
    waiting = await one.service.store.read(TENANT).fetch(
        "select from approvals where status = 'pending'"
    )
    assert waiting == []


async def test_a_nested_helpers_approval_is_decided_in_the_callers_thread(camp: Camp) -> None:
    one, thread_id, run_id = await camp.begin(
        lead=[tools(*ask("north")), text("Done.")],
        north=[tools(*ask("south")), text("South did.")],
        south=[SIGNAL, text("Signalled.")],
    )
    await wait_for_request(one, run_id)
    await decide(one, run_id, True)
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Done."}
    assert camp.world == ["fire"]
    north = (await list_begun(one, run_id))["north"]
    south = (await list_begun(one, str(north.run_id)))["south"]
    await check_replay(one, thread_id, str(north.thread_id), str(south.thread_id))


async def test_a_helper_can_request_several_approvals(camp: Camp) -> None:
    signals = [tools((f"s{n}", "signal", {"text": str(n)})) for n in range(2)]
    both = tools(("s8", "signal", {"text": "8"}), ("s9", "signal", {"text": "9"}))
    one, _, run_id = await camp.begin(
        lead=[tools(*ask("west")), text("Done.")], west=[*signals, both, text("All sent.")]
    )
    decided: set[str] = set()
    async for event in one.host.watch(TENANT, USER, run_id):
        if event["event"] == "approval_request":
            asked = await one.host.list_approvals(TENANT, USER, run_id)
            for item in asked:
                if item.status == "pending" and item.approval_id not in decided:
                    decided.add(item.approval_id)
                    ids = (TENANT, USER, run_id, item.approval_id)
                    await one.host.decide_approval(*ids, True, "ann")
    assert len(decided) == 4
    assert sorted(camp.world) == ["0", "1", "8", "9"]
    asked = await one.host.list_approvals(TENANT, USER, run_id)
    assert {item.status for item in asked} == {"consumed"}


async def test_the_depth_and_number_of_helpers_are_limited(camp: Camp) -> None:
    one, thread_id, run_id = await camp.begin(
        lead=[
            tools(
                *ask("north", "south"), ("c_more", "ask_west", {"task": "look west"}), *ask("west")
            ),
            text("Two were enough."),
        ],
        north=[tools(*ask("south")), text("Alone, then.")],
        south=[text("Rain.")],
        helpers_per_run=2,
        helper_depth=1,
    )
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Two were enough."}
    results = await load_results(one, thread_id)
    assert results["ask_west"]["error"] == "the limit is 2 helpers: go on with what they gave"
    north = (await list_begun(one, run_id))["north"]
    deeper = await load_results(one, str(north.thread_id))
    assert deeper["ask_south"]["error"].startswith("a helper this deep has none itself")


async def test_text_from_outside_taints_helper_requests_and_answers(camp: Camp) -> None:
    one, thread_id, run_id = await camp.begin(
        lead=[
            tools(("l1", "listen", {})),
            tools(*ask("north")),
            text("Heard."),
            tools(*ask("south")),
            text("Clean."),
            tools(*ask("west")),
            text("Heard too."),
        ],
        north=[tools(("n1", "add_note", {"text": "as told"})), text("Noted.")],
        south=[text("Calm.")],
        west=[tools(("w1", "listen", {})), text("Strangers talk.")],
    )
    asked = await wait_for_request(one, run_id)
    assert asked["question"].startswith('add_note {"text":"as told"}'), "the helper began tainted"
    await decide(one, run_id, True)
    await one.collect(run_id)
    assert (await load_results(one, thread_id))["ask_north"] == {
        "answer": "Noted.",
        "untrusted": True,
    }

    clean, later = await one.create_thread(), await one.create_thread()
    await one.collect(await one.submit(clean, "look south"))
    await one.collect(await one.submit(later, "look west"))
    assert await load_results(one, clean) == {"ask_south": {"answer": "Calm."}}
    assert await load_results(one, later) == {
        "ask_west": {"answer": "Strangers talk.", "untrusted": True}
    }


async def test_a_budget_of_a_run_holds_for_its_helpers_too(camp: Camp) -> None:
    one = await camp.start(
        lead=[tools(*ask("north")), text("Done.")], north=[text("Snow.")], max_output_tokens=100
    )
    async with one.service.store.transaction(TENANT) as tx:
        await save_budget(tx, Budget("run", "total", 1_000_000, None))
    run_id = await one.submit(await one.create_thread(), "look")
    await one.collect(run_id)
    used = await list_budget_usage(one.service.store.read(TENANT))
    assert [item.subject for item in used] == [run_id], "one subject: whose run it is"
    calls = await one.service.store.read(TENANT).fetch("select from llm_calls")
    assert used[0].used_tokens == 15 * len(calls) and len(calls) == 4


async def test_erasing_a_thread_erases_its_helper_runs(camp: Camp) -> None:
    one = await camp.start(
        lead=[tools(*ask("north")), text("Done.")],
        north=[tools(*ask("south")), text("Snow.")],
        south=[text("Rain.")],
    )
    thread_id = await one.create_thread()
    await one.collect(await one.submit(thread_id, "look"))
    async with one.service.store.transaction(TENANT) as tx:
        await erase_thread_rows(tx, USER, thread_id)
    for table in ("threads", "messages", "runs", "steps", "helper_runs", "approvals"):
        assert await one.service.store.read(TENANT).fetch(f"select from {table}") == []


async def test_helper_runs_are_invisible_to_other_tenants(camp: Camp) -> None:
    one, _, run_id = await camp.begin(
        lead=[tools(*ask("north")), text("Done.")], north=[text("Snow.")]
    )
    await one.collect(run_id)
    assert len(await list_helpers(one.service.store.read(TENANT), run_id)) == 1
    assert await list_helpers(one.service.store.read("umbrella"), run_id) == []


async def test_a_turn_without_helpers_sends_unchanged_requests(camp: Camp) -> None:
    plain = replace(make_pack(), default_worker="note_writer")
    assert add_helpers(plain) is plain


async def test_clients_cannot_start_a_helper_run(camp: Camp) -> None:
    one = await camp.start()
    with pytest.raises(InputError):
        await one.submit(await one.create_thread(), "look", design="helper:north")


async def test_a_helpers_approval_survives_its_process(camp: Camp) -> None:
    one, thread_id, run_id = await camp.begin(
        lead=[tools(*ask("north", "west"))], north=[text("Snow.")], west=[SIGNAL]
    )
    await wait_for_request(one, run_id)
    await one.host.drain(0.0)
    await one.service.close()

    other = await camp.start(lead=[text("Done.")], west=[text("Signalled.")])
    await decide(other, run_id, True)
    assert (await other.collect(run_id))[-1]["data"] == {"content": "Done."}
    assert camp.world == ["fire"]
    assert await load_results(other, thread_id) == {
        "ask_north": {"answer": "Snow."},
        "ask_west": {"answer": "Signalled."},
    }


async def test_a_stopping_process_hands_over_caller_and_helper(camp: Camp) -> None:
    gate = Gate(text("too late"))
    one, thread_id, run_id = await camp.begin(lead=[tools(*ask("north"))], north=[gate])
    await gate.asked.wait()
    other = await camp.start(lead=[text("Done.")], north=[text("Snow.")])
    await one.host.drain(0.0)
    assert (await other.collect(run_id))[-1]["data"] == {"content": "Done."}
    assert await load_results(other, thread_id) == {"ask_north": {"answer": "Snow."}}
    assert (await list_begun(other, run_id))["north"].status == "succeeded"


async def test_a_helper_runs_when_its_caller_holds_the_only_slot(camp: Camp) -> None:
    one, _, run_id = await camp.begin(
        lead=[tools(*ask("north", "south")), text("Done.")],
        north=[text("Snow.")],
        south=[text("Rain.")],
        runs_at_once=1,
    )
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Done."}


async def test_helpers_share_their_callers_time_limit(
    camp: Camp, pass_s: Callable[[float], None]
) -> None:
    gate = Gate(text("too late"))
    one, _, run_id = await camp.begin(
        lead=[tools(*ask("north"))], north=[gate], run_timeout_s=1000.0, model_timeout_s=5000.0
    )
    await gate.asked.wait()
    pass_s(1001.0)
    assert (await one.collect(run_id))[-1]["data"]["code"] == "LIMIT_REACHED"
    north = (await list_begun(one, run_id))["north"]
    assert north.status in ("cancelled", "limit")


async def test_a_waiting_caller_continues_after_the_decision(camp: Camp) -> None:
    """As in a terminal that serves nobody else."""
    one = await camp.start(
        lead=[tools(*ask("west")), text("Done.")],
        west=[SIGNAL, text("Signalled.")],
        recovery_s=60.0,
    )
    await one.host.drain(0.0)
    thread_id = await one.create_thread()
    with pytest.raises(RunWaiting):
        await one.service.answer(TENANT, USER, thread_id, "signal")
    (run,) = await one.service.store.list_runs(TENANT, thread_id)
    await decide(one, run.run_id, True)
    outcome = await resume_run(one.service, TENANT, USER, run.run_id)
    assert (outcome.answer, camp.world) == ("Done.", ["fire"])


async def test_a_helper_of_an_ended_caller_is_not_resumed(camp: Camp) -> None:
    one, _, run_id = await camp.begin(lead=[tools(*ask("west"))], west=[SIGNAL])
    await wait_for_request(one, run_id)
    west = (await list_begun(one, run_id))["west"]
    assert west.run_id is not None
    end = "update runs set status = 'failed', ended_at = now() where run_id = $1"
    await one.service.store.read(TENANT).execute(end, run_id)
    (asked,) = await one.service.store.queue.list_approvals(TENANT, USER, west.run_id)
    await one.host.decide_approval(TENANT, USER, west.run_id, asked.approval_id, True, "ann")
    assert (await one.collect(west.run_id))[-1]["data"]["code"] == "CANCELLED"
    assert camp.world == []


async def test_deciding_at_the_helpers_run_resumes_its_caller(camp: Camp) -> None:
    one, _, run_id = await camp.begin(
        lead=[tools(*ask("north")), text("Done.")],
        north=[tools(*ask("south")), text("South did.")],
        south=[SIGNAL, text("Signalled.")],
    )
    await wait_for_request(one, run_id)
    north = str((await list_begun(one, run_id))["north"].run_id)
    await decide(one, str((await list_begun(one, north))["south"].run_id), True)
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Done."}
    assert camp.world == ["fire"]


async def test_an_undecided_approval_expires_for_helper_and_caller(camp: Camp) -> None:
    one, thread_id, run_id = await camp.begin(
        lead=[tools(*ask("west")), text("Nobody said yes.")],
        west=[SIGNAL, text("I was not allowed.")],
        approval_s=0.5,
    )
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Nobody said yes."}
    assert camp.world == []
    assert await load_results(one, thread_id) == {"ask_west": {"answer": "I was not allowed."}}
