"""A month's statement as one HTML page: self-contained, and laid out for printing to PDF."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import ROUND_DOWN, Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from plainloop.agent.base.pages.pages import make_pages
from plainloop.agent.base.time.periods import parse_period
from plainloop.agent.config.zones import UTC_ZONE, begin_day, find_zone
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.agent.store.admin.audit import AuditEntry, list_audit
from plainloop.agent.store.budgets import list_budget_usage
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.records import Budget
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

NO_WORDS: Final[Mapping[str, str]] = MappingProxyType({})
_PERIODS: Final = {"month": "a month", "day": "a day", "hour": "an hour", "total": "in all"}
SHOWN: Final = 6  # rows of each kind on the first page
Line = tuple[UsageRow | None, str, str]  # None: all other rows; their amount, its share
PRINT: Final = "document.getElementById('print').onclick = () => print()"


@dataclass(frozen=True, slots=True)
class Statement:
    """A month's usage of a tenant or user. markup_percent: added to the cost on a customer's bill.

    tenant: "" for all. groups: by title, the largest first; all days in their order.
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
    user: str = ""  # "": all users together
    before: UsageRow | None = None  # the sums of the month before
    # The limits in USD that held when the month ended, of the running one those that hold now.
    budgets: Sequence[Budget] = ()

    @property
    def budget(self) -> Budget | None:
        """Return the budget to compare the month with: a user's, or of all users together."""
        first = self.budgets[0] if self.budgets else None
        return first if first and (self.user or first.scope == "tenant") else None


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
    db: Queryable, month: datetime, markup_percent: Decimal, zone: str = UTC_ZONE, user: str = ""
) -> Statement:
    """Load the usage statement of a month, of all users or one.

    It is that of the tenant of `db`, or of all tenants without one. month: its first moment, in the
    zone. Call `roll_up_usage` before.
    """
    place = find_zone(zone)
    after = _next_month(month.date())
    whose = {"user": user or None}
    only = UsageFilter(whose, since=month, until=begin_day(after, place), zone=zone)
    earlier = begin_day((month.date() - timedelta(days=1)).replace(day=1), place)
    former = UsageFilter(whose, since=earlier, until=month, zone=zone)
    today = datetime.now(place).date()
    ends_at = begin_day(after, place) if after <= today else None
    last = min(after - timedelta(days=1), max(month.date(), today))
    shown = (month, datetime.combine(last, time(), place))
    groups: dict[str, tuple[str, ...]] = {
        "By feature": ("feature",),
        "By model": ("provider", "model"),
    }
    if not user:
        groups["By person"] = separate_tenants(db.tenant_id or EVERYBODY, ("user",))
    if not db.tenant_id:
        groups = {"By tenant": ("tenant",)} | groups
    loaded = {
        title: await summarize_usage(db, by, only, by_cost=True) for title, by in groups.items()
    }
    days = await summarize_usage(db, ("day",), only)
    by_day = fill_times(days, *shown, zone=zone)
    return Statement(
        tenant=db.tenant_id,
        month=month,
        markup_percent=markup_percent,
        total=(await summarize_usage(db, (), only))[0],
        groups={**loaded, "By day": by_day},
        by_day=by_day,
        avoided=await list_avoided_calls(db, only),
        zone=zone,
        is_running=month.date() <= today < after,
        user=user,
        before=(await summarize_usage(db, (), former))[0],
        budgets=await list_limits(db, user, ends_at) if db.tenant_id else (),
    )


async def list_limits(db: Queryable, user: str, until: datetime | None) -> list[Budget]:
    """List the limits in USD on a user, or on the tenant and then on each user; monthly ones first.

    until: those that held then, as far as the audit trail has them; None: those that hold now.
    """
    current = [item.budget for item in await list_budget_usage(db, user or None)]
    held = current if until is None else await _read_audit(db, current, until)
    ranks = {"month": 0, "day": 1}
    chosen = [
        item
        for item in {item.budget_id: item for item in held}.values()
        if item.limit_usd is not None and item.scope != "run"
        if (item.scope == "user" if user else True) and item.user_id in (None, user)
    ]
    return sorted(
        chosen, key=lambda it: (it.scope, ranks.get(it.period, 2), it.limit_usd or Decimal())
    )


