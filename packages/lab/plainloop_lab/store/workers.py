"""What models answered and cost by worker and role, and the threads in which they did."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.service.variants import split_effort
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.types import Effort

SQL: Final = load_sql(Path(__file__).parent / "sql" / "workers.sql")


@dataclass(frozen=True, slots=True)
class WorkerUsage:
    """Sums what one model at one effort answered for a role and worker. cost_usd: of priced calls.

    worker: of other roles than `worker` also the package that made the calls; None: nobody's.
    """

    role: str
    worker: str | None
    provider: str
    model: str
    effort: Effort | None
    calls: int
    threads: int
    input_tokens: int
    output_tokens: int
    cost_usd: Decimal | None
    unpriced: int

    @property
    def label(self) -> str:
        """Return the model's name as `--model` takes it: `provider:model@effort`."""
        return f"{self.provider}:{self.model}{f'@{self.effort}' if self.effort else ''}"


@dataclass(frozen=True, slots=True)
class WorkerThread:
    """Names a thread in which a model answered. turns: of all workers."""

    thread_id: str
    title: str | None
    turns: int
    rating: str | None


@dataclass(frozen=True, slots=True)
class WorkerRuns:
    """Counts ended runs in which a model answered. first_at: of its first call. cost_usd: of its
    calls; None: of some it is unknown.
    """

    runs: int
    failed: int
    calls: int
    cost_usd: Decimal | None
    first_at: datetime | None


async def list_worker_usage(
    tx: Queryable, since: datetime, user_id: str | None = None
) -> list[WorkerUsage]:
    """List the usage by role, worker and model since a time.

    A worker's most-called model comes first. user_id: only theirs.
    """
    found = await tx.fetch(SQL["list_worker_usage"], tx.tenant_id, since, user_id)
    return [WorkerUsage(**row) for row in found]


async def list_worker_threads(
    tx: Queryable, role: str, worker: str | None, limit: int, user_id: str | None = None
) -> list[WorkerThread]:
    """List the newest threads in which a role's model answered, in any order.

    worker: for which it did; None: for none. user_id: only theirs.
    """
    found = await tx.fetch(SQL["list_worker_threads"], tx.tenant_id, worker, limit, user_id, role)
    return [WorkerThread(**row) for row in found]


async def count_worker_runs(
    tx: Queryable,
    since: datetime,
    model: str,
    role: str,
    worker: str | None,
    user_id: str | None = None,
    *,
    is_exact: bool = False,
) -> WorkerRuns:
    """Count the runs that one model answered for a role and worker.

    model: `provider:model`, also with `@effort`. is_exact: a model without `@effort` means only the
    calls without a level; otherwise, calls of any level. user_id: only their runs.
    """
    name, effort = split_effort(model)
    provider, _, rest = name.partition(":")
    named = (provider, rest, effort, worker, role, user_id, is_exact)
    row = await tx.fetchrow(SQL["count_worker_runs"], tx.tenant_id, since, *named)
    return WorkerRuns(**(row or {}))
