"""Rows of replays: others' cost a thread nothing, and any error's text is one."""

from __future__ import annotations

from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.store import Store
from plainloop_lab.live.plan import CANDIDATE, LanePlan, LivePlan
from plainloop_lab.service.worker import NewItem, create_replay
from plainloop_lab.store import replays as store_replays
from tests.core.store_samples import create_thread
from tests.core.test_store_growth import run_turn

MANY = 5_000
READ = """
select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int
from pg_stat_xact_user_tables where relname like 'replay\\_%' or relname = 'rollout_runs'
"""
FILL = """
with made as (
    select gen_random_uuid() as thread_id, n from generate_series(1, $1) as n
), replay as (
    insert into replays (tenant_id, replay_id, user_id, mode, status, source, candidate)
    values ('acme', gen_random_uuid(), 'bob', 'live', 'succeeded', '{}', '{}')
    returning replay_id
), items as (
    insert into replay_items (tenant_id, replay_id, n, lane, user_id, thread_id, status)
    select 'acme', replay_id, n, 'candidate', 'bob', thread_id, 'succeeded' from made, replay
), answers as (
    insert into replay_answers
        (tenant_id, replay_id, lane, n, turn, call, user_id, thread_id, fingerprint, response)
    select 'acme', replay_id, 'candidate', n, 0, 0, 'bob', thread_id, '', '{}' from made, replay
), requests as (
    insert into replay_batch_requests (tenant_id, batch_id, place, replay_id, lane, n, turn, call,
        user_id, thread_id, call_id, fingerprint)
    select 'acme', gen_random_uuid(), n, replay_id, 'candidate', n, 0, 0, 'bob', thread_id,
        gen_random_uuid(), ''
    from made, replay
), verdicts as (
    insert into replay_verdicts (tenant_id, replay_id, n, thread_id, user_id, verdict)
    select 'acme', replay_id, n, thread_id, 'bob', 'same' from made, replay
)
insert into rollout_runs (tenant_id, run_id, rollout_id, thread_id, side, turn)
select 'acme', gen_random_uuid(), gen_random_uuid(), thread_id, 'baseline', 1 from made
"""


async def test_an_error_text_that_postgres_refuses_does_not_stop_a_replay(store: Store) -> None:
    """A conversation ends with any exception's text: what Postgres refuses is left out of it."""
    plan = LivePlan({CANDIDATE: LanePlan()})
    talks = [NewItem(conversation={})]
    replay_id = await create_replay(store, "acme", "ann", talks, plan, "a test", None)
    async with store.transaction("acme") as tx:
        item = await store_replays.claim_item(tx, replay_id, "me/1/1", 30.0)
        assert item is not None
        error = ("INTERNAL_ERROR", "ValueError: a\x00b \ud800")
        await store_replays.finish_item(tx, item, "failed", None, error)
        [found] = await store_replays.list_results(tx, replay_id, CANDIDATE, 0, 2)
    assert (found.status, found.error_message) == ("failed", "ValueError: ab \ufffd")


async def test_erasing_a_thread_reads_few_rows_of_other_replays(store: Store) -> None:
    thread = await create_thread(store)
    await run_turn(store, thread)
    async with store.database.connection() as connection:
        # Triggers of the verdicts would make each due: nothing of that is looked at here.
        await connection.execute("set session_replication_role = replica")
        await connection.execute("select set_config('app.tenant_id', 'acme', false)")
        await connection.execute(FILL, MANY)
        await connection.execute("reset session_replication_role")
        await connection.execute("analyze")
    async with store.transaction("acme") as tx:
        before = await tx.fetchval(READ)
        await erase_thread_rows(tx, "ann", thread.thread_id)
        read = await tx.fetchval(READ) - before
    assert read < 100, read
