"""What a deploy is judged by: which code serves, and the runs that it is held against."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.store.leases import is_owner_dead
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store

SQL: Final = load_sql(Path(__file__).parent / "sql" / "deploys.sql")


@dataclass(frozen=True, slots=True)
class Deployed:
    """A replica and its code. repeats: the codes whose conversations it repeats step by step."""

    owner: str
    code: str
    repeats: list[str]
    takes_runs: bool
    verdict: dict[str, Any] | None  # None: it was not judged


@dataclass(frozen=True, slots=True)
class JudgedThread:
    """A conversation that a deploy is judged by. is_open: its runs have not ended."""

    tenant_id: str
    thread_id: str
    user_id: str
    run_ids: list[str]
    is_open: bool


async def record_code(store: Store, told: Deployed) -> None:
    """Record a replica's code, its verdict, and whether it claims runs."""
    row = (told.owner, told.code, told.repeats, told.takes_runs, told.verdict)
    async with store.database.operate() as tx:
        await tx.execute(SQL["record_code"], *row)


async def list_deployed(store: Store, but: str = "") -> list[Deployed]:
    """List the living replicas with the code that they run.

    but: owner id of a replica to leave out.
    """
    async with store.database.operate() as tx:
        found = [Deployed(**row) for row in await tx.fetch(SQL["list_deployed"])]
    return [item for item in found if item.owner != but and not is_owner_dead(item.owner)]


async def list_judged_threads(
    store: Store, codes: Sequence[str] | None, sample: int
) -> list[JudgedThread]:
    """List the conversations of all tenants that a deploy check replays.

    codes: only what these began; None: any.
    """
    async with store.database.operate() as tx:
        found = await tx.fetch(SQL["list_judged_runs"], codes, sample)
    return [JudgedThread(**row) for row in found]


async def list_judged_positions(store: Store, thread: JudgedThread) -> set[int]:
    """Return at which positions of a thread the runs begin that a deploy check replays."""
    tx = store.read(thread.tenant_id)
    found = await tx.fetch(SQL["list_judged_positions"], thread.tenant_id, thread.run_ids)
    return {row["input_position"] for row in found}


async def load_code(store: Store, tenant_id: str, run_id: str) -> str | None:
    """Load the fingerprint of the code that began a run, or None."""
    async with store.transaction(tenant_id) as tx:
        return await tx.fetchval(SQL["load_code"], tenant_id, run_id)
