"""Whatever door a user comes by: their own memory is there, nobody else's is."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop_memory.block import HEAD
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, begin
from tests.server.test_tenants import STRANGERS, load_everything

WORKER = "crm_worker"
SAID = "which seat?"
RPC: dict[str, Any] = {"jsonrpc": "2.0", "id": 1}
SPOKEN = {"role": "user", "content": SAID}
PART = {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": SAID}]}
# Path and body of one turn; {id} is a new conversation's.
DOORS: dict[str, tuple[str, dict[str, Any]]] = {
    "own": ("/api/chat/conversations/{id}/messages", {"content": SAID}),
    "openai": ("/v1/chat/completions", {"model": "tracker/default", "messages": [SPOKEN]}),
    "responses": ("/v1/responses", {"model": "tracker/default", "input": [SPOKEN]}),
    "ui": (
        "/api/ui/default/chat",
        {
            "id": "c",
            "trigger": "submit-message",
            "messages": [{"id": "m", "role": "user", "parts": [{"type": "text", "text": SAID}]}],
        },
    ),
    "agui": (
        "/api/agui/default",
        {
            "threadId": "t",
            "runId": "r",
            "messages": [{"id": "m", **SPOKEN}],
            "tools": [],
            "context": [],
            "state": {},
            "forwardedProps": {},
        },
    ),
    "a2a": ("/a2a", {**RPC, "method": "SendMessage", "params": {"message": PART}}),
    "mcp": (
        "/mcp",
        {
            **RPC,
            "method": "tools/call",
            "params": {"name": "ask_default", "arguments": {"message": SAID}},
        },
    ),
}
ACCEPTS = {"own": "application/json", "mcp": "application/json, text/event-stream"}


@pytest.mark.parametrize("door", DOORS)
async def test_recall_returns_only_the_users_own_memories_over_every_protocol(
    serve: Serve, door: str
):
    recall = tools(("c1", "recall", {"query": "secret seat"}))
    script: tuple[Any, ...] = (triage(WORKER), recall, text("Any."))
    served = await serve(*script * 3)
    ann = await served.client("ann")
    await ann.post("/api/memories", json={"text": "ann's secret seat"})
    requests = served.service.models.first.requests  # type: ignore[attr-defined]
    path, body = DOORS[door]
    for n, (user, tenant) in enumerate([("ann", "acme"), *STRANGERS], 1):
        client = await served.client(user, tenant)
        url = path.format(id=await begin(client)) if "{id}" in path else path

        answer = await client.post(url, json=body, headers={"accept": ACCEPTS.get(door, "*/*")})

        shown = f"{requests[-1].system}\n{requests[-1].messages}"
        assert answer.status_code == 200, answer.text
        assert len(requests) == 3 * n
        is_own = user == "ann" and tenant == "acme"
        assert (HEAD in shown, shown.count("ann's secret seat")) == (is_own, 2 * is_own)
        if tenant != "acme":
            assert b"ann's" not in await load_everything(served.service.store, tenant)


@pytest.mark.parametrize(("user", "tenant"), STRANGERS)
async def test_the_recall_tool_over_mcp_uses_the_callers_memory(
    serve: Serve, user: str, tenant: str
):
    served = await serve()
    ann, stranger = await served.client("ann"), await served.client(user, tenant)
    await ann.post("/api/memories", json={"text": "ann's secret seat"})
    call = {"name": "recall", "arguments": {"query": "secret seat"}}
    body = {**RPC, "method": "tools/call", "params": call}
    accept = {"accept": ACCEPTS["mcp"], "mcp-protocol-version": "2025-06-18"}

    own, others = [
        (await client.post("/mcp", json=body, headers=accept)).text for client in (ann, stranger)
    ]

    assert "ann's secret seat" in own
    assert "secret" not in others
    assert "memories" in others
