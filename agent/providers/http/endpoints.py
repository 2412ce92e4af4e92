"""A provider's address and key, declared apart so that reading settings loads no HTTP client."""

from __future__ import annotations

from typing import Final

from ...dataclasses import dataclass, field
from ...outbound.addresses import AllowList

NO_KEY: Final = "no-key"  # for servers without authentication: the SDKs insist on some key


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider's address, API key and network options."""

    base_url: str
    api_key: str = field(repr=False)
    timeout_s: float | None = None  # overrides each request's own
    # Set when the address came in a request: what it may reach beside the public internet.
    guard: AllowList | None = None
