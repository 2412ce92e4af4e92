"""Rows that the HTTP API reads and stores beside runs: pages, tickets, sessions, replicas."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal

from ..base.messages.contents import list_calls
from ..dataclasses import astuple, dataclass
from ..types import Message, MessagePart, Role
from .admin.tenant_secrets import hash_secret
from .database import Queryable, Row
from .leases import SQL as LEASES
from .records import RunStatus, ThreadInfo
from .roles import probe
from .sql_blocks import CORE_SQL, load_sql
from .store import Store

SQL: Final = load_sql(CORE_SQL / "api.sql")
# The conversations with ids $23 that match the whole filter.
# Made of the page's own statement: a condition that is added there holds for searches as well
# (test_filters_match_conversations_with_one_run_fitting_all).
CHOSEN: Final = SQL["list_conversations"].replace(
    "from threads\nwhere",
    "from unnest($23::uuid[]) as chosen join threads on thread_id = chosen\nwhere",
)
SEARCHED_AT_ONCE: Final = 100
SEARCHED_LETTERS: Final = 3  # fewer are in no signature
MessageStatus = Literal["complete", "superseded", "cancelled", "failed", "limit"]


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message with its position in its thread, and the run that stored it."""

    position: int
    role: Role
    parts: list[MessagePart]
    run_id: str | None  # None: saved outside any run
    created_at: datetime
    next_role: Role | None = None  # of the run's next message
    run_status: RunStatus | None = None  # of the run whose last message this is

    @property
    def message(self) -> Message:
        """Return the message's role and parts, as nodes and providers use them."""
        return {"role": self.role, "parts": self.parts}

    @property
    def status(self) -> MessageStatus:
        """Return the message's display status, such as `complete` or `superseded`.
        `superseded`: a draft that the run's next message replaces. `cancelled`, `failed`, `limit`:
        an answer that its run did not finish.
        """
        if self.role != "assistant":
            return "complete"
        # After tool calls the run's next answer is no correction, but what follows their results
        # (test_a_listed_message_states_whether_its_answer_was_finished).
        if self.next_role == "assistant" and not list_calls(self.message):
            return "superseded"
        if self.run_status in ("cancelled", "failed", "limit"):
            return self.run_status
        return "complete"


@dataclass(frozen=True, slots=True)
class Capacity:
    """Connections that our database role may use, that other programs use, and live replicas."""

    room: int  # the maximum for our role, all replicas together
    others: int  # of other programs, now
    replicas: int  # that gave a sign of life in the last minutes


@dataclass(frozen=True, slots=True)
class Replica:
    """A process that serves plainloop, with its latest sign of life (`replicas` row)."""

    owner: str  # as its runs name it
    is_draining: bool
    started_at: datetime
    seen_at: datetime
    is_silent: bool  # longer than it should be: dead, stuck, or cut off from the database


@dataclass(frozen=True, slots=True)
class RunCount:
    """How many of a tenant's unfinished runs have this status and this owner process."""

    status: RunStatus
    owner: str | None  # None: nobody
    runs: int
    oldest_at: datetime


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A run that is queued, running or suspended, as an operator's list shows it."""

    run_id: str
    thread_id: str
    user_id: str
    status: RunStatus
    owner: str | None
    attempt: int
    next_node: str | None  # None: before its first step
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TicketOwner:
    """The user for whom a one-time ticket or a session authenticates requests."""

    user_id: str
    is_admin: bool
    identity_expires_at: datetime | None  # None: never
    key_id: str | None = None  # of the API key that it was had for


@dataclass(frozen=True, slots=True)
class ConversationFilter:
    """Conditions for `list_conversations`; a field that is None is ignored.
    The fields from `tag` on must all hold for one and the same run; a tag may also be the
    conversation's.
    """

    text: str | None = None  # words in its title and one message, in any order and case
    since: datetime | None = None  # begun
    until: datetime | None = None
    tag: str | None = None
    design: str | None = None
    status: str | None = None
    worker: str | None = None  # that answered
    tool: str | None = None  # that was called
    intent: str | None = None  # the fast path: lookup | count | list
    newest_branch: bool = False  # of conversations that were branched, only the one used last
    is_pinned: bool | None = None
    label: str | None = None
    # With the same run as those above: a failed tool, an answer rated bad, a run without an answer.
    problem: Literal["tool", "rating", "run"] | None = None
    model: str | None = None  # that was called
    reader: str | None = None  # the user whose messages are searched; None: everybody's


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """Models, cost and problems of a conversation's answers."""

    thread_id: str
    models: list[str]  # of its workers
    cost_usd: Decimal | None  # None: of no call known
    tool_failed: bool
    rated_bad: bool
    versions: int  # of branched conversations, all that are left; else 1
    most_asked: int  # messages of people, in the longest version


ALL: Final = ConversationFilter()


