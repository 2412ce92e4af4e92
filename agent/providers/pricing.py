"""Prices calls: by the operator's own table, else by genai-prices as of the time of the call.

Unknown is None, never 0.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from ..config.prices import OwnPrice
from ..dataclasses import astuple, dataclass, replace
from ..types import Record, Usage
from .defaults import PROVIDER_DEFAULTS, find_cache_offer, name_provider

OFFLINE: Final = "offline"
RECORDED: Final = "recorded"  # answers of a replay
UNLISTED: Final = (OFFLINE, RECORDED)  # nobody sells them: no need to load the public list
COST_DIGITS: Final = Decimal("0.00000001")
# What Anthropic and OpenAI charge for a batch, where the list has no prices of its own for it.
# Source: platform.claude.com, build-with-claude/batch-processing; developers.openai.com,
# guides/batch.
BATCH_SHARE: Final = Decimal("0.5")
LONGEST_NAME: Final = 200  # of a model
_MILLION: Final = 1_000_000
_CACHE_KINDS: Final = (
    ("input_tokens", "cache_read_tokens"),
    ("input_tokens", "cache_write_tokens"),
    ("input_tokens", "cache_write_tokens", "cache_write_1h_tokens"),
)
_FEW: Final = 1_000  # tokens; fewer than where a list's next tier begins
SLOT_S: Final = 900  # prices begin on a quarter of an hour, if not on a day


class Cost(Record, frozen=True):
    """A call's cost and the price table used.
    amount_usd: decimal text; None if the price or the usage is unknown.
    """

    amount_usd: str | None
    version: str | None  # which price table said so

    @property
    def amount(self) -> Decimal | None:
        return None if self.amount_usd is None else Decimal(self.amount_usd)


class Prices:
    """The prices of models: the operator's table first, then the public list.

    >>> Prices().price("offline", "offline-rules", Usage(input_tokens=5, output_tokens=1))
    Cost(amount_usd='0', version='offline')
    """

    def __init__(
        self, own: Mapping[str, OwnPrice] | None = None, *, is_batch: bool = False
    ) -> None:
        self._own = dict(own or {})
        self._is_batch = is_batch
        listed = repr(sorted((name, astuple(price)) for name, price in self._own.items()))
        # So that a row tells which state of the operator's table it was priced by.
        self._version = f"own {hashlib.sha256(listed.encode()).hexdigest()[:8]}"

    def at_batch_rates(self) -> Prices:
        """Return the prices of calls through a provider's batch API."""
        return Prices(self._own, is_batch=True)

    def has_own(self, provider: str, model: str) -> bool:
        """Return whether the operator's table has a price for exactly this model."""
        return f"{provider}:{model}" in self._own

    def price(
        self,
        provider: str,
        model: str,
        usage: Usage,
        at: datetime | None = None,
        *,
        listed_as: str | None = None,
    ) -> Cost:
        """Return the cost of one call's tokens, or an unknown cost.

        listed_as: the name under which the public list has it; None: the same.
        """
        # Unknown, not 0: a replay's cost would else be summed as if it had been free.
        if provider == RECORDED:
            return Cost(None, None)
        own = self._own.get(f"{provider}:{model}") or self._own.get(f"{provider}:*")
        if own is None and provider == OFFLINE:
            return Cost("0", OFFLINE)
        if own is not None and own.call is not None:
            return Cost(_format(own.call), self._version)
        is_unstated = usage.output_tokens is None and usage.output_total is None
        if is_unstated and usage.input_total is None:
            return Cost(None, None)
        if own is None:
            return _price_by_list(provider, model, usage, at, is_batch=self._is_batch)
        if own.share is None:
            share = BATCH_SHARE if self._is_batch else Decimal(1)
            counted = (
                (usage.input_tokens, own.input, None),
                (usage.cache_read_tokens, own.cache_read, own.input),
                (usage.cache_write_tokens, own.cache_write, own.input),
                (usage.cache_write_long_tokens, own.cache_write_long, 2 * (own.input or 0)),
                (usage.output_tokens, own.output, None),
                (usage.reasoning_tokens, own.reasoning, own.output),
            )
            total = Decimal(0)
            for tokens, rate, otherwise in counted:
                total += (tokens or 0) * ((otherwise if rate is None else rate) or Decimal(0))
            return Cost(_format(total / _MILLION * share), self._version)
        name = listed_as or model
        listed = _price_by_list(provider, name, usage, at, is_batch=self._is_batch)
        if listed.amount is None:
            return listed
        return Cost(_format(listed.amount * own.share), f"{self._version}, {listed.version}")

    def price_bound(
        self,
        provider: str,
        model: str,
        input_tokens: int,
        output_tokens: int,
        *,
        is_long: bool = False,
    ) -> Decimal | None:
        """Return a call's maximum cost in dollars, as if its whole input were written to a cache.

        is_long: for the longer of its lifetimes.

        None: the price is not known.
        """
        if not self._own and not self._is_batch and (rates := _load_rates(provider, model)):
            written = rates.cache_write_long if is_long else rates.cache_write
            input_usd = input_tokens * max(rates.input, written)
            return Decimal(_format(input_usd + output_tokens * rates.output))
        plain = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        upper = self.price(provider, model, plain).amount
        if upper is None:
            return None
        written = Usage(
            cache_write_tokens=0 if is_long else input_tokens,
            cache_write_long_tokens=input_tokens if is_long else 0,
            output_tokens=output_tokens,
        )
        return max(upper, self.price(provider, model, written).amount or upper)


