"""Lists failed runs by cause."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ...dataclasses import dataclass
from ..database import Queryable
from ..sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "failures.sql")


@dataclass(frozen=True, slots=True)
class FailureCause:
    """A cause of failed runs: error, provider and model, with how many runs and users it hit.
    provider, model: None where no model call failed. reason: one of the reasons, in the provider's
    words; they may quote a user. run_ids: the newest ones.
    """

    code: str | None
    provider: str | None
    model: str | None
    reason: str
    runs: int
    users: int
    first_at: datetime
    last_at: datetime
    run_ids: list[str]


async def list_failures(
    tx: Queryable, since: datetime, until: datetime | None, limit: int
) -> list[FailureCause]:
    """List why the tenant's runs failed or reached a limit, the most frequent cause first."""
    found = await tx.fetch(SQL["list_failures"], tx.tenant_id, since, until, limit)
    return [FailureCause(**row) for row in found]
