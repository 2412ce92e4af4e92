"""The connection pool and transactions that know their tenant. Nothing here knows a table.

Works behind a transaction pooler: all that we set is set inside the transaction.
"""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, Literal, Protocol

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import orjson

from ..base.finishing import finish_despite_cancel
from ..errors import NotFoundError, StoreError
from .connecting.hosts import Hosts
from .pool import Lane, Pool, get_lane

Row = dict[str, Any]
Statement = tuple[str, tuple[Any, ...]]  # its text, and the values of its parameters
Role = Literal["plainloop_app", "plainloop_operator"]

OPERATOR_TENANT: Final = ""  # the operator's policies ask for no tenant
CONNECT_TIMEOUT_S: Final = 5.0
COMMAND_TIMEOUT_S: Final = 30.0
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

# asyncpg says InterfaceError for "connection is closed" and for misuse alike, and
# InternalClientError where the server's farewell was not read yet. BEGIN on a connection that the
# pool has just given is no misuse, so there all of them mean that the connection is dead.
_BROKEN_OFF: Final = (asyncpg.InterfaceError, asyncpg.InternalClientError)
_DEAD_CONNECTION: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,
    asyncpg.exceptions.ReadOnlySQLTransactionError,
    *_BROKEN_OFF,
    ConnectionError,
)
_UNAVAILABLE: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
    # The server ended the session: this process stood still in the middle of a transaction.
    asyncpg.exceptions.IdleInTransactionSessionTimeoutError,
    asyncpg.exceptions.OperatorInterventionError,
    asyncpg.exceptions.InsufficientResourcesError,
    asyncpg.exceptions.LockNotAvailableError,
    asyncpg.DeadlockDetectedError,  # undone as a whole, and done again like any other
    asyncpg.exceptions.ReadOnlySQLTransactionError,
    asyncpg.exceptions.InvalidAuthorizationSpecificationError,
    asyncpg.exceptions.InvalidCatalogNameError,
    OSError,
    TimeoutError,
)
_NOT_BEGUN: Final = (*_UNAVAILABLE, asyncpg.InsufficientPrivilegeError)
_ROLE_MISSING: Final = (
    asyncpg.exceptions.InsufficientPrivilegeError,
    asyncpg.exceptions.UndefinedObjectError,
    asyncpg.exceptions.InvalidParameterValueError,
)


class Queryable(Protocol):
    """What packs and tools get: SQL with `$1` parameters, rows as plain dicts.

    uuid columns are text, json and jsonb are Python values, numeric is Decimal, times are aware.
    """

    @property
    def tenant_id(self) -> str: ...

    async def fetch(self, sql: str, *args: Any) -> list[Row]: ...

    async def fetchrow(self, sql: str, *args: Any) -> Row | None: ...

    async def fetchval(self, sql: str, *args: Any) -> Any: ...

    async def execute(self, sql: str, *args: Any) -> int:
        """The number of rows that were changed."""
        ...


class Transaction:
    """One open transaction of one tenant, ended by `commit` or `rollback`. Calls from several
    tasks wait for each other.
    """

    def __init__(
        self, database: Database, connection: Any, tenant_id: str, *, has_passed: bool = True
    ) -> None:
        self._database = database
        self._connection: Any = connection  # None: it has been given back
        self._tenant_id = tenant_id
        self.has_passed = has_passed  # the check that it began with found a row
        self._turn = _Turn(connection, database.distrust)
        self._savepoint_lock = asyncio.Lock()
        self._savepoints = 0

    @property
    def tenant_id(self) -> str:
        return self._tenant_id

    # Each calls the driver itself: a frame less on every stack (tests/machine/test_frames.py).

    async def fetch(self, sql: str, *args: Any) -> list[Row]:
        async with self._turn:
            rows = await self._connection.fetch(sql, *args)
        return [dict(row) for row in rows]

    async def fetchrow(self, sql: str, *args: Any) -> Row | None:
        async with self._turn:
            row = await self._connection.fetchrow(sql, *args)
        return None if row is None else dict(row)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        async with self._turn:
            return await self._connection.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        async with self._turn:
            tag: str = await self._connection.execute(sql, *args)
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    @asynccontextmanager
    async def savepoint(self) -> AsyncGenerator[None]:
        """Changes inside are undone, alone, when the block raises. One block at a time."""
        async with self._savepoint_lock:
            self._savepoints += 1
            name = f"s{self._savepoints}"
            await self.execute(f"savepoint {name}")
            try:
                yield
            except BaseException:
                await finish_despite_cancel(self.execute(f"rollback to savepoint {name}"))
                raise
            await self.execute(f"release savepoint {name}")

    async def commit(self) -> None:
        """Raises: StoreError when it is not known to have happened."""
        await finish_despite_cancel(self._end("commit"))

    async def rollback(self) -> None:
        """Undo everything and give the connection back. Harmless when it has ended already."""
        if self._connection is not None:
            await finish_despite_cancel(self._end("rollback"))

    async def _end(self, command: Literal["commit", "rollback"]) -> None:
        connection, self._connection = self._connection, None
        try:
            await connection.execute(command)
        except (*_UNAVAILABLE, *_BROKEN_OFF) as error:
            connection.terminate()
            if command == "commit":
                raise make_store_error(error) from error
        finally:
            self._database.release(connection)


