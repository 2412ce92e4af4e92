"""The remaining budget, and the forecast of its use at the end of its period."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from plainloop.agent.base.ids import make_id
from plainloop.agent.store.budgets import BudgetUsage
from plainloop.agent.store.records import Budget
from plainloop.agent.store.store import Store
from plainloop.agent.usage.pace import Outlook, Rate, find_outlook, load_pace, load_rates
from plainloop.agent.usage.report import ALL
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
    rates = {"": Rate(usd=[Decimal(50)] * 7), "ann": Rate(usd=[Decimal(2)] * 7)}
    found = find_outlook(usage, rates, end - timedelta(days=5))
    assert found.forecast_usd == Decimal(19)
    # Nobody used it yet: the average of all together is not theirs.
    unused = BudgetUsage(budget, None, 0, Decimal(0), 0, Decimal(0), end)
    assert find_outlook(unused, rates, end - timedelta(days=5)).forecast_usd == 0


async def test_a_first_days_hours_count_as_they_are_and_not_as_a_day(store: Store) -> None:
    today = NOON.replace(hour=0)
    await fill_hours(store, today, 6)
    (early, noon, evening) = [
        (await load_rates(store.read("acme"), today + timedelta(hours=hours)))[""].usd[0]
        for hours in (1, 12, 18)
    ]
    assert noon * 12 == evening * 18 > 0
    assert early * 6 == noon * 12, "an hour is no pace"


async def test_each_day_left_is_forecast_by_the_same_weekday_of_the_last_week(store: Store) -> None:
    """Eight weeks of work days at 2 and week-ends at 0, with use that doubles in the last."""
    friday = datetime(2026, 11, 13, tzinfo=UTC)
    for days in range(1, 57):
        day = friday - days * timedelta(days=1)
        if day.weekday() < 5:
            await fill_day(store, day, "ann", "2" if days < 8 else "1")
    await fill_day(store, friday, "bob", "0.5")
    now = friday + timedelta(hours=12)
    rates = await load_rates(store.read("acme"), now, has_users=True)
    pace = await load_pace(store.read("acme"), ALL, now)

    assert rates["ann"].usd == rates[""].usd == [Decimal(2)] * 5 + [Decimal()] * 2
    assert "bob" not in rates, "the running day is no weekday's measure"
    # 9 work days so far, of which 5 at 2; half a Friday and 11 work days are left.
    assert pace.month_usd == Decimal("14.5")
    assert pace.forecast_usd == Decimal("14.5") + 1 + 22


async def test_usage_of_erased_users_does_not_replace_the_sum_of_all(store: Store) -> None:
    today = NOON.replace(hour=0)
    await fill_day(store, today, "ann", "2")
    await fill_day(store, today, "", "1")
    rates = await load_rates(store.read("acme"), today + timedelta(hours=24), has_users=True)
    assert {name: rate.usd[0] for name, rate in rates.items()} == {"": 3, "ann": 2}


async def fill_day(store: Store, day: datetime, user_id: str, cost: str) -> None:
    async with store.transaction("acme") as tx:
        sql = "insert into llm_calls (tenant_id, call_id, user_id, node, role, attempt, provider,"
        sql += " model, estimated_input_tokens, created_at, status, cost_usd) values"
        sql += " ($1, $2, $3, 'n', 'worker', 1, 'p', 'm', 0, $4, 'succeeded', $5)"
        at = day + timedelta(hours=1)
        await tx.execute(sql, "acme", make_id(), user_id, at, Decimal(cost))
