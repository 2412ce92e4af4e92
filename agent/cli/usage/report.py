"""`plainloop usage`: tokens and cost from the ledger, and the model calls that were avoided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

import orjson

from ...config.settings import load_settings
from ...providers.pricing import LIST_PRICES, Prices
from ...store.database import Queryable
from ...store.store import Store
from ...usage.days import fill_times
from ...usage.report import (
    ALL,
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
from ..terminal.opening import open_store
from ..terminal.options import Owner
from .tables import (
    describe_spread,
    describe_total,
    render_avoided,
    render_days,
    render_rows,
)

Format = Literal["table", "csv", "json"]
TOP_ROWS: Final = 8
_ROLLING: Final = "adding up the ledger …"
_BY_DEFAULT: Final = ("provider", "model", "node")


@dataclass(frozen=True, slots=True)
class Report:
    """Says what is asked for. tenant: `*` for all. by: none is the overview."""

    tenant: str
    by: tuple[str, ...] = ()
    only: UsageFilter = ALL
    form: Format = "table"
    with_runs: bool = False
    by_cost: bool = False
    limit: int | None = None


async def usage(report: Report) -> None:
    """Raises: InputError for an unknown dimension."""
    settings = load_settings()
    async with open_store(settings) as store:
        with output.progress(_ROLLING):
            await roll_up_usage(store)
        async with open_ledger(store, report.tenant) as db:
            if report.form == "table" and not report.by:
                await _print_overview(db, report, Prices(settings.prices))
            else:
                await _print_report(db, report, Prices(settings.prices))


async def print_usage(store: Store, owner: Owner) -> None:
    """The overview of one user."""
    async with store.transaction(owner.tenant_id) as tx:
        only = UsageFilter({"user": owner.user_id})
        await _print_overview(tx, Report(owner.tenant_id, only=only), LIST_PRICES)


async def _print_overview(db: Queryable, report: Report, prices: Prices) -> None:
    """All in all, over time, by model, node and whoever there are several of; what was avoided."""
    only = report.only
    total = (await summarize_usage(db, (), only))[0]
    output.write_lines(describe_total(total))
    if total.calls:
        for spread in await load_run_spreads(db, (), only):
            output.write_line(describe_spread(spread))
        by_day = fill_times(await summarize_usage(db, ("day",), only))
        by = "day" if len(by_day) > 1 else "hour"
        hours = [] if by == "day" else fill_times(await summarize_usage(db, ("hour",), only))
        lines = [*render_days(hours or by_day, by)]
        output.write_lines(["", *lines] if lines else [])
        for names in _choose_tables(report):
            rows = await summarize_usage(
                db, names, only, by_cost=report.by_cost, limit=TOP_ROWS + 1
            )
            if names[-1] not in ("tenant", "user", "origin") or len(rows) > 1:
                output.write_lines(["", *render_rows(rows[:TOP_ROWS], is_alone=False)])
                if len(rows) > TOP_ROWS:
                    output.write_line(f"… more: plainloop usage --by {','.join(names)}")
    avoided = await list_avoided_calls(db, only, prices)
    if avoided:
        output.write_lines(["", *render_avoided(avoided)])


def _choose_tables(report: Report) -> list[tuple[str, ...]]:
    tables: list[tuple[str, ...]] = [("provider", "model"), ("node",), ("origin",)]
    if report.only.values.get("user") is None:
        tables.insert(0, separate_tenants(report.tenant, ("user",)))
    if report.tenant == EVERYBODY:
        tables.insert(0, ("tenant",))
    return tables


async def _print_report(db: Queryable, report: Report, prices: Prices) -> None:
    by = separate_tenants(report.tenant, report.by or _BY_DEFAULT)
    limit = MAX_ROWS if report.limit is None else report.limit
    rows = await summarize_usage(db, by, report.only, by_cost=report.by_cost, limit=limit)
    rows = fill_times(rows)[:limit]
    spreads = await load_run_spreads(db, by, report.only) if report.with_runs else []
    if report.form == "table":
        output.write_lines(render_rows(rows, spreads))
    elif report.form == "csv":
        output.write(to_csv(to_records(rows, spreads)))
    else:
        avoided = await list_avoided_calls(db, report.only, prices)
        document = {
            "rows": [asdict(row) | {"cache_hit_share": row.cache_hit_share} for row in rows],
            "runs": [*map(asdict, spreads)],
            "avoided": [*map(asdict, avoided)],
        }
        output.write_line(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())


def to_records(rows: Sequence[UsageRow], spreads: Sequence[RunSpread]) -> list[dict[str, Any]]:
    """Flat: the keys, every number, and what one run took where that was asked for."""
    runs = {tuple(spread.keys.values()): to_record(spread) for spread in spreads}
    empty: dict[str, Any] = dict.fromkeys(next(iter(runs.values())) if runs else ())
    return [
        runs.get(tuple(row.keys.values()), empty) | to_record(row) if runs else to_record(row)
        for row in rows
    ]
