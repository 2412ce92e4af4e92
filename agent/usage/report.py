"""Reports from the ledger: tokens and cost by any dimensions, and the calls that were avoided.

Prices are frozen in the rows when they are written (`pricing`); nothing is priced again here,
except what avoided calls would have cost.
"""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from ..base.text.cleaning import disarm_cell
from ..config.zones import UTC_ZONE, find_zone
from ..dataclasses import asdict, dataclass, field
from ..errors import InputError
from ..providers.pricing import Prices
from ..store.database import OPERATOR_TENANT, Queryable, Row, parse_id
from ..store.sql_blocks import load_sql
from ..store.store import Store
from ..types import INPUT_BUCKETS, Usage, sum_known
from .dimensions import (
    COSTS,
    DIMENSIONS,
    FILTERS,
    LATENCIES,
    MEASURES,
    UNKNOWN,
    build_latency,
    build_spread,
    build_summary,
    choose_table,
)
from .ledger_columns import SUMMED

SQL: Final = load_sql(Path(__file__).parent / "sql" / "report.sql")
FIRST: Final = datetime(2000, 1, 1, tzinfo=UTC)
LAST: Final = datetime(3000, 1, 1, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
MAX_ROWS: Final = 1_000_000
EVERYBODY: Final = "*"


@dataclass(frozen=True, slots=True)
class UsageFilter:
    """A filter of a tenant's ledger. values: by dimension; None or missing: no condition."""

    values: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    since: datetime | None = None  # inclusive
    until: datetime | None = None  # exclusive
    zone: str = UTC_ZONE  # in which days and hours begin, an IANA name


ALL: Final = UsageFilter()


@dataclass(frozen=True, slots=True)
class UsageRow:
    """Sums over the model calls of one group. Token buckets are disjoint; None: none stated."""

    keys: dict[str, str | None]  # by dimension, in the order asked for
    calls: int
    unsuccessful_calls: int  # failed, cancelled, cut, or never settled; not those that run
    retries: int  # attempts after the first of a logical call
    estimated_calls: int  # usage is our own estimate
    unreported_calls: int  # usage is not known at all
    unpriced_calls: int  # not part of cost_usd
    bounded_calls: int  # of these: what they cost at most is known, `at_most_usd` together
    input_tokens: int | None  # uncached
    cache_read_tokens: int | None
    cache_write_tokens: int | None  # for the shorter lifetime
    cache_write_long_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: str | None  # decimal text; None: no call has a known price
    unsuccessful_cost_usd: str | None  # part of cost_usd
    retry_cost_usd: str | None  # part of cost_usd
    at_most_usd: str | None  # beyond cost_usd
    # At today's prices, from the ledger's rows (`caches.add_cache_amounts`).
    cache_saved_usd: str | None = None  # against no cache at all; below 0: writing cost more
    pause_loss_usd: str | None = None  # prompts sent again after a pause longer than their lifetime
    prefix_loss_usd: str | None = None  # prompts sent again as their beginning had changed
    # Of columns that are only added up (`SUMMED`), by name; None: no call states any.
    sums: dict[str, Any] = field(
        default_factory=lambda: {item.name: None for item in SUMMED}, kw_only=True
    )

    @property
    def input_total(self) -> int | None:
        """Return all input tokens, cached or not; None if no call stated any."""
        return sum_known(*(getattr(self, name) for name in INPUT_BUCKETS))

    @property
    def output_total(self) -> int | None:
        """Return all output tokens, reasoning included; None if no call stated any."""
        return sum_known(self.output_tokens, self.reasoning_tokens)

    @property
    def total_tokens(self) -> int:
        """Return the sum of all reported tokens, input and output."""
        return (self.input_total or 0) + (self.output_total or 0)

    @property
    def cache_hit_share(self) -> float | None:
        """Return the share (0 to 1) of input tokens that a prompt cache supplied; else None."""
        total = self.input_total
        return None if not total else round((self.cache_read_tokens or 0) / total, 4)


@dataclass(frozen=True, slots=True)
class RunSpread:
    """Median and 95th percentile of tokens and cost per run, in one group."""

    keys: dict[str, str | None]
    runs: int
    tokens_p50: int
    tokens_p95: int
    cost_usd_p50: str | None  # None: no run has a known price
    cost_usd_p95: str | None


@dataclass(frozen=True, slots=True)
class LatencyRow:
    """Median and 95th percentile of a group's successful call times; None: not measured."""

    keys: dict[str, str | None]
    calls: int
    unsuccessful_calls: int
    duration_ms_p50: int | None
    duration_ms_p95: int | None
    first_token_ms_p50: int | None
    first_token_ms_p95: int | None


@dataclass(frozen=True, slots=True)
class AvoidedRow:
    """Model calls that rules made unnecessary, for one role and reason."""

    role: str
    reason: str
    calls: int
    tokens: int  # estimated input tokens that they would have cost
    cost_usd: str | None = None  # of these tokens, at today's price; None: not known


@asynccontextmanager
async def open_ledger(store: Store, tenant: str) -> AsyncGenerator[Queryable]:
    """Open a tenant's ledger (`*`: all tenants') for reports, on the read replica if any."""
    if tenant != EVERYBODY:
        yield store.read_late(tenant)
    else:
        yield store.read_late(OPERATOR_TENANT, "plainloop_operator")


def separate_tenants(tenant: str, by: Sequence[str]) -> tuple[str, ...]:
    """Add the dimension "tenant" where users of different tenants would otherwise be mixed.

    >>> separate_tenants("*", ["user"]), separate_tenants("acme", ["user"])
    (('tenant', 'user'), ('user',))
    """
    is_mixed = tenant == EVERYBODY and "user" in by and "tenant" not in by
    return ("tenant", *by) if is_mixed else tuple(by)


async def list_tenants(store: Store, tenant: str) -> list[str]:
    """List the tenants that a report covers; `*` stands for all tenants in the ledger."""
    if tenant != EVERYBODY:
        return [tenant]
    async with open_ledger(store, tenant) as db:
        return [row.keys["tenant"] or "" for row in await summarize_usage(db, ("tenant",))]


async def summarize_usage(
    db: Queryable,
    by: Sequence[str] = (),
    only: UsageFilter = ALL,
    *,
    by_cost: bool = False,
    limit: int = MAX_ROWS,
    offset: int = 0,
) -> list[UsageRow]:
    """Sum the usage of each group of calls, in order of time or largest first.

    Without a dimension it is one row of totals, also when there were no calls. Of a `db` without
    a tenant (the operator's) it is that of all tenants.

    Raises: InputError for an unknown dimension.
    """
    names = check_dimensions(by)
    filters, values = read_filters(only)
    sql = build_summary(names, filters, by_cost=by_cost, is_page=limit < MAX_ROWS, zone=only.zone)
    spans = await load_range(db, only, [*names, *filters])
    rows = await db.fetch(sql, *spans, *values, limit, offset)
    return [_from_row(row, names, only.zone) for row in rows]


async def load_run_spreads(
    db: Queryable, by: Sequence[str] = (), only: UsageFilter = ALL
) -> list[RunSpread]:
    """Load the median and 95th percentile of tokens and cost per run, by group.
    A run counts in each group that it has calls in.
    """
    names = check_dimensions(by)
    filters, values = read_filters(only)
    spans = await load_range(db, only, [*names, "run", *filters])
    rows = await db.fetch(build_spread(names, filters, only.zone), *spans, *values)
    spreads: list[RunSpread] = []
    for row in rows:
        if row["runs"]:
            half, p95 = map(round, row["tokens"])
            costs = (
                None if cost is None else f"{cost:.6f}" for cost in row["costs"] or (None, None)
            )
            spreads.append(
                RunSpread(to_keys(row, names, only.zone), row["runs"], half, p95, *costs)
            )
    return spreads


async def load_latencies(
    db: Queryable, by: Sequence[str] = (), only: UsageFilter = ALL
) -> list[LatencyRow]:
    """Load the median and 95th percentile of model calls' durations, by group."""
    names = check_dimensions(by)
    filters, values = read_filters(only)
    spans = await load_range(db, only)
    measured_rows = await db.fetch(build_latency(names, filters, only.zone), *spans, *values)
    rows: list[LatencyRow] = []
    for row in measured_rows:
        if row["calls"]:
            measured = (ms for name in LATENCIES for ms in row[name] or (None, None))
            times = (None if ms is None else round(ms) for ms in measured)
            rows.append(
                LatencyRow(to_keys(row, names, only.zone), row["calls"], row["failed"], *times)
            )
    return rows


async def list_avoided_calls(
    db: Queryable, only: UsageFilter = ALL, prices: Prices | None = None
) -> list[AvoidedRow]:
    """List the reasons for avoided model calls with the tokens saved, most tokens first.

    prices: then each with what its tokens cost with the model that answers most of that role's
    calls now; what they would have answered is not in it. Filters other than user, thread, run
    and time do not apply: a call that was not made has no model.
    """
    chosen = dict(zip(*read_filters(only), strict=True))
    tenant, since, until, summed_from, summed_to = await load_range(db, only)
    if chosen.keys() & {"thread", "chat", "run"}:
        summed_from = summed_to = since
    spans = (tenant, since, until, summed_from, summed_to)
    owner_ids = (chosen.get(name) for name in ("user", "thread", "run", "chat"))
    rows = await db.fetch(SQL["list_avoided_calls"], *spans, *owner_ids)
    if not prices or not rows:
        return [AvoidedRow(**row) for row in rows]
    models = await db.fetch(SQL["list_role_models"], *spans)
    by_role = {row["role"]: (row["provider"], row["model"]) for row in models}
    avoided: list[AvoidedRow] = []
    for row in rows:
        # What is not sent (tools, history, results) belongs to a worker's call; a role has its own.
        model = by_role.get(row["role"]) or by_role.get("worker")
        sent = Usage(input_tokens=row["tokens"], output_tokens=0)
        cost_usd = prices.price(*model, sent).amount_usd if model else None
        avoided.append(AvoidedRow(**row, cost_usd=cost_usd))
    return avoided


def check_dimensions(by: Sequence[str]) -> tuple[str, ...]:
    """Return these dimension names without repeats. Raises: InputError for an unknown one."""
    unknown = [name for name in by if name not in DIMENSIONS]
    if unknown:
        raise InputError(
            f"usage cannot be grouped by {unknown[0]!r}",
            hint=f"Use one of: {', '.join(DIMENSIONS)}.",
        )
    return tuple(dict.fromkeys(by))


def to_record(row: UsageRow | RunSpread | LatencyRow | AvoidedRow) -> dict[str, Any]:
    """Convert a report's row to a flat record for JSON and CSV."""
    record = asdict(row)
    keys, sums = record.pop("keys", {}), record.pop("sums", {})
    if isinstance(row, UsageRow):
        record["cache_hit_share"] = row.cache_hit_share
    return {**keys, **record, **sums}


def to_csv(records: Iterable[Mapping[str, Any]]) -> str:
    """Convert records to CSV with a header, with empty cells for unknown numbers."""
    buffer = io.StringIO()
    writer = None
    for record in records:
        if writer is None:
            writer = csv.DictWriter(buffer, fieldnames=[*record], lineterminator="\n")
            writer.writeheader()
        writer.writerow({name: disarm_cell(value) for name, value in record.items()})
    return buffer.getvalue()


def find_summed(
    since: datetime, until: datetime, rolled_until: datetime | None, unit: timedelta = HOUR
) -> tuple[datetime, datetime]:
    """Return (first, end) of the part of a range for which sums are stored.

    >>> at = datetime(2026, 1, 1, 8, 30, tzinfo=UTC)
    >>> first, end = find_summed(at, at + 4 * HOUR, at + 9 * HOUR)
    >>> first.hour, end.hour
    (9, 12)
    """
    if rolled_until is None:
        return since, since
    first = since + (FIRST - since) % unit
    end = min(until, rolled_until)
    end -= (end - FIRST) % unit
    return (first, end) if first < end else (since, since)


async def load_range(
    db: Queryable, only: UsageFilter, names: Sequence[str] = ()
) -> tuple[Any, ...]:
    """Return the first parameters of a report's query, such as tenant and time range."""
    if "chat" in names and not db.tenant_id:
        raise InputError(
            "usage of all tenants cannot be grouped or filtered by chat",
            hint="Choose one tenant, or group by thread (a thread is one version of a chat).",
        )
    since = min(max(only.since or FIRST, FIRST), LAST)
    until = min(max(only.until or LAST, FIRST), LAST)
    rolled_until = await db.fetchval(SQL["load_rolled_until"])
    unit = DAY if choose_table(names, only.zone) == "usage_days" else HOUR
    return (db.tenant_id or None, since, until, *find_summed(since, until, rolled_until, unit))


def read_filters(only: UsageFilter) -> tuple[list[str], list[Any]]:
    """Split a filter into dimension names and values. Raises: InputError for unknown names."""
    find_zone(only.zone)
    filters: dict[str, str] = {}
    for name, value in only.values.items():
        if value is None:
            continue
        item = FILTERS.get(name)
        if item is None:
            raise InputError(
                f"usage has no filter named {name!r}", hint=f"Filters: {', '.join(FILTERS)}."
            )
        if item.values and value not in item.values:
            raise InputError(
                f"the filter {name} has no value {value!r}",
                hint=f"Use one of: {', '.join(item.values)}.",
            )
        filters[name] = parse_id(value, name) if item.kind == "uuid" else value
    return [*filters], [*filters.values()]


def _from_row(row: Row, by: Sequence[str], zone: str) -> UsageRow:
    numbers: dict[str, Any] = {}
    for name in MEASURES:
        value = row[name]
        if name in COSTS:
            numbers[name] = None if value is None else f"{value.normalize():f}"
        else:  # a count of nothing is 0, a number of tokens that nobody stated is not
            numbers[name] = value if name in UNKNOWN else value or 0
    return make_row(to_keys(row, by, zone), numbers)


def make_row(keys: dict[str, str | None], numbers: dict[str, Any]) -> UsageRow:
    """Build a group's UsageRow from its keys and numbers."""
    sums = {item.name: numbers.pop(item.name) for item in SUMMED}
    return UsageRow(keys, **numbers, sums=sums)


def to_keys(row: Row, by: Sequence[str], zone: str) -> dict[str, str | None]:
    """Return a report row's values of these dimensions, with times as text."""
    return {
        name: format_time(name, at, zone) if isinstance(at := row[name], datetime) else at
        for name in by
    }


def format_time(by: str, at: datetime, zone: str = UTC_ZONE) -> str:
    """Format a day's or hour's beginning as the key of its row, in the zone.

    >>> at = datetime(2026, 10, 25, 1, tzinfo=UTC)
    >>> format_time("hour", at), format_time("hour", at, "Europe/Berlin")
    ('2026-10-25T01:00Z', '2026-10-25T02:00+01:00')
    """
    local = at.astimezone(find_zone(zone))
    text = local.strftime("%Y-%m-%d") if by == "day" else local.isoformat(timespec="minutes")
    return text.replace("+00:00", "Z") if zone == UTC_ZONE else text
