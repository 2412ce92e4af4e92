"""`bench pauses`: threads with real pauses, through the real clients, against expiring caches.

Three ways to ask for lifetimes: always the shorter, always the longer, and ours, which learns from
the pauses. Beside them what an oracle would have read: all of a prompt that was sent before, as
long as the longer lifetime had kept it.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import tomllib
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.providers.defaults import find_cache_offer
from plainloop.agent.providers.lifetimes import CacheCosts, Mode, Pauses, read_costs
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.connecting.queryable import Queryable
from plainloop.agent.types import ChatRequest, LLMResponse, Message, Usage
from plainloop_wire.app import make_app
from plainloop_wire.serving import serve_wire
from scripts.benchmarks.rig.report import print_json, print_table

PAUSES: Final = tomllib.loads(Path(__file__).with_name("pauses.toml").read_text(encoding="utf-8"))
SPREAD_S: Final = 4 * 86_400  # over which the threads begin
SYSTEM: Final = "You keep a tracker of job applications. " + "Be exact, and short. " * 390
SAID: Final = "Which of my applications have had no answer, and what did they say last? " * 28
MODES: Final[tuple[Mode, ...]] = ("short", "long", "auto")


@dataclass(slots=True)
class Sums:
    """Input tokens of one policy over one distribution, as the server stated them."""

    calls: int = 0
    sent: int = 0
    read: int = 0
    readable: int = 0  # by the oracle
    cost: float = 0.0  # in uncached input tokens

    def add(self, usage: Usage, readable: int, costs: CacheCosts) -> None:
        fresh, read = usage.input_tokens or 0, usage.cache_read_tokens or 0
        short, long = usage.cache_write_tokens or 0, usage.cache_write_long_tokens or 0
        self.calls += 1
        self.sent += usage.input_total or 0
        self.read += read
        self.readable += readable
        self.cost += fresh + read * costs.read + short * costs.write + long * costs.write_long


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench pauses", description=__doc__)
    parser.add_argument("--threads", type=int, default=40, help="of each kind of pauses")
    parser.add_argument("--turns", type=int, default=24, help="of each thread")
    parser.add_argument("--model", default="anthropic:claude-sonnet-5-5", help="whose caches")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    sizes = {"threads": options.threads, "turns": options.turns, "model": options.model}
    result = {name: describe_sums(asyncio.run(measure_pauses((name,), **sizes))) for name in PAUSES}
    if options.json:
        print_json(result)
        return
    heads = ["pauses", *next(iter(result.values()))]
    rows = [[name, *(f"{n:.3f}" for n in found.values())] for name, found in result.items()]
    print_table("What lifetimes by pauses cost", heads, rows)


async def measure_pauses(
    names: tuple[str, ...],
    *,
    threads: int,
    turns: int,
    model: str = "anthropic:claude-sonnet-5-5",
    seed: int = 1,
    lifts: bool = False,
) -> dict[str, Sums]:
    """By mode what threads take whose pauses are of these kinds, in turn."""
    plan = plan_calls(names, threads, turns, random.Random(seed))
    return {mode: await _run_mode(mode, plan, model, lifts=lifts) for mode in MODES}


def plan_calls(
    names: tuple[str, ...], threads: int, turns: int, dice: random.Random
) -> list[tuple[float, int, int]]:
    """When each thread makes each of its calls: (seconds, thread, turn), in order."""
    calls: list[tuple[float, int, int]] = []
    for thread in range(threads):
        at = dice.uniform(0, SPREAD_S)
        rows = PAUSES[names[thread % len(names)]]["rows"]
        for turn in range(turns):
            calls.append((at, thread, turn))
            at += draw_pause(rows, dice)
    return sorted(calls)


def draw_pause(rows: list[list[float]], dice: random.Random) -> float:
    """A pause in seconds."""
    (_, low, high), *_ = dice.choices(rows, weights=[row[0] for row in rows])
    return math.exp(dice.uniform(math.log(low), math.log(high)))


async def _run_mode(
    mode: Mode, plan: list[tuple[float, int, int]], model: str, *, lifts: bool
) -> Sums:
    provider, _, name = model.partition(":")
    offer = find_cache_offer(provider, name)
    if offer is None or offer.long is None:
        raise ValueError(f"{model} has one lifetime")
    sums, now = Sums(), [0.0]
    said: dict[int, list[Message]] = {}
    last: dict[int, tuple[float, int]] = {}  # of a thread: when, and how large the prompt was
    any_at, stable = -math.inf, 0
    app = make_app(_Silent(), clock=lambda: now[0], lifts_caches=lifts)
    async with serve_wire(app) as base_url:
        is_openai = provider == "openai"
        chat = create_provider(
            provider,
            "bench",
            name,
            base_url + "/v1" * is_openai,
            protocol="openai_responses" if is_openai else None,
        )
        pauses, ledger = Pauses(mode, lambda: now[0]), Ledger()
        handle = ModelHandle(provider, name, chat, pauses=pauses)
        costs = read_costs(handle, offer)
        for at, thread, turn in plan:
            now[0] = at
            messages = said.setdefault(thread, [])
            messages.append(make_text_message("user", f"{thread}.{turn}: {SAID}"))
            request = ChatRequest(SYSTEM, list(messages), max_tokens=500, cache_key=str(thread))
            request, _ = await pauses.plan_call(
                request, handle, cast(Queryable, ledger), "worker", ""
            )
            answer = await chat.generate(request)
            usage = answer.usage
            ledger.add(str(thread), at, usage)
            messages.append(make_text_message("assistant", "Ok."))
            before, size = last.get(thread, (-math.inf, 0))
            stable = stable or (usage.input_total or 0) - _count(messages[0])
            readable = size if at - before <= offer.long_s else 0
            readable = readable or (stable if at - any_at <= offer.long_s else 0)
            last[thread], any_at = (at, usage.input_total or 0), at
            sums.add(usage, readable, costs)
    return sums


def _count(message: Message) -> int:
    from plainloop.agent.base.tokens.estimate import estimate_message_tokens

    return estimate_message_tokens(message)


class Ledger:
    """The latest calls, as `load_recent_threads` reads them from the database."""

    def __init__(self, tenant_id: str = "bench") -> None:
        self.tenant_id = tenant_id
        self._calls: deque[tuple[str, float, Usage]] = deque(maxlen=300)
        self._answered: dict[str, list[float]] = {}

    def add(self, thread: str, at: float, usage: Usage) -> None:
        self._calls.append((thread, at, usage))
        self._answered.setdefault(thread, []).append(at)

    async def fetch(self, query: str, *args: Any) -> list[dict[str, Any]]:
        rows: dict[str, dict[str, Any]] = {}
        for thread, at, usage in self._calls:
            row = rows.setdefault(thread, {"called": [], "tokens": [], "read": []})
            row["called"].append(at)
            row["tokens"].append(usage.input_total or 0)
            row["read"].append(usage.cache_read_tokens)
        return [{**row, "answered": self._answered[n][-30:]} for n, row in rows.items()]


class _Silent:
    """Answers one word: only the prompts are of interest."""

    def answer(self, request: ChatRequest) -> LLMResponse:
        return LLMResponse(make_text_message("assistant", "Ok."), "end", Usage(), "bench")


def describe_sums(found: dict[str, Sums]) -> dict[str, Any]:
    """The figures that count: reads against the oracle's, cost against the fixed lifetimes."""
    ours, short, long = found["auto"], found["short"], found["long"]
    return {
        "of the oracle's reads": ours.read / ours.readable,
        "cost / better fixed": ours.cost / min(short.cost, long.cost),
        "cost / short": ours.cost / short.cost,
        "long / short": long.cost / short.cost,
        "short's reads": short.read / short.readable,
        "long's reads": long.read / long.readable,
    }
