"""The staff pack over HTTP: the interview from kick to export, and the documents it asks."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop_staff.settings import get_export_dir
from tests.server.conftest import SECRET, Served, serving

HANDBOOK = ("handbook.md", b"# Canteen\n\nLunch is at noon.\n", "text/markdown")


@pytest.fixture
async def served(settings: Settings) -> AsyncIterator[Served]:
    own = replace(
        settings,
        provider="offline",
        agent=replace(settings.agent, onboarding="staff_onboarding"),
        auth=replace(settings.auth, jwt_secret=Secret(SECRET)),
    )
    async with serving(own) as replica:
        yield replica


async def test_the_interview_over_http_from_kick_to_export(served: Served):
    client = await served.client("bob")
    admin = await served.client("ada", is_admin=True)
    await admin.post("/api/knowledge", files={"file": HANDBOOK})
    said = ("Bob Moss", "7", "backpack", "When is lunch?", "none", "no", "yes")

    kicked = read_events((await client.post("/api/chat/onboarding/kick", json={})).text)
    turns = [
        read_events(
            (
                await client.post(
                    "/api/chat/onboarding/messages",
                    json={"content": text},
                    headers={"accept": "text/event-stream"},
                )
            ).text
        )
        for text in said
    ]

    assert kicked[-1][0] == "done"
    assert kicked[-1][1]["content"].endswith("Please tell me: employee name.")
    assert "Lunch is at noon." in turns[3][-1][1]["content"]
    assert [name for name, _ in turns[-1]][-2:] == ["node_end", "done"]
    assert "onboarding_complete" in [name for name, _ in turns[-1]]
    (path,) = get_export_dir(served.settings).iterdir()
    assert json.loads(path.read_bytes())["employee_name"] == "Bob Moss"
    thread_id = (await client.get("/api/chat/onboarding")).json()["conversation"]["id"]
    assert path.stem == thread_id
    assert (await client.delete(f"/api/chat/conversations/{thread_id}")).status_code == 204
    assert list(get_export_dir(served.settings).iterdir()) == []


def read_events(stream: str) -> list[tuple[str, Any]]:
    """(name, data) of each event of a finished SSE stream."""
    events: list[tuple[str, Any]] = []
    for block in stream.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            events.append((fields["event"], json.loads(fields["data"])))
    return events
