"""Reports from the ledger: tokens and cost by any dimensions, and the calls that were avoided.

Prices are frozen in the rows when they are written (`pricing`); nothing is priced again here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from agent.core.database import Queryable, Row, parse_id
from agent.core.sql_blocks import CORE_SQL, load_sql
from agent.errors import InputError

SQL: Final = load_sql(CORE_SQL / "usage.sql")
DIMENSIONS: Final = (
    "user",
    "thread",
    "run",
    "node",
    "worker",
    "role",
    "provider",
    "model",
    "status",
    "day",
)


@dataclass(frozen=True, slots=True)
class UsageFilter:
    """Which part of a tenant's ledger; None: all."""

    user_id: str | None = None
    thread_id: str | None = None
    run_id: str | None = None
    since: datetime | None = None  # inclusive
    until: datetime | None = None  # exclusive


@dataclass(frozen=True, slots=True)
class UsageRow:
    """Sums over the calls of one group. Token buckets are disjoint; None: no call stated any."""

    keys: dict[str, str | None]  # by dimension, in the order asked for
    calls: int
    unsuccessful_calls: int  # failed, cancelled, cut, or not settled (yet)
    estimated_calls: int  # usage is our own estimate
    unreported_calls: int  # usage is not known at all
    unpriced_calls: int  # not part of cost_usd
    input_tokens: int | None  # uncached
    cache_read_tokens: int | None
    cache_write_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: str | None  # decimal text; None: no call has a known price


@dataclass(frozen=True, slots=True)
class AvoidedRow:
    """Model calls that were not made, for one reason."""

    role: str
    reason: str
    calls: int
    tokens: int  # estimated input tokens that they would have cost


async def summarize_usage(
    db: Queryable, by: Sequence[str] = (), only: UsageFilter | None = None
) -> list[UsageRow]:
    """The tenant's usage by the given dimensions: days in order, then the largest first.

    Without a dimension it is one row of totals, also when there were no calls.

    Raises: InputError for an unknown dimension.
    """
    unknown = [name for name in by if name not in DIMENSIONS]
    if unknown:
        raise InputError(
            f"usage cannot be grouped by {unknown[0]!r}", hint=f"One of: {', '.join(DIMENSIONS)}."
        )
    found = await db.fetch(
        SQL["summarize_usage"], db.tenant_id, list(by), *_to_arguments(only or UsageFilter())
    )
    rows = [_from_row(row, by) for row in found]
    return rows or ([] if by else [_EMPTY])


async def list_avoided_calls(db: Queryable, only: UsageFilter | None = None) -> list[AvoidedRow]:
    """What was saved: the reasons with the most tokens first."""
    arguments = _to_arguments(only or UsageFilter())
    found = await db.fetch(SQL["list_avoided_calls"], db.tenant_id, *arguments)
    return [AvoidedRow(**row) for row in found]


def _to_arguments(only: UsageFilter) -> list[Any]:
    return [
        only.user_id,
        None if only.thread_id is None else parse_id(only.thread_id, "thread"),
        None if only.run_id is None else parse_id(only.run_id, "run"),
        only.since,
        only.until,
    ]


def _from_row(row: Row, by: Sequence[str]) -> UsageRow:
    sums = {name: value for name, value in row.items() if name not in DIMENSIONS}
    cost = sums.pop("cost_usd")
    return UsageRow(
        keys={name: row[name] for name in by},
        cost_usd=None if cost is None else f"{cost:f}",
        **sums,
    )


_EMPTY: Final = UsageRow({}, 0, 0, 0, 0, 0, None, None, None, None, None, None)
