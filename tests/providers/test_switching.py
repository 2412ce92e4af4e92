"""One thread, another provider at every turn: each takes what the others have left in it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from plainloop.agent.core.history import build_request_messages
from plainloop.agent.types import ChatProvider, ChatRequest, LLMResponse, Message, Usage
from plainloop_wire.app import make_app
from plainloop_wire.serving import serve_wire
from tests.providers.asking import ask
from tests.providers.conversations import CLOCK, WEATHER, call, results, user
from tests.providers.test_any_history import WIRES, connect


class Thoughtful:
    """Thinks, calls a tool, then answers; so that each wire signs what it signs."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        is_asked = request.messages[-1]["role"] == "user"
        thought: Any = {"type": "reasoning", "text": "Let me think."}
        said: Any = {"type": "text", "text": "It is 21 °C."}
        parts = [thought, call("x", "get_weather", city="Köln") if is_asked else said]
        stop = "tool_use" if is_asked else "end"
        return LLMResponse({"role": "assistant", "parts": parts}, stop, Usage(), "m")


@pytest.fixture
async def address() -> AsyncIterator[str]:
    async with serve_wire(make_app(Thoughtful())) as url:
        yield url


async def take_turn(chat: ChatProvider, thread: list[Message]) -> tuple[str, ...]:
    """A question, a tool call with its result, an answer; what was noted on the way."""
    notes: tuple[str, ...] = ()
    thread.append(user("Weather in Köln?"))
    for _ in range(2):
        messages, repairs = build_request_messages(thread)
        assert repairs == []
        request = ChatRequest("Be brief.", messages, tools=(WEATHER, CLOCK), cache_key="t")
        answer = await ask(chat, request, stream=True)
        notes += answer.notes
        thread.append(answer.message)
        for called in answer.tool_calls:
            thread.append(results((called["id"], called["name"], {"celsius": 21}, False)))
    return notes


@pytest.mark.parametrize("seed", range(4))
async def test_a_thread_continues_with_any_other_provider(seed: int, address: str):
    order = random.Random(seed).sample([*WIRES, *WIRES], k=2 * len(WIRES))
    thread: list[Message] = []
    for wire in order:
        await take_turn(connect(wire, address), thread)
    ids = [p["id"] for m in thread for p in m["parts"] if p["type"] == "tool_call"]
    assert len(set(ids)) == len(order)
