"""Runs belong to the service: submit, watch from anywhere, join by key, queue, cancel."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from plainloop.agent.errors import ConfigError, ConflictError, NotFoundError, ServiceUnavailable
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.records import Run
from plainloop.agent.types import RunRequest
from tests.machine.running import TENANT, USER, fold_text
from tests.machine.scripted import text, tools, triage
from tests.runs.conftest import StartReplica


class Gate:
    """A model that answers when it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked = asyncio.Event()
        self.open = asyncio.Event()

    async def __call__(self, request: Any) -> Any:
        self.asked.set()
        await self.open.wait()
        return self.answer


async def test_a_key_joins_its_run_and_never_starts_a_second_one(replica: StartReplica) -> None:
    gate = Gate(text("Done."))
    one = await replica(triage("note_writer"), gate, text("unused"))
    other = await replica()
    thread_id = await one.create_thread()
    asked = RunRequest("do it once", idempotency_key="k")
    hosts = [one.host, other.host] * 50
    tickets = await asyncio.gather(*(host.submit(TENANT, USER, thread_id, asked) for host in hosts))
    assert len({ticket.run_id for ticket in tickets}) == 1
    assert sum(ticket.is_new for ticket in tickets) == 1
    with pytest.raises(ConflictError) as reused:
        await one.submit(thread_id, "do another", idempotency_key="k")
    assert reused.value.code == "IDEMPOTENCY_REUSED"
    gate.open.set()


async def test_a_message_to_a_busy_thread_is_refused_queued_or_interrupts(
    replica: StartReplica,
) -> None:
    gate, cut = Gate(text("First.")), Gate(text("never"))
    one = await replica(
        *(triage("note_writer"), gate, triage("note_writer"), text("Second.")),
        *(triage("note_writer"), cut, triage("note_writer"), text("Fourth.")),
    )
    thread_id = await one.create_thread()
    first = await one.submit(thread_id, "the first")
    await gate.asked.wait()
    with pytest.raises(ConflictError) as busy:
        await one.submit(thread_id, "the refused")
    assert busy.value.code == "THREAD_BUSY"
    second = await one.submit(thread_id, "the second", when_busy="enqueue")
    assert await one.host.find_active(TENANT, USER, thread_id) == first
    gate.open.set()
    assert (await one.collect(first))[-1]["data"] == {"content": "First."}
    assert (await one.collect(second))[-1]["data"] == {"content": "Second."}

    third = await one.submit(thread_id, "the third")
    await cut.asked.wait()
    fourth = await one.submit(thread_id, "the fourth", when_busy="interrupt")
    assert (await one.collect(third))[-1]["data"]["code"] == "CANCELLED"
    assert (await one.collect(fourth))[-1]["data"] == {"content": "Fourth."}
    assert await one.load_texts(thread_id) == [
        ("user", "the first"),
        ("assistant", "First."),
        ("user", "the second"),
        ("assistant", "Second."),
        ("user", "the third"),
        ("user", "the fourth"),
        ("assistant", "Fourth."),
    ]


async def test_another_replica_can_cancel(replica: StartReplica) -> None:
    gate = Gate(text("never"))
    one = await replica(triage("note_writer"), gate)
    other = await replica()
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "think for long")
    await gate.asked.wait()
    began = asyncio.get_running_loop().time()
    assert await other.host.cancel(TENANT, USER, thread_id) == run_id
    events = await one.collect(run_id)
    assert asyncio.get_running_loop().time() - began < 1
    assert events[-1]["data"]["code"] == "CANCELLED"
    assert await other.host.find_active(TENANT, USER, thread_id) is None
    assert await other.host.cancel(TENANT, USER, thread_id) is None


async def test_a_message_is_answered_even_if_its_client_disconnects(
    replica: StartReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await replica(triage("note_writer"), text("Hello."))
    thread_id = await one.create_thread()
    store = one.service.store
    begin = store.begin_run

    async def begin_and_go(*args: Any, **options: Any) -> Run:
        run = await begin(*args, **options)
        sending.cancel()
        await asyncio.sleep(0)
        return run

    monkeypatch.setattr(store, "begin_run", begin_and_go)
    sending = asyncio.create_task(one.submit(thread_id, "say hello to everybody"))
    with pytest.raises(asyncio.CancelledError):
        await sending
    (run,) = await store.list_runs(TENANT, thread_id)
    async with asyncio.timeout(20):
        assert (await one.collect(run.run_id))[-1]["event"] == "done"


async def test_an_erased_thread_accepts_no_message(replica: StartReplica) -> None:
    one = await replica(triage("note_writer"), text("Hello."))
    thread_id = await one.create_thread()
    await one.collect(await one.submit(thread_id, "say hello to everybody"))
    async with one.service.store.transaction(TENANT) as tx:
        await erase_thread_rows(tx, USER, thread_id)
    with pytest.raises(NotFoundError):
        await one.submit(thread_id, "and once more")


async def test_a_stopping_replica_hands_its_run_to_another(replica: StartReplica) -> None:
    gate = Gate(text("lost"))
    one = await replica(triage("note_writer"), tools(("c1", "add_note", {"text": "x"})), gate)
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "write a note")
    watching = asyncio.create_task(one.collect(run_id))
    await gate.asked.wait()
    other = await replica(text("Noted."))
    draining = asyncio.create_task(one.host.drain(0.05))
    seen = await watching
    assert seen[-1]["event"] not in ("done", "error"), "cut, not ended"
    with pytest.raises(ServiceUnavailable) as refused:
        await one.submit(thread_id, "another")
    assert refused.value.code == "DRAINING"
    await draining
    rest = await other.collect(run_id, seen[-1]["seq"])
    assert rest[-1]["event"] == "done"
    assert fold_text([*seen, *rest]) == "Noted."
    assert len(other.provider.requests) == 1, "the steps before were not repeated"
    notes = await one.service.store.read(TENANT).fetch("select text from notes")
    assert notes == [{"text": "x"}]


