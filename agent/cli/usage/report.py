"""`plainloop usage`: tokens and cost from the ledger, and the model calls that were avoided."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

import orjson
import typer

from ...base.text.cleaning import cut_text
from ...config.settings import load_settings
from ...dataclasses import asdict, dataclass, replace
from ...providers.endings import Endings, load_endings
from ...providers.pricing import LIST_PRICES, Prices
from ...store.database import Queryable
from ...store.store import Store
from ...store.threads import describe_chats
from ...usage.caches import add_cache_amounts
from ...usage.days import fill_times
from ...usage.dimensions import FILTERS
from ...usage.model_changes import describe_changes, list_endings, list_model_changes
from ...usage.pace import load_pace
from ...usage.report import (
    EVERYBODY,
    MAX_ROWS,
    RunSpread,
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    load_run_spreads,
    open_ledger,
    separate_tenants,
    summarize_usage,
    to_csv,
    to_record,
)
from ...usage.rollup import roll_up_usage
from ..terminal import output
from ..terminal.options import LOCAL, Owner
from .options import Ledger, Report
from .tables import (
    describe_others_replays,
    describe_pace,
    describe_spread,
    describe_total,
    render_avoided,
    render_days,
    render_rows,
)

TOP_ROWS: Final = 8
_TITLE_CHARS: Final = 40
_BY_DEFAULT: Final = ("provider", "model", "node")


@dataclass(frozen=True, slots=True)
class Question:
    """The query of a usage report. tenant: `*` for all. by: empty for the overview."""

    tenant: str
    by: tuple[str, ...]
    only: UsageFilter
    report: Report


def make_question(report: Report, ledger: Ledger) -> Question:
    """Build the usage report's query from the command's options. Raises: BadParameter."""
    since, until = ledger.span
    # Another tenant has no user `local`: its report is of all its users.
    whose = report.user or (LOCAL if ledger.tenant == LOCAL else "*")
    filters = {"user": None if whose == "*" else whose}
    for text in report.only or []:
        name, is_given, value = text.partition("=")
        if not is_given:
            raise typer.BadParameter(f"--only must be NAME=VALUE, not {text!r}")
        if name not in FILTERS:
            known = ", ".join(FILTERS)
            raise typer.BadParameter(f"--only has no filter {name!r}: use one of {known}")
        filters[name] = value
    by = (name.strip() for text in report.by or [] for name in text.split(","))
    only = UsageFilter(filters, since=since, until=until, zone=ledger.day_zone)
    return Question(ledger.tenant, tuple(filter(None, by)), only, report)


async def usage(store: Store, question: Question) -> None:
    """Bring the usage sums up to date and print a report. Raises: InputError."""
    settings = load_settings()
    prices, endings = Prices(settings.prices), load_endings(settings.endings_file)
    with output.progress("adding up the ledger …"):
        await roll_up_usage(store)
    async with open_ledger(store, question.tenant) as db:
        if question.report.form == "table" and not question.by:
            await _print_overview(db, question, prices, endings)
        else:
            await _print_report(db, question, prices, endings)
        if question.report.form == "table" and (
            others := await sum_others_replays(db, question.only)
        ):
            output.write_lines(["", describe_others_replays(others)])


async def sum_others_replays(db: Queryable, only: UsageFilter) -> UsageRow | None:
    """Sum the usage of replays of other users' threads, for a note below one user's report.

    None if the report is of all users or filters by origin, or if there are no such replays.
    """
    user = only.values.get("user")
    if user is None or only.values.get("origin") is not None:
        return None
    replayed = replace(only, values={**only.values, "user": None, "origin": "replay"})
    theirs = replace(replayed, values={**replayed.values, "user": user})
    (all_calls,), (own,) = [await summarize_usage(db, (), each) for each in (replayed, theirs)]
    calls = all_calls.calls - own.calls
    usd = Decimal(all_calls.cost_usd or 0) - Decimal(own.cost_usd or 0)
    unpriced = all_calls.unpriced_calls - own.unpriced_calls
    cost = None if unpriced == calls else f"{usd:f}"
    return (
        replace(all_calls, calls=calls, cost_usd=cost, unpriced_calls=unpriced) if calls else None
    )


async def print_usage(store: Store, owner: Owner) -> None:
    """Print the usage overview of one user, for the chat's /usage."""
    async with store.transaction(owner.tenant_id) as tx:
        only = UsageFilter({"user": owner.user_id})
        question = Question(owner.tenant_id, (), only, Report())
        await _print_overview(tx, question, LIST_PRICES, load_endings())