async def list_conversations(
    db: Queryable,
    user_id: str | None,
    kind: str,
    limit: int,
    after: tuple[datetime, str] | None,
    wanted: ConversationFilter = ALL,
) -> list[ThreadInfo]:
    """List the conversations that match a filter, the most recently active first.
    user_id: None: of all the tenant's users. kind: of the threads, as `chat`. after: (updated_at,
    thread_id) of the previous page's last one.
    """
    place = after or (None, None)
    owner = (db.tenant_id, user_id, kind)
    # The fields in their order are the statement's parameters from $7 on; those of `of_run` must
    # hold for one and the same run ($10 says whether any is set).
    text, since, until, *more = astuple(wanted)
    # Each word once, the longest first: what lacks it is passed over at once.
    text = text and " ".join(sorted(set(text.split()), key=len, reverse=True))
    of_run = (*more[:6], wanted.problem, wanted.model)
    rest = (text, since, until, any(item is not None for item in of_run), *more)
    if text is None or len(text.split(" ")[0]) < SEARCHED_LETTERS:
        found = await db.fetch(SQL["list_conversations"], *owner, *place, limit, *rest)
        return [ThreadInfo(**row) for row in found]
    # What is said often stands in the newest; what is said seldom is looked up.
    sql, words, shown = SQL["list_newest"], tuple[str, ...](), list[Row]()
    while True:
        ids = await db.fetch(sql, *owner, *place, SEARCHED_AT_ONCE, *words)
        chosen = [row["thread_id"] for row in ids]
        left = limit - len(shown)
        shown += await db.fetch(CHOSEN, *owner, None, None, left, *rest, chosen)
        if len(shown) == limit or len(ids) < SEARCHED_AT_ONCE:
            return [ThreadInfo(**row) for row in shown]
        place = (ids[-1]["updated_at"], ids[-1]["thread_id"])
        sql, words = SQL["list_candidates"], (text,)


async def list_facts(db: Queryable, thread_ids: Sequence[str]) -> dict[str, ThreadFacts]:
    """Describe the threads of a page, by id; one that is gone meanwhile is left out."""
    found = await db.fetch(SQL["list_facts"], db.tenant_id, list(thread_ids))
    return {row["thread_id"]: ThreadFacts(**row) for row in found}


async def list_messages(
    db: Queryable, thread_id: str, limit: int, before: int | None
) -> list[StoredMessage]:
    """List a thread's newest messages, or the newest below position `before`, oldest first."""
    found: Sequence[Row] = await db.fetch(
        SQL["list_messages"], db.tenant_id, thread_id, before, limit
    )
    return [StoredMessage(**row) for row in reversed(found)]


async def load_answer_position(db: Queryable, thread_id: str, run_id: str) -> int | None:
    """Return the thread position of the run's last assistant message; None if there is none."""
    return await db.fetchval(SQL["load_answer_position"], db.tenant_id, thread_id, run_id)


async def save_ticket(
    db: Queryable,
    secret: str,
    user_id: str,
    *,
    is_admin: bool,
    valid_s: float,
    identity_expires_at: datetime | None,
    is_session: bool = False,
    key_id: str | None = None,
) -> None:
    """Store a one-time ticket or a browser session, by the hash of its secret.
    valid_s: seconds until it expires.
    """
    whose = (db.tenant_id, hash_secret(secret), user_id, is_admin)
    until = (valid_s, identity_expires_at)
    await db.execute(SQL["save_ticket"], *whose, *until, is_session, key_id)


async def redeem_ticket(db: Queryable, secret: str) -> TicketOwner | None:
    """Return the owner of a one-time ticket and use the ticket up; None if it is not valid."""
    row = await db.fetchrow(SQL["redeem_ticket"], db.tenant_id, hash_secret(secret))
    return None if row is None else TicketOwner(**row)


async def find_session(db: Queryable, secret: str) -> TicketOwner | None:
    """Return the owner of the browser session with this secret; None if it has ended."""
    row = await db.fetchrow(SQL["find_session"], db.tenant_id, hash_secret(secret))
    return None if row is None else TicketOwner(**row)


async def end_session(db: Queryable, secret: str) -> None:
    """End a browser session, so that no copy of its cookie is valid any more."""
    await db.execute(SQL["end_session"], db.tenant_id, hash_secret(secret))


async def record_replica(store: Store, owner: str, *, is_draining: bool) -> None:
    """Record that this process is alive, after checking that the database accepts writes.
    owner: its name, from `make_owner`. is_draining: it takes no new runs.

    Raises: StoreError.
    """
    await probe(store.database)
    async with store.database.operate() as tx:
        # A row finds room in pages that the table has, however full the disk is; a sort that does
        # not fit into memory must write a new file (test_a_full_disk_makes_the_replica_not_ready).
        await tx.execute(SQL["use_little_memory"])
        await tx.execute(SQL["write_pages"])
        await tx.execute(SQL["record_replica"], owner, is_draining)


async def list_replicas(store: Store) -> list[Replica]:
    """List the replicas that were alive within the last hour, oldest first."""
    async with store.database.operate() as tx:
        return [Replica(**row) for row in await tx.fetch(LEASES["list_replicas"])]


async def count_unfinished_runs(db: Queryable) -> list[RunCount]:
    """Count a tenant's unfinished runs, by status and process."""
    found = await db.fetch(SQL["count_unfinished_runs"], db.tenant_id)
    return [RunCount(**row) for row in found]


async def list_unfinished_runs(db: Queryable, limit: int) -> list[UnfinishedRun]:
    """List up to `limit` of the tenant's runs that have not ended, oldest first."""
    found = await db.fetch(SQL["list_unfinished_runs"], db.tenant_id, limit)
    return [UnfinishedRun(**row) for row in found]


async def load_capacity(store: Store) -> Capacity:
    """Load how many database connections are allowed, and how many replicas use them."""
    async with store.database.operate() as tx:
        row = await tx.fetchrow(SQL["load_capacity"])
    assert row is not None  # our own role, in our own database
    return Capacity(**row)
