"""`[prices."provider:model"]`: the operator's own prices, where the public list is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from ..dataclasses import dataclass, fields
from ..errors import ConfigError
from .values import read_table

TABLE = "prices"


@dataclass(frozen=True, slots=True)
class OwnPrice:
    """The operator's prices in USD per million tokens, or a share of the list prices.

    input: uncached. cache_read, cache_write: None: as input. cache_write_long: for the longer of
    the model's lifetimes, an hour at Anthropic; None: twice the input. reasoning: None: as output.
    share: of the list price, for a contract with a discount (0.85); then nothing else is set.
    call: of a whole request, for what has no tokens ("tavily:search"); then nothing else is set.
    """

    input: Decimal | None = None
    output: Decimal | None = None
    cache_read: Decimal | None = None
    cache_write: Decimal | None = None
    cache_write_long: Decimal | None = None
    reasoning: Decimal | None = None
    share: Decimal | None = None
    call: Decimal | None = None


_NAMES = tuple(item.name for item in fields(OwnPrice))


def read_prices(document: Mapping[str, Any], path: Path | None) -> dict[str, OwnPrice]:
    """Parse the settings file's `[prices]` to prices by model ("provider:model").

    Raises: ConfigError for a name or a number that cannot be meant so.
    """
    where = f"{path.name if path else TABLE}: [{TABLE}"
    rows = read_table(document.get(TABLE, {}), f"{where}]")
    return {name: _read_price(name, raw, f'{where}."{name}"]') for name, raw in rows.items()}


def _read_price(name: str, raw: Any, where: str) -> OwnPrice:
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise ConfigError(
            f'{where}: the name must be "provider:model" or "provider:*"',
            hint='For example "openai:gpt-5-mini", or "openai:*" for all models of a provider.',
        )
    table = read_table(raw, where)
    for key in table:
        if key not in _NAMES:
            raise ConfigError(
                f"{where}: unknown key {key}", hint=f"Known keys: {', '.join(_NAMES)}."
            )
    price = OwnPrice(**{key: _read_number(value, f"{where} {key}") for key, value in table.items()})
    is_alone = (price.share is not None or price.call is not None) and len(table) == 1
    # Both or none: a price of which one half is a guess would look like a known one.
    is_list = {"input", "output"} <= table.keys() and not {"share", "call"} & table.keys()
    if not is_alone and not is_list:
        raise ConfigError(
            f"{where} needs `input` together with `output`, or `share` alone, or `call` alone",
            hint="`input` and `output` are USD per million tokens, `share` is a part of the list "
            "price (0.8: 20 % off), `call` is USD per call.",
        )
    return price


def _read_number(value: Any, where: str) -> Decimal:
    try:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise ValueError
        # Through text: Decimal(0.1) would have 55 digits.
        number = Decimal(str(value))
        if not number.is_finite() or number < 0:
            raise ValueError
    except (ValueError, InvalidOperation):
        raise ConfigError(
            f"{where} must be a number, 0 or more", hint="Prices are in USD per million tokens."
        ) from None
    return number
