"""Where an import is written to, and what it has cost so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from plainloop.agent.config.settings import Settings
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.store import Store

from .values import make_name_id


@dataclass(slots=True)
class Money:
    """Sums what the calls cost: as the sources said, and by our own prices."""

    stated_usd: Decimal = Decimal(0)
    priced_usd: Decimal = Decimal(0)
    calls: int = 0
    estimated: int = 0  # whose tokens nobody had told
    unpriced: int = 0


@dataclass(slots=True)
class Target:
    """Says where to write, and whose threads they become. pack: that goes on with them."""

    store: Store
    settings: Settings
    prices: Prices
    source: str
    tenant_id: str
    user_id: str
    pack: str
    expire_s: float
    money: Money = field(default_factory=Money)
    days: set[datetime] = field(default_factory=set[datetime])

    @property
    def space(self) -> str:
        """Return whose names its conversations bear: for LangGraph those that its clients use."""
        return self.source if self.source == "langgraph" else f"import:{self.source}"

    def name_thread(self, name: str) -> str:
        return make_name_id(self.tenant_id, self.user_id, self.source, name)
