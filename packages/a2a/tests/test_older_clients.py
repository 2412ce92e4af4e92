"""`/a2a` by clients of 0.3: the official one for it, fasta2a, and by hand."""

from __future__ import annotations

import sys
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from a2a.client import ClientConfig, ClientFactory
from a2a.client.card_resolver import parse_agent_card
from a2a.types import a2a_pb2 as pb

from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, Served

from .test_official_client import collect, fold, say

FASTA2A = Path(__file__).parents[3] / ".venv" / "fasta2a"


def connect(served: Served, base: str = "") -> httpx.AsyncClient:
    told = {"authorization": f"Bearer {served.token()}"}
    return httpx.AsyncClient(base_url=served.url + base, headers=told, timeout=60, trust_env=False)


@pytest.mark.parametrize("path", ["/.well-known/agent.json", "/.well-known/agent-card.json"])
@pytest.mark.parametrize("streaming", [True, False])
async def test_the_older_official_client_can_send_a_task(path: str, streaming: bool, serve: Serve):
    served = await serve(triage("general"), text("Hello to you."))
    async with connect(served) as http:
        card = (await http.get(path)).json()
        for newer in ("supportedInterfaces", "securityRequirements"):
            card.pop(newer, None)
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(
            parse_agent_card(card)
        )
        shown, state, task = fold(await collect(client, say("a")))
        read = await client.get_task(pb.GetTaskRequest(id=task.id))

    assert "CompatJsonRpcTransport" in str(vars(client))
    assert (shown, state) == ("Hello to you.", pb.TaskState.TASK_STATE_COMPLETED)
    assert read.artifacts[0].parts[0].text == "Hello to you."


async def test_an_approval_puts_the_task_into_input_required_for_old_clients(served: Served):
    """By the wire form of 0.3, as its clients post it."""
    async with connect(served) as http:
        await http.post("/api/jobs", json={"title": "Cook", "company": "Cafe Uno"})
        sent = await post(http, "message/send", {"message": word("delete job 1")})
        asked = sent["result"]
        more = {"taskId": asked["id"], "contextId": asked["contextId"]}
        done = await post(http, "message/send", {"message": {**word("yes"), **more}})
        jobs = (await http.get("/api/jobs")).json()["jobs"]

    assert (asked["kind"], asked["status"]["state"]) == ("task", "input-required")
    assert [part["kind"] for part in asked["status"]["message"]["parts"]] == ["text", "data"]
    assert (asked["status"]["message"]["kind"], asked["status"]["message"]["role"]) == (
        "message",
        "agent",
    )
    assert done["result"]["status"]["state"] == "completed"
    assert jobs == []


async def test_a_file_in_the_older_format_reaches_the_model(serve: Serve):
    served = await serve(triage("general"), text("A note."))
    file = {"bytes": "YnV5IG1pbGs=", "mimeType": "text/plain", "name": "note.txt"}
    message = word("what is this?")
    message["parts"].append({"kind": "file", "file": file})
    async with connect(served) as http:
        sent = await post(http, "message/send", {"message": message})
    [asked, _] = await served.service.store.load_messages("acme", sent["result"]["contextId"])

    assert [part["type"] for part in asked["parts"]] == ["file", "text"]


async def test_an_unsupported_a2a_version_gets_the_agent_card(served: Served):
    async with connect(served) as http:
        unknown = await post(http, "tasks/send", {})
        refused = await http.post(
            "/a2a/message:send", json={"message": word("a")}, headers={"a2a-version": "0.3"}
        )

    assert "/.well-known/agent-card.json" in unknown["error"]["message"]
    assert refused.status_code == 400 and "/.well-known/agent-card.json" in refused.text


async def test_the_fasta2a_client_can_hold_a_conversation(serve: Serve):
    if not FASTA2A.is_dir():
        pytest.skip("fasta2a is not installed: ./scripts/packages")
    sys.path.insert(0, str(FASTA2A))
    try:
        from fasta2a.client import A2AClient  # type: ignore[reportMissingImports]
    finally:
        sys.path.remove(str(FASTA2A))
    turns = [item for said in ("One.", "Two.") for item in (triage("general"), text(said))]
    served = await serve(*turns)
    async with connect(served) as http:
        client: Any = A2AClient(served.url + "/a2a", http)
        message = {"role": "user", "parts": [{"text": "a"}], "message_id": uuid.uuid4().hex}
        sent = await client.send_message(message)
        read = await client.get_task(sent["result"]["task"]["id"])
        again = {**message, "message_id": uuid.uuid4().hex}
        told = [item["result"] async for item in client.stream_message(again)]

    assert sent["result"]["task"]["status"]["state"] == "completed"
    assert read["result"]["artifacts"][0]["parts"][0]["text"] == "One."
    assert told[-1]["status_update"]["status"]["state"] == "completed"


def word(said: str) -> dict[str, Any]:
    parts = [{"kind": "text", "text": said}]
    return {"kind": "message", "messageId": uuid.uuid4().hex, "role": "user", "parts": parts}


async def post(http: httpx.AsyncClient, method: str, params: Any) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return (await http.post("/a2a", json=body)).json()
