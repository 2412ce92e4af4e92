"""A second tenant, and a second user, see nothing and can change nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import asyncpg
import pytest

from plainloop.agent.errors import LeaseLost, NotFoundError
from plainloop.agent.store.records import Run, RunEnd, ThreadInfo
from plainloop.agent.store.store import Store
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    erase_thread,
    make_call_start,
    make_event,
    make_settled,
    make_step,
    make_text,
    make_tool_call,
)

TABLES = (
    "threads messages runs steps prompt_texts llm_calls tool_calls run_events approvals"
).split()
if find_spec("plainloop_lab"):
    TABLES += ["replays", "replay_items"]


@pytest.fixture
async def thread(store: Store) -> ThreadInfo:
    return await create_thread(store)


@pytest.fixture
async def run(store: Store, thread: ThreadInfo) -> Run:
    """A run of acme's ann with something in every table that a run writes."""
    started = await begin_run(store, thread, idempotency_key="key", request_hash="hash")
    digest = await store.save_prompt_text("acme", "system", "You are ours.")
    start = make_call_start(started, system_hash=digest)
    await store.record_call_start(start)
    await store.record_event_batches([(started, [make_event(1, "text_delta", content="a")])])
    await store.record_steps(
        started,
        [
            make_step(
                update={"messages": [make_text("assistant", "a")], "data": {"name": "ann"}},
                calls=(make_settled(start),),
                tool_calls=(make_tool_call("c1"),),
                events=(make_event(2, "node_start", step=0, node="worker"),),
            )
        ],
    )
    return started


async def load_everything(store: Store, tenant_id: str) -> dict[str, list[dict[str, Any]]]:
    async with store.transaction(tenant_id) as tx:
        return {table: await tx.fetch(f"select * from {table} order by 1, 2") for table in TABLES}


async def test_nothing_of_another_tenant_can_be_read(
    store: Store, thread: ThreadInfo, run: Run
) -> None:
    assert await store.list_threads("umbrella", "ann", limit=10) == []
    assert await store.list_threads("acme", "bob", limit=10) == []
    assert await store.load_messages("umbrella", thread.thread_id) == []
    assert await store.list_runs("umbrella", thread.thread_id) == []
    assert await store.load_steps("umbrella", run.run_id) == []
    assert await store.list_calls("umbrella", run.run_id) == []
    assert await store.list_tool_calls("umbrella", run.run_id) == []
    assert await store.load_events("umbrella", run.run_id) == []
    assert await store.load_run_by_key("umbrella", "ann", "key") is None
    digest = await store.save_prompt_text("acme", "system", "You are ours.")
    texts = "select text from prompt_texts where hash = decode($1::text, 'hex')"
    assert await store.read("acme").fetchval(texts, digest) == "You are ours."
    assert await store.read("umbrella").fetchval(texts, digest) is None
    for tenant_id, user_id in (("umbrella", "ann"), ("acme", "bob")):
        with pytest.raises(NotFoundError):
            await store.load_thread(tenant_id, user_id, thread.thread_id)
        with pytest.raises(NotFoundError):
            await store.load_run(tenant_id, user_id, run.run_id)
    with pytest.raises(NotFoundError):
        await store.load_run("umbrella", None, run.run_id)


async def test_nothing_of_another_tenant_can_be_changed(
    store: Store, thread: ThreadInfo, run: Run
) -> None:
    before = await load_everything(store, "acme")
    foreign = replace(run, tenant_id="umbrella")
    (call,) = await store.list_calls("acme", run.run_id)
    attempts: list[Callable[[], Awaitable[Any]]] = []
    for tenant_id, user_id in (("umbrella", "ann"), ("acme", "bob")):
        stranger = replace(thread, user_id=user_id)
        attempts += [
            lambda t=tenant_id, u=user_id: store.rename_thread(t, u, thread.thread_id, "mine"),
            lambda t=tenant_id, u=user_id: erase_thread(store, t, u, thread.thread_id),
            lambda t=tenant_id, s=stranger: begin_run(store, s, "mine", tenant_id=t),
            lambda t=tenant_id, u=user_id: store.queue.cancel(t, u, thread.thread_id),
        ]
    attempts += [
        lambda: store.save_message("umbrella", thread.thread_id, None, make_text("user", "mine")),
        lambda: store.record_steps(foreign, [make_step(1, update={"data": {"name": "eve"}})]),
        lambda: store.finish_run(foreign, RunEnd("failed")),
        lambda: store.open_step_transaction(foreign),
    ]
    for attempt in attempts:
        with pytest.raises((NotFoundError, LeaseLost)):
            await attempt()
    mine = [make_event(3, "text_delta", content="mine")]
    assert await store.record_event_batches([(foreign, mine)]) == set()
    assert await store.close_abandoned_run("umbrella", "ann", thread.thread_id) is None
    settled = make_settled(make_call_start(run, call_id=call.call_id), cost_usd="99")
    await store.settle_calls("umbrella", [settled])
    assert await load_everything(store, "acme") == before
    assert not any((await load_everything(store, "umbrella")).values())


async def test_a_query_without_a_tenant_filter_returns_only_its_tenants_rows(
    store: Store, run: Run
) -> None:
    await answer(
        store,
        await begin_run(store, await create_thread(store, "umbrella", "eve"), tenant_id="umbrella"),
    )
    assert store.database.has_roles
    for tenant_id in ("acme", "umbrella"):
        for table, rows in (await load_everything(store, tenant_id)).items():
            assert {row["tenant_id"] for row in rows} <= {tenant_id}, table
    changed = await store.read("umbrella").execute("update threads set title = 'mine'")
    assert changed == 1
    assert await store.read("").fetch("select * from threads") == []
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await store.read("umbrella").execute(
            "insert into prompt_texts (tenant_id, hash, kind, text) values ('acme', '', '', '')"
        )


async def test_every_tenant_table_has_row_security_and_a_tenant_key(store: Store) -> None:
    async with store.database.connection() as connection:
        rows = await connection.fetch(
            """
            select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as is_protected,
                (
                    select array_agg(a.attname::text order by key.n)
                    from pg_index i, unnest(i.indkey::int[]) with ordinality as key (attnum, n)
                    join pg_attribute a on a.attnum = key.attnum
                    where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
                ) as key
            from pg_class c
            join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
            where c.relkind in ('r', 'p') and not c.relispartition
                and c.relnamespace = 'public'::regnamespace
            """
        )
    assert {row["name"] for row in rows} >= set(TABLES)
    assert [row["name"] for row in rows if not row["is_protected"]] == []
    assert [row["name"] for row in rows if row["key"][0] != "tenant_id"] == []


async def test_odd_tenant_names_cannot_break_out_of_their_scope(store: Store) -> None:
    for tenant_id in ("'; drop table threads; --", "\\'", "ü ☃", "a'b\"c$1"):
        thread = await create_thread(store, tenant_id)
        listed = await store.list_threads(tenant_id, "ann", limit=10)
        assert [item.thread_id for item in listed] == [thread.thread_id]
