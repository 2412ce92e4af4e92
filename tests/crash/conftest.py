"""A crash test's surroundings: a wire server with a script, workers, a store to look from."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from plainloop_wire.app import make_app
from plainloop_wire.script import parse_script
from plainloop_wire.serving import serve_wire
from tests.crash.replicas import Replicas
from tests.crash.worker import TENANT, USER
from tests.fixtures import TEMPLATE, make_database_url, make_settings, run_sql
from tests.machine import notes_pack
from tests.wire_fixtures import WireServer, get_offline_brain

NOTES_MIGRATIONS = Path(notes_pack.__file__).with_name("migrations")
_databases = itertools.count(1)
LIMITS = {
    "LEASE_S": "1",
    "HEARTBEAT_S": "0.3",
    "CANCEL_POLL_S": "0.2",
    "RECOVERY_S": "0.1",
    "QUARANTINE_S": "0.1",
    "RUN_ATTEMPTS": "20",  # a slow machine loses leases; that is no crash of the run
    "VIEWER_POLL_MS": "20",
}


@dataclass
class Scene:
    replicas: Replicas
    store: Store
    wire: WireServer
    world_log: Path

    async def create_thread(self) -> str:
        thread = await self.store.create_thread(TENANT, USER, title="t", pack="notes")
        return thread.thread_id


def build_script() -> Any:
    """Every message names the tool that is called for it; the answer is some words long."""
    asked = [{"name": "ask_note_writer", "arguments": {"task": f"{t} it"}} for t in HELPED]
    steps: list[Any] = [
        {
            "match": {"schema": "worker", "user": "^lead"},
            "answer": {"json": {"worker": "lead", "success_criteria": "", **_NO_FAST}},
            "times": None,
        },
        {
            "match": {"schema": "worker", "user": "."},
            "answer": {"json": {"worker": "note_writer", "success_criteria": "", **_NO_FAST}},
            "times": None,
        },
        {"match": {"after_tool": True}, "answer": {"text": ANSWER}, "times": None},
    ]
    for tool in ("look", "note", "pay", "mail", "blow", "stall"):
        call = {"name": tool, "arguments": {"what": "it"}}
        steps.append(
            {"match": {"user": f"^{tool}"}, "answer": {"tool_calls": [call]}, "times": None}
        )
    return [*steps, {"match": {"user": "^lead"}, "answer": {"tool_calls": asked}, "times": None}]


HELPED = ("look", "note", "pay")  # what "lead …" has three helpers do at once
_NO_FAST = {"fast_intent": "none", "entity_type": "none", "filters": []}
ANSWER = "That is done now, as far as anybody can tell from here, and nothing is left to do."


OpenScene = Callable[[], AbstractAsyncContextManager[Scene]]


@pytest.fixture
def open_scene(template_url: str, tmp_path: Path) -> OpenScene:
    """A factory: each scene has a database, a wire server and workers of its own."""
    numbers = itertools.count(1)

    @asynccontextmanager
    async def open_one() -> AsyncGenerator[Scene]:
        name = f"crash_{os.getpid()}_{next(_databases)}"
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        clone = f"create database {name} template {TEMPLATE} strategy file_copy"
        await run_sql(template_url, clone)
        try:
            async with serve_script() as wire:
                url = make_database_url(template_url, name)
                async with play(make_settings(url, folder / "data"), folder, wire) as scene:
                    yield scene
        finally:
            await run_sql(template_url, f"drop database {name} with (force)")

    return open_one


@pytest.fixture
async def scene(open_scene: OpenScene) -> AsyncIterator[Scene]:
    async with open_scene() as opened:
        yield opened


@asynccontextmanager
async def play(settings: Settings, folder: Path, wire: WireServer) -> AsyncGenerator[Scene]:
    """Workers over the settings' database, with a store to look from."""
    store = await connect_store(settings, migration_folders=[NOTES_MIGRATIONS])
    environ = {
        "AGENT_DATA_DIR": str(settings.data_dir),
        "AGENT_PROVIDER": "anthropic",
        "AGENT_API_BASE": wire.base_url,
        "ANTHROPIC_API_KEY": "sk-test",
        "AGENT_TITLES": "false",
        **{f"AGENT_LIMITS_{name}": value for name, value in LIMITS.items()},
    }
    if settings.get_table(DatabaseSettings).url is not None:
        environ["DATABASE_URL"] = settings.get_table(DatabaseSettings).url.reveal()
    world_log = folder / "world.log"
    async with Replicas(environ, str(world_log)) as replicas:
        scene = Scene(replicas, store, wire, world_log)
        try:
            yield scene
        finally:
            await scene.store.close()


@asynccontextmanager
async def serve_script() -> AsyncGenerator[WireServer]:
    """The wire server of a scene."""
    app = make_app(get_offline_brain(), script=parse_script(orjson.dumps(build_script())))
    async with serve_wire(app) as base_url:
        yield WireServer(base_url, app.state.wire)
