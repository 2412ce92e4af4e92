"""`bench caching`: what cutting a long thread costs, with the provider's prompt cache in view.

The same 60 turns (two model calls each: one with a tool call, one with the answer) are sent by four
policies through the real clients to the wire server, which counts cached prefixes as the provider
does. Cached price: in uncached tokens of that model, by the price list.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from plainloop.agent.base.messages.contents import (
    list_exchange_starts,
    make_text_message,
    seal_messages,
)
from plainloop.agent.base.tokens.estimate import estimate_message_tokens
from plainloop.agent.core.history import build_request_messages
from plainloop.agent.core.policy import trim_messages
from plainloop.agent.providers.http.clients import close_clients
from plainloop.agent.providers.pricing import LIST_PRICES
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, LLMResponse, Message, ToolSchema, Usage
from plainloop_wire.app import make_app
from plainloop_wire.serving import serve_wire
from scripts.benchmarks.rig.report import print_json, print_table

MODELS: Final = {
    "anthropic": ("claude-sonnet-5-5", ""),
    "openai": ("gpt-6-luna", "/v1"),
    "gemini": ("gemini-3.8-flash", ""),
}
_MANY: Final = 10_000
SYSTEM: Final = "You keep a tracker of job applications. " + "Be exact, and short. " * 120
QUESTIONS: Final = (
    "Which of my applications in {city} have had no answer for two weeks?",
    "Compare the last two offers from {city}: salary, remote days, start.",
    "Move the interview with the team in {city} to next week and note why.",
    "What did I write to the recruiter in {city}, and what did she say?",
)
CITIES: Final = ("Köln", "Oslo", "Porto", "Graz", "Lyon", "Gent", "Turku")

Policy = Callable[[list[Message], int], list[Message]]


@dataclass(slots=True)
class Count:
    """Input tokens of one policy over one provider, as the server stated them."""

    calls: int = 0
    sent: int = 0
    cached: int = 0
    written: int = 0
    at_cached_price: float = 0.0

    def add(self, usage: Usage, provider: str, model: str) -> None:
        fresh, read, written = (
            usage.input_tokens or 0,
            usage.cache_read_tokens or 0,
            usage.cache_write_tokens or 0,
        )
        self.calls += 1
        self.sent += fresh + read + written
        self.cached += read
        self.written += written
        sent = replace(usage, output_tokens=0, reasoning_tokens=None)
        counts = (sent, Usage(input_tokens=_MANY, output_tokens=0))
        paid, plain = (LIST_PRICES.price(provider, model, each).amount for each in counts)
        assert paid is not None and plain
        self.at_cached_price += float(paid / plain) * _MANY


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench caching", description=__doc__)
    parser.add_argument("--turns", type=int, default=60, help="turns of the thread")
    parser.add_argument("--window", type=int, default=6000, help="tokens of history in a request")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    result = asyncio.run(measure(options.turns, options.window))
    if options.json:
        print_json(result)
    else:
        print_result(result)


async def measure(turns: int, window_tokens: int) -> dict[str, Any]:
    """`{"counts": {provider: {policy: Count}}}`, each with a cache of its own."""
    thread = build_thread(turns)
    counts: dict[str, dict[str, Any]] = {}
    try:
        for provider in MODELS:
            counts[provider] = {
                name: asdict(await run_thread(thread, provider, policy, window_tokens))
                for name, policy in POLICIES.items()
            }
    finally:
        await close_clients()
    return {"turns": turns, "window_tokens": window_tokens, "counts": counts}


async def run_thread(
    thread: Sequence[Message], provider: str, policy: Policy, window_tokens: int
) -> Count:
    """Send every prefix of the thread that a model would have answered."""
    model, path = MODELS[provider]
    count = Count()
    async with serve_wire(make_app(_Silent())) as base_url:
        chat = create_provider(provider, "bench", model, base_url + path)
        for end, message in enumerate(thread):
            if message["role"] != "assistant":
                continue
            messages, _ = build_request_messages(policy(list(thread[:end]), window_tokens))
            request = ChatRequest(SYSTEM, messages, tools=TOOLS, max_tokens=500, cache_key="thread")
            count.add((await chat.generate(request)).usage, provider, model)
    return count


def build_thread(turns: int) -> list[Message]:
    """Turns of a question, a tool call with its rows, and an answer."""
    thread: list[Message] = []
    for n in range(turns):
        city = CITIES[n % len(CITIES)]
        rows = [
            {"id": n * 10 + k, "company": f"{city} Works {k}", "status": "applied", "days": n + k}
            for k in range(6)
        ]
        call: Any = {"type": "tool_call", "id": f"call_{n}", "name": "list_jobs"}
        answer: Any = {"type": "tool_result", "id": f"call_{n}", "name": "list_jobs"}
        new: list[Message] = [
            make_text_message("user", QUESTIONS[n % len(QUESTIONS)].format(city=city)),
            {"role": "assistant", "parts": [{**call, "arguments": {"location": city, "n": n}}]},
            {"role": "tool", "parts": [{**answer, "result": {"jobs": rows}, "is_error": False}]},
            make_text_message("assistant", f"In {city} there are {n} of them. " * 8),
        ]
        thread += seal_messages(thread, new)
    return thread


def cut_every_turn(messages: list[Message], window_tokens: int) -> list[Message]:
    """Plain "last 6k": at each call the newest exchanges that fit."""
    sizes = [estimate_message_tokens(message) for message in messages]
    for start in list_exchange_starts(messages):
        if sum(sizes[start:]) <= window_tokens:
            return messages[start:]
    return messages[list_exchange_starts(messages)[-1] :]


def cut_nothing(messages: list[Message], window_tokens: int) -> list[Message]:
    return messages


def cut_every_message(messages: list[Message], window_tokens: int) -> list[Message]:
    """The same by messages: a call may lose its question; the repair keeps it valid."""
    sizes = [estimate_message_tokens(message) for message in messages]
    start = next(i for i in range(len(messages)) if sum(sizes[i:]) <= window_tokens)
    return messages[start:]


POLICIES: Final[dict[str, Policy]] = {
    "ours": trim_messages,
    "last 6k, whole turns": cut_every_turn,
    "last 6k, messages": cut_every_message,
    "whole history": cut_nothing,
}


def print_result(result: dict[str, Any]) -> None:
    columns = ("", "calls", "sent", "of it cached", "at cached price", "against ours")
    for provider, by_policy in result["counts"].items():
        ours = by_policy["ours"]["at_cached_price"]
        rows = [
            (
                name,
                count["calls"],
                count["sent"],
                count["cached"],
                round(count["at_cached_price"]),
                f"{count['at_cached_price'] / ours:.2f}x",
            )
            for name, count in by_policy.items()
        ]
        title = f"{provider}: input tokens of {result['turns']} turns"
        print_table(title, columns, rows)


class _Silent:
    """Answers one word: only the prompts are of interest."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        return LLMResponse(make_text_message("assistant", "Ok."), "end", Usage(), "bench")


TOOLS: Final = tuple(
    ToolSchema(
        name,
        f"{name.replace('_', ' ').capitalize()} in the tracker; says what was found or changed.",
        {
            "type": "object",
            "properties": {
                "location": {"type": "string", "description": "city or country"},
                "status": {"type": "string", "enum": ["saved", "applied", "interviewing"]},
                "n": {"type": "integer", "description": "how many at most"},
            },
        },
    )
    for name in ("create_job", "delete_job", "list_jobs", "read_profile", "update_job")
)
