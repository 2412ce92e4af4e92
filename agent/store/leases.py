"""Who works on what: claim, heartbeat, hand back, and the fence that every write names.

Runs, a replay's items and its batches at providers change hands in the same way:

    claim     one statement with `skip locked`, by the database's clock; it adds one to the fence
    extend    the heartbeat; what is missing from the answer has gone to somebody else
    release   nobody works on it: the next one that looks takes it at once

The lease only invites a new owner; the fence decides. A write that names an old fence finds no row.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeVar

from ..errors import LeaseLost
from .database import Queryable, Row
from .ownership import is_owner_dead
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "leases.sql")
Kind = Literal["runs", "items", "batches"]
T = TypeVar("T")


async def claim(
    tx: Queryable,
    kind: Kind,
    owner: str,
    lease_s: float,
    scope: tuple[Any, ...] = (),
    *rest: Any,
) -> list[Row]:
    """What nobody works on, now ours. scope: tenant and replay; empty for runs: of all tenants.

    Of owners on this machine it is known when they are dead; all others' leases must run out.
    """
    owners = await tx.fetch(SQL[f"list_owners_of_{kind}"], *scope)
    dead = [row["owner"] for row in owners if is_owner_dead(row["owner"])]
    return await tx.fetch(SQL[f"claim_{kind}"], owner, lease_s, dead, *scope, *rest)


async def extend(
    tx: Queryable, kind: Kind, owner: str, lease_s: float, held: list[Any], *scope: Any
) -> list[Row]:
    """The heartbeat for what is really worked on; what is still ours."""
    return await tx.fetch(SQL[f"extend_{kind}"], owner, lease_s, held, *scope)


async def release(tx: Queryable, kind: Kind, owner: str, *scope: Any) -> None:
    """Give up what is ours and matches."""
    await tx.execute(SQL[f"release_{kind}"], owner, *scope)


def require_held(found: T | None, what: str) -> T:
    """What a write that names its fence gave back.

    Raises: LeaseLost when that was nothing; the transaction must then be rolled back.
    """
    if found is None:
        raise LeaseLost(
            f"{what} has ended or belongs to another process", hint="Nothing was written."
        )
    return found
