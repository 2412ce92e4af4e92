"""The remaining budget, and the forecast of its use at the end of its period."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from plainloop.agent.store.budgets import BudgetUsage
from plainloop.agent.store.records import Budget
from plainloop.agent.store.store import Store
from plainloop.agent.usage.pace import Outlook, Rate, find_outlook, load_rates
from tests.usage.test_zones import fill_hours

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
    assert find_outlook(usage, {}, NOON) == Outlook(1_000, Decimal(2), 0, Decimal(0))


def test_a_budgets_forecast_adds_the_subjects_average_day_for_the_time_left() -> None:
    budget = Budget("user", "month", None, Decimal(100))
    end = datetime(2026, 12, 1, tzinfo=UTC)
    usage = BudgetUsage(budget, "ann", 0, Decimal(9), 0, Decimal(0), end)
    rates = {"": Rate(Decimal(0), Decimal(50)), "ann": Rate(Decimal(0), Decimal(2))}
    found = find_outlook(usage, rates, end - timedelta(days=5))
    assert found.forecast_usd == Decimal(19)
    # Nobody used it yet: the average of all together is not theirs.
    unused = BudgetUsage(budget, None, 0, Decimal(0), 0, Decimal(0), end)
    assert find_outlook(unused, rates, end - timedelta(days=5)).forecast_usd == 0


async def test_a_first_days_hours_count_as_they_are_and_not_as_a_day(store: Store) -> None:
    today = NOON.replace(hour=0)
    await fill_hours(store, today, 6)
    (early, noon, evening) = [
        (await load_rates(store.read("acme"), today + timedelta(hours=hours)))[""].usd
        for hours in (1, 12, 18)
    ]
    assert noon * 12 == evening * 18 > 0
    assert early * 6 == noon * 12, "an hour is no pace"
