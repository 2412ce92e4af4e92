"""What a page tells of an answer beside its text: a rating, and why a call was not allowed."""

from __future__ import annotations

import asyncio

import httpx2

from tests.machine.scripted import text
from tests.server.conftest import Serve, serve, served
from tests.server.test_approvals import SCRIPT, ask_to_delete
from tests.server.test_ratings import ASKED, ann, rate

__all__ = ["ann", "serve", "served"]


async def test_an_ai_sdk_client_can_send_a_reason_with_its_decision(serve: Serve):
    served = await serve(*SCRIPT, text("so be it"))
    ann, conversation, waiting = await ask_to_delete(served)
    run_id, [asked] = waiting["run_id"], waiting["approvals"]
    decision = {"id": asked["approval_id"], "approved": False, "reason": "it stays"}
    message = {"id": run_id, "role": "assistant", "parts": [{"approval": decision}]}
    async with asyncio.timeout(60):
        answer = await ann.post(
            "/api/ui/default/chat",
            json={"id": conversation, "message": message},
            headers={"x-ai-sdk-version": "7"},
        )

    assert "tool-output-denied" in answer.text
    [kept] = (await ann.get(f"/api/runs/{run_id}/approvals")).json()["approvals"]
    assert (kept["status"], kept["reason"]) == ("denied", "it stays")


async def test_the_ai_sdks_message_id_can_be_rated(ann: httpx2.AsyncClient) -> None:
    said = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": ASKED}]}
    await ann.post("/api/ui/default/chat", json={"id": "c", "messages": [said]})
    history = "/api/ui/default/chat/c/messages"
    answer = (await ann.get(history)).json()[-1]
    assert "metadata" not in answer
    assert await rate(ann, answer["id"], "up") == 200
    assert [m.get("metadata") for m in (await ann.get(history)).json()] == [None, {"rating": "up"}]
