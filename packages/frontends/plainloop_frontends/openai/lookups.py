"""Finds what clients without ids continue: threads by their texts, equal requests, pending calls.

Statements over an open transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from plainloop.agent.store.clients.names import Place
from plainloop.agent.store.database import Queryable, parse_id
from plainloop.agent.store.sql_blocks import load_sql

SQL: Final = load_sql(Path(__file__).parent / "lookups.sql")


async def save_end(
    tx: Queryable, user_id: str, space: str, digest: str, thread_id: str, run_id: str
) -> None:
    """Store the digest of a conversation's texts up to a run's end, to recognize it by its texts.
    digest: 64 hexadecimal digits.
    """
    key = (tx.tenant_id, user_id, space, digest)
    await tx.execute(SQL["save_end"], *key, thread_id, run_id)


async def find_end(
    tx: Queryable, user_id: str, space: str, digest: str, *, is_waiting: bool = False
) -> Place | None:
    """Find the thread and position at which a conversation has exactly these texts.
    Threads that end there come first. is_waiting: prefer one with a suspended run.
    """
    row = await tx.fetchrow(SQL["find_end"], tx.tenant_id, user_id, space, digest, is_waiting)
    return None if row is None else Place(row["thread_id"], row["position"])


async def save_sent(
    tx: Queryable, user_id: str, digest: str, key: str, count: int, thread_id: str, within_s: float
) -> None:
    """Store a request's digest and idempotency key, so that a repeated request is recognized.
    key: `sent:` and an id. For clients that repeat requests without a key.
    """
    made_id = key.removeprefix("sent:")
    named = (tx.tenant_id, user_id, digest, made_id, count)
    await tx.execute(SQL["save_sent"], *named, thread_id, within_s)


async def take_sent(
    tx: Queryable, user_id: str, digest: str, count: int, within_s: float
) -> str | None:
    """Return the idempotency key of an equal recent request, and count the repetition; else None.
    None: there is none, or it was repeated `count` times already.
    """
    named = (tx.tenant_id, user_id, digest, count, within_s)
    row = await tx.fetchrow(SQL["take_sent"], *named)
    return None if row is None else row["key"]


async def find_waiting_threads(tx: Queryable, user_id: str, call_ids: Iterable[str]) -> list[str]:
    """Find the user's threads whose run waits for one of these client tool calls."""
    found = await tx.fetch(SQL["find_waiting_threads"], tx.tenant_id, user_id, [*call_ids])
    return [row["thread_id"] for row in found]


async def is_known_call(tx: Queryable, user_id: str, call_ids: Iterable[str]) -> bool:
    """Whether any run of the user ever requested one of these client tool calls."""
    return await tx.fetchval(SQL["is_known_call"], tx.tenant_id, user_id, [*call_ids])


async def change_options(
    tx: Queryable, user_id: str, run_id: str, changed: Mapping[str, Any]
) -> None:
    """Change the options of the user's suspended run, which hold when the run resumes.
    changed: option values by name. A run that is not suspended stays as it is.
    """
    key = (tx.tenant_id, user_id, parse_id(run_id, "run"))
    await tx.execute(SQL["change_options"], *key, changed)
