"""A process works on so many runs at once; the rest waits in order, and is nobody's loss."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.core.journal import RunHandedOver
from plainloop.agent.errors import ServiceUnavailable
from plainloop.agent.service.run_quota import RunQuota
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.service.turns import Turns
from plainloop.agent.types import RunRequest
from tests.machine.scripted import text, triage
from tests.runs.conftest import Replica, StartReplica, get_names
from tests.runs.test_detached import Gate
from tests.runs.test_takeover import wait_for_heartbeat

LATE = "the first"


def answer(request: Any) -> Any:
    return triage("note_writer") if request.json_schema is not None else text("here")


async def begin_one(one: Replica) -> tuple[Gate, str]:
    """A run that works until the gate opens."""
    gate = one.provider.script[1]
    assert isinstance(gate, Gate)
    run_id = await one.submit(await one.create_thread(), "be slow")
    await gate.asked.wait()
    return gate, run_id


async def begin_two(one: Replica) -> tuple[Gate, list[str]]:
    """The same, and one that waits for its turn."""
    gate, first = await begin_one(one)
    return gate, [first, await one.submit(await one.create_thread(), "wait for it")]


async def test_a_queued_run_reports_its_position_and_keeps_its_lease(replica: StartReplica) -> None:
    script = (triage("note_writer"), Gate(text(LATE)), triage("note_writer"), text("the second"))
    one = await replica(*script, runs_at_once=1, heartbeat_s=0.05)
    other = await replica(runs_at_once=1)
    gate, runs = await begin_two(one)
    for _ in range(3):
        await wait_for_heartbeat(other, runs[1])
    gate.open.set()
    first, second = [await one.collect(run_id) for run_id in runs]
    assert first[-1]["data"] == {"content": LATE}
    assert "queued" not in get_names(first)
    assert get_names(second)[:2] == ["queued", "run_start"]
    assert second[0]["data"] == {"place": 1}
    assert second[-1]["data"] == {"content": "the second"}
    assert other.provider.requests == []


async def test_a_queued_run_can_be_cancelled(replica: StartReplica) -> None:
    one = await replica(triage("note_writer"), Gate(text(LATE)), runs_at_once=1)
    gate, runs = await begin_two(one)
    waiting = await one.service.store.load_run("acme", "ann", runs[1])
    await one.host.cancel("acme", "ann", waiting.thread_id)
    events = await one.collect(runs[1])
    assert get_names(events) == ["queued", "error"]
    assert events[-1]["data"]["code"] == "CANCELLED"
    gate.open.set()
    assert (await one.collect(runs[0]))[-1]["event"] == "done"


async def test_queued_runs_move_to_another_process_on_shutdown(replica: StartReplica) -> None:
    one = await replica(triage("note_writer"), Gate(text(LATE)), runs_at_once=1)
    _, runs = await begin_two(one)
    other = await replica(*[answer] * 3, runs_at_once=1)
    await one.host.drain(0.0)
    for run_id in runs:
        assert (await other.collect(run_id))[-1]["data"] == {"content": "here"}


async def test_a_full_queue_refuses_before_anything_is_stored(replica: StartReplica) -> None:
    script = (triage("note_writer"), Gate(text(LATE)), *[triage("note_writer"), text("next")] * 2)
    one = await replica(*script, runs_at_once=1, runs_waiting=1)
    gate, runs = await begin_two(one)
    thread_id = await one.create_thread()
    with pytest.raises(ServiceUnavailable) as refused:
        await one.submit(thread_id, "one too many")
    assert (refused.value.code, refused.value.retry_after_s) == ("QUEUE_FULL", 5)
    assert await one.load_texts(thread_id) == []
    gate.open.set()
    for run_id in runs:
        assert (await one.collect(run_id))[-1]["event"] == "done"
    again = await one.collect(await one.submit(thread_id, "one too many"))
    assert again[-1]["data"] == {"content": "next"}


async def test_simultaneous_messages_fill_the_queue_exactly(replica: StartReplica) -> None:
    """One that has just begun is not counted twice: where there is room for sixty, sixty come."""
    script = (triage("note_writer"), Gate(text(LATE)), *[answer] * 120)
    one = await replica(*script, runs_at_once=1, runs_waiting=60, runs_per_free_place=100)
    gate, _ = await begin_one(one)
    threads = [await one.create_thread() for _ in range(60)]
    runs = await asyncio.gather(*(one.submit(name, "hello") for name in threads))
    gate.open.set()
    for run_id in runs:
        assert (await one.collect(run_id))[-1]["event"] == "done"


async def test_a_retry_joins_its_queued_run_even_if_the_queue_is_full(
    replica: StartReplica,
) -> None:
    script = (triage("note_writer"), Gate(text(LATE)), triage("note_writer"), text("once"))
    one = await replica(*script, runs_at_once=1, runs_waiting=1)
    gate, _ = await begin_one(one)
    thread_id = await one.create_thread()
    told = [await one.submit(thread_id, "wait", idempotency_key="k") for _ in range(2)]
    assert told[0] == told[1]
    gate.open.set()
    assert (await one.collect(told[0]))[-1]["data"] == {"content": "once"}


async def test_one_tenant_cannot_fill_the_queue_for_others(replica: StartReplica) -> None:
    script = (triage("note_writer"), Gate(text(LATE)), *[answer] * 20)
    one = await replica(*script, runs_at_once=1, runs_waiting=8, runs_per_free_place=1)
    gate, _ = await begin_two(one)
    with pytest.raises(ServiceUnavailable):
        while True:
            await one.submit(await one.create_thread(), "one more")
    thread_id = await one.create_thread("umbrella", "una")
    ticket = await one.host.submit("umbrella", "una", thread_id, RunRequest("the only one"))
    gate.open.set()
    told = [event async for event in one.host.watch("umbrella", "una", ticket.run_id)]
    assert told[-1]["data"] == {"content": "here"}


def test_tenants_share_a_nearly_full_queue() -> None:
    quota = RunQuota(replace(RunLimits(), runs_at_once=500, runs_waiting=2000))

    def fill(tenant_id: str) -> int:
        taken = 0
        while quota.is_open_to(tenant_id):
            quota.enter(tenant_id)
            taken += 1
        return taken

    assert quota.count_claimable() == 2500 - 277
    assert fill("acme") == 2223
    assert fill("umbrella") == 247
    for _ in range(1500):  # whose turns ended: they come again, and share with the other
        quota.leave("acme")
    assert fill("umbrella") > 1000
    assert fill("initech") > 0


async def test_runs_of_one_tenant_start_in_order() -> None:
    turns, order, release = Turns(2, 60), list[int](), asyncio.Event()
    places: dict[int, list[int]] = {}

    async def work(n: int) -> None:
        async with turns.hold(places.setdefault(n, []).append):
            order.append(n)
            await release.wait()

    tasks = [asyncio.create_task(work(n)) for n in range(6)]
    await asyncio.sleep(0)
    assert turns.waiting == 4
    release.set()
    await asyncio.gather(*tasks)
    assert order == list(range(6))
    assert places == {0: [], 1: [], 2: [1], 3: [2], 4: [3], 5: [4]}


async def test_a_busy_tenant_leaves_others_their_share_of_slots() -> None:
    turns, order = Turns(4, 60), list[str]()
    goes_on: list[asyncio.Event] = []
    places: dict[str, list[int]] = {}

    async def work(tenant_id: str, name: str) -> None:
        async with turns.hold(places.setdefault(name, []).append, tenant_id):
            order.append(tenant_id)
            goes_on.append(asyncio.Event())
            await goes_on[-1].wait()

    async def settle() -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(work("acme", f"acme {n}")) for n in range(1000)]
    await settle()
    tasks += [asyncio.create_task(work("umbrella", f"umbrella {n}")) for n in range(10)]
    await settle()
    # One, two: until each has two of the four; then whose turn ends is whose turn is next.
    assert [places[f"umbrella {n}"] for n in range(3)] == [[1], [2], [3]]
    for n in range(1010):
        goes_on[n].set()
        await settle()
    await asyncio.gather(*tasks)
    first = order[4 : 4 + 22]
    assert first[:2] == ["umbrella", "umbrella"]
    assert first.count("umbrella") == 10
    assert (turns.waiting, turns.taking) == (0, 0)


async def test_queue_positions_follow_the_fair_order() -> None:
    turns, order = Turns(1, 60), list[str]()
    places: dict[str, list[int]] = {}
    release = asyncio.Event()

    async def work(tenant_id: str, name: str) -> None:
        async with turns.hold(places.setdefault(name, []).append, tenant_id):
            order.append(name)
            await release.wait()

    names = [("a", "a0"), ("a", "a1"), ("a", "a2"), ("b", "b0"), ("b", "b1"), ("c", "c0")]
    tasks = [asyncio.create_task(work(tenant_id, name)) for tenant_id, name in names]
    await asyncio.sleep(0)
    assert places == {"a0": [], "a1": [1], "a2": [2], "b0": [1], "b1": [3], "c0": [2]}
    release.set()
    await asyncio.gather(*tasks)
    assert order == ["a0", "b0", "c0", "a1", "b1", "a2"]
    assert (turns._last, turns._held, turns._lines) == ({}, {}, {})


async def test_one_timer_updates_all_queue_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, timers = asyncio.get_running_loop(), list[Any]()

    def call_later(delay: float, work: Any) -> Any:
        timers.append(work)
        return loop.call_at(loop.time() + delay, work)

    monkeypatch.setattr(loop, "call_later", call_later)
    turns, places = Turns(1, 60), dict[int, list[int]]()

    async def work(n: int, gate: asyncio.Event) -> None:
        async with turns.hold(places.setdefault(n, []).append):
            await gate.wait()

    gates = [asyncio.Event() for _ in range(100)]
    tasks = [asyncio.create_task(work(n, gate)) for n, gate in enumerate(gates)]
    await asyncio.sleep(0)
    gates[0].set()
    await tasks[0]
    [again] = timers
    again()
    for gate in gates:
        gate.set()
    await asyncio.gather(*tasks)

    assert places == {0: [], 1: [1], **{n: [n, n - 1] for n in range(2, 100)}}


@pytest.mark.parametrize("seed", range(20))
async def test_cancelled_queued_runs_lose_no_run_slot(seed: int) -> None:
    chance, turns, at_work = random.Random(seed), Turns(3, 60), set[int]()

    async def work(n: int) -> None:
        async with turns.hold(lambda place: None):
            at_work.add(n)
            assert len(at_work) <= 3
            try:
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(0)
            finally:
                at_work.remove(n)

    async def come_and_go(n: int) -> None:
        task = asyncio.create_task(work(n))
        for _ in range(chance.randrange(30)):
            await asyncio.sleep(0)
        if chance.random() < 0.4:
            task.cancel()
        ended = await asyncio.gather(task, return_exceptions=True)
        assert ended[0] is None or isinstance(ended[0], asyncio.CancelledError)

    await asyncio.gather(*(come_and_go(n) for n in range(100)))
    assert turns.waiting == 0
    await asyncio.gather(*(work(n) for n in range(3)))


async def test_queued_runs_leave_a_stopping_process() -> None:
    turns = Turns(1, 60)
    async with turns.hold(lambda place: None):
        waiting = asyncio.create_task(turns.hold(lambda place: None).__aenter__())
        await asyncio.sleep(0)
        turns.close()
        with pytest.raises(RunHandedOver):
            await waiting
