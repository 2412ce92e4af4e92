"""Options that commands share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final

import typer

LOCAL: Final = "local"  # plainloop.agent.service.service's LOCAL_TENANT, which is slow to import

Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Json = Annotated[bool, typer.Option("--json", help="all of it as JSON")]


def to_utc(given: datetime | None) -> datetime | None:
    """Times without a zone are this machine's."""
    return None if given is None else given.astimezone(UTC)
