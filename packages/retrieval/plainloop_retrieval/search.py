"""Finding passages: by words always, by meaning too where an embedding model is set."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.core.embedding import ROLE, choose_embedder, embed_texts
from plainloop.agent.core.seams import RunView
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import BudgetExceeded, ConfigError, ModelError
from plainloop.agent.store.database import Row

from . import store as documents
from .settings import RetrievalSettings
from .source import SHARED, DocumentSource

RANK_OFFSET: Final = 60  # reciprocal rank fusion's usual constant
NOT_EMBEDDED: Final = (ConfigError, ModelError, BudgetExceeded)  # why a text gets no vector
NO_MODEL: Final = "no embedding model is configured (AGENT_AGENTS_EMBEDDING_PROVIDER)"
NO_VECTORS: Final = "no passage has a vector of {}: `plainloop knowledge index` creates them"
NO_PGVECTOR: Final = "the database has no pgvector extension for comparing vectors"


@dataclass(frozen=True, slots=True)
class Found:
    """Passages that a search found, best first. words_alone: why no vectors were used, or ""."""

    rows: list[Row]
    words_alone: str = ""


async def find_passages(ctx: RunView, source: DocumentSource, query: str) -> Found:
    """Search the tenant's and the pack's documents for a query by words and by meaning."""
    query = clean_text(query).strip()
    if not query:
        return Found([])
    by_meaning, words_alone = await search_meaning(ctx, source, query)
    if words_alone:
        ctx.journal.note(f"searched by words only: {words_alone}")
    merged = merge_ranks([await search_words(ctx, source, query), by_meaning])
    return Found(merged[: ctx.settings.get_table(RetrievalSettings).passages], words_alone)


async def search_words(ctx: RunView, source: DocumentSource, query: str) -> list[Row]:
    """Search passages with any of the query's words, the best first."""
    most = ctx.settings.get_table(RetrievalSettings).candidates
    found = [
        {**row, "tenant_id": tenant_id}
        for tenant_id in list_tenants(ctx, source)
        for row in await documents.search_text(
            ctx.store.read(tenant_id), source.collection, query, most
        )
    ]
    return sorted(found, key=itemgetter("score"), reverse=True)[:most]


async def search_meaning(ctx: RunView, source: DocumentSource, query: str) -> tuple[list[Row], str]:
    """Search passages by vectors.

    Returns (rows, ""), or ([], the reason) if it is not possible. The reason is also returned when
    the embedding model fails or a budget refuses its call: the search by words still works.
    """
    try:
        model, reason = await find_embedding_model(ctx)
        if model is None:
            return [], reason
        (vector,) = await embed_texts([query], ctx)
    except NOT_EMBEDDED as error:
        return [], error.message
    most = ctx.settings.get_table(RetrievalSettings).candidates
    found = [
        {**row, "tenant_id": tenant_id}
        for tenant_id in list_tenants(ctx, source)
        for row in await documents.search_vectors(
            ctx.store.read(tenant_id), source.collection, model, vector, most
        )
    ]
    if not found:  # as after a change of the model, until the documents are indexed again
        for tenant_id in list_tenants(ctx, source):
            db = ctx.store.read(tenant_id)
            if await documents.count_missing(db, source.collection, None, model):
                return [], NO_VECTORS.format(model)
    return sorted(found, key=itemgetter("score"), reverse=True)[:most], ""


def list_tenants(ctx: RunView, source: DocumentSource) -> tuple[str, ...]:
    """List the tenants whose documents a search includes.

    These are the run's tenant, and SHARED if the pack ships documents.
    """
    return (ctx.tenant_id,) if source.folder is None else (ctx.tenant_id, SHARED)


async def find_embedding_model(ctx: RunView) -> tuple[str | None, str]:
    """Return the label of the model that makes vectors.

    Returns (label, ""), or (None, the reason why there is none). Raises: ConfigError when the
    provider that is set has no embeddings.
    """
    if ROLE not in ctx.settings.agents:
        return None, NO_MODEL
    if not await documents.has_vectors(ctx.store.read(ctx.tenant_id)):
        return None, NO_PGVECTOR
    return choose_embedder(ctx).label, ""


def merge_ranks(lists: Sequence[Sequence[Row]]) -> list[Row]:
    """Merge rankings of passages by their ranks (reciprocal rank fusion), ignoring scores."""
    points: dict[tuple[str, str, int], float] = {}
    rows: dict[tuple[str, str, int], Row] = {}
    for ranked in lists:
        for place, row in enumerate(ranked):
            key = (row["tenant_id"], row["name"], row["position"])
            points[key] = points.get(key, 0.0) + 1 / (RANK_OFFSET + place)
            rows[key] = row
    return [rows[key] for key in sorted(points, key=lambda key: (-points[key], key))]


def to_result(row: Row) -> dict[str, Any]:
    """Convert a passage's row to the result that the search tool returns.

    The heading and the page are left out if it has none.
    """
    place = {"document": row["name"], "position": row["position"]}
    known = {name: row[name] for name in ("page", "heading") if row[name]}
    return {**place, **known, "text": row["content"]}
