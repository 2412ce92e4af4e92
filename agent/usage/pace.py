"""Sums today's and this month's cost, and forecasts the use of budgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Context, Decimal
from typing import Final

from ..config.zones import begin_day, begin_next_month, find_zone
from ..store.budgets import BudgetUsage
from ..store.database import Queryable
from .report import UsageFilter, summarize_usage

TOO_EARLY: Final = 0.03  # of a period: what was used until then says little about its end
FORECAST: Final = Context(prec=3)  # more digits would change with each second


@dataclass(frozen=True, slots=True)
class Pace:
    """The cost of today and of this month so far, and a forecast. None: no price is known."""

    today_usd: Decimal | None
    month_usd: Decimal | None
    forecast_usd: Decimal | None  # of the whole month at this pace; None: too early to tell
    month_ends_at: datetime


@dataclass(frozen=True, slots=True)
class Outlook:
    """A budget's remaining amounts and the forecast of its use; None without such a limit.

    Reservations of calls in progress count as used. The forecasts are also None too early in the
    period, and for a budget without one.
    """

    left_tokens: int | None
    left_usd: Decimal | None
    forecast_tokens: int | None
    forecast_usd: Decimal | None


def forecast(used: Decimal, begin: datetime, end: datetime, now: datetime) -> Decimal | None:
    """Forecast the use at a period's end from the use until now.

    None: too early to tell.

    >>> day = datetime(2026, 11, 1)
    >>> forecast(Decimal(3), day, day.replace(day=11), day.replace(day=6))
    Decimal('6')
    >>> forecast(Decimal(3), day, day.replace(day=11), day) is None
    True
    """
    gone = (now - begin) / (end - begin)
    if not TOO_EARLY < gone < 1:
        return None
    whole, part = (end - begin).total_seconds(), (now - begin).total_seconds()
    return FORECAST.plus(used * Decimal(whole) / Decimal(part))


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
    expected = None if month is None else forecast(month, begin, end, now)
    return Pace(day, month, expected, end)


def find_outlook(item: BudgetUsage, now: datetime) -> Outlook:
    """Compute what is left of a budget, and forecast its use at the period's end."""
    budget, end = item.budget, item.until
    left_tokens = left_usd = forecast_tokens = forecast_usd = None
    begin = None
    if end is not None:
        zone = find_zone(budget.zone)
        # The end is the first moment of the next period.
        last = (end - timedelta(seconds=1)).astimezone(zone).date()
        begins = {"day": begin_day(last, zone), "month": begin_day(last.replace(day=1), zone)}
        begin = begins.get(budget.period, end - timedelta(hours=1))
    if budget.limit_tokens is not None:
        left_tokens = max(0, budget.limit_tokens - item.used_tokens - item.reserved_tokens)
        tokens = forecast(Decimal(item.used_tokens), begin, end, now) if begin and end else None
        # Not `if tokens`: Decimal(0) is false
        # (test_an_unused_budget_has_a_forecast_of_zero_tokens).
        forecast_tokens = None if tokens is None else round(tokens)
    if budget.limit_usd is not None:
        left_usd = max(Decimal(), budget.limit_usd - item.used_usd - item.reserved_usd)
        forecast_usd = forecast(item.used_usd, begin, end, now) if begin and end else None
    return Outlook(left_tokens, left_usd, forecast_tokens, forecast_usd)
