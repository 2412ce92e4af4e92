"""The table of memories. Every query names tenant and user: another's row is as good as missing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.store.database import Queryable, Row
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store

SQL: Final = load_sql(Path(__file__).parent / "sql" / "memories.sql")


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to store, and the message that it comes from.

    position: of the message that the run answers; None with the others: the user wrote the memory
    in the console or over HTTP.
    """

    text: str
    is_untrusted: bool = False  # words of somebody outside, which a person let in
    thread_id: str | None = None
    run_id: str | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A conversation that has been silent for a while, to be read for memories."""

    tenant_id: str
    thread_id: str
    user_id: str


@dataclass(frozen=True, slots=True)
class Unread:
    """The messages of a conversation to be read: positions from `first` to before `until`."""

    first: int
    until: int
    pack: str


async def list_shown(
    db: Queryable, tenant_id: str, user_id: str, thread_id: str, most: int
) -> list[Row]:
    """List the user's memories for prompts, newest first.

    They are as they were when the thread began, without those erased since, and those of untrusted
    origin. Columns `memory_id, text`.
    """
    return await db.fetch(SQL["list_shown"], tenant_id, user_id, thread_id, most)


async def list_memories(db: Queryable, tenant_id: str, user_id: str) -> list[Row]:
    """List the user's memories as they are now, the newest first."""
    return await db.fetch(SQL["list_memories"], tenant_id, user_id)


async def search_memories(
    db: Queryable, tenant_id: str, user_id: str, query: str, limit: int
) -> list[Row]:
    """List memories with at least one word of the query.

    Those with more and rarer words come first.
    """
    return await db.fetch(SQL["search_memories"], tenant_id, user_id, query, limit)


async def load_memory(db: Queryable, tenant_id: str, user_id: str, memory_id: int) -> Row | None:
    """Load one memory of the user.

    None if the user has none with this id.
    """
    return await db.fetchrow(SQL["load_memory"], tenant_id, user_id, memory_id)


async def save_memory(
    db: Queryable, tenant_id: str, user_id: str, new: NewMemory, most: int
) -> tuple[Row, bool] | None:
    """Store a memory, unless the user has `most` already.

    Returns (row, whether it is new), or None if there is no room. Call it in a transaction: until
    that ends, the user's other saves wait.
    """
    await db.execute(SQL["take_turn"], tenant_id, user_id)
    span = (new.thread_id, new.run_id, new.position)
    row = await db.fetchrow(
        SQL["save_memory"], tenant_id, user_id, new.text, new.is_untrusted, *span, most
    )
    return None if row is None else (row, row["is_new"])


async def correct_memory(
    db: Queryable, tenant_id: str, user_id: str, memory_id: int, new: NewMemory
) -> Row | None:
    """Replace a memory's text and return its row.

    None if the user has no such memory. It keeps its number, and its source if the new text has
    none, so that it is erased with that. Call it in a transaction.
    """
    # Else the second of two corrections finds no version that is in force, and the memory missing.
    await db.execute(SQL["take_turn"], tenant_id, user_id)
    span = (new.thread_id, new.run_id, new.position)
    return await db.fetchrow(
        SQL["correct_memory"], tenant_id, user_id, memory_id, new.text, new.is_untrusted, *span
    )


async def count_all(store: Store, most: int) -> Row:
    """Count the memories of all tenants and their users.

    Columns say how many users have some, and how many have the maximum (`full`).
    """
    async with store.database.operate() as tx:
        row = await tx.fetchrow(SQL["count_all"], most)
    assert row is not None
    return row


async def delete_memory(db: Queryable, tenant_id: str, user_id: str, memory_id: int) -> bool:
    """Erase a memory and its earlier texts.

    Returns whether the user had it.
    """
    return await db.execute(SQL["delete_memory"], tenant_id, user_id, memory_id) > 0


async def delete_memories(db: Queryable, tenant_id: str, user_id: str) -> int:
    """Erase all memories of the user, and return how many."""
    return await db.fetchval(SQL["delete_memories"], tenant_id, user_id)


async def list_ended(store: Store, after_s: float, limit: int, packs: Sequence[str]) -> list[Ended]:
    """List conversations of all tenants that have ended and were not read for memories.

    A conversation has ended if it was idle for `after_s` seconds.
    """
    async with store.database.operate() as tx:
        return [Ended(**row) for row in await tx.fetch(SQL["list_ended"], after_s, limit, packs)]


async def claim_ended(db: Queryable, tenant_id: str, user_id: str, thread_id: str) -> Unread | None:
    """Claim the unread messages of a conversation, to extract memories from them.

    None if there are none to claim.
    """
    row = await db.fetchrow(SQL["claim_ended"], tenant_id, user_id, thread_id)
    return None if row is None else Unread(**row)
