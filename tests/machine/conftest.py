"""The `machine` fixture: a thread of the test pack whose model says what the test wrote."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.spec import Pack
from plainloop.agent.service.opening import save_parts, start_digest
from plainloop.agent.service.service import Service
from plainloop.agent.store.opening import connect_store
from tests.fixtures import TEMPLATE, list_pack_migrations, make_database_url, make_settings, run_sql
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER, Machine, change_settings
from tests.machine.scripted import ScriptedModels, ScriptedProvider, Step

NOTES = Path(__file__).with_name("notes_pack") / "migrations"
EMPTY_ALL_TABLES = """
do $$ begin
    execute (
        select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity'
        from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'
    );
end $$
"""
StartMachine = Callable[..., Coroutine[Any, Any, Machine]]


@pytest.fixture(scope="session")
def machine_url(template_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One database for all tests of the machine, with the notes: emptying it is quicker than
    another one for each test."""
    name = f"machine_{uuid.uuid4().hex}"
    url = make_database_url(template_url, name)

    async def migrate() -> None:
        await run_sql(template_url, f"create database {name} template {TEMPLATE}")
        own = make_settings(url, tmp_path_factory.mktemp("machine"))
        folders = [*list_pack_migrations(), NOTES]
        store = await connect_store(own, migration_folders=folders)
        await store.close()

    asyncio.run(migrate())
    return url


@pytest.fixture
async def database_url(machine_url: str) -> str:
    """That database, empty."""
    await run_sql(machine_url, EMPTY_ALL_TABLES)
    return machine_url


@pytest.fixture
async def machine(settings: Settings) -> AsyncIterator[StartMachine]:
    """A factory: `run = await machine(answer, answer, …, worker_turns=3)`.

    models: instead of one scripted provider; pack: instead of the notes.
    """
    async with AsyncExitStack() as stack:

        async def start(
            *script: Step,
            models: ScriptedModels | Models | None = None,
            pack: Pack | None = None,
            **changes: Any,
        ) -> Machine:
            chosen = pack or make_pack()
            own = change_settings(settings, **changes)
            folders = [chosen.migrations] if chosen.migrations else []
            store = await connect_store(own, migration_folders=folders)
            provider = ScriptedProvider(*script)
            if isinstance(models, ScriptedModels):
                provider = models.first
            chain = models or ScriptedModels(provider)
            digest = start_digest((chosen,), own)
            service = Service(own, store, cast(Models, chain), (chosen,), lambda: digest)
            stack.push_async_callback(service.close)
            await save_parts(store, digest)
            thread = await service.ensure_thread(TENANT, USER, None, "test")
            return Machine(service, thread.thread_id, provider)

        yield start
