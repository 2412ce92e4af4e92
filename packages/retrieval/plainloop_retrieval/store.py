"""Documents and their passages in Postgres: a tenant's own, the same for all its users."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from plainloop.agent.store.database import Queryable, Row
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.store import Store

SQL: Final = load_sql(Path(__file__).parent / "sql" / "retrieval.sql")


async def save_document(
    db: Queryable,
    collection: str,
    name: str,
    size_bytes: int,
    digest: str,
    passages: Sequence[dict[str, Any]],
    *,
    is_outside: bool = False,
) -> None:
    """Store a document and its passages, replacing the document with the same name.

    Unchanged passages keep their vectors. Call it in a transaction.
    """
    key = (db.tenant_id, collection, name)
    numbered = [{**passage, "position": n} for n, passage in enumerate(passages, start=1)]
    await db.execute(SQL["save_document"], *key, size_bytes, digest, is_outside)
    await db.execute(SQL["set_aside"], *key)
    await db.execute(SQL["save_passages"], *key, numbered)
    await db.execute(SQL["delete_set_aside"], *key)


async def list_documents(db: Queryable, collection: str, name: str | None = None) -> list[Row]:
    """List a collection's documents, sorted by name.

    name: list only this document. Columns `name, size_bytes, digest, is_outside, created_at,
    passages, embedded`.
    """
    return await db.fetch(SQL["list_documents"], db.tenant_id, collection, name)


async def count_others(db: Queryable, collection: str, name: str) -> int:
    """Count a collection's documents, except the one of this name.

    Locks the collection until the transaction ends.
    """
    await db.execute(SQL["take_turn"], db.tenant_id, collection)
    return await db.fetchval(SQL["count_others"], db.tenant_id, collection, name)


async def count_all(store: Store) -> Row:
    """Count the documents and passages of all tenants.

    Also counts the passages without a vector (`without`).
    """
    async with store.database.operate() as tx:
        row = await tx.fetchrow(SQL["count_all"])
    assert row is not None
    return row


async def delete_document(db: Queryable, collection: str, name: str) -> bool:
    """Delete a document with its passages, and return whether it existed."""
    return await db.execute(SQL["delete_document"], db.tenant_id, collection, name) > 0


async def has_vectors(db: Queryable) -> bool:
    """Return whether the database has pgvector."""
    return await db.fetchval(SQL["has_vectors"])


async def count_missing(db: Queryable, collection: str, name: str | None, model: str) -> int:
    """Count the passages without a vector of this model.

    name: count only those of this document.
    """
    return await db.fetchval(SQL["count_missing"], db.tenant_id, collection, name, model)


async def list_missing(
    db: Queryable, collection: str, name: str | None, model: str, limit: int
) -> list[Row]:
    """List up to `limit` passages without a vector of this model."""
    return await db.fetch(SQL["list_missing"], db.tenant_id, collection, name, model, limit)


async def save_vectors(
    db: Queryable,
    collection: str,
    model: str,
    rows: Sequence[Row],
    vectors: Sequence[Sequence[float]],
) -> int:
    """Store one vector for each passage.

    Returns how many of the passages still exist.
    """
    made = [{**row, "embedding": list(vector)} for row, vector in zip(rows, vectors, strict=True)]
    return await db.execute(SQL["save_vectors"], db.tenant_id, collection, model, made)


async def search_text(db: Queryable, collection: str, query: str, limit: int) -> list[Row]:
    """Search passages by words, best first.

    Columns `name, position, heading, content, page, text_offset, is_outside, score`.
    """
    return await db.fetch(SQL["search_text"], db.tenant_id, collection, query, limit)


async def search_vectors(
    db: Queryable, collection: str, model: str, vector: Sequence[float], limit: int
) -> list[Row]:
    """List the passages whose vectors are nearest to `vector`, best first."""
    return await db.fetch(
        SQL["search_vectors"], db.tenant_id, collection, model, list(vector), limit
    )
