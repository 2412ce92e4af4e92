"""The product itself: the default design over the benchmark's pack."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from plainloop.agent.config.settings import load_settings
from plainloop.agent.core.models import connect_models
from plainloop.agent.events import Event
from plainloop.agent.service.service import Service
from plainloop.agent.store.opening import connect_store
from scripts.benchmarks.flow.history import build_history
from scripts.benchmarks.flow.pack import make_pack
from scripts.benchmarks.flow.runs import MODEL, TENANT, USER, Told
from scripts.benchmarks.flow.texts import PREVIOUS, Flow


class Plainloop:
    name = "ours"

    def __init__(self, service: Service) -> None:
        self._service = service
        self.store = service.store

    async def prepare(self, flow: Flow) -> str:
        thread = await self._service.ensure_thread(TENANT, USER, None, flow.message)
        if flow.is_long:
            for message in build_history():
                await self._service.store.save_message(TENANT, thread.thread_id, None, message)
            await self.run(thread.thread_id, PREVIOUS)
        return thread.thread_id

    async def run(self, thread_id: str, flow: Flow) -> Told:
        clock = _FirstToken()
        outcome = await self._service.answer(TENANT, USER, thread_id, flow.message, clock.see)
        return Told(outcome.answer, clock.waited_ms)


class _FirstToken:
    """Time from a worker's start to its first text."""

    def __init__(self) -> None:
        self.waited_ms: float | None = None
        self._began: float | None = None

    def see(self, event: Event) -> None:
        if event["event"] == "node_start":
            is_worker = event["data"]["node"] in ("tracker", "search", "letters")
            self._began = time.perf_counter() if is_worker else None
        elif event["event"] == "text_delta" and self._began is not None:
            self.waited_ms = (time.perf_counter() - self._began) * 1000
            self._began = None


@asynccontextmanager
async def open_plainloop(
    database_url: str, wire_url: str, data_dir: Path, **limits: str
) -> AsyncIterator[Plainloop]:
    """limits: by variable, without what all begin with."""
    settings = load_settings(
        {
            "AGENT_DATA_DIR": str(data_dir),
            "AGENT_PROVIDER": "anthropic",
            "AGENT_MODEL": MODEL,
            "AGENT_API_BASE": wire_url,
            "ANTHROPIC_API_KEY": "bench",
            "DATABASE_URL": database_url,
            **{f"AGENT_LIMITS_{name}": value for name, value in limits.items()},
        }
    )
    pack = make_pack()
    models = await connect_models(settings)
    folders = [pack.migrations] if pack.migrations else []
    store = await connect_store(settings, migration_folders=folders)
    service = Service(settings, store, models, (pack,))
    try:
        yield Plainloop(service)
    finally:
        await service.close()
