"""Threads as LangGraph's clients look for them, and what they note down beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.sql_blocks import load_sql

from .shapes import Status, ThreadSearch

SQL: Final = load_sql(Path(__file__).parent / "sql" / "threads.sql")
SPACE: Final = "langgraph"  # of the names that clients give their threads


@dataclass(frozen=True, slots=True)
class FoundThread:
    """A thread that a search found. name: its client's id; total: how many match in all."""

    thread_id: str
    created_at: datetime
    updated_at: datetime
    messages: int
    name: str
    metadata: dict[str, Any]
    status: Status
    total: int


async def save_metadata(
    tx: Queryable, thread_id: str, owner_id: str, metadata: Mapping[str, Any]
) -> None:
    """Merge keys into the stored metadata of a thread, or of one of its runs (`owner_id`)."""
    if metadata:
        await tx.execute(SQL["save_metadata"], tx.tenant_id, thread_id, owner_id, dict(metadata))


async def load_metadata(db: Queryable, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Load the metadata of threads or runs, by id."""
    found = await db.fetch(SQL["load_metadata"], db.tenant_id, [*ids])
    return {row["id"]: row["metadata"] for row in found}


async def search_threads(
    db: Queryable, user_id: str, wanted: ThreadSearch, limit: int, default: Mapping[str, Any]
) -> list[FoundThread]:
    """Search the user's conversations by metadata, status and ids.

    default: metadata of conversations that store none.
    """
    found = await db.fetch(
        SQL["search_threads"],
        *(db.tenant_id, user_id, SPACE, dict(default), wanted.metadata or None),
        *(wanted.status, wanted.ids, wanted.sort_order, wanted.sort_by, limit, wanted.offset),
    )
    return [FoundThread(**row) for row in found]
