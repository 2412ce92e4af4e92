"""One client of each protocol that posts a message under an id of its own choice."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.mcp.session import META, MODERN
from plainloop.agent.types import ChatRequest
from tests.machine.scripted import ScriptEnded, text, triage
from tests.protocols.conftest import get_model
from tests.server.conftest import Served

ANSWER = re.compile(r"answer-to-[a-z0-9-]+")


def answer(request: ChatRequest) -> Any:
    """Answer with the newest message's own words, so that a foreign answer is seen."""
    if request.json_schema is not None:
        return triage("note_writer")
    said = [get_text(m) for m in request.messages if m["role"] == "user"]
    return text(f"answer-to-{said[-1]}") if said else ScriptEnded("nobody has said anything")


@dataclass
class Outcome:
    """What came of a post. is_refused: with an error that names the conflict. seen: the texts of
    the user's and the assistant that the model was asked with; [] where it was not asked.
    """

    is_refused: bool
    answers: list[str]
    seen: list[str]
    told: str


@dataclass
class Talk:
    """One user's client. threads: our ids of conversations, by the client's names; said: what each
    shows, as the client's own protocol posts it.
    """

    served: Served
    user: str = "ann"
    tenant: str = "acme"
    threads: dict[str, str] = field(default_factory=dict)
    said: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    async def post(self, path: str, body: Any, **headers: str) -> tuple[Any, Outcome]:
        client, model = await self.served.client(self.user, self.tenant), get_model(self.served)
        before = len(model.requests)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        response = await client.post(path, json=body, headers=told)
        return response, self.read(response.status_code, response.text, before)

    def read(self, status: int, content: str, before: int) -> Outcome:
        """before: how many requests the model had."""
        assert status < 500, content
        asked = [r for r in get_model(self.served).requests[before:] if r.json_schema is None]
        seen = [get_text(m) for m in asked[-1].messages if m["role"] != "tool"] if asked else []
        answers = list(dict.fromkeys(ANSWER.findall(content)))
        return Outcome(status >= 400 or "REUSED" in content, answers, seen, content)


Send = Callable[[Talk, str, str, str], Coroutine[Any, Any, Outcome]]  # conversation, id, text


async def send_agui_message(talk: Talk, name: str, message_id: str, said: str) -> Outcome:
    return await _send_agui(talk, name, uuid.uuid4().hex, message_id, said)


async def send_agui_run(talk: Talk, name: str, run_id: str, said: str) -> Outcome:
    return await _send_agui(talk, name, run_id, f"{name}-{said}", said)


async def _send_agui(talk: Talk, name: str, run: str, message_id: str, said: str) -> Outcome:
    message = {"id": message_id, "role": "user", "content": said}
    history = _cut_before(talk.said.setdefault(name, []), message)
    body = {"threadId": name, "runId": run, "tools": [], "context": []}
    response, outcome = await talk.post(
        "/api/agui/default", {**body, "messages": [*history, message]}
    )
    if response.status_code == 200:
        answered = {"id": f"a-{run}", "role": "assistant", "content": outcome.answers[-1]}
        talk.said[name] = [*history, message, answered]
    return outcome


def _cut_before(shown: list[dict[str, Any]], message: dict[str, Any]) -> list[dict[str, Any]]:
    """What a page shows before the message: one that is sent again is shown already."""
    return shown[:-2] if message in shown[-2:] else shown


async def send_ui(talk: Talk, name: str, message_id: str, said: str) -> Outcome:
    message = {"id": message_id, "role": "user", "parts": [{"type": "text", "text": said}]}
    history = _cut_before(talk.said.setdefault(name, []), message)
    response, outcome = await talk.post(
        "/api/ui/default/chat", {"id": name, "messages": [*history, message]}
    )
    if response.status_code == 200:
        parts = [{"type": "text", "text": outcome.answers[-1]}]
        answered = {"id": response.headers["x-run-id"], "role": "assistant", "parts": parts}
        talk.said[name] = [*history, message, answered]
    return outcome


async def send_chat(talk: Talk, name: str, key: str, said: str) -> Outcome:
    message = {"role": "user", "content": said}
    history = _cut_before(talk.said.setdefault(name, []), message)
    body = {"model": "notes/default", "messages": [*history, message]}
    headers = {"x_conversation_id": name, "idempotency_key": key}
    response, outcome = await talk.post("/v1/chat/completions", body, **headers)
    if response.status_code == 200:
        answered = {"role": "assistant", "content": outcome.answers[-1]}
        talk.said[name] = [*history, message, answered]
    return outcome


