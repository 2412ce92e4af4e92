"""What a model's tokens cost: the operator's own prices, else the public list's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from plainloop.agent.config.prices import OwnPrice
from plainloop.agent.errors import InputError
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.types import Usage

from ..decide.compacting import Rates

_TOKENS: Final = 10_000  # fewer than where a list begins its price for long calls


def find_rates(model: str, own: Mapping[str, OwnPrice]) -> Rates:
    """Return the model's prices per token, from the operator's prices or the public list.

    Raises: InputError for one without a price.
    """
    provider, _, name = model.partition(":")
    prices = Prices(own)
    usages = (
        Usage(input_tokens=_TOKENS, output_tokens=0),
        Usage(input_tokens=0, output_tokens=0, cache_write_tokens=_TOKENS),
        Usage(input_tokens=0, output_tokens=0, cache_read_tokens=_TOKENS),
        Usage(input_tokens=0, output_tokens=_TOKENS),
    )
    plain, write, read, output = (prices.price(provider, name, usage).amount for usage in usages)
    if plain is None:
        raise InputError(
            f"the price of {model} is unknown",
            hint='Add it to plainloop.toml: [prices."provider:model"].',
        )
    # A list without a price for writing charges the plain one.
    amounts = (max(plain, write or plain), plain if read is None else read, output or plain)
    return Rates(*(float(amount) / _TOKENS for amount in amounts), unit="USD")
