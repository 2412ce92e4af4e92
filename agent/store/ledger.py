"""The ledger's writing side: statements over an open transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..base.caching.functions import cached_by_bytes
from . import rows
from .database import Queryable, parse_id
from .leases import require_held
from .records import CallInfo, CallSettled, CallStart, RecentThread, Reserved, SentHead
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "ledger.sql")
LIST_CALLS: Final = SQL["list_calls"].replace("{columns}", ", ".join(rows.CALL_COLUMNS))


@cached_by_bytes()  # the same prompts and tools come with call after call
def hash_prompt_text(text: str) -> str:
    """Return the key under which `prompt_texts` stores a prompt or tool set: its hash."""
    # 128 bits: among 2^64 texts of a tenant two would be expected to have one key.
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


async def save_prompt_text(tx: Queryable, kind: str, text: str) -> str:
    """Store a prompt or tool set if it is new; return its hash."""
    digest = hash_prompt_text(text)
    await tx.call("plainloop_save_prompt_text", hash=digest, kind=kind, text=text)
    return digest


async def load_head(
    tx: Queryable, thread_id: str, worker: str, start: int | None, canary_id: str | None
) -> SentHead | None:
    """Load the prompt and tools that the worker's newest request in a thread was sent with.
    start: of those that showed the thread from this position on; None: of all. canary_id: of runs
    that its candidate answers; None: of all others. Returns None without one, or if its prompt was
    erased.
    """
    asked = {"thread_id": parse_id(thread_id, "thread"), "worker": worker}
    found = await tx.call("plainloop_load_head", **asked, start=start, canary_id=canary_id)
    return SentHead(**found[0]) if found else None


async def record_call_start(tx: Queryable, start: CallStart) -> None:
    """Insert the ledger row of a beginning model call, if its run still has this owner.

    Raises: LeaseLost when the run has ended or has another owner.
    """
    try:
        row = rows.to_call_row(start)
        await tx.call("plainloop_start_call", start.run_id, start.fence, row)
    # The function's `select … into strict` raises it where the run has no row with this fence.
    except asyncpg.NoDataFoundError:
        require_held(None, f"the run {start.run_id}")


async def lower_maximum(tx: Queryable, start: CallStart, reserved: Reserved) -> None:
    """Lower a call's maximum cost in the ledger to what its budgets have reserved."""
    await tx.execute(SQL["lower_maximum"], tx.tenant_id, start.call_id, reserved.cost_usd)


async def settle_calls(tx: Queryable, calls: Sequence[CallSettled]) -> None:
    """Write the outcomes, usage and costs of ended calls into the ledger and the budgets.
    Either all or none of the calls have a `response`.
    """
    settled = [rows.to_settled_row(call) for call in calls]
    await tx.call("plainloop_settle_calls", calls=settled)


async def load_token_factors(tx: Queryable) -> dict[str, float]:
    """Map models to the tenant's median ratio of reported to estimated input tokens."""
    found = await tx.fetch(SQL["load_token_factors"], tx.tenant_id)
    return {f"{row['provider']}:{row['model']}": row["factor"] for row in found}


async def load_recent_threads(
    tx: Queryable, label: str, role: str, worker: str
) -> list[RecentThread]:
    """Load the tenant's latest calls of a model, grouped by thread."""
    provider, _, model = label.partition(":")
    names = (provider, model, role, worker)
    found = await tx.fetch(SQL["load_recent_threads"], tx.tenant_id, *names)
    return [RecentThread(**row) for row in found]


async def record_request_id(tx: Queryable, call_id: str, request_id: str) -> None:
    """Store the provider's request id of a running call, so that it survives a crash."""
    await tx.execute(SQL["record_request_id"], tx.tenant_id, call_id, request_id)


async def load_output_sizes(tx: Queryable) -> dict[tuple[str, str], int]:
    """Map models and roles to the output tokens that 95 % of recent answers do not exceed.
    For reviews, the mean by worker.
    """
    found = await tx.fetch(SQL["load_output_sizes"], tx.tenant_id)
    return {(row["label"], row["role"]): row["tokens"] for row in found}


async def list_calls(tx: Queryable, run_id: str) -> list[CallInfo]:
    """List all attempts at model calls in a run, oldest first."""
    found = await tx.fetch(LIST_CALLS, tx.tenant_id, parse_id(run_id, "run"))
    return [rows.from_call_row(row) for row in found]
