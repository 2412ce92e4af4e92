"""The AI SDK's route as a page posts to it, without Node."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from tests.machine.scripted import text, tools, triage
from tests.protocols.conftest import ServeNotes

BURN = tools(("c1", "burn_notes", {}), said="I would burn them.")
BURN_AGAIN = tools(("c2", "burn_notes", {}))
Chunk = dict[str, Any]


async def post(page: httpx2.AsyncClient, *messages: Chunk) -> list[Chunk]:
    """What the answer to the newest message is made of."""
    body = {"id": "c", "messages": messages, "trigger": "submit-message"}
    answer = await page.post("/api/ui/default/chat", json=body, headers={"x-ai-sdk-version": "7"})
    assert answer.status_code == 200, answer.text
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")]


def say(name: str, said: str) -> Chunk:
    return {"id": name, "role": "user", "parts": [{"type": "text", "text": said}]}


def show(chunks: list[Chunk], **decided: Any) -> Chunk:
    """The message that these chunks build, with what its user decided."""
    [asked] = [item for item in chunks if item["type"] == "tool-approval-request"]
    approval = {"id": asked["approvalId"], **decided}
    state = "approval-responded" if decided else "approval-requested"
    call = {"type": "dynamic-tool", "toolName": "burn_notes", "toolCallId": asked["toolCallId"]}
    parts = [{**call, "state": state, "input": {}, "approval": approval}]
    return {"id": chunks[0]["messageId"], "role": "assistant", "parts": parts}


async def test_a_click_decides_the_question_after_a_typed_yes(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, BURN_AGAIN, text("They are burnt."))
    page = await served.client()
    said = [say("m1", "please do it")]
    said += [show(await post(page, *said)), say("m2", "yes")]
    second = await post(page, *said)
    rest = await post(page, *said, show(second, approved=True))
    kinds = [item["type"] for item in rest if item["type"] != "data-progress"]
    words = [item["delta"] for item in rest if item["type"] == "text-delta"]

    assert second[0]["messageId"] != said[1]["id"]
    assert rest[0] == {"type": "start", "messageId": second[0]["messageId"]}
    assert kinds[1:3] == ["tool-approval-response", "tool-output-available"]
    assert "".join(words).strip() == "They are burnt."
    assert rest[-1]["finishReason"] == "stop"


@pytest.mark.parametrize(
    ("stop", "reason"),
    [("length", "length"), ("content_filter", "content-filter"), ("end", "stop")],
)
async def test_a_page_learns_why_an_answer_was_cut_short(
    stop: str, reason: str, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), text("Half of an", stop))
    chunks = await post(await served.client(), say("m1", "please do it"))

    assert chunks[-1]["finishReason"] == reason
