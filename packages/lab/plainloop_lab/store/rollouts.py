"""Shadows and canaries as rows: which candidate runs beside what is served, and what it was given.

Which run belongs to which side is decided where it begins: `lab_assign` in the migrations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from plainloop.agent.dataclasses import astuple, dataclass
from plainloop.agent.errors import ConflictError, NotFoundError
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store

SQL: Final = load_sql(Path(__file__).parent / "sql" / "rollouts.sql")

RolloutKind = Literal["shadow", "canary"]
RolloutStatus = Literal["running", "stopped", "returned"]
Side = Literal["sampled", "candidate", "baseline"]


@dataclass(frozen=True, slots=True)
class Rollout:
    """Gives a share of the traffic to a candidate, as a canary or as a shadow. candidate: what it
    changes, `variants.Variant` as JSON. guards, state: a canary's. replay_id: a shadow's. reason,
    verdict: why it ended by itself.
    """

    rollout_id: str
    kind: RolloutKind
    status: RolloutStatus
    share: float
    candidate: dict[str, Any]
    guards: dict[str, Any] | None
    state: dict[str, Any] | None
    replay_id: str | None
    reason: str | None
    verdict: dict[str, Any] | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewRollout:
    """A rollout as it is begun, in the order of the statement's parameters."""

    rollout_id: str
    kind: RolloutKind
    user_id: str
    share: float
    salt: str
    candidate: dict[str, Any]
    guards: dict[str, Any] | None = None
    replay_id: str | None = None


@dataclass(frozen=True, slots=True)
class RunningRollout:
    tenant_id: str
    rollout_id: str
    kind: RolloutKind


@dataclass(frozen=True, slots=True)
class EndedRun:
    """An assigned run that has ended. turn: of its thread within the rollout, from 1. share: with
    which the thread was drawn.
    """

    run_id: str
    thread_id: str
    side: Side
    turn: int
    share: float
    status: str


@dataclass(frozen=True, slots=True)
class SideCount:
    """Threads and runs of one side of a rollout. waiting: not yet ended, or not yet measured."""

    side: Side
    threads: int
    runs: int
    waiting: int


async def insert_rollout(tx: Queryable, new: NewRollout) -> None:
    """Insert a new shadow or canary.

    Raises: ConflictError ROLLOUT_RUNS when one of its kind runs already.
    """
    try:
        await tx.execute(SQL["insert_rollout"], tx.tenant_id, *astuple(new))
    except asyncpg.UniqueViolationError as error:
        raise ConflictError(
            f"a {new.kind} is already running",
            hint=f"`plainloop {new.kind} stop` ends the running one.",
            code="ROLLOUT_RUNS",
        ) from error


async def load_rollout(
    tx: Queryable, rollout_id: str | None = None, kind: RolloutKind | None = None
) -> Rollout:
    """Load a rollout by its id, or the newest of its kind.

    rollout_id None: the newest of the kind. Raises: NotFoundError.
    """
    row = await tx.fetchrow(SQL["load_rollout"], tx.tenant_id, rollout_id, kind)
    if row is None:
        raise NotFoundError(
            f"there is no {kind or 'rollout'} {rollout_id or 'yet'}",
            hint=f"Check the id, or start one: `plainloop {kind or 'canary'} start`.",
        )
    return Rollout(**row)


async def hold_rollout(tx: Queryable, rollout_id: str) -> Rollout | None:
    """Lock a running rollout (shadow or canary) and load it.

    None if it has ended or another process holds it.
    """
    row = await tx.fetchrow(SQL["hold_rollout"], tx.tenant_id, rollout_id)
    return None if row is None else Rollout(**row)


async def list_running(store: Store) -> list[RunningRollout]:
    """List the running rollouts of all tenants, the oldest first."""
    async with store.database.operate() as tx:
        return [RunningRollout(**row) for row in await tx.fetch(SQL["list_running"])]


async def end_rollout(
    tx: Queryable,
    rollout_id: str,
    status: RolloutStatus,
    reason: str,
    verdict: Mapping[str, Any] | None = None,
) -> bool:
    """End a rollout (shadow or canary), so that it gets no more runs.

    Returns False if it had ended before.
    """
    done = await tx.execute(SQL["end_rollout"], tx.tenant_id, rollout_id, status, reason, verdict)
    return done > 0


async def count_sides(tx: Queryable, rollout_id: str) -> list[SideCount]:
    """Count the threads and runs of each side of a rollout (shadow or canary)."""
    found = await tx.fetch(SQL["count_sides"], tx.tenant_id, rollout_id)
    return [SideCount(**row) for row in found]


async def add_items(tx: Queryable, rollout: Rollout, lanes: Sequence[str], most_open: int) -> None:
    """Add sampled runs that have ended to a shadow's replay.

    most_open: no more are added while the replay has so many open items.
    """
    own = (tx.tenant_id, rollout.rollout_id, rollout.replay_id)
    await tx.execute(SQL["add_items"], *own, most_open, [*lanes])
    await tx.execute(SQL["open_replay"], tx.tenant_id, rollout.replay_id)


async def list_ended_runs(
    tx: Queryable, rollout_id: str, limit: int, wait_s: float
) -> list[EndedRun]:
    """List ended runs that the guards have not measured, in the order in which they were assigned.

    Ends before the first run that is still open, unless that one was assigned `wait_s` ago.
    """
    found = await tx.fetch(SQL["list_ended_runs"], tx.tenant_id, rollout_id, limit, wait_s)
    return [EndedRun(**row) for row in found]


async def record_measured(
    tx: Queryable, rollout_id: str, measured: Sequence[Mapping[str, Any]], state: Mapping[str, Any]
) -> None:
    """Record measured runs and the guards' new state, so that each run counts once.

    measured: `{"run_id", "measured"}` each.
    """
    await tx.execute(SQL["record_measured"], tx.tenant_id, rollout_id, [*measured])
    await tx.execute(SQL["save_state"], tx.tenant_id, rollout_id, state)
