"""`plainloop failures`: runs that failed, by cause."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from ...base.text.cleaning import format_count
from ...store.outcomes.failures import FailureCause, list_failures
from ...store.store import Store
from ..terminal import output
from ..terminal.options import Owner
from ..terminal.rendering import format_time

PERIOD: Final = timedelta(days=7)
MAX_LISTED: Final = 50


async def print_failures(
    store: Store, owner: Owner, since: datetime | None, until: datetime | None
) -> None:
    """Print the causes of all users' failed runs, most frequent first.

    since: by default seven days ago.
    """
    begins = since or datetime.now(UTC) - PERIOD
    found = await list_failures(store.read(owner.tenant_id), begins, until, MAX_LISTED)
    for cause in found:
        output.write_lines(render_cause(cause))
    if not found:
        output.write_line(f"no run has failed since {format_time(begins)}")


def render_cause(cause: FailureCause) -> list[str]:
    """Render a cause of failures in three lines: count, reason, and what to look at."""
    model = f" · {cause.provider}:{cause.model}" if cause.provider else ""
    often = f"{format_count(cause.runs, 'run')} of {format_count(cause.users, 'user')}"
    return [
        f"{often} · {cause.code or 'no code'}{model} · last {format_time(cause.last_at)}",
        *([f"    {cause.reason}"] if cause.reason else []),
        f"    plainloop explain {cause.run_ids[0]}",
    ]
