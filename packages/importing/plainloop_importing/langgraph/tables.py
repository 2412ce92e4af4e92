"""The tables of LangGraph's savers, thread by thread: Postgres (Python and JS) and SQLite.

Of a thread, as little as its newest state needs: the heads of its checkpoints, the values of one of
them, and the pending writes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import orjson

from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import InputError
from plainloop.agent.store.sql_blocks import load_sql

from ..values import as_dict, parse_json, parse_time
from .values import decode_value

SQL: Final = load_sql(Path(__file__).parent / "tables.sql")
PAGE: Final = 500
CONNECT_S: Final = 20
_asyncpg: Any = asyncpg


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint's row without its values. inlined: values that are stored in the row."""

    namespace: str
    checkpoint_id: str
    parent_id: str | None
    at: datetime | None
    versions: dict[str, str]
    inlined: dict[str, Any]
    seen: dict[str, Any]
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Write:
    """A write of one task of the step that follows a checkpoint."""

    namespace: str
    checkpoint_id: str
    task_id: str
    task_path: str
    idx: int
    channel: str
    kind: str | None
    blob: bytes | None

    def decode(self) -> Any:
        return decode_value(self.kind, self.blob, self.channel)


@dataclass(slots=True)
class ThreadRows:
    """All checkpoints of a thread, in the order of their ids, and all their writes."""

    thread_id: str
    checkpoints: list[Checkpoint] = field(default_factory=list[Checkpoint])
    writes: list[Write] = field(default_factory=list[Write])


class Tables(Protocol):
    """Reads LangGraph's checkpoints from a database."""

    def list_threads(self) -> AsyncGenerator[str]: ...

    async def load_thread(self, thread_id: str) -> ThreadRows: ...

    async def load_values(
        self, thread_id: str, checkpoint: Checkpoint, channels: list[str] | None
    ) -> dict[str, Any]:
        """Load a checkpoint's values of these channels (fields of the graph's state).

        None loads all channels. Channels without a value are left out.
        """
        ...


def _make_checkpoint(row: Any, body: dict[str, Any]) -> Checkpoint:
    versions = as_dict(body.get("channel_versions"))
    return Checkpoint(
        namespace=row["checkpoint_ns"],
        checkpoint_id=row["checkpoint_id"],
        parent_id=row["parent_checkpoint_id"],
        at=parse_time(body.get("ts")),
        versions={name: str(version) for name, version in versions.items()},
        inlined=as_dict(body.get("channel_values")),
        seen=as_dict(body.get("versions_seen")),
        metadata=as_dict(parse_json(row["metadata"])),
    )


class PostgresTables:
    """LangGraph's three tables in Postgres, read only and as of one moment."""

    def __init__(self, connection: Any, has_paths: bool) -> None:
        self._connection = connection
        self._path = "task_path" if has_paths else "''"

    async def _fetch(self, sql: str, *values: Any) -> list[Any]:
        """Run a query of the source. Raises: InputError, also where its user has no right to."""
        try:
            return await self._connection.fetch(sql, *values)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise InputError(
                f"the source database refuses to be read: {error}",
                hint="Its user needs the right to select from LangGraph's three tables.",
            ) from error

    async def list_threads(self) -> AsyncGenerator[str]:
        last: str | None = None
        while True:
            rows = await self._fetch(SQL["list_threads"], last, PAGE)
            for row in rows:
                yield row["thread_id"]
            if len(rows) < PAGE:
                return
            last = rows[-1]["thread_id"]

    async def load_thread(self, thread_id: str) -> ThreadRows:
        found = ThreadRows(thread_id)
        for row in await self._fetch(SQL["load_checkpoints"], thread_id):
            found.checkpoints.append(_make_checkpoint(row, orjson.loads(row["checkpoint"])))
        sql = SQL["load_writes"].replace("{path}", self._path)
        found.writes = [Write(**row) for row in await self._fetch(sql, thread_id)]
        return found

    async def load_values(
        self, thread_id: str, checkpoint: Checkpoint, channels: list[str] | None
    ) -> dict[str, Any]:
        wanted = (
            checkpoint.versions
            if channels is None
            else {
                name: checkpoint.versions[name] for name in channels if name in checkpoint.versions
            }
        )
        rows = await self._fetch(
            SQL["load_blobs"],
            *(thread_id, checkpoint.namespace, list(wanted), list(wanted.values())),
        )
        values = {name: checkpoint.inlined[name] for name in wanted if name in checkpoint.inlined}
        for row in rows:
            if row["type"] != "empty":
                values[row["channel"]] = decode_value(row["type"], row["blob"], row["channel"])
        return values


