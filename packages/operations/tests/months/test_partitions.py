"""Tables kept by months: made so under people's hands, continued, forgotten as a whole."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.store import migrations
from plainloop.agent.store.connecting.settings import UsageSettings
from plainloop.agent.store.database import open_database
from plainloop.agent.store.erasure import erase_user_rows
from plainloop.agent.store.ledger import LIST_CALLS
from plainloop.agent.store.sql_blocks import CORE_SQL, load_sql
from plainloop.agent.store.store import Store
from plainloop.agent.usage.dimensions import build_summary
from plainloop.agent.usage.report import summarize_usage
from plainloop.agent.usage.retention import delete_old_rows
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop_operations.months import partitions
from plainloop_operations.months.partitions import KEYS, begin_months, keep_months, next_month
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    make_call_start,
    make_event,
    make_settled,
    wait_for_lock,
)
from tests.core.test_baseline import apply_older
from tests.usage.ledger import fill_ledger

pytestmark = pytest.mark.skipif(
    "PLAINLOOP_TEST_MONTHS" in os.environ, reason="the tables of every test are monthly already"
)
NOW = datetime.now(UTC)
# Runs of acme with a call and an event each, at these times and with their ids; $2: their status.
OLD_RUNS = """
with made as (
    select at, overlay(plainloop_first_id(at)::text placing '7' from 15)::uuid as id
    from unnest($1::timestamptz[]) as given (at)
), began as (
    insert into runs (tenant_id, run_id, thread_id, user_id, design, pack, status, created_at,
        ended_at)
    select 'acme', id, id, 'ann', 'default', 'tracker', $2, at,
        case when $2 = 'succeeded' then at end
    from made
), told as (
    insert into run_events (tenant_id, run_id, first_seq, last_seq, events, created_at)
    select 'acme', id, 1, 1, '[["text_delta", {"content": "a"}]]', at from made
)
insert into llm_calls (tenant_id, call_id, user_id, thread_id, run_id, attempt, node, role,
    provider, model, estimated_input_tokens, status, usage_source, input_tokens, created_at)
