"""A run changes hands while its first owner is not dead but slow: the fence decides."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.errors import StoreError
from plainloop.agent.store.database import CONNECTIONS
from plainloop.agent.store.records import SEQ_ROOM
from tests.machine.running import TENANT, USER, fold_text
from tests.machine.scripted import text, tools, triage
from tests.runs.conftest import Replica, StartReplica
from tests.runs.effects_pack import World
from tests.runs.test_detached import Gate

# An owner that is too slow to notice what happens to its runs.
SLOW: dict[str, Any] = {
    "lease_s": 60.0,
    "heartbeat_s": 50.0,
    "cancel_poll_s": 50.0,
    "recovery_s": 60.0,
    "tool_timeout_s": 300.0,  # what it holds open lasts until somebody else has taken over
}
EXPIRE = "update runs set lease_until = now() - interval '1 second' where status = 'running'"


async def expire_leases(replica: Replica) -> None:
    """As if the owner had been silent for too long."""
    assert await replica.service.store.read(TENANT).execute(EXPIRE) == 1


async def list_run_calls(replica: Replica, run_id: str) -> list[tuple[str, str]]:
    calls = await replica.service.store.list_calls(TENANT, run_id)
    return [(call.role, call.status) for call in calls]


async def wait_for_heartbeat(replica: Replica, run_id: str) -> None:
    """Until the run's owner, who may be another, has extended its lease once more."""
    read = replica.service.store.read(TENANT)
    sql = "select lease_until from runs where run_id = $1"
    before = await read.fetchval(sql, run_id)
    async with asyncio.timeout(60):
        while await read.fetchval(sql, run_id) == before:
            await asyncio.sleep(0.01)


async def test_an_interrupted_call_is_repeated_and_both_are_in_the_ledger(
    replica: StartReplica,
) -> None:
    late = Gate(text("Too late."))
    first = await replica(triage("note_writer"), late, **SLOW)
    thread_id = await first.create_thread()
    run_id = await first.submit(thread_id, "write something")
    watching = asyncio.create_task(first.collect(run_id))
    await late.asked.wait()
    await expire_leases(first)
    second = await replica(text("In time."))
    seen = await second.collect(run_id)
    assert seen[-1]["data"] == {"content": "In time."}
    assert await list_run_calls(second, run_id) == [
        ("classifier", "succeeded"),
        ("worker", "cut"),
        ("worker", "succeeded"),
    ]
    late.open.set()
    assert fold_text(await watching) == "In time.", "who watched the slow owner sees the truth"
    assert await first.load_texts(thread_id) == [
        ("user", "write something"),
        ("assistant", "In time."),
    ]
    await second.check_records(run_id, thread_id, "write something")


async def test_viewers_are_disconnected_when_the_database_is_unreachable(
    replica: StartReplica,
) -> None:
    late = Gate(text("In time."))
    first = await replica(triage("note_writer"), late, heartbeat_s=0.1, lease_s=1.0)
    run_id = await first.submit(await first.create_thread(), "write something")
    await late.asked.wait()
    queue = first.service.store.queue
    beat = queue.heartbeat

    async def fail(*args: Any) -> Any:
        raise StoreError("away")

    queue.heartbeat = fail  # type: ignore[method-assign]
    async with asyncio.timeout(60):
        with pytest.raises(StoreError):
            await first.collect(run_id)
    queue.heartbeat = beat  # type: ignore[method-assign]
    late.open.set()
    async with asyncio.timeout(60):  # it was nobody else's, and goes on as if nothing had been
        while (await first.service.store.load_run(TENANT, USER, run_id)).status != "succeeded":
            await asyncio.sleep(0.05)


async def test_a_takeover_keeps_the_threads_data(replica: StartReplica) -> None:
    late = Gate(text("Too late."))
    calls = [tools((f"c{n}", "set_mood", {"mood": mood})) for n, mood in enumerate(("glad", "sad"))]
    script = (triage("note_writer"), calls[0], text("Good."), triage("note_writer"), late)
    first = await replica(*script, **SLOW)
    thread_id = await first.create_thread()
    await first.collect(await first.submit(thread_id, "I am glad"))
    run_id = await first.submit(thread_id, "now I am sad")
    await late.asked.wait()
    await expire_leases(first)
    second = await replica(calls[1], text("Oh."))
    events = await second.collect(run_id)
    late.open.set()

    results = [event["data"]["result"] for event in events if event["event"] == "tool_result"]
    assert results == [{"mood": "sad", "before": "glad"}]
    assert events[-1]["data"] == {"content": "Oh."}


async def test_event_numbers_possibly_shown_before_a_takeover_are_skipped(
    replica: StartReplica,
) -> None:
    late = Gate(text("Too late."))
    first = await replica(triage("note_writer"), late, **SLOW, event_flush_ms=100_000)
    run_id = await first.submit(await first.create_thread(), "write something")
    await late.asked.wait()
    shown = first.service.live.get(run_id)
    assert shown is not None
    seen = shown.list_after(0)
    stored = await first.service.store.load_events(TENANT, run_id)
    assert len(stored) < len(seen), "some were shown and not stored"
    await expire_leases(first)
    second = await replica(text("In time."))
    rest = await second.collect(run_id, seen[-1]["seq"])
    assert rest[0]["seq"] == stored[-1]["seq"] + SEQ_ROOM + 1
    assert fold_text([*seen, *rest]) == "In time.", rest


