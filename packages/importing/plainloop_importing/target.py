"""Where an import is written to, and what it has cost so far."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from plainloop.agent.config.settings import Settings
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.store import Store

from .values import make_name_id


@dataclass(slots=True)
class Money:
    """The sum of the calls' costs: as their sources stated, and by our prices."""

    stated_usd: Decimal = Decimal(0)
    priced_usd: Decimal = Decimal(0)
    calls: int = 0
    estimated: int = 0  # whose tokens nobody had told
    unpriced: int = 0


@dataclass(slots=True)
class Target:
    """The tenant, user and source of an import. pack: the one that continues the conversations."""

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
        """Return the namespace in which the imported threads' names are unique.

        It is `langgraph` for LangGraph, as its clients use it, else `import:SOURCE`.
        """
        return self.source if self.source == "langgraph" else f"import:{self.source}"

    def name_thread(self, name: str) -> str:
        return make_name_id(self.tenant_id, self.user_id, self.source, name)
