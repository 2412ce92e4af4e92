"""A machine whose workers remember, and a service that serves a pack of which every worker does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import fields, replace
from typing import Any, cast

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.spec import Pack
from plainloop.agent.service.service import Service
from plainloop.agent.store.opening import connect_store
from plainloop_memory.pack import equip
from plainloop_memory.settings import MemorySettings
from plainloop_memory.wanting import ALL
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER, Machine, change_settings
from tests.machine.scripted import ScriptedModels, ScriptedProvider, Step
from tests.server.conftest import serve

__all__ = ["serve"]

StartMachine = Callable[..., Coroutine[Any, Any, Machine]]
WRITER = "note_writer"


def with_memory(settings: Settings, **changes: Any) -> Settings:
    """changes: of the memory's settings, and of limits."""
    known = {field.name for field in fields(MemorySettings)}
    own = {name: changes.pop(name) for name in known & changes.keys()}
    memory = MemorySettings(**{"workers": (ALL,), **own})
    tables = {**settings.tables, MemorySettings: memory}
    return change_settings(replace(settings, tables=tables), **changes)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return with_memory(settings)


@pytest.fixture
async def machine(settings: Settings) -> AsyncIterator[StartMachine]:
    """`await machine(answer, …, pack=…, block_tokens=…)`: as the core's, with a memory."""
    async with AsyncExitStack() as stack:

        async def start(*script: Step, pack: Pack | None = None, **changes: Any) -> Machine:
            own = with_memory(settings, **changes)
            packs = equip((pack or make_pack(),), own.get_table(MemorySettings))
            folders = [pack.migrations for pack in packs if pack.migrations]
            store = await connect_store(own, migration_folders=folders)
            provider = ScriptedProvider(*script)
            service = Service(own, store, cast(Models, ScriptedModels(provider)), packs)
            stack.push_async_callback(service.close)
            thread = await service.ensure_thread(TENANT, USER, None, "test")
            return Machine(service, thread.thread_id, provider)

        yield start


async def begin_thread(run: Machine, user: str = USER) -> str:
    """A new conversation of the user, in which the machine goes on."""
    thread = await run.service.ensure_thread(TENANT, user, None, "next")
    run.thread_id = thread.thread_id
    return thread.thread_id