class _Turn:
    """One statement at a time; what means that the database is away becomes a StoreError."""

    def __init__(self, connection: Any, distrust: Callable[[BaseException, Any], None]) -> None:
        self._connection = connection
        self._distrust = distrust
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._lock.acquire()

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._lock.release()
        if error is not None:
            self._distrust(error, self._connection)
        if isinstance(error, _UNAVAILABLE) or (
            # Said for misuse as well, but not on a connection that is gone.
            isinstance(error, _BROKEN_OFF) and self._connection.is_closed()
        ):
            raise make_store_error(error) from error


class Database:
    """A pool of connections to one database."""

    def __init__(self, pool: Pool, *, has_roles: bool = False) -> None:
        self._pool = pool
        self._has_roles = has_roles
        # How statements are called that are a transaction by themselves.
        self.functions: dict[tuple[str, ...], str] = {}

    @property
    def has_roles(self) -> bool:
        """Whether row-level security holds us too; else only the explicit tenant filter does."""
        return self._has_roles

    async def detect_roles(self) -> bool:
        """Look whether we may act as the schema's roles; to be called once it is migrated."""
        async with self.connection() as connection:
            try:
                await connection.execute(
                    "begin; set local role plainloop_app; reset role;"
                    " set local role plainloop_operator; rollback"
                )
            except _ROLE_MISSING:
                await connection.execute("rollback")
                self._has_roles = False
            else:
                self._has_roles = True
        return self._has_roles

    @asynccontextmanager
    async def connection(self, lane: Lane | None = None) -> AsyncGenerator[Any]:
        """A bare asyncpg connection with the connecting role's rights: for migrations."""
        try:
            connection = await self._pool.acquire(lane or get_lane())
            try:
                yield connection
            except BaseException:
                connection.terminate()  # nobody knows what it is in the middle of
                raise
            finally:
                self._pool.release(connection)
        except _UNAVAILABLE as error:
            raise make_store_error(error) from error

    async def close(self) -> None:
        """Give back all connections; those in use after a while are cut."""
        await self._pool.close()

    @asynccontextmanager
    async def transaction(
        self, tenant_id: str, *, role: Role = "plainloop_app"
    ) -> AsyncGenerator[Transaction]:
        """Commits at the block's end, rolls back when it raises. The commit is not cancellable.

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
        """A transaction for the work of a process for all tenants."""
        return self.transaction(OPERATOR_TENANT, role="plainloop_operator")

    async def begin(
        self,
        tenant_id: str,
        *,
        role: Role = "plainloop_app",
        is_step: bool = False,
        check: str = "",
    ) -> Transaction:
        """An open transaction, which holds a connection until it is ended. is_step: for as long as
        a step's tools run. check: a query that goes along (`write_out`).
        """
        kind = "step" if is_step else "pulse" if role == "plainloop_operator" else "short"
        lane = "step" if is_step else _choose_lane(role)
        rights = role if self._has_roles else None
        begin_sql = _build_begin(tenant_id, rights, IDLE_MS[kind]) + check
        tag = ""
        for is_last in (False, True):
            connection: Any = None
            try:
                connection = await self._pool.acquire(lane)
                tag = await connection.execute(begin_sql)
                break
            except BaseException as error:
                if connection is not None:
                    # In doubt it goes: it may be dead, or half-way through its BEGIN.
                    connection.terminate()
                    self._pool.release(connection)
                is_dead = isinstance(error, _DEAD_CONNECTION)
                if is_dead and not is_last:
                    # The server was restarted or failed over: every pooled one is suspect.
                    self._pool.expire()
                elif is_dead or isinstance(error, _NOT_BEGUN):
                    raise make_store_error(error) from error
                else:
                    raise
        return Transaction(self, connection, tenant_id, has_passed=not tag.endswith(" 0"))

    async def call(
        self,
        key: tuple[str, ...],
        args: Sequence[Any],
        tenant_id: str,
        role: Role,
        *,
        is_repeatable: bool,
    ) -> list[Any] | None:
        """Statements that are a transaction by themselves: their rows; None where the database has
        no function of them.

        is_repeatable: what went out over a connection that turns out to be dead may have been done,
        and is done again.

        Raises: StoreError when it is not known to have happened.
        """
        if (sql := self.functions.get(key)) is None:
            return None
        rights = role if self._has_roles else "none"
        connection: Any = None
        is_undone = False
        try:
            connection = await self._pool.acquire(_choose_lane(role))
            return await connection.fetch(sql, *args, tenant_id, rights)
        except asyncpg.UndefinedFunctionError:  # a newer version has changed the schema meanwhile
            self.functions.pop(key, None)
            return None
        except asyncio.CancelledError:
            if connection is not None:
                connection.terminate()  # it is in the middle of something
            raise
        except asyncpg.DeadlockDetectedError:
            # Undone as a whole; those whom it was in the way of go first
            # (test_a_hundred_posts_with_one_key_make_one_run).
            is_undone = True
        except (*_UNAVAILABLE, *_BROKEN_OFF) as error:
            if connection is not None:
                self.distrust(error, connection)
                if isinstance(error, asyncpg.InternalClientError):
                    connection.terminate()  # its end has not been read to the end
            is_dead = connection is None or connection.is_closed()
            if not is_dead and not isinstance(error, _UNAVAILABLE):
                raise
            if not (is_dead and is_repeatable):
                raise make_store_error(error) from error
        finally:
            if connection is not None:
                self._pool.release(connection)
        if is_undone:
            return await self.call(key, args, tenant_id, role, is_repeatable=is_repeatable)
        self._pool.expire()
        return await self.call(key, args, tenant_id, role, is_repeatable=False)

    def distrust(self, error: BaseException, connection: Any) -> None:
        """A server that refuses writes was the primary once, and still answers: with it go all
        connections, so that the next ones are made to the primary of today
        (test_a_demoted_server_is_left_for_the_one_that_takes_writes).
        """
        if isinstance(error, asyncpg.exceptions.ReadOnlySQLTransactionError):
            connection.terminate()
            self._pool.expire()

    def release(self, connection: Any) -> None:
        """Give back the connection of a transaction that has ended."""
        self._pool.release(connection)


def _choose_lane(role: Role) -> Lane:
    return "pulse" if role == "plainloop_operator" else get_lane()


async def open_database(
    url: str,
    *,
    statement_cache: int = STATEMENT_CACHE,
    connections: int = CONNECTIONS,
    wait_s: float = WAIT_S,
    revive: Callable[[], Awaitable[None]] | None = None,
    copies: Database | None = None,
) -> Database:
    """Connections to the database at `url`: `connections` of them at most, for which callers wait.

    copies: the database that this one is a read replica of; it may be away.

    statement_cache: 0 behind a transaction pooler that does not track prepared statements. revive:
    starts the server again when there is none.

    Raises: StoreError when there is no database to talk to.
    """
    hosts = Hosts(url)

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
            await _set_codecs(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    pool = Pool(connect, connections, wait_s)
    if copies is not None:
        database = Database(pool, has_roles=copies.has_roles)
        database.functions = dict(copies.functions)
        return database
    database = Database(pool)
    try:
        async with database.connection():
            return database
    except (asyncpg.InterfaceError, ValueError) as error:
        raise make_store_error(error) from error


def parse_id(text: str, what: str) -> str:
    """The id in its canonical form.

    Raises: NotFoundError when it is no UUID: nothing can have that id.
    """
    try:
        return str(uuid.UUID(text))
    except (ValueError, AttributeError, TypeError) as error:
        raise NotFoundError(f"no such {what}: {text}") from error


def make_store_error(error: BaseException) -> StoreError:
    """The error for a database that is away or refuses; its message is Postgres's first line."""
    detail = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if isinstance(error, asyncpg.DiskFullError):
        return StoreError(
            f"the database's disk is full: {detail}",
            hint="Make room there. Nothing is lost: runs go on by themselves.",
            code="STORE_FULL",
        )
    return StoreError(
        f"the database cannot be used: {detail}",
        hint="Check DATABASE_URL and that Postgres runs (`plainloop doctor`); "
        "unset DATABASE_URL to use the embedded database.",
    )


