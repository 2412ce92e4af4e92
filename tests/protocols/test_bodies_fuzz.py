"""Every route of the foreign protocols with bodies that nobody should send: no bug answers."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from plainloop.server.app import build_app_context
from plainloop.server.protocols.registry import list_protocol_routes
from tests.protocols.conftest import ServeNotes
from tests.server.conftest import Served
from tests.server.test_websocket import open_socket

SECRET = "saffron"  # what somebody else has said
SIZE = int(os.environ.get("PLAINLOOP_FUZZ_EXAMPLES", "40"))
CALL = {"id": "c1", "type": "function", "function": {"name": "get_place", "arguments": "{}"}}
SCHEMA = {"name": "get_place", "description": "", "parameters": {"type": "object"}}
CHAT: dict[str, Any] = {
    "model": "notes/default",
    "messages": [
        {"role": "system", "content": "be short"},
        {"role": "user", "content": [{"type": "text", "text": "hello"}]},
        {"role": "assistant", "content": "hi", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "x"},
        {"role": "user", "content": "how many notes do I have?"},
    ],
    "stream": True,
    "stream_options": {"include_usage": True},
    "tools": [{"type": "function", "function": SCHEMA}],
}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "{}"}
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
RESPONSE: dict[str, Any] = {
    "model": "notes/default",
    "input": [{"role": "user", "content": [{"type": "input_text", "text": "hello"}]}, OUTPUT],
    "previous_response_id": "resp_0199c0000000700080000000000000000",
    "tools": [{"type": "function", **SCHEMA}],
    "stream": True,
    "instructions": "be short",
    "metadata": {},
}
COMPACT: dict[str, Any] = {
    "model": "notes/default",
    "input": [{"role": "user", "content": [{"type": "input_image", "image_url": PIXEL}]}],
    "previous_response_id": None,
}
SEALED = {"type": "compaction", "encrypted_content": f"plainloop:{'0' * 36}:2"}
COMPACTED = {"model": "notes/default", "input": [SEALED, {"role": "user", "content": "hello"}]}
PART = {"type": "dynamic-tool", "toolCallId": "c1", "state": "output-available", "output": 1}
UI: dict[str, Any] = {
    "id": "chat",
    "messages": [
        {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "hello"}]},
        {"id": "r1", "role": "assistant", "parts": [PART]},
        {
            "id": "m2",
            "role": "user",
            "parts": [
                {"type": "text", "text": "list my notes"},
                {"type": "file", "mediaType": "text/plain", "url": "data:text/plain,hi"},
            ],
        },
    ],
    "trigger": "submit-message",
    "messageId": "m2",
    "tools": [SCHEMA],
}
DECIDED: dict[str, Any] = {
    "id": "chat",
    "message": {
        "id": "0199c000-0000-7000-8000-000000000000",
        "role": "assistant",
        "parts": [{**PART, "approval": {"id": "a", "approved": True}}],
    },
}
AGUI: dict[str, Any] = {
    "threadId": "thread",
    "runId": "run",
    "messages": [
        {"id": "m1", "role": "user", "content": "hello"},
        {"id": "m2", "role": "assistant", "toolCalls": [CALL]},
        {"id": "m3", "role": "tool", "toolCallId": "c1", "content": "{}"},
        {
            "id": "m4",
            "role": "user",
            "content": [
                {"type": "text", "text": "list my notes"},
                {"type": "image", "source": {"type": "data", "value": "AA==", "mimeType": "a/b"}},
            ],
        },
    ],
    "tools": [SCHEMA],
    "context": [],
    "state": {},
}
RESUME = {**AGUI, "resume": [{"interruptId": "i", "status": "resolved", "payload": {}}]}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}
RPC: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
MCP: list[dict[str, Any]] = [
    {**RPC, "params": {"name": "ask_default", "arguments": {"message": "hello"}}},
    {**RPC, "params": {"name": "add_note", "arguments": {"text": "x"}}},
    {**RPC, "params": {"name": "get_run", "arguments": {"run_id": "x"}, "requestState": "x"}},
    {**RPC, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
    {**RPC, "method": "server/discover", "params": {"_meta": META}},
    {
        **RPC,
        "params": {
            "name": "burn_notes",
            "arguments": {},
            "requestState": "0199c000-0000-7000-8000-000000000000",
            "inputResponses": {"a": {"action": "accept", "content": {"a": 1}}},
            "_meta": META,
        },
    },
]
ID: dict[str, Any] = {"id": "0199c000-0000-7000-8000-000000000000"}
MESSAGES: list[dict[str, Any]] = [
    {
        "model": "notes/default",
        "max_tokens": 100,
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]},
            {"role": "user", "content": [{"type": "text", "text": "and now?"}]},
        ],
        "tools": [{"name": "get_place", "input_schema": {"type": "object"}}],
    }
]
# By path, what is sent there when nothing is wrong with it.
BODIES: dict[str, list[dict[str, Any]]] = {
    "/v1/chat/completions": [CHAT],
    "/v1/responses": [RESPONSE, COMPACTED],
    "/v1/responses/{response_id}/cancel": [{}],
    "/v1/responses/compact": [COMPACT],
    "/anthropic/v1/messages": MESSAGES,
    "/anthropic/v1/messages/count_tokens": MESSAGES,
    "/v1/messages": MESSAGES,
    "/v1/messages/count_tokens": MESSAGES,
    "/api/ui/{agent}/chat": [UI, DECIDED],
    "/api/ui/{agent}/chat/{chat_id}/stop": [{}],
    "/api/agui/{agent}": [AGUI, RESUME],
    "/api/copilotkit/agent/{agent}/run": [AGUI],
    "/api/copilotkit/agent/{agent}/connect": [AGUI],
    "/api/copilotkit/agent/{agent}/stop/{thread_id}": [{"runId": "run"}],
    "/mcp": MCP,
}
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**63, 1e308, "", " ", "\x00", "\ud800", "…" * 5_000, "0" * 32),
    *([], {}, [[]], [None], {"type": "text"}, {"type": 1}, [{}] * 50, "../..", "%2e%2e"),
    *("0199c000-0000-7000-8000-000000000000", {"a": {"b": [1, {"c": None}]}}, "### Task: x"),
)
NAMES = (
    "chat",
    "thread",
    "x" * 300,
    "%00",
    "..%2f",
    "🦊",
    "resp_" + "0" * 32,
    "0199c000-0000-7000-8000-000000000000",
)


def list_places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from list_places(item, (*path, key))


def spoil(body: dict[str, Any], chance: random.Random, names: tuple[str, ...] = ()) -> Any:
    """The body with one to three of its values changed, doubled or gone. names: of what belongs
    to somebody else.
    """
    spoilt: Any = copy.deepcopy(body)
    for _ in range(chance.randint(1, 3)):
        places = [path for path in list_places(spoilt) if path]
        if not places:
            return spoilt
        *way, last = chance.choice(places)
        holder = spoilt
        for key in way:
            holder = holder[key]
        match chance.randint(0, 3):
            case 0:
                del holder[last]
            case 1 if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[last]))
            case _:
                holder[last] = copy.deepcopy(chance.choice(ODD + names * 4))
    return spoilt


OWN = ("/v1/", "/anthropic/", "/api/ui/", "/api/agui/", "/api/copilotkit/", "/mcp")


def list_paths(served: Served, method: str, known: tuple[str, ...] = OWN) -> list[str]:
    """known: what the paths of the tested protocols begin with."""
    app = build_app_context(served.service, served.replica.runs, served.replica.hosts)
    routes = [item.route for item in list_protocol_routes(app)]
    return sorted(r.path for r in routes if r.method == method and r.path.startswith(known))


def fill(path: str, chance: random.Random, names: tuple[str, ...] = ()) -> str:
    agent = chance.choice(["default", "default", "notes", "react", "nobody"])
    name = chance.choice(NAMES + names)
    keys = ("chat_id", "thread_id", "pack", "design", "name", "response_id", "task_id")
    for key in (f"{{{key}}}" for key in keys):
        path = path.replace(key, name)
    return path.replace("{agent}", agent)


async def keep_secret(served: Served) -> tuple[str, ...]:
    """Ann's conversation has a secret: all names that lead to it."""
    ann = await served.client("ann")
    thread_id = (await ann.post("/api/chat/conversations", json={})).json()["id"]
    body = {"content": f"note that {SECRET}"}
    where = f"/api/chat/conversations/{thread_id}"
    said = await ann.post(f"{where}/messages", json=body, headers={"accept": "application/json"})
    named = {"model": "notes/default", "input": f"note that {SECRET}"}
    response = (await ann.post("/v1/responses", json=named)).json()
    compact = {"model": "notes/default", "previous_response_id": response["id"]}
    compacted = (await ann.post("/v1/responses/compact", json=compact)).json()
    sealed = compacted["output"][-1]["encrypted_content"]
    return thread_id, said.json()["run_id"], response["id"], sealed


