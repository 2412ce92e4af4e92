"""A typed reply to a pending question: a short consent or refusal decides, all else asks again."""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from packages.frontends.tests.test_openai_chat import (
    BURN,
    BURN_AGAIN,
    MODEL,
    list_approvals,
    list_states,
    list_texts,
    list_threads,
)
from plainloop.agent.service.consents import MAX_CHARS, read_consent
from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.server.conftest import Served

OPEN = "That was not a clear yes or no, so the question is still open."


@dataclass
class Page:
    """A client of plain text that posts what it shows, with the newest message last."""

    served: Served
    shown: list[dict[str, Any]] = field(default_factory=list)
    last: str = ""
    name: str = "talk"

    async def post(self, path: str, body: Any, **headers: str) -> Any:
        client = await self.served.client()
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = await client.post(path, json=body, headers=told)
        assert answer.status_code == 200, answer.text
        return answer

    def add(self, said: str, answered: str) -> str:
        self.shown += [
            {"role": "user", "content": said},
            {"role": "assistant", "content": answered},
        ]
        return answered


Say = Callable[[Page, str], Awaitable[str]]


async def chat(page: Page, said: str, **headers: str) -> str:
    messages = [*page.shown, {"role": "user", "content": said}]
    body = {"model": MODEL, "messages": messages}
    told = (await page.post("/v1/chat/completions", body, **headers)).json()
    return page.add(said, told["choices"][0]["message"]["content"])


async def named_chat(page: Page, said: str) -> str:
    return await chat(page, said, x_conversation_id=page.name)


async def messages(page: Page, said: str) -> str:
    body = {"model": MODEL, "max_tokens": 500}
    body["messages"] = [*page.shown, {"role": "user", "content": said}]
    told = (await page.post("/anthropic/v1/messages", body)).json()
    return page.add(said, told["content"][0]["text"])


async def response(page: Page, said: str) -> str:
    body = {"model": MODEL, "input": said, "previous_response_id": page.last or None}
    told = (await page.post("/v1/responses", body)).json()
    page.last = told["id"]
    return "".join(part["text"] for item in told["output"] for part in item["content"])


async def history_of_responses(page: Page, said: str) -> str:
    body = {"model": MODEL, "input": [*page.shown, {"role": "user", "content": said}]}
    told = (await page.post("/v1/responses", body)).json()
    return page.add(
        said, "".join(part["text"] for item in told["output"] for part in item["content"])
    )


async def ui(page: Page, said: str, version: str = "5") -> str:
    newest = {"id": uuid.uuid4().hex, "role": "user", "parts": [{"type": "text", "text": said}]}
    body = {"id": page.name, "messages": [*page.shown, newest], "trigger": "submit-message"}
    raw = await page.post("/api/ui/default/chat", body, x_ai_sdk_version=version)
    chunks = [json.loads(line[6:]) for line in raw.text.splitlines() if line.startswith("data: {")]
    texts = [chunk["delta"] for chunk in chunks if chunk["type"] == "text-delta"]
    [begun] = [chunk["messageId"] for chunk in chunks if chunk["type"] == "start"]
    parts: list[dict[str, Any]] = [{"type": "text", "text": "".join(texts)}]
    for chunk in chunks:
        if chunk["type"] == "tool-approval-request":
            call = {"type": "tool-burn_notes", "toolCallId": chunk["toolCallId"], "input": {}}
            asked = {"approval": {"id": chunk["approvalId"]}, "state": "approval-requested"}
            parts.append({**call, **asked})
            texts.append("Burn all of your 0 notes?")
    page.shown += [newest, {"id": begun, "role": "assistant", "parts": parts}]
    return "".join(texts)


async def ui_of_parts(page: Page, said: str) -> str:
    return await ui(page, said, "7")


async def agui(page: Page, said: str) -> str:
    newest = {"id": uuid.uuid4().hex, "role": "user", "content": said}
    run = uuid.uuid4().hex
    names = {"threadId": page.name, "runId": run, "tools": [], "context": []}
    raw = await page.post("/api/agui/default", {**names, "messages": [*page.shown, newest]})
    frames = [json.loads(line[6:]) for line in raw.text.splitlines() if line.startswith("data: ")]
    texts = [item["delta"] for item in frames if item["type"] == "TEXT_MESSAGE_CONTENT"]
    ids = [item["messageId"] for item in frames if item["type"] == "TEXT_MESSAGE_START"]
    asked = frames[-1].get("outcome", {}).get("interrupts", [])
    page.shown.append(newest)
    if ids:
        page.shown.append({"id": ids[-1], "role": "assistant", "content": "".join(texts)})
    return "".join([*texts, *(item["message"] for item in asked)])


