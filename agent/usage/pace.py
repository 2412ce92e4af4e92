"""Sums today's and this month's cost, and forecasts the use of budgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Context, Decimal
from typing import Final

from ..config.zones import begin_day, begin_next_month, find_zone
from ..store.budgets import BudgetUsage
from ..store.database import Queryable
from .report import ALL, DAY, UsageFilter, summarize_usage

FORECAST: Final = Context(prec=3)  # more digits would change with each second
DAYS: Final = 7  # of which forecasts use the average
LEAST_DAYS: Final = 0.25  # a first day's first calls are no pace
MAX_USERS: Final = 1000  # with an average of their own: those with the highest costs


@dataclass(frozen=True, slots=True)
class Pace:
    """The cost of today and of this month so far, and a forecast. None: no price is known."""

    today_usd: Decimal | None
    month_usd: Decimal | None
    forecast_usd: Decimal | None  # of the whole month at this pace
    month_ends_at: datetime


@dataclass(frozen=True, slots=True)
class Rate:
    """The average use a day of the last 7 days, counted from the first of these with usage."""

    tokens: Decimal = Decimal()
    usd: Decimal = Decimal()


@dataclass(frozen=True, slots=True)
class Outlook:
    """A budget's remaining amounts and the forecast of its use; None without such a limit.

    Reservations of calls in progress count as used. The forecasts are also None for a budget
    without a period.
    """

    left_tokens: int | None
    left_usd: Decimal | None
    forecast_tokens: int | None
    forecast_usd: Decimal | None


def forecast(used: Decimal, daily: Decimal, end: datetime, now: datetime) -> Decimal:
    """Forecast the use at a period's end: what is used, and the daily average for the time left.

    >>> noon = datetime(2026, 11, 1, 12)
    >>> forecast(Decimal(3), Decimal(2), noon.replace(day=6), noon)
    Decimal('13')
    """
    return max(used, FORECAST.plus(used + daily * Decimal((end - now) / DAY)))


async def load_pace(db: Queryable, only: UsageFilter, now: datetime) -> Pace:
    """Load the cost of today's and of this month's calls, with a forecast for the month.
    The filter's times do not count. Raises: InputError for an unknown zone.
    """
    zone = find_zone(only.zone)
    today = now.astimezone(zone).date()
    begin, end = begin_day(today.replace(day=1), zone), begin_next_month(today, zone)
    costs: list[Decimal | None] = []
    for since in (begin_day(today, zone), begin):
        (row,) = await summarize_usage(db, (), replace(only, since=since, until=None))
        is_known = row.cost_usd is not None or not row.calls
        costs.append(Decimal(row.cost_usd or 0) if is_known else None)
    day, month = costs
    daily = (await load_rates(db, now, only))[""].usd
    return Pace(day, month, None if month is None else forecast(month, daily, end, now), end)


async def load_rates(
    db: Queryable, now: datetime, only: UsageFilter = ALL, *, has_users: bool = False
) -> dict[str, Rate]:
    """Load the average use a day: "" is that of all together, and with `has_users` that by user."""
    zone = find_zone(only.zone)
    week = begin_day(now.astimezone(zone).date() - (DAYS - 1) * DAY, zone)
    only = replace(only, since=week, until=None)
    by_day = await summarize_usage(db, ("day",), only)
    first = date.fromisoformat(by_day[0].keys["day"] or "") if by_day else now.date()
    days = Decimal(max(LEAST_DAYS, (now - begin_day(first, zone)) / DAY))
    rows = {"": by_day}
    if has_users:
        for row in await summarize_usage(db, ("user",), only, by_cost=True, limit=MAX_USERS):
            rows[row.keys["user"] or ""] = [row]
    return {
        name: Rate(
            Decimal(sum(row.total_tokens for row in found)) / days,
            sum((Decimal(row.cost_usd or 0) for row in found), Decimal()) / days,
        )
        for name, found in rows.items()
    }


def find_outlook(item: BudgetUsage, rates: Mapping[str, Rate], now: datetime) -> Outlook:
    """Compute what is left of a budget, and forecast its use at the period's end."""
    budget, end = item.budget, item.until
    rate = rates.get(item.subject or "", Rate()) if item.subject is not None else Rate()
    left_tokens = left_usd = forecast_tokens = forecast_usd = None
    if budget.limit_tokens is not None:
        left_tokens = max(0, budget.limit_tokens - item.used_tokens - item.reserved_tokens)
        if end is not None:
            forecast_tokens = round(forecast(Decimal(item.used_tokens), rate.tokens, end, now))
    if budget.limit_usd is not None:
        left_usd = max(Decimal(), budget.limit_usd - item.used_usd - item.reserved_usd)
        forecast_usd = forecast(item.used_usd, rate.usd, end, now) if end else None
    return Outlook(left_tokens, left_usd, forecast_tokens, forecast_usd)
