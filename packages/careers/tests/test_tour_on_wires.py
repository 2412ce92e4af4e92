"""README's tour over each provider's wire, whose server is as strict as the vendor."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.store.connecting.settings import DatabaseSettings
from tests.server.conftest import Served, ask, begin, serving
from tests.wire_fixtures import StartWire, WireServer

RESUME = Path(__file__).parents[3] / "docs" / "samples" / "resume.pdf"
PROVIDERS = [name for name, item in PROVIDER_DEFAULTS.items() if item.base_url]
# Their doubles bind state to the account that it was made for. DeepSeek, Kimi, GLM and MiniMax want
# `reasoning_content` back, which is plain text and taken from any account; Ollama makes no state.
BINDING = ("anthropic", "openai", "gemini")
DUMMY = base64.b64encode(b"context_engineering_is_the_way_to_go").decode()
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
    own = load_settings(environ).with_tables(settings.get_table(DatabaseSettings))
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
async def test_strict_provider_servers_accept_every_request_of_the_tour(
    provider: str, settings: Settings, wire_server: StartWire
):
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

        seen = len(server.requests)
    key = {PROVIDER_DEFAULTS[provider].key_variables[0]: "sk-of-another-account"}
    async with serve_wire(settings, server, provider, **key) as served:  # of another account
        client = await served.client()
        told = await list_notes(served, (await ask(client, thread, ASKED[2]))["run_id"])

    assert [entry for entry in server.requests if entry["status"] != 200] == []
    assert not [note for note in (*notes, *told) if note.startswith("the provider dropped")]
    sent = [entry["body"] for entry in server.requests if entry["body"] is not None]
    is_kept = any(map(has_state, sent[:seen]))
    assert is_kept == (provider in BINDING), "what is still valid goes back"
    assert not has_state(sent[seen])
    if provider in BINDING:
        assert any(note.startswith("left out opaque state of") for note in told), told
    changed = [note for note in notes if note.startswith("left out thinking: the request before")]
    assert bool(changed) == (provider == "anthropic")  # the others bind no state to a prefix


def has_state(body: Any) -> bool:
    """Return whether the request brings state that only its maker can read."""
    if isinstance(body, list):
        return any(map(has_state, body))
    if not isinstance(body, dict):
        return False
    is_thinking = body.get("type") in ("thinking", "redacted_thinking") and "signature" in body
    signed = body.get("thoughtSignature", DUMMY) != DUMMY or "encrypted_content" in body
    return is_thinking or signed or any(map(has_state, body.values()))
