"""A hard budget under many runs at once, in two processes, by the wire server's own account.

PLAINLOOP_BUDGET_RUNS (40) is how many; the budgets are for so many.
"""

from __future__ import annotations

import asyncio
import os
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.budgets import Budget, list_budget_usage, save_budget
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.report import summarize_usage
from plainloop_wire.serving import build_environ
from tests.usage import spender
from tests.warm import FORKS
from tests.wire_fixtures import StartWire

RUNS = int(os.environ.get("PLAINLOOP_BUDGET_RUNS", "40"))
MODEL = "claude-sonnet-4-5"


async def spend(settings: Settings, base_url: str, runs: int, **more: str) -> dict[str, int]:
    url = settings.get_table(DatabaseSettings).url
    environ = build_environ("anthropic", base_url) | {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": url.reveal() if url else "",
        "AGENT_DATA_DIR": str(settings.data_dir),
        "AGENT_MODEL": MODEL,
        "AGENT_LIMITS_MAX_OUTPUT_TOKENS": "300",
        "AGENT_LIMITS_RUN_TIMEOUT_S": "600",
        **more,
    }
    here, there = FORKS.Pipe(duplex=False)
    process: Any = FORKS.Process(target=spender.spend, args=(environ, "acme", runs, there))
    await asyncio.to_thread(process.start)
    there.close()  # or nobody would see that it is gone
    try:
        return await asyncio.to_thread(here.recv)
    finally:
        await asyncio.to_thread(process.join)


def add_up(requests: list[Any]) -> tuple[int, Decimal]:
    """Tokens and money of all answers that the server gave."""
    tokens, cost = 0, Decimal(0)
    for entry in requests:
        said = entry["usage"] or {}
        usage = Usage(
            said.get("input_tokens", 0),
            said.get("cache_read_input_tokens", 0),
            said.get("cache_creation_input_tokens", 0),
            said.get("output_tokens", 0),
        )
        tokens += (usage.input_total or 0) + (usage.output_total or 0)
        cost += Prices().price("anthropic", entry["body"]["model"], usage).amount or Decimal(0)
    return tokens, cost


@pytest.mark.parametrize(
    "budget",
    [
        Budget("tenant", "day", 300 * RUNS, None),
        Budget("tenant", "month", None, Decimal(RUNS) / 1000),
    ],
    ids=["tokens", "money"],
)
async def test_runs_in_two_processes_never_exceed_a_budget(
    store: Store, settings: Settings, wire_server: StartWire, budget: Budget
) -> None:
    server = await wire_server()
    async with store.transaction("acme") as tx:
        await save_budget(tx, budget)
    ended = await asyncio.gather(*(spend(settings, server.base_url, RUNS // 2) for _ in "ab"))
    tokens, cost = add_up(server.requests)
    usage = (await list_budget_usage(store.read("acme")))[0]
    total = (await summarize_usage(store.read("acme")))[0]
    print(f"\n{budget.limit_tokens or budget.limit_usd}: {tokens} tokens, ${cost}, {ended}")

    if budget.limit_tokens is not None:
        assert 0 < tokens <= budget.limit_tokens
    if budget.limit_usd is not None:
        assert 0 < cost <= budget.limit_usd
    assert sum(sum(codes.values()) for codes in ended) == RUNS // 2 * 2
    codes = {code for process in ended for code in process}
    assert codes <= {"", "BUDGET_EXCEEDED", "BUDGET_BUSY"} and len(codes) > 1
    assert (usage.used_tokens, usage.reserved_tokens) == (tokens, 0)
    assert (total.input_total or 0) + (total.output_total or 0) == tokens


async def test_large_reservations_do_not_prevent_using_up_a_budget(
    store: Store, settings: Settings, wire_server: StartWire
) -> None:
    """At $15 a million output tokens, 8,096 for each of twenty calls at once are five budgets."""
    limit = Decimal("0.45")
    server = await wire_server()
    async with store.transaction("acme") as tx:
        await save_budget(tx, Budget("tenant", "total", None, limit))
    whole = {"AGENT_LIMITS_MAX_OUTPUT_TOKENS": "8096"}
    ended = await asyncio.gather(
        *(spend(settings, server.base_url, 3 * RUNS, **whole) for _ in "ab")
    )
    _, cost = add_up(server.requests)
    usage = (await list_budget_usage(store.read("acme")))[0]
    print(f"\n{len(server.requests)} requests, ${cost}, {ended}")

    assert Decimal("0.97") * limit <= cost <= limit
    assert (usage.used_usd, usage.reserved_usd) == (cost, 0)
    codes = {code for process in ended for code in process}
    assert {"", "BUDGET_EXCEEDED"} <= codes <= {"", "BUDGET_EXCEEDED", "BUDGET_BUSY"}