async def send_messages(talk: Talk, name: str, key: str, said: str) -> Outcome:
    message = {"role": "user", "content": said}
    history = _cut_before(talk.said.setdefault(name, []), message)
    body = {"model": "notes/default", "max_tokens": 500, "messages": [*history, message]}
    headers = {"x_conversation_id": name, "idempotency_key": key}
    response, outcome = await talk.post("/anthropic/v1/messages", body, **headers)
    if response.status_code == 200:
        answered = {"role": "assistant", "content": outcome.answers[-1]}
        talk.said[name] = [*history, message, answered]
    return outcome


async def send_history(talk: Talk, name: str, key: str, said: str) -> Outcome:
    """Chat completions without an id of the conversation: its history names it."""
    before = [{"role": "user", "content": f"in-{name}"}, {"role": "assistant", "content": "ok"}]
    body = {"model": "notes/default", "messages": [*before, {"role": "user", "content": said}]}
    return (await talk.post("/v1/chat/completions", body, idempotency_key=key))[1]


async def send_response(talk: Talk, name: str, key: str, said: str) -> Outcome:
    body: dict[str, Any] = {"model": "notes/default", "input": f"in-{name}"}
    if name not in talk.threads:
        talk.threads[name] = (await talk.post("/v1/responses", body))[0].json()["id"]
    previous = talk.threads.setdefault(f"{name}/{said}", talk.threads[name])
    body |= {"input": said, "previous_response_id": previous}
    response, outcome = await talk.post("/v1/responses", body, idempotency_key=key)
    if response.status_code == 200:
        talk.threads[name] = response.json()["id"]
    return outcome


async def _open(talk: Talk, name: str) -> str:
    if name not in talk.threads:
        begun = (await talk.post("/api/chat/conversations", {}))[0]
        talk.threads[name] = begun.json()["id"]
    return talk.threads[name]


async def send_native(talk: Talk, name: str, key: str, said: str) -> Outcome:
    path = f"/api/chat/conversations/{await _open(talk, name)}/messages"
    headers = {"idempotency_key": key, "accept": "text/event-stream"}
    return (await talk.post(path, {"content": said}, **headers))[1]


async def send_replacing(talk: Talk, name: str, key: str, said: str) -> Outcome:
    path = f"/api/chat/conversations/{await _open(talk, name)}/messages"
    headers = {"accept": "text/event-stream"}
    if name not in talk.said:
        talk.said[name] = []
        await talk.post(path, {"content": f"in-{name}"}, **headers)
    body = {"content": said, "replaces": 0}
    return (await talk.post(path, body, idempotency_key=key, **headers))[1]


async def send_socket(talk: Talk, name: str, key: str, said: str) -> Outcome:
    thread_id, before = await _open(talk, name), len(get_model(talk.served).requests)
    headers = {"authorization": f"Bearer {talk.served.token(talk.user, talk.tenant)}"}
    told: list[dict[str, Any]] = []
    url = f"{talk.served.ws_url}/ws/chat"
    async with connect(url, additional_headers=headers, proxy=None) as socket:
        frame = {"conversation_id": thread_id, "content": said, "idempotency_key": key}
        await socket.send(json.dumps(frame))
        while not told or told[-1]["type"] not in ("complete", "error"):
            told.append(json.loads(await socket.recv()))
    return talk.read(200, json.dumps(told), before)


async def send_mcp(talk: Talk, name: str, key: str, said: str) -> Outcome:
    arguments = {"message": said, "thread_id": await _open(talk, name)}
    return await call_mcp(talk, key, arguments)


async def call_mcp(talk: Talk, key: str, arguments: dict[str, Any]) -> Outcome:
    meta = {f"{META}protocolVersion": MODERN, f"{META}clientCapabilities": {}}
    params = {"name": "ask_default", "arguments": arguments, "_meta": meta}
    headers = {
        "idempotency_key": key,
        "mcp_protocol_version": MODERN,
        "mcp_method": "tools/call",
        "mcp_name": "ask_default",
        "accept": "application/json, text/event-stream",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return (await talk.post("/mcp", body, **headers))[1]
