"""A thread costs the same per turn however long it is.

PLAINLOOP_THREAD_TURNS (60) is how many turns the longest thread has.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.events import Event
from plainloop.agent.store.api import count_unfinished_runs, list_unfinished_runs
from plainloop.agent.store.clients.pasts import append_messages
from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.records import Run, RunEnd, ThreadInfo
from plainloop.agent.store.runs import SQL as RUNS
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import SQL
from tests.core.store_samples import (
    begin_run,
    create_thread,
    explain,
    make_call_start,
    make_settled,
    make_step,
    make_text,
    make_tool_answer,
    make_tool_call,
    make_tool_use,
)

TURNS = int(os.environ.get("PLAINLOOP_THREAD_TURNS", "60"))
JOBS = [
    {"job_id": f"0199-{n}", "company": "Acme Analytics", "title": "Engineer", "status": "saved"}
    for n in range(5)
]
ANSWER = "You have five saved jobs, all of them at Acme Analytics: engineer, five times over."


async def run_turn(store: Store, thread: ThreadInfo) -> Run:
    """One run with one tool call as the engine records it: five steps, three model calls."""
    run = await begin_run(store, thread, "which jobs have I saved, and where are they?")
    seq = iter(range(1, 1000))
    call_id = f"call_{make_id()}"

    def event(kind: Any, /, **data: Any) -> Event:
        return {"seq": next(seq), "event": kind, "data": data}

    def usage(node: str) -> Event:
        counts = {"input_tokens": 900, "output_tokens": 40, "source": "provider"}
        return event("usage", node=node, provider="anthropic", model="some-model", **counts)

    async def call(n: int, node: str, **rest: Any) -> Any:
        system = await store.save_prompt_text("acme", "system", f"You are {node}.")
        tools = await store.save_prompt_text("acme", "tools", f"tools of {node}")
        start = make_call_start(run, step=n, node=node, system_hash=system, tools_hash=tools)
        await store.record_call_start(start)
        return make_settled(start, **rest)

    async def step(n: int, node: str, next_node: str, *inside: Event, **rest: Any) -> None:
        events = (event("node_start", step=n, node=node), *inside)
        # Numbered when built: the step's own events come between start and end.
        numbered = sorted(events, key=lambda item: item["seq"])
        numbered.append(event("node_end", step=n, node=node, next=next_node))
        if "end" in rest:
            numbered.append(event("done", content=ANSWER))
        await store.record_steps(
            run, [make_step(n, node=node, next_node=next_node, events=(*numbered,), **rest)]
        )

    triage = {"intent": "agent", "worker": "crm_worker", "criteria": "lists the saved jobs"}
    answered = await call(0, "intent_classifier", response={"text": triage, "stop": "end"})
    await step(
        0,
        "intent_classifier",
        "agent_router",
        event("run_start", run_id=run.run_id, thread_id=run.thread_id, provider="a", model="m"),
        usage("intent_classifier"),
        update={"success_criteria": triage["criteria"], "tokens": {"in": 900, "out": 40}},
        calls=(answered,),
        notes=("no rule was certain",),
    )
    await step(1, "agent_router", "crm_worker", update={}, notes=("triage named the worker",))
    answered = await call(2, "crm_worker")
    await step(
        2,
        "crm_worker",
        "crm_worker.tools",
        usage("crm_worker"),
        update={
            "messages": [make_tool_use(call_id, status="saved", limit=20)],
            "tokens": {"in": 900, "out": 40},
        },
        calls=(answered,),
    )
    await step(
        3,
        "crm_worker.tools",
        "crm_worker",
        event("tool_start", id=call_id, name="list_jobs", arguments={"status": "saved"}),
        event("tool_result", id=call_id, name="list_jobs", result=JOBS),
        update={"messages": [make_tool_answer(call_id, JOBS)]},
        tool_calls=(make_tool_call(call_id),),
    )
    answered = await call(4, "crm_worker")
    words = [event("text_delta", content=f"{word} ") for word in ANSWER.split()]
    await step(
        4,
        "crm_worker",
        "END",
        *words,
        usage("crm_worker"),
        update={"messages": [make_text("assistant", ANSWER)], "tokens": {"in": 900, "out": 40}},
        calls=(answered,),
        end=RunEnd("succeeded"),
    )
    return run


async def load_sizes(store: Store, run: Run) -> dict[str, tuple[int, int]]:
    """Rows and bytes that the run left in each table."""
    sizes: dict[str, tuple[int, int]] = {}
    async with store.transaction("acme") as tx:
        for table in ("messages", "runs", "steps", "llm_calls", "tool_calls", "run_events"):
            row = await tx.fetchrow(
                f"select count(*) as n, coalesce(sum(pg_column_size(t.*)), 0)::int as size"
                f" from {table} as t where tenant_id = 'acme' and run_id = $1",
                run.run_id,
            )
            assert row is not None
            sizes[table] = (row["n"], row["size"])
    return sizes


async def test_late_turns_of_a_thread_store_no_more_bytes_than_early_ones(store: Store) -> None:
    thread = await create_thread(store)
    runs = [await run_turn(store, thread) for _ in range(TURNS)]
    early, late = await load_sizes(store, runs[4]), await load_sizes(store, runs[-1])
    rows = {"messages": 4, "runs": 1, "steps": 5, "llm_calls": 3, "tool_calls": 1, "run_events": 0}
    assert {table: n for table, (n, _) in late.items()} == rows
    for table, (n, size) in early.items():
        # Numbers grow by a digit, timestamps do not; nothing else may grow.
        assert late[table] == (n, pytest.approx(size, abs=24)), table
    print("\nrows and bytes of one turn:", late, "together", sum(b for _, b in late.values()))


async def test_loading_a_long_threads_window_reads_only_the_window(store: Store) -> None:
    thread = await create_thread(store)
    async with store.transaction("acme") as tx:
        await tx.execute(
            """
            insert into messages
                (tenant_id, thread_id, position, role, parts, tokens, tokens_before)
            select 'acme', $1, n, case when n % 2 = 0 then 'user' else 'assistant' end,
                json_build_array(json_build_object('type', 'text', 'text', repeat('x', 400))),
                100, n * 100
            from generate_series(0, 19999) as n
            """,
            thread.thread_id,
        )
        await tx.execute(
            "update threads set next_position = 20000, total_tokens = 2000000"
            " where tenant_id = 'acme'"
        )
    async with store.database.connection() as connection:
        await connection.execute("analyze messages")
    assert len(await store.load_messages("acme", thread.thread_id, max_tokens=1000)) == 10
    async with store.database.connection() as connection:
        values = ("acme", thread.thread_id, None, 1000)
        top, *_ = await explain(connection, SQL["load_messages"], *values)
    assert top["Shared Hit Blocks"] + top["Shared Read Blocks"] < 60


MANY = 20_000  # runs of others, with a call each, of the last forty days
FILL = """
with runs_of_others as (
    insert into runs
        (tenant_id, run_id, thread_id, user_id, design, pack, status, ended_at, input_position)
    select 'acme', gen_random_uuid(), gen_random_uuid(), 'ann', 'default', 'tracker', 'succeeded',
        now(), 0
    from generate_series(1, $1)
    returning run_id, thread_id
)
insert into llm_calls
    (tenant_id, call_id, user_id, thread_id, run_id, attempt, node, role, provider, model,
    system_hash, estimated_input_tokens, created_at, status)
