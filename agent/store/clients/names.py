"""Maps clients' own ids to threads and messages, and forks threads."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from ...base.ids import make_id
from ...base.text.cleaning import clean_text
from ...dataclasses import dataclass
from ..database import Queryable
from ..records import ThreadInfo
from ..sql_blocks import CORE_SQL, load_sql
from ..threads import make_missing_thread

SQL: Final = load_sql(CORE_SQL / "client_threads.sql")
_NAME_CHARS: Final = 255


@dataclass(frozen=True, slots=True)
class Place:
    """The thread, or message in it, that a client's own id refers to. position None: the thread."""

    thread_id: str
    position: int | None


async def find_place(tx: Queryable, user_id: str, space: str, name: str) -> Place | None:
    """Find the thread or message to which a protocol's client gave the id `name`.
    space: the protocol's ids. None: unknown.
    """
    row = await tx.fetchrow(SQL["find_client_thread"], tx.tenant_id, user_id, space, _shorten(name))
    return None if row is None else Place(row["thread_id"], row["position"])


async def save_place(tx: Queryable, user_id: str, space: str, name: str, place: Place) -> None:
    """Store the id that a protocol's client gave to a thread or message."""
    key = (tx.tenant_id, user_id, space, _shorten(name))
    await tx.execute(SQL["save_client_thread"], *key, place.thread_id, place.position)


async def load_positions(
    tx: Queryable, user_id: str, spaces: Sequence[str], thread_id: str
) -> dict[str, int | None]:
    """Map the ids that a client gave to messages of a thread to the messages' positions.

    A position is None if the message is not stored.
    """
    found = await tx.fetch(SQL["load_positions"], tx.tenant_id, user_id, thread_id, spaces)
    return {row["name"]: row["position"] for row in found}


async def fork_thread(tx: Queryable, user_id: str, thread_id: str, position: int) -> ThreadInfo:
    """Copy the first `position` messages of the user's thread to a new thread.

    Raises: NotFoundError when the thread is missing, another's, or shorter.
    """
    new_id = make_id()
    row = await tx.fetchrow(SQL["fork_thread"], tx.tenant_id, user_id, thread_id, new_id, position)
    if row is None:
        raise make_missing_thread(thread_id)
    return ThreadInfo(**row)


def _shorten(name: str) -> str:
    """Return a client's id for storage; a long one by its hash, as an index has bounds."""
    name = clean_text(name)
    # Hashed whole, not cut: two long ids may differ at their ends alone
    # (test_long_conversation_names_are_distinguished_completely).
    if len(name) <= _NAME_CHARS:
        return name
    return hashlib.sha256(name.encode()).hexdigest()
