"""Advice as rows: what is asked, which replays its steps are, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from plainloop.agent.base.ids import make_id
from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import NotFoundError, TooManyRequests
from plainloop.agent.store.database import Queryable, parse_id
from plainloop.agent.store.leases import is_owner_dead
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store

SQL: Final = load_sql(Path(__file__).parent / "sql" / "advices.sql")

AdviceStatus = Literal["running", "succeeded", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class AdviceInfo:
    """Advice as it is stored. tasks: None until they are chosen. steps: replays by step."""

    advice_id: str
    user_id: str
    status: AdviceStatus
    request: dict[str, Any]
    tasks: list[dict[str, Any]] | None
    steps: dict[str, str]
    result: dict[str, Any] | None
    error_code: str | None
    error_message: str | None
    created_at: datetime
    ended_at: datetime | None


async def insert_advice(
    tx: Queryable,
    user_id: str,
    request: Mapping[str, Any],
    tasks: Sequence[Mapping[str, Any]] | None,
    max_open: int,
) -> str:
    """Insert open advice (a search for cheaper models), and return its id.

    The service's processes search for its result. tasks None: a service chooses them. Raises:
    TooManyRequests when the user has max_open open already.
    """
    await tx.execute(SQL["take_turn"], tx.tenant_id, user_id)
    advice_id = make_id()
    row = (advice_id, user_id, dict(request), max_open, None if tasks is None else list(tasks))
    if not await tx.fetchval(SQL["insert_advice"], tx.tenant_id, *row):
        hint = "Wait until one has ended, or cancel one. limits.replays_per_user sets the maximum."
        raise TooManyRequests(
            f"the user already has {max_open} unfinished advice requests", hint=hint
        )
    return advice_id


async def load_advice(tx: Queryable, user_id: str | None, advice_id: str) -> AdviceInfo:
    """Load advice by its id, if it is the user's.

    user_id None: the advice may be any user's. Raises: NotFoundError.
    """
    asked = parse_id(advice_id, "advice")
    rows = await tx.fetch(SQL["list_advices"], tx.tenant_id, user_id, asked, 1)
    if not rows:
        raise NotFoundError(
            f"there is no advice {advice_id}",
            hint="Check the id; only advice of the same user is visible.",
        )
    return AdviceInfo(**rows[0])


async def list_advices(tx: Queryable, user_id: str | None, limit: int) -> list[AdviceInfo]:
    """List a user's advice, newest first.

    user_id None: list the advice of all users of the tenant.
    """
    rows = await tx.fetch(SQL["list_advices"], tx.tenant_id, user_id, None, limit)
    return [AdviceInfo(**row) for row in rows]


async def list_open_advices(store: Store, owner: str, limit: int) -> list[tuple[str, str]]:
    """List open advice of all tenants that `owner` may claim, as (tenant id, advice id)."""
    async with store.database.operate() as tx:
        dead = await _list_dead(tx)
        found = await tx.fetch(SQL["list_open_advices"], limit, owner, dead)
    return [(row["tenant_id"], row["advice_id"]) for row in found]


async def claim_advice(tx: Queryable, advice_id: str, owner: str, lease_s: float) -> bool:
    """Claim advice for `lease_s` seconds, or extend the claim.

    Returns False if it has ended or another process holds it.
    """
    row = (tx.tenant_id, advice_id, owner, lease_s, await _list_dead(tx))
    return bool(await tx.fetchval(SQL["claim_advice"], *row))


async def release_advice(tx: Queryable, advice_id: str, owner: str) -> None:
    """Release the claim of advice, so that another process continues."""
    await tx.execute(SQL["release_advice"], tx.tenant_id, advice_id, owner)


async def hold_steps(tx: Queryable, advice_id: str, owner: str) -> dict[str, str] | None:
    """Lock advice and load its steps: the replay that each has started.

    None if the advice has ended or another process holds it.
    """
    found: dict[str, str] | None = await tx.fetchval(
        SQL["hold_steps"], tx.tenant_id, advice_id, owner
    )
    return found


async def save_steps(tx: Queryable, advice_id: str, steps: Mapping[str, str]) -> None:
    """Save the steps of advice: the id of the replay that each has started."""
    await tx.execute(SQL["save_steps"], tx.tenant_id, advice_id, dict(steps))


async def save_tasks(tx: Queryable, advice_id: str, tasks: Sequence[Mapping[str, Any]]) -> None:
    """Save the tasks that were chosen for the advice."""
    await tx.execute(SQL["save_tasks"], tx.tenant_id, advice_id, list(tasks))


async def finish_advice(
    tx: Queryable,
    advice_id: str,
    status: AdviceStatus,
    result: Mapping[str, Any] | None = None,
    error: tuple[str, str] | None = None,
) -> bool:
    """End advice with its result or error, and return False if it had already ended.

    error: code and message.
    """
    said = (None, None) if error is None else (error[0], clean_text(error[1]))
    told = (status, None if result is None else dict(result), *said)
    return bool(await tx.fetchval(SQL["finish_advice"], tx.tenant_id, advice_id, *told))


async def _list_dead(tx: Queryable) -> list[str]:
    owners = [row["owner"] for row in await tx.fetch(SQL["list_owners_of_advices"])]
    return [owner for owner in owners if is_owner_dead(owner)]
