"""Classifies the driver's errors: dead connection, unreachable database, full disk."""

from __future__ import annotations

from typing import Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ...errors import StoreError

# asyncpg says InterfaceError for "connection is closed" and for misuse alike, and
# InternalClientError where the server's farewell was not read yet. BEGIN on a connection that the
# pool has just given is no misuse, so there all of them mean that the connection is dead.
BROKEN_OFF: Final = (asyncpg.InterfaceError, asyncpg.InternalClientError)
DEAD_CONNECTION: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,
    asyncpg.exceptions.ReadOnlySQLTransactionError,
    *BROKEN_OFF,
    ConnectionError,
)
# The server ended the session: this process stood still in the middle of a transaction.
STOOD_STILL: Final = asyncpg.exceptions.IdleInTransactionSessionTimeoutError
UNAVAILABLE: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
    STOOD_STILL,
    asyncpg.exceptions.OperatorInterventionError,
    # Class 53: the disk is full, memory or connections are used up.
    asyncpg.exceptions.InsufficientResourcesError,
    asyncpg.exceptions.LockNotAvailableError,
    asyncpg.DeadlockDetectedError,  # undone as a whole, and done again like any other
    # Of a server that was the primary until a moment ago.
    asyncpg.exceptions.ReadOnlySQLTransactionError,
    asyncpg.exceptions.InvalidAuthorizationSpecificationError,
    asyncpg.exceptions.InvalidCatalogNameError,
    OSError,
    TimeoutError,
)
NOT_BEGUN: Final = (*UNAVAILABLE, asyncpg.InsufficientPrivilegeError)
ROLE_MISSING: Final = (
    asyncpg.exceptions.InsufficientPrivilegeError,
    asyncpg.exceptions.UndefinedObjectError,
    # What `set role` says of a role that does not exist.
    asyncpg.exceptions.InvalidParameterValueError,
)


def make_store_error(error: BaseException) -> StoreError:
    """Build the error for a database that cannot be reached or that refuses a statement.
    It has Postgres's first line, without paths, since users read it.
    """
    detail = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if isinstance(error, asyncpg.DiskFullError):
        return StoreError(
            "the database's disk is full",
            hint="Free some disk space. Nothing is lost: runs continue automatically.",
            code="STORE_FULL",
        )
    return StoreError(
        f"the database cannot be used: {detail}",
        hint="Check DATABASE_URL and that Postgres is running (`plainloop doctor`). "
        "Unset DATABASE_URL to use the embedded database.",
    )
