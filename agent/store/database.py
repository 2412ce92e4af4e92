"""The database: transactions that know their tenant. Nothing here knows a table.

Works behind a transaction pooler: all that we set is set inside the transaction.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, Literal

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..errors import NotFoundError, StoreError
from .connecting.codecs import set_codecs, to_statement, write_call, write_script
from .connecting.failures import (
    BROKEN_OFF,
    DEAD_CONNECTION,
    NOT_BEGUN,
    ROLE_MISSING,
    UNAVAILABLE,
    make_store_error,
)
from .connecting.hosts import Hosts
from .connecting.open_transaction import Transaction
from .connecting.pool import Lane, Pool, get_lane
from .connecting.queryable import Queryable as Queryable  # packs and the store take both from here
from .connecting.queryable import Row as Row

Role = Literal["plainloop_app", "plainloop_operator"]

OPERATOR_TENANT: Final = ""  # the operator's policies ask for no tenant
CONNECT_TIMEOUT_S: Final = 5.0
COMMAND_TIMEOUT_S: Final = 30.0
SILENT_S: Final = 10.0
# Below COMMAND_TIMEOUT_S: the server's error leaves a connection that works, while a statement that
# the driver gives up costs the connection (`Pool.distrust`).
LOCK_TIMEOUT_MS: Final = 10_000
# How long a transaction may stand still, with its locks, when its process is frozen or cut off.
IDLE_MS: Final = {
    "short": 15_000,
    "pulse": 5_000,  # heartbeats and claims: they lock what others wait for
    "step": 120_000,  # stays open while its tools run
}
CONNECTIONS: Final = 10
WAIT_S: Final = 60.0
STATEMENT_CACHE: Final = 100
# Each is one script, so one round trip. `_BEGIN_STEP` without a row: another owner has the run.
# The third argument makes each setting local to the transaction, as `set local` and `set local
# role` do: behind a transaction pooler the next client has none of it
# (test_the_service_works_through_a_transaction_pooler).
_BEGIN: Final = "begin; select set_config(key, value, true) from json_each_text($1)"
_BEGIN_STEP: Final = "begin; select where plainloop_open_step($1)"
# Several statements in one message are one transaction unless they say begin and commit (Postgres,
# "Multiple Statements in a Simple Query"): the steps stay if the tools' transaction is undone
# (test_deferred_steps_are_stored_before_a_step_transaction_begins).
_STORE_FIRST: Final = "begin; select {}; commit; "


class Database:
    """A pool of connections to one database, with transactions that act for one tenant.
    silent_s: how long a statement that has nothing to wait for (BEGIN, a sign of life) may take,
    before the server counts as gone.
    """

    def __init__(self, pool: Pool, *, has_roles: bool = False, silent_s: float = SILENT_S) -> None:
        self._pool = pool
        self._silent_s = silent_s
        # Whether row-level security holds us too; else only the explicit tenant filter does.
        self.has_roles = has_roles

    @property
    def has_spare(self) -> bool:
        """Whether a second connection can be used while a transaction holds the first."""
        return self._pool.has_spare

    @property
    def can_open_step(self) -> bool:
        """Whether a step's transaction would get a connection at once."""
        return self._pool.has_idle("step")

    async def detect_roles(self) -> bool:
        """Find out whether the connection may act as the schema's roles; set `has_roles`.
        Call it after migrating.
        """
        async with self.connection() as connection:
            try:
                await connection.execute(
                    # Tried, not looked up: since Postgres 16 a role can be granted without the
                    # right to SET it
                    # (test_roles_not_granted_to_the_owner_are_refused_with_the_sql_for_it).
                    "begin; set local role plainloop_app; reset role;"
                    " set local role plainloop_operator; rollback"
                )
            except ROLE_MISSING:
                await connection.execute("rollback")
                self.has_roles = False
            else:
                self.has_roles = True
        return self.has_roles

    @asynccontextmanager
    async def connection(self, lane: Lane | None = None) -> AsyncGenerator[Any]:
        """Yield a raw asyncpg connection, without a tenant's restrictions, as for migrations."""
        try:
            connection = await self._pool.acquire(lane or get_lane())
            try:
                yield connection
            except BaseException:
                connection.terminate()  # nobody knows what it is in the middle of
                raise
            finally:
                self._pool.release(connection)
        except UNAVAILABLE as error:
            raise make_store_error(error) from error

    async def close(self) -> None:
        """Close all connections, giving those in use a few seconds to end."""
        await self._pool.close()

    @asynccontextmanager
    async def transaction(
        self, tenant_id: str, *, role: Role = "plainloop_app"
    ) -> AsyncGenerator[Transaction]:
        """Open a tenant's transaction, which is committed unless the block raises.
        The commit is not cancellable.

        Raises: StoreError when the database cannot be reached.
        """
        tx = await self.begin(tenant_id, role=role)
        try:
            yield tx
        except BaseException:
            await tx.rollback()
            raise
        await tx.commit()

    def operate(self) -> AbstractAsyncContextManager[Transaction]:
        """Open a transaction that sees all tenants, for internal work such as leases."""
        return self.transaction(OPERATOR_TENANT, role="plainloop_operator")

    async def begin(
        self,
        tenant_id: str,
        *,
        role: Role = "plainloop_app",
        step: Mapping[str, Any] | None = None,
        before: Sequence[Any] | None = None,
    ) -> Transaction:
        """Begin a transaction and acquire the connection that it holds until its end.
        step: input of `plainloop_open_step` for a step's transaction, which stays open while its
        tools run. before: input of `plainloop_record_steps`, in a transaction of its own, in the
        same round trip; it may have been done whatever is raised.
        """
        lane, rights = _choose_lane(role) if step is None else "step", self._get_rights(role)
        if step is None:
            kind = "pulse" if role == "plainloop_operator" else "short"
            settings = {
                "app.tenant_id": tenant_id,
                "lock_timeout": str(LOCK_TIMEOUT_MS),
                "idle_in_transaction_session_timeout": str(IDLE_MS[kind]),
                "role": rights,
            }
            script = write_script(_BEGIN, settings)
        else:
            acting = {"tenant_id": tenant_id, "rights": rights}
            script = write_script(_BEGIN_STEP, {**acting, **step})
            if before is not None:
                stored = write_call("plainloop_record_steps", (*acting.values(), *before))
                script = _STORE_FIRST.format(stored) + script
        tag = ""
        # Twice: that a pooled connection is dead shows only when it is used; a new one tells
        # whether the server is there (test_a_connection_dead_at_first_use_is_replaced).
        for is_last in (False, True):
            connection: Any = None
            try:
                connection = await self._pool.acquire(lane)
                # What is stored before may have to wait for a lock.
                limit_s = self._silent_s if before is None else None
                tag = await connection.execute(script, timeout=limit_s)
                break
            except BaseException as error:
                if connection is not None:
                    # In doubt it goes: it may be dead, or half-way through its BEGIN.
                    self._pool.distrust(error, connection)
                    connection.terminate()
                    self._pool.release(connection)
                is_dead = isinstance(error, DEAD_CONNECTION) or (
                    connection is not None and isinstance(error, TimeoutError)
                )
                if is_dead and not is_last:
                    # The server was restarted or failed over: every pooled one is suspect.
                    self._pool.expire()
                elif is_dead or isinstance(error, NOT_BEGUN):
                    raise make_store_error(error) from error
                else:
                    raise
        # The tag of a script is that of its last statement: `SELECT 0` where the fence does not
        # hold (test_only_the_runs_owner_can_open_a_step_transaction).
        has_passed = not tag.endswith(" 0")
        return Transaction(self._pool, connection, tenant_id, rights, has_passed=has_passed)

    def _get_rights(self, role: Role) -> str:
        """Return the role with whose rights a SQL function must run; `none` without roles."""
        return role if self.has_roles else "none"

    async def call(
        self,
        function: str,
        values: Sequence[Any],
        given: Mapping[str, Any],
        tenant_id: str,
        role: Role,
        *,
        is_repeatable: bool,
    ) -> list[Any]:
        """Call a SQL function in its own transaction, on behalf of a tenant; return the rows.

        is_repeatable: what went out over a connection that turns out to be dead may have been done,
        and is done again.

        Raises: StoreError when it is not known to have happened.
        """
        acting = {"tenant_id": tenant_id, "rights": self._get_rights(role)}
        sql, args = to_statement(function, acting, values, given)
        connection: Any = None
        is_undone = False
        # By its signs of life a process finds out of a server that is silent.
        limit_s = self._silent_s if role == "plainloop_operator" else None
        try:
            connection = await self._pool.acquire(_choose_lane(role))
            return await connection.fetch(sql, *args, timeout=limit_s)
        except asyncpg.UndefinedFunctionError as error:
            raise StoreError(
                f"the database lacks a function that this version needs: {error}",
                hint="Run `plainloop migrate` as the role that owns the database.",
                code="SCHEMA_OLDER",
            ) from error
        except asyncio.CancelledError:
            if connection is not None:
                connection.terminate()  # it is in the middle of something
            raise
        except asyncpg.DeadlockDetectedError:
            # Undone as a whole; those whom it was in the way of go first
            # (test_a_hundred_posts_with_one_key_make_one_run).
            is_undone = True
        except (*UNAVAILABLE, *BROKEN_OFF) as error:
            has_time_run_out = False
            if connection is not None:
                has_time_run_out = isinstance(error, TimeoutError) and not connection.is_closed()
                self._pool.distrust(error, connection)
            is_dead = connection is None or connection.is_closed()
            if not is_dead and not isinstance(error, UNAVAILABLE):
                raise
            # A statement that timed out may still be running: sent again, it might run twice.
            if has_time_run_out or not (is_dead and is_repeatable):
                raise make_store_error(error) from error
        finally:
            if connection is not None:
                self._pool.release(connection)
        if is_undone:
            return await self.call(
                function, values, given, tenant_id, role, is_repeatable=is_repeatable
            )
        self._pool.expire()
        return await self.call(function, values, given, tenant_id, role, is_repeatable=False)


