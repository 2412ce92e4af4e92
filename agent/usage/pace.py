"""Sums today's and this month's cost, and forecasts the use of budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Context, Decimal
from typing import Final

from ..config.zones import UTC_ZONE, begin_day, begin_next_month, find_zone
from ..dataclasses import dataclass, replace
from ..store.budgets import BudgetUsage
from ..store.database import Queryable
from .report import ALL, DAY, UsageFilter, UsageRow, summarize_usage

FORECAST: Final = Context(prec=3)  # more digits would change with each second
WEEK: Final = 7
KNOWN_DAYS: Final = 28  # in which a tenant's first usage is looked for
LEAST_DAYS: Final = 0.25  # a first day's first calls are no pace
MAX_USERS: Final = 1000  # with a rate of their own: those with the highest costs
NOTHING: Final = (Decimal(),) * WEEK


@dataclass(frozen=True, slots=True)
class Pace:
    """The cost of today and of this month so far, and a forecast. None: no price is known."""

    today_usd: Decimal | None
    month_usd: Decimal | None
    forecast_usd: Decimal | None  # of the whole month at this pace
    month_ends_at: datetime


@dataclass(frozen=True, slots=True)
class Rate:
    """The expected use of a day by its weekday, Monday first: that of the last 7 whole days.
    All the same, the average since the first usage, while there are no 7 whole days since then.
    """

    tokens: Sequence[Decimal] = NOTHING
    usd: Sequence[Decimal] = NOTHING


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


def forecast(
    used: Decimal, rate: Sequence[Decimal], end: datetime, now: datetime, zone: str = UTC_ZONE
) -> Decimal:
    """Forecast the use at a period's end: what is used, and for each day left its weekday's rate.
    Of the running day counts the part that is left.

    >>> sunday = datetime.fromisoformat("2026-11-01T12:00+00:00")
    >>> at_work = [Decimal(2)] * 5 + [Decimal(1)] * 2
    >>> forecast(Decimal(3), at_work, sunday + 6 * DAY, sunday)
    Decimal('14.0')
    """
    place, more, at = find_zone(zone), Decimal(), now
    day = now.astimezone(place).date()
    while at < end:
        begin, day = begin_day(day, place), day + DAY
        after = begin_day(day, place)
        share = Decimal((min(after, end) - at) / (after - begin))
        more, at = more + share * rate[(day - DAY).weekday()], after
    return max(used, FORECAST.plus(used + more))


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
    rate = (await load_rates(db, now, only))[""].usd
    whole = None if month is None else forecast(month, rate, end, now, only.zone)
    return Pace(day, month, whole, end)


async def load_rates(
    db: Queryable, now: datetime, only: UsageFilter = ALL, *, has_users: bool = False
) -> dict[str, Rate]:
    """Load the expected use of a day: "" is that of all together, with `has_users` also by user."""
    zone = find_zone(only.zone)
    today = now.astimezone(zone).date()
    only = replace(only, since=begin_day(today - KNOWN_DAYS * DAY, zone), until=None)
    by_day = await summarize_usage(db, ("day",), only)
    first = _read_day(by_day[0]) if by_day else today
    # The running day is no weekday's measure yet; a history of less than a week needs it.
    has_week = first <= today - WEEK * DAY
    since, until = (today - WEEK * DAY, today) if has_week else (first, today + DAY)
    days = 1 if has_week else Decimal(max(LEAST_DAYS, (now - begin_day(first, zone)) / DAY))
    rows = {"": [row for row in by_day if since <= _read_day(row) < until]}
    if has_users:
        only = replace(only, since=begin_day(since, zone), until=begin_day(until, zone))
        by, limit = ("user", "day"), MAX_USERS * WEEK
        for row in await summarize_usage(db, by, only, by_cost=True, limit=limit):
            if user := row.keys["user"]:  # not erased
                rows.setdefault(user, []).append(row)
    return {name: _make_rate(found, days, has_week=has_week) for name, found in rows.items()}


def _read_day(row: UsageRow) -> date:
    return date.fromisoformat(row.keys["day"] or "")


def _make_rate(rows: Sequence[UsageRow], days: Decimal | int, *, has_week: bool) -> Rate:
    """Build a rate from a subject's days. days: how long these are, without a whole week."""
    tokens, usd = [*NOTHING], [*NOTHING]
    for row in rows:
        at = _read_day(row).weekday()
        tokens[at] += row.total_tokens
        usd[at] += Decimal(row.cost_usd or 0)
    if has_week:
        return Rate(tokens, usd)
    return Rate(*([sum(amounts, Decimal()) / days] * WEEK for amounts in (tokens, usd)))


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
