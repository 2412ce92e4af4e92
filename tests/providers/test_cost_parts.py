"""A call's cost by kind of token: the parts add up to it, or there are none."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.providers.cost_parts import split_cost
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.types import Usage

AT = datetime(2026, 11, 27, tzinfo=UTC)
USAGE = Usage(44, 1000, 2192, 32, None)
MODEL = ("anthropic", "claude-sonnet-5-5", "claude-sonnet-5-5")


def test_a_calls_cost_is_split_by_the_prices_of_its_tokens() -> None:
    prices = Prices()
    cost = prices.price(*MODEL[:2], USAGE, AT).amount_usd
    parts = split_cost(prices, *MODEL, USAGE, AT, cost)

    assert [(part.bucket, part.tokens, part.usd_per_million, part.usd) for part in parts] == [
        ("input_tokens", 44, "2", "0.000088"),
        ("cache_read_tokens", 1000, "0.1", "0.0001"),
        ("cache_write_tokens", 2192, "2.5", "0.00548"),
        ("output_tokens", 32, "10", "0.00032"),
    ]
    assert cost is not None
    assert sum(Decimal(part.usd) for part in parts) == Decimal(cost)


def test_a_cost_that_the_prices_do_not_explain_is_not_split() -> None:
    prices, per_call = Prices(), Prices({"anthropic:claude-sonnet-5-5": OwnPrice(call=Decimal(1))})
    cost = prices.price(*MODEL[:2], USAGE, AT).amount_usd

    assert split_cost(prices, *MODEL, USAGE, AT, "0.5") == [], "recorded at other prices"
    assert split_cost(prices, *MODEL, USAGE, AT, None) == []
    assert split_cost(prices, "anthropic", "unheard-of", None, USAGE, AT, cost) == []
    assert split_cost(per_call, *MODEL, USAGE, AT, "1") == []
    assert split_cost(prices, *MODEL, replace(USAGE, output_tokens=33), AT, cost) == []
