"""The company's documents in Postgres: a tenant's own, the same for all its users."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from plainloop.agent.store.database import Queryable, Row
from plainloop.agent.store.sql_blocks import load_sql

from .passages import Passage

SQL: Final = load_sql(Path(__file__).parent / "sql" / "knowledge.sql")


async def save_document(
    db: Queryable,
    tenant_id: str,
    name: str,
    size_bytes: int,
    passages: Sequence[Passage],
    vectors: Sequence[Sequence[float]] | None = None,
    model: str | None = None,
) -> None:
    """Store the document in the place of the one with its name. To be called in a transaction.

    vectors: one for each passage, made by `model`; None: it is found by its words alone.
    """
    await db.execute(SQL["save_document"], tenant_id, name, size_bytes)
    await db.execute(SQL["delete_passages"], tenant_id, name)
    for i, passage in enumerate(passages):
        vector = None if vectors is None else list(vectors[i])
        values = (i + 1, passage.heading, passage.content, None if vector is None else model)
        await db.execute(SQL["save_passage"], tenant_id, name, *values, vector)


async def list_documents(db: Queryable, tenant_id: str, name: str | None = None) -> list[Row]:
    """List `name, size_bytes, created_at, passages, embedded`, by name; only `name` when given."""
    return await db.fetch(SQL["list_documents"], tenant_id, name)


async def delete_document(db: Queryable, tenant_id: str, name: str) -> bool:
    """False when there is none. To be called in a transaction."""
    await db.execute(SQL["delete_passages"], tenant_id, name)
    return await db.execute(SQL["delete_document"], tenant_id, name) > 0


async def search_text(db: Queryable, tenant_id: str, query: str, limit: int) -> list[Row]:
    """List `name, position, heading, content, score`, the best first."""
    return await db.fetch(SQL["search_text"], tenant_id, query, limit)


async def has_vectors(db: Queryable) -> bool:
    """Whether the database has pgvector."""
    return await db.fetchval(SQL["has_vectors"])


async def search_vectors(
    db: Queryable, tenant_id: str, model: str, vector: Sequence[float], limit: int
) -> list[Row]:
    """Search the passages whose meaning is nearest, the best first. Only where `has_vectors`."""
    return await db.fetch(SQL["search_vectors"], tenant_id, model, list(vector), limit)
