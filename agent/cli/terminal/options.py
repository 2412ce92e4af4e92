"""Options that commands share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final

import typer

LOCAL: Final = "local"  # plainloop.agent.service.service's LOCAL_TENANT, which is slow to import

Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Json = Annotated[bool, typer.Option("--json", help="all of it as JSON")]


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose threads a command works on."""

    tenant_id: str
    user_id: str = LOCAL
    tags: tuple[str, ...] = ()  # of the runs that it begins


def to_utc(given: datetime | None) -> datetime | None:
    """Times without a zone are this machine's."""
    return None if given is None else given.astimezone(UTC)