async def _read_audit(db: Queryable, current: Sequence[Budget], until: datetime) -> list[Budget]:
    """Read from the audit trail which budgets held at a moment.
    One of an erased user, whose name is gone from the trail, is left out.
    """
    known = {item.budget_id: item.user_id for item in current}
    last: dict[str, AuditEntry] = {}
    for entry in await list_audit(db, None, None, action="budget"):
        if entry.action == "budget.delete":
            known[entry.target] = entry.about or None
        if entry.at < until:
            last.setdefault(entry.target, entry)
    return [
        Budget(
            scope=entry.details["scope"],
            period=entry.details["period"],
            limit_tokens=entry.details["limit_tokens"],
            limit_usd=_to_decimal(entry.details["limit_usd"]),
            is_hard=entry.details["is_hard"],
            user_id=entry.about or None,
            budget_id=entry.target,
        )
        for entry in last.values()
        if entry.action == "budget.save" and entry.target in known
    ]


def _to_decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def name_statement(whose: str, month: datetime, markup_percent: Decimal) -> str:
    """Name a statement's file by whose it is and month, and by its mark-up, if any.

    >>> name_statement("acme", datetime(2026, 11, 1), Decimal("10.0"))
    'usage-acme-2026-11-with-10-percent.html'
    """
    more = f"-with-{markup_percent.normalize():f}-percent" if markup_percent else ""
    return f"usage-{whose}-{month:%Y-%m}{more}.html"


def render_statement(page: Statement, words: Mapping[str, str] = NO_WORDS) -> str:
    """Render a month's statement as one HTML page without external resources.

    words: what the packs call their features, by name.
    """

    def bill_row(row: UsageRow) -> Decimal | None:
        return bill(row.cost_usd if row.calls else "0", page.markup_percent)

    def summarize(rows: Sequence[UsageRow]) -> list[Line]:
        """Make the lines of the first page, those beyond `SHOWN` as one."""
        rest = rows[SHOWN:]
        amounts = [bill_row(row) for row in rows[:SHOWN]]
        amounts += [sum((bill_row(row) or Decimal() for row in rest), Decimal())] if rest else []
        parts = [100 * (it or Decimal()) / (total or Decimal(1)) for it in amounts]
        shares = [
            "–" if not total else "<1%" if it and not share else f"{share}%"
            for it, share in zip(amounts, allot(parts, Decimal(100), 0), strict=True)
        ]
        shown = [*rows[:SHOWN], *([None] if rest else [])]
        return [*zip(shown, say_parts(amounts, total, 2), shares, strict=True)]

    def list_amounts(rows: Sequence[UsageRow]) -> list[tuple[UsageRow, str]]:
        return [*zip(rows, say_parts([*map(bill_row, rows)], total, 4), strict=True)]

    def bill_most(row: UsageRow) -> Decimal | None:
        return bill(row.at_most_usd, page.markup_percent)

    def count(number: int | None) -> str:
        return "–" if number is None else f"{number:,}"

    def name(row: UsageRow) -> str:
        values = [value or "(erased)" for value in row.keys.values()]
        if "feature" in row.keys:
            known = {**own.words, **words}
            values = [known.get(it, it[:1].upper() + it[1:].replace("_", " ")) for it in values]
        return " · ".join(values)

    own = read_own_words()

    def describe_feature(row: UsageRow) -> str:
        return own.about.get(row.keys.get("feature") or "", "")

    costs = [bill_row(row) or Decimal() for row in page.by_day]
    total = bill_row(page.total)
    first = {title: rows for title, rows in page.groups.items() if title != "By day"}
    filters = {"count": count, "money": format_money, "day": format_day}
    pages = make_pages(Path(__file__).parent / "pages", filters)
    return pages.get_template("statement.html").render(
        page=page,
        about=describe_feature,
        budget=describe_use(page),
        others=[describe_limit(item) for item in page.budgets if item is not page.budget],
        title=f"Usage statement, {page.month:%B %Y}",
        total=total,
        before=bill_row(page.before) if page.before else None,
        before_name=f"{page.month.date().replace(day=1) - timedelta(days=1):%B}",
        bill_most=bill_most,
        name=name,
        summary={title: (summarize(rows), len(rows) - SHOWN) for title, rows in first.items()},
        list_amounts=list_amounts,
        days=[*zip((row.keys["day"] or "" for row in page.by_day), costs, strict=True)],
        most=max(costs, default=Decimal()) or Decimal(1),
        saved=sum(row.tokens for row in page.avoided),
        script=PRINT,
        script_hash=base64.b64encode(hashlib.sha256(PRINT.encode()).digest()).decode(),
    )


def format_day(day: str) -> str:
    """Format an ISO day for people.

    >>> format_day("2026-10-01")
    'Oct 1, 2026'
    """
    return f"{date.fromisoformat(day):%b} {int(day[8:])}, {day[:4]}"


