"""The store: all that is kept, in one Postgres. Every method names the tenant.

A method is one transaction. What must commit together shares one: `record_step` takes the
transaction in which a step's tools wrote.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..base.ids import make_id
from ..config.settings import Settings
from ..errors import ConflictError, LeaseLost, StoreError
from ..events import Event
from ..types import Message
from . import events as store_events
from . import ledger as store_ledger
from . import runs as store_runs
from . import threads as store_threads
from .budgets import BudgetGate, Notice
from .database import (
    STATEMENT_CACHE,
    STEP_IDLE_TIMEOUT_MS,
    Database,
    Queryable,
    Transaction,
    finish_despite_cancel,
    open_database,
    parse_id,
)
from .embedded import start_embedded
from .migrations import apply_migrations
from .queue import OPERATOR_TENANT, RunQueue
from .records import (
    CallInfo,
    CallSettled,
    CallStart,
    Run,
    RunEnd,
    RunInfo,
    StepCommit,
    StepInfo,
    ThreadInfo,
    ToolCallRecord,
)
from .transactions import Reader, StepTransaction

logger = logging.getLogger(__name__)

MAX_KNOWN_PROMPTS: Final = 10_000
PULSE_CONNECTIONS: Final = 2  # for heartbeats and event flushes
KNOWN_PROMPT_S: Final = 60.0
RECORD_PAUSES_S: Final = (0.1, 0.3, 0.6, 1.0, 2.0)  # between tries to write a finished step


class Store:
    """The door to the database. Made by `connect_store`; closed once, with `close`."""

    def __init__(self, database: Database, pulse: Database | None = None) -> None:
        """pulse: connections for what keeps runs alive, so that busy ones cannot stop it."""
        self.database = database
        self.budgets = BudgetGate()
        self._pulse = pulse or database
        self.queue = RunQueue(database, self._pulse)
        self._known_prompts: dict[tuple[str, str], float] = {}  # when they were stored

    async def close(self) -> None:
        """Give back all connections."""
        await self.database.close()
        if self._pulse is not self.database:
            await self._pulse.close()

    # Transactions for tools, packs and fast paths

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Transaction]:
        """One transaction for several statements; rolled back when the block raises."""
        return self.database.transaction(tenant_id)

    def read(self, tenant_id: str) -> Queryable:
        """For single statements: each is a short transaction of its own."""
        return Reader(self.database, tenant_id)

    async def open_step_transaction(self, run: Run) -> StepTransaction:
        """The transaction in which a step's tools write. It holds no lock of the run.

        Raises: LeaseLost when another process owns the run now.
        """
        tx, connection = await self.database.begin(run.tenant_id, idle_ms=STEP_IDLE_TIMEOUT_MS)
        step = StepTransaction(self.database, tx, connection)
        try:
            sql = store_runs.SQL["check_fence"]
            label = store_runs.make_step_label(run)
            if await tx.fetchrow(sql, run.tenant_id, run.run_id, run.fence, label) is None:
                raise store_runs.make_lease_lost(run.run_id)
        except BaseException:
            await step.rollback()
            raise
        return step

    # Threads and messages

    async def create_thread(
        self,
        tenant_id: str,
        user_id: str,
        *,
        thread_id: str | None = None,
        title: str = "",
        pack: str,
        kind: str = "chat",
    ) -> ThreadInfo:
        """Raises: ConflictError THREAD_EXISTS when the id is taken."""
        new_id = make_id() if thread_id is None else parse_id(thread_id, "thread")
        async with self.transaction(tenant_id) as tx:
            return await store_threads.create_thread(
                tx, user_id, thread_id=new_id, title=title, pack=pack, kind=kind
            )

    async def load_thread(self, tenant_id: str, user_id: str, thread_id: str) -> ThreadInfo:
        """Raises: NotFoundError for a missing thread and for somebody else's alike."""
        async with self.transaction(tenant_id) as tx:
            return await store_threads.load_thread(tx, user_id, thread_id)

    async def list_threads(
        self, tenant_id: str, user_id: str, *, limit: int, before: str | None = None
    ) -> list[ThreadInfo]:
        """The newest activity first. before: the last thread of the page before."""
        async with self.transaction(tenant_id) as tx:
            return await store_threads.list_threads(tx, user_id, limit, before)

    async def rename_thread(self, tenant_id: str, user_id: str, thread_id: str, title: str) -> None:
        """Raises: NotFoundError."""
        async with self.transaction(tenant_id) as tx:
            await store_threads.rename_thread(tx, user_id, thread_id, title)

    async def delete_thread(self, tenant_id: str, user_id: str, thread_id: str) -> None:
        """Erase the thread, its runs and events. Of the ledger the numbers stay, the texts go."""
        async with self.transaction(tenant_id) as tx:
            await store_threads.delete_thread(tx, user_id, thread_id)

    async def load_messages(
        self,
        tenant_id: str,
        thread_id: str,
        *,
        max_tokens: int | None = None,
        until_position: int | None = None,
    ) -> list[Message]:
        """The newest whole exchanges within max_tokens, oldest first, sealed.

        The newest exchange comes whole even when it alone is larger. until_position: the last
        position to see; None: the thread's last.
        """
        async with self.transaction(tenant_id) as tx:
            return await store_threads.load_messages(tx, thread_id, max_tokens, until_position)

    async def save_message(
        self, tenant_id: str, thread_id: str, run_id: str | None, message: Message
    ) -> int:
        """Append one message; returns its position."""
        async with self.transaction(tenant_id) as tx:
            return await store_threads.insert_messages(
                tx, parse_id(thread_id, "thread"), run_id, [message]
            )

    # Runs

    async def begin_run(
        self,
        tenant_id: str,
        user_id: str,
        thread_id: str,
        message: Message,
        *,
        owner: str,
        design: str,
        pack: str,
        lease_s: float,
        run_id: str | None = None,
        idempotency_key: str | None = None,
        request_hash: str | None = None,
        close_abandoned: bool = True,
    ) -> Run:
        """Append the user's message and start its run, in one transaction.

        close_abandoned: a run that a dead process left behind in the thread is closed first; where
        somebody will go on with it, it keeps the thread busy instead.

        Raises: NotFoundError for a thread that is not the user's; ConflictError THREAD_BUSY;
        ConflictError RUN_EXISTS (same key, same request: join that run) or IDEMPOTENCY_REUSED.
        """
        start = store_runs.RunStart(
            user_id=user_id,
            thread_id=parse_id(thread_id, "thread"),
            run_id=run_id or make_id(),
            message=message,
            owner=owner,
            design=design,
            pack=pack,
            lease_s=lease_s,
            idempotency_key=idempotency_key,
            request_hash=request_hash,
        )
        key = (tenant_id, user_id, idempotency_key, request_hash)
        try:
            async with self.transaction(tenant_id) as tx:
                return await store_runs.insert_run(tx, start)
        except (asyncpg.UniqueViolationError, ConflictError) as error:
            await self.check_key(*key, error)
            if isinstance(error, ConflictError):
                raise
        try:
            async with self.transaction(tenant_id) as tx:
                await store_runs.free_thread(tx, user_id, start.thread_id, close=close_abandoned)
                return await store_runs.insert_run(tx, start)
        except asyncpg.UniqueViolationError as error:
            await self.check_key(*key, error)
            raise store_runs.make_busy(start.thread_id) from error

    async def check_key(
        self,
        tenant_id: str,
        user_id: str,
        idempotency_key: str | None,
        request_hash: str | None,
        error: Exception,
    ) -> None:
        """Raise what the key means for a run that could not begin; return when it is a new one."""
        if idempotency_key is None:
            return
        async with self.transaction(tenant_id) as tx:
            found = await store_runs.load_run_by_key(tx, user_id, idempotency_key)
        if found is None:
            return
        if found[1] == request_hash:
            raise ConflictError(
                f"the run {found[0].run_id} was started with this key",
                hint="Join that run.",
                code="RUN_EXISTS",
            ) from error
        raise ConflictError(
            "the idempotency key was used for another request",
            hint="Use a new key for a new request.",
            code="IDEMPOTENCY_REUSED",
        ) from error

    async def close_abandoned_run(self, tenant_id: str, user_id: str, thread_id: str) -> str | None:
        """Close the thread's run when its owner is gone; returns its id, None when none is active.

        Raises: ConflictError THREAD_BUSY when the run is being worked on.
        """
        thread_id = parse_id(thread_id, "thread")
        async with self.transaction(tenant_id) as tx:
            return await store_runs.free_thread(tx, user_id, thread_id, close=True)

    async def record_step(
        self, run: Run, commit: StepCommit, tx: StepTransaction | None = None
    ) -> None:
        """All that a step writes, in one transaction; a cancellation waits until it is done.

        tx: the step's open transaction, which is committed, or rolled back on failure. Without
        one, a step that meets a restart of the database is written again a moment later.

        Raises: LeaseLost when another process owns the run now; then nothing was written.
        """
        await finish_despite_cancel(self._record_surely(run, commit, tx))

    async def _record_surely(
        self, run: Run, commit: StepCommit, tx: StepTransaction | None
    ) -> None:
        """A COMMIT that was cut off may have happened: look before anything is done again."""
        for attempt, pause_s in enumerate((*RECORD_PAUSES_S, None)):
            try:
                return await self._record_step(run, commit, tx)
            except (StoreError, asyncpg.UniqueViolationError) as error:
                is_lost = isinstance(error, LeaseLost)
                if pause_s is None or (is_lost and attempt == 0):
                    raise
                if not is_lost:
                    await asyncio.sleep(pause_s)
                if await self._has_step(run, commit.n):
                    return None
                if is_lost or tx is not None:
                    raise  # what the step's tools wrote is gone with its transaction
        return None

    async def _record_step(self, run: Run, commit: StepCommit, tx: StepTransaction | None) -> None:
        if tx is None:
            async with self.transaction(run.tenant_id) as own:
                await store_runs.record_step(own, run, commit)
            return
        try:
            await store_runs.record_step(tx, run, commit)
        except BaseException:
            await tx.rollback()
            raise
        await tx.commit()

    async def _has_step(self, run: Run, n: int) -> bool:
        """Whether it is stored; also not when the database cannot say."""
        sql = store_runs.SQL["has_step"]
        try:
            async with self.transaction(run.tenant_id) as tx:
                return await tx.fetchval(sql, run.tenant_id, run.run_id, n) is not None
        except StoreError:
            return False

    async def finish_run(
        self,
        run: Run,
        end: RunEnd,
        *,
        messages: Sequence[Message] = (),
        calls: Sequence[CallSettled] = (),
        tool_calls: Sequence[ToolCallRecord] = (),
        events: Sequence[Event] = (),
        notes: Sequence[str] = (),
        step: int | None = None,
    ) -> None:
        """End a run outside a step: error, cancel, limit. Open tool calls get a result that says
        so. A cancellation waits until it is done.

        Raises: LeaseLost when another process owns the run now; then nothing was written.
        """

        async def work() -> None:
            async with self.transaction(run.tenant_id) as tx:
                await store_runs.end_run(
                    tx,
                    run,
                    end,
                    messages=messages,
                    calls=calls,
                    tool_calls=tool_calls,
                    events=events,
                    notes=notes,
                    step=step,
                )

        await finish_despite_cancel(work())

    async def load_run(self, tenant_id: str, user_id: str | None, run_id: str) -> RunInfo:
        """user_id None: any user's of the tenant. Raises: NotFoundError."""
        async with self.transaction(tenant_id) as tx:
            return await store_runs.load_run(tx, user_id, run_id)

    async def load_run_by_key(
        self, tenant_id: str, user_id: str, idempotency_key: str
    ) -> RunInfo | None:
        """The user's run that the key started."""
        async with self.transaction(tenant_id) as tx:
            found = await store_runs.load_run_by_key(tx, user_id, idempotency_key)
        return None if found is None else found[0]

    async def list_runs(self, tenant_id: str, thread_id: str) -> list[RunInfo]:
        """The thread's runs, oldest first."""
        async with self.transaction(tenant_id) as tx:
            return await store_runs.list_runs(tx, thread_id)

    async def load_steps(self, tenant_id: str, run_id: str) -> list[StepInfo]:
        """The run's steps in order, each with the messages that it added."""
        async with self.transaction(tenant_id) as tx:
            return await store_runs.load_steps(tx, run_id)

    async def list_tool_calls(self, tenant_id: str, run_id: str) -> list[ToolCallRecord]:
        """The run's tool calls in the order in which they were asked for."""
        async with self.transaction(tenant_id) as tx:
            return await store_runs.list_tool_calls(tx, run_id)

    async def heartbeat(
        self, owner: str, run_ids: Sequence[str], lease_s: float
    ) -> dict[str, bool]:
        """Extend the leases of the runs that a process works on, of every tenant, in one statement.

        Returns: those that are still its own, each with whether its cancel was requested.
        """
        role = "plainloop_operator"
        async with self._pulse.transaction(OPERATOR_TENANT, role=role) as tx:
            found = await tx.fetch(store_runs.SQL["heartbeat"], owner, lease_s, run_ids)
        return {row["run_id"]: row["cancel_requested"] for row in found}

    # Events

    async def record_events(self, run: Run, events: Sequence[Event]) -> None:
        """Write events between two steps. They must not be part of a step's commit as well.

        Raises: LeaseLost when another process owns the run now.
        """
        async with self.transaction(run.tenant_id) as tx:
            if not await store_events.record_events(tx, run, events):
                raise store_runs.make_lease_lost(run.run_id)

    async def record_event_batches(
        self, batches: Sequence[tuple[Run, Sequence[Event]]]
    ) -> set[str]:
        """Write what the runs of a process emitted since the last flush, in one statement.

        Returns: the ids of the runs that are still its own; of the others nothing was written.
        """
        role = "plainloop_operator"
        async with self._pulse.transaction(OPERATOR_TENANT, role=role) as tx:
            return await store_events.record_event_batches(tx, batches)

    async def load_events(self, tenant_id: str, run_id: str, after: int = 0) -> list[Event]:
        """The stored events with a seq above `after`, in order."""
        async with self.transaction(tenant_id) as tx:
            return await store_events.load_events(tx, run_id, after)

    # The ledger

    async def save_prompt_text(self, tenant_id: str, kind: str, text: str) -> str:
        """The text's hash; stored on first sight, free for a minute afterwards.

        Not for ever: another process may have erased it with the last call that showed it.
        """
        digest = store_ledger.hash_prompt_text(text)
        stored_at = self._known_prompts.get((tenant_id, digest))
        if stored_at is None or time.monotonic() - stored_at > KNOWN_PROMPT_S:
            async with self.transaction(tenant_id) as tx:
                await store_ledger.save_prompt_text(tx, kind, text)
            if len(self._known_prompts) >= MAX_KNOWN_PROMPTS:
                self._known_prompts.clear()
            self._known_prompts[tenant_id, digest] = time.monotonic()
        return digest

    def forget_prompts(self) -> None:
        """Some were erased: which ones are stored is not known any more."""
        self._known_prompts.clear()

    async def load_prompt_text(self, tenant_id: str, digest: str) -> str | None:
        """The text of this name; None when it was never kept, or erased."""
        async with self.transaction(tenant_id) as tx:
            return await store_ledger.load_prompt_text(tx, digest)

    async def record_call_start(self, start: CallStart) -> tuple[Notice, ...] | None:
        """The ledger row of an attempt, before it is made; what it may take is reserved with it.

        Returns: what is to be told of the budgets; None when none applies.
        Raises: LeaseLost when another process owns the run now, BudgetExceeded; then it must not
        be made.
        """
        async with self.transaction(start.tenant_id) as tx:
            if not await store_ledger.record_call_start(tx, start):
                raise store_runs.make_lease_lost(start.run_id or "")
            return None if start.reserved is None else await self.budgets.reserve(tx, start)

    async def settle_calls(self, tenant_id: str, calls: Sequence[CallSettled]) -> None:
        """Close ledger rows outside a step: failed attempts."""
        async with self.transaction(tenant_id) as tx:
            await store_ledger.settle_calls(tx, calls, None)

    async def list_calls(self, tenant_id: str, run_id: str) -> list[CallInfo]:
        """The run's attempts in the order of their start."""
        async with self.transaction(tenant_id) as tx:
            return await store_ledger.list_calls(tx, run_id)


async def connect_store(
    settings: Settings, *, migrate: bool = True, migration_folders: Sequence[Path] = ()
) -> Store:
    """The store of `settings`: DATABASE_URL's, else an embedded Postgres in the data directory.

    migration_folders: the packs', after the core's.

    Raises: StoreError with a hint when there is no database to work with.
    """
    url = settings.database.url
    if url is None:
        address = await asyncio.to_thread(start_embedded, settings.data_dir)
    else:
        address = url.reveal()
    cache = 0 if settings.database.transaction_pooler else STATEMENT_CACHE
    database = await open_database(address, statement_cache=cache)
    try:
        if migrate:
            for name in await apply_migrations(database, migration_folders):
                logger.info("migration_applied", extra={"migration": name})
        # Before the migrations there are no roles yet, and that says nothing.
        if not await database.detect_roles() and migrate:
            logger.warning("row_level_security_off: the role of DATABASE_URL may not create roles")
        pulse = await open_database(
            address, statement_cache=cache, max_connections=PULSE_CONNECTIONS, is_lazy=True
        )
        pulse.adopt_roles(database)
    except BaseException:
        await database.close()
        raise
    return Store(database, pulse)
