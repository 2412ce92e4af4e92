"""Who works on what of a replay: items and batches change hands as runs do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

from plainloop.agent.store.database import Queryable, Row
from plainloop.agent.store.leases import is_owner_dead
from plainloop.agent.store.sql_blocks import load_sql

SQL: Final = load_sql(Path(__file__).parent / "sql" / "leases.sql")


async def claim(
    tx: Queryable,
    kind: Literal["items", "batches"],
    owner: str,
    lease_s: float,
    replay_id: str,
    *rest: Any,
) -> list[Row]:
    """Claim the next items or batch of a replay that no living process owns.

    Returns their rows.
    """
    scope = (tx.tenant_id, replay_id)
    owners = [row["owner"] for row in await tx.fetch(SQL[f"list_owners_of_{kind}"], *scope)]
    dead = [one for one in owners if is_owner_dead(one)]
    return await tx.fetch(SQL[f"claim_{kind}"], owner, lease_s, dead, *scope, *rest)
