"""Our ledger beside a provider's own account, by day and model: tokens and money kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from ..errors import InputError
from ..store.database import Queryable
from .report import UsageFilter, UsageRow, summarize_usage
from .stated import Stated

CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One day of one model; theirs or ours None: it is missing there."""

    day: str
    model: str
    theirs: Stated | None
    ours: UsageRow | None

    @property
    def token_gaps(self) -> dict[str, int]:
        """By bucket, theirs less ours, where both know it and they differ."""
        pairs = {
            "input": (
                self.theirs.input_tokens if self.theirs else 0,
                self.ours.input_total if self.ours else 0,
            ),
            "cached": (
                self.theirs.cache_read_tokens if self.theirs else 0,
                (self.ours.cache_read_tokens or 0) if self.ours else 0,
            ),
            "written": (
                self.theirs.cache_write_tokens if self.theirs else 0,
                (self.ours.cache_write_tokens or 0) if self.ours else 0,
            ),
            "output": (
                self.theirs.output_tokens if self.theirs else 0,
                self.ours.output_total if self.ours else 0,
            ),
        }
        return {
            name: theirs - (ours or 0)
            for name, (theirs, ours) in pairs.items()
            if theirs is not None and theirs != (ours or 0)
        }

    @property
    def money_gap(self) -> Decimal | None:
        """Theirs less ours; None where either is not known."""
        theirs = self.theirs.cost_usd if self.theirs else None
        ours = self.ours.cost_usd if self.ours else None
        return None if theirs is None or ours is None else theirs - Decimal(ours)

    @property
    def has_same_money(self) -> bool | None:
        """To the cent; None where either is not known."""
        gap = self.money_gap
        return None if gap is None else abs(gap) < CENT


async def compare_usage(
    db: Queryable, stated: Sequence[Stated], provider: str | None = None
) -> list[Comparison]:
    """Every day and model that either side has, within the days of the export.

    Raises: InputError for an export without a day.
    """
    if not stated:
        raise InputError("the export has no usage in it")
    try:
        days = [datetime.strptime(row.day, "%Y-%m-%d").replace(tzinfo=UTC) for row in stated]
    except ValueError as error:
        raise InputError(f"a date is no date: {error}", hint="YYYY-MM-DD") from error
    only = UsageFilter(since=min(days), until=max(days) + timedelta(days=1), provider=provider)
    rows = await summarize_usage(db, ("day", "model"), only)
    ours = {(row.keys["day"] or "", row.keys["model"] or ""): row for row in rows}
    theirs = {(row.day, row.model): row for row in stated}
    return [Comparison(*key, theirs.get(key), ours.get(key)) for key in sorted({*ours, *theirs})]
