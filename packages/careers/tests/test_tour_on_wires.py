"""README's tour over each provider's wire, whose server is as strict as the vendor."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from tests.server.conftest import Served, ask, begin, serving
from tests.wire_fixtures import StartWire, WireServer

RESUME = Path(__file__).parents[3] / "docs" / "samples" / "resume.pdf"
PROVIDERS = [name for name, item in PROVIDER_DEFAULTS.items() if item.base_url]
ASKED = (
    "add a job: Backend Engineer at Initech in Berlin, remote, salary 80000 to 95000",
    "write a cover letter for the Initech job",
    "move the Initech job to applied",
    "write a cover letter for the Initech job",
    "what can you do for me?",
    "move the Initech job to interview",
)


@asynccontextmanager
async def serve_wire(
    settings: Settings, server: WireServer, provider: str, **more: str
) -> AsyncIterator[Served]:
    plain = provider in ("anthropic", "gemini", "ollama")
    environ = {
        "AGENT_PROVIDER": provider,
        "AGENT_API_BASE": server.base_url if plain else server.openai_url,
        "AGENT_DATA_DIR": str(settings.data_dir),
        PROVIDER_DEFAULTS[provider].key_variables[0]: "any",
        **({"AGENT_PROTOCOL": "responses"} if provider == "openai" else {}),
        **more,
    }
    own = replace(load_settings(environ), database=settings.database)
    async with serving(own) as served:
        yield served


async def upload(served: Served) -> None:
    client = await served.client()
    files = {"file": (RESUME.name, RESUME.read_bytes(), "application/pdf")}
    answer = await client.post("/api/resume", files=files)
    assert answer.status_code in (200, 201), answer.text


async def list_notes(served: Served, run_id: str) -> list[str]:
    calls = await served.service.store.list_calls("local", run_id)
    return [note for call in calls for note in call.notes]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_the_tour_is_never_refused(provider: str, settings: Settings, wire_server: StartWire):
    server = await wire_server()
    notes: list[str] = []
    async with serve_wire(settings, server, provider) as served:
        await upload(served)
        client = await served.client()
        thread = await begin(client)
        for text in ASKED[:3]:
            notes += await list_notes(served, (await ask(client, thread, text))["run_id"])
        await upload(served)  # a new résumé is in every worker's prompt
    async with serve_wire(settings, server, provider) as served:  # a restart
        client = await served.client()
        for text in ASKED[3:]:
            notes += await list_notes(served, (await ask(client, thread, text))["run_id"])

    assert [entry for entry in server.requests if entry["status"] != 200] == []
    assert not [note for note in notes if note.startswith("the provider dropped")]
    if provider == "anthropic":
        thinking = [count_thinking(entry["body"]) for entry in server.requests]
        assert any(thinking), "what is still valid goes back"
        assert any(note.startswith("left out thinking") for note in notes)


def count_thinking(body: Any) -> int:
    blocks = [block for message in body["messages"] for block in message["content"]]
    return sum(block["type"] == "thinking" for block in blocks if isinstance(block, dict))
