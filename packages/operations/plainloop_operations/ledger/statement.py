"""A month's statement as one HTML page: self-contained, and laid out for printing to PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

from plainloop.agent.base.pages.pages import make_pages
from plainloop.agent.base.time.periods import parse_period
from plainloop.agent.config.zones import UTC_ZONE, begin_day, find_zone
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.agent.store.database import Queryable
from plainloop.agent.usage.days import fill_times
from plainloop.agent.usage.report import (
    EVERYBODY,
    AvoidedRow,
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    separate_tenants,
    summarize_usage,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A tenant's usage in a month. markup_percent: added to the cost on a customer's bill.

    tenant: "" for all. groups: by title, the largest first; the days with usage in their order.
    is_running: the month is not over.
    """

    tenant: str
    month: datetime
    markup_percent: Decimal
    total: UsageRow
    groups: Mapping[str, Sequence[UsageRow]]
    by_day: Sequence[UsageRow]
    avoided: Sequence[AvoidedRow]
    zone: str = UTC_ZONE
    is_running: bool = False


def parse_month(text: str | None, zone: str = UTC_ZONE) -> datetime:
    """Return the first moment of a month, such as "2026-11" or "november".

    None is the last month, as is "last month".

    >>> parse_month("2026-11").isoformat()
    '2026-11-01T00:00:00+00:00'

    Raises: InputError.
    """
    place = find_zone(zone)
    try:
        named = "_".join((text or "last month").lower().split())
        first, last = parse_period(named, datetime.now(place).date())
        if first.day != 1 or _next_month(first) != last + timedelta(days=1):
            raise ValueError("the period is not one month")
    except ValueError as error:
        raise InputError(f"{text!r} is not a month: write one like 2026-11") from error
    return datetime.combine(first, time(), place)


def _next_month(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1)


async def load_statement(
    db: Queryable, month: datetime, markup_percent: Decimal, zone: str = UTC_ZONE
) -> Statement:
    """Load the usage statement of a month.

    It is that of the tenant of `db`, or of all tenants without one. month: its first moment, in the
    zone. Call `roll_up_usage` before.
    """
    place = find_zone(zone)
    after = _next_month(month.date())
    only = UsageFilter(since=month, until=begin_day(after, place), zone=zone)
    today = datetime.now(place).date()
    last = min(after - timedelta(days=1), max(month.date(), today))
    shown = (month, datetime.combine(last, time(), place))
    user = separate_tenants(db.tenant_id or EVERYBODY, ("user",))
    groups = {"By model": ("provider", "model"), "By user": user}
    if not db.tenant_id:
        groups = {"By tenant": ("tenant",)} | groups
    loaded = {
        title: await summarize_usage(db, by, only, by_cost=True) for title, by in groups.items()
    }
    by_day = await summarize_usage(db, ("day",), only)
    return Statement(
        tenant=db.tenant_id,
        month=month,
        markup_percent=markup_percent,
        total=(await summarize_usage(db, (), only))[0],
        groups={**loaded, "By day": by_day},
        by_day=fill_times(by_day, *shown, zone=zone),
        avoided=await list_avoided_calls(db, only),
        zone=zone,
        is_running=month.date() <= today < after,
    )


def name_statement(whose: str, month: datetime, markup_percent: Decimal) -> str:
    """Name a statement's file by tenant and month, and by its mark-up, if any.

    >>> name_statement("acme", datetime(2026, 11, 1), Decimal("10.0"))
    'usage-acme-2026-11-with-10-percent.html'
    """
    more = f"-with-{markup_percent.normalize():f}-percent" if markup_percent else ""
    return f"usage-{whose}-{month:%Y-%m}{more}.html"


def render_statement(page: Statement) -> str:
    """Render a month's statement as one HTML page without external resources."""
    days = [(row.keys["day"], row.total_tokens) for row in page.by_day]

    def bill_row(row: UsageRow) -> Decimal | None:
        return bill(row.cost_usd if row.calls else "0", page.markup_percent)

    def bill_most(row: UsageRow) -> Decimal | None:
        return bill(row.at_most_usd, page.markup_percent)

    def count(number: int | None) -> str:
        return "–" if number is None else f"{number:,}"

    pages = make_pages(Path(__file__).parent / "pages", {"count": count})
    return pages.get_template("statement.html").render(
        page=page,
        title=f"Usage statement, {page.month:%B %Y}",
        bill=bill_row,
        bill_most=bill_most,
        days=days,
        most=max((size for _, size in days), default=0) or 1,
        saved=sum(row.tokens for row in page.avoided),
    )


def bill(cost_usd: str | None, markup_percent: Decimal) -> Decimal | None:
    """Add the markup to a cost.

    None stays None.

    >>> bill("10", Decimal(15)), bill(None, Decimal(15))
    (Decimal('11.5000'), None)
    """
    if cost_usd is None:
        return None
    return (Decimal(cost_usd) * (1 + markup_percent / 100)).quantize(Decimal("0.0001"))