select 'acme', (left(plainloop_first_id(at)::text, 13) || right(run_id::text, 23))::uuid, 'ann',
    thread_id, run_id, 1, 'worker', 'worker', 'anthropic', 'some-model', decode($2, 'hex'), 900, at,
    'succeeded'
from (
    select run_id, thread_id,
        now() - interval '40 days' * (1 - row_number() over () / $1::real) as at
    from runs_of_others
) as dated
order by at
"""
READ = """
select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int
from pg_stat_xact_user_tables
where relname in ('threads', 'messages', 'runs', 'llm_calls')
"""


async def test_erasing_a_thread_reads_only_its_own_rows(store: Store) -> None:
    """And of the others' calls the newest, which show the prompts that everybody has."""
    thread = await create_thread(store)
    shared = await store.save_prompt_text("acme", "system", "You are intent_classifier.")
    await store.read("acme").execute(FILL, MANY, shared)
    run = await run_turn(store, thread)
    own = await store.save_prompt_text("acme", "system", "You answer Ann, who likes tea.")
    await store.record_call_start(make_call_start(run, system_hash=own))
    async with store.database.connection() as connection:
        old = "update prompt_texts set created_at = $2 where hash = decode($1, 'hex')"
        await connection.execute(old, shared, datetime.now(UTC) - timedelta(days=40))
        await connection.execute("select brin_summarize_new_values('llm_calls_by_time')")
        await connection.execute("analyze")
    async with store.transaction("acme") as tx:
        before = await tx.fetchval(READ)
        await erase_thread_rows(tx, "ann", thread.thread_id)
        read = await tx.fetchval(READ) - before
        prompts = await tx.fetch("select text from prompt_texts")
        assert await tx.fetchrow("select from runs where run_id = $1", run.run_id) is None
    assert [row["text"] for row in prompts] == ["You are intent_classifier."]
    assert read < MANY / 5, read


async def test_unfinished_runs_are_found_without_reading_ended_ones(store: Store) -> None:
    thread = await create_thread(store)
    run = await begin_run(store, thread, "hello")
    await store.read("acme").execute(FILL, MANY, "00")
    async with store.database.connection() as connection:
        await connection.execute("analyze")
    async with store.transaction("acme") as tx:
        before = await tx.fetchval(READ)
        unfinished = await tx.fetch(RUNS["load_unfinished_runs"], "acme", thread.thread_id, True)
        assert [row["run_id"] for row in unfinished] == [run.run_id]
        assert not await append_messages(tx, thread.thread_id, 1, [make_text("user", "again")])
        assert [item.runs for item in await count_unfinished_runs(tx)] == [1]
        assert [item.run_id for item in await list_unfinished_runs(tx, 5)] == [run.run_id]
        read = await tx.fetchval(READ) - before
    assert read < 100, read
