"""The roles of the database: mended at every start, and believed only after a probe.

Row-level security is forced where our two roles can be assumed, and then nothing works without
them: a service whose roles are gone (restored into another cluster, taken away) would accept
messages and never answer. So it does not start, and says what an administrator has to run.
"""

from __future__ import annotations

import logging
from typing import Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..base.ids import make_id
from ..errors import StoreError
from .database import Database
from .migrations import APPLY_S, LOCK
from .sql_blocks import CORE_SQL, load_sql

logger = logging.getLogger(__name__)

SQL: Final = load_sql(CORE_SQL / "roles.sql")
ROLES: Final = ("plainloop_app", "plainloop_operator")


async def secure(database: Database) -> None:
    """Repair and check database roles, grants and row-level security, at start.

    Raises: as `check_roles`.
    """
    await mend_roles(database)
    if missing := await check_roles(database):
        logger.warning("row_level_security_off", extra={"administrator_runs": " ".join(missing)})


async def check_roles(database: Database) -> list[str]:
    """Check all database grants, and test that no tenant sees another's rows.

    Returns: what an administrator may run for the second lock, where row-level security was never
    forced and the explicit tenant of every query is the only one.
    Raises: StoreError ROLES_UNUSABLE with the statements that an administrator has to run.
    """
    has_roles = await database.detect_roles()
    missing = await list_repairs(database)
    async with database.connection() as connection:
        is_forced = await connection.fetchval(SQL["is_forced"])
    if missing and (is_forced or has_roles):
        raise make_roles_unusable(missing)
    await probe(database)
    return missing


async def mend_roles(database: Database) -> None:
    """Create missing database roles and grants, or log that this is not permitted."""
    async with database.connection() as connection:
        try:
            # One process at a time: of two that grant rights on one table at once, Postgres ends
            # one with "tuple concurrently updated".
            async with connection.transaction():
                await connection.execute(LOCK, timeout=APPLY_S)
                await connection.execute(SQL["mend"])
        except asyncpg.InsufficientPrivilegeError as error:
            logger.warning("roles_not_mended", extra={"reason": str(error)})


async def list_repairs(database: Database) -> list[str]:
    """List the SQL statements by which an administrator repairs the database roles."""
    async with database.connection() as connection:
        lost = [role for role in ROLES if not await connection.fetchval(SQL["can_assume"], role)]
        if lost:
            found = await connection.fetch(SQL["list_role_repairs"], lost)
        else:
            found = await connection.fetch(SQL["list_table_repairs"])
    return [row["statement"] for row in found]


async def probe(database: Database) -> None:
    """Check row-level security by a row of one tenant that another must not see.

    The row is rolled back.

    Raises: StoreError ROLES_UNUSABLE when that does not go as it has to.
    """
    # Written and read, not looked up: a superuser and a role with BYPASSRLS pass every policy that
    # is there (test_a_role_probe_fails_if_row_security_is_wrong).
    first, second = f"probe {make_id()}", f"probe {make_id()}"
    tx = await database.begin(first)
    try:
        await tx.execute(SQL["insert_probe"], first)
        own = {row["tenant_id"] for row in await tx.fetch(SQL["list_probes"])}
        await tx.execute(SQL["choose_tenant"], second)
        others = {row["tenant_id"] for row in await tx.fetch(SQL["list_probes"])}
    except asyncpg.InsufficientPrivilegeError as error:
        raise make_roles_unusable([], str(error)) from error
    finally:
        await tx.rollback()
    if first not in own or (database.has_roles and (own != {first} or others)):
        raise make_roles_unusable(
            [], "in a test, a tenant did not see its own rows, or saw another tenant's"
        )


def make_roles_unusable(statements: list[str], reason: str = "") -> StoreError:
    """Build the error for unusable roles. statements: what an administrator must run."""
    todo = (
        "`plainloop migrate --repair` fixes what its role is allowed to; otherwise "
        "an administrator of the database "
    )
    todo += "has to run: " + " ".join(statements)
    return StoreError(
        f"the database's roles cannot be used{': ' if reason else ''}{reason}",
        hint=todo if statements else "`plainloop migrate --repair` fixes roles and grants.",
        code="ROLES_UNUSABLE",
    )
