"""Shutdowns, price changes and re-routes of the called models: from when, and for which calls."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.providers.endings import Ending, Endings, get_today
from plainloop.agent.providers.pricing import LIST_PRICES, Prices, load_prices
from plainloop.agent.store.store import Store
from plainloop.agent.usage.model_changes import (
    ModelChange,
    describe_changes,
    list_endings,
    list_model_changes,
)
from plainloop.agent.usage.report import UsageFilter
from plainloop.agent.usage.rollup import roll_up_usage
from tests.usage.ledger import add_calls
from tests.usage.price_list import list_model

NONE = Endings([])
VERSION = f"genai-prices {load_prices().__version__}"


def list_made(soon: date) -> Endings:
    return Endings(
        [
            Ending("anthropic", ("m-1", "m-2"), soon, "m-9"),
            Ending("anthropic", ("m-3",), date(2020, 1, 1)),
        ]
    )


def after(days: int) -> date:
    return get_today() + timedelta(days=days)


async def load(store: Store, endings: Endings = NONE, **rest: Any) -> list[ModelChange]:
    return await list_model_changes(store.read("acme"), endings, LIST_PRICES, **rest)


async def test_usage_shows_the_share_of_calls_to_ending_models(store: Store) -> None:
    await add_calls(store, "m-1", "m-1", "m-2", "m-5", "m-5", "m-5", "m-5", "m-3")
    soon = after(48)
    found = await load(store, list_made(soon))

    assert [(item.kind, item.models, item.calls, item.all_calls) for item in found] == [
        ("shutdown", ("m-3",), 1, 8),
        ("shutdown", ("m-1", "m-2"), 3, 8),
    ]
    when = f"{soon.day} {soon:%B %Y}"
    assert [*describe_changes(found)] == [
        "12 % of your calls went to models that ended on 1 January 2020: anthropic:m-3",
        "  try a successor: plainloop replay live --provider anthropic --model SUCCESSOR",
        f"38 % of your calls end on {when} (in 48 days): anthropic:m-1, anthropic:m-2",
        "  try m-9: plainloop replay live --provider anthropic --model m-9",
    ]
    assert list_endings(found)[1] == {
        "provider": "anthropic",
        "models": ["m-1", "m-2"],
        "ends": soon.isoformat(),
        "successor": "m-9",
        "calls": 3,
        "share": 0.375,
        "rehearsal": "plainloop replay live --provider anthropic --model m-9",
    }


@pytest.mark.parametrize(("calls", "percent"), [(1, "under 1"), (49, "under 1"), (60, "1")])
def test_a_share_that_rounds_to_zero_is_under_one_percent(calls: int, percent: str) -> None:
    change = ModelChange(
        "shutdown", "anthropic", ("m-1",), after(48), "m-9", None, calls, all_calls=10_000
    )

    assert change.describe().startswith(f"{percent} % of your calls end on ")


async def test_old_calls_and_other_tenants_calls_do_not_count(store: Store) -> None:
    await add_calls(store, "m-1", days=40)
    await add_calls(store, "m-1", tenant="umbrella")
    await add_calls(store, "m-5")

    made = list_made(after(48))
    assert await load(store, made) == []
    since = UsageFilter(since=datetime.now(UTC) - timedelta(days=60))
    assert [item.calls for item in await load(store, made, only=since)] == [1]


async def test_an_announced_price_change_shows_prices_share_and_effect(store: Store) -> None:
    start = after(30)
    with list_model("anthropic", "dearer-1", (None, 1, 4), (start, 1.5, 6)):
        await add_calls(store, "dearer-1", "dearer-1", "claude-haiku-4-5", "claude-haiku-4-5")
        await add_calls(store, "dearer-1", tenant="umbrella")
        [found] = await load(store)

    record = found.to_record()
    text, cost = record.pop("text"), record.pop("cost_text")
    assert record == {
        "kind": "price",
        "provider": "anthropic",
        "models": ["dearer-1"],
        "date": start.isoformat(),
        "to": None,
        "calls": 2,
        "share": 0.5,
        "old_price": {"input": "1", "output": "4"},
        "new_price": {"input": "1.5", "output": "6"},
        "cost_change_usd": "0.005000",
        "cost_change_percent": 50.0,
        "source": VERSION,
        "rehearsal": None,
    }
    when = f"from {start.day} {start:%B %Y} (in 30 days)"
    assert text == f"50 % of your calls cost 50 % more {when}: anthropic:dearer-1"
    rates = "$1.00 / $4.00 → $1.50 / $6.00 per million input / output tokens"
    assert cost == f"{rates}; $0.0050 more a month"
    assert found.price is not None
    same = replace(found, price=replace(found.price, new_usd=found.price.old_usd))
    assert same.describe_cost() == f"{rates}; a month costs the same"
    assert [*describe_changes([found])] == [text, f"  {cost}"]
    assert list_endings([found]) == []


@pytest.mark.parametrize(
    ("model", "prices", "told"),
    [
        ("free-2", ((0, 0), (1, 4)), "cost money (free before) "),
        ("cheaper-2", ((1, 4), (0.75, 3)), "cost 25 % less "),
        ("given-away-2", ((1, 4), (0, 0)), "cost 100 % less "),
        ("same-2", ((1, 4), (1, 4)), None),
    ],
)
async def test_a_model_that_becomes_priced_or_cheaper_is_reported(
    store: Store, model: str, prices: tuple[tuple[float, float], ...], told: str | None
) -> None:
    old, new = prices
    with list_model("anthropic", model, (None, *old), (after(61), *new)):
        await add_calls(store, model)
        found = await load(store)

    assert len(found) == (told is not None)
    assert all(told in item.describe() for item in found if told)


@pytest.mark.parametrize(("days", "is_reported"), [(-40, False), (-10, True), (100, False)])
async def test_a_price_change_counts_from_30_days_ago_to_90_days_ahead(
    store: Store, days: int, is_reported: bool
) -> None:
    start = after(days)
    with list_model("anthropic", f"dated{days}", (None, 1, 4), (start, 2, 8)):
        await add_calls(store, f"dated{days}")
        found = await load(store)

    assert [item.at for item in found] == ([start] if is_reported else [])
    assert all(f"100 % more since {start.day} " in item.describe() for item in found)


async def test_two_price_changes_of_a_model_are_two_findings(store: Store) -> None:
    first, second = after(5), after(45)
    with list_model("anthropic", "twice-3", (None, 1, 4), (first, 2, 8), (second, 1, 4)):
        await add_calls(store, "twice-3")
        found = await load(store)

    assert [(item.at, item.to_record()["cost_change_percent"]) for item in found] == [
        (first, 100.0),
        (second, -50.0),
    ]


async def test_only_own_prices_set_as_a_share_follow_dated_price_changes(store: Store) -> None:
    start = after(30)
    own = Prices({"anthropic:own-4": OwnPrice(input=Decimal(1), output=Decimal(4))})
    half = Prices({"anthropic:own-4": OwnPrice(share=Decimal("0.5"))})
    with list_model("anthropic", "own-4", (None, 1, 4), (start, 2, 8)):
        await add_calls(store, "own-4")
        db = store.read("acme")
        assert await list_model_changes(db, NONE, own) == []
        [found] = await list_model_changes(db, NONE, half)

    assert found.to_record()["new_price"] == {"input": "1", "output": "4"}


async def test_a_rerouted_model_is_reported_from_its_first_call_on(store: Store) -> None:
    asked, answered = "claude-opus-4-5", "claude-haiku-4-5"
    await add_calls(store, asked, days=50)
    await add_calls(store, asked, answered=answered, days=45)
    await add_calls(store, asked, answered=answered, days=3)
    await add_calls(store, asked, answered=f"{asked}-20251101")
    await add_calls(store, "my-alias", answered=answered)
    await roll_up_usage(store)
    [found] = await load(store)

    record = found.to_record()
    text, cost = record.pop("text"), record.pop("cost_text")
    first = after(-45)
    assert record == {
        "kind": "reroute",
        "provider": "anthropic",
        "models": [asked],
        "date": first.isoformat(),
        "to": answered,
        "calls": 1,
        "share": 0.3333,
        "old_price": {"input": "5", "output": "25"},
        "new_price": {"input": "1", "output": "5"},
        "cost_change_usd": "-0.024000",
        "cost_change_percent": -80.0,
        "source": "ledger",
        "rehearsal": None,
    }
    since = f"since {first.day} {first:%B %Y}"
    assert text == f"33 % of your calls are answered by {answered} {since}: anthropic:{asked}"
    assert cost.endswith("$0.0240 less a month")
    assert await list_model_changes(store.read("umbrella"), NONE, LIST_PRICES) == []


@pytest.mark.parametrize("days", [20, -20])
@pytest.mark.parametrize("is_seen", [False, True])
async def test_a_vendors_reroute_is_one_finding_before_and_after_its_date(
    store: Store, days: int, is_seen: bool
) -> None:
    at = after(days)
    asked, successor = "claude-opus-4-5", "claude-haiku-4-5"
    announced = Ending("anthropic", (asked,), at, successor, "https://vendor/page", True)
    await add_calls(store, asked, "claude-sonnet-5-5")
    await add_calls(store, asked, answered=f"{successor}-20251001" if is_seen else asked)
    [found] = await load(store, Endings([announced]))

    assert (found.kind, found.at, found.to, found.calls) == ("reroute", at, successor, 2)
    assert (found.source, found.share) == ("https://vendor/page", 2 / 3)
    assert found.price and (found.price.new.input, found.price.old.input) == (1, 5)
    [ending] = list_endings([found])
    assert (ending["ends"], ending["successor"]) == (at.isoformat(), successor)


async def test_a_shutdown_does_not_hide_a_reroute_to_another_model(store: Store) -> None:
    soon = after(48)
    ending = Ending("anthropic", ("claude-opus-4-5",), soon, "claude-opus-5-5")
    await add_calls(store, "claude-opus-4-5", answered="claude-haiku-4-5")
    found = await load(store, Endings([ending]))

    assert [(item.kind, item.to, item.at) for item in found] == [
        ("reroute", "claude-haiku-4-5", get_today()),
        ("shutdown", "claude-opus-5-5", soon),
    ]


async def test_calls_of_unchanged_models_make_no_finding(store: Store) -> None:
    await add_calls(store, "claude-haiku-4-5", "claude-sonnet-5-5")
    await add_calls(store, "claude-haiku-4-5", answered="claude-haiku-4-5-20251001")
    assert await load(store) == []
    assert await list_model_changes(store.read("umbrella"), list_made(after(48)), LIST_PRICES) == []