PAGES: dict[str, Say] = {
    "chat completions": chat,
    "chat completions of a named conversation": named_chat,
    "Messages": messages,
    "Responses": response,
    "Responses with its history": history_of_responses,
    "AI SDK in words": ui,
    "AI SDK with parts": ui_of_parts,
    "AG-UI": agui,
}


@pytest.mark.parametrize("name", PAGES)
async def test_an_unclear_reply_keeps_the_approval_pending(name: str, serve: ServeNotes) -> None:
    end = (triage("note_writer"), text("You are welcome."))
    served = await serve(triage("note_writer"), BURN, text("They are burnt."), *end)
    page, say = Page(served), PAGES[name]
    first = await say(page, "please do it")
    again = [await say(page, said) for said in ("which ones?", "make it three instead")]
    states = await list_states(served)
    asked = len(get_model(served).requests)
    done = await say(page, "Sure, do it")
    last = await say(page, "thank you so much")
    [thread_id] = await list_threads(served)

    for told in (first, *again):
        assert "Burn all of your 0 notes?" in told, told
    assert name == "AG-UI" or all(told.startswith(OPEN) for told in again), again
    assert (states, asked) == ([["pending"]], 2)
    assert (done.strip().endswith("They are burnt."), last.strip()) == (True, "You are welcome.")
    assert [item.status for item in await list_approvals(served, thread_id)] == []
    assert [said for role, said in await list_texts(served, thread_id) if role == "user"] == [
        "please do it",
        "thank you so much",
    ]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("reply", ["No thanks", "Bitte nicht!", "don't"])
async def test_a_short_refusal_decides_the_approval(
    name: str, reply: str, serve: ServeNotes
) -> None:
    served = await serve(triage("note_writer"), BURN, text("So be it."))
    page, say = Page(served), PAGES[name]
    await say(page, "please do it")
    told = await say(page, reply)

    assert told.strip().endswith("So be it."), told
    assert await list_states(served) == [["denied"]]


@pytest.mark.parametrize("name", PAGES)
async def test_a_second_approval_is_decided_by_its_own_reply(name: str, serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, BURN_AGAIN, text("They are burnt."))
    page, say = Page(served), PAGES[name]
    await say(page, "please do it")
    await say(page, "no thanks")
    await say(page, "hm")
    before = await list_states(served)
    told = await say(page, "go ahead")

    assert before == [["denied", "pending"]]
    assert told.strip().endswith("They are burnt."), told
    assert await list_states(served) == [["denied", "consumed"]]


async def test_a_yes_with_a_file_or_of_another_role_is_no_consent(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN)
    page = Page(served)
    await chat(page, "please do it")
    image = "data:image/png;base64,iVBORw0KGgo="
    parts = [{"type": "text", "text": "yes"}, {"type": "image_url", "image_url": {"url": image}}]
    body = {"model": MODEL, "messages": [*page.shown, {"role": "user", "content": parts}]}
    client = await served.client()
    await client.post("/v1/chat/completions", json=body)
    for role in ("system", "developer"):
        said = [*page.shown, {"role": role, "content": "yes"}, {"role": "user", "content": "hm"}]
        await client.post("/v1/chat/completions", json={"model": MODEL, "messages": said})

    assert await list_states(served) == [["pending"]]


def test_long_replies_and_questions_do_not_count_as_consent() -> None:
    assert read_consent("yes " * 10) is True
    assert read_consent("yes " * MAX_CHARS) is None
    assert [read_consent(said) for said in ("ok?", "¿sí?", "", "👍?", "yes, but later")] == [
        None
    ] * 5
    assert [read_consent(said) for said in ("👍", "Sí, hazlo", "D’accord", "na klar")] == [True] * 4
    assert [read_consent(said) for said in ("👎", "non merci", "mejor no")] == [False] * 3
