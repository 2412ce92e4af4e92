"""Advice draws a worker's threads without reading all runs once for each of them."""

from __future__ import annotations

from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.store import Store
from plainloop_lab.store.workers import list_worker_threads
from tests.core.store_samples import (
    begin_run,
    create_thread,
    make_call_start,
    make_settled,
    make_step,
)

MANY = 300
FILL = """
with begun as (
    insert into threads (tenant_id, thread_id, user_id, pack, kind, title, next_position)
    select 'acme', gen_random_uuid(), 'ann', 'tracker', 'chat', '', 0 from generate_series(1, $1)
    returning thread_id
), ran as (
    insert into runs
        (tenant_id, run_id, thread_id, user_id, design, pack, status, ended_at, input_position)
    select 'acme', gen_random_uuid(), thread_id, 'ann', 'default', 'tracker', 'succeeded', now(), 0
    from begun
    returning run_id, thread_id
)
insert into llm_calls
    (tenant_id, call_id, user_id, thread_id, run_id, attempt, node, worker, role, provider, model,
    status, estimated_input_tokens)
select 'acme', gen_random_uuid(), 'ann', thread_id, run_id, 1, 'clerk', 'clerk', 'worker', 'p', 'm',
    'succeeded', 1
from ran
"""
READ = """
select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int
from pg_stat_xact_user_tables
where relname = 'runs'
"""


async def test_the_list_of_a_workers_threads_states_the_turns_of_each(store: Store) -> None:
    thread = await create_thread(store)
    for text in ("hello", "and now?"):
        run = await begin_run(store, thread, text)
        start = make_call_start(run)
        await store.record_call_start(start)
        step = make_step(calls=(make_settled(start),), end=RunEnd("succeeded"))
        await store.record_steps(run, [step])
    await create_thread(store)

    [drawn] = await list_worker_threads(store.read("acme"), "worker", "worker", 9)

    assert (drawn.thread_id, drawn.turns) == (thread.thread_id, 2)


async def test_drawing_threads_reads_each_run_at_most_twice(store: Store) -> None:
    await store.read("acme").execute(FILL, MANY)
    async with store.database.connection() as connection:
        await connection.execute("analyze")
    async with store.transaction("acme") as tx:
        before = await tx.fetchval(READ)
        drawn = await list_worker_threads(tx, "worker", "clerk", MANY)
        read = await tx.fetchval(READ) - before

    assert [item.turns for item in drawn] == [1] * MANY
    assert read <= 2 * MANY, read
