"""Options that commands share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Annotated, Final

import typer

from ...base.periods import parse_period
from ...types import NO_OPTIONS, RunOptions

LOCAL: Final = "local"  # plainloop.agent.service.service's LOCAL_TENANT, which is slow to import

WHEN: Final = '2026-11-01, "2026-11-01 08:30", yesterday, "last month", october or "Oct 2026"'
Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Json = Annotated[bool, typer.Option("--json", help="all of it as JSON")]


@dataclass(frozen=True, slots=True)
class Owner:
    """Says whose threads a command works on."""

    tenant_id: str
    user_id: str = LOCAL
    options: RunOptions = NO_OPTIONS  # of the runs that it begins


def parse_moment(text: str) -> datetime:
    """A time as people write it, without a zone this machine's; a span of days is its beginning.

    >>> parse_moment("Oct 2026"), parse_moment("2026-11-01 08:30")
    (datetime.datetime(2026, 10, 1, 0, 0), datetime.datetime(2026, 11, 1, 8, 30))
    """
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        name = "_".join(text.lower().split())
    try:
        return datetime.combine(parse_period(name, date.today())[0], time())
    except ValueError:
        told = f"{text!r} is no time: write {WHEN}, for example"
        raise typer.BadParameter(told) from None


def to_span(
    since: datetime | None, until: datetime | None
) -> tuple[datetime | None, datetime | None]:
    """Both in UTC; times without a zone are this machine's.

    Raises: typer.BadParameter where nothing lies between them.
    """
    begins, ends = (None if at is None else at.astimezone(UTC) for at in (since, until))
    if begins and ends and begins >= ends:
        raise typer.BadParameter(
            f"--until {until} is not after --since {since}: nothing is between"
        )
    return begins, ends