async def list_anns(served: Served) -> list[tuple[str, int]]:
    found = await served.service.store.list_threads("acme", "ann", limit=50)
    return sorted((item.thread_id, item.messages) for item in found)


def make_headers(path: str, body: Any) -> dict[str, str]:
    """A client of MCP says twice what it asks for."""
    if "/v1/messages" in path:
        return {**JSON, "anthropic-version": "2023-06-01"}
    if path != "/mcp" or not isinstance(body, dict):
        return JSON
    params = body.get("params")
    told = {"mcp-method": body.get("method")}
    told["mcp-name"] = params.get("name") if isinstance(params, dict) else None
    stated = isinstance(params, dict) and "_meta" in params
    told["mcp-protocol-version"] = "2026-07-28" if stated else None
    plain = {k: v for k, v in told.items() if isinstance(v, str) and v.isalnum() | ("_" in v)}
    return {**JSON, **plain, **({"mcp-protocol-version": "2026-07-28"} if stated else {})}


async def test_no_body_causes_a_500_or_reveals_other_users_data(serve: ServeNotes) -> None:
    await check_bodies(serve, BODIES, OWN)


async def check_bodies(
    serve: ServeNotes, good: dict[str, list[dict[str, Any]]], known: tuple[str, ...]
) -> None:
    """good: by path, what is sent there when nothing is wrong with it."""
    served = await serve(is_offline=True, messages_per_minute=10**6, requests_per_minute=10**6)
    names = await keep_secret(served)
    before = await list_anns(served)
    mallory = await served.client("mallory")
    paths, chance, wrong = list_paths(served, "POST", known), random.Random(14), []

    assert {*paths} == {*good}
    for path, bodies in good.items():
        for n in range(SIZE):
            body = spoil(chance.choice(bodies), chance, names)
            where = fill(path, chance, names)
            headers = make_headers(path, body)
            answer = await mallory.post(where, content=to_json(body), headers=headers)
            if answer.status_code >= 500 or "INTERNAL_ERROR" in answer.text:
                wrong.append((n, where, answer.status_code, answer.text[-300:], body))
            if SECRET in answer.text:
                wrong.append((n, where, "foreign", answer.text[-300:], body))

    assert wrong == []
    assert await list_anns(served) == before


