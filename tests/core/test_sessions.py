"""What a session of the database is given: role, tenant, limits of time; and who may call what."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import LeaseLost, StoreError
from plainloop.agent.store import database as databases
from plainloop.agent.store import opening, roles
from plainloop.agent.store.connecting.settings import DatabaseSettings, DeploySettings
from plainloop.agent.store.database import Database, open_database
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.roles import check_roles, mend_roles, probe, secure
from plainloop.agent.store.store import Store
from plainloop.agent.store.transactions import operate_alone
from tests.core.store_samples import begin_run, create_thread, get_texts, make_step, make_text

SETTINGS = (
    "select current_user::text as role, current_setting('app.tenant_id', true) as tenant_id,"
    " current_setting('lock_timeout') as lock,"
    " current_setting('idle_in_transaction_session_timeout') as idle,"
    " current_setting('application_name') as name, current_setting('TimeZone') as zone"
)


async def test_a_transaction_has_its_tenant_and_an_idle_timeout(store: Store):
    same = {"lock": "10s", "zone": "UTC"}
    app = {**same, "role": "plainloop_app", "tenant_id": "acme", "name": "plainloop"}
    async with store.transaction("acme") as tx:
        assert (tx.tenant_id, await tx.fetchrow(SETTINGS)) == ("acme", {**app, "idle": "15s"})
    assert await store.read("acme").fetchrow(SETTINGS) == {**app, "idle": "15s"}
    async with store.database.operate() as tx:
        told = {"role": "plainloop_operator", "tenant_id": "", "idle": "5s"}
        assert await tx.fetchrow(SETTINGS) == {**app, **told}
    run = await begin_run(store, await create_thread(store))
    tx = await store.open_step_transaction(run)
    label = {"name": f"plainloop step {run.run_id}", "idle": "2min"}
    assert await tx.fetchrow(SETTINGS) == {**app, **label}
    await tx.rollback()
    async with store.database.connection() as connection:
        bare = dict(await connection.fetchrow(SETTINGS))
    assert (bare["name"], bare["zone"], bare["tenant_id"] or "") == ("plainloop", "UTC", "")
    assert bare["role"] != "plainloop_app", "nothing of a transaction is left"


async def test_a_block_is_committed_at_its_end_and_undone_when_it_raises(store: Store):
    insert = "insert into prompt_texts (tenant_id, hash, kind, text) values ('acme', $1, 'k', 't')"
    async with store.transaction("acme") as tx:
        assert await tx.execute(insert, b"1") == 1
        assert await tx.execute("select set_config('app.x', 'y', true)") == 1
        assert await tx.execute("set local app.x = 'z'") == 0
    with pytest.raises(RuntimeError):
        async with store.transaction("acme") as tx:
            await tx.execute(insert, b"2")
            raise RuntimeError
    async with store.transaction("acme") as tx:
        for name, fails in ((b"3", True), (b"4", False), (b"5", True)):
            try:
                async with tx.savepoint():
                    await tx.execute(insert, name)
                    if fails:
                        raise ValueError
            except ValueError:
                assert fails
    rows = await store.read("acme").fetch("select hash from prompt_texts order by hash")
    assert [row["hash"] for row in rows] == [b"1", b"4"]
    await tx.rollback()  # it has ended: nothing happens


async def test_only_the_runs_owner_can_open_a_step_transaction(store: Store):
    run = await begin_run(store, await create_thread(store))
    with pytest.raises(LeaseLost) as lost:
        await store.open_step_transaction(replace(run, fence=9))
    assert lost.value.message.startswith(f"the run {run.run_id} has ended")
    tx = await store.open_step_transaction(run)
    assert tx.may_wait is True
    await tx.rollback()


@pytest.mark.parametrize("busy", [False, True])
async def test_deferred_steps_are_stored_before_a_step_transaction_begins(
    busy: bool, store: Store, monkeypatch: pytest.MonkeyPatch
):
    """Over its connection where one is free, else before it waits for one."""
    run = await begin_run(store, await create_thread(store))
    scripts: list[bool] = []
    begin = Database.begin

    async def note(self: Database, tenant_id: str, **rest: Any) -> Any:
        scripts.append(rest.get("before") is not None)
        return await begin(self, tenant_id, **rest)

    monkeypatch.setattr(Database, "begin", note)
    if busy:
        store.database._pool.expire()  # pyright: ignore[reportPrivateUsage]
    tx = await store.open_step_transaction(run, [make_step(0), make_step(1)])
    assert scripts == [not busy]
    assert (await tx.fetchrow(SETTINGS) or {})["idle"] == "2min"
    await tx.rollback()
    assert [step.n for step in await store.load_steps("acme", run.run_id)] == [0, 1]


async def test_already_stored_steps_do_not_block_a_new_transaction(store: Store):
    """A COMMIT whose answer was lost is looked for."""
    run = await begin_run(store, await create_thread(store))
    said: Any = {"messages": [make_text("assistant", "done")]}
    steps = [make_step(0, update=said)]
    await store.record_steps(run, steps)
    tx = await store.open_step_transaction(run, steps)
    await tx.rollback()
    assert [step.n for step in await store.load_steps("acme", run.run_id)] == [0]
    messages = await store.load_messages("acme", run.thread_id)
    assert get_texts(messages) == ["hello", "done"]


async def test_with_one_connection_a_step_transaction_is_not_left_open(settings: Settings):
    narrow = settings.change(DatabaseSettings, connections=1)
    store = await connect_store(narrow, migrate=False)
    try:
        run = await begin_run(store, await create_thread(store))
        tx = await store.open_step_transaction(run)
        assert tx.may_wait is False
        await tx.rollback()
    finally:
        await store.close()


async def test_a_database_is_opened_with_the_options_of_its_settings(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    asked: list[tuple[str, dict[str, Any]]] = []
    original = opening.open_database

    async def open_one(url: str, **rest: Any) -> Any:
        asked.append((url, rest))
        return await original(url, **rest)

    monkeypatch.setattr(opening, "open_database", open_one)
    url = settings.get_table(DatabaseSettings).url
    assert url is not None
    own = settings.change(
        DatabaseSettings,
        read_url=url,
        transaction_pooler=True,
        connections=3,
        wait_s=4.0,
        silent_s=5.0,
        read_lag_s=6.0,
    )
    store = await connect_store(own, migrate=False)
    try:
        told = {"statement_cache": 0, "connections": 3, "wait_s": 4.0, "silent_s": 5.0}
        assert asked == [
            (url.reveal(), {**told, "revive": None}),
            (url.reveal(), {**told, "copies": store.database}),
        ]
        assert store.database.has_roles is True
    finally:
        await store.close()
    store = await connect_store(settings, migrate=False)
    assert asked[2][1]["statement_cache"] == 100
    await store.close()


async def test_a_store_that_cannot_be_migrated_leaves_no_connection(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    closed: list[Any] = []

    async def fail(*_: Any, **__: Any) -> list[str]:
        raise StoreError("no")

    async def open_one(url: str, **rest: Any) -> Any:
        database = await open_database(url)
        original = database.close

        async def close() -> None:
            closed.append(database)
            await original()

        database.close = close  # type: ignore[method-assign]
        return database

    monkeypatch.setattr(opening, "apply_migrations", fail)
    monkeypatch.setattr(opening, "open_database", open_one)
    with pytest.raises(StoreError, match="no"):
        await connect_store(settings)
    assert len(closed) == 1


async def test_migrations_are_logged_as_they_are_applied(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    asked: list[Any] = []

    async def apply(database: Any, folders: Any, *, judge: str) -> list[str]:
        asked.append((folders, judge))
        return ["0001_a.sql", "0002_b.sql"]

    monkeypatch.setattr(opening, "apply_migrations", apply)
    own = settings.change(DeploySettings, judge="warn")
    with caplog.at_level(logging.INFO, logger="plainloop.agent.store.opening"):
        store = await connect_store(own, migration_folders=[])
        await store.close()
    assert asked == [([], "warn")]
    told: Any = [(r.msg, getattr(r, "migration", "")) for r in caplog.records]
    assert told == [("migration_applied", "0001_a.sql"), ("migration_applied", "0002_b.sql")]


async def test_valid_database_roles_are_not_changed(store: Store, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        await secure(store.database)
        assert await check_roles(store.database) == []
        await probe(store.database)
    assert [record.msg for record in caplog.records] == []
    assert store.database.has_roles is True
    count = "select count(*) from probes"
    try:
        left = await store.read("acme").fetchval(count)
    except asyncpg.UndefinedTableError:
        left = 0
    assert left == 0, "a probe leaves nothing behind"


async def test_missing_rights_to_repair_roles_are_logged(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    refuse = "do $$ begin raise insufficient_privilege using message = 'no grant'; end $$"
    monkeypatch.setattr(roles, "SQL", {**roles.SQL, "mend": refuse})
    with caplog.at_level(logging.WARNING):
        await mend_roles(store.database)
    (record,) = caplog.records
    told: Any = record
    assert (record.msg, told.reason) == ("roles_not_mended", "no grant")


async def test_invalid_database_roles_are_refused_or_reported(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    async def list_repairs(database: Any) -> list[str]:
        return ["grant a;", "grant b;"]

    monkeypatch.setattr(roles, "list_repairs", list_repairs)
    with pytest.raises(StoreError) as refused:
        await check_roles(store.database)
    assert refused.value.code == "ROLES_UNUSABLE"
    assert (refused.value.hint or "").endswith("has to run: grant a; grant b;")

    async def detect_roles() -> bool:
        return False

    monkeypatch.setattr(store.database, "detect_roles", detect_roles)
    never = "select false"
    monkeypatch.setattr(roles, "SQL", {**roles.SQL, "is_forced": never})
    with caplog.at_level(logging.WARNING):
        await secure(store.database)
    (record,) = caplog.records
    told: Any = record
    assert (record.msg, told.administrator_runs) == ("row_level_security_off", "grant a; grant b;")


@pytest.mark.parametrize(("is_forced", "has_roles"), [(True, False), (False, True)])
async def test_roles_in_use_are_refused_while_a_statement_must_be_run(
    is_forced: bool, has_roles: bool, store: Store, monkeypatch: pytest.MonkeyPatch
):
    async def list_repairs(database: Any) -> list[str]:
        return ["grant a;"]

    async def detect_roles() -> bool:
        return has_roles

    monkeypatch.setattr(roles, "list_repairs", list_repairs)
    monkeypatch.setattr(store.database, "detect_roles", detect_roles)
    monkeypatch.setattr(roles, "SQL", {**roles.SQL, "is_forced": f"select {is_forced}"})
    with pytest.raises(StoreError) as refused:
        await check_roles(store.database)
    assert refused.value.hint is not None
    assert refused.value.hint.endswith("has to run: grant a;")


@pytest.mark.parametrize("sees", ["nothing", "everything"])
async def test_a_role_probe_fails_if_row_security_is_wrong(
    sees: str, store: Store, monkeypatch: pytest.MonkeyPatch
):
    seen = "select 'x' as tenant_id where false"
    if sees == "everything":
        seen = "select current_setting('app.tenant_id') as tenant_id union all select 'x'"
    monkeypatch.setattr(roles, "SQL", {**roles.SQL, "list_probes": seen})
    with pytest.raises(StoreError) as failed:
        await probe(store.database)
    told = "in a test, a tenant did not see its own rows, or saw another tenant's"
    assert failed.value.message == f"the database's roles cannot be used: {told}"
    refuse = "do $$ begin raise insufficient_privilege using message = 'no grant'; end $$"
    monkeypatch.setattr(roles, "SQL", {**roles.SQL, "list_probes": refuse})
    with pytest.raises(StoreError, match="the database's roles cannot be used: no grant"):
        await probe(store.database)


async def test_statements_have_a_timeout(settings: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(databases, "COMMAND_TIMEOUT_S", 0.3)
    store = await connect_store(settings, migrate=False)
    try:
        with pytest.raises(StoreError, match="the database cannot be used: TimeoutError"):
            await store.read("acme").fetchval("select pg_sleep(5)")
    finally:
        await store.close()


async def test_autocommit_statements_can_see_all_tenants(store: Store):
    alone = operate_alone(store.database)
    told = await alone.fetchrow(SETTINGS)
    assert told is not None
    assert (alone.tenant_id, told["tenant_id"], told["role"]) == ("", "", "plainloop_operator")