def _choose_lane(role: Role) -> Lane:
    """Choose the queue of connections: `pulse` for the operator, else the task's own."""
    return "pulse" if role == "plainloop_operator" else get_lane()


async def open_database(
    url: str,
    *,
    statement_cache: int = STATEMENT_CACHE,
    connections: int = CONNECTIONS,
    wait_s: float = WAIT_S,
    silent_s: float = SILENT_S,
    revive: Callable[[], Awaitable[None]] | None = None,
    copies: Database | None = None,
) -> Database:
    """Connect to the database at `url` through a pool of connections.

    silent_s: how long the server may be silent before it counts as gone.

    copies: the database that this one is a read replica of; it may be away.

    statement_cache: 0 behind a transaction pooler that does not track prepared statements. revive:
    starts the server again when there is none.

    Raises: StoreError when there is no database to talk to.
    """
    try:
        hosts = Hosts(url, silent_s, on_move=lambda: pool.cut())
    except ValueError as error:
        raise make_store_error(error) from error

    async def connect() -> Any:
        try:
            return await connect_once()
        except (ConnectionRefusedError, FileNotFoundError):  # no such socket
            if revive is None:
                raise
        await revive()
        return await connect_once()

    async def connect_once() -> Any:
        connection: Any = await hosts.connect(
            CONNECT_TIMEOUT_S,
            command_timeout=COMMAND_TIMEOUT_S,
            statement_cache_size=statement_cache,
            # Days are those of UTC, wherever the server or the session believes to be.
            server_settings={"application_name": "plainloop", "TimeZone": "UTC"},
        )
        try:
            await set_codecs(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    pool = Pool(connect, connections, wait_s, on_silence=hosts.doubt)
    # Without a first connection: a replica that is away must not keep the service from starting
    # (test_an_unreachable_read_replica_does_not_prevent_opening).
    if copies is not None:
        return Database(pool, has_roles=copies.has_roles, silent_s=silent_s)
    database = Database(pool, silent_s=silent_s)
    try:
        # A wrong address or password is reported here, not at the first run.
        async with database.connection():
            return database
    except (asyncpg.InterfaceError, ValueError) as error:
        raise make_store_error(error) from error


def parse_id(text: str, what: str) -> str:
    """Check an id and return it in its usual form. what: the noun for the error, as `thread`.

    Raises: NotFoundError when it is no UUID: nothing can have that id.
    """
    try:
        return str(uuid.UUID(text))
    except (ValueError, AttributeError, TypeError) as error:
        raise NotFoundError(
            f"no such {what}: {text}", hint="Check the id: it must be a UUID."
        ) from error
