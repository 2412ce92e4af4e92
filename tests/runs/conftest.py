"""Replicas in one process: each a service and a host of its own, over the same database."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, cast

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.spec import Pack
from plainloop.agent.events import Event
from plainloop.agent.service.runs import RunHost
from plainloop.agent.service.service import Service
from plainloop.agent.store.opening import connect_store
from plainloop.agent.types import RunOptions, RunRequest
from tests.machine.notes_pack import make_pack
from tests.machine.running import TENANT, USER, Machine, change_settings
from tests.machine.scripted import ScriptedModels, ScriptedProvider, Step

_numbers = itertools.count(1)
_OPTIONS = RunOptions.__dataclass_fields__.keys()
# Seconds and milliseconds that let a test wait for what takes much longer in service.
QUICK: dict[str, Any] = {
    "lease_s": 60.0,
    "heartbeat_s": 0.5,
    "cancel_poll_s": 0.1,
    "recovery_s": 0.1,
    "quarantine_s": 0.05,
    "viewer_poll_ms": 20,
}


@dataclass(frozen=True, slots=True)
class Replica:
    """One process of the service, as far as the database can tell."""

    service: Service
    host: RunHost
    provider: ScriptedProvider

    async def create_thread(self, tenant_id: str = TENANT, user_id: str = USER) -> str:
        thread = await self.service.store.create_thread(
            tenant_id, user_id, title="t", pack=self.service.pack.name, kind="chat"
        )
        return thread.thread_id

    async def submit(self, thread_id: str, text: str, **rest: Any) -> str:
        """rest: of the request, or of its options."""
        options = {name: rest.pop(name) for name in _OPTIONS & rest.keys()}
        request = RunRequest(text, options=RunOptions(**options), **rest)
        return (await self.host.submit(TENANT, USER, thread_id, request)).run_id

    async def collect(self, run_id: str, after: int = 0) -> list[Event]:
        return [event async for event in self.host.watch(TENANT, USER, run_id, after)]

    async def check_records(self, run_id: str, thread_id: str, text: str) -> None:
        """The thread's one run, however it ended: see `Machine.check_records`."""
        await Machine(self.service, thread_id, self.provider).check_records(run_id, text)

    async def load_texts(self, thread_id: str) -> list[tuple[str, str]]:
        """(role, text) of the thread's messages."""
        messages = await self.service.store.load_messages(TENANT, thread_id)
        return [
            (message["role"], "".join(p["text"] for p in message["parts"] if p["type"] == "text"))
            for message in messages
        ]


StartReplica = Callable[..., Coroutine[Any, Any, Replica]]


async def start_replica(
    stack: AsyncExitStack, settings: Settings, pack: Pack, models: ScriptedModels, **changes: Any
) -> Replica:
    """One more replica, drained and closed with the stack."""
    own = change_settings(settings, **{**QUICK, **changes})
    store = await connect_store(own, migration_folders=[pack.migrations] if pack.migrations else [])
    service = Service(own, store, cast(Models, models), (pack,))
    owner = f"replica/{next(_numbers)}/1"
    service.owner = service.live.owner = service.watcher.owner = owner
    stack.push_async_callback(service.close)
    host = RunHost(service)
    await host.start()
    stack.push_async_callback(host.drain, 0.0)
    # Else its first look may, on a busy machine, meet what the test makes of its own runs' leases.
    await service.watcher.pollers["runs"].has_looked.wait()
    return Replica(service, host, models.first)


@pytest.fixture
async def replica(settings: Settings) -> AsyncIterator[StartReplica]:
    """A factory: `await replica(answer, answer, …, lease_s=2)`. They are drained at the end."""
    async with AsyncExitStack() as stack:

        async def start(*script: Step, pack: Pack | None = None, **changes: Any) -> Replica:
            models = ScriptedModels(ScriptedProvider(*script))
            return await start_replica(stack, settings, pack or make_pack(), models, **changes)

        yield start


def get_names(events: list[Event]) -> list[str]:
    return [event["event"] for event in events]
