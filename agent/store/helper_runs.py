"""Stores which tool calls began which helper runs, and lists their states."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from ..dataclasses import dataclass
from .database import Queryable, Row, parse_id
from .records import Run, RunStatus
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "helper_runs.sql")


@dataclass(frozen=True, slots=True)
class HelperRun:
    """The outcome of one call of a helper (another worker called as a tool).
    run_id, thread_id: None where no run was started.
    """

    tool_call_id: str
    worker: str
    depth: int  # 1: of a run that is nobody's helper
    run_id: str | None
    thread_id: str | None
    refused: str | None  # why none was begun
    status: RunStatus | None
    error_code: str | None
    error_message: str | None
    created_at: datetime
    ended_at: datetime | None


async def list_helpers(tx: Queryable, run_id: str) -> list[HelperRun]:
    """List a run's calls of helpers, with the state of each helper's run, oldest first."""
    found = await tx.fetch(SQL["list_helpers"], tx.tenant_id, parse_id(run_id, "run"))
    return [HelperRun(**row) for row in found]


async def insert_helper(
    tx: Queryable,
    caller: Run,
    tool_call_id: str,
    worker: str,
    depth: int,
    *,
    begun: Run | None = None,
    refused: str | None = None,
) -> None:
    """Record which run a call of a helper began, or why it was refused."""
    # A refused call has a row too: the caller's next owner must not begin it after a takeover.
    whose = (caller.run_id, tool_call_id, caller.thread_id, caller.user_id)
    made = (begun.run_id, begun.thread_id) if begun else (None, None)
    await tx.execute(SQL["insert_helper"], tx.tenant_id, *whose, worker, depth, *made, refused)


async def find_caller(tx: Queryable, run_id: str) -> Row | None:
    """Find the run that called this run as its helper; None if no run did.
    Returns caller_run_id, caller_thread_id, caller_status, tool_call_id, worker.
    """
    return await tx.fetchrow(SQL["find_caller"], tx.tenant_id, parse_id(run_id, "run"))
