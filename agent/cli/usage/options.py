"""The options that commands of the ledger and of budgets take as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ...usage.dimensions import DIMENSIONS, FILTERS
from ..terminal.options import LOCAL, option, parse_moment, to_span


@dataclass(frozen=True, slots=True)
class Ledger:
    """Says whose ledger is read, and of which time."""

    since: datetime | None = option("from then on, local time", parser=parse_moment, metavar="WHEN")
    until: datetime | None = option("before then", parser=parse_moment, metavar="WHEN")
    tenant: str = option("tenant whose ledger is used; * for all", LOCAL)

    @property
    def span(self) -> tuple[datetime | None, datetime | None]:
        return to_span(self.since, self.until)


@dataclass(frozen=True, slots=True)
class Report:
    """Says what is asked for; by None is the overview."""

    by: list[str] | None = option(f"any of: {', '.join(DIMENSIONS)}")
    form: Literal["table", "csv", "json"] = option("how it is printed", "table", "--format", "-f")
    only: list[str] | None = option(f"one of: {', '.join(FILTERS)}", metavar="NAME=VALUE")
    runs: bool = option("also what one run of each took", False)
    sort: Literal["tokens", "cost"] = option("what the largest is", "tokens")
    limit: int | None = option("rows", None, "-n", min=1)
    user: str | None = option("* for all; unset: you")


@dataclass(frozen=True, slots=True)
class Limits:
    """Says how much a budget allows, and to whom."""

    tokens: int | None = option("all tokens, cached or not", min=0)
    usd: str | None = option("money", metavar="AMOUNT")
    period: Literal["hour", "day", "month", "total"] | None = option(
        "in UTC; unset: month, a run's: all of it", None, "--per"
    )
    user: str | None = option("of scope user: whose; unset: each user's own")
    soft: bool = option("only tell, stop nothing", False)
