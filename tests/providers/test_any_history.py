"""Hazard: one bad message in a stored thread makes every later request of it a 400.

Whatever is stored, from whatever provider, the one function that builds a request's messages makes
something that the strict wire server takes, on every wire, through the real client.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainloop.agent.core.history import build_request_messages, repair_history
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatProvider, ChatRequest, LLMResponse, Message, Usage
from plainloop_wire.anthropic.models import read_model
from plainloop_wire.anthropic.signature import Prefix
from plainloop_wire.anthropic.signature import sign as sign_thinking
from plainloop_wire.app import make_app
from plainloop_wire.call import read_account
from plainloop_wire.gemini.signature import sign as sign_call
from plainloop_wire.serving import serve_wire
from tests.providers.conversations import CLOCK, WEATHER

EXAMPLES = int(os.environ.get("AGENT_FUZZ_EXAMPLES") or 20)
# Wire → provider, model, what its address ends in.
WIRES: dict[str, tuple[str, str, str]] = {
    "anthropic": ("anthropic", "claude-sonnet-5-5", ""),
    "chat": ("openai", "gpt-4o", "/v1"),
    "responses": ("openai", "gpt-6.1-terra", "/v1"),
    "gemini": ("gemini", "gemini-3.8-flash", ""),
    "gemini_2": ("gemini", "gemini-2.5-flash", ""),
    "ollama": ("ollama", "llama3.1", ""),
}
IDS = ("call_1", "call_2", "functions.get_time:0", "toolu_" + "x" * 60, "")
NAMES = ("get_weather", "get_time", "get weather", "multi.tool/use", "", "n" * 70)
TEXTS = ("Hello", "Grüße 東京 🙂", "", "  \n", '{"a": 1}', "x" * 300)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.sampled_from(("city", "n")), JSON_VALUES, max_size=2)


class Constant:
    def answer(self, request: ChatRequest) -> LLMResponse:
        parts: Any = [{"type": "text", "text": "Fine."}]
        return LLMResponse({"role": "assistant", "parts": parts}, "end", Usage(), "m")


def foreign_states() -> st.SearchStrategy[dict[str, Any]]:
    """State as other models leave it behind, in shapes that ours could mistake for its own."""
    values: list[Any] = [
        {"signature": "c2lnbmVk"},
        {"echo": True},
        {"id": "get_time_0"},
        {"item": {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"}},
        {"block": {"type": "redacted_thinking", "data": "x"}},
        {"details": [{"type": "reasoning.text", "text": "x", "index": 0}]},
        {"part": {"executable_code": {"code": "1", "language": "PYTHON"}}},
        {"phase": "final_answer"},
    ]
    origins = [("kimi", "kimi-k2"), ("anthropic", "claude-old"), ("gemini", "gemini-3-pro")]
    return st.builds(
        lambda origin, value: {"provider": origin[0], "model": origin[1], "value": value},
        st.sampled_from(origins),
        st.sampled_from(values),
    )


@st.composite
def parts(draw: Any, wire: str) -> Any:
    kind = draw(st.sampled_from(("text", "reasoning", "tool_call", "tool_result")))
    if kind == "tool_result":
        return {
            "type": kind,
            "id": draw(st.sampled_from(IDS)),
            "name": draw(st.sampled_from(NAMES)),
            "result": draw(JSON_VALUES),
            "is_error": draw(st.booleans()),
        }
    if kind == "tool_call":
        part: Any = {
            "type": kind,
            "id": draw(st.sampled_from(IDS)),
            "name": draw(st.sampled_from(NAMES)),
            "arguments": draw(OBJECTS),
        }
        if draw(st.booleans()):
            part = {**part, "arguments": {}, "invalid_arguments": '{"city": "K'}
    else:
        part = {"type": kind, "text": draw(st.sampled_from(TEXTS))}
    state = own_state(wire, part) if draw(st.booleans()) else draw(st.none() | foreign_states())
    return {**part, "provider_state": state} if state else part


ACCOUNT = read_account({"x-goog-api-key": "test-key"})


def own_state(wire: str, part: Any) -> dict[str, Any] | None:
    """What this wire's own server signed, where it signs."""
    provider, model, _ = WIRES[wire]
    value: Any = None
    if wire == "anthropic" and part["type"] == "reasoning":
        signed = sign_thinking(part["text"], read_model(model), "account", Prefix(None, None))
        value = {"signature": signed}
    if wire == "gemini" and part["type"] == "tool_call" and part["name"] in NAMES[:2]:
        value = {"signature": sign_call(model, ACCOUNT, part["name"], part["arguments"])}
    return value and {"provider": provider, "model": model, "value": value}


def histories(wire: str) -> st.SearchStrategy[list[Message]]:
    message = st.fixed_dictionaries(
        {
            "role": st.sampled_from(("user", "assistant", "tool")),
            "parts": st.lists(parts(wire), max_size=4),
        }
    )
    return st.lists(message, max_size=9)  # type: ignore[return-value]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def address(runner: asyncio.Runner) -> Iterator[str]:
    serving = serve_wire(make_app(Constant()))
    yield runner.run(serving.__aenter__())
    runner.run(close_clients())
    runner.run(serving.__aexit__(None, None, None))


@pytest.fixture(scope="module", params=WIRES)
def wire(request: pytest.FixtureRequest) -> str:
    return request.param


def connect(wire: str, address: str) -> ChatProvider:
    name, model, path = WIRES[wire]
    spoken = "openai_responses" if wire == "responses" else None
    return create_provider(name, "test-key", model, address + path, protocol=spoken)


@pytest.fixture(scope="module")
def provider(wire: str, address: str) -> ChatProvider:
    return connect(wire, address)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_every_provider_accepts_any_repaired_history(
    wire: str, provider: ChatProvider, runner: asyncio.Runner, data: st.DataObject
):
    history = data.draw(histories(wire), label="history")
    has_tools = data.draw(st.booleans(), label="tools")
    messages, _ = build_request_messages(history)
    request = ChatRequest(
        system="Be brief.",
        messages=messages,
        tools=(WEATHER, CLOCK) if has_tools else (),
        max_tokens=100,
        cache_key="thread",
    )
    assert runner.run(provider.generate(request)).text == "Fine."


@given(histories("anthropic"))
def test_requests_contain_a_user_message_and_unique_ids(history: list[Message]):
    repaired, _ = repair_history(history)
    assert repair_history(repaired) == (repaired, []), "repairing twice changes nothing more"
    messages, _ = build_request_messages(history)
    ids = [p["id"] for m in messages for p in m["parts"] if p["type"] == "tool_call"]
    assert messages[0]["role"] == "user"
    assert messages[-1]["role"] != "assistant"
    assert len(set(ids)) == len(ids)
