"""Batch APIs as our providers use them: over real sockets, against the wire server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from packages.wire.tests.brains import CityBrain
from plainloop.agent.errors import (
    ConfigError,
    ModelError,
    ModelOverloaded,
    ModelRequestError,
    ModelTimeout,
    RateLimited,
)
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, JsonSchema, LLMResponse, Usage
from plainloop_lab.batches.api import BatchApi, Outcome, read_json_lines
from plainloop_lab.batches.opening import open_batch_api
from plainloop_lab.batches.writing import WaitingCall, split_calls
from plainloop_wire.faults import parse_faults
from tests.providers.asking import HELLO, ask
from tests.providers.test_bound_thinking import HI, go_on
from tests.providers.test_bound_thinking import MODEL as THINKS
from tests.wire_fixtures import StartWire, WireServer

PROTOCOLS: dict[str, Any] = {
    "anthropic": ("anthropic", "claude-haiku-4-5", None),
    "openai_chat": ("openai", "gpt-4o", "openai_chat"),
    "openai_responses": ("openai", "gpt-4o", "openai_responses"),
}
NOW = datetime.now(UTC)


@pytest.fixture(autouse=True)
async def closed_clients() -> AsyncIterator[None]:
    yield
    await close_clients()


def connect(name: str, server: WireServer) -> Any:
    provider, model, protocol = PROTOCOLS[name]
    base = server.base_url if provider == "anthropic" else server.openai_url
    return create_provider(provider, "any", model, base, protocol=protocol)


async def hand_in(api: BatchApi, *requests: ChatRequest, mark: str = "m1") -> Any:
    lines = [api.to_line(f"{mark}-{n}", request) for n, request in enumerate(requests)]
    return await api.create(mark, lines)


async def take(api: BatchApi, batch_id: str) -> dict[str, Outcome]:
    state = await api.load_state(batch_id)
    assert state.is_ended
    async with aclosing(api.list_outcomes(state)) as outcomes:
        return {custom_id: outcome async for custom_id, outcome in outcomes}


class Speaker:
    """Says something with all kinds of line breaks."""

    text = "one\u2028two\x85three\nfour"

    def answer(self, request: ChatRequest) -> LLMResponse:
        said: Any = [{"type": "text", "text": self.text}]
        return LLMResponse({"role": "assistant", "parts": said}, "end", Usage(), "m")


@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_batch_answer_equals_the_live_answer(name: str, wire_server: StartWire) -> None:
    server = await wire_server(Speaker())
    provider = connect(name, server)
    live = await provider.generate(HELLO)
    api = open_batch_api(provider)
    made = await hand_in(api, HELLO, HELLO)
    outcomes = await take(api, made.batch_id)
    assert set(outcomes) == {"m1-0", "m1-1"}
    answer = api.read(outcomes["m1-0"], HELLO)
    assert (answer.text, answer.message, answer.stop) == (live.text, live.message, live.stop)
    assert live.text == Speaker.text
    assert answer.usage.output_tokens == live.usage.output_tokens
    assert api.read(outcomes["m1-0"]).usage == answer.usage, "its numbers need no request"
    bodies = [e["body"] for e in server.requests if "batch" in e]
    (sent,) = [e["body"] for e in server.requests if e["usage"] and "batch" not in e]
    assert bodies == [sent, sent], "made by the same converters"


@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_batch_request_in_json_mode_gets_a_json_answer(
    name: str, wire_server: StartWire
) -> None:
    schema = {
        "type": "object",
        "properties": {"worker": {"type": "string"}},
        "required": ["worker"],
        "additionalProperties": False,
    }
    request = ChatRequest(HELLO.system, HELLO.messages, json_schema=JsonSchema("choice", schema))
    provider = connect(name, await wire_server())
    api = open_batch_api(provider)
    made = await hand_in(api, request)
    (outcome,) = (await take(api, made.batch_id)).values()
    assert api.read(outcome, request).text == (await provider.generate(request)).text


@pytest.mark.parametrize("name", PROTOCOLS)
async def test_each_batch_outcome_becomes_the_matching_error(
    name: str, wire_server: StartWire
) -> None:
    of_lines = {"dialect": "batch_line"}
    faults: list[Any] = [
        {"result": "expired", **of_lines},
        {"result": "canceled", **of_lines},
        {"status": 400, **of_lines},
        {"status": 429, **of_lines},
        {"status": 500, **of_lines},
    ]
    server = await wire_server(faults=parse_faults({"series": faults}))
    api = open_batch_api(connect(name, server))
    made = await hand_in(api, *[HELLO] * 6)
    outcomes = await take(api, made.batch_id)
    raised: list[Any] = [ModelTimeout, ModelOverloaded, ModelRequestError]
    for n, kind in enumerate([*raised, RateLimited, ModelOverloaded]):
        with pytest.raises(ModelError) as error:
            api.read(outcomes[f"m1-{n}"], HELLO)
        assert type(error.value) is kind, n
    assert api.read(outcomes["m1-5"], HELLO).text


@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_created_batch_is_looked_up_by_its_metadata(
    name: str, wire_server: StartWire
) -> None:
    server = await wire_server()
    api = open_batch_api(connect(name, server))
    made = {mark: await hand_in(api, HELLO, mark=mark) for mark in ("m1", "m2", "m3")}
    for batch in made.values():
        await api.load_state(batch.batch_id)
    found = await api.find("m2", 1, NOW, frozenset())
    assert found is not None
    assert (found.state.batch_id, found.is_certain) == (made["m2"].batch_id, True)
    assert await api.find("m4", 1, NOW, frozenset()) is None
    later = datetime.now(UTC) + timedelta(hours=1)
    assert await api.find("m2", 1, later, frozenset()) is None


async def test_anthropic_batch_results_are_read_only_after_its_end(wire_server: StartWire) -> None:
    """One with as many requests may be ours; one of another size, or known as another's, is not."""
    server = await wire_server(faults=parse_faults({"batch_ms": 1e9}))
    api = open_batch_api(connect("anthropic", server))
    made = await hand_in(api, HELLO, HELLO)
    await hand_in(api, HELLO, mark="m2")
    found = await api.find("m1", 2, NOW, frozenset())
    assert found is not None
    assert (found.state.batch_id, found.is_certain) == (made.batch_id, False)
    assert await api.find("m1", 2, NOW, {made.batch_id}) is None
    server.wire.batches[made.batch_id].takes_s = 0.0
    ended = await api.find("m1", 2, NOW, frozenset())
    assert ended is not None
    assert ended.is_certain


