"""Threads and their messages: statements over an open transaction."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from ..base.ids import make_id
from ..errors import ConflictError, InputError, NotFoundError
from ..types import Message
from . import rows
from .database import Queryable, Row, parse_id
from .records import ThreadInfo
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "threads.sql")
# Half a bigint: the statement subtracts it from a count of tokens.
_ALL_TOKENS: Final = 2**62
# Ids as people give them: the beginning of one.
_PREFIX: Final = re.compile(r"[0-9a-f]{1,32}")
_SHOWN: Final = 3


async def create_thread(
    tx: Queryable,
    user_id: str,
    *,
    thread_id: str | None = None,
    title: str = "",
    pack: str,
    kind: str = "chat",
) -> ThreadInfo:
    """Create a thread of this pack and kind. thread_id None: with a new id.

    Raises: ConflictError THREAD_EXISTS when the id is taken.
    """
    new_id = make_id() if thread_id is None else parse_id(thread_id, "thread")
    told = {"user_id": user_id, "pack": pack, "kind": kind, "title": title}
    made = await tx.call("plainloop_create_thread", thread_id=new_id, **told)
    if not made:
        raise ConflictError(
            f"the thread {new_id} already exists",
            hint="Use another id, or send to the existing thread.",
            code="THREAD_EXISTS",
        )
    return ThreadInfo(**made[0])


async def load_thread(tx: Queryable, user_id: str, thread_id: str) -> ThreadInfo:
    """Load one of the user's threads.

    Raises: NotFoundError for a missing thread and for somebody else's alike.
    """
    thread_id = parse_id(thread_id, "thread")
    records = await tx.call("plainloop_load_thread", user_id=user_id, thread_id=thread_id)
    if not records:
        raise make_missing_thread(thread_id)
    return ThreadInfo(**records[0])


async def find_newest_thread(
    tx: Queryable, user_id: str, *, pack: str, kind: str
) -> ThreadInfo | None:
    """Find the user's thread of this pack and kind with the newest activity."""
    row = await tx.fetchrow(SQL["find_newest_thread"], tx.tenant_id, user_id, pack, kind)
    return None if row is None else ThreadInfo(**row)


async def make_interview(
    tx: Queryable, user_id: str, thread_id: str, *, pack: str, title: str
) -> ThreadInfo | None:
    """Turn the user's empty chat into an interview and return it; None if it has messages."""
    args = (parse_id(thread_id, "thread"), pack, title)
    row = await tx.fetchrow(SQL["make_interview"], tx.tenant_id, user_id, *args)
    return None if row is None else ThreadInfo(**row)


async def list_threads(
    tx: Queryable, user_id: str, *, limit: int, before: str | None = None
) -> list[ThreadInfo]:
    """List the user's conversations, the latest activity first.
    before: the last thread of the previous page.
    """
    seen = None if before is None else parse_id(before, "thread")
    records = await tx.fetch(SQL["list_threads"], tx.tenant_id, user_id, seen, limit)
    return [ThreadInfo(**row) for row in records]


async def list_unknown_users(tx: Queryable, user_ids: Collection[str]) -> set[str]:
    """Return those of the users who have no thread, so that their names may be misspelled."""
    if not user_ids:
        return set()
    rows = await tx.fetch(SQL["list_unknown_users"], tx.tenant_id, [*user_ids])
    return {row["named"] for row in rows}


async def rename_thread(tx: Queryable, user_id: str, thread_id: str, title: str) -> None:
    """Change a thread's title. Raises: NotFoundError."""
    thread_id = parse_id(thread_id, "thread")
    if not await tx.execute(SQL["rename_thread"], tx.tenant_id, user_id, thread_id, title, None):
        raise make_missing_thread(thread_id)


async def replace_title(
    tx: Queryable, user_id: str, thread_id: str, known: str, title: str
) -> None:
    """Change a thread's title, but only if it still is `known`."""
    await tx.execute(SQL["rename_thread"], tx.tenant_id, user_id, thread_id, title, known)


