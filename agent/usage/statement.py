"""A month's statement as one HTML page: self-contained, and laid out for printing to PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from html import escape
from typing import Final

from ..errors import InputError
from ..store.database import Queryable
from .report import (
    AvoidedRow,
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    summarize_usage,
)

_STYLE: Final = """
:root { color-scheme: light; }
body { font: 14px/1.5 system-ui, sans-serif; color: #1c2430; max-width: 46rem; margin: 3rem auto;
  padding: 0 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p.lead { color: #5a6675; margin: .2rem 0 1.5rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid #dfe4ea; text-align: right; }
th { font-weight: 600; color: #5a6675; } th:first-child, td:first-child { text-align: left; }
tfoot td { font-weight: 600; border-bottom: 0; border-top: 2px solid #1c2430; }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 5rem; }
.bars div { flex: 1; background: #3566c8; min-height: 1px; }
.note { color: #5a6675; font-size: .9rem; }
@page { size: A4; margin: 18mm 16mm; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 11px; }
  tr, .bars { break-inside: avoid; } thead { display: table-header-group; }
  .bars div { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a tenant used in a month. markup_percent: on top of the cost, for who is billed."""

    tenant: str
    month: datetime
    markup_percent: Decimal
    total: UsageRow
    by_model: Sequence[UsageRow]
    by_user: Sequence[UsageRow]
    by_day: Sequence[UsageRow]
    avoided: Sequence[AvoidedRow]


def parse_month(text: str | None) -> datetime:
    """Its first moment, UTC; None: the month before this one.

    >>> parse_month("2026-11").isoformat()
    '2026-11-01T00:00:00+00:00'

    Raises: InputError.
    """
    if text is None:
        this_month = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        return (this_month - timedelta(days=1)).replace(day=1)
    try:
        return datetime.strptime(text, "%Y-%m").replace(tzinfo=UTC)
    except ValueError as error:
        raise InputError(f"a month is written 2026-11, not {text!r}") from error


async def load_statement(
    db: Queryable, tenant: str, month: datetime, markup_percent: Decimal
) -> Statement:
    """month: its first moment, UTC. Whole hours should be rolled up before (`roll_up_usage`)."""
    ends = (month + timedelta(days=32)).replace(day=1)
    only = UsageFilter(since=month, until=ends)
    return Statement(
        tenant=tenant,
        month=month,
        markup_percent=markup_percent,
        total=(await summarize_usage(db, (), only))[0],
        by_model=await summarize_usage(db, ("provider", "model"), only, by_cost=True),
        by_user=await summarize_usage(db, ("user",), only, by_cost=True),
        by_day=await summarize_usage(db, ("day",), only),
        avoided=await list_avoided_calls(db, only),
    )


def render_statement(page: Statement) -> str:
    """The month as one HTML page, without anything to be loaded."""
    title = f"Usage statement, {page.month:%B %Y}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="lead">{escape(page.tenant)} · times in UTC · amounts in USD</p>',
        *_render_table("By model", ("provider", "model"), page.by_model, page),
        *_render_table("By user", ("user",), page.by_user, page),
        *_render_days(page.by_day),
        *_render_notes(page),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def bill(cost_usd: str | None, markup_percent: Decimal) -> Decimal | None:
    """
    >>> bill("10", Decimal(15)), bill(None, Decimal(15))
    (Decimal('11.5000'), None)
    """
    if cost_usd is None:
        return None
    return (Decimal(cost_usd) * (1 + markup_percent / 100)).quantize(Decimal("0.0001"))


def _render_table(
    title: str, keys: Sequence[str], rows: Sequence[UsageRow], page: Statement
) -> Iterator[str]:
    yield f"<h2>{escape(title)}</h2><table><thead><tr><th>{escape(' · '.join(keys))}</th>"
    yield "<th>calls</th><th>input</th><th>of it cached</th><th>output</th><th>amount</th></tr>"
    yield "</thead><tbody>"
    for row in rows:
        name = " · ".join(value or "(erased)" for value in row.keys.values())
        yield _render_row(name, row, page.markup_percent)
    yield f"</tbody><tfoot>{_render_row('total', page.total, page.markup_percent)}</tfoot></table>"


def _render_row(name: str, row: UsageRow, markup_percent: Decimal) -> str:
    amount = bill(row.cost_usd, markup_percent)
    shown = "not known" if amount is None else f"{amount:,.4f}" + "*" * bool(row.unpriced_calls)
    counts = (row.calls, row.input_total, row.cache_read_tokens, row.output_total)
    cells = "".join(f"<td>{'–' if count is None else f'{count:,}'}</td>" for count in counts)
    return f"<tr><td>{escape(name)}</td>{cells}<td>{shown}</td></tr>"


def _render_days(rows: Sequence[UsageRow]) -> Iterator[str]:
    if not rows:
        return
    sizes = [(row.input_total or 0) + (row.output_total or 0) for row in rows]
    most = max(sizes) or 1
    yield f'<h2>Tokens by day</h2><div class="bars" role="img" aria-label="{len(rows)} days">'
    for row, size in zip(rows, sizes, strict=True):
        day = escape(row.keys["day"] or "")
        yield f'<div style="height:{100 * size / most:.1f}%" title="{day}: {size:,}"></div>'
    yield "</div>"


def _render_notes(page: Statement) -> Iterator[str]:
    """What is in the amounts, and what is not known: never shown as nothing."""
    total = page.total
    notes: list[str] = []
    if page.markup_percent:
        notes.append(f"Amounts contain a mark-up of {page.markup_percent:f} %.")
    if total.unpriced_calls:
        notes.append(f"* {total.unpriced_calls:,} calls have no known price and are in no amount.")
    if total.estimated_calls:
        notes.append(f"The tokens of {total.estimated_calls:,} calls are our own estimate.")
    if total.unreported_calls:
        notes.append(f"What {total.unreported_calls:,} calls used is not known.")
    saved = sum(row.tokens for row in page.avoided)
    if saved:
        notes.append(f"Not sent, by design: about {saved:,} input tokens.")
    for note in notes:
        yield f'<p class="note">{escape(note)}</p>'