class SqliteTables:
    """LangGraph's two tables in SQLite, where a checkpoint is one value.

    Savers of LangGraph.js, and older ones of Python, have no `task_path`.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        columns = {name for (_, name, *_) in db.execute("pragma table_info(writes)")}
        self._path = "task_path" if "task_path" in columns else "''"
        db.row_factory = sqlite3.Row

    async def list_threads(self) -> AsyncGenerator[str]:
        for (thread_id,) in self._db.execute(SQL["list_sqlite_threads"]):
            yield thread_id

    async def load_thread(self, thread_id: str) -> ThreadRows:
        found = ThreadRows(thread_id)
        for row in self._db.execute(SQL["load_sqlite_checkpoints"], (thread_id,)):
            body = as_dict(decode_value(row["type"] or "json", row["checkpoint"], "checkpoint"))
            one = _make_checkpoint(row, {**body, "channel_values": {}})  # read when they are wanted
            found.checkpoints.append(one)
        sql = SQL["load_sqlite_writes"].replace("{path}", self._path)
        rows = self._db.execute(sql, (thread_id,))
        found.writes = [Write(**dict(row)) for row in rows]
        return found

    async def load_values(
        self, thread_id: str, checkpoint: Checkpoint, channels: list[str] | None
    ) -> dict[str, Any]:
        key = (thread_id, checkpoint.namespace, checkpoint.checkpoint_id)
        row = self._db.execute(SQL["load_sqlite_values"], key).fetchone()
        body = as_dict(decode_value(row["type"] or "json", row["checkpoint"], "checkpoint"))
        values = as_dict(body.get("channel_values"))
        return {name: v for name, v in values.items() if channels is None or name in channels}


@asynccontextmanager
async def open_tables(source: str, schema: str | None) -> AsyncGenerator[Tables]:
    """Open LangGraph's tables at a Postgres URL or in a SQLite file, read only.

    Raises: InputError when they cannot be reached, or are not there.
    """
    if "://" not in source:
        with _open_sqlite(source) as tables:
            yield tables
        return
    try:
        connection: Any = await _asyncpg.connect(source, timeout=CONNECT_S)
    except (OSError, ValueError, asyncpg.PostgresError, TimeoutError) as error:
        raise InputError(
            f"the source database cannot be reached: {type(error).__name__}",
            hint="Check the URL, and that the database accepts connections from here.",
        ) from error
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            if schema is not None:
                await connection.execute(SQL["choose_schema"], schema)
            columns = {row["name"] for row in await connection.fetch(SQL["list_columns"])}
            if "blob" not in columns:
                raise InputError(
                    "the database has no tables of LangGraph's Postgres saver",
                    hint="The tables are checkpoints, checkpoint_blobs and "
                    "checkpoint_writes; --schema sets their schema.",
                )
            yield PostgresTables(connection, "task_path" in columns)
    finally:
        await connection.close()


@contextmanager
def _open_sqlite(source: str) -> Generator[SqliteTables]:
    if not Path(source).is_file():
        raise InputError(
            f"{source} is neither a file nor a database URL",
            hint="Name a SQLite file, or a URL like postgresql://user@host/database.",
        )
    address = f"{Path(source).resolve().as_uri()}?mode=ro"
    with ExitStack() as stack:
        try:
            db = stack.enter_context(closing(sqlite3.connect(address, uri=True)))
            names = {name for (name,) in db.execute("select name from sqlite_master")}
        except sqlite3.Error as error:
            raise InputError(
                f"{source} is not a SQLite file: {error}",
                hint="Name the file that LangGraph's SQLite saver writes.",
            ) from error
        if not {"checkpoints", "writes"} <= names:
            raise InputError(
                f"{source} has no tables of LangGraph's SQLite saver",
                hint="Name the file that the saver writes.",
            )
        yield SqliteTables(db)
