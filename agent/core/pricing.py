"""What a call cost: genai-prices' history, at the time of the call. Unknown is None, never 0."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from agent.providers.types import Usage

# Our provider names → genai-prices' ids, where they differ.
_PRICE_PROVIDERS: Final = {"gemini": "google", "kimi": "moonshotai", "glm": "zai"}
OFFLINE: Final = "offline"
COST_DIGITS: Final = Decimal("0.00000001")


@dataclass(frozen=True, slots=True)
class Cost:
    """amount_usd: decimal text, None when the price or the usage is unknown."""

    amount_usd: str | None
    version: str | None  # which price table said so


def price_usage(provider: str, model: str, usage: Usage) -> Cost:
    """The price of one call's tokens now.

    >>> price_usage("offline", "offline-rules", Usage(input_tokens=5, output_tokens=1))
    Cost(amount_usd='0', version='offline')
    """
    if provider == OFFLINE:
        return Cost("0", OFFLINE)
    if usage.input_total is None and usage.output_total is None:
        return Cost(None, None)
    prices = _load_prices()
    counted = prices.Usage(
        input_tokens=usage.input_total,
        cache_read_tokens=usage.cache_read_tokens or None,
        cache_write_tokens=usage.cache_write_tokens or None,
        output_tokens=usage.output_total,
    )
    provider_id = _PRICE_PROVIDERS.get(provider, provider)
    try:
        priced = prices.calc_price(counted, model_ref=model, provider_id=provider_id)
    except LookupError:
        return Cost(None, None)
    amount = priced.total_price.quantize(COST_DIGITS).normalize()
    return Cost(f"{amount:f}", f"genai-prices {prices.__version__}")


@lru_cache(maxsize=1)
def _load_prices() -> Any:
    """Imported on first use: 0.4 s that `--help` must not pay."""
    import genai_prices

    return genai_prices