async def test_an_openai_batch_refused_as_a_whole_reports_the_reason(
    wire_server: StartWire,
) -> None:
    api = open_batch_api(connect("openai_chat", await wire_server()))
    made = await api.create("m1", [api.to_line("m1-0", HELLO)] * 2)
    state = await api.load_state(made.batch_id)
    assert await take(api, made.batch_id) == {}
    with pytest.raises(ModelRequestError, match=r"duplicate of another request.*line 2"):
        api.read(api.explain_missing(state), HELLO)


async def test_cancelling_an_ended_batch_is_an_error(wire_server: StartWire) -> None:
    api = open_batch_api(connect("anthropic", await wire_server()))
    made = await hand_in(api, HELLO)
    await api.load_state(made.batch_id)
    with pytest.raises(ModelRequestError, match="already ended"):
        await api.cancel(made.batch_id)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("gemini", None),
        ("ollama", None),
        ("deepseek", None),
        ("openai", "llama-3"),
        ("offline", None),
    ],
)
def test_other_providers_have_no_batch_api(provider: str, model: str | None) -> None:
    chat = create_provider(provider, "any", model)
    with pytest.raises(ConfigError, match="--batch-api is not possible") as error:
        open_batch_api(chat)
    assert "anthropic and openai" in (error.value.hint or "")


async def test_batch_result_lines_end_only_at_a_line_feed() -> None:
    async def give() -> AsyncIterator[bytes]:
        yield '{"a": "x\u2028'.encode()
        yield b'y"}\n\n{"a":'
        yield b' "\xc2\x85"}'

    found = [item async for item in read_json_lines(give())]
    assert found == [{"a": "x\u2028y"}, {"a": "\x85"}]


async def test_batches_send_thinking_with_its_header_and_store_it(wire_server: StartWire):
    server = await wire_server(CityBrain())
    chat: Any = create_provider("anthropic", "key", THINKS, server.base_url)
    request = go_on(await ask(chat, HI, stream=False))
    batches = open_batch_api(chat)
    state = await batches.create("m", [batches.to_line("m-1", request)])
    state = await batches.load_state(state.batch_id)
    [(_, outcome)] = [item async for item in batches.list_outcomes(state)]
    answered = batches.read(outcome, request)
    await ask(chat, go_on(answered, request=request), stream=False)

    assert outcome["kind"] == "succeeded", outcome
    sent = json.dumps(server.requests[-1]["body"]["messages"])
    assert sent.count('"thinking"') == 4, "two blocks, each with type and text"


def make_waiting(api: BatchApi, request: ChatRequest) -> WaitingCall:
    call: Any = SimpleNamespace(api=api, request=request)
    return WaitingCall(call, asyncio.get_running_loop().create_future(), 0.0)


async def test_other_tasks_run_while_calls_are_split_into_batches(wire_server: StartWire) -> None:
    api = open_batch_api(connect("anthropic", await wire_server()))
    others = 0

    async def run_beside() -> None:
        nonlocal others
        while True:
            others += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(run_beside())
    calls = [make_waiting(api, HELLO) for _ in range(40)]
    batches = [batch async for batch in split_calls(calls, lambda one, error: None)]
    beside.cancel()
    assert batches == [calls]
    assert others >= 40


async def test_an_unencodable_batch_request_does_not_stop_the_others(
    wire_server: StartWire,
) -> None:
    api = open_batch_api(connect("anthropic", await wire_server()))
    part: Any = {"type": "tool_call", "id": "a", "name": "pay", "arguments": {"wei": 2**70}}
    odd = replace(HELLO, messages=[*HELLO.messages, {"role": "assistant", "parts": [part]}])
    calls = [make_waiting(api, HELLO), make_waiting(api, odd), make_waiting(api, HELLO)]
    refused: list[tuple[WaitingCall, str]] = []
    told = split_calls(calls, lambda one, error: refused.append((one, error.code)))
    assert [batch async for batch in told] == [[calls[0], calls[2]]]
    assert refused == [(calls[1], "INTERNAL_ERROR")]
