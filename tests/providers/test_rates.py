"""Prices that are remembered are the list's own, to the last digit."""

from __future__ import annotations

from datetime import UTC, datetime

import genai_prices
from genai_prices.data_snapshot import get_snapshot
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.providers.pricing import COST_DIGITS, LIST_PRICES
from plainloop.agent.types import Usage

AT = datetime(2026, 11, 22, 17, 40, tzinfo=UTC)
COUNTS = st.integers(0, 500_000)
LISTED = [
    (provider.id, model.id)
    for provider in get_snapshot().providers
    if provider.id in ("anthropic", "openai", "google", "deepseek", "mistral")
    for model in provider.models
]
NAMES = {"google": "gemini"}  # ours, where it is another


@given(
    st.sampled_from(LISTED),
    st.builds(
        Usage,
        input_tokens=COUNTS,
        cache_read_tokens=COUNTS | st.none(),
        cache_write_tokens=COUNTS | st.none(),
        output_tokens=COUNTS,
        reasoning_tokens=COUNTS | st.none(),
    ),
)
def test_a_call_costs_what_the_list_says(model: tuple[str, str], usage: Usage) -> None:
    provider_id, name = model
    counted = genai_prices.Usage(
        input_tokens=usage.input_total,
        cache_read_tokens=usage.cache_read_tokens or None,
        cache_write_tokens=usage.cache_write_tokens or None,
        output_tokens=usage.output_total,
    )
    try:
        listed = genai_prices.calc_price(
            counted, model_ref=name, provider_id=provider_id, genai_request_timestamp=AT
        )
    except LookupError:
        return
    amount = LIST_PRICES.price(NAMES.get(provider_id, provider_id), name, usage, AT).amount
    assert amount is not None
    assert amount == listed.total_price.quantize(COST_DIGITS)
