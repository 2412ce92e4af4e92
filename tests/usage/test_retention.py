"""What is kept how long, and what stays of what is not."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.config.settings import Settings
from plainloop.agent.store.connecting.settings import UsageSettings
from plainloop.agent.store.erasure import erase_user_rows
from plainloop.agent.store.store import Store
from plainloop.agent.usage import retention as usage_retention
from plainloop.agent.usage.report import list_avoided_calls, summarize_usage
from plainloop.agent.usage.retention import Deleted, delete_old_rows, keep_deleting
from plainloop.agent.usage.rollup import roll_up_usage
from tests.core.store_samples import begin_run, create_thread, make_call_start, make_event
from tests.usage.ledger import fill_ledger, move_run


async def count(store: Store, table: str, tenant_id: str = "acme") -> int:
    async with store.transaction(tenant_id) as tx:
        return await tx.fetchval(f"select count(*) from {table} where tenant_id = $1", tenant_id)


async def test_expired_calls_are_deleted_but_their_sums_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage_retention, "AT_ONCE", 10)
    await fill_ledger(store, datetime.now(UTC), days=5)
    before = [
        await summarize_usage(store.read(tenant), [by])
        for tenant in ("acme", "umbrella")
        for by in ("day", "model", "user", "run")
    ]
    rows = await count(store, "llm_calls"), await count(store, "llm_calls", "umbrella")
    deleted = await delete_old_rows(store, UsageSettings(keep_calls_days=2))
    left = await count(store, "llm_calls"), await count(store, "llm_calls", "umbrella")
    async with store.transaction("acme") as tx:
        oldest = await tx.fetchval("select min(created_at) from llm_calls")

    assert deleted.calls == sum(rows) - sum(left) > 10
    assert oldest >= datetime.now(UTC) - timedelta(days=2, minutes=1)
    assert before == [
        await summarize_usage(store.read(tenant), [by])
        for tenant in ("acme", "umbrella")
        for by in ("day", "model", "user", "run")
    ]
    assert await delete_old_rows(store, UsageSettings(keep_calls_days=2)) == Deleted()


async def test_without_retention_settings_nothing_is_deleted(
    store: Store, settings: Settings
) -> None:
    await fill_ledger(store, datetime.now(UTC), days=5)
    assert await delete_old_rows(store, settings.get_table(UsageSettings)) == Deleted()


async def test_a_failed_round_does_not_end_retention(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", usage_retention.__name__)
    monkeypatch.setattr(usage_retention, "EVERY_S", 0.0)
    rename = "alter table {} rename to {}"
    async with store.database.connection() as connection:
        await connection.execute(rename.format("changes", "moved"))
        keeping = asyncio.create_task(keep_deleting(store, UsageSettings(keep_calls_days=2)))
        for event, repair in (
            ("retention_failed", rename.format("moved", "changes")),
            ("retention_done", "select"),
        ):
            while event not in caplog.messages:
                assert not keeping.done()
                await asyncio.sleep(0.01)
            await connection.execute(repair)
    await end_tasks(keeping)


async def test_change_notices_are_kept_for_an_hour(store: Store, settings: Settings) -> None:
    await create_thread(store)
    now = datetime.now(UTC)
    await delete_old_rows(store, settings.get_table(UsageSettings), now + timedelta(minutes=50))
    assert await count(store, "changes") == 1
    await delete_old_rows(store, settings.get_table(UsageSettings), now + timedelta(minutes=70))
    assert await count(store, "changes") == 0


async def test_calls_not_yet_summed_are_not_deleted(store: Store) -> None:
    """One that is open keeps the hours after it from being added up."""
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=3)
    async with store.transaction("acme") as tx:
        opened = await tx.fetchval(
            "update llm_calls set status = 'started' where call_id ="
            " (select call_id from llm_calls where created_at > $1 order by created_at limit 1)"
            " returning created_at",
            now - timedelta(hours=10),
        )
        newer = await tx.fetchval("select count(*) from llm_calls where created_at >= $1", opened)
    deleted = await delete_old_rows(
        store, UsageSettings(keep_calls_days=1), now + timedelta(days=30)
    )
    rolled = await roll_up_usage(store)
    assert deleted.calls
    assert rolled is not None and rolled <= opened
    assert await count(store, "llm_calls") >= newer > 1


async def test_expired_events_are_deleted_only_of_ended_runs(store: Store) -> None:
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=1, runs=1)
    run = await begin_run(store, await create_thread(store))
    await store.record_event_batches([(run, [make_event(1, "text_delta", content="a")])])
    await store.record_call_start(make_call_start(run))
    await move_run(store, run, now - timedelta(days=9))
    async with store.transaction("acme") as tx:
        await tx.execute("update run_events set created_at = $1", now - timedelta(days=9))
        await tx.execute(
            "insert into run_events (tenant_id, run_id, first_seq, last_seq, events, created_at)"
            " select tenant_id, run_id, 1, 1, '[]', $1 from runs where ended_at is not null",
            now - timedelta(days=9),
        )
        await tx.execute("update steps set events = '[]', started_at = $1", now - timedelta(days=9))
    deleted = await delete_old_rows(store, UsageSettings(keep_events_days=7))

    assert deleted == Deleted(events=1, step_events=2)
    assert await store.load_events("acme", run.run_id) == [make_event(1, "text_delta", content="a")]


async def test_stored_prompts_are_deleted_with_their_last_call(store: Store) -> None:
    now = datetime.now(UTC)
    run = await begin_run(store, await create_thread(store))
    old, young = [await store.save_prompt_text("acme", "system", text) for text in ("old", "new")]
    for digest, age in ((old, 9), (young, 0)):
        start = replace(make_call_start(run), system_hash=digest)
        await store.record_call_start(start)
        async with store.transaction("acme") as tx:
            await tx.execute(
                "update llm_calls set created_at = $2, status = 'succeeded' where call_id = $1",
                start.call_id,
                now - timedelta(days=age),
            )
    async with store.transaction("acme") as tx:
        await tx.execute("update prompt_texts set created_at = $1", now - timedelta(days=9))
    deleted = await delete_old_rows(store, UsageSettings(keep_calls_days=7))

    assert (deleted.calls, deleted.prompts) == (1, 1)
    kept = await store.read("acme").fetch("select encode(hash, 'hex') as hash from prompt_texts")
    assert [row["hash"] for row in kept] == [young]


async def test_an_erased_user_leaves_anonymous_totals(store: Store) -> None:
    await fill_ledger(store, datetime.now(UTC), days=3)
    await roll_up_usage(store)
    total = await summarize_usage(store.read("acme"))
    avoided = await list_avoided_calls(store.read("acme"))
    async with store.transaction("acme") as tx:
        await erase_user_rows(tx, "ann")
    users = {row.keys["user"] for row in await summarize_usage(store.read("acme"), ["user"])}

    assert await summarize_usage(store.read("acme")) == total
    assert "ann" not in users and "" in users
    assert sum(row.tokens for row in await list_avoided_calls(store.read("acme"))) == sum(
        row.tokens for row in avoided
    )
    for table in ("usage_runs", "usage_days", "usage_avoided", "budget_counters"):
        async with store.transaction("acme") as tx:
            assert not await tx.fetchval(f"select count(*) from {table} where user_id = 'ann'")
