"""What a tool call is about: the row that its arguments name, as it stands now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...agent.core.spec import EntitySpec, Pack
from ...agent.intents.queries import ID_FIELD, build_fast_query, to_json_value
from ...agent.store.database import Queryable
from ...agent.store.records import Approval


async def load_present(
    db: Queryable, packs: Iterable[Pack], approval: Approval
) -> dict[str, Any] | None:
    """Load the row that an approval's tool call would change, as {column: value}, or None."""
    arguments = approval.arguments
    if arguments.keys() == {"helper", "tool", "arguments"}:  # those of the call that it wants made
        arguments = arguments["arguments"]
    for entity in (entity for pack in packs for entity in pack.entities):
        row_id = arguments.get(entity.id_column)
        # Written by a model: it may be a list or true, which no column of ids takes.
        if isinstance(row_id, int | str) and not isinstance(row_id, bool):
            # As the run's user sees it, not the person who decides: an admin sees no more than the
            # tool would change.
            return await _load_row(db, entity, approval.user_id, row_id)
    return None


async def _load_row(
    db: Queryable, entity: EntitySpec, user_id: str, row_id: int | str
) -> dict[str, Any] | None:
    sql, args = build_fast_query(
        entity,
        "list",
        {
            "filters": [{"field": ID_FIELD, "op": "eq", "value": row_id}],
            "order_by": None,
            "descending": False,
            "limit": 1,
        },
        db.tenant_id,
        user_id,
        max_rows=1,
    )
    row = await db.fetchrow(sql, *args)
    if row is None:
        return None
    return {item.name: to_json_value(row[item.column]) for item in entity.fields}
