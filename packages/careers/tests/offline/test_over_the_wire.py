"""The same brain in-process and behind each provider's wire: same calls, same texts, same JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from packages.careers.tests.offline.test_triage import SYSTEM, TRIAGE
from plainloop.agent.offline.brain.provider import OfflineProvider
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatProvider, ChatRequest, JsonSchema, LLMResponse, Message
from tests.offline.tracker import LETTER_TOOLS, RESUME, TRACKER_TOOLS, Conversation, make_job, say

TURNS = [
    "Add a Web Developer job at Microsoft in Berlin, hybrid, 90k-120k",
    "I applied to Netflix today",
    "yes",
    "Data Scientist",
    "Move the Microsoft job to applied",
    "move it to interviewing",
    "list my jobs",
    "Remember that I prefer remote jobs – zählt „auch“ das?!",
    "what skills do I have?",
    "update #99 to offer",
    "Tell me a joke",
]
PROVIDERS = ["anthropic", "openai", "gemini"]
Calls = list[tuple[str, dict[str, Any]]]


async def hold(provider: ChatProvider, conversation: Conversation, turns: list[str]) -> list[Any]:
    """The turns over a provider: for each its calls and its text."""
    told: list[Any] = []
    for text in turns:
        conversation.messages.append(say("user", text))
        conversation.calls = []
        for _ in range(8):
            request = ChatRequest(conversation.system, conversation.messages, conversation.tools)
            response = await ask(provider, request)
            conversation.messages.append(response.message)
            if not response.tool_calls:
                told.append((conversation.calls, response.text))
                break
            results: Message = {
                "role": "tool",
                "parts": [*map(conversation.run, response.tool_calls)],
            }
            conversation.messages.append(results)
    return told


async def ask(provider: ChatProvider, request: ChatRequest) -> LLMResponse:
    items: list[Any] = [item async for item in provider.generate_stream(request)]
    return items[-1]


async def connect(name: str, wire_server: Any) -> ChatProvider:
    server = await wire_server()
    base = server.openai_url if name == "openai" else server.base_url
    return create_provider(name, "any-key", None, base)


def make_tracker() -> Conversation:
    return Conversation(resume=RESUME, tools=TRACKER_TOOLS)


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_conversation_with_tools_is_the_same(name: str, wire_server: Any) -> None:
    expected = await hold(OfflineProvider(), make_tracker(), TURNS)
    assert len(expected) == len(TURNS)
    assert await hold(await connect(name, wire_server), make_tracker(), TURNS) == expected


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_letter_with_parallel_reads_is_the_same(name: str, wire_server: Any) -> None:
    def start() -> Conversation:
        jobs = [make_job(1, "Acme", "Data Engineer", requirements="Python\nSQL")]
        system = "You write cover letters from the user's résumé."
        return Conversation(jobs=jobs, resume=RESUME, tools=LETTER_TOOLS, system=system)

    turns = ["Write a cover letter for Acme", "please write a letter for Acme"]
    expected = await hold(OfflineProvider(), start(), turns)
    assert [len(calls) for calls, _ in expected] == [3, 3]
    assert await hold(await connect(name, wire_server), start(), turns) == expected


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("text", ["how many jobs have I applied to?", "Google rejected me"])
async def test_json_is_the_same(name: str, text: str, wire_server: Any) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": TRIAGE,
        "required": list(TRIAGE),
        "additionalProperties": False,
    }
    request = ChatRequest(SYSTEM, [say("user", text)], (), JsonSchema("triage", schema))
    provider = await connect(name, wire_server)
    expected = json.loads((await OfflineProvider().generate(request)).text)
    assert json.loads((await provider.generate(request)).text) == expected
