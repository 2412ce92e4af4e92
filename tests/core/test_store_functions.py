"""Statements that the database keeps as functions: one round trip, and the same promises."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.errors import NotFoundError, StoreError
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.sql_blocks import CORE_SQL, load_sql
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


async def test_each_runs_as_the_app_role_and_as_its_tenant_and_leaves_neither(store: Store) -> None:
    await use(store)
    assert store.database.functions
    async with store.database.connection() as connection:
        role = await connection.fetchval("select current_user")
        tenant = await connection.fetchval("select current_setting('app.tenant_id', true)")
    assert (role == "plainloop_app", tenant or "") == (False, "")


async def test_every_process_has_the_core_s_whatever_it_imports(database_url: str) -> None:
    """One that imports little must not be without them until another has made them."""
    program = """
import asyncio, sys
from plainloop.agent.config.settings import load_settings
from plainloop.agent.store.opening import connect_store
store = asyncio.run(connect_store(load_settings({"DATABASE_URL": sys.argv[1]})))
print(*(name for (name, *_) in store.database.functions), sep="\\0")
"""
    command = [sys.executable, "-c", program, database_url]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kept = set(done.stdout.strip().split("\0"))
    marked = [
        load_sql(path)[name]
        for path in CORE_SQL.glob("*.sql")
        for name in re.findall(r"^-- name: (\w+), alone$", path.read_text(), re.MULTILINE)
    ]
    assert [sql for sql in marked if sql not in kept] == []


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


async def test_what_a_turn_writes_is_planned_by_the_first_one_alone(store: Store) -> None:
    first, *_, last = await count_plans(store, 12)

    assert first > 10
    assert last == 0


async def test_a_tool_s_transaction_begins_without_planning_how_its_run_is_found(
    store: Store,
) -> None:
    run = await begin_run(store, await create_thread(store))
    told = await hear_plans(store)
    for _ in range(2):
        told.clear()
        await (await store.open_step_transaction(run)).rollback()

    assert [message for message in told if "PLANNER" in message] == ["PLANNER STATISTICS"]


async def test_a_newer_version_that_drops_them_does_not_stop_an_older_one(store: Store) -> None:
    await use(store)
    async with store.database.connection() as connection:
        await connection.execute("select plainloop_drop_statements()")
    await use(store)


async def test_one_that_drops_them_while_a_tool_works_has_its_step_done_again(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    tx = await store.open_step_transaction(run)
    async with store.database.connection() as connection:
        await connection.execute("select plainloop_drop_statements()")
    with pytest.raises(StoreError):
        await store.record_steps(run, [make_step()], tx)
    assert await store.load_steps("acme", run.run_id) == []
    await store.record_steps(run, [make_step()], await store.open_step_transaction(run))
    assert [step.n for step in await store.load_steps("acme", run.run_id)] == [0]


async def test_each_start_makes_them_again_and_a_role_that_may_not_works_without(
    server: str, tmp_path: Path
) -> None:
    owned = await make_owner_database(server, "first")
    settings = make_settings(owned, tmp_path)

    async def start() -> dict[tuple[str, ...], str]:
        store = await connect_store(settings)
        await use(store)
        await store.close()
        await run_sql(owned, "select plainloop_drop_statements()")
        return dict(store.database.functions)

    kept = await start()
    assert kept
    assert await start() == kept, "as after a migration"
    await run_sql(
        server.replace("/postgres?", "/first?"),
        "revoke create on schema public from public, pg_database_owner",
    )
    assert await start() == {}
