"""Stores triage's answers as users' votes for templates of sentences.

Words that only one user said are found for, shown to and erased with that user.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...base.ids import make_id
from ...dataclasses import dataclass
from ...types import Record
from ..database import Queryable, Row
from ..sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "learned.sql")
NOBODY: Final = ""  # whose votes an import brings
# A user's own habit answers that user after three times; other users need the votes of two: of
# 2,000 sentences, 97.8 % were answered so after votes of three users
# (docs/decisions/07-answers-without-a-model.md).
USERS_NEEDED: Final = 2
TIMES_NEEDED: Final = 3
MAX_MATCHES: Final = 16  # templates that fit one sentence


class Vote(Record, frozen=True):
    """One answer of triage, stored as a user's vote to answer such sentences without a model.
    pattern, opening: how the template is found. answer, criteria: of triage, with slots. is_within:
    triage was shown earlier messages.
    """

    template: str
    pattern: str
    opening: str
    answer: dict[str, Any]
    criteria: str
    is_within: bool


@dataclass(frozen=True, slots=True)
class TemplateMatch:
    """A template that fits a sentence, with its votes: this user's, and of how many users."""

    template: str
    answer: dict[str, Any]
    criteria: str
    vote_id: str
    own: int
    own_within: int
    users: int
    users_within: int
    is_imported: bool
    is_imported_within: bool
    uses: int = 0  # how often it has answered

    def is_agreed(self, *, is_within: bool) -> bool:
        """Whether enough users' votes confirm a learned template, so that it may answer alone.
        is_within: in a conversation, some of them must be from conversations.
        """
        alone = self.is_imported or self.own >= TIMES_NEEDED or self.users >= USERS_NEEDED
        if not is_within or not alone:
            return alone
        enough = self.own_within >= TIMES_NEEDED or self.users_within >= USERS_NEEDED
        return enough or self.is_imported_within


async def find_templates(
    db: Queryable, user_id: str, pack: str, sentence: str, opening: str
) -> list[TemplateMatch]:
    """Find the learned templates that may match a sentence."""
    args = (pack, user_id, sentence, opening, MAX_MATCHES)
    return from_rows(await db.fetch(SQL["find_templates"], db.tenant_id, *args))


def from_rows(found: Sequence[Row]) -> list[TemplateMatch]:
    """Convert database rows to TemplateMatch objects."""
    return [TemplateMatch(**row) for row in found]


def build_use(vote_id: str) -> dict[str, Any]:
    """Build the input by which `plainloop_learn` counts one more use of a vote's template."""
    return {"used": vote_id}


def build_vote(
    user_id: str,
    pack: str,
    vote: Vote,
    run: tuple[str, str] | None,
    at_most: int,
    times: int = TIMES_NEEDED,
) -> dict[str, Any]:
    """Build the input by which `plainloop_learn` stores a user's vote for a template.
    run: its thread and run; at_most: votes kept per user; times: per template.
    """
    thread_id, run_id = run or (None, None)
    return {
        "vote_id": make_id(),
        "user_id": user_id,
        "pack": pack,
        "thread_id": thread_id,
        "run_id": run_id,
        **{name: getattr(vote, name) for name in Vote.__struct_fields__},
        "times": times,
        "at_most": at_most,
    }


async def learn(db: Queryable, learned: Sequence[dict[str, Any]]) -> None:
    """Store votes for templates, and uses of templates, outside a run."""
    await db.fetchval(SQL["learn"], db.tenant_id, learned)


async def drop_templates(db: Queryable, pack: str, templates: Sequence[str]) -> None:
    """Drop learned templates for good, so that they are not learned again."""
    await db.execute(SQL["drop_templates"], db.tenant_id, pack, list(templates))