async def test_a_slow_owners_write_is_undone_and_done_once(replica: StartReplica) -> None:
    world = World(hold=asyncio.Event())
    slow = tools(("c1", "slow_note", {"text": "once"}))
    first = await replica(triage("note_writer"), slow, pack=world.make_pack(), **SLOW)
    thread_id = await first.create_thread()
    run_id = await first.submit(thread_id, "add it")
    await world.reached.wait()
    await expire_leases(first)
    hold, world.hold = world.hold, None
    second = await replica(text("Noted."), pack=world.make_pack())
    assert (await second.collect(run_id))[-1]["data"] == {"content": "Noted."}
    assert hold is not None
    hold.set()
    await first.host.drain(60.0)
    notes = await second.service.store.read(TENANT).fetch("select text from notes")
    assert [row["text"] for row in notes] == ["once"]
    await second.check_records(run_id, thread_id, "add it")


@pytest.mark.parametrize(
    ("name", "arguments", "calls", "status"),
    [("pay", {"amount": 5}, 2, "succeeded"), ("send_mail", {"to": "bob"}, 1, "unknown")],
)
async def test_an_interrupted_external_call_has_an_unknown_outcome(
    name: str, arguments: dict[str, Any], calls: int, status: str, replica: StartReplica
) -> None:
    world = World(hold=asyncio.Event())
    first = await replica(
        triage("note_writer"), tools(("c1", name, arguments)), pack=world.make_pack(), **SLOW
    )
    thread_id = await first.create_thread()
    run_id = await first.submit(thread_id, "do it")
    await world.reached.wait()
    await expire_leases(first)
    hold, world.hold = world.hold, None
    second = await replica(text("That is that."), pack=world.make_pack())
    assert (await second.collect(run_id))[-1]["data"] == {"content": "That is that."}
    assert hold is not None
    hold.set()
    await first.host.drain(60.0)
    assert world.calls == [(name, f"{run_id}:3:c1")] * calls
    assert world.list_effects(name) == [f"{run_id}:3:c1"], "one effect"
    (record,) = await second.service.store.list_tool_calls(TENANT, run_id)
    assert record.status == status
    (request,) = second.provider.requests
    told: Any = request.messages[-1]["parts"][0]
    assert (told["is_error"], "Nobody knows" in str(told["result"])) == (
        status == "unknown",
        status == "unknown",
    )


async def test_a_call_of_unknown_outcome_is_repeated_only_if_approved(
    replica: StartReplica,
) -> None:
    world = World(hold=asyncio.Event())
    mail = tools(("c1", "send_mail", {"to": "bob"}))
    first = await replica(triage("note_writer"), mail, pack=world.make_pack(), **SLOW)
    run_id = await first.submit(await first.create_thread(), "mail bob")
    await world.reached.wait()
    await expire_leases(first)
    world.hold = None
    again = tools(("c2", "send_mail", {"to": "bob"}))
    second = await replica(again, text("Sent, perhaps twice."), pack=world.make_pack())
    async for event in second.host.watch(TENANT, USER, run_id):
        if event["event"] == "approval_request":
            asked = event["data"]
            assert len(world.calls) == 1
            await second.host.decide_approval(
                TENANT, USER, run_id, asked["approval_id"], True, "ann"
            )
    assert [key for _, key in world.calls] == [f"{run_id}:3:c1", f"{run_id}:5:c2"]


async def test_a_run_that_crashes_every_process_is_given_up(replica: StartReplica) -> None:
    gate = Gate(text("never"))
    first = await replica(triage("note_writer"), gate, **SLOW)
    thread_id = await first.create_thread()
    run_id = await first.submit(thread_id, "explode")
    await gate.asked.wait()
    sql = (
        "update runs set owner = 'gone/1/1', attempt = 4, lease_until = now() - interval '1 s'"
        " where run_id = $1"
    )
    await first.service.store.read(TENANT).execute(sql, run_id)
    second = await replica()
    events = await second.collect(run_id)
    assert events[-1]["data"] == {
        "message": "every process that worked on this message crashed, so it is not tried again."
        " Other messages are answered: send this one shorter, or without its file",
        "code": "RUN_CRASHED",
    }
    run = await second.service.store.load_run(TENANT, USER, run_id)
    assert (run.status, run.error_code) == ("failed", "RUN_CRASHED")
    assert await second.load_texts(thread_id) == [("user", "explode")]
    await second.check_records(run_id, thread_id, "explode")


async def test_text_before_a_tool_call_is_shown_again_after_a_takeover(
    replica: StartReplica,
) -> None:
    late = Gate(text("Too late."))
    look = tools(("c1", "list_notes", {}), said="Let me look.")
    first = await replica(triage("note_writer"), look, late, **SLOW)
    thread_id = await first.create_thread()
    run_id = await first.submit(thread_id, "what do I have?")
    await late.asked.wait()
    await expire_leases(first)
    second = await replica(text("Nothing."))
    events = await second.collect(run_id)
    assert fold_text(events) == events[-1]["data"]["content"] == "Let me look.\n\nNothing."
    stored = await second.service.store.load_messages(TENANT, thread_id)
    assert [get_text(message) for message in stored] == [
        "what do I have?",
        "Let me look.",
        "",
        "Nothing.",
    ]


async def test_a_process_with_a_full_pool_keeps_its_leases(replica: StartReplica) -> None:
    gate = Gate(text("Still here."))
    one = await replica(triage("note_writer"), gate, heartbeat_s=0.1)
    run_id = await one.submit(await one.create_thread(), "wait for me")
    await gate.asked.wait()
    other = await replica()
    store = one.service.store
    async with AsyncExitStack() as stack:
        for _ in range(CONNECTIONS - 1):  # the last one is never theirs
            await stack.enter_async_context(store.transaction(TENANT))
        for _ in range(3):
            await wait_for_heartbeat(other, run_id)
    gate.open.set()
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Still here."}
    assert other.provider.requests == []
