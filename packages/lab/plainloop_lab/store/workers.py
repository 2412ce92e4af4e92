"""What workers' models answered and cost, and the threads in which they did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Final

from plainloop.agent.store.database import Queryable
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.types import Effort

SQL: Final = load_sql(Path(__file__).parent / "sql" / "workers.sql")


@dataclass(frozen=True, slots=True)
class WorkerUsage:
    """What one model at one effort answered for a worker. cost_usd: of the calls with a price."""

    worker: str
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
        """Name it as `--model` does: `provider:model@effort`."""
        return f"{self.provider}:{self.model}{f'@{self.effort}' if self.effort else ''}"


@dataclass(frozen=True, slots=True)
class WorkerThread:
    """A thread in which a worker answered. turns: of all workers."""

    thread_id: str
    title: str | None
    turns: int
    rating: str | None


async def list_worker_usage(tx: Queryable, since: datetime) -> list[WorkerUsage]:
    """List by worker, the model with most calls first."""
    found = await tx.fetch(SQL["list_worker_usage"], tx.tenant_id, since)
    return [WorkerUsage(**row) for row in found]


async def list_worker_threads(tx: Queryable, worker: str, limit: int) -> list[WorkerThread]:
    """List the newest threads in which the worker answered, in no order."""
    found = await tx.fetch(SQL["list_worker_threads"], tx.tenant_id, worker, limit)
    return [WorkerThread(**row) for row in found]
