"""A step that needs no storing of its own waits for the next call, and for nothing else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from plainloop.agent.errors import LeaseLost, StoreError
from plainloop.agent.store.rates.provider_rates import ProviderRates
from tests.machine.running import TENANT
from tests.machine.scripted import text, tools, triage

LIST_STEPS = "select node, first_position from steps order by n"
LIST_CALLS = "select role, status from llm_calls order by call_id"
LIST_TOOL_CALLS = "select name, status from tool_calls"
# In how many transactions a tool wrote, its step was stored, and the call after it.
COUNT_TRANSACTIONS = """
    select count(distinct xmin::text) from (
        select xmin from notes
        union all select xmin from steps where node = 'note_writer.tools'
        union all select xmin from llm_calls where status = 'started'
    ) as written
"""
NOTING = (triage("note_writer"), tools(("c1", "add_note", {"text": "it's $1; commit é🙂 \\"})))


async def test_steps_and_ledger_row_are_stored_before_the_call(machine):
    seen: list[Any] = []

    async def look(request: Any) -> Any:
        db = run.store.read(TENANT)
        seen.append([row["node"] for row in await db.fetch(LIST_STEPS)])
        seen.append([tuple(row.values()) for row in await db.fetch(LIST_CALLS)])
        return text("Done.")

    run = await machine(triage("note_writer"), look)
    assert (await run.ask()).answer == "Done."
    assert seen == [
        ["intent_classifier", "agent_router"],
        [("classifier", "succeeded"), ("worker", "started")],
    ]


async def test_the_preceding_step_is_stored_before_a_tool_runs(machine):
    run = await machine(
        triage("note_writer"), tools(("c1", "add_note", {"text": "n"})), text("Noted.")
    )
    told = await run.ask()
    steps = await run.store.load_steps(TENANT, told.run_id)
    asked = next(step for step in steps if step.next_node == "note_writer.tools")
    acted = next(step for step in steps if step.node == "note_writer.tools")
    assert asked.n + 1 == acted.n
    # Both are transactions of their own: no row of one has the other's.
    sql = "select count(distinct xmin::text) from steps where n = any($1::int[])"
    assert await run.store.read(TENANT).fetchval(sql, [asked.n, acted.n]) == 2


@pytest.mark.parametrize("is_after_tool", [False, True])
async def test_cancelling_a_run_stores_its_deferred_step(is_after_tool: bool, machine):
    task: list[asyncio.Task[Any]] = []
    run = await machine(*NOTING, text("never"))
    is_free = run.store.is_free

    def cancel_before_call(start: Any) -> bool:
        if start.step == (4 if is_after_tool else 2):
            task[0].cancel()
        return is_free(start)

    run.store.is_free = cancel_before_call
    task.append(asyncio.create_task(run.ask()))
    with pytest.raises(asyncio.CancelledError):
        await task[0]
    db = run.store.read(TENANT)
    nodes = ["intent_classifier", "agent_router", "note_writer", "note_writer.tools"]
    wrote = [{"name": "add_note", "status": "succeeded"}] if is_after_tool else []
    assert [row["node"] for row in await db.fetch(LIST_STEPS)] == nodes[: 4 if wrote else 2]
    assert await db.fetch(LIST_TOOL_CALLS) == wrote
    assert await db.fetchval("select count(*) from notes") == len(wrote)
    assert await db.fetchval("select status from runs") == "cancelled"


async def test_a_former_owner_stores_neither_step_nor_call(machine):
    run = await machine(triage("note_writer"), text("never"))
    record = run.store._record

    async def lose_first(*args: Any) -> None:
        await run.store.read(TENANT).execute("update runs set fence = fence + 1")
        await record(*args)

    run.store._record = lose_first
    told = await run.ask()
    assert isinstance(told.error, LeaseLost)
    db = run.store.read(TENANT)
    assert await db.fetch(LIST_STEPS) == []
    assert [row["role"] for row in await db.fetch(LIST_CALLS)] == ["classifier"]


async def test_tool_writes_step_and_next_ledger_row_are_one_transaction(machine):
    seen: list[int] = []

    async def look(request: Any) -> Any:
        seen.append(await run.store.read(TENANT).fetchval(COUNT_TRANSACTIONS))
        return text("Noted.")

    run = await machine(*NOTING, look)
    assert (await run.ask()).answer == "Noted."
    assert seen == [1]
    result = "select parts::text from messages where role = 'tool'"
    assert "it's $1; commit é🙂" in await run.store.read(TENANT).fetchval(result)


async def test_tool_locks_are_released_before_waiting_for_a_rate(machine):
    seen: list[int] = []

    async def look(request: Any) -> Any:
        seen.append(await run.store.read(TENANT).fetchval(COUNT_TRANSACTIONS))
        return text("Noted.")

    run = await machine(*NOTING, look)
    run.store.rates = ProviderRates()
    run.store.rates.are_set = True
    assert (await run.ask()).answer == "Noted."
    assert seen == [2]


@pytest.mark.parametrize("loss", ["lease", "connection"])
async def test_an_unstorable_tool_step_undoes_its_writes(loss: str, machine):
    run = await machine(*NOTING, text("never"))
    record = run.store._record

    async def lose_first(owned: Any, commits: Any, tx: Any, call: Any) -> None:
        if tx is not None and loss == "connection":
            tx._connection.terminate()
        elif tx is not None:
            await run.store.read(TENANT).execute("update runs set fence = fence + 1")
        await record(owned, commits, tx, call)

    run.store._record = lose_first
    told = await run.ask()
    assert isinstance(told.error, LeaseLost if loss == "lease" else StoreError)
    db = run.store.read(TENANT)
    assert len(await db.fetch(LIST_STEPS)) == 3
    assert len(await db.fetch(LIST_CALLS)) == 2
    assert await db.fetchval("select count(*) from notes") == 0
    # Of a run that somebody else has now, nothing is said; of one that is ours, that it ended so.
    left = [] if loss == "lease" else [{"name": "add_note", "status": "interrupted"}]
    assert await db.fetch(LIST_TOOL_CALLS) == left
    roles = "select role from messages order by position"
    told_roles = [row["role"] for row in await db.fetch(roles)]
    assert told_roles == ["user", "assistant", *([] if loss == "lease" else ["tool"])]
