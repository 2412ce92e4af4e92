"""Stores users' ratings of answers: up or down with a note, one per run."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

from ...dataclasses import dataclass
from ...errors import NotFoundError
from ..database import Queryable, parse_id
from ..sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "ratings.sql")

Thumb = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Rating:
    """A user's rating of a run's answer: up or down. note: the user's comment or ""."""

    run_id: str
    rating: Thumb
    note: str
    rated_at: datetime


async def save_rating(
    tx: Queryable, user_id: str, run_id: str, rating: Thumb | None, note: str
) -> Rating | None:
    """Save a user's rating of a run's answer, or remove it for None; return the saved one.

    Raises: NotFoundError when the run is another's, or has not begun.
    """
    key = tx.tenant_id, parse_id(run_id, "run"), user_id
    if rating is None:
        await tx.execute(SQL["delete_rating"], *key)
        return None
    row = await tx.fetchrow(SQL["save_rating"], *key, rating, note)
    if row is None:
        raise NotFoundError(
            f"no such run: {run_id}", hint="Check the id; only runs of the same user are visible."
        )
    return Rating(**row)


async def list_ratings(tx: Queryable, thread_id: str, run_id: str | None = None) -> list[Rating]:
    """List the ratings of a thread's answers. run_id: only this run's."""
    args = parse_id(thread_id, "thread"), None if run_id is None else parse_id(run_id, "run")
    return [Rating(**row) for row in await tx.fetch(SQL["list_ratings"], tx.tenant_id, *args)]
