"""AI SDK's `WebSocketChatTransport`, unmodified, in Node: several chats on one socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets import ConnectionClosed
from websockets.asyncio.client import connect

from plainloop.server.auth import identity
from tests.machine.scripted import Hang, text, tools, triage
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import find_node, get_end, require_node, run_client
from tests.runs.test_detached import Gate

from .test_ai_sdk import ADD, BURN, PROGRAM, get_shown, list_threads, load_answer
from .test_openai_chat import MODEL


@pytest.fixture
def node() -> str:
    require_node("@ai-sdk/react")
    return find_node(22)  # which has a WebSocket


async def test_two_chats_share_one_socket(node: str, serve: ServeNotes) -> None:
    served = await serve(
        *(triage("note_writer"), text("One.")), *(triage("note_writer"), text("Two."))
    )
    other, end = [item async for item in run_client(served, PROGRAM, "socket", node=node)]

    assert (end["status"], end["errors"], get_shown(end)) == ("ready", [], "One.")
    assert get_shown(other) == "Two."
    assert end["history"]["data"][1]["id"] == end["messages"][1]["id"]


async def test_a_decided_run_continues_on_the_same_socket(node: str, serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), BURN, text("So be it."))
    end = await get_end(served, PROGRAM, "socket_approve", node=node)

    assert [item["finishReason"] for item in end["finishes"]] == ["tool-calls", "stop"]
    assert get_shown(end) == await load_answer(served) == "I would burn them.\n\nSo be it."


async def test_a_new_socket_resumes_the_stream_of_a_lost_one(node: str, serve: ServeNotes) -> None:
    gate = Gate(text("And the rest of it."))
    served = await serve(triage("note_writer"), tools(ADD, said="I note it."), gate)
    async for told in run_client(served, PROGRAM, "socket_cut", node=node):
        if told["kind"] == "resumed":
            gate.open.set()
        end = told

    assert [item["isError"] for item in end["finishes"]] == [True, False]
    assert get_shown(end) == await load_answer(served) == "I note it.\n\nAnd the rest of it."
    assert [item["role"] for item in end["messages"]] == ["user", "assistant"]


async def test_aborting_a_socket_chat_leaves_the_run_active(node: str, serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), Hang("Half of an"))
    end = await get_end(served, PROGRAM, "socket_stop", node=node)
    [thread] = await list_threads(served)
    active = await served.replica.runs.find_active("acme", "ann", thread.thread_id)

    assert end["finishes"][-1]["isAbort"] is True
    assert active is not None
    await served.replica.runs.cancel("acme", "ann", thread.thread_id)


async def test_a_socket_error_shows_its_text_and_hint(node: str, serve: ServeNotes) -> None:
    end = await get_end(await serve(), PROGRAM, "socket_wrong", node=node)

    assert (end["status"], end["errors"]) == ("error", ["the message is empty. Write a question."])


NONSENSE = (
    "{",
    "[]",
    '{"type": "send"}',
    '{"type": "send", "requestId": "r", "id": "c", "messages": [{"id": 1}]}',
    '{"type": "resume", "requestId": "r", "id": "c", "lastSequence": "x"}',
    '{"type": "send", "requestId": "r", "id": "c", "body": {"messages": 7}}',
)


async def test_an_invalid_frame_is_refused_and_the_socket_stays_open(serve: ServeNotes) -> None:
    served = await serve()
    url = f"{served.ws_url}/api/ui/default/ws?token={served.token()}"
    async with connect(url, proxy=None) as socket, asyncio.timeout(60):
        for frame in NONSENSE:
            await socket.send(frame)
            refused: Any = await socket.recv()
            await socket.send('{"type": "resume", "requestId": "r2", "id": "nothing"}')
            after: Any = await socket.recv()
            assert '"type":"error"' in refused, frame
            assert after == '{"type":"no-active","requestId":"r2"}'


async def test_a_bug_in_a_stream_closes_its_socket_and_is_logged(
    serve: ServeNotes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: Any) -> AsyncIterator[Any]:
        raise RuntimeError("a bug")
        yield

    served = await serve(triage("note_writer"), text("One."))
    monkeypatch.setattr(served.replica.runs, "watch_turn", fail)
    url = f"{served.ws_url}/api/ui/default/ws?token={served.token()}"
    message = {"id": "m", "role": "user", "parts": [{"type": "text", "text": "hello"}]}
    frame = {"type": "send", "requestId": "r", "id": "c", "messages": [message]}
    async with connect(url, proxy=None) as socket, asyncio.timeout(60):
        await socket.send(json.dumps(frame))
        with pytest.raises(ConnectionClosed):
            while True:
                await socket.recv()

    assert socket.close_code == 1011
    assert "view_failed" in caplog.text


async def test_a_revoked_key_ends_the_streams_of_a_foreign_socket(
    serve: ServeNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "CHECK_S", 0)
    parts = [{"type": "text", "text": "hello"}]
    message = {"id": "m", "role": "user", "parts": parts}
    frames = {
        "/api/ui/default/ws": {"type": "send", "requestId": "r", "id": "c", "messages": [message]},
        "/v1/responses": {"type": "response.create", "model": MODEL, "input": "hello"},
    }
    for path, frame in frames.items():
        gate = Gate(text("At last."))
        served = await serve(triage("note_writer"), gate)
        ann = await served.client()
        made = (await ann.post("/api/keys", json={"name": "page"})).json()
        headers, told = {"authorization": f"Bearer {made['key']}"}, list[Any]()
        url = served.ws_url + path
        async with connect(url, additional_headers=headers, proxy=None) as socket:
            await socket.send(json.dumps(frame))
            await gate.asked.wait()
            await ann.delete(f"/api/keys/{made['key_id']}")
            gate.open.set()
            with pytest.raises(ConnectionClosed):
                while True:
                    told.append(await socket.recv())

        assert "key is unknown, expired or revoked" in told[-1], path
        assert "At last." not in "".join(told), path
        assert socket.close_code == 4401, path
