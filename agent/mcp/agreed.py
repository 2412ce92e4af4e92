"""Stores digests of servers' tool descriptions, as accepted by the operator and as of now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ..store.database import Queryable
from ..store.sql_blocks import load_sql

SQL: Final = load_sql(Path(__file__).with_name("tools.sql"))


async def see_tools(tx: Queryable, server: str, digests: Mapping[str, str]) -> dict[str, bool]:
    """Store the digests of a server's current tools; return which tools are not accepted yet.

    tx: the operator's. Returns: by tool, whether it changed since it was accepted or first seen.
    """
    rows = [{"tool": tool, "digest": digest} for tool, digest in digests.items()]
    await tx.execute(SQL["see_tools"], server, rows)
    unaccepted = await tx.fetch(SQL["list_unaccepted_tools"], server)
    return {row["tool"]: row["is_changed"] for row in unaccepted}


async def accept_tools(tx: Queryable, server: str) -> int:
    """Accept a server's current tools; return how many of them were not accepted before."""
    return await tx.execute(SQL["accept_tools"], server)