async def file_thread(
    tx: Queryable, user_id: str, thread_id: str, is_pinned: bool | None, labels: list[str] | None
) -> None:
    """Pin or label a thread; None leaves a field unchanged. Raises: NotFoundError."""
    named = (tx.tenant_id, user_id, parse_id(thread_id, "thread"))
    if not await tx.execute(SQL["file_thread"], *named, is_pinned, labels):
        raise make_missing_thread(thread_id)


async def count_labels(tx: Queryable, user_id: str) -> list[tuple[str, int]]:
    """Count the user's conversations for each label, sorted by label."""
    records = await tx.fetch(SQL["count_labels"], tx.tenant_id, user_id)
    return [(row["label"], row["conversations"]) for row in records]


async def describe_threads(
    tx: Queryable, user_id: str, thread_ids: Sequence[str], is_admin: bool
) -> list[Row]:
    """Load id, user, creation time and title of the threads that the user may see.
    A title is None unless the thread is a chat of the user. is_admin: other users' threads, too.
    """
    owner = None if is_admin else user_id
    return await tx.fetch(SQL["describe_threads"], tx.tenant_id, [*thread_ids], owner, user_id)


async def describe_chats(
    tx: Queryable,
    user_id: str,
    thread_ids: Sequence[str],
    is_admin: bool,
    opened: str | None = None,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[Row]:
    """Load the chats of these threads: each with its number of versions (branches), the newest
    one, its title, and the cost of runs that this version does not show, in USD.
    opened: the thread whose version is taken instead of the newest.
    """
    owner = None if is_admin else user_id
    named = (tx.tenant_id, [*thread_ids], owner, user_id, opened, since, until)
    return await tx.fetch(SQL["describe_chats"], *named)


async def describe_runs(
    tx: Queryable, user_id: str, run_ids: Sequence[str], is_admin: bool
) -> list[Row]:
    """Load these runs, as far as the user may see them, and the beginning of each own message."""
    owner = None if is_admin else user_id
    return await tx.fetch(SQL["describe_runs"], tx.tenant_id, [*run_ids], owner, user_id)


async def choose_model(tx: Queryable, user_id: str, thread_id: str, model: str | None) -> None:
    """Set the model that answers in a thread; None: the configured one. Raises: NotFoundError."""
    thread_id = parse_id(thread_id, "thread")
    if not await tx.execute(SQL["choose_model"], tx.tenant_id, user_id, thread_id, model):
        raise make_missing_thread(thread_id)


async def delete_thread(tx: Queryable, user_id: str, thread_id: str) -> None:
    """Erase a thread with its runs and events.

    In the ledger, only the numbers of its calls remain.

    Raises: NotFoundError.
    """
    thread_id = parse_id(thread_id, "thread")
    if not await tx.fetchval(SQL["delete_thread"], tx.tenant_id, user_id, thread_id):
        raise make_missing_thread(thread_id)


async def delete_parsed_texts(tx: Queryable, user_id: str, pack: str) -> None:
    """Erase all texts that the pack parsed for the user, and their results."""
    while parsed := await find_newest_thread(tx, user_id, pack=pack, kind="parse"):
        await delete_thread(tx, user_id, parsed.thread_id)


async def insert_messages(
    tx: Queryable, thread_id: str, run_id: str | None, messages: Sequence[Message]
) -> int:
    """Append messages to a thread; return the position of the first."""
    stored, total = rows.to_message_rows(messages)
    position: int | None = await tx.fetchval(
        SQL["insert_messages"], tx.tenant_id, thread_id, run_id, len(stored), stored, total, None
    )
    if position is None:
        raise make_missing_thread(thread_id)
    return position


async def save_message(tx: Queryable, thread_id: str, run_id: str | None, message: Message) -> int:
    """Append a message to a thread and return the message's position. Raises: NotFoundError."""
    return await insert_messages(tx, parse_id(thread_id, "thread"), run_id, [message])


async def load_messages(
    tx: Queryable,
    thread_id: str,
    *,
    max_tokens: int | None = None,
    until_position: int | None = None,
) -> list[Message]:
    """Load the thread's newest whole exchanges within `max_tokens`, oldest first.

    Each has its token count. The newest exchange comes whole even when it alone is larger.
    until_position: the last position to see; None: the thread's last.
    """
    most = _ALL_TOKENS if max_tokens is None else max_tokens
    thread_id = parse_id(thread_id, "thread")
    records = await tx.fetch(SQL["load_messages"], tx.tenant_id, thread_id, until_position, most)
    return [rows.from_message_row(row) for row in records]


async def load_run_messages(
    tx: Queryable, run_id: str, first: int, last: int
) -> dict[int, Message]:
    """Load the messages between two positions of the run's thread, by position."""
    records = await tx.fetch(SQL["load_run_messages"], tx.tenant_id, run_id, first, last)
    return {row["position"]: rows.from_message_row(row) for row in records}


async def load_last_answer(tx: Queryable, thread_id: str) -> list[Message]:
    """Load the thread's last assistant message and all messages after it."""
    records: list[dict[str, Any]] = await tx.fetch(SQL["load_last_answer"], tx.tenant_id, thread_id)
    return [rows.from_message_row(row) for row in records]


async def find_thread(tx: Queryable, user_id: str, prefix: str) -> str:
    """Find the only thread of the user whose id begins with `prefix`; return its id.

    Raises: NotFoundError for none; InputError AMBIGUOUS_ID naming some when there are several.
    """
    ids = await _find(tx, "thread", user_id, prefix)
    return _take_one(ids, prefix, "thread", "`plainloop threads` lists your threads.")


async def find_run(tx: Queryable, user_id: str, prefix: str) -> str:
    """Find the only run of the user whose id begins with `prefix`; return its id.
    The beginning of a thread's id gives that thread's last run.

    Raises: as find_thread.
    """
    runs = await _find(tx, "run", user_id, prefix)
    if runs:
        return _take_one(runs, prefix, "run", None)
    threads = await _find(tx, "thread", user_id, prefix)
    if not threads:
        raise NotFoundError(
            f"no such run or thread: {prefix}", hint="Check the id; `last` names the newest run."
        )
    thread_id = _take_one(threads, prefix, "thread", None)
    return await load_last_run(tx, user_id, thread_id)


async def load_last_run(tx: Queryable, user_id: str, thread_id: str | None = None) -> str:
    """Return the id of the user's newest run, or of the newest in one thread.

    Raises: NotFoundError when there are no runs yet.
    """
    run_id = await tx.fetchval(SQL["load_last_run"], tx.tenant_id, user_id, thread_id)
    if run_id is None:
        raise NotFoundError("there are no runs yet", hint="`plainloop ask` starts one.")
    return str(run_id)


async def _find(tx: Queryable, kind: str, user_id: str, prefix: str) -> list[str]:
    """List ids of the user's threads or runs (kind) that begin with the prefix, 4 at most."""
    digits = prefix.strip().lower().replace("-", "")
    if not _PREFIX.fullmatch(digits):
        return []
    # A range, as the index on a uuid knows no prefixes.
    low, high = digits.ljust(32, "0"), digits.ljust(32, "f")
    rows = await tx.fetch(
        SQL["find_ids"].format(kind=kind), tx.tenant_id, user_id, low, high, _SHOWN + 1
    )
    return [str(next(iter(row.values()))) for row in rows]


def _take_one(ids: list[str], prefix: str, what: str, hint: str | None) -> str:
    """Return the only id; raise NotFoundError without one, AMBIGUOUS_ID for several."""
    if not ids:
        raise NotFoundError(f"no such {what}: {prefix}", hint=hint)
    if len(ids) > 1:
        names = ", ".join(ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")
        raise InputError(
            f"several {what}s have ids that start with {prefix}: {names}",
            hint="Give more characters of the id.",
            code="AMBIGUOUS_ID",
        )
    return ids[0]


def make_missing_thread(thread_id: str) -> NotFoundError:
    """Build the error for a thread that is missing or belongs to another user."""
    return NotFoundError(
        f"no such thread: {thread_id}", hint="`plainloop threads` lists your threads."
    )
