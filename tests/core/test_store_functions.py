"""Functions of the database: one round trip, and the same promises as an open transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.errors import NotFoundError, StoreError
from plainloop.agent.store.ledger import record_call_start
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.store import Store
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    get_texts,
    make_call_start,
    make_settled,
    make_step,
    make_text,
    wait_for_lock,
)
from tests.core.test_store_roles import make_owner_database
from tests.fixtures import embedded_server, make_settings, run_sql, server_folder


@pytest.fixture
def server() -> Iterator[str]:
    """A cluster of the test's own, with the superuser's URL."""
    with server_folder() as folder, embedded_server(folder) as url:
        yield url


async def use(store: Store) -> None:
    thread = await create_thread(store)
    await answer(store, await begin_run(store, thread))
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["hello", "done"]
    with pytest.raises(NotFoundError):
        await store.load_thread("umbrella", "ann", thread.thread_id)


async def test_sql_functions_set_role_and_tenant_and_reset_both(store: Store) -> None:
    await use(store)
    async with store.database.connection() as connection:
        role = await connection.fetchval("select current_user")
        tenant = await connection.fetchval("select current_setting('app.tenant_id', true)")
    assert (role == "plainloop_app", tenant or "") == (False, "")


async def hear_plans(store: Store) -> list[str]:
    """What the server says from now on, with a line for each time that it plans."""
    told: list[str] = []
    async with store.database.connection() as connection:
        await connection.execute("set log_planner_stats = on; set client_min_messages = log")
        connection.add_log_listener(lambda _, message: told.append(message.message))
    return told


async def count_plans(store: Store, turns: int) -> list[int]:
    """How often each turn has the server plan: a begin, two steps with a call, an end."""
    told = await hear_plans(store)
    plans: list[int] = []
    for _ in range(turns):
        thread = await create_thread(store)
        told.clear()
        run = await begin_run(store, thread)
        said: Any = {"messages": [make_text("assistant", "done")]}
        steps = [make_step(0), make_step(1, update=said)]
        call = make_call_start(run, step=2)
        await store.record_steps(run, steps, call=call)
        end = make_step(2, update=said, calls=(make_settled(call),), end=RunEnd("succeeded"))
        await store.record_steps(run, [end])
        plans.append(told.count("PLANNER STATISTICS"))
    return plans


async def test_a_turns_statements_are_planned_only_once(store: Store) -> None:
    first, *_, last = await count_plans(store, 12)

    assert first > 10
    assert last == 0


async def test_a_tool_transactions_first_statement_is_already_planned(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    told = await hear_plans(store)
    for _ in range(2):
        told.clear()
        await (await store.open_step_transaction(run)).rollback()

    assert [message for message in told if "PLANNER" in message] == ["PLANNER STATISTICS"]


HOSTILE = (
    "it's",
    "\\",
    "\\'; drop table runs; --",
    "'); commit; select ('",
    "$1 $$ E'\\\\'' {} %s",
    '"\\u0041\\\\n"\n\r\t',
    "\u2028 é 🙂 ' \" \\",
)


@pytest.mark.parametrize("setting", ["on", "off"])
@pytest.mark.parametrize("said", HOSTILE)
async def test_values_in_generated_sql_scripts_stay_literals(
    said: str, setting: str, store: Store
) -> None:
    """What opens and what ends a step's transaction are scripts, with a document in them."""
    tenant = f"acme {said}"
    thread = await create_thread(store, tenant)
    run = await begin_run(store, thread, tenant_id=tenant)
    tx = await store.open_step_transaction(run)
    await tx.execute(f"set local standard_conforming_strings = {setting}")
    update: Any = {"messages": [make_text("assistant", said)], "data": {said: said}}
    await store.record_steps(run, [make_step(update=update)], tx)

    assert get_texts(await store.load_messages(tenant, thread.thread_id))[-1] == said
    assert (await store.load_thread(tenant, "ann", thread.thread_id)).data == {said: said}
    async with store.transaction(tenant) as db:
        assert await db.fetchval("select current_setting('app.tenant_id')") == tenant
        assert await db.fetchval("select count(*) from runs") == 1


async def test_a_missing_sql_function_names_the_command_to_run(store: Store) -> None:
    with pytest.raises(StoreError, match="plainloop_no_such") as missing:
        await store.read("acme").call("plainloop_no_such")

    assert missing.value.code == "SCHEMA_OLDER"
    assert "plainloop migrate" in (missing.value.hint or "")


async def test_a_role_without_create_rights_uses_migrated_functions(
    server: str, tmp_path: Path
) -> None:
    owned = await make_owner_database(server, "first")
    settings = make_settings(owned, tmp_path)
    await (await connect_store(settings)).close()
    await run_sql(
        server.replace("/postgres?", "/first?"),
        "revoke create on schema public from public, pg_database_owner",
    )

    store = await connect_store(settings)
    await use(store)
    await store.close()


DEFAULTS = """
    select column_name, column_default from information_schema.columns
    where table_name = 'llm_calls' and column_default is not null
        and column_name <> 'created_at'
"""


async def test_a_new_ledger_row_has_the_defaults_of_its_columns(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    hashes = {"fingerprint": "0f" * 32, "system_hash": "1e" * 16, "tools_hash": None}
    call = make_call_start(run, **hashes)
    await store.record_call_start(call)

    async with store.transaction("acme") as tx:
        row = (await tx.fetch("select * from llm_calls where call_id = $1", call.call_id))[0]
        names = ", ".join(
            "{column_default} as {column_name}".format(**found)
            for found in await tx.fetch(DEFAULTS)
        )
        defaults = dict((await tx.fetch(f"select {names}, clock_timestamp() as now"))[0])
    assert 0 <= (defaults.pop("now") - row["created_at"]).total_seconds() < 60
    assert {"usage_source", "tags", "token_factor"} <= {*defaults}
    assert {name: row[name] for name in defaults} == defaults
    assert {name: row[name] and row[name].hex() for name in hashes} == hashes
    assert row["status"] == "started"


async def test_a_call_sent_twice_at_once_has_one_ledger_row(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    call = make_call_start(run)
    async with store.transaction("acme") as tx:
        await record_call_start(tx, call)
        again = asyncio.create_task(record_call_start(store.read("acme"), call))
        await wait_for_lock(store)
    await again
    await record_call_start(store.read("acme"), call)

    assert [one.call_id for one in await store.list_calls("acme", run.run_id)] == [call.call_id]
    assert await store.list_calls("umbrella", run.run_id) == []


async def test_a_first_message_moves_a_thread_up_the_list_unless_it_is_the_newest(
    store: Store,
) -> None:
    older = await create_thread(store)
    newest = await create_thread(store)
    await create_thread(store, "umbrella")
    for thread in (newest, older):
        await answer(store, await begin_run(store, thread))
    listed = await store.list_threads("acme", "ann", limit=5)

    assert [item.thread_id for item in listed] == [older.thread_id, newest.thread_id]
    assert listed[1].updated_at == newest.updated_at
    assert listed[0].updated_at > newest.updated_at
