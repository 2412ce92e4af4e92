"""A scratch copy of a pack's tables: where a replay's tools run for real, and which is dropped."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from ...core.spec import Pack
from ...store.database import Database
from ...store.sandbox import Sandbox, drop_sandboxes, make_sandbox

_TABLE: Final = re.compile(r"^create table (?:if not exists )?(\w+)", re.IGNORECASE | re.MULTILINE)


@asynccontextmanager
async def open_sandbox(
    database: Database, tenant_id: str, name: str, pack: Pack
) -> AsyncGenerator[Sandbox]:
    """A copy of the pack's tables with this tenant's rows, dropped at the block's end.

    Raises: ConfigError when the connecting role may not create schemas.
    """
    sandbox = await make_sandbox(database, tenant_id, name, list_tables(pack))
    try:
        yield sandbox
    finally:
        await drop_sandboxes(database, name)


def list_tables(pack: Pack) -> list[str]:
    """List the tables that the pack's migrations create."""
    if pack.migrations is None:
        return []
    texts = [path.read_text(encoding="utf-8") for path in sorted(pack.migrations.glob("*.sql"))]
    return list(dict.fromkeys(name for text in texts for name in _TABLE.findall(text)))