async def test_events_of_a_replicas_second_run_reach_other_replicas_at_once(
    replica: StartReplica,
) -> None:
    # What stores events beside the runs ends with the last of them, and must begin again.
    gate = Gate(text("Later."))
    one = await replica(triage("note_writer"), text("Soon."), triage("note_writer"), gate)
    other = await replica()
    thread_id = await one.create_thread()
    await one.collect(await one.submit(thread_id, "the first"))
    async with asyncio.timeout(60):
        await one.service.live._keepers["flush"]  # it has noticed that no run is left
    run_id = await one.submit(thread_id, "the second")
    await gate.asked.wait()
    watching = other.host.watch(TENANT, USER, run_id)
    async with asyncio.timeout(60):
        while (await anext(watching))["data"].get("node") != "note_writer":
            pass
    gate.open.set()
    assert [event async for event in watching][-1]["event"] == "done"


async def test_draining_finishes_the_current_step_only(replica: StartReplica) -> None:
    gate = Gate(tools(("c1", "add_note", {"text": "x"})))
    one = await replica(triage("note_writer"), gate, text("never asked for here"))
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "write a note")
    await gate.asked.wait()
    draining = asyncio.create_task(one.host.drain(60.0))
    live = one.service.live.get(run_id)
    assert live is not None
    async with asyncio.timeout(60):
        while not live.journal.is_leaving:
            await asyncio.sleep(0.005)
    gate.open.set()
    await draining
    steps = await one.service.store.load_steps(TENANT, run_id)
    assert [step.node for step in steps][-1] == "note_writer"
    assert len(one.provider.requests) == 2
    calls = await one.service.store.list_calls(TENANT, run_id)
    assert {call.status for call in calls} == {"succeeded"}, "nothing was cut"
    other = await replica(text("Noted."))
    assert (await other.collect(run_id))[-1]["data"] == {"content": "Noted."}
    run = await other.service.store.load_run(TENANT, USER, run_id)
    assert run.attempt == 1, "a hand-back is no crash"


async def test_a_slow_viewer_continues_from_the_database(replica: StartReplica) -> None:
    words = " ".join(f"w{n}" for n in range(400))
    one = await replica(triage("note_writer"), text(words), triage("note_writer"), text("x"))
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "say many words")
    watching = one.host.watch(TENANT, USER, run_id)
    first = await anext(watching)
    while await one.host.find_active(TENANT, USER, thread_id):
        await asyncio.sleep(0.01)
    rest = [event async for event in watching]
    assert fold_text([first, *rest]) == words
    assert len(rest) > 400


async def test_a_client_lost_while_submitting_leaves_no_stuck_run(replica: StartReplica) -> None:
    one = await replica(*[triage("note_writer"), text("Done.")] * 6)
    for turns in range(6):
        thread_id = await one.create_thread()
        submitting = asyncio.create_task(one.submit(thread_id, "do it"))
        for _ in range(turns * 3):
            await asyncio.sleep(0)
        submitting.cancel()
        await asyncio.gather(submitting, return_exceptions=True)
        async with asyncio.timeout(60):
            while await one.host.find_active(TENANT, USER, thread_id):
                await asyncio.sleep(0.01)
        runs = await one.service.store.list_runs(TENANT, thread_id)
        assert {run.status for run in runs} <= {"succeeded"}


async def test_a_message_to_an_unknown_design_is_refused_and_not_stored(
    replica: StartReplica,
) -> None:
    one = await replica()
    thread_id = await one.create_thread()
    with pytest.raises(ConfigError, match="no_such_design"):
        await one.submit(thread_id, "hello", design="no_such_design")
    assert await one.load_texts(thread_id) == []
    assert await one.service.store.list_runs(TENANT, thread_id) == []
