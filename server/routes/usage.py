"""`/api/usage…`: tokens and cost from the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from ...agent.core.api import ApiFile, ApiRequest, ApiRoute
from ...agent.errors import InputError
from ...agent.providers.endings import load_endings
from ...agent.providers.pricing import Prices
from ...agent.store.database import Row
from ...agent.store.threads import describe_chats, describe_runs, describe_threads
from ...agent.usage.caches import add_cache_amounts
from ...agent.usage.dimensions import DIMENSIONS, PARAMETERS
from ...agent.usage.model_changes import list_endings, list_model_changes
from ...agent.usage.pace import load_pace
from ...agent.usage.report import (
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    load_latencies,
    load_run_spreads,
    summarize_usage,
    to_csv,
    to_record,
)
from ...agent.usage.rollup import roll_up_usage
from .choosing import choose_user, to_aware
from .conversations import check_limit
from .shapes import UsagePace, UsageQuery, UsageReport, UsageThread

_OTHERS: Final = "only an administrator can see the usage of other users"


async def read_usage(request: ApiRequest, query: UsageQuery) -> UsageReport | ApiFile:
    """Report the caller's usage as JSON or CSV.

    An administrator may choose another user or all (`*`).
    """
    names = [name.strip() for text in query.by for name in text.split(",") if name.strip()]
    only = read_filter(request, query)
    # First, so that the report reads sums, and only newer calls from the ledger.
    await roll_up_usage(request.store)
    # A report may be a moment old: it goes to the read replica, if there is one.
    db = request.store.read_late(request.tenant_id)
    prices = Prices(request.settings.prices)
    if query.format == "csv":
        rows = await summarize_usage(db, names, only, by_cost=query.sort == "cost")
        if query.caches:
            rows = await add_cache_amounts(rows, db, names, only, prices)
        text = to_csv(map(to_record, rows))
        return ApiFile(text.encode(), "text/csv; charset=utf-8", "usage.csv")
    cursor = query.cursor if query.cursor is not None else "0"
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10):
        raise InputError("the cursor is not valid", hint="Use `next_cursor` of the previous page.")
    limit, offset = check_limit(request, query.limit), int(cursor)
    rows = await summarize_usage(
        db, names, only, by_cost=query.sort == "cost", limit=limit + 1, offset=offset
    )
    has_more, rows = len(rows) > limit, rows[:limit]
    if query.caches:
        rows = await add_cache_amounts(rows, db, names, only, prices)
    runs = await load_run_spreads(db, names, only) if query.runs else []
    latency = await load_latencies(db, names, only) if query.latency else []
    avoided = await list_avoided_calls(db, only, prices) if query.avoided else []
    endings = load_endings(request.settings.endings_file)
    changes = await list_model_changes(db, endings, prices, only) if query.endings else []
    pace = None
    if query.pace:
        found = await load_pace(db, only, datetime.now(UTC))
        pace = UsagePace(
            to_usd(found.today_usd),
            to_usd(found.month_usd),
            to_usd(found.forecast_usd),
            found.month_ends_at,
        )
    threads: list[Row] = []
    if named := list_named(rows, only, "thread"):
        threads += await describe_threads(db, request.user_id, named, request.is_admin)
    if named := list_named(rows, only, "chat"):
        whose = (request.user_id, named, request.is_admin, only.values["chat"])
        threads += await describe_chats(db, *whose, since=only.since, until=only.until)
    if named := list_named(rows, only, "run"):
        threads += await describe_runs(db, request.user_id, named, request.is_admin)
    return UsageReport(
        names,
        [to_record(row) for row in rows],
        [to_record(row) for row in runs],
        [to_record(row) for row in latency],
        [to_record(row) for row in avoided],
        [item.to_record() for item in changes],
        list_endings(changes),
        str(offset + limit) if has_more else None,
        pace,
        [UsageThread(**row) for row in threads],
    )


def list_named(rows: Sequence[UsageRow], only: UsageFilter, name: str) -> list[str]:
    """List the ids of a dimension that the report's rows and its filter contain, each once."""
    return [*filter(None, {only.values[name], *(row.keys.get(name) for row in rows)})]


def to_usd(amount: Decimal | None) -> str | None:
    """Return an amount as decimal text without an exponent; None if unknown."""
    return None if amount is None else f"{amount:f}"


def read_filter(request: ApiRequest, query: UsageQuery) -> UsageFilter:
    """Build the filter of a usage report from the query, by default for the caller's usage.

    Raises: AccessDenied when another's numbers are asked for without the right.
    """
    values = {name: getattr(query, known) for name, known in PARAMETERS.items()}
    values["user"] = choose_user(request, values["user"], _OTHERS)
    return UsageFilter(values, to_aware(query.since), to_aware(query.until), query.zone)


USAGE_ROUTES: Final = (
    ApiRoute(
        "GET",
        "/api/usage",
        read_usage,
        f"Tokens and cost, by any of {', '.join(DIMENSIONS)}",
        files=("text/csv",),
    ),
)
