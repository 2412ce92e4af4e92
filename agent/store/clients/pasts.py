"""Lists a thread's texts to compare with a client's history, and appends messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...dataclasses import dataclass
from ...types import Message, Role
from .. import rows
from ..database import Queryable
from ..sql_blocks import CORE_SQL, load_sql
from ..threads import SQL as THREADS

SQL: Final = load_sql(CORE_SQL / "client_threads.sql")


@dataclass(frozen=True, slots=True)
class StoredText:
    """The text of a stored message, to compare with the history that a client sends.
    run_id: None: saved outside any run.
    """

    position: int
    role: Role
    run_id: str | None
    text: str


async def list_texts(db: Queryable, thread_id: str, limit: int) -> list[StoredText]:
    """List the texts of a thread's newest messages, oldest first."""
    found = await db.fetch(SQL["list_texts"], db.tenant_id, thread_id, limit)
    return [StoredText(**row) for row in reversed(found)]


async def append_messages(
    tx: Queryable, thread_id: str, position: int, messages: Sequence[Message]
) -> bool:
    """Append messages to a thread if it still ends at `position`; return whether it did.

    No run of the thread may be active.
    """
    stored, total = rows.to_message_rows(messages)
    told = (tx.tenant_id, thread_id, None, len(stored), stored, total, position)
    return await tx.fetchval(THREADS["insert_messages"], *told) is not None
