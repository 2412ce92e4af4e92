"""A search for threads shows each with the state of its newest run, without reading all runs."""

from __future__ import annotations

from plainloop.agent.store.records import RunEnd, RunStart
from plainloop.agent.store.store import Store
from plainloop_langgraph.shapes import ThreadSearch
from plainloop_langgraph.store import search_threads
from tests.core.store_samples import begin_run, create_thread, make_step, make_text

MANY = 1_000
FILL = """
with begun as (
    insert into threads (tenant_id, thread_id, user_id, pack, kind, title, next_position)
    select 'acme', gen_random_uuid(), 'ann', 'tracker', 'chat', '', 1 from generate_series(1, $1)
    returning thread_id, gen_random_uuid() as run_id
), asked as (
    insert into messages
        (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
    select 'acme', thread_id, 0, run_id, 'user', '[]', 1, 0 from begun
)
insert into runs
    (tenant_id, run_id, thread_id, user_id, design, pack, status, ended_at, input_position)
select 'acme', run_id, thread_id, 'ann', 'default', 'tracker', 'succeeded', now(), 0 from begun
"""
READ = """
select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int
from pg_stat_xact_user_tables
where relname in ('threads', 'messages', 'runs')
"""


async def list_states(store: Store, tenant_id: str = "acme") -> list[str]:
    found = await search_threads(store.read(tenant_id), "ann", ThreadSearch(), 10, {})
    return [thread.status for thread in found]


async def test_a_found_thread_shows_the_state_of_its_newest_run(store: Store) -> None:
    thread = await create_thread(store)
    assert await list_states(store) == ["idle"]
    run = await begin_run(store, thread, "hello")
    assert await list_states(store) == ["busy"]
    await store.record_steps(run, [make_step(end=RunEnd("failed", "TIMEOUT", "it took long"))])
    assert await list_states(store) == ["error"]
    later = RunStart("ann", thread.thread_id, make_text("user", "again"), "default", "tracker")
    await store.queue.enqueue_run("acme", later)
    assert await list_states(store) == ["busy"]
    assert await list_states(store, "umbrella") == []


async def test_a_search_does_not_read_all_runs_for_each_thread(store: Store) -> None:
    await store.read("acme").execute(FILL, MANY)
    async with store.database.connection() as connection:
        await connection.execute("analyze")
    async with store.transaction("acme") as tx:
        before = await tx.fetchval(READ)
        found = await search_threads(tx, "ann", ThreadSearch(), 10, {})
        read = await tx.fetchval(READ) - before
    assert (len(found), found[0].total, found[0].status) == (10, MANY, "idle")
    assert read <= 5 * MANY, read
