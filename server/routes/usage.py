"""`/api/usage…`: tokens and cost from the ledger."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, TypeVar

from ...agent.config.zones import find_zone
from ...agent.core.api import ApiFile, ApiRequest, ApiRoute
from ...agent.core.spec import Pack
from ...agent.errors import InputError
from ...agent.providers.endings import load_endings
from ...agent.providers.pricing import Prices
from ...agent.store.database import Queryable, Row
from ...agent.store.threads import describe_chats, describe_runs, describe_threads
from ...agent.usage.caches import add_cache_amounts, sum_losses
from ...agent.usage.dimensions import DIMENSIONS, PARAMETERS
from ...agent.usage.model_changes import list_endings, list_model_changes
from ...agent.usage.pace import load_pace
from ...agent.usage.report import (
    MAX_ROWS,
    LatencyRow,
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
from .config import read_screens
from .conversations import check_limit
from .shapes import UsagePace, UsageQuery, UsageReport, UsageThread

EXPERIMENTS: Final = "*experiments"  # stands for a feature, chat or run: those of all experiments
# As the console names what has no title (`KINDS` of words.js).
_KINDS: Final = {"onboarding": "Interview", "parse": "Reading of a file", "helper": "Helper"}
_Keyed = TypeVar("_Keyed", UsageRow, LatencyRow)
_OTHERS: Final = "only an administrator can see the usage of other users"


async def read_usage(
    packs: Sequence[Pack], request: ApiRequest, query: UsageQuery
) -> UsageReport | ApiFile:
    """Report the caller's usage as JSON or CSV, with the packs' names of their workers.

    An administrator may choose another user or all (`*`).
    """
    names = [name.strip() for text in query.by for name in text.split(",") if name.strip()]
    only = read_filter(request, query)
    # First, so that the report reads sums, and only newer calls from the ledger.
    await roll_up_usage(request.store)
    # A report may be a moment old: it goes to the read replica, if there is one.
    db = request.store.read_late(request.tenant_id)
    prices = Prices(request.settings.prices)
    parts = split_experiments(names, only) if query.apart else [(names, only)]
    if query.format == "csv":
        rows, _ = await _load_rows(db, query, parts, prices)
        records = [to_record(row) for row in rows]
        if {"thread", "chat", "run"} & {*names}:
            named = await _describe_named(request, db, rows, only)
            records = add_titles(records, names, named)
        elif {"feature", "worker", "role"} & {*names}:
            words = {k: v for pack in packs for k, v in read_screens(pack).words.items()}
            records = add_words(records, names, words)
        for record in records:
            record |= {name: "Experiments" for name in names if record[name] == EXPERIMENTS}
        text, name = to_csv(records), name_download(names, only)
        return ApiFile(text.encode(), "text/csv; charset=utf-8", name)
    cursor = query.cursor if query.cursor is not None else "0"
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10):
        raise InputError("the cursor is not valid", hint="Use `next_cursor` of the previous page.")
    limit, offset = check_limit(request, query.limit), int(cursor)
    # Before the rows: calls that end meanwhile are then in the larger sum, never in today's alone
    # (test_sums_of_a_report_grow_from_today_to_the_period).
    pace = await _load_pace(db, only) if query.pace else None
    rows, has_more = await _load_rows(db, query, parts, prices, limit, offset)
    runs = await load_run_spreads(db, *parts[0]) if query.runs else []
    latency: list[LatencyRow] = []
    for part in parts if query.latency else []:
        latency += [_fill_keys(row, names) for row in await load_latencies(db, *part)]
    avoided = await list_avoided_calls(db, only, prices) if query.avoided else []
    endings = load_endings(request.settings.endings_file)
    changes = await list_model_changes(db, endings, prices, only) if query.endings else []
    threads = await _describe_named(request, db, rows, only)
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


def split_experiments(names: list[str], only: UsageFilter) -> list[tuple[list[str], UsageFilter]]:
    """Split a report into one without experiments and one of their sums, by time only.

    A report that groups by nothing but time has no groups to keep apart from.
    """
    times = [name for name in names if DIMENSIONS[name].kind == "time"]
    if only.values["origin"] is not None or times == names:
        return [(names, only)]
    own, replays = (
        replace(only, values={**only.values, "origin": origin}) for origin in ("own", "replay")
    )
    return [(names, own), (times, replays)]


async def _load_pace(db: Queryable, only: UsageFilter) -> UsagePace:
    pace = await load_pace(db, only, datetime.now(UTC))
    return UsagePace(
        to_usd(pace.today_usd),
        to_usd(pace.month_usd),
        to_usd(pace.forecast_usd),
        pace.month_ends_at,
    )


async def _load_rows(
    db: Queryable,
    query: UsageQuery,
    parts: Sequence[tuple[list[str], UsageFilter]],
    prices: Prices,
    limit: int = MAX_ROWS,
    offset: int = 0,
) -> tuple[list[UsageRow], bool]:
    """Load the report's rows, up to `limit` of each part, and whether a part has more."""
    loaded: list[UsageRow] = []
    has_more = False
    names = parts[0][0]
    is_by_loss = query.sort == "lost"
    page = (MAX_ROWS, 0) if is_by_loss else (limit + 1, offset)
    for by, only in parts:
        rows = await summarize_usage(
            db, by, only, by_cost=query.sort != "tokens", limit=page[0], offset=page[1]
        )
        if query.caches or is_by_loss:
            rows = await add_cache_amounts(rows, db, by, only, prices)
        if is_by_loss:
            rows = sorted(rows, key=sum_losses, reverse=True)[offset:]
        has_more, rows = has_more or len(rows) > limit, rows[:limit]
        # Without a dimension there is a row of no calls, too.
        loaded += [_fill_keys(row, names) for row in rows if row.calls or by == names]
    return loaded, has_more


