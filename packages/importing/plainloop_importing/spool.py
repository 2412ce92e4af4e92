"""What a file tells in no order, brought into one on the disk, so that memory does not grow."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import msgspec

from plainloop.agent.config.settings import Settings

from .assembling import assemble, drop_doubles, make_key
from .conversations import Conversation, ModelCall, ToolSpan
from .files import Broken
from .messages import MessageReader, Said
from .values import dump

T = TypeVar("T")
_CACHE_KB: Final = 32 * 1024
_AT_ONCE: Final = 1_000
_TABLES: Final = """
create table items (kind text, key text, sort real, body blob);
create table ends (digest blob primary key, name text) without rowid;
create table members (name text, trace text, began real, primary key (name, trace)) without rowid;
"""


class Spool:
    """A temporary database that vanishes with its process. Made by `open_spool`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._waiting: list[tuple[str, str, float, bytes]] = []
        self.rows = 0  # that were put
        self.left_out = Counter[str]()  # of no conversation, by the reason
        self.broken = Broken()

    def put(self, kind: str, key: str, sort: float, body: Any) -> None:
        """Store a value under a key, to be read back in the order of `sort`."""
        self.rows += 1
        self._waiting.append((kind, key, sort, msgspec.msgpack.encode(body)))
        if len(self._waiting) >= _AT_ONCE:
            self.flush()

    def put_call(self, call: ModelCall) -> None:
        self.put("call", call.trace, call.started_at.timestamp(), call)

    def put_tool(self, tool: ToolSpan) -> None:
        self.put("tool", tool.trace, tool.started_at.timestamp(), tool)

    def flush(self) -> None:
        self._db.executemany("insert into items values (?, ?, ?, ?)", self._waiting)
        self._waiting = []

    def index(self) -> None:
        """Index the spool after the last write, before reading from it."""
        self.flush()
        self._db.execute("create index if not exists items_by_key on items (kind, key, sort)")

    def list_all(self, kind: str, as_type: type[T]) -> Iterator[tuple[str, list[T]]]:
        """Yield each key with its values, one key at a time."""
        keys = self._db.execute(
            "select distinct key from items where kind = ? order by key", (kind,)
        ).fetchall()
        for (key,) in keys:
            yield key, self.load(kind, key, as_type)

    def list_merged(self, kind: str) -> Iterator[dict[str, Any]]:
        """Yield one object for each key, merged from the key's values.

        Later values replace earlier ones.
        """
        for _, parts in self.list_all(kind, dict[str, Any]):
            merged: dict[str, Any] = {}
            for part in parts:
                merged |= {name: value for name, value in part.items() if value is not None}
            yield merged

    def load(self, kind: str, key: str, as_type: type[T]) -> list[T]:
        found = self._db.execute(
            "select body from items where kind = ? and key = ? order by sort, rowid", (kind, key)
        )
        return [msgspec.msgpack.decode(body, type=as_type) for (body,) in found]

    def list_by_time(self, kind: str) -> Iterator[str]:
        """Yield the keys, sorted by the time of each key's first value."""
        found = self._db.execute(
            "select key from items where kind = ? group by key order by min(sort), key", (kind,)
        ).fetchall()
        for (key,) in found:
            yield key

    def join(self, name: str, trace: str, began: float) -> None:
        """Record that a trace is part of the conversation with that name."""
        self._db.execute("insert or ignore into members values (?, ?, ?)", (name, trace, began))

    def list_names(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each conversation's name with its traces, earliest first."""
        names = self._db.execute(
            "select name from members group by name order by min(began), name"
        ).fetchall()
        for (name,) in names:
            traces = self._db.execute(
                "select trace from members where name = ? order by began, trace", (name,)
            )
            yield name, [trace for (trace,) in traces]

    def find_end(self, digest: bytes) -> str | None:
        """Return the name of the conversation whose messages have this digest.

        None if there is none. The digest is dropped, so that it is found only once.
        """
        row = self._db.execute("select name from ends where digest = ?", (digest,)).fetchone()
        if row is not None:
            self._db.execute("delete from ends where digest = ?", (digest,))
        return None if row is None else row[0]

    def save_end(self, digest: bytes, name: str) -> None:
        self._db.execute("insert or replace into ends values (?, ?)", (digest, name))


@contextmanager
def open_spool() -> Generator[Spool]:
    """Open a spool: a temporary store in an unnamed file, which vanishes with the process."""
    db = sqlite3.connect("", isolation_level=None)
    try:
        db.execute(f"pragma cache_size = -{_CACHE_KB}")
        db.execute("pragma journal_mode = off")
        db.executescript(_TABLES)
        yield Spool(db)
    finally:
        db.close()


def group_calls(spool: Spool) -> None:
    """Assign each trace to a conversation: the one that it names, or continues, or a new one.

    Else it is a conversation of its own. Two conversations that begin alike stay two: only earlier
    answers are evidence.
    """
    spool.index()
    for trace in spool.list_by_time("call"):
        calls = drop_doubles(spool.load("call", trace, ModelCall))
        began = calls[0].started_at.timestamp()
        if named := {call.group for call in calls if call.group}:
            for name in named:
                spool.join(name, trace, began)
            continue
        name = trace
        worded = [call for call in calls if call.sent]
        if worded:
            first = max(worded, key=lambda call: (len(call.sent or []), bool(call.tools)))
            before = _digest_prefixes(first.system, first.sent or [])[-2::-1]  # the longest first
            name = next(filter(None, map(spool.find_end, before)), trace)
        for call in worded:
            if call.answer is not None:
                whole = [*(call.sent or []), call.answer]
                spool.save_end(_digest_prefixes(call.system, whole)[-1], name)
        spool.join(name, trace, began)


def _digest_prefixes(system: str, said: Sequence[Said]) -> list[bytes]:
    running = hashlib.sha256(system.encode())
    found: list[bytes] = []
    for one in said:
        running.update(make_key(one))
        found.append(running.copy().digest())
    return found


def list_conversations(spool: Spool, settings: Settings) -> Iterator[Conversation]:
    """Yield the conversations of all calls in the spool (a temporary store), earliest first."""
    for name, traces in spool.list_names():
        reader = MessageReader(settings)
        known: dict[bytes, Said] = {}
        calls: list[ModelCall] = []
        spans: list[ToolSpan] = []
        for trace in traces:
            found = spool.load("call", trace, ModelCall)
            groups = {call.group for call in found if call.group}
            for call in found:
                # A call without a name is its trace's, which may be in several conversations.
                if len(groups) > 1 and (call.group or min(groups)) != name:
                    continue
                if call.sent is not None:  # each repeats what those before it had
                    keys = (dump([said.role, said.parts]) for said in call.sent)
                    call.sent = list(map(known.setdefault, keys, call.sent))
                calls.append(call)
            spans += spool.load("tool", trace, ToolSpan)
        if calls:
            whole = assemble(name, calls, spans, reader)
            whole.notes += reader.list_notes()
            whole.alias = calls[0].alias if len(calls) == 1 else None
            yield whole
