"""Usage as lines of text for people. Pure: no I/O, no store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from ...base.text.cleaning import format_count
from ...config.zones import UTC_ZONE
from ...types import TOKEN_BUCKETS
from ...usage.ledger_columns import SUMMED, LedgerColumn
from ...usage.pace import Pace
from ...usage.report import AvoidedRow, RunSpread, UsageRow
from ..talk.explain import MODEL_ROLES
from ..terminal.rendering import render_table

_TIMES: Final = ("day", "hour")
_BARS: Final = "▁▂▃▄▅▆▇█"
_BLANK: Final = "·"
_BAR_CELLS: Final = 12
_BUCKET_HEADS: Final = ("in", "cached", "written", "for long", "out", "reasoning")


def describe_total(total: UsageRow) -> Iterator[str]:
    """Describe total calls, tokens, cost and cache reads in lines, and how exact they are."""
    yield (
        f"{format_count(total.calls, 'model call')}, "
        f"{total.unsuccessful_calls:,} of them failed or cut · "
        f"{total.input_total or 0:,} in + {total.output_total or 0:,} out tokens · "
        f"{format_cost(total)}"
    )
    if not total.calls:
        return
    hits = total.cache_hit_share
    yield (
        f"read from a provider's cache: {'–' if hits is None else _percent(hits)} of the input · "
        f"retries: {total.retries:,} for {format_usd(total.retry_cost_usd)} · "
        f"failed or cut: {format_usd(total.unsuccessful_cost_usd)}"
    )
    yield (
        f"saved by the cache: {format_usd(total.cache_saved_usd)} · "
        f"cost of expired caches: {format_usd(total.pause_loss_usd)}, "
        f"broken prefixes: {format_usd(total.prefix_loss_usd)}"
    )
    if SUMMED:
        yield " · ".join(f"{item.label}: {_format_sum(item, total)}" for item in SUMMED)
    yield (
        "tokens estimated by plainloop: "
        f"{_percent(total.estimated_calls / total.calls)} of the calls · tokens "
        f"unknown: {_percent(total.unreported_calls / total.calls)} · price "
        f"unknown: {_percent(total.unpriced_calls / total.calls)}"
    )


def describe_pace(pace: Pace) -> str:
    """Describe the cost of today and of this month, and the cost forecast for the month."""
    day, month, whole = (
        format_usd(None if usd is None else f"{usd:f}")
        for usd in (pace.today_usd, pace.month_usd, pace.forecast_usd)
    )
    last = f"{pace.month_ends_at - timedelta(seconds=1):%d %B}".lstrip("0")
    expected = "" if pace.forecast_usd is None else f", {whole} by {last} at this pace"
    return f"today: {day} · this month: {month}{expected}"


def describe_others_replays(replayed: UsageRow) -> str:
    return (
        f"replays of other users' conversations: {format_count(replayed.calls, 'model call')} for "
        f"{format_cost(replayed)} (plainloop usage --user '*' --only origin=replay)"
    )


def describe_spread(spread: RunSpread) -> str:
    return (
        f"{format_count(spread.runs, 'run')}: half of the runs used at most "
        f"{spread.tokens_p50:,} tokens ({format_usd(spread.cost_usd_p50)}), 95 % "
        f"used at most {spread.tokens_p95:,} ({format_usd(spread.cost_usd_p95)})"
    )


def render_rows(
    rows: Sequence[UsageRow],
    spreads: Sequence[RunSpread] = (),
    *,
    is_alone: bool = True,
    zone: str = UTC_ZONE,
    chats: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:
    """Render usage rows as a table.

    is_alone: no line above it says already that some prices are not known. zone: of its times.
    chats: names of chats by id, for a column after the others.
    """
    if not rows:
        yield "no model calls"
        return
    buckets = {
        name: head
        for name, head in zip(TOKEN_BUCKETS, _BUCKET_HEADS, strict=True)
        # A column that is empty for most users would push the others out of 80 characters.
        if name != "cache_write_long_tokens" or any(row.cache_write_long_tokens for row in rows)
    }
    heads = ["calls", *buckets.values(), "cache", "cost", ""]
    runs = {tuple(spread.keys.values()): spread for spread in spreads}
    if runs:
        heads[-1:] = ["runs", "run p50", "run p95", ""]
    most = max(row.total_tokens for row in rows) or 1
    cells = [
        [
            *_to_cells(row, buckets, runs.get(tuple(row.keys.values())), has_runs=bool(runs)),
            "█" * round(_BAR_CELLS * row.total_tokens / most),  # beside the largest one's
            *([chats.get(row.keys["chat"] or "", "")] if chats else []),
        ]
        for row in rows
    ]
    names = (f"{name} ({zone})" if name in _TIMES else name for name in rows[0].keys)
    yield from render_table([*names, *heads, *(["title"] if chats else [])], cells)
    if is_alone and any(row.unpriced_calls for row in rows):
        yield "+: the cost of some calls is unknown; ?: the cost of all calls is unknown"
        for row in rows:
            if row.bounded_calls:
                named = ", ".join(value or "–" for value in row.keys.values())
                calls = format_count(row.bounded_calls, "call")
                yield f"{named}: at most {format_usd(row.at_most_usd)} for {calls} that never ended"


def render_days(rows: Sequence[UsageRow], by: str, zone: str = UTC_ZONE) -> Iterator[str]:
    """Render tokens, cost and calls per day as lines of bars (sparklines).
    A single row yields nothing.
    zone: where these begin.
    """
    if len(rows) < 2:
        return
    first, last = rows[0].keys[by], rows[-1].keys[by]
    yield f"by {by} ({zone}), {first} to {last}"
    series = {
        "tokens": [float(row.total_tokens) for row in rows],
        "cost": [float(row.cost_usd or 0) for row in rows],
        "calls": [float(row.calls) for row in rows],
    }
    for name, values in series.items():
        shown = f"${max(values):,.2f}" if name == "cost" else f"{max(values):,.0f}"
        yield f"  {name:<7} {draw_sparkline(values)}  at most {shown}"


def render_avoided(avoided: Sequence[AvoidedRow]) -> Iterator[str]:
    """Render the avoided calls and tokens by reason, and their worth at today's prices."""
    calls = sum(row.calls for row in avoided if row.role in MODEL_ROLES)
    tokens = sum(row.tokens for row in avoided)
    known = [float(row.cost_usd) for row in avoided if row.cost_usd is not None]
    worth = f", ${sum(known):,.4f} at today's prices" if known and sum(known) else ""
    yield (
        f"avoided: {format_count(calls, 'model call')}, about {tokens:,} input "
        f"tokens{worth}; reasons"
    )
    cells = [
        [row.role, row.reason, f"{row.calls:,}", f"{row.tokens:,}", format_usd(row.cost_usd)]
        for row in avoided
    ]
    yield from render_table(["what", "reason", "times", "tokens", "worth"], cells)