def _fill_keys(row: _Keyed, names: Sequence[str]) -> _Keyed:
    """Return the row with a key for each name, that of experiments where it has none."""
    return replace(row, keys={name: row.keys.get(name, EXPERIMENTS) for name in names})


async def _describe_named(
    request: ApiRequest, db: Queryable, rows: Sequence[UsageRow], only: UsageFilter
) -> list[Row]:
    """Load the threads, chats and runs that the report's rows and its filter name."""
    found: list[Row] = []
    if named := list_named(rows, only, "thread"):
        found += await describe_threads(db, request.user_id, named, request.is_admin)
    if named := list_named(rows, only, "chat"):
        whose = (request.user_id, named, request.is_admin, only.values["chat"])
        found += await describe_chats(db, *whose, since=only.since, until=only.until)
    if named := list_named(rows, only, "run"):
        found += await describe_runs(db, request.user_id, named, request.is_admin)
    return found


def add_titles(
    records: Sequence[Mapping[str, Any]], names: Sequence[str], named: Sequence[Row]
) -> list[dict[str, Any]]:
    """Add to each record, after its `names`, the title of its chat or run, and when that began.

    A run's title is the beginning of its message. Of other users' only the owner is named.
    """
    titles: dict[str, tuple[str, datetime | None]] = {EXPERIMENTS: ("Experiments", None)}
    for row in named:
        owned = f"{_KINDS.get(row['kind'], 'Chat')} of {row['user_id']}"
        new = "New chat" if row["title"] == "" and row["kind"] == "chat" else owned
        titles[str(row["id"])] = (" ".join((row["title"] or new).split()), row["created_at"])
    added: list[dict[str, Any]] = []
    for record in records:
        kinds = [name for name in ("run", "thread", "chat") if name in names]
        ids = [str(record[name]) for name in kinds if record[name]]
        outside = None if ids else (f"Without a {kinds[0]}", None)
        title, begun = next(
            (titles[it] for it in ids if it in titles), outside or ("Deleted chat", None)
        )
        begun_at = begun and f"{begun:%Y-%m-%dT%H:%M:%SZ}"
        keys = {name: record[name] for name in names}
        added.append({**keys, "title": title, "begun_at": begun_at, **record})
    return added


def add_words(
    records: Sequence[Mapping[str, Any]], names: Sequence[str], words: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Add to each record, after its `names`, the console's name of its feature, worker or role.

    >>> add_words([{"worker": "job_search", "calls": 1}], ["worker"], {})
    [{'worker': 'job_search', 'title': 'Job search', 'calls': 1}]
    """
    [kind, *_] = [name for name in ("feature", "worker", "role") if name in names]
    added: list[dict[str, Any]] = []
    for record in records:
        value = record[kind] or "Sorting and reading of files"
        title = words.get(value, value[:1].upper() + value[1:].replace("_", " "))
        title = "Experiments" if value == EXPERIMENTS else title
        added.append({**{name: record[name] for name in names}, "title": title, **record})
    return added


def name_download(names: Sequence[str], only: UsageFilter) -> str:
    """Name a report's file by what its rows are, by its filters and by its period.

    >>> since, until = datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)
    >>> name_download(["day"], UsageFilter({"model": "a/b:1", "user": None}, since, until))
    'usage-by-day-of-model-a-b-1-2026-11-01-to-2026-11-30.csv'
    """
    zone = find_zone(only.zone)
    last = only.until - timedelta(microseconds=1) if only.until else datetime.now(UTC)
    parts = ["usage", "-".join(["by", *names]) if names else "totals"]
    for name, value in only.values.items():
        if value is not None:
            # Of an id the end: the beginning is the time, and that of many chats the same.
            parts.append(f"of-{name}-{re.sub('[^A-Za-z0-9._]+', '-', value)[-24:].strip('-')}")
    if only.since:
        parts.append(f"{only.since.astimezone(zone):%Y-%m-%d}")
    return "-".join([*parts, f"to-{last.astimezone(zone):%Y-%m-%d}.csv"])


def list_named(rows: Sequence[UsageRow], only: UsageFilter, name: str) -> list[str]:
    """List the ids of a dimension that the report's rows and its filter contain, each once."""
    ids = {only.values[name], *(row.keys.get(name) for row in rows)}
    return [*filter(None, ids - {EXPERIMENTS})]


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


def list_usage_routes(packs: Sequence[Pack]) -> tuple[ApiRoute, ...]:
    """Return the route of usage reports. packs: whose words name their workers in a CSV."""

    async def read(request: ApiRequest, query: UsageQuery) -> UsageReport | ApiFile:
        return await read_usage(packs, request, query)

    title = f"Tokens and cost, by any of {', '.join(DIMENSIONS)}"
    return (ApiRoute("GET", "/api/usage", read, title, files=("text/csv",)),)
