"""What a process learns of runs that change hands: claims, resume points, cancels, results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.errors import ConflictError, LeaseLost, NotFoundError
from plainloop.agent.store import runs as store_runs
from plainloop.agent.store.approvals import insert_approvals, list_approvals
from plainloop.agent.store.helper_runs import insert_helper
from plainloop.agent.store.leases import make_owner
from plainloop.agent.store.queue import Claim, cancel_below
from plainloop.agent.store.records import (
    SEQ_ROOM,
    ApprovalRequest,
    LastWords,
    Run,
    RunEnd,
    RunStart,
    ThreadInfo,
    WaitStart,
)
from plainloop.agent.store.store import Store
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    get_texts,
    make_call_start,
    make_event,
    make_settled,
    make_step,
    make_text,
    make_tool_answer,
    make_tool_call,
    make_tool_use,
)


def make_start(thread_id: str, text: str = "hi", **rest: Any) -> RunStart:
    return RunStart("ann", thread_id, make_text("user", text), "default", "tracker", **rest)


async def claim_lost(store: Store, owner: str = "y/1/1", **rest: Any) -> list[Claim]:
    return await store.queue.claim_lost_runs(owner, 30.0, **rest)


async def load_status(store: Store, run_id: str) -> tuple[str, str | None, str | None]:
    run = await store.load_run("acme", "ann", run_id)
    return run.status, run.error_code, run.error_message


async def test_claiming_a_run_returns_its_owner_and_state(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread, owner="x/1/1", lease_s=0.0)
    (claim,) = await claim_lost(store)
    assert (claim.run.owner, claim.run.fence, claim.run.attempt) == ("y/1/1", 2, 2)
    assert (claim.run.tenant_id, claim.run.user_id, claim.run.thread_id, claim.run.run_id) == (
        *("acme", "ann", thread.thread_id, run.run_id),
    )
    assert claim.run.input_position == run.input_position
    told = (claim.is_cancelled, claim.is_queued, claim.was_waiting, claim.is_paused)
    assert told == (False, False, False, False)
    queued = await store.queue.enqueue_run(
        "acme", make_start((await create_thread(store)).thread_id)
    )
    taken = await store.queue.claim_queued_run("z/1/1", 30.0)
    assert taken is not None
    assert (taken.run.run_id, taken.run.input_position, taken.run.owner) == (queued, -1, "z/1/1")
    assert (taken.is_queued, taken.is_cancelled, taken.was_waiting) == (True, False, False)
    assert await store.queue.claim_queued_run("z/1/1", 30.0) is None


async def test_a_process_reclaims_its_dropped_runs_but_not_the_ones_it_holds(store: Store):
    mine = [
        await begin_run(store, await create_thread(store), owner="me/1/1", lease_s=lease_s)
        for lease_s in (0.0, 30.0, 30.0)
    ]
    held, dropped, other = (run.run_id for run in mine)
    assert await claim_lost(store, "me/1/1", held=[held]) == []
    assert await claim_lost(store, "me/1/1", held=[held], run_id=make_id()) == []
    claims = await claim_lost(store, "me/1/1", held=[held], dropped=[dropped])
    assert [claim.run.run_id for claim in claims] == [dropped]
    claims = await claim_lost(store, run_id=held)
    assert [claim.run.run_id for claim in claims] == [held]
    assert await store.queue.heartbeat("me/1/1", [held, dropped, other], 30.0) == {
        dropped: False,
        other: False,
    }
    assert await store.queue.heartbeat("me/1/1", [], 30.0) == {}


async def test_a_claimed_run_skips_event_numbers_viewers_may_have_seen(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread, "go", owner="x/1/1", lease_s=0.0)
    await store.record_call_start(start := make_call_start(run))
    events = (make_event(1, "node_start", step=0, node="worker"), make_event(2, "x"))
    step = make_step(0, next_node="worker", events=events)
    await store.record_steps(run, [replace(step, duration_ms=1_500)])
    (claim,) = await claim_lost(store)
    point = await store.queue.load_resume_point(claim)
    assert (point.kind, get_texts([point.message])) == ("chat", ["go"])
    assert (point.run.next_step, point.run.used_s, point.run.is_resumed) == (1, 1.5, True)
    assert point.run.next_seq == 2 + SEQ_ROOM + 1
    (row,) = await store.list_calls("acme", run.run_id)
    assert (row.call_id, row.status, row.error_code) == (start.call_id, "cut", "INTERRUPTED")
    with pytest.raises(LeaseLost):
        await store.record_steps(run, [make_step(1)])


async def test_an_owner_that_lost_its_claim_closes_and_loads_nothing(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread, "go", owner="x/1/1", lease_s=0.0)
    (late,) = await store.queue.claim_lost_runs("y/1/1", 0.0)  # and stands still then
    (claim,) = await claim_lost(store, "z/1/1")
    own = (await store.queue.load_resume_point(claim)).run
    await store.record_call_start(make_call_start(own))
    with pytest.raises(LeaseLost):
        await store.queue.load_resume_point(late)
    (row,) = await store.list_calls("acme", run.run_id)
    assert row.status == "started"


async def test_a_queued_runs_message_is_appended_when_it_starts(store: Store):
    thread = await create_thread(store)
    await answer(store, await begin_run(store, thread, "first"))
    run_id = await store.queue.enqueue_run("acme", make_start(thread.thread_id, "second"))
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["first", "done"]
    claim = await store.queue.claim_queued_run("y/1/1", 30.0)
    assert claim is not None
    point = await store.queue.load_resume_point(claim)
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == [
        *("first", "done", "second")
    ]
    assert (point.run.run_id, point.run.input_position) == (run_id, 2)
    assert (point.run.next_seq, point.run.next_step, point.run.is_resumed) == (1, 0, False)
    with pytest.raises(LeaseLost):  # its message is there already
        await store.queue.load_resume_point(claim)


async def test_a_suspended_runs_events_are_complete(store: Store):
    run = await begin_run(store, await create_thread(store), owner="x/1/1")
    call: Any = {"type": "tool_call", "id": "c1", "name": "burn", "arguments": {}}
    events = (make_event(1, "approval_request"),)
    asked = [ApprovalRequest(make_id(), call, "Burn?")]
    record = make_tool_call("c1", status="approval")
    await store.queue.park(run, WaitStart(2, asked, 60.0, [record], events))
    assert (await load_status(store, run.run_id))[0] == "waiting"
    assert await claim_lost(store) == []
    approvals = await store.queue.load_approvals(run)
    assert {key: item.status for key, item in approvals.items()} == {"c1": "pending"}
    assert await store.load_events("acme", run.run_id) == [*events]
    (tool_call,) = await store.list_tool_calls("acme", run.run_id)
    assert (tool_call.tool_call_id, tool_call.status) == ("c1", "approval")
    with pytest.raises(ConflictError) as busy:
        await begin_run(store, await store.load_thread("acme", "ann", run.thread_id))
    assert busy.value.hint == "Decide its pending approval, or cancel it."
    key = ("ann", run.run_id, asked[0].approval_id, True, "ann")
    await store.queue.decide_approval("acme", *key)
    (claim,) = await claim_lost(store)
    assert (claim.was_waiting, claim.run.run_id) == (True, run.run_id)
    point = await store.queue.load_resume_point(claim)
    assert point.run.next_seq == 2
    with pytest.raises(LeaseLost):  # its old owner asks no more
        await store.queue.park(run, WaitStart(2, [], 60.0, [], ()))


async def test_an_unanswered_approval_expires_when_checked(store: Store):
    run = await begin_run(store, await create_thread(store))
    call: Any = {"type": "tool_call", "id": "c1", "name": "burn", "arguments": {}}
    async with store.transaction("acme") as tx:
        await insert_approvals(tx, run, [ApprovalRequest(make_id(), call, "Burn?")], 0.0)
    found = await store.queue.load_approvals(run)
    assert [item.status for item in found.values()] == ["expired"]
    listed = await store.queue.list_approvals("acme", "ann", run.run_id)
    assert listed == [*found.values()]
    with pytest.raises(NotFoundError):
        await store.queue.list_approvals("acme", "bob", run.run_id)


async def test_released_runs_can_be_claimed_at_once(store: Store):
    one, two = [
        await begin_run(store, await create_thread(store), owner="me/1/1") for _ in range(2)
    ]
    await store.queue.hand_back(replace(one, fence=9))
    await store.queue.hand_back(replace(one, owner="other"))
    assert await claim_lost(store) == []
    assert await store.queue.is_held_up("acme", one.thread_id, []) is False
    assert await store.queue.is_held_up("acme", one.thread_id, [one.run_id]) is True
    await store.queue.hand_back(one)
    assert await store.queue.is_held_up("acme", one.thread_id, []) is True
    assert await store.queue.is_held_up("umbrella", one.thread_id, []) is False
    assert [claim.run.run_id for claim in await claim_lost(store)] == [one.run_id]
    await store.queue.hand_back_all("me/1/1")
    assert [claim.run.run_id for claim in await claim_lost(store)] == [two.run_id]


async def test_a_cancel_reaches_the_owner_or_ends_an_unowned_run(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread, owner="me/1/1")
    queued = [
        await store.queue.enqueue_run("acme", make_start(thread.thread_id, text)) for text in "ab"
    ]
    assert await store.queue.find_active("acme", "ann", thread.thread_id) == run.run_id
    assert await store.queue.cancel("acme", "ann", thread.thread_id) == run.run_id
    assert await store.queue.list_cancel_requests("me/1/1") == [run.run_id]
    assert await store.queue.list_cancel_requests("other/1/1") == []
    assert await store.queue.heartbeat("me/1/1", [run.run_id], 30.0) == {run.run_id: True}
    assert (await load_status(store, run.run_id))[0] == "running"
    assert [(await load_status(store, it))[0] for it in queued] == ["queued", "queued"]
    assert await store.queue.cancel("acme", "ann", thread.thread_id, with_queue=True) == run.run_id
    told = ("cancelled", "CANCELLED", "it was cancelled before it began")
    assert [await load_status(store, it) for it in queued] == [told, told]
    data = {"message": told[2], "code": told[1]}
    assert await store.load_events("acme", queued[0]) == [make_event(1, "error", **data)]
    await answer(store, run)
    assert await store.queue.find_active("acme", "ann", thread.thread_id) is None
    assert await store.queue.cancel("acme", "ann", thread.thread_id) is None
    for whose in (("acme", "bob"), ("umbrella", "ann")):
        with pytest.raises(NotFoundError):
            await store.queue.cancel(*whose, thread.thread_id)
        with pytest.raises(NotFoundError):
            await store.queue.find_active(*whose, thread.thread_id)


async def test_an_unowned_run_ends_at_once_when_cancelled(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread, owner="x/1/1")
    await store.queue.hand_back(run)
    await store.queue.cancel("acme", "ann", thread.thread_id)
    told = ("cancelled", "CANCELLED", "the run was cancelled")
    assert await load_status(store, run.run_id) == told
    (event,) = await store.load_events("acme", run.run_id)
    assert (event["event"], event["data"]["code"]) == ("error", "CANCELLED")
    assert event["seq"] > SEQ_ROOM, "no number means two events"


async def test_cancelling_a_run_cancels_its_helper_runs(store: Store):
    """The first one works on its run, its own helper is queued, and a third one has ended."""

    async def make_helper() -> ThreadInfo:
        return await store.create_thread("acme", "ann", pack="x", kind="helper")

    caller = await begin_run(store, await create_thread(store))
    working = await begin_run(store, await make_helper())
    other = await begin_run(store, await create_thread(store))
    own, done = await make_helper(), await begin_run(store, await make_helper())
    await answer(store, done)
    queued_id = await store.queue.enqueue_run("acme", make_start(own.thread_id))
    queued = replace(working, run_id=queued_id, thread_id=own.thread_id)
    async with store.transaction("acme") as tx:
        await insert_helper(tx, caller, "c1", "baker", 1, begun=working)
        await insert_helper(tx, caller, "c2", "cook", 1, begun=done)
        await insert_helper(tx, caller, "c3", "clerk", 1, refused="too deep")
        await insert_helper(tx, working, "c1", "cook", 2, begun=queued)
    async with store.transaction("umbrella") as tx:
        await cancel_below(tx, caller.run_id)
    assert await load_status(store, queued_id) == ("queued", None, None)
    async with store.transaction("acme") as tx:
        await cancel_below(tx, caller.run_id)
        sql = "select run_id::text from runs where cancel_requested"
        assert await tx.fetch(sql) == [{"run_id": working.run_id}]
    ended = ("cancelled", "CANCELLED", "it was cancelled before it began")
    assert await load_status(store, queued_id) == ended
    for run, status in ((caller, "running"), (other, "running"), (done, "succeeded")):
        assert await load_status(store, run.run_id) == (status, None, None)


async def test_an_external_call_is_recorded_once_with_its_result(store: Store):
    run = await begin_run(store, await create_thread(store))
    call: Any = {"type": "tool_call", "id": "c1", "name": "pay", "arguments": {"n": 1}}
    record = make_tool_call(
        "c1", name="pay", effect="external", status="started", arguments={"n": 1}, index=3
    )
    assert await store.queue.record_tool_start(run, 4, record, call) is False, "nobody agreed"
    assert await store.queue.load_begun_calls(run, 4) == {}
    assert await store.queue.record_tool_start(run, 4, record) is True
    assert await store.queue.load_begun_calls(run, 4) == {"c1": None}
    assert await store.queue.load_begun_calls(run, 5) == {}
    (row,) = await store.list_tool_calls("acme", run.run_id)
    shown = replace(row, started_at=None, duration_ms=3)
    assert shown == replace(record, started_at=None)
    await store.queue.record_tool_end(run, "c1", "succeeded", {"result": 7})
    assert await store.queue.load_begun_calls(run, 4) == {"c1": {"result": 7}}
    (row,) = await store.list_tool_calls("acme", run.run_id)
    assert row.status == "succeeded"
    with pytest.raises(LeaseLost):
        await store.queue.record_tool_start(replace(run, fence=9), 4, make_tool_call("c2"))


async def test_an_approved_external_call_uses_up_its_approval(store: Store):
    run = await begin_run(store, await create_thread(store))
    call: Any = {"type": "tool_call", "id": "c1", "name": "pay", "arguments": {"n": 1}}
    asked = ApprovalRequest(make_id(), call, "Pay?")
    async with store.transaction("acme") as tx:
        await insert_approvals(tx, run, [asked], 60.0)
    await store.queue.decide_approval("acme", "ann", run.run_id, asked.approval_id, True, "ann")
    record = make_tool_call("c1", name="pay", effect="external", status="started")
    tried = [await store.queue.record_tool_start(run, 0, record, call) for _ in range(2)]
    assert tried == [True, False]
    async with store.transaction("acme") as tx:
        assert [item.status for item in await list_approvals(tx, run.run_id)] == ["consumed"]


async def test_closing_an_abandoned_run_closes_its_open_calls(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread, owner="x/1/1", lease_s=0.0)
    await store.record_call_start(make_call_start(run))
    update: Any = {
        "messages": [make_tool_use("c1"), make_tool_answer("c1", 1), make_tool_use("c2")]
    }
    await store.record_steps(run, [make_step(0, next_node="worker.tools", update=update)])
    with pytest.raises(ConflictError):
        await store.begin_run(
            "acme", make_start(thread.thread_id), make_owner(), 30.0, close_abandoned=False
        )
    assert await store.close_abandoned_run("acme", "ann", thread.thread_id) == run.run_id
    assert await store.close_abandoned_run("acme", "ann", thread.thread_id) is None
    told = ("failed", "INTERRUPTED", "the process that executed it is gone")
    assert await load_status(store, run.run_id) == told
    (row,) = await store.list_calls("acme", run.run_id)
    assert (row.status, row.error_code) == ("cut", "INTERRUPTED")
    last = (await store.load_messages("acme", thread.thread_id))[-1]
    assert [(part["type"], part["id"]) for part in last["parts"]] == [("tool_result", "c2")]  # type: ignore[typeddict-item]


async def test_a_run_ending_outside_a_step_stores_its_last_text(store: Store):
    thread = await create_thread(store)
    run = await begin_run(store, thread)
    await store.record_call_start(start := make_call_start(run))
    last = LastWords(
        [make_text("assistant", "half")],
        [make_settled(start)],
        [make_tool_call("c1")],
        [make_event(1, "error", message="why")],
        ["noted"],
        step=5,
    )
    end = RunEnd("limit", "LIMIT_REACHED", "enough")
    with pytest.raises(LeaseLost):
        await store.finish_run(replace(run, fence=9), end, last)
    await store.finish_run(run, end, last)
    kept = await store.load_run("acme", "ann", run.run_id)
    assert (kept.status, kept.error_code, kept.error_message, kept.notes) == (
        *("limit", "LIMIT_REACHED", "enough"),
        ("noted",),
    )
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["hello", "half"]
    assert [row.status for row in await store.list_calls("acme", run.run_id)] == ["succeeded"]
    sql = "select step from tool_calls where tool_call_id = 'c1'"
    assert await store.read("acme").fetchval(sql) == 5
    assert await store.load_events("acme", run.run_id) == last.events
    with pytest.raises(LeaseLost):
        await store.finish_run(run, end, last)


async def test_a_poll_of_the_queue_returns_due_work_and_the_next_poll_time(store: Store):
    pause_s, found = await store.queue.poll_all("me/1/1", 0.5, 30.0)
    assert (0 < pause_s <= 30.0, found) == (True, set())
    await begin_run(store, await create_thread(store), owner="x/1/1", lease_s=0.0)
    assert "runs" in (await store.queue.poll_all("me/1/1", 0.5, 30.0))[1]


def test_the_label_of_a_steps_transaction_contains_its_run_id():
    run = Run("acme", "ann", "t1", "r1", "me", 3, 2, "default", "tracker", 7)
    assert store_runs.make_step_label(run) == "plainloop step r1"
