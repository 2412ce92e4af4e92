"""What prompt caches saved and lost, from the ledger's rows and today's prices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from ..providers.defaults import PROVIDER_DEFAULTS, find_cache_offer
from ..providers.pricing import LIST_PRICES, Prices
from ..store.database import Queryable, Row
from ..types import INPUT_BUCKETS, Usage
from .dimensions import build_cache_sums
from .report import ALL, SQL, UsageFilter, UsageRow, load_range, read_filters, to_keys

_OFFERS: Final = [offer for it in PROVIDER_DEFAULTS.values() for offer in it.caches]
_LIFETIMES_S: Final = sorted({s for each in _OFFERS for s in (each.short_s, each.long_s) if s})
_TEMPLATE: Final = SQL["sum_caches"].replace(
    "{lifetimes}", ", ".join(f"{s}.0" for s in _LIFETIMES_S)
)
_PRICED_TOKENS: Final = 10_000  # at once, within the first step of every price

# Of a run's calls, each compared with the one before in its thread, also of an earlier run.
_OF_RUN: Final = {
    "keys": "call_id, run_id, ",
    "names": "call_id, ",
    "source": "llm_calls",
    "conditions": "tenant_id = $1 and run_id in (select run_id from messages"
    " where tenant_id = $1 and thread_id = $2 and role = 'user')",
    "only": " where run_id = $3",
    "places": "1, 2, 3, 4, 5, 6",
}

LOSSES: Final = ("pause_loss_usd", "prefix_loss_usd")
Amounts = dict[str, Decimal]


async def add_cache_amounts(
    rows: Sequence[UsageRow],
    db: Queryable,
    by: Sequence[str] = (),
    only: UsageFilter = ALL,
    prices: Prices = LIST_PRICES,
) -> list[UsageRow]:
    """Add to usage rows how many dollars prompt caches saved and cost in each group."""
    filters, values = read_filters(only)
    sql = build_cache_sums(_TEMPLATE, by, filters, only.zone)
    amounts: dict[tuple[str | None, ...], Amounts] = defaultdict(Amounts)
    for row in await db.fetch(sql, *await load_range(db, only), *values):
        group = amounts[(*to_keys(row, by, only.zone).values(),)]
        for name, amount in _price_sums(row, prices).items():
            group[name] = group.get(name, Decimal()) + amount
    return [
        replace(row, **{name: f"{usd.normalize():f}" for name, usd in priced.items()})
        for row in rows
        for priced in (amounts.get((*row.keys.values(),), {}),)
    ]


def sum_losses(row: UsageRow) -> Decimal:
    """Sum what prompt caches lost in a group, in US dollars."""
    return sum((Decimal(getattr(row, name) or 0) for name in LOSSES), Decimal())


async def load_cache_losses(
    db: Queryable, thread_id: str, run_id: str, prices: Prices
) -> dict[str, dict[str, str]]:
    """Load what each call of a run lost by caches, by call id: one of `LOSSES`, or nothing.

    The same as a usage report's, whose rows add these up.
    """
    rows = await db.fetch(_TEMPLATE.format(**_OF_RUN), db.tenant_id, thread_id, run_id)
    return {
        str(row["call_id"]): {
            name: f"{usd.normalize():f}"
            for name, usd in _price_sums(row, prices).items()
            if name in LOSSES
        }
        for row in rows
    }


def _price_sums(row: Row, prices: Prices) -> Amounts:
    """Price what a model's caches saved and lost; what has no known price is left out."""
    provider, model = row["of_provider"], row["of_model"]
    rates = {name: _find_rate(prices, provider, model, name) for name in INPUT_BUCKETS}
    fresh, read, again = rates["input_tokens"], rates["cache_read_tokens"], rates[row["paid_as"]]
    priced: Amounts = {}
    cached = {name: row[name] for name in INPUT_BUCKETS if name != "input_tokens" and row[name]}
    if cached and fresh is not None:
        # A bucket without a price of its own costs what fresh input does: nothing is saved.
        saved = [(fresh - (rates[name] or fresh)) * count for name, count in cached.items()]
        priced["cache_saved_usd"] = sum(saved, Decimal())
    if row["lost"] and again is not None and read is not None:
        name = "pause_loss_usd" if _is_expired(row) else "prefix_loss_usd"
        priced[name] = (again - read) * row["lost"]
    return priced


def _is_expired(row: Row) -> bool:
    """Whether the pause between two calls was longer than the cache's requested lifetime."""
    offer = find_cache_offer(row["of_provider"], row["of_model"])
    lifetime_s = _LIFETIMES_S[0]
    if offer is not None:
        lifetime_s = offer.long_s if row["was_long"] and offer.long_s else offer.short_s
    return row["pauses"] > _LIFETIMES_S.index(lifetime_s)


def _find_rate(prices: Prices, provider: str, model: str, name: str) -> Decimal | None:
    """Return the USD price of one input token of this bucket; None if unknown."""
    usage = replace(Usage(input_tokens=0, output_tokens=0), **{name: _PRICED_TOKENS})
    amount = prices.price(provider, model, usage).amount
    return None if amount is None else amount / _PRICED_TOKENS
