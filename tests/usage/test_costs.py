"""What a call costs: the operator's table, the public list, and setting prices again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.providers.pricing import Cost, Prices, price_call
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage
from plainloop.agent.usage.recost import recost_calls
from plainloop.agent.usage.report import UsageFilter, summarize_usage
from plainloop.agent.usage.rollup import roll_up_usage
from tests.core.store_samples import begin_run, create_thread, make_call_start, make_settled
from tests.usage.ledger import fill_ledger

USED = Usage(1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000)
TABLE = """
[prices."ollama:llama3.1"]
input = 1
output = 10
cache_read = 0.25
[prices."anthropic:*"]
share = 0.5
"""


def load(tmp_path: Path, text: str) -> Prices:
    path = tmp_path / "plainloop.toml"
    path.write_text(text, encoding="utf-8")
    return Prices(load_settings({"AGENT_DATA_DIR": str(tmp_path)}, path).prices)


def test_own_prices_are_per_million_and_fall_back_to_input_and_output(tmp_path: Path) -> None:
    cost = load(tmp_path, TABLE).price("ollama", "llama3.1", USED)

    assert cost.amount_usd == "22.25"  # 1 + 0.25 + 1 (written as input) + 10 + 10
    assert cost.version is not None and cost.version.startswith("own ")


def test_a_share_is_of_the_list_price_and_names_both(tmp_path: Path) -> None:
    usage = Usage(input_tokens=1000, output_tokens=100)
    listed = Prices().price("anthropic", "claude-sonnet-4-5", usage)
    half = load(tmp_path, TABLE).price("anthropic", "claude-sonnet-4-5", usage)

    assert listed.amount is not None and half.amount == listed.amount / 2
    assert half.version is not None and "own " in half.version and "genai" in half.version
    unlisted = load(tmp_path, TABLE).price("anthropic", "unheard-of", usage)
    assert unlisted == Cost(None, None)


def test_another_table_is_another_version() -> None:
    first, second = (Prices({"x:y": OwnPrice(input=Decimal(n), output=Decimal(n))}) for n in (1, 2))
    versions = [prices.price("x", "y", USED).version for prices in (first, second)]
    assert versions[0] != versions[1]


def test_unknown_is_not_nothing() -> None:
    assert Prices().price("nobody", "unheard-of", USED) == Cost(None, None)
    assert Prices().price("openai", "gpt-4o", Usage(source="missing")) == Cost(None, None)
    assert Prices().price_most("nobody", "unheard-of", 1, 1) is None


@pytest.mark.parametrize(
    ("asked", "answered", "amount"),
    [
        ("dear", "cheap", "5"),  # what was asked for has a price: that is the price
        ("alias", "cheap", "1"),
        ("alias", None, None),
        ("alias", "alias", None),
        ("alias", "unheard-of", None),
    ],
)
def test_an_alias_costs_what_the_model_costs_that_answered(
    asked: str, answered: str | None, amount: str | None
) -> None:
    own = {
        f"x:{name}": OwnPrice(input=Decimal(price), output=Decimal(0))
        for name, price in (("dear", 5), ("cheap", 1))
    }
    usage = Usage(input_tokens=1_000_000)
    assert price_call(Prices(own), "x", asked, answered, usage).amount_usd == amount


def test_a_batch_costs_half_where_nothing_else_is_known() -> None:
    own = {"x:y": OwnPrice(input=Decimal(3), output=Decimal(0))}
    usage = Usage(input_tokens=1_000_000)
    plain = Prices(own)
    assert plain.price("x", "y", usage).amount_usd == "3"
    assert plain.at_batch_rates().price("x", "y", usage).amount_usd == "1.5"
    listed = [
        prices.price("anthropic", "claude-sonnet-4-5", usage).amount
        for prices in (plain, plain.at_batch_rates())
    ]
    assert listed[0] is not None and listed[1] == listed[0] / 2


def test_the_list_knows_what_a_cache_saves_and_costs() -> None:
    plain, read, written, half = (
        Prices().price("anthropic", "claude-sonnet-4-5", usage).amount
        for usage in (Usage(1000), Usage(0, 1000), Usage(0, 0, 1000), Usage(500, 500))
    )
    assert plain is not None and read is not None and written is not None
    assert read < plain < written
    assert half == (plain + read) / 2


def test_the_most_covers_a_written_cache() -> None:
    most = Prices().price_most("anthropic", "claude-sonnet-4-5", 1000, 100)
    for usage in (Usage(1000, 0, 0, 100), Usage(0, 0, 1000, 100), Usage(0, 1000, 0, 100)):
        amount = Prices().price("anthropic", "claude-sonnet-4-5", usage).amount
        assert most is not None and amount is not None and amount <= most


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[prices."gpt-4o"]\ninput = 1\noutput = 1', '"provider:model"'),
        ('[prices."a:b"]\ninput = 1', "needs input and output"),
        ('[prices."a:b"]\ninput = 1\noutput = 1\nshare = 1', "needs input and output"),
        ('[prices."a:b"]\ninput = -1\noutput = 1', "0 or more"),
        ('[prices."a:b"]\ninput = true\noutput = 1', "0 or more"),
        ('[prices."a:b"]\ninputs = 1', "unknown key inputs"),
        ("prices = 3", "must be a table"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(tmp_path, text)
    assert told in raised.value.message


async def test_recosting_keeps_the_old_figure_and_the_sums_follow(store: Store) -> None:
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


async def test_another_tenants_costs_stay(store: Store) -> None:
    now = datetime.now(UTC)
    await fill_ledger(store, now, days=1)
    before = await summarize_usage(store.read("umbrella"), ["model"])
    prices = Prices({"anthropic:*": OwnPrice(input=Decimal(1000), output=Decimal(1000))})
    async with store.transaction("acme") as tx:
        await recost_calls(tx, prices, now - timedelta(days=9), now + timedelta(days=1))

    assert await summarize_usage(store.read("umbrella"), ["model"]) == before


async def test_a_price_that_is_not_known_now_replaces_none(store: Store) -> None:
    run = await begin_run(store, await create_thread(store))
    start: Any = make_call_start(run, model="unheard-of")
    await store.record_call_start(start)
    await store.settle_calls("acme", [make_settled(start, cost_usd="0.5")])
    now = datetime.now(UTC)
    async with store.transaction("acme") as tx:
        done = await recost_calls(tx, Prices(), now - timedelta(days=1), now + timedelta(days=1))

    assert (done.calls, done.changed) == (1, 0)
    assert (await summarize_usage(store.read("acme")))[0].cost_usd == "0.5"
