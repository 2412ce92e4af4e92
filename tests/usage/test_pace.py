"""The remaining budget, and the forecast of its use at the end of its period."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from plainloop.agent.store.budgets import BudgetUsage
from plainloop.agent.store.records import Budget
from plainloop.agent.usage.pace import Outlook, find_outlook

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def test_an_unused_budget_has_a_forecast_of_zero_tokens() -> None:
    usage = BudgetUsage(
        Budget("tenant", "day", 1_000, Decimal(2)),
        subject="",
        used_tokens=0,
        used_usd=Decimal(0),
        reserved_tokens=0,
        reserved_usd=Decimal(0),
        until=NOON + timedelta(hours=12),
    )
    assert find_outlook(usage, NOON) == Outlook(1_000, Decimal(2), 0, Decimal(0))
