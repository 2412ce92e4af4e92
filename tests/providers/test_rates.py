"""Prices that are remembered are the list's own, to the last digit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from typing import Any

import genai_prices
import pytest
from genai_prices.data_snapshot import get_snapshot
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.providers.pricing import COST_DIGITS, LIST_PRICES, Prices
from plainloop.agent.types import INPUT_BUCKETS, Usage

AT = datetime(2026, 11, 22, 17, 40, tzinfo=UTC)
COUNTS = st.integers(0, 500_000)
LISTED = [
    (provider.id, model.id)
    for provider in get_snapshot().providers
    if provider.id in ("anthropic", "openai", "google", "deepseek", "mistral")
    for model in provider.models
]
NAMES = {"google": "gemini"}  # ours, where it is another


@cache
def has_long_price(provider_id: str, name: str) -> bool:
    """Whether the list has a price of its own for what is written for long."""
    prices = (
        genai_prices.calc_price(
            genai_prices.Usage(
                input_tokens=1000, cache_write_tokens=1000, cache_write_1h_tokens=long
            ),
            model_ref=name,
            provider_id=provider_id,
            genai_request_timestamp=AT,
        ).total_price
        for long in (0, 1000)
    )
    return next(prices) != next(prices)


@given(
    st.sampled_from(LISTED),
    st.builds(
        Usage,
        input_tokens=COUNTS,
        cache_read_tokens=COUNTS | st.none(),
        cache_write_tokens=COUNTS | st.none(),
        cache_write_long_tokens=COUNTS | st.none(),
        output_tokens=COUNTS,
        reasoning_tokens=COUNTS | st.none(),
    ),
)
def test_a_calls_cost_follows_the_price_list(model: tuple[str, str], usage: Usage) -> None:
    provider_id, name = model
    try:
        # OpenAI's twelve hours, and models of before there were caches: ours is twice the input's.
        if provider_id in ("openai", "anthropic") and not has_long_price(*model):
            usage = replace(usage, cache_write_long_tokens=None)
        counted = genai_prices.Usage(
            input_tokens=usage.input_total,
            cache_read_tokens=usage.cache_read_tokens or None,
            cache_write_tokens=usage.written_total or None,
            cache_write_1h_tokens=usage.cache_write_long_tokens or None,
            output_tokens=usage.output_total,
        )
        listed = genai_prices.calc_price(
            counted, model_ref=name, provider_id=provider_id, genai_request_timestamp=AT
        )
    except LookupError:
        return
    amount = LIST_PRICES.price(NAMES.get(provider_id, provider_id), name, usage, AT).amount
    assert amount is not None
    assert amount == listed.total_price.quantize(COST_DIGITS)


@pytest.mark.parametrize(
    ("model", "input_usd", "read_usd", "short_usd", "long_usd"),
    [
        ("anthropic:claude-sonnet-5-5", "0.2", "0.01", "0.25", "0.4"),
        ("openai:gpt-6.1-terra", "0.1", "0.005", "0.125", "0.25"),  # 12 h: no unit in the list
        ("kimi:kimi-k3.1-pro", "0.2", "0.02", "0.2", "0.4"),
    ],
)
def test_each_lifetime_of_a_cache_has_its_own_price(
    model: str, input_usd: str, read_usd: str, short_usd: str, long_usd: str
) -> None:
    """100,000 tokens of each kind, alone and in one call."""
    provider, _, name = model.partition(":")
    alone = [
        LIST_PRICES.price(provider, name, replace(Usage(), **{bucket: 100_000}), AT).amount_usd
        for bucket in INPUT_BUCKETS
    ]
    counts: dict[str, Any] = dict.fromkeys(INPUT_BUCKETS, 10_000)
    mixed = LIST_PRICES.price(provider, name, Usage(**counts), AT).amount
    assert alone == [input_usd, read_usd, short_usd, long_usd]
    assert mixed == sum(Decimal(usd or 0) for usd in alone) / 10


def test_own_long_cache_prices_default_to_twice_the_input_price() -> None:
    stated = OwnPrice(Decimal(2), Decimal(8), cache_write_long=Decimal(3))
    prices = Prices({"a:m": stated, "a:n": OwnPrice(Decimal(2), Decimal(8))})
    usage = Usage(cache_write_long_tokens=1_000_000)
    assert [prices.price("a", name, usage).amount_usd for name in ("m", "n")] == ["3", "4"]