select 'acme', id, 'ann', id, id, 1, 'worker', 'worker', 'p', 'm', 9, 'succeeded', 'provider', 9, at
from made
"""


@pytest.fixture
async def months(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """Monthly tables since half a months ago, and a run in the middle of each."""
    for table in ("tool_calls", "replay_items", "replay_answers"):
        monkeypatch.delitem(KEYS, table)  # less to wait for
    # However busy the server is with parts of its own accord.
    monkeypatch.setattr(partitions, "LOCK_TIMEOUT_MS", 60_000)
    begins = NOW - timedelta(days=181)
    await begin_months(store.database, begins)
    await keep_months(store.database, NOW)
    month = next_month(begins + timedelta(days=1))
    times: list[datetime] = []
    while next_month(month) < NOW - timedelta(days=4):
        times.append(month + timedelta(days=14))
        month = next_month(month)
    await make_old_runs(store, times)
    return times


async def make_old_runs(store: Store, times: list[datetime], status: str = "succeeded") -> None:
    async with store.transaction("acme") as tx:
        await tx.execute(OLD_RUNS, times, status)


def name_part(table: str, at: datetime) -> str:
    return f"{table}_{at:%Y_%m}"


async def count(store: Store, table: str) -> int:
    async with store.transaction("acme") as tx:
        return await tx.fetchval(f"select count(*) from {table}")


async def list_parts(store: Store, table: str) -> list[str]:
    async with store.database.connection() as connection:
        rows = await connection.fetch(
            "select inhrelid::regclass::text as name from pg_inherits"
            " where inhparent = $1::text::regclass order by 1",
            table,
        )
    return [row["name"] for row in rows]


async def explain(store: Store, sql: str, *args: Any) -> str:
    """The plan as the tenant acme has it."""
    async with store.transaction("acme") as tx:
        rows = await tx.fetch(f"explain (costs off) {sql}", *args)
    return "\n".join(row["QUERY PLAN"] for row in rows)


async def list_tables(store: Store) -> list[str]:
    """List the existing monthly tables; two come with plainloop-lab."""
    async with store.database.connection() as connection:
        return [
            table
            for table in KEYS
            if await connection.fetchval("select to_regclass($1) is not null", table)
        ]


async def test_partitioning_by_month_loses_no_row(store: Store) -> None:
    await fill_ledger(store, NOW, days=5)
    before = await summarize_usage(store.read("acme"), ["day", "model"])
    assert await begin_months(store.database) == await list_tables(store)
    await roll_up_usage(store)

    assert await summarize_usage(store.read("acme"), ["day", "model"]) == before
    assert await begin_months(store.database) == []


async def test_partitioning_does_not_block_readers_and_writers(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    is_done = asyncio.Event()
    seq = 0

    async def work() -> None:
        nonlocal seq
        while not is_done.is_set():
            seq += 1
            event = make_event(seq, "text_delta", content=str(seq))
            await store.record_event_batches([(run, [event])])
            assert len(await store.load_events("acme", run.run_id)) == seq

    working = asyncio.create_task(work())
    await begin_months(store.database)
    is_done.set()
    await working

    assert len(await store.load_events("acme", run.run_id)) == seq


async def test_a_turn_works_with_monthly_tables(store: Store) -> None:
    await begin_months(store.database)
    run = await begin_run(store, await create_thread(store))
    await store.record_event_batches([(run, [make_event(1, "text_delta", content="a")])])
    start = make_call_start(run)
    await store.record_call_start(start)
    await store.settle_calls("acme", [make_settled(start)])
    await answer(store, run)

    assert [call.status for call in await store.list_calls("acme", run.run_id)] == ["succeeded"]
    assert len(await store.load_steps("acme", run.run_id)) == 1
    assert await store.list_calls("umbrella", run.run_id) == []


async def test_partitions_cannot_be_read_past_row_security(store: Store) -> None:
    await begin_months(store.database)
    tables = await list_tables(store)
    for part in [name for table in tables for name in await list_parts(store, table)]:
        for role in ("plainloop_app", "plainloop_operator"):
            async with store.database.connection() as connection:
                assert not await connection.fetchval(
                    "select has_table_privilege($1, $2, 'select, insert, update, delete')",
                    role,
                    part,
                )
        async with store.database.connection() as connection:
            assert await connection.fetchval(
                "select has_table_privilege('plainloop_backup', $1, 'select')", part
            )


async def test_one_replica_creates_future_month_partitions(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "KEYS", {"llm_calls": "call_id", "steps": "run_id"})
    await begin_months(store.database, NOW)
    later = NOW + timedelta(days=100)
    await asyncio.gather(*(keep_months(store.database, later) for _ in range(3)))
    await keep_months(store.database, later)

    for table in ("llm_calls", "steps"):
        assert name_part(table, next_month(later)) in await list_parts(store, table)


async def test_rows_of_a_missing_month_move_to_its_new_partition(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "KEYS", {"llm_calls": "call_id"})
    await begin_months(store.database, NOW)
    late = NOW + timedelta(days=200)
    await make_old_runs(store, [late])
    await keep_months(store.database, late)

    parts = await store.read("acme").fetch("select tableoid::regclass::text as part from llm_calls")
    assert parts == [{"part": name_part("llm_calls", late)}]


async def test_rows_with_non_time_ids_have_a_partition(store: Store) -> None:
    await begin_months(store.database)
    odd = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
    await make_old_runs(store, [NOW])
    async with store.transaction("acme") as tx:
        await tx.execute("update llm_calls set call_id = $1, run_id = $1", odd)
        await tx.execute("update run_events set run_id = $1", odd)

    assert len(await store.list_calls("acme", odd)) == 1
    assert len(await store.load_events("acme", odd)) == 1
    assert (await summarize_usage(store.read("acme")))[0].calls == 1


async def test_explain_reads_only_its_runs_months(store: Store, months: list[datetime]) -> None:
    run_id = await store.read("acme").fetchval("select max(run_id::text) from runs")
    runs = load_sql(CORE_SQL / "runs.sql")
    steps = await explain(store, runs["load_steps"], "acme", run_id)
    calls = await explain(store, LIST_CALLS, "acme", run_id)

    assert name_part("steps", months[-1]) in steps and "Append" not in steps
    assert name_part("llm_calls", months[-1]) in calls
    assert [at for at in months[:-1] if name_part("llm_calls", at) in calls] == []
    assert len(await store.list_calls("acme", run_id)) == 1


async def test_a_usage_report_reads_only_its_months(store: Store, months: list[datetime]) -> None:
    await keep_months(store.database, NOW)  # says of months that are over what they hold
    since, until = months[2] - timedelta(days=9), months[2] + timedelta(days=9)
    sql = build_summary(["day", "model"], [], by_cost=False)
    plan = await explain(store, sql, "acme", since, until, since, since, 9, 0)

    assert [at for at in months if name_part("llm_calls", at) in plan] == [months[2]]


async def test_rows_with_a_wrong_clock_are_included_in_reports(
    store: Store, months: list[datetime]
) -> None:
    async with store.transaction("acme") as tx:
        sql = "update llm_calls set created_at = $1 where created_at = $2"
        await tx.execute(sql, NOW, months[3])
    await keep_months(store.database, NOW)
    await make_old_runs(store, [months[3] + timedelta(days=1)])

    assert (await summarize_usage(store.read("acme")))[0].calls == len(months) + 1


async def test_an_expired_month_is_dropped_as_a_partition(
    store: Store, months: list[datetime]
) -> None:
    """What is younger in an old month, and what runs on, is left."""
    await make_old_runs(store, [months[1] + timedelta(hours=1)], "waiting")
    before = await summarize_usage(store.read("acme"), ["day"])
    days = (NOW - months[3]).days
    keep = UsageSettings(keep_calls_days=days, keep_events_days=days)
    deleted = await delete_old_rows(store, keep, NOW)

    assert set(deleted.months) == {
        *("llm_calls_before", *(name_part("llm_calls", at) for at in months[:3])),
        *("run_events_before", *(name_part("run_events", at) for at in (months[0], months[2]))),
    }
    assert (deleted.calls, deleted.events) == (1, 2)
    left = len(months) - 4
    assert (await count(store, "llm_calls"), await count(store, "run_events")) == (left, left + 1)
    assert await summarize_usage(store.read("acme"), ["day"]) == before
    assert await count(store, "runs") == len(months) + 1


async def test_a_month_in_use_is_dropped_later(
    store: Store, months: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with store.transaction("acme") as tx:
        await tx.fetch("select from llm_calls")
        with monkeypatch.context() as hurried:
            hurried.setattr(partitions, "LOCK_TIMEOUT_MS", 1)
            assert await keep_months(store.database, NOW, calls_until=months[3]) == ()
    assert len(await keep_months(store.database, NOW, calls_until=months[3])) == 4


async def test_a_month_that_another_replica_drops_is_no_error(
    store: Store, months: list[datetime]
) -> None:
    first, second = (name_part("llm_calls", month) for month in months[:2])
    database = store.database
    async with database.connection() as reader, database.connection() as other:
        await reader.execute(f'begin; select from "{first}"')
        keeping = asyncio.create_task(keep_months(database, NOW, calls_until=months[3]))
        await wait_for_lock(store)  # the months are listed, and the first one is in use
        await other.execute(f'begin; lock table "{second}" in access exclusive mode')
        await reader.execute("commit")
        await other.execute(f'drop table "{second}"; commit')
    assert second not in await keeping
    parts = await list_parts(store, "llm_calls")
    assert {first, second, name_part("llm_calls", months[2])}.isdisjoint(parts)


async def test_an_erased_user_is_in_no_partition(store: Store) -> None:
    await begin_months(store.database)
    run = await begin_run(store, await create_thread(store))
    await store.record_event_batches([(run, [make_event(1, "text_delta", content="a")])])
    await store.record_call_start(make_call_start(run))
    await answer(store, run)
    async with store.transaction("acme") as tx:
        await erase_user_rows(tx, "ann")
        users = await tx.fetch("select distinct user_id, run_id from llm_calls")

    assert users == [{"user_id": "", "run_id": None}]
    assert (await count(store, "run_events"), await count(store, "steps")) == (0, 0)


async def test_tables_with_dependent_objects_are_not_partitioned(store: Store) -> None:
    async with store.database.connection() as connection:
        await connection.execute("create view costs as select sum(cost_usd) from llm_calls")
    with pytest.raises(StoreError, match="llm_calls cannot be partitioned by month"):
        await begin_months(store.database)
    await make_old_runs(store, [NOW - timedelta(days=2000)])

    async with store.database.connection() as connection:
        await connection.execute("drop view costs")
    assert "llm_calls" in await begin_months(store.database)


async def test_partitioning_keeps_granted_rights(store: Store) -> None:
    async with store.database.connection() as connection:
        await connection.execute("grant select on llm_calls to pg_monitor")
        await begin_months(store.database)
        assert await connection.fetchval(
            "select has_table_privilege('pg_monitor', 'llm_calls', 'select')"
        )


async def test_later_migrations_work_with_monthly_tables(empty_database_url: str) -> None:
    """`alter table … set (fillfactor = …)`, for one, is refused by a table of parts."""
    database = await open_database(empty_database_url)
    try:
        await apply_older(database, lambda name: name < "0036")
        await begin_months(database)
        await migrations.apply_migrations(database, from_older=True)
        await migrations.apply_migrations(database)
    finally:
        await database.close()
