"""Lists the versions of a message in the branches of one conversation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...dataclasses import dataclass
from ..database import Queryable
from .names import SQL


@dataclass(frozen=True, slots=True)
class Branch:
    """A thread that is one branch of a conversation. forked_at: its first own position."""

    thread_id: str
    forked_from: str | None
    forked_at: int | None
    next_position: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of the message at `position` in all branches, the oldest first.
    thread_ids: a thread that has each, of several the one used last; at: the index of the thread's
    own version.
    """

    position: int
    thread_ids: list[str]
    at: int


async def list_family(tx: Queryable, user_id: str, thread_id: str) -> list[Branch]:
    """List all branches of a conversation, the given thread included."""
    found = await tx.fetch(SQL["list_family"], tx.tenant_id, user_id, thread_id)
    return [Branch(**row) for row in found]


async def find_fork(tx: Queryable, user_id: str, thread_id: str) -> str | None:
    """Return the id of the thread that this one was copied from; None if it is no copy."""
    family = await list_family(tx, user_id, thread_id)
    return next((item.forked_from for item in family if item.thread_id == thread_id), None)


def find_versions(thread_id: str, family: Sequence[Branch]) -> list[Versions]:
    """List the positions at which a thread's branches differ, with the branches' thread ids.

    >>> at = datetime(2026, 1, 1)
    >>> first = Branch("a", None, None, 4, at)
    >>> find_versions("b", [first, Branch("b", "a", 2, 4, at)])
    [Versions(position=2, thread_ids=['a', 'b'], at=1)]
    """
    known = {branch.thread_id: branch for branch in family}

    def find_owner(owner: str, position: int) -> str:
        """Return the branch that first stored the message at the position."""
        while (branch := known.get(owner)) and branch.forked_from is not None:
            if branch.forked_at is None or position >= branch.forked_at:
                break
            owner = branch.forked_from  # erased, perhaps: it keeps its messages' copies together
        return owner

    own, found = known[thread_id], list[Versions]()
    for position in sorted({branch.forked_at for branch in family if branch.forked_at is not None}):
        if position >= own.next_position:
            continue
        before = find_owner(thread_id, position - 1) if position else ""
        newest = dict[str, Branch]()
        for branch in family:
            if branch.next_position > position and (
                not position or find_owner(branch.thread_id, position - 1) == before
            ):
                owner = find_owner(branch.thread_id, position)
                other = newest.setdefault(owner, branch)
                if branch.updated_at > other.updated_at:
                    newest[owner] = branch
        if len(newest) > 1:
            owners = sorted(newest)  # ids are in the order of time
            mine = owners.index(find_owner(thread_id, position))
            ids = [newest[owner].thread_id for owner in owners]
            found.append(Versions(position, ids, mine))
    return found
