"""Stores the code version of runs, and loads what the ledger keeps of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..dataclasses import dataclass
from ..types import Message
from .database import Queryable, parse_id
from .sql_blocks import CORE_SQL, load_sql
from .store import Store

SQL: Final = load_sql(CORE_SQL / "recordings.sql")


@dataclass(frozen=True, slots=True)
class KeptRequest:
    """The parts of a model request that the ledger still stores.
    positions: of the thread, inclusive; None: `extra` is all of it. system and tools: None where
    there was none, or it is kept no more.
    """

    call_id: str
    run_id: str
    thread_id: str | None
    first_position: int | None
    last_position: int | None
    extra_messages: list[Message] | None
    worker: str | None
    system: str | None
    tools: str | None  # JSON


async def save_code_parts(store: Store, name: str, parts: Mapping[str, str]) -> None:
    """Store the digests of this version's code, under the name that its runs record."""
    async with store.database.operate() as tx:
        await tx.execute(SQL["save_code_parts"], name, parts)


async def load_code_parts(tx: Queryable, name: str) -> dict[str, str]:
    """Load the digests of code parts stored under this name; {} if unknown."""
    return await tx.fetchval(SQL["load_code_parts"], name) or {}


async def load_request(
    tx: Queryable, run_id: str, call_id: str, *, is_before: bool = False
) -> KeptRequest | None:
    """Load the stored request of a model call; None if it is not stored.
    is_before: of the preceding call in the conversation, by the same model in the same role.
    """
    ids = (parse_id(run_id, "run"), parse_id(call_id, "call"))
    row = await tx.fetchrow(SQL["load_request"], tx.tenant_id, *ids, is_before)
    return None if row is None else KeptRequest(**row)
