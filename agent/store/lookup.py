"""Ids as people give them: the beginning of one, or "last"."""

from __future__ import annotations

import re
from typing import Final

from ..errors import InputError, NotFoundError
from .database import Queryable
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "lookup.sql")
_PREFIX: Final = re.compile(r"[0-9a-f]{1,32}")
_SHOWN: Final = 3


async def find_thread(tx: Queryable, user_id: str, prefix: str) -> str:
    """The id of the user's one thread that begins so.

    Raises: NotFoundError for none; InputError AMBIGUOUS_ID naming some when there are several.
    """
    found = await _find(tx, "find_threads", user_id, prefix)
    return _take_one(found, prefix, "thread", "`plainloop threads` lists yours.")


async def find_run(tx: Queryable, user_id: str, prefix: str) -> str:
    """The id of the user's one run that begins so; a thread's id gives its last run.

    Raises: as find_thread.
    """
    runs = await _find(tx, "find_runs", user_id, prefix)
    if runs:
        return _take_one(runs, prefix, "run", None)
    threads = await _find(tx, "find_threads", user_id, prefix)
    if not threads:
        raise NotFoundError(f"no such run or thread: {prefix}", hint="`last` is the newest run.")
    thread_id = _take_one(threads, prefix, "thread", None)
    return await load_last_run(tx, user_id, thread_id)


async def load_last_run(tx: Queryable, user_id: str, thread_id: str | None = None) -> str:
    """Raises: NotFoundError when there is no run yet."""
    found = await tx.fetchval(SQL["load_last_run"], tx.tenant_id, user_id, thread_id)
    if found is None:
        raise NotFoundError("there is no run yet", hint="`plainloop ask` starts one.")
    return str(found)


async def _find(tx: Queryable, block: str, user_id: str, prefix: str) -> list[str]:
    digits = prefix.strip().lower().replace("-", "")
    if not _PREFIX.fullmatch(digits):
        return []
    low, high = digits.ljust(32, "0"), digits.ljust(32, "f")
    rows = await tx.fetch(SQL[block], tx.tenant_id, user_id, low, high, _SHOWN + 1)
    return [str(next(iter(row.values()))) for row in rows]


def _take_one(found: list[str], prefix: str, what: str, hint: str | None) -> str:
    if not found:
        raise NotFoundError(f"no such {what}: {prefix}", hint=hint)
    if len(found) > 1:
        names = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
        raise InputError(
            f"several {what}s begin with {prefix}: {names}",
            hint="Give more of it.",
            code="AMBIGUOUS_ID",
        )
    return found[0]
