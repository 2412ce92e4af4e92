"""A crash test's surroundings: a wire server with a script, workers, a store to look from."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.core.persistence import Store, connect_store
from server.wire import parse_script
from tests.conftest import make_settings
from tests.crash.replicas import Replicas
from tests.crash.worker import TENANT, USER
from tests.machine.notes_pack import make_pack
from tests.wire_fixtures import StartWire, WireServer

LIMITS = {
    "LEASE_S": "1",
    "HEARTBEAT_S": "0.3",
    "CANCEL_POLL_S": "0.2",
    "RECOVERY_S": "0.1",
    "RUN_ATTEMPTS": "20",  # a slow machine loses leases; that is no crash of the run
    "VIEWER_POLL_MS": "20",
}


@dataclass(frozen=True)
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
    steps: list[Any] = [
        {
            "match": {"schema": "worker", "user": "."},
            "answer": {"json": {"worker": "note_writer", "success_criteria": "", **_NO_FAST}},
            "times": None,
        },
        {"match": {"after_tool": True}, "answer": {"text": ANSWER}, "times": None},
    ]
    for tool in ("look", "note", "pay", "mail"):
        call = {"name": tool, "arguments": {"what": "it"}}
        steps.append(
            {"match": {"user": f"^{tool}"}, "answer": {"tool_calls": [call]}, "times": None}
        )
    return steps


_NO_FAST = {"fast_intent": "none", "entity_type": "none", "filters": []}
ANSWER = "That is done now, as far as anybody can tell from here, and nothing is left to do."


@pytest.fixture
async def scene(database_url: str, tmp_path: Path, wire_server: StartWire) -> AsyncIterator[Scene]:
    import orjson

    wire = await wire_server(script=parse_script(orjson.dumps(build_script())))
    settings = make_settings(database_url, tmp_path / "data")
    folder = make_pack().migrations
    assert folder is not None
    store = await connect_store(settings, migration_folders=[folder])
    environ = {
        "DATABASE_URL": database_url,
        "AGENT_DATA_DIR": str(tmp_path / "data"),
        "AGENT_PROVIDER": "anthropic",
        "AGENT_API_BASE": wire.base_url,
        "ANTHROPIC_API_KEY": "sk-test",
        **{f"AGENT_LIMITS_{name}": value for name, value in LIMITS.items()},
    }
    world_log = tmp_path / "world.log"
    async with Replicas(environ, str(world_log)) as replicas:
        yield Scene(replicas, store, wire, world_log)
    await store.close()
