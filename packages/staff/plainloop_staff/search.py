"""Finding passages: by words always, by meaning too where an embedding model is set."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.base.text import clean_text
from plainloop.agent.core.embedding import ROLE, choose_embedder, embed_texts
from plainloop.agent.core.seams import RunView
from plainloop.agent.errors import ConfigError, ModelError
from plainloop.agent.store.database import Row

from .store import has_vectors, search_text, search_vectors

PASSAGES: Final = 5
CANDIDATES: Final = 20
RANK_OFFSET: Final = 60  # reciprocal rank fusion's usual constant


async def find_passages(ctx: RunView, query: str) -> list[dict[str, Any]]:
    """The best passages, each with its document and its place in it."""
    query = clean_text(query).strip()
    if not query:
        return []
    db = ctx.store.read(ctx.tenant_id)
    by_words = await search_text(db, ctx.tenant_id, query, CANDIDATES)
    by_meaning = await search_meaning(ctx, query)
    return [to_result(row) for row in merge_ranks([by_words, by_meaning])[:PASSAGES]]


async def search_meaning(ctx: RunView, query: str) -> list[Row]:
    """Passages by their vectors; none where there are no vectors, or the model fails: words alone
    still find what they find, and `explain` says why it was words alone.
    """
    db = ctx.store.read(ctx.tenant_id)
    try:
        model = await find_embedding_model(ctx)
        if model is None:
            return []
        (vector,) = await embed_texts([query], ctx)
    except (ConfigError, ModelError) as error:
        ctx.journal.note(f"searched by words alone: {error.message}")
        return []
    return await search_vectors(db, ctx.tenant_id, model, vector, CANDIDATES)


async def find_embedding_model(ctx: RunView) -> str | None:
    """The label of the model that makes the vectors; None when none is set or the database has no
    pgvector to compare them.

    Raises: ConfigError when the provider that is set has no embeddings.
    """
    if ROLE not in ctx.settings.agents or not await has_vectors(ctx.store.read(ctx.tenant_id)):
        return None
    return choose_embedder(ctx).label


def merge_ranks(lists: list[list[Row]]) -> list[Row]:
    """One ranking of several: a passage counts by its places, whatever the scores mean."""
    points: dict[tuple[str, int], float] = {}
    rows: dict[tuple[str, int], Row] = {}
    for ranked in lists:
        for place, row in enumerate(ranked):
            key = (row["name"], row["position"])
            points[key] = points.get(key, 0.0) + 1 / (RANK_OFFSET + place)
            rows[key] = row
    return [rows[key] for key in sorted(points, key=lambda key: (-points[key], key))]


def to_result(row: Row) -> dict[str, Any]:
    """A passage as the model sees it; a heading only where there is one."""
    heading = {"heading": row["heading"]} if row["heading"] else {}
    place = {"document": row["name"], "position": row["position"]}
    return {**place, **heading, "text": row["content"]}
