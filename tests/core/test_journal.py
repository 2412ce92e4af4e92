"""The journal of a run on the real store: what waits, what is written with what, what is undone."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.core.journal import Journal, RunHandedOver
from plainloop.agent.errors import LeaseLost
from plainloop.agent.events import Done, Event
from plainloop.agent.store.records import (
    ApprovalRequest,
    AvoidedCall,
    CallStart,
    Run,
    RunEnd,
    ToolCallRecord,
)
from plainloop.agent.store.store import Store
from plainloop.agent.types import Update
from tests.core.store_samples import (
    begin_run,
    create_thread,
    get_texts,
    make_call_start,
    make_settled,
    make_text,
    make_tool_call,
)

NOT_DONE: Done = {"content": ""}
CANCELLED = RunEnd("cancelled", "CANCELLED", "the run was cancelled")


class Diary:
    """A journal over a run of its own, and what its viewer saw."""

    def __init__(self, store: Store, run: Run, **rest: Any) -> None:
        self.store, self.run, self.seen = store, run, list[Event]()
        self.journal = Journal(store, run, self.seen.append, **rest)

    async def commit(
        self, n: int, *, end: RunEnd | None = None, may_wait: bool = False, **update: Any
    ) -> None:
        told: Update = {**update}  # type: ignore[typeddict-item]
        following = "END" if end else "worker"
        await self.journal.commit(told, following, end, NOT_DONE, may_wait=may_wait)

    async def list_steps(self) -> list[tuple[int, tuple[str, ...]]]:
        return [
            (step.n, step.notes) for step in await self.store.load_steps("acme", self.run.run_id)
        ]

    async def list_calls(self) -> list[tuple[str, str | None]]:
        rows = await self.store.list_calls("acme", self.run.run_id)
        return [(row.status, row.error_code) for row in rows]

    async def list_tool_calls(self) -> list[tuple[str, str]]:
        rows = await self.store.list_tool_calls("acme", self.run.run_id)
        return [(row.tool_call_id, row.status) for row in rows]

    async def load_status(self) -> str:
        return (await self.store.load_run("acme", "ann", self.run.run_id)).status

    async def count_rows(self) -> int:
        sql = "select count(*) from prompt_texts where tenant_id = 'acme'"
        return await self.store.read("acme").fetchval(sql)

    async def start_call(self, **rest: Any) -> CallStart:
        start = make_call_start(self.run, **rest)
        await self.journal.record_call_start(start)
        return start

    def list_names(self) -> list[str]:
        return [event["event"] for event in self.seen]


@pytest.fixture
async def diary(store: Store) -> Diary:
    return Diary(store, await begin_run(store, await create_thread(store)))


async def write(db: Any, name: str) -> None:
    sql = "insert into prompt_texts (tenant_id, hash, kind, text) values ('acme', $1, 'k', 't')"
    await db.execute(sql, name.encode())


async def test_a_step_is_stored_with_everything_recorded_in_it(diary: Diary):
    journal = diary.journal
    start = await diary.start_call()
    journal.begin_step(0, "worker")
    journal.note("first")
    journal.note("second")
    journal.avoid("router", "why", 7)
    journal.settle(make_settled(start))
    journal.record_tool_call(make_tool_call("c1"))
    assert journal.is_step_kept is False
    await diary.commit(0, feedback="more")
    assert (journal.is_step_kept, journal.has_ended, journal.is_writing) == (True, False, False)
    (step,) = await diary.store.load_steps("acme", diary.run.run_id)
    assert (step.n, step.node, step.next_node, step.update) == (
        *(0, "worker", "worker"),
        {"feedback": "more"},
    )
    assert step.notes == ("first", "second")
    assert step.avoided == (AvoidedCall("router", "why", 7),)
    assert await diary.list_calls() == [("succeeded", None)]
    assert await diary.list_tool_calls() == [("c1", "succeeded")]
    assert diary.list_names() == ["node_start", "node_end"]

    journal.begin_step(1, "worker")  # nothing of it comes again
    journal.note("third")
    await diary.commit(1, end=RunEnd("succeeded"))
    assert (journal.has_ended, await diary.load_status()) == (True, "succeeded")
    assert await diary.list_steps() == [(0, ("first", "second")), (1, ("third",))]
    assert diary.list_names()[2:] == ["node_start", "node_end", "done"]
    events = await diary.store.load_events("acme", diary.run.run_id)
    assert events == diary.seen


async def test_a_steps_commit_can_be_deferred_until_the_next_model_call(diary: Diary):
    journal = diary.journal
    journal.begin_step(0, "worker")
    journal.note("first")
    await diary.commit(0, may_wait=True)
    assert (journal.is_step_kept, await diary.list_steps()) == (True, [])
    assert diary.list_names() == ["node_start", "node_end"]
    assert journal.take_events() == []
    journal.begin_step(1, "worker")
    await diary.start_call()
    assert await diary.list_steps() == [(0, ("first",))]
    assert await diary.list_calls() == [("started", None)]
    assert journal.is_writing is False


async def test_a_deferred_step_is_stored_before_the_next_steps_transaction(diary: Diary):
    journal = diary.journal
    journal.begin_step(0, "worker")
    journal.note("first")
    await diary.commit(0, may_wait=True)
    journal.begin_step(1, "worker.tools")
    with pytest.raises(RuntimeError):
        async with journal.undoable() as tx:
            assert await diary.list_steps() == [(0, ("first",))], "others see it by now"
            await write(tx, "a")
            raise RuntimeError
    assert (await diary.count_rows(), await diary.list_steps()) == (0, [(0, ("first",))])
    async with journal.undoable() as tx:
        await write(tx, "b")
    await diary.commit(1)
    assert (await diary.count_rows(), len(await diary.list_steps())) == (1, 2)
    assert await diary.store.load_events("acme", diary.run.run_id) == diary.seen


async def test_a_deferred_step_is_discarded_when_the_run_is_lost(diary: Diary):
    journal = diary.journal
    journal.begin_step(0, "worker")
    await diary.commit(0, may_wait=True)
    journal.begin_step(1, "worker.tools")
    async with diary.store.transaction("acme") as tx:
        await tx.execute("update runs set fence = fence + 1 where run_id = $1", diary.run.run_id)
    with pytest.raises(LeaseLost):
        await journal.open_transaction()
    assert (await diary.list_steps(), journal.is_writing) == ([], False)


@pytest.mark.parametrize("why", ["no", "lets", "end", "leaving"])
async def test_only_steps_that_allow_it_are_deferred(why: str, store: Store):
    run = await begin_run(store, await create_thread(store))
    diary = Diary(store, run, lets_wait=why != "lets")
    diary.journal.begin_step(0, "worker")
    if why == "leaving":
        diary.journal.hand_over()
    end = RunEnd("succeeded") if why == "end" else None
    await diary.commit(0, may_wait=why != "no", end=end)
    assert await diary.list_steps() == [(0, ())]


async def test_a_deferred_step_is_stored_before_every_other_write(diary: Diary):
    for n, following in enumerate(("transaction", "commit", "finish")):
        diary.journal.begin_step(2 * n, "worker")
        await diary.commit(2 * n, may_wait=True)
        assert len(await diary.list_steps()) == 2 * n
        diary.journal.begin_step(2 * n + 1, "worker")
        if following == "transaction":
            await diary.journal.open_transaction()
            assert len(await diary.list_steps()) == 1
        if following == "finish":
            await diary.journal.finish(CANCELLED, [])
            assert len(await diary.list_steps()) == 5
        else:
            await diary.commit(2 * n + 1)
            assert len(await diary.list_steps()) == 2 * n + 2
    assert await diary.load_status() == "cancelled"


async def test_tool_writes_commit_only_with_their_step(diary: Diary):
    diary.journal.begin_step(0, "worker")
    async with diary.journal.undoable() as tx:
        await write(tx, "a")
    with pytest.raises(RuntimeError):
        async with diary.journal.undoable() as tx:
            await write(tx, "b")
            raise RuntimeError
    async with diary.journal.undoable() as tx:
        await write(tx, "c")
    assert await diary.count_rows() == 0
    await diary.commit(0)
    assert await diary.count_rows() == 2


async def test_a_failing_first_tool_write_leaves_no_open_transaction(diary: Diary):
    diary.journal.begin_step(0, "worker")
    with pytest.raises(RuntimeError):
        async with diary.journal.undoable() as tx:
            await write(tx, "a")
            raise RuntimeError
    async with diary.journal.undoable() as tx:
        await write(tx, "b")
    await diary.commit(0)
    assert await diary.count_rows() == 1


async def test_a_run_ending_outside_a_step_keeps_records_and_undoes_writes(diary: Diary):
    journal = diary.journal
    start = await diary.start_call()
    journal.begin_step(0, "worker")
    await write(await journal.open_transaction(), "a")
    journal.note("why")
    journal.settle(make_settled(start))
    journal.record_tool_call(make_tool_call("c1", effect="write"))
    journal.record_tool_call(make_tool_call("c2", index=1))
    await journal.finish(CANCELLED, [make_text("assistant", "half")])

    assert (await diary.count_rows(), journal.has_ended) == (0, True)
    assert await diary.list_tool_calls() == [("c1", "interrupted"), ("c2", "succeeded")]
    assert await diary.list_calls() == [("succeeded", None)]
    run = await diary.store.load_run("acme", "ann", diary.run.run_id)
    assert (run.status, run.error_code, run.notes) == ("cancelled", "CANCELLED", ("why",))
    messages = await diary.store.load_messages("acme", diary.run.thread_id)
    assert get_texts(messages) == ["hello", "half"]
    assert diary.seen[-1]["data"] == {"code": "CANCELLED", "message": "the run was cancelled"}
    await journal.finish(RunEnd("failed", "E", "late"), [])
    assert (await diary.load_status(), diary.list_names().count("error")) == ("cancelled", 1)


async def test_suspending_a_run_releases_its_owner_without_ending_it(diary: Diary):
    journal = diary.journal
    journal.begin_step(3, "worker.tools")
    call: Any = {"type": "tool_call", "id": "c1", "name": "burn", "arguments": {"n": 1}}
    asked, late = ApprovalRequest(make_id(), call, "Burn?"), make_tool_call("c1", status="approval")
    assert "approval_request" not in diary.list_names()
    await journal.suspend([asked], [late], 60.0)
    assert (journal.has_ended, journal.is_writing) == (True, False)
    assert await diary.load_status() == "waiting"
    assert diary.seen[-1]["event"] == "approval_request"
    assert diary.seen[-1]["data"]["expires_s"] == 60.0
    (row,) = await diary.store.list_tool_calls("acme", diary.run.run_id)
    assert (row.status, row.idempotency_key) == ("approval", "key:c1")
    stored = await diary.store.load_events("acme", diary.run.run_id)
    assert stored == diary.seen
    await journal.finish(CANCELLED, [])
    assert await diary.load_status() == "waiting"


async def test_handing_over_a_run_stores_only_call_costs(diary: Diary):
    journal = diary.journal
    waiting, open_call = await diary.start_call(), await diary.start_call(attempt=2)
    journal.begin_step(0, "worker")
    journal.settle(make_settled(waiting))
    await diary.commit(0, may_wait=True)
    journal.begin_step(1, "worker")
    journal.settle(make_settled(open_call, status="cancelled", error_code="CANCELLED"))
    await journal.leave()
    assert (journal.is_leaving, journal.take_events()) == (True, [])
    assert await diary.list_steps() == []
    assert await diary.list_calls() == [("succeeded", None), ("cut", "INTERRUPTED")]
    assert await diary.load_status() == "running"
    with pytest.raises(RunHandedOver):
        journal.begin_step(2, "worker")


async def test_writes_of_a_former_owner_are_discarded(diary: Diary):
    journal = diary.journal
    async with diary.store.transaction("acme") as tx:
        await tx.execute("update runs set fence = fence + 1 where run_id = $1", diary.run.run_id)
    journal.begin_step(0, "worker")
    journal.note("kept")
    seen = [*diary.seen]
    with pytest.raises(LeaseLost):
        await diary.commit(0)
    assert diary.seen == seen, "an end that is not stored is not told"
    assert (journal.is_step_kept, journal.has_ended, journal.is_writing) == (False, False, False)
    journal.emit({"event": "text_delta", "data": {"content": "a"}})
    assert diary.seen[-1]["seq"] == seen[-1]["seq"] + 1
    with pytest.raises(LeaseLost):
        await journal.open_transaction()
    assert await diary.list_steps() == []


async def test_a_deferred_step_whose_commit_failed_is_stored_by_the_next(diary: Diary):
    """Its transaction may wait with it; when the write fails, all that it did is open again."""
    journal = diary.journal
    start = await diary.start_call()
    journal.begin_step(0, "worker.tools")
    await write(await journal.open_transaction(), "a")
    journal.settle(make_settled(start))
    journal.record_tool_call(make_tool_call("c1", effect="write"))
    await diary.commit(0, may_wait=True)
    assert await diary.count_rows() == 0
    journal.begin_step(1, "worker")
    async with diary.store.transaction("acme") as tx:
        await tx.execute("update runs set fence = fence + 1 where run_id = $1", diary.run.run_id)
    with pytest.raises(LeaseLost):
        await diary.start_call(attempt=2)
    async with diary.store.transaction("acme") as tx:
        await tx.execute("update runs set fence = fence - 1 where run_id = $1", diary.run.run_id)
    await journal.finish(CANCELLED, [])
    assert await diary.count_rows() == 0
    assert await diary.list_tool_calls() == [("c1", "interrupted")]
    assert await diary.list_calls() == [("succeeded", None)]
    stored = await diary.store.load_events("acme", diary.run.run_id)
    assert stored == diary.seen


async def test_tool_calls_recorded_before_a_step_are_stored_with_it(diary: Diary):
    records: list[ToolCallRecord] = [make_tool_call(f"c{n}", index=n) for n in range(3)]
    for record in records:
        diary.journal.record_tool_call(record)
    diary.journal.begin_step(0, "worker.tools")
    await diary.commit(0)
    assert await diary.list_tool_calls() == [(f"c{n}", "succeeded") for n in range(3)]