class OwnWords(msgspec.Struct):
    """The console's names of the service's own features, and what it says about them."""

    words: dict[str, str]
    about: dict[str, str]


def read_own_words() -> OwnWords:
    """Read what the console calls the service's own features."""
    path = Path(__file__).parents[1] / "screens" / "screens.json"
    return msgspec.json.decode(path.read_bytes(), type=OwnWords)


def allot(parts: Sequence[Decimal], total: Decimal, places: int) -> list[Decimal]:
    """Round parts such that they add up to their rounded total: by the largest remainders.

    Vendors' invoices round each line and add those up. Here several tables divide one total, which
    only one of them could then meet: so the total is rounded, and each table's lines divide that.
    Parts that are not those of the total are rounded one by one.

    >>> [str(it) for it in allot([Decimal("0.334"), Decimal("0.337")], Decimal("0.671"), 2)]
    ['0.33', '0.34']
    >>> sum(allot([Decimal("0.335")] * 3, Decimal("1.005"), 2))
    Decimal('1.00')
    """
    unit = Decimal(1).scaleb(-places)
    whole = total.quantize(unit)
    down = [part.quantize(unit, ROUND_DOWN) for part in parts]
    missing = int((whole - sum(down)) / unit)
    if not 0 <= missing <= len(parts):
        return [part.quantize(unit) for part in parts]
    by_rest = sorted(range(len(parts)), key=lambda n: (down[n] - parts[n], n))
    for n in by_rest[:missing]:
        down[n] += unit
    return down


def say_parts(amounts: Sequence[Decimal | None], total: Decimal | None, places: int) -> list[str]:
    """Format the amounts in dollars that make up a total, so that they add up to it as shown.

    >>> say_parts([Decimal("0.004"), Decimal("0.336"), None], Decimal("0.34"), 2)
    ['<$0.01', '$0.34', 'not known']
    """
    rounded = allot([it or Decimal() for it in amounts], total or Decimal(), places)
    least = f"<${Decimal(1).scaleb(-places)}"
    return [
        "not known" if it is None else f"${part:,}" if part else least if it else "$0"
        for it, part in zip(amounts, rounded, strict=True)
    ]


def describe_use(page: Statement) -> tuple[str, str, str]:
    """Describe the month's budget: its title, its limit, how much of it was used."""
    budget = page.budget
    if budget is None or not budget.limit_usd:
        if page.is_running:
            return "Budget", "none", "no limit is set"
        return f"Budget in {page.month:%B}", "none", "the audit trail has none of that time"
    title = "Daily budget of each person" if page.user and not budget.user_id else "Daily budget"
    used, of = (
        max((_cost(row) for row in page.by_day), default=Decimal()),
        "of it on the dearest day",
    )
    if budget.period == "month":
        title, used, of = f"Budget for {page.month:%B}", _cost(page.total), "of it"
    elif budget.period != "day":
        return f"Budget, {_PERIODS[budget.period]}", format_money(budget.limit_usd), ""
    if page.markup_percent:
        of += ", counted without the mark-up"
    return title, format_money(budget.limit_usd), f"{100 * used / budget.limit_usd:.0f}% {of}"


def describe_limit(budget: Budget) -> str:
    """Describe a limit: whose it is, how much, what happens beyond it.

    >>> describe_limit(Budget("user", "day", None, Decimal(4)))
    'Each person: $4.00 a day, further calls are refused'
    """
    whose = "Everyone together" if budget.scope == "tenant" else budget.user_id or "Each person"
    end = "further calls are refused" if budget.is_hard else "only warns"
    return f"{whose}: {format_money(budget.limit_usd)} {_PERIODS[budget.period]}, {end}"


def _cost(row: UsageRow) -> Decimal:
    return Decimal(row.cost_usd or 0) if row.calls else Decimal()


def format_money(usd: Decimal | None) -> str:
    """Format an amount in dollars for people: to the cent, a smaller one as less than one.

    >>> [format_money(Decimal(text)) for text in ("1234.5", "0.1852", "0", "0.00001")]
    ['$1,234.50', '$0.19', '$0.00', '<$0.01']
    """
    if usd is None:
        return "not known"
    return "<$0.01" if 0 < usd < Decimal("0.005") else f"${usd:,.2f}"


def bill(cost_usd: str | None, markup_percent: Decimal) -> Decimal | None:
    """Add the markup to a cost.

    None stays None.

    >>> bill("10", Decimal(15)), bill(None, Decimal(15))
    (Decimal('11.50'), None)
    """
    if cost_usd is None:
        return None
    return Decimal(cost_usd) * (1 + markup_percent / 100)
