"""`[rates.<provider>]`, `[rates."provider:model"]`: the account's rate limits per minute."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from ..dataclasses import dataclass, fields
from ..errors import ConfigError
from .values import Count, read_table

TABLE: Final = "rates"


@dataclass(frozen=True, slots=True)
class ProviderRate:
    """A limit on a provider's calls of all replicas and tenants; at least one field is set.

    tokens: of all buckets, cached or not.
    """

    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None


_NAMES: Final = tuple(item.name for item in fields(ProviderRate))


def read_rates(document: Mapping[str, Any], path: Path | None) -> dict[str, ProviderRate]:
    """Parse the settings file's `[rates]` to rate limits by provider or "provider:model".

    Raises: ConfigError for a name or a number that cannot be meant so.
    """
    where = f"{path.name if path else TABLE}: [{TABLE}"
    rows = read_table(document.get(TABLE, {}), f"{where}]")
    rates: dict[str, ProviderRate] = {}
    for name, raw in rows.items():
        place = f'{where}."{name}"]'
        given = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
        if not given or given.keys() - set(_NAMES):
            raise ConfigError(f"{place} sets no rate", hint=f"Set {' or '.join(_NAMES)}, or both.")
        try:
            rates[name] = msgspec.convert(given, ProviderRate)
        except msgspec.ValidationError:
            raise ConfigError(
                f"{place}: a rate must be a whole number above 0",
                hint="Leave the setting out if there is no limit.",
            ) from None
    return rates