def draw_sparkline(values: Sequence[float]) -> str:
    """Draw numbers as one line of bars with eight heights.

    >>> draw_sparkline([0, 1, 4, 8])
    '·▁▄█'
    """
    most = max(values, default=0)
    return "".join(
        _BARS[max(0, min(7, round(8 * value / most) - 1))] if value else _BLANK for value in values
    )


def format_usd(amount: str | None) -> str:
    """Format an amount in US dollars as the console does; an unknown amount (None) becomes "–".
    With four places below $100, so that rows add up, or with two where these say all of it.

    >>> format_usd(None), format_usd("0"), format_usd("0.00003"), format_usd("12345.678")
    ('–', '$0', '$0.00003', '$12,345.68')
    >>> format_usd("1.2345"), format_usd("0.25"), format_usd("-0.2512")
    ('$1.2345', '$0.25', '-$0.2512')
    """
    if amount is None:
        return "–"
    if amount.startswith("-"):
        return f"-{format_usd(amount[1:])}"
    value = float(amount)
    if value == 0:
        return "$0"
    if value >= 100 or (value >= 0.0001 and round(value, 4) == round(value, 2)):
        return f"${value:,.2f}"
    return f"${value:.4f}" if value >= 0.0001 else f"${value:.5f}"


def _format_sum(column: LedgerColumn, row: UsageRow) -> str:
    value = row.sums[column.name]
    if column.unit == "usd":
        return format_usd(value)
    return "–" if value is None else f"{value:,} {column.unit}"


def format_cost(row: UsageRow) -> str:
    """Format a row's cost, and say which part of it is unknown or only bounded."""
    if row.cost_usd is None and not row.bounded_calls:
        return "cost unknown" if row.calls else "$0"
    cost = format_usd(row.cost_usd or "0")
    if row.bounded_calls:
        cost += f" and at most {format_usd(row.at_most_usd)} more"
    return cost + " or more, partly unknown" * (row.unpriced_calls > row.bounded_calls)


def _to_cells(
    row: UsageRow, buckets: Iterable[str], spread: RunSpread | None, *, has_runs: bool
) -> list[str]:
    counts = (getattr(row, name) for name in buckets)
    cost = "?" if row.calls else "$0"  # of none it is known
    if row.cost_usd is not None:  # `+`: there is more, whose price is not known
        cost = format_usd(row.cost_usd) + "+" * bool(row.unpriced_calls)
    runs: list[str] = []
    if has_runs:
        some = (spread.runs, spread.tokens_p50, spread.tokens_p95) if spread else (None,) * 3
        runs = ["–" if number is None else f"{number:,}" for number in some]
    return [
        *(value or "–" for value in row.keys.values()),
        f"{row.calls:,}",
        *("–" if count is None else f"{count:,}" for count in counts),
        "–" if row.cache_hit_share is None else _percent(row.cache_hit_share),
        cost,
        *runs,
    ]


def _percent(share: float) -> str:
    """
    >>> _percent(1 / 3)
    '33 %'
    """
    return f"{100 * share:.0f} %"