FILE = {"data": PIXEL, "media_type": "image/gif", "name": "a.gif"}
THREAD = {"conversation_id": ID["id"]}
# By path: frames that nothing is wrong with, and one whose answer says that all before it is read.
FRAMES: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]] = {
    "/v1/responses": (
        [
            {"type": "response.create", **RESPONSE},
            {"type": "response.create", **COMPACTED, "store": False},
        ],
        {"type": "the end"},
        "the only supported event",
    ),
    "/ws/chat": (
        [
            {"type": "message", **THREAD, "content": "hello", "files": [FILE]},
            {"type": "resume", **THREAD, "after": 1, "run_id": ID["id"]},
            {"type": "approve", "run_id": ID["id"], "approval_id": ID["id"], "approve": True},
            {"type": "cancel", **THREAD},
        ],
        {"type": "ping"},
        '"pong"',
    ),
    "/api/ui/default/ws": (
        [
            {"type": "send", "requestId": "r", **UI, "body": {"tools": [SCHEMA]}},
            {"type": "resume", "requestId": "r", "id": "chat", "lastSequence": 1},
            {"type": "abort", "requestId": "r", "id": "chat"},
        ],
        {"type": "resume", "requestId": "the end", "id": "nothing"},
        '"the end"',
    ),
}


@pytest.mark.parametrize("path", [*FRAMES])
async def test_no_frame_causes_a_500_or_reveals_other_users_data(
    path: str, serve: ServeNotes
) -> None:
    served = await serve(is_offline=True, messages_per_minute=10**6, requests_per_minute=10**6)
    names = await keep_secret(served)
    before, chance, wrong = await list_anns(served), random.Random(16), []
    frames, end, ended = FRAMES[path]
    token = {"authorization": f"Bearer {served.token('mallory')}"}
    async with open_socket(served, path, headers=token) as socket, asyncio.timeout(120):
        for _ in range(SIZE):
            frame = spoil(chance.choice(frames), chance, names)
            await socket.send(json.dumps(frame))
            await socket.send(json.dumps(end))
            said = ""
            while ended not in said:
                said = str(await socket.recv())
                if "INTERNAL_ERROR" in said or SECRET in said:
                    wrong.append((frame, said))

    assert wrong == []
    assert await list_anns(served) == before


JSON = {"content-type": "application/json"}


def to_json(body: Any) -> bytes:
    """As a careless client writes it: with lone surrogates and NUL in escapes."""
    return json.dumps(body).encode()


async def test_no_name_in_a_url_causes_a_500(serve: ServeNotes) -> None:
    await check_names(serve, OWN)


async def check_names(serve: ServeNotes, known: tuple[str, ...]) -> None:
    served = await serve(is_offline=True, requests_per_minute=10**6)
    mallory, chance = await served.client("mallory"), random.Random(15)
    for path in list_paths(served, "GET", known):
        for _ in range(len(NAMES) * 2):
            answer = await mallory.get(fill(path, chance))
            assert answer.status_code < 500, (path, answer.text)
