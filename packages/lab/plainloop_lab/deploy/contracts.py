"""Judges migrations: what they take away, or newly require, of replicas that serve meanwhile."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

from plainloop.agent.errors import StoreError
from plainloop.agent.store.leases import SQL as LEASES
from plainloop.agent.store.leases import is_owner_dead
from plainloop.agent.store.sql_blocks import load_sql

logger = logging.getLogger(__name__)

SQL: Final = load_sql(Path(__file__).parent / "contracts.sql")
_Relied = set[tuple[str, str, str]]  # offers or asks, of which table or function, what


class ContractCheck:
    """Compares the schema before and after each migration of one transaction.
    The service finds it by the hook `contracts`, and uses it if `deploy.judge` is not off.
    """

    def __init__(self, connection: Any, before: _Relied) -> None:
        self._connection = connection
        self._before = before
        self._taken: dict[str, list[str]] = {}  # by file

    @classmethod
    async def begin(cls, connection: Any) -> ContractCheck:
        """Load what the schema offers and requires before the first migration."""
        return cls(connection, await _load_relied_on(connection))

    async def compare(self, name: str, *, is_marked: bool) -> None:
        """Note what the migration `name` took away. is_marked: by `-- contracts:`."""
        after = await _load_relied_on(self._connection)
        if not is_marked:
            self._taken[name] = list_taken(self._before, after)
        self._before = after

    async def report(self, *, is_refused: bool) -> None:
        """Warn of migrations that take away what live replicas may use.
        The table of replicas is read last: one of the migrations may make it.

        Raises: StoreError MIGRATION_CONTRACTS if is_refused.
        """
        told = [f"{name}: {'; '.join(what)}" for name, what in self._taken.items() if what]
        if not told:
            return
        replicas = await self._connection.fetch(LEASES["list_replicas"])
        alive = [row for row in replicas if not row["is_draining"] and not row["is_silent"]]
        if all(is_owner_dead(row["owner"]) for row in alive):
            return
        for line in told:
            logger.warning("migration_contracts", extra={"migration": line})
        if is_refused:
            raise StoreError(
                f"a migration changes something that running replicas may use: {' · '.join(told)}",
                hint="Nothing was applied. Either stop the other replicas first, or make this "
                "change one version later, in a migration with a line `-- contracts: why` "
                "(docs/upgrade.md).",
                code="MIGRATION_CONTRACTS",
            )


def list_taken(before: _Relied, after: _Relied) -> list[str]:
    """List what migrations remove from the schema, or newly require of tables that existed.

    >>> list_taken({("offers", "t", "column t.a text")}, {("asks", "u", "a value for u.b")})
    ['column t.a text is removed']
    """
    known = {name for _, name, _ in before}
    gone = sorted(what for kind, _, what in before - after if kind == "offers")
    new = sorted(what for kind, name, what in after - before if kind == "asks" and name in known)
    return [f"{what} is removed" for what in gone] + [f"{what} is newly required" for what in new]


async def _load_relied_on(connection: Any) -> _Relied:
    """Load what the schema offers to, and requires from, replicas that run now."""
    rows = await connection.fetch(SQL["list_relied_on"])
    return {(row["kind"], row["name"], row["what"]) for row in rows}
