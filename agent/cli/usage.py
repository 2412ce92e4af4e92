"""`plainloop usage`: tokens and cost from the ledger, and the model calls that were avoided."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final, Literal

import orjson

from agent.cli import output
from agent.cli.explain import MODEL_ROLES
from agent.cli.opening import Owner, open_store
from agent.cli.rendering import render_table
from agent.config import load_settings
from agent.core.persistence import Store
from agent.core.text import format_count
from agent.core.usage import (
    AvoidedRow,
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    summarize_usage,
)

Format = Literal["table", "csv", "json"]
_MODEL: Final = ("provider", "model")
_NODE: Final = ("node",)


async def usage(owner: Owner, by: Sequence[str], form: Format) -> None:
    """by: dimensions of `agent.core.usage`; none: totals, by model and by node.

    Raises: InputError for an unknown dimension.
    """
    names = [name.strip() for text in by for name in text.split(",") if name.strip()]
    async with open_store(load_settings()) as store:
        if form == "table" and not names:
            await print_usage(store, owner)
            return
        rows = await load_rows(store, owner, names or [*_MODEL, *_NODE])
        avoided = await load_avoided(store, owner)
    if form == "csv":
        output.write(format_csv(rows))
    elif form == "json":
        document = {"rows": [*map(asdict, rows)], "avoided": [*map(asdict, avoided)]}
        output.write_line(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())
    else:
        _print(render_rows(rows))


async def print_usage(store: Store, owner: Owner) -> None:
    """The overview: all in all, by model, by node, what was avoided."""
    total = (await load_rows(store, owner, ()))[0]
    _print(describe_total(total))
    if total.calls:
        for by in (_MODEL, _NODE):
            _print(["", *render_rows(await load_rows(store, owner, by))])
    avoided = await load_avoided(store, owner)
    if avoided:
        _print(["", *render_avoided(avoided)])


async def load_rows(store: Store, owner: Owner, by: Sequence[str]) -> list[UsageRow]:
    async with store.transaction(owner.tenant_id) as tx:
        return await summarize_usage(tx, by, UsageFilter(user_id=owner.user_id))


async def load_avoided(store: Store, owner: Owner) -> list[AvoidedRow]:
    async with store.transaction(owner.tenant_id) as tx:
        return await list_avoided_calls(tx, UsageFilter(user_id=owner.user_id))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        output.write_line(line)


def describe_total(total: UsageRow) -> Iterator[str]:
    """What all calls used, and how sure that is."""
    yield (
        f"{format_count(total.calls, 'model call')}, "
        f"{total.unsuccessful_calls:,} of them failed or cut · "
        f"{_sum_known(total.input_tokens, total.cache_read_tokens, total.cache_write_tokens)} in "
        f"+ {_sum_known(total.output_tokens, total.reasoning_tokens)} out tokens · "
        f"{_format_cost(total)}"
    )
    if total.calls:
        yield (
            f"tokens estimated by us: {_share(total.estimated_calls, total.calls)} of the calls · "
            f"not known at all: {_share(total.unreported_calls, total.calls)} · "
            f"price unknown: {_share(total.unpriced_calls, total.calls)}"
        )


def render_rows(rows: Sequence[UsageRow]) -> Iterator[str]:
    if not rows:
        return iter(["no model calls yet"])
    heads = [*rows[0].keys, "calls", "in", "cached", "written", "out", "reasoning", "cost"]
    return render_table(heads, [_to_cells(row) for row in rows])


def render_avoided(avoided: Sequence[AvoidedRow]) -> Iterator[str]:
    """What was not sent, the most tokens first; how many of it were whole calls."""
    calls = sum(row.calls for row in avoided if row.role in MODEL_ROLES)
    tokens = sum(row.tokens for row in avoided)
    yield (
        f"avoided: {format_count(calls, 'model call')}; "
        f"about {tokens:,} input tokens, for these reasons"
    )
    cells = [[row.role, row.reason, f"{row.calls:,}", f"{row.tokens:,}"] for row in avoided]
    yield from render_table(["what", "reason", "times", "tokens"], cells)


def format_csv(rows: Sequence[UsageRow]) -> str:
    """Every column of the rows; an unknown number is an empty field, not 0."""
    buffer = io.StringIO()
    records: list[dict[str, Any]] = [row.keys | _to_numbers(row) for row in rows]
    if records:
        writer = csv.DictWriter(buffer, fieldnames=list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return buffer.getvalue()


def _to_numbers(row: UsageRow) -> dict[str, Any]:
    record = asdict(row)
    del record["keys"]
    return record


def _to_cells(row: UsageRow) -> list[str]:
    counts = (
        row.input_tokens,
        row.cache_read_tokens,
        row.cache_write_tokens,
        row.output_tokens,
        row.reasoning_tokens,
    )
    return [
        *(value or "–" for value in row.keys.values()),
        f"{row.calls:,}",
        *("–" if count is None else f"{count:,}" for count in counts),
        _format_cost(row),
    ]


def _format_cost(row: UsageRow) -> str:
    """An unknown price is never 0."""
    if row.cost_usd is None:
        return "cost unknown" if row.calls else "$0"
    more = " and more, partly unknown" if row.unpriced_calls else ""
    return f"${float(row.cost_usd):.4f}{more}"


def _sum_known(*counts: int | None) -> str:
    return f"{sum(count for count in counts if count is not None):,}"


def _share(part: int, whole: int) -> str:
    """
    >>> _share(1, 3)
    '33 %'
    """
    return f"{100 * part / whole:.0f} %"
