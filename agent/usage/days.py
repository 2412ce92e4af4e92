"""Days and hours without a call: a report over time shows them, empty."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from ..types import TOKEN_BUCKETS
from .dimensions import COSTS, MEASURES
from .report import UsageRow, format_time

_STEPS: Final = {"day": timedelta(days=1), "hour": timedelta(hours=1)}


def fill_times(
    rows: Sequence[UsageRow], first: datetime | None = None, last: datetime | None = None
) -> list[UsageRow]:
    """Rows by day (or hour) alone, with an empty one for each time between them without a call;
    rows by anything else as they are.

    first, last: days that are shown, too, where there is any row.
    """
    by = next(iter(rows[0].keys), "") if rows and len(rows[0].keys) == 1 else ""
    if by not in _STEPS:
        return [*rows]
    found = {datetime.fromisoformat(row.keys[by] or ""): row for row in rows}
    given = [at.replace(tzinfo=min(found).tzinfo) for at in (first, last) if at is not None]
    at, end = min([*found, *given]), max([*found, *given])
    unknown = {*TOKEN_BUCKETS, *COSTS}
    nothing: dict[str, Any] = {name: None if name in unknown else 0 for name in MEASURES}
    filled: list[UsageRow] = []
    while at <= end:
        filled.append(found.get(at) or UsageRow({by: format_time(by, at)}, **nothing))
        at += _STEPS[by]
    return filled
