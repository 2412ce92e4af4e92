"""Splits a call's cost by kind of token, so that a person can add it up again."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Final

from ..dataclasses import dataclass, replace
from ..types import TOKEN_BUCKETS, Usage
from .answered_models import price_call
from .pricing import Prices

_SAMPLE: Final = 1_000  # tokens: below the point where a list's next tier begins
_MILLION: Final = 1_000_000
_ROUNDING: Final = Decimal("0.00000001")  # of the ledger's amount


@dataclass(frozen=True, slots=True)
class CostPart:
    """The cost of a call's tokens of one kind. bucket: as the usage names it, `input_tokens`."""

    bucket: str
    tokens: int
    usd_per_million: str
    usd: str


def split_cost(
    prices: Prices,
    provider: str,
    requested: str,
    answered: str | None,
    usage: Usage,
    at: datetime,
    cost_usd: str | None,
) -> list[CostPart]:
    """Split a call's recorded cost by kind of token, at the prices of its time.

    [] if the parts do not add up to the cost: a price for each call, tiers, a batch, older prices.
    """
    if cost_usd is None:
        return []
    parts: list[CostPart] = []
    total = Decimal(0)
    for bucket in TOKEN_BUCKETS:
        tokens: int = getattr(usage, bucket) or 0
        if not tokens:
            continue
        sample = replace(Usage(output_tokens=0), **{bucket: _SAMPLE})
        amount = price_call(prices, provider, requested, answered, sample, at).amount
        if amount is None:
            return []
        rate = amount * (_MILLION // _SAMPLE)
        usd = tokens * rate / _MILLION
        total += usd
        parts.append(CostPart(bucket, tokens, f"{rate.normalize():f}", f"{usd.normalize():f}"))
    if abs(total - Decimal(cost_usd)) > _ROUNDING:
        return []
    return parts
