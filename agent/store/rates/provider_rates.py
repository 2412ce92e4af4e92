"""Where model calls wait for a provider's rate limit; without a package for it, none waits.

A package that does extends `ProviderRates` and is found by the entry point `rates` of
`plainloop.hooks`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from math import inf
from typing import Final

from ...config.installed import load_hook
from ...config.rates import ProviderRate
from ...errors import ConfigError
from ..database import Queryable
from ..records import CallSettled, CallStart


class ProviderRates:
    """Lets every model call go at once."""

    are_set = False  # True: model calls may have to wait

    async def take(self, start: CallStart, wait_s: float = inf) -> None:
        """Wait until the provider's rates allow this model call, `wait_s` seconds at most."""

    def settle(self, calls: Sequence[CallSettled]) -> None:
        """Correct the rates by what ended calls actually used."""

    @asynccontextmanager
    async def heeded(self, label: str) -> AsyncGenerator[None]:
        """Pause the provider's calls if the block raises RateLimited. label: `provider:model`."""
        yield

    def close(self) -> None:
        """Stop what lets waiting model calls proceed."""


NO_RATES: Final = ProviderRates()


def make_rates(db: Queryable, rates: Mapping[str, ProviderRate]) -> ProviderRates:
    """Build what makes model calls wait for the configured rates. db: works for all tenants.

    Raises: ConfigError when rates are configured and no package knows them.
    """
    if not rates:
        return NO_RATES
    if (hook := load_hook("rates")) is None:
        raise ConfigError(
            "`[rates]` needs plainloop-operations, which is not installed",
            hint="Install it with `pip install plainloop-operations`, or remove `[rates]`.",
        )
    return hook(db, rates)
