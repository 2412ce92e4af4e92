"""Lists and deletes what triage's answers taught: templates with their users' votes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.learned.votes import TIMES_NEEDED
from plainloop.agent.store.sql_blocks import load_sql

SQL: Final = load_sql(Path(__file__).parent / "learned_rows.sql")


@dataclass(frozen=True, slots=True)
class LearnedTemplate:
    """A learned template as lists show it.
    is_private: one user's words. is_known: agreed on. is_within: in conversations as well.
    is_dropped: triage gave different answers.
    """

    pack: str
    template: str
    answer: dict[str, Any]
    criteria: str
    votes: int
    users: int
    is_private: bool
    is_known: bool
    is_within: bool
    is_dropped: bool
    uses: int


async def list_templates(db: Queryable, user_id: str, pack: str | None) -> list[LearnedTemplate]:
    """List the learned templates that apply to a user: shared ones and the user's own."""
    args = (user_id, pack, TIMES_NEEDED)
    found = await db.fetch(SQL["list_templates"], db.tenant_id, *args)
    return [LearnedTemplate(**row) for row in found]


async def delete_templates(db: Queryable, pack: str | None, templates: Sequence[str]) -> int:
    """Delete all users' votes for these templates; return how many votes."""
    return await db.execute(SQL["delete_templates"], db.tenant_id, pack, list(templates))
