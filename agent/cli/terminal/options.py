"""Options that commands share."""

from __future__ import annotations

from typing import Annotated, Final

import typer

LOCAL: Final = "local"  # plainloop.agent.service.service's LOCAL_TENANT, which is slow to import

Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Json = Annotated[bool, typer.Option("--json", help="all of it as JSON")]
