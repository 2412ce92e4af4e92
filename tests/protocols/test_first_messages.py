"""Two first messages of one chat at the same time, of which one is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import httpx2
import pytest

from packages.frontends.tests.test_openai_chat import list_threads
from plainloop.agent.errors import InputError
from plainloop.agent.store.records import ThreadInfo
from plainloop.agent.types import RunRequest
from plainloop.server.http.endpoint import AppContext
from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes

Post = Callable[[httpx2.AsyncClient, str], Coroutine[Any, Any, httpx2.Response]]
ROOM = {"x-conversation-id": "room"}
REFUSED = (400, 422)  # of LangGraph
THREAD = "0f0f0f0f-0000-4000-8000-000000000001"


async def by_chat(client: httpx2.AsyncClient, said: str) -> httpx2.Response:
    body = {"model": "notes", "messages": [{"role": "user", "content": said}]}
    return await client.post("/v1/chat/completions", json=body, headers=ROOM)


async def by_responses(client: httpx2.AsyncClient, said: str) -> httpx2.Response:
    return await client.post("/v1/responses", json={"model": "notes", "input": said}, headers=ROOM)


async def by_messages(client: httpx2.AsyncClient, said: str) -> httpx2.Response:
    message = {"role": "user", "content": said}
    body = {"model": "notes", "max_tokens": 100, "messages": [message]}
    return await client.post("/anthropic/v1/messages", json=body, headers=ROOM)


async def by_ui(client: httpx2.AsyncClient, said: str) -> httpx2.Response:
    message = {"id": said, "role": "user", "parts": [{"type": "text", "text": said}]}
    body = {"id": "room", "messages": [message], "trigger": "submit-message"}
    return await client.post("/api/ui/default/chat", json=body)


async def by_agui(client: httpx2.AsyncClient, said: str) -> httpx2.Response:
    message = {"id": said, "role": "user", "content": said}
    body = {"threadId": "room", "runId": said, "messages": [message]}
    rest: dict[str, Any] = {"state": {}, "tools": [], "context": [], "forwardedProps": {}}
    return await client.post("/api/agui/default", json={**body, **rest})


async def by_langgraph(client: httpx2.AsyncClient, said: str) -> httpx2.Response:
    message = {"role": "user", "content": said}
    body = {"assistant_id": "default", "input": {"messages": [message]}, "if_not_exists": "create"}
    return await client.post(f"/langgraph/threads/{THREAD}/runs/wait", json=body)


async def by_a2a(client: httpx2.AsyncClient, said: str) -> httpx2.Response:
    message = {"messageId": said, "contextId": "room", "role": "ROLE_USER"}
    body = {"message": {**message, "parts": [{"text": said}]}}
    return await client.post("/a2a/message:send", json=body)


DOORS = [by_chat, by_responses, by_messages, by_ui, by_agui, by_langgraph, by_a2a]


@pytest.mark.parametrize("post", DOORS)
async def test_a_refused_first_message_refuses_no_other_first_message(
    post: Post, serve: ServeNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = await serve(triage("note_writer"), text("Yes."))
    client, submit = await served.client(), AppContext.submit
    made, joined, erased = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def hold(
        app: AppContext, tenant_id: str, user_id: str, thread: ThreadInfo, asked: RunRequest
    ) -> Any:
        if asked.message == "refused":
            made.set()
            await joined.wait()
            raise InputError("refused", hint="It is a test.")
        joined.set()  # it has found the thread that the other one made
        await erased.wait()
        return await submit(app, tenant_id, user_id, thread, asked)

    monkeypatch.setattr(AppContext, "submit", hold)
    refused = asyncio.create_task(post(client, "refused"))
    await made.wait()
    kept = asyncio.create_task(post(client, "kept"))
    first = await refused
    erased.set()
    second = await kept

    assert (first.status_code in REFUSED, second.status_code) == (True, 200), second.text
    assert "Yes." in second.text
    stored = await served.service.store.list_threads("acme", "ann", limit=9)
    assert [(item.title or "kept", item.messages) for item in stored] == [("kept", 2)]


@pytest.mark.parametrize("post", DOORS)
async def test_nothing_remains_of_a_refused_first_message(post: Post, serve: ServeNotes) -> None:
    served = await serve(message_chars=3)
    answer = await post(await served.client(), "much too long")

    assert answer.status_code in REFUSED, answer.text
    assert await list_threads(served) == []
