"""A tenant moves from one database to another: nothing is lost, nothing is there twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from plainloop.agent.cli.app import run as run_command
from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.errors import ConflictError, InputError, NotFoundError, StoreError
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import create_thread
from plainloop.agent.usage.report import UsageFilter, list_avoided_calls, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop_operations.moving.carrying import (
    MANIFEST,
    erase_tenant,
    export_tenant,
    import_tenant,
    read_manifest,
)
from plainloop_operations.moving.holding import release_tenant
from plainloop_operations.moving.tables import SQL, Content, list_tables, read_content
from tests.fixtures import list_pack_migrations
from tests.machine import notes_pack
from tests.machine.notes_pack import make_pack
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools, triage
from tests.runs.conftest import Replica, start_replica
from tests.runs.test_detached import Gate
from tests.usage.ledger import fill_ledger

TENANT = "acme"
NOTES = Path(notes_pack.__file__).parent / "migrations"


@pytest.fixture
async def elsewhere(settings: Settings, empty_database_url: str) -> Settings:
    """The settings of another database, which has been migrated."""
    there = settings.change(DatabaseSettings, url=Secret(empty_database_url))
    store = await connect_store(there, migration_folders=[*list_pack_migrations(), NOTES])
    await store.close()
    return there


@pytest.fixture
async def target(elsewhere: Settings) -> AsyncIterator[Store]:
    store = await connect_store(elsewhere, migrate=False)
    yield store
    await store.close()


@pytest.fixture
async def serve() -> AsyncIterator[Any]:
    """`await serve(settings, answer, …)`: a replica."""
    async with AsyncExitStack() as stack:

        async def start(settings: Settings, *script: Any) -> Replica:
            models = ScriptedModels(ScriptedProvider(*script))
            return await start_replica(stack, settings, make_pack(), models)

        yield start


async def say(one: Replica, thread_id: str) -> str:
    run_id = await one.submit(thread_id, "note it")
    return (await one.collect(run_id))[-1]["data"]["content"]


async def read_all(store: Store, tenant_id: str = TENANT) -> dict[str, Content]:
    """What the tenant has, by table, of those where it has anything."""
    async with store.database.connection() as connection, connection.transaction():
        await connection.execute(SQL["choose_tenant"], tenant_id)
        found = {
            table.name: await read_content(connection, table, tenant_id, 60)
            for table in await list_tables(connection)
        }
    return {name: content for name, content in found.items() if content.rows}


async def test_a_moved_tenant_is_complete_and_works_in_the_new_database(
    settings: Settings, elsewhere: Settings, target: Store, serve: Any, tmp_path: Path
) -> None:
    noted = (triage("note_writer"), tools(("a", "add_note", {"text": "milk"})), text("Noted."))
    here = await serve(settings, *noted, *noted)
    thread_id = await here.create_thread()
    assert await say(here, thread_id) == "Noted."
    stranger = await here.create_thread("umbrella")
    before = await read_all(here.service.store)
    assert {"threads", "messages", "runs", "steps", "llm_calls", "notes"} <= before.keys()

    manifest = await export_tenant(here.service.store, TENANT, tmp_path / "acme", 60)
    assert await import_tenant(target, tmp_path / "acme")

    assert await read_all(target) == before
    assert manifest.rows == sum(found.rows for found in before.values())
    assert await read_all(target, "umbrella") == {}
    there = await serve(elsewhere, *noted)
    assert await say(there, thread_id) == "Noted."
    assert len(await there.load_texts(thread_id)) == 2 * len(await here.load_texts(thread_id))
    gone = await erase_tenant(here.service.store.database, TENANT)
    assert gone == manifest.rows
    with pytest.raises(NotFoundError):
        await here.service.store.load_thread(TENANT, "ann", thread_id)
    assert await here.service.store.load_thread("umbrella", "ann", stranger)


async def test_a_second_tenant_import_adds_nothing(
    settings: Settings, elsewhere: Settings, store: Store, target: Store, serve: Any, tmp_path: Path
) -> None:
    await fill_ledger(store, datetime.now(UTC), days=1)
    await export_tenant(store, TENANT, tmp_path, 60)
    assert await import_tenant(target, tmp_path)
    once, told = await read_all(target), await report(target)
    assert not await import_tenant(target, tmp_path)
    assert once.items() <= (await read_all(target)).items()
    assert await report(target) == told
    there = await serve(elsewhere, triage("note_writer"), text("Hello."))
    await say(there, await there.create_thread())
    with pytest.raises(ConflictError) as refused:
        await import_tenant(target, tmp_path)
    assert refused.value.code == "TENANT_EXISTS"


@pytest.mark.parametrize("is_rolled", [True, False])
@pytest.mark.parametrize("is_rolled_there", [True, False])
async def test_usage_reports_are_the_same_after_a_move(
    store: Store, target: Store, tmp_path: Path, is_rolled: bool, is_rolled_there: bool
) -> None:
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=2)
    if is_rolled:
        await roll_up_usage(store)
    if is_rolled_there:
        async with target.database.operate() as tx:
            await tx.execute("insert into usage_rolled values (true, $1)", hour_of(now))
    before = await report(store)
    await export_tenant(store, TENANT, tmp_path, 60)
    await import_tenant(target, tmp_path)
    assert await report(target) == before
    await roll_up_usage(target)
    assert await report(target) == before


def hour_of(now: datetime) -> datetime:
    return now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)


async def report(store: Store) -> list[Any]:
    db, only = store.read(TENANT), UsageFilter()
    return [
        [await summarize_usage(db, by, only) for by in ((), ("day",), ("user", "hour"), ("run",))],
        await list_avoided_calls(db, only),
    ]


async def test_an_exported_tenant_is_read_only(
    settings: Settings, serve: Any, tmp_path: Path
) -> None:
    here = await serve(settings, triage("note_writer"), text("Hello."))
    store = here.service.store
    thread_id = await here.create_thread()
    other_id = await here.create_thread("umbrella")
    await export_tenant(store, TENANT, tmp_path, 60)
    with pytest.raises(StoreError, match="is being moved"):
        await here.submit(thread_id, "hello")
    with pytest.raises(StoreError, match="is being moved"):
        await store.rename_thread(TENANT, "ann", thread_id, "another")
    await store.rename_thread("umbrella", "ann", other_id, "another")
    assert [await here.load_texts(thread_id), [*await read_all(store)]] == [[], ["threads"]]
    await release_tenant(store.database, TENANT)
    assert await say(here, thread_id) == "Hello."
    async with store.database.connection() as connection:
        left = await connection.fetch("select tgname from pg_trigger where tgname like 'held%'")
    assert left == []


async def test_exporting_a_tenant_waits_for_active_runs_and_moves_queued_ones(
    settings: Settings, elsewhere: Settings, target: Store, serve: Any, tmp_path: Path
) -> None:
    gate = Gate(text("Hello."))
    here = await serve(settings, triage("note_writer"), gate)
    thread_id = await here.create_thread()
    first = await here.submit(thread_id, "one")
    await gate.asked.wait()
    second = await here.submit(thread_id, "two", when_busy="enqueue")
    with pytest.raises(ConflictError) as busy:
        await export_tenant(here.service.store, TENANT, tmp_path, 0)
    assert (busy.value.code, (tmp_path / MANIFEST).exists()) == ("TENANT_BUSY", False)
    gate.open.set()
    assert (await here.collect(first))[-1]["data"] == {"content": "Hello."}
    await export_tenant(here.service.store, TENANT, tmp_path, 60)
    await here.service.watcher.pollers["runs"].look()  # others' runs are looked for all the same
    await import_tenant(target, tmp_path)
    there = await serve(elsewhere, triage("note_writer"), text("Hello again."))
    assert (await there.collect(second))[-1]["data"] == {"content": "Hello again."}
    assert (await here.service.store.load_run(TENANT, "ann", second)).status == "queued"


async def test_an_interrupted_tenant_import_leaves_nothing_and_can_be_repeated(
    store: Store, target: Store, tmp_path: Path
) -> None:
    await fill_ledger(store, datetime.now(UTC), days=1)
    await export_tenant(store, TENANT, tmp_path, 60)
    path = tmp_path / "llm_calls.copy"
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    with pytest.raises(InputError, match=r"llm_calls\.copy"):
        await import_tenant(target, tmp_path)
    assert await read_all(target) == {}
    path.write_bytes(whole)
    assert await import_tenant(target, tmp_path)
    assert await read_all(target) == await read_all(store)


async def test_a_tenant_import_is_refused_if_a_table_with_rows_differs(
    store: Store, target: Store, tmp_path: Path
) -> None:
    async with store.transaction(TENANT) as tx:
        await create_thread(tx, "ann", pack="notes")
    await export_tenant(store, TENANT, tmp_path, 60)
    whole = read_manifest(tmp_path)

    def rewrite(name: str) -> None:
        """As a version would have exported it whose table has a column more."""
        given = msgspec.json.decode(msgspec.json.encode(whole))
        [carried] = [item for item in given["tables"] if item["table"]["name"] == name]
        carried["table"]["columns"].append("of_another_version")
        (tmp_path / MANIFEST).write_bytes(msgspec.json.encode(given))

    rewrite("threads")
    with pytest.raises(InputError, match="the table threads differs between the two databases"):
        await import_tenant(target, tmp_path)
    rewrite("approvals")
    assert await import_tenant(target, tmp_path)

    assert (await read_all(target))["threads"].rows == 1


async def test_an_interrupted_tenant_export_is_refused(store: Store, tmp_path: Path) -> None:
    await export_tenant(store, TENANT, tmp_path, 60)
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(InputError, match="no complete export"):
        read_manifest(tmp_path)


async def test_a_tenant_can_be_erased_only_after_its_export(store: Store) -> None:
    with pytest.raises(ConflictError) as refused:
        await erase_tenant(store.database, TENANT)
    assert refused.value.code == "TENANT_NOT_HELD"


def test_the_commands_for_moving_tenants_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["tenant", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("export", "import", "release", "erase"))
    assert run_command(["tenant", "erase", TENANT]) != 0