async def _print_overview(
    db: Queryable, question: Question, prices: Prices, endings: Endings
) -> None:
    """Print totals, then usage by time, model, node and other groups, and avoided calls."""
    only = question.only
    (total,) = await add_cache_amounts(await summarize_usage(db, (), only), db, (), only, prices)
    output.write_lines(describe_total(total))
    pace = await load_pace(db, only, datetime.now(UTC))
    output.write_line(describe_pace(pace))
    if total.calls:
        for spread in await load_run_spreads(db, (), only):
            output.write_line(describe_spread(spread))
        by_day = fill_times(await summarize_usage(db, ("day",), only), zone=only.zone)
        by = "day" if len(by_day) > 1 else "hour"
        by_hour = [] if by == "day" else await summarize_usage(db, ("hour",), only)
        lines = [*render_days(fill_times(by_hour, zone=only.zone) or by_day, by, only.zone)]
        output.write_lines(["", *lines] if lines else [])
        tables: list[tuple[str, ...]] = [("provider", "model"), ("node",), ("origin",)]
        if only.values.get("user") is None:
            tables.insert(0, separate_tenants(question.tenant, ("user",)))
        if question.tenant == EVERYBODY:
            tables.insert(0, ("tenant",))
        for names in tables:
            by_cost = question.report.sort == "cost"
            rows = await summarize_usage(db, names, only, by_cost=by_cost, limit=TOP_ROWS + 1)
            # A table of one user or one origin repeats the totals above it.
            if names[-1] not in ("tenant", "user", "origin") or len(rows) > 1:
                output.write_lines(["", *render_rows(rows[:TOP_ROWS], is_alone=False)])
                if len(rows) > TOP_ROWS:
                    output.write_line(f"… more: plainloop usage --by {','.join(names)}")
    if changes := await list_model_changes(db, endings, prices, only):
        output.write_lines(["", *describe_changes(changes)])
    avoided = await list_avoided_calls(db, only, prices)
    if avoided:
        output.write_lines(["", *render_avoided(avoided)])


async def _print_report(
    db: Queryable, question: Question, prices: Prices, endings: Endings
) -> None:
    report, only = question.report, question.only
    by = separate_tenants(question.tenant, question.by or _BY_DEFAULT)
    limit = MAX_ROWS if report.limit is None else report.limit
    rows = await summarize_usage(db, by, only, by_cost=report.sort == "cost", limit=limit)
    if report.form != "table":
        rows = await add_cache_amounts(rows, db, by, only, prices)
    rows = fill_times(rows, zone=only.zone)[:limit]
    spreads = await load_run_spreads(db, by, only) if report.runs else []
    if report.form == "table":
        chats = await _name_chats(db, rows, only) if "chat" in by else {}
        output.write_lines(render_rows(rows, spreads, zone=only.zone, chats=chats))
    elif report.form == "csv":
        output.write(to_csv(to_records(rows, spreads)))
    else:
        avoided = await list_avoided_calls(db, only, prices)
        others = await sum_others_replays(db, only)
        changes = await list_model_changes(db, endings, prices, only)
        document = {
            "zone": only.zone,
            "rows": [{"keys": row.keys, **to_record(replace(row, keys={}))} for row in rows],
            "runs": [*map(asdict, spreads)],
            "changes": [item.to_record() for item in changes],
            "endings": list_endings(changes),
            "avoided": [*map(asdict, avoided)],
            "pace": {
                name: f"{value:f}" if isinstance(value, Decimal) else value
                for name, value in asdict(await load_pace(db, only, datetime.now(UTC))).items()
            },
            "replays_of_others": None if others is None else to_record(others),
        }
        output.write_line(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())


async def _name_chats(db: Queryable, rows: Sequence[UsageRow], only: UsageFilter) -> dict[str, str]:
    """Load the titles of the rows' chats by id. Of other users' chats only the owner is named."""
    ids = [chat for row in rows if (chat := row.keys["chat"])]
    user = only.values.get("user") or LOCAL
    return {
        str(chat["id"]): f"of {chat['user_id']}"
        if chat["title"] is None
        else cut_text(" ".join(chat["title"].split()), _TITLE_CHARS) or "New chat"
        for chat in await describe_chats(db, user, ids, is_admin=True)
    }


def to_records(rows: Sequence[UsageRow], spreads: Sequence[RunSpread]) -> list[dict[str, Any]]:
    """Convert usage rows to flat records for CSV and JSON."""
    runs = {tuple(spread.keys.values()): to_record(spread) for spread in spreads}
    empty: dict[str, Any] = dict.fromkeys(next(iter(runs.values())) if runs else ())
    return [
        runs.get(tuple(row.keys.values()), empty) | to_record(row) if runs else to_record(row)
        for row in rows
    ]
