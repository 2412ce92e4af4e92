"""The staff pack over HTTP: documents for the tenant, the interview from kick to export."""

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


async def test_an_administrator_keeps_the_documents_and_everybody_in_the_tenant_reads(
    served: Served,
):
    admin = await served.client("ada", is_admin=True)
    colleague, stranger = await served.client("bob"), await served.client("eve", "other")

    added = await admin.post("/api/knowledge", files={"file": HANDBOOK})
    listed = (await colleague.get("/api/knowledge")).json()["documents"]

    assert added.status_code == 201
    assert (added.json()["name"], added.json()["passages"]) == ("handbook.md", 1)
    assert [document["name"] for document in listed] == ["handbook.md"]
    assert (await colleague.get("/api/knowledge/handbook.md")).json() == listed[0]
    assert (await stranger.get("/api/knowledge")).json() == {"documents": []}
    assert (await stranger.get("/api/knowledge/handbook.md")).status_code == 404
    for refused in (
        await colleague.post("/api/knowledge", files={"file": HANDBOOK}),
        await colleague.delete("/api/knowledge/handbook.md"),
    ):
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "ACCESS_DENIED")
    assert (await admin.delete("/api/knowledge/handbook.md")).status_code == 204
    assert (await admin.delete("/api/knowledge/handbook.md")).status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [("empty.md", b" ", 400), ("page.png", b"\x89PNG\r\n\x1a\n", 400), ("bad.pdf", b"%PDF-x", 400)],
)
async def test_a_file_that_cannot_be_read_is_refused(
    name: str, content: bytes, status: int, served: Served
):
    admin = await served.client("ada", is_admin=True)

    answer = await admin.post("/api/knowledge", files={"file": (name, content, "text/plain")})

    assert answer.status_code == status, answer.text
    assert (await admin.get("/api/knowledge")).json() == {"documents": []}


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
