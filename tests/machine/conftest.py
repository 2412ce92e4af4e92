"""The `machine` fixture: a thread of the test pack whose model says what the test wrote."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, cast

import pytest

from agent.config import Settings
from agent.core.models import Models
from agent.core.persistence import connect_store
from agent.core.spec import Pack
from agent.runner import Service
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER, Machine, change_settings
from tests.machine.scripted import ScriptedModels, ScriptedProvider, Step

StartMachine = Callable[..., Coroutine[Any, Any, Machine]]


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
            service = Service(own, store, cast(Models, chain), (chosen,))
            stack.push_async_callback(service.close)
            thread = await service.ensure_thread(TENANT, USER, None, "test")
            return Machine(service, thread.thread_id, provider)

        yield start
