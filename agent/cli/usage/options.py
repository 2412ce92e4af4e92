"""The options that commands of the ledger and of budgets take as a whole."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

from ...config.zones import UTC_ZONE, find_zone
from ...dataclasses import dataclass
from ...usage.dimensions import DIMENSIONS, FILTERS
from ..terminal.options import LOCAL, option, parse_moment, to_span

ZONE: Final = "time zone in which {} begin, such as Europe/Berlin"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Options of a report: the tenant and the period."""

    since: datetime | None = option(
        "only calls that started at this local time or later", parser=parse_moment, metavar="WHEN"
    )
    until: datetime | None = option(
        "only calls that started before this time", parser=parse_moment, metavar="WHEN"
    )
    tenant: str = option("tenant whose calls are shown; * for all", LOCAL)
    zone: str | None = option(
        ZONE.format("days, --since and --until"),
        metavar="ZONE",
        show_default="UTC for days, this machine's for --since and --until",
    )

    @property
    def span(self) -> tuple[datetime | None, datetime | None]:
        """Return --since and --until in UTC. Raises: BadParameter, InputError for a wrong zone."""
        ends = (self.since, self.until)
        if self.zone is None:
            return to_span(*ends)
        zone = find_zone(self.zone)
        named = (at.replace(tzinfo=zone) if at and not at.tzinfo else at for at in ends)
        return to_span(*named)

    @property
    def day_zone(self) -> str:
        return self.zone or UTC_ZONE


@dataclass(frozen=True, slots=True)
class Report:
    """Options of a usage report; without `by`, the overview."""

    by: list[str] | None = option(f"group by any of: {', '.join(DIMENSIONS)}")
    form: Literal["table", "csv", "json"] = option("output format", "table", "--format", "-f")
    only: list[str] | None = option(f"filter by one of: {', '.join(FILTERS)}", metavar="NAME=VALUE")
    runs: bool = option("also show the usage of a typical run", False)
    sort: Literal["tokens", "cost"] = option("sort rows by this, largest first", "tokens")
    limit: int | None = option("number of rows to show", None, "-n", min=1)
    user: str | None = option("only this user's calls, or * for all; default: yours")


@dataclass(frozen=True, slots=True)
class Limits:
    """Options of a budget: its limits and its subject."""

    tokens: int | None = option("limit in tokens, cached ones included", min=0)
    usd: str | None = option("limit in USD", metavar="AMOUNT")
    period: Literal["hour", "day", "month", "total"] | None = option(
        "period; default: month, and total for scope run", None, "--per"
    )
    zone: str = option(ZONE.format("hours, days and months"), UTC_ZONE)
    user: str | None = option("with scope user: the user; default: each user separately")
    soft: bool = option("only notify, never block calls", False)
