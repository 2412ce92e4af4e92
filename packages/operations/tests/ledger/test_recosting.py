"""Setting prices again: what a call cost before stays, and the sums follow."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.records import REPORTED
from plainloop.agent.store.store import Store
from plainloop.agent.usage.report import UsageFilter, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from plainloop_operations.ledger.recost import recost_calls
from tests.core.store_samples import begin_run, create_thread, make_call_start, make_settled
from tests.usage.ledger import fill_ledger


async def test_recosting_stores_the_old_cost_and_updates_the_sums(store: Store) -> None:
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=3)
    await roll_up_usage(store)
    prices = Prices({"anthropic:*": OwnPrice(input=Decimal(1000), output=Decimal(1000))})
    span = (now - timedelta(days=9), now + timedelta(days=1))
    before = await summarize_usage(store.read("acme"), ["model"])
    async with store.transaction("acme") as tx:
        trial = await recost_calls(tx, prices, *span, is_trial=True)
    untouched = await summarize_usage(store.read("acme"), ["model"])
    async with store.transaction("acme") as tx:
        done = await recost_calls(tx, prices, *span)
    total = (await summarize_usage(store.read("acme")))[0]
    odd = UsageFilter(since=now - timedelta(hours=5, minutes=3))
    parts = [(await summarize_usage(store.read("acme"), [], odd))[0]]
    parts.append((await summarize_usage(store.read("acme"), [], UsageFilter(until=odd.since)))[0])
    async with store.transaction("acme") as tx:
        again = await recost_calls(tx, prices, *span)
        former = await tx.fetchval("select former_costs from llm_calls where cost_usd > 0 limit 1")
        exact = await tx.fetchval("select sum(cost_usd) from llm_calls where tenant_id = 'acme'")

    assert before == untouched
    assert (trial.changed, trial.after_usd) == (done.changed, done.after_usd)
    tokens = (total.input_total or 0) + (total.output_total or 0)
    assert Decimal(total.cost_usd or 0) == exact == Decimal(tokens) / 1000
    assert sum(Decimal(part.cost_usd or 0) for part in parts) == exact
    assert again.changed == 0
    assert [*former[0]] == ["until", "cost_usd", "price_version"]


async def test_recosting_does_not_change_another_tenants_costs(store: Store) -> None:
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=1)
    before = await summarize_usage(store.read("umbrella"), ["model"])
    prices = Prices({"anthropic:*": OwnPrice(input=Decimal(1000), output=Decimal(1000))})
    async with store.transaction("acme") as tx:
        await recost_calls(tx, prices, now - timedelta(days=9), now + timedelta(days=1))

    assert await summarize_usage(store.read("umbrella"), ["model"]) == before


async def test_recosting_leaves_the_cost_of_models_without_a_price(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    start: Any = make_call_start(run, model="unheard-of")
    await store.record_call_start(start)
    await store.settle_calls("acme", [make_settled(start, cost_usd="0.5")])
    now = datetime.now(UTC)
    async with store.transaction("acme") as tx:
        done = await recost_calls(tx, Prices(), now - timedelta(days=1), now + timedelta(days=1))

    assert (done.calls, done.changed) == (1, 0)
    assert (await summarize_usage(store.read("acme")))[0].cost_usd == "0.5"


async def test_recosting_leaves_costs_that_a_source_reported(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    versions = ("genai-prices 1", f"{REPORTED}langfuse")
    starts: list[Any] = [make_call_start(run) for _ in versions]
    for start, version in zip(starts, versions, strict=True):
        await store.record_call_start(start)
        settled = make_settled(start, cost_usd="0.5", price_version=version)
        await store.settle_calls("acme", [settled])
    now = datetime.now(UTC)
    prices = Prices({"anthropic:*": OwnPrice(input=Decimal(1000), output=Decimal(1000))})
    async with store.transaction("acme") as tx:
        done = await recost_calls(tx, prices, now - timedelta(days=1), now + timedelta(days=1))
        kept = await tx.fetchval(
            "select cost_usd from llm_calls where tenant_id = 'acme' and call_id = $1",
            starts[1].call_id,
        )

    assert (done.calls, done.changed, done.reported) == (1, 1, 1)
    assert kept == Decimal("0.5")
