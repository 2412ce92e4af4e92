"""What is sent again is no second request: an SDK's own retries, and one key or id at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import httpx2
import openai
import pytest

from packages.frontends.tests.test_openai_chat import list_threads
from plainloop.agent.errors import ModelAuthError
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.machine.scripted import text, tools
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.test_equal_conversations import REACT, ROOM
from tests.server.conftest import Served

KINDS = ("chat", "responses", "mcp")
SAID: Any = [{"role": "user", "content": "add a note"}]
ADD = tools(("c1", "add_note", {"text": "milk"}))


class Tries:
    """An SDK's client that times out; the model goes on when every request was sent again."""

    def __init__(self, served: Served, again: int, **more: Any) -> None:
        self.again = again
        self.gate = asyncio.Event()
        self.sent: Counter[str] = Counter()
        http = httpx2.AsyncClient(event_hooks={"request": [self._count]})
        self.client = openai.AsyncOpenAI(
            base_url=f"{served.url}/v1", api_key=served.token(), http_client=http, **more
        )
        served.stack.push_async_callback(self.client.close)

    async def _count(self, request: httpx2.Request) -> None:
        self.sent[request.headers["x-stainless-retry-count"]] += 1
        if self.sent["1"] >= self.again:
            self.gate.set()

    async def wait(self, request: ChatRequest) -> LLMResponse:
        await self.gate.wait()
        return text("Noted.")


async def ask(client: openai.AsyncOpenAI, kind: str, **more: Any) -> str:
    if kind == "responses":
        done = await client.responses.create(model=REACT, input="add a note", **more)
        return done.output_text
    made = await client.chat.completions.create(model=REACT, messages=SAID, **more)
    return made.choices[0].message.content or ""


@pytest.mark.parametrize("headers", [{}, {"X-Conversation-Id": "chat-1"}])
@pytest.mark.parametrize("kind", ["chat", "responses"])
async def test_a_retry_after_a_time_out_joins_the_run(
    kind: str, headers: dict[str, str], serve: ServeNotes
) -> None:
    served = await serve(ADD)
    tries = Tries(served, 1, timeout=1.0, max_retries=2)
    get_model(served).script.append(tries.wait)
    answer = await ask(tries.client, kind, extra_headers=headers)
    notes = await served.service.store.read("acme").fetch("select from notes")

    assert answer.strip() == "Noted."
    assert tries.sent["1"] == 1
    assert len(notes) == len(await list_threads(served)) == 1


async def test_retries_of_equal_requests_join_different_runs(serve: ServeNotes) -> None:
    served = await serve(**ROOM)
    tries = Tries(served, 4, timeout=3.0, max_retries=2)
    get_model(served).script += [tries.wait] * 4
    answers = await asyncio.gather(*(ask(tries.client, "chat") for _ in range(4)))

    assert answers == ["Noted."] * 4
    assert len(await list_threads(served)) == 4


async def test_a_keyless_retry_changed_or_too_late_starts_a_new_run(serve: ServeNotes) -> None:
    served = await serve(*([text("Noted.")] * 4), retried_s=0.001)
    client = Tries(served, 1).client
    for count in ("0", "1"):
        await ask(client, "chat", extra_headers={"x-stainless-retry-count": count})
    other: Any = [{"role": "user", "content": "add another"}]
    again = {"x-stainless-retry-count": "1"}
    await client.chat.completions.create(model=REACT, messages=other, extra_headers=again)

    assert len(await list_threads(served)) == 3


async def test_failed_requests_are_not_joined_by_a_retry(serve: ServeNotes) -> None:
    served = await serve(ModelAuthError("wrong key"))
    tries = Tries(served, 1, max_retries=2)
    with pytest.raises(openai.APIStatusError) as failed:
        await ask(tries.client, "chat")

    assert failed.value.code == "MODEL_AUTH"
    assert failed.value.response.headers["x-should-retry"] == "false"
    assert tries.sent.total() == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_simultaneous_requests_with_one_key_start_one_run(
    kind: str, serve: ServeNotes
) -> None:
    path, body = make_request(kind)
    await check_one_run(serve, path, body, {"Idempotency-Key": "k-1"})


async def check_one_run(
    serve: ServeNotes, path: str, body: dict[str, Any], headers: dict[str, str]
) -> None:
    served = await serve(*([text("Noted.")] * 30))
    client = await served.client()
    sent = (client.post(path, json=body, headers=headers) for _ in range(30))
    answers = await asyncio.gather(*sent)
    late = await client.post(path, json=body, headers=headers)

    assert [answer.status_code for answer in (*answers, late)] == [200] * 31
    assert all("Noted." in answer.text for answer in (*answers, late)), answers[0].text
    runs = await served.service.store.read("acme").fetch("select from runs")
    assert len(runs) == len(await list_threads(served)) == 1


def make_request(kind: str) -> tuple[str, dict[str, Any]]:
    """A message in the words of a protocol."""
    if kind == "chat":
        return "/v1/chat/completions", {"model": REACT, "messages": SAID}
    if kind == "responses":
        return "/v1/responses", {"model": REACT, "input": "add a note"}
    asked = {"name": "ask_default", "arguments": {"message": "add a note"}}
    return "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