LIST_PRICES: Final = Prices()


def _load_rates(provider: str, model: str) -> _Rates | None:
    """Return the list's prices now; None if it has none, or not each token has a price."""
    provider_id = name_provider(provider, "price_list")
    if len(model) > LONGEST_NAME or not _is_listed(provider_id, model):
        return None
    return _find_rates(provider_id, model, int(time.time()) // SLOT_S)


def _price_by_list(
    provider: str, model: str, usage: Usage, at: datetime | None, *, is_batch: bool
) -> Cost:
    provider_id = name_provider(provider, "price_list")
    if len(model) > LONGEST_NAME or not _is_listed(provider_id, model):
        return Cost(None, None)
    prices = load_prices()
    slot = int((at or datetime.now(UTC)).timestamp()) // SLOT_S
    rates = None if is_batch else _find_rates(provider_id, model, slot)
    if rates is not None:
        return Cost(_format(rates.add_up(usage)), f"genai-prices {prices.__version__}")
    counted = prices.Usage(
        input_tokens=usage.input_total,
        cache_read_tokens=usage.cache_read_tokens or None,
        cache_write_tokens=usage.written_total or None,
        cache_write_1h_tokens=usage.cache_write_long_tokens or None,
        output_tokens=usage.output_total,
    )
    named: dict[str, Any] = {"model_ref": model, "provider_id": provider_id}
    try:
        priced = prices.calc_price(counted, **named, genai_request_timestamp=at)
    except LookupError:
        return Cost(None, None)
    version = f"genai-prices {prices.__version__}"
    # What the list has no unit for: a longer lifetime than an hour.
    unlisted = (usage.cache_write_long_tokens or 0) * _price_unlisted(provider_id, model, slot)
    if not is_batch:
        return Cost(_format(priced.total_price + unlisted), version)
    unlisted *= BATCH_SHARE
    batched = prices.calc_price(
        counted, **named, genai_request_timestamp=at, price_context={"processing": "batch"}
    )
    if batched.model_price == priced.model_price:  # the list has none for batches
        half = priced.total_price * BATCH_SHARE + unlisted
        return Cost(_format(half), f"{version}, half for a batch")
    return Cost(_format(batched.total_price + unlisted), f"{version}, batch")


@dataclass(frozen=True, slots=True)
class _Rates:
    """The price of one token of each bucket, in USD."""

    input: Decimal
    cache_read: Decimal
    cache_write: Decimal
    cache_write_long: Decimal
    output: Decimal

    def add_up(self, usage: Usage) -> Decimal:
        return (
            (usage.input_tokens or 0) * self.input
            + (usage.cache_read_tokens or 0) * self.cache_read
            + (usage.cache_write_tokens or 0) * self.cache_write
            + (usage.cache_write_long_tokens or 0) * self.cache_write_long
            + ((usage.output_tokens or 0) + (usage.reasoning_tokens or 0)) * self.output
        )


@lru_cache(maxsize=1024)
def _find_rates(provider_id: str, model: str, slot: int) -> _Rates | None:
    """Return a model's listed prices in a quarter of an hour: a query costs 600 Python calls.
    None: a token's price depends on how many there are, or a request has a price of its own.
    """
    names = (("input_tokens",), *_CACHE_KINDS, ("output_tokens",))
    few, many = (
        [_price_counts(provider_id, model, slot, dict.fromkeys(item, n)) for item in names]
        for n in (_FEW, _MILLION)
    )
    share = _MILLION // _FEW
    is_even = all(a * share == b for a, b in zip(few, many, strict=True))
    if not is_even or _price_counts(provider_id, model, slot, {"input_tokens": 0}):
        return None
    rates = _Rates(*(amount / _MILLION for amount in many))
    unlisted = _price_unlisted(provider_id, model, slot)
    return replace(rates, cache_write_long=rates.cache_write_long + unlisted)


@lru_cache(maxsize=1024)
def _price_unlisted(provider_id: str, model: str, slot: int) -> Decimal:
    """Return the price of a token written for over an hour, less the list's price for one hour."""
    provider = next(
        (n for n in PROVIDER_DEFAULTS if name_provider(n, "price_list") == provider_id), provider_id
    )
    offer = find_cache_offer(provider, model)
    if offer is None or offer.long is None:
        return Decimal(0)
    plain, listed = (
        _price_counts(provider_id, model, slot, dict.fromkeys(item, _FEW)) / _FEW
        for item in (("input_tokens",), _CACHE_KINDS[-1])
    )
    return max(Decimal(0), plain * Decimal(str(offer.long_write)) - listed)


def _price_counts(provider_id: str, model: str, slot: int, counts: dict[str, int]) -> Decimal:
    prices, at = load_prices(), datetime.fromtimestamp(slot * SLOT_S, UTC)
    named: dict[str, Any] = {"model_ref": model, "provider_id": provider_id}
    calculated = prices.calc_price(prices.Usage(**counts), **named, genai_request_timestamp=at)
    return calculated.total_price


def is_listed(provider: str, model: str) -> bool:
    """Return whether the public price list has a price for the model."""
    # The list itself keeps each name that it was asked for.
    is_name = len(model) <= LONGEST_NAME
    return is_name and _is_listed(name_provider(provider, "price_list"), model)


def list_priced_models(provider: str) -> list[str]:
    """List the names under which the public price list has a provider's models."""
    name = name_provider(provider, "price_list")
    providers: Any = load_prices().data_snapshot.get_snapshot().providers
    return [model.id for listed in providers if listed.id == name for model in listed.models]


@lru_cache(maxsize=256)
def _is_listed(provider_id: str, model: str) -> bool:
    if provider_id in UNLISTED:
        return False
    prices = load_prices()
    try:
        prices.calc_price(prices.Usage(input_tokens=1), model_ref=model, provider_id=provider_id)
    except LookupError:
        return False
    return True


def _format(amount: Decimal) -> str:
    return f"{amount.quantize(COST_DIGITS).normalize():f}"


@lru_cache(maxsize=1)
def load_prices() -> Any:
    """Import and return the public price list. Call it late, because the import takes 0.4 s."""
    import genai_prices

    return genai_prices