def _build_begin(tenant_id: str, role: Role | None, idle_ms: int) -> str:
    """BEGIN and all settings as one script: one round trip."""
    settings = [
        ("app.tenant_id", _to_literal(tenant_id)),
        ("lock_timeout", f"'{LOCK_TIMEOUT_MS}'"),
        ("idle_in_transaction_session_timeout", f"'{idle_ms}'"),
    ]
    if role:
        settings.append(("role", f"'{role}'"))
    calls = ", ".join(f"set_config('{name}', {value}, true)" for name, value in settings)
    return f"begin; select {calls}"


def write_out(sql: str, *args: str | int) -> str:
    """A statement with its values in it, to be sent along with others."""
    return "; " + re.sub(r"\$(\d+)", lambda found: _to_literal(args[int(found[1]) - 1]), sql)


def _to_literal(value: str | int) -> str:
    """A text is hex, so it cannot leave its literal whatever it holds."""
    if isinstance(value, int):
        return str(value)
    return f"convert_from('\\x{value.encode().hex()}'::bytea, 'UTF8')"


async def _set_codecs(connection: Any) -> None:
    await connection.set_type_codec(
        "uuid", schema="pg_catalog", encoder=str, decoder=str, format="text"
    )
    await connection.set_type_codec(
        "json", schema="pg_catalog", encoder=orjson.dumps, decoder=orjson.loads, format="binary"
    )
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        encoder=_to_jsonb,
        decoder=_from_jsonb,
        format="binary",
    )


def _to_jsonb(value: Any) -> bytes:
    """The binary form: a version byte, then the text."""
    return b"\x01" + orjson.dumps(value)


def _from_jsonb(data: bytes) -> Any:
    return orjson.loads(data[1:])
