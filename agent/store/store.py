"""The store: all that is kept, in one Postgres. Every method names the tenant.

The functions of the nouns (`threads`, `runs`, `events`, `ledger`) work in an open transaction; here
they are methods. A method is one transaction. What must commit together shares one: `record_steps`
takes the transaction in which a step's tools wrote.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from types import CoroutineType
from typing import Any, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..base.caching.bounded import clear_caches
from ..base.copies import replace
from ..base.finishing import finish_despite_cancel
from ..config.rates import ProviderRate
from ..errors import ConflictError, LeaseLost, StoreError
from ..events import Event
from . import events as store_events
from . import ledger as store_ledger
from . import runs as store_runs
from . import threads as store_threads
from .budgets import BudgetGate
from .connecting.open_transaction import Transaction
from .connecting.queryable import StepTransaction
from .database import IDLE_MS, LOCK_TIMEOUT_MS, Database, Queryable, Role, parse_id
from .leases import require_held
from .outages import PAUSES_S, keep_trying
from .outcomes import ending
from .queue import RunQueue
from .rates.provider_rates import make_rates
from .records import (
    NOTHING,
    CallSettled,
    CallStart,
    Granted,
    LastWords,
    Run,
    RunEnd,
    RunStart,
    StepCommit,
    ThreadInfo,
)
from .transactions import (
    SQL,
    Autocommit,
    Lag,
    ReplicaReader,
    alone,
    in_transaction,
    measure_lag,
    operate_alone,
)

READ_LAG_S: Final = 60.0
MAX_KNOWN_PROMPTS: Final = 10_000
KNOWN_PROMPT_S: Final = 60.0


class Store:
    """All access to the database, each method for one tenant. Made by `connect_store`."""

    def __init__(
        self,
        database: Database,
        replica: Database | None = None,
        rates: Mapping[str, ProviderRate] | None = None,
        read_lag_s: float = READ_LAG_S,
    ) -> None:
        self.database = database
        self._replica = replica  # to read from; None: there is none
        self._lag = Lag(read_lag_s)
        self.budgets = BudgetGate()
        self.queue = RunQueue(database)
        self.rates = make_rates(operate_alone(database), rates or {})
        self._known_prompts: dict[tuple[str, str], float] = {}  # when they were stored

    async def close(self) -> None:
        """Close all database connections; calls that wait for a provider's rate stay waiting."""
        self.rates.close()
        await self.database.close()
        if self._replica is not None:
            await self._replica.close()

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Transaction]:
        """Open a tenant's transaction, which rolls back if the block raises."""
        return self.database.transaction(tenant_id)

    def read(self, tenant_id: str) -> Queryable:
        """Return a tenant's database for single statements that need no common transaction."""
        return Autocommit(self.database, tenant_id)

    def read_late(self, tenant_id: str, role: Role = "plainloop_app") -> Queryable:
        """Return a tenant's database for reads that may be late, on the replica if possible."""
        own = Autocommit(self.database, tenant_id, role)
        if self._replica is None:
            return own
        return ReplicaReader(Autocommit(self._replica, tenant_id, role), own, self._lag)

    async def read_settled(self, tenant_id: str) -> Queryable:
        """Return a tenant's read replica if it is up to date, else the main database."""
        late = self.read_late(tenant_id)
        if isinstance(late, ReplicaReader) and not await late.has_everything():
            return self.read(tenant_id)
        return late

    async def read_position(self) -> str:
        """Return how far the database has been written, as a position for `has_reached`."""
        return await operate_alone(self.database).fetchval(SQL["read_position"])

    async def has_reached(self, position: str) -> bool:
        """Whether this read replica contains all that was written up to a position."""
        return await operate_alone(self.database).fetchval(SQL["has_reached"], position)

    async def measure_lag(self) -> float | None:
        """Return how many seconds the read replica may be late; None if unknown or without one.
        Raises: StoreError when the replica is away.
        """
        if self._replica is None:
            return None
        return await measure_lag(operate_alone(self._replica), operate_alone(self.database))

    async def open_step_transaction(
        self, run: Run, commits: Sequence[StepCommit] = ()
    ) -> Transaction:
        """Open the transaction in which a step's tools write. It locks no rows of the run.
        commits: steps to store before it; in the same round trip, unless it would have to wait for
        a connection.
        Raises: LeaseLost when another process owns the run now.
        """
        if commits and self.database.can_open_step:
            self.rates.settle([call for commit in commits for call in commit.calls])
            try:
                return await self._open_step(run, store_runs.build_steps(run, commits))
            except asyncpg.NoDataFoundError:
                require_held(None, f"the run {run.run_id}")
            except (StoreError, asyncpg.PostgresError):  # it may have been stored
                await keep_trying(partial(self._record_again, run, commits, None))
        elif commits:
            await self.record_steps(run, commits)
        return await self._open_step(run)

    async def _open_step(self, run: Run, before: Sequence[Any] | None = None) -> Transaction:
        """Begin a step's transaction if the run's fence holds. before: steps to store first."""
        step = {
            "run_id": run.run_id,
            "fence": run.fence,
            "label": store_runs.make_step_label(run),
            "lock_ms": str(LOCK_TIMEOUT_MS),
            "idle_ms": str(IDLE_MS["step"]),
        }
        tx = await self.database.begin(run.tenant_id, step=step, before=before)
        if not tx.has_passed:
            await tx.rollback()
            require_held(None, f"the run {run.run_id}")
        # Not where the call may wait for its provider's rate: its tools have locked what others
        # need. And beside it there must be a connection left.
        tx.may_wait = self.database.has_spare and not self.rates.are_set
        return tx

    # Each takes the tenant, then what the function takes after its transaction.

    load_thread = alone(store_threads.load_thread)
    list_threads = alone(store_threads.list_threads)
    rename_thread = alone(store_threads.rename_thread)
    choose_model = alone(store_threads.choose_model)
    load_messages = alone(store_threads.load_messages)
    save_message = in_transaction(store_threads.save_message)
    load_run = alone(store_runs.load_run)
    load_run_by_key = alone(store_runs.load_run_by_key)
    list_runs = alone(store_runs.list_runs)
    close_abandoned_run = in_transaction(ending.close_abandoned_run)
    load_steps = alone(store_runs.load_steps)
    list_tool_calls = alone(store_runs.list_tool_calls)
    load_events = alone(store_events.load_events)
    record_request_id = alone(store_ledger.record_request_id)
    load_head = alone(store_ledger.load_head)
    list_calls = alone(store_ledger.list_calls)

    async def create_thread(
        self, tenant_id: str, user_id: str, *, thread_id: str | None = None, **fields: str
    ) -> ThreadInfo:
        """Create a thread. fields: `title`, `pack`, `kind`.
        Raises: ConflictError THREAD_EXISTS when the id is taken.
        """
        # Sent once: a repeated insert would conflict with its own row.
        once = Autocommit(self.database, tenant_id, is_repeatable=False)
        try:
            return await store_threads.create_thread(once, user_id, thread_id=thread_id, **fields)
        except StoreError:
            if thread_id is not None:  # it may have been made
                raise
        async with self.transaction(tenant_id) as tx:
            return await store_threads.create_thread(tx, user_id, **fields)

    async def begin_run(
        self,
        tenant_id: str,
        start: RunStart,
        owner: str,
        lease_s: float,
        *,
        close_abandoned: bool = True,
    ) -> Run:
        """Store the user's message and start its run, in one transaction; return the run.

        close_abandoned: a run that a dead process left behind in the thread is closed first; where
        somebody will go on with it, it keeps the thread busy instead.
        Raises: NotFoundError for a thread that is not the user's; ConflictError THREAD_BUSY;
        ConflictError RUN_EXISTS (same key, same request: join that run) or IDEMPOTENCY_REUSED.
        """
        start = replace(start, thread_id=parse_id(start.thread_id, "thread"))
        once = Autocommit(self.database, tenant_id, is_repeatable=False)
        try:
            # One round trip where nothing is in the way; only else a transaction that looks at what
            # is (test_of_many_simultaneous_messages_one_starts_a_run).
            return await store_runs.insert_run(once, start, owner, lease_s)
        except StoreError:
            if run := await store_runs.load_begun(self.read(tenant_id), start, owner):
                return run  # it was done, and the answer lost
        except (asyncpg.UniqueViolationError, ConflictError) as error:
            await store_runs.check_key(self.read(tenant_id), start, error)
            if isinstance(error, ConflictError):
                raise
        try:
            async with self.transaction(tenant_id) as tx:
                await ending.free_thread(tx, start.user_id, start.thread_id, close=close_abandoned)
                return await store_runs.insert_run(tx, start, owner, lease_s)
        except StoreError:
            if run := await store_runs.load_begun(self.read(tenant_id), start, owner):
                return run  # it is refused only where nothing was stored
            raise
        except (asyncpg.UniqueViolationError, ConflictError) as error:
            # The first one's statement may have been at work still when we looked for its run
            # (test_a_run_whose_begin_timed_out_is_found_and_not_repeated).
            if run := await store_runs.load_begun(self.read(tenant_id), start, owner):
                return run
            await store_runs.check_key(self.read(tenant_id), start, error)
            if isinstance(error, ConflictError):
                raise
            raise store_runs.make_busy(start.thread_id) from error

    async def record_steps(
        self,
        run: Run,
        commits: Sequence[StepCommit],
        tx: StepTransaction | None = None,
        call: CallStart | None = None,
    ) -> None:
        """Store finished steps with everything that they wrote, in one transaction.
        To be run by `finish_despite_cancel`.

        tx: the step's open transaction, which is committed, or rolled back on failure. Without
        one, a step that meets a restart of the database is written again a moment later. call: the
        attempt that follows, as `record_call_start` writes it where no budget holds.
        Raises: LeaseLost when another process owns the run now; then nothing was written.
        """
        self.rates.settle([settled for commit in commits for settled in commit.calls])
        try:
            return await self._record(run, commits, tx, call)
        except LeaseLost:
            raise
        except (StoreError, asyncpg.UniqueViolationError):
            # A COMMIT that was cut off may have happened: a step is looked for before anything is
            # done again (tests/runs/test_database_restarts.py).
            await asyncio.sleep(PAUSES_S[0])
            if tx is not None:
                if await keep_trying(partial(self._has_step, run, commits[-1].n)):
                    return None
                raise  # what the step's tools wrote is gone with its transaction
        return await keep_trying(partial(self._record_again, run, commits, call))

    async def finish_run(self, run: Run, end: RunEnd, last: LastWords = NOTHING) -> None:
        """End a run outside a step, on an error, a cancellation or a limit.
        Open tool calls get a result that says so. A cancellation waits until it is done.
        Raises: LeaseLost when another process owns the run now; then nothing was written.
        """
        self.rates.settle(last.calls)

        async def work() -> None:
            async with self.transaction(run.tenant_id) as tx:
                await ending.end_run(tx, run, end, last)

        await finish_despite_cancel(work())

    async def record_event_batches(
        self, batches: Sequence[tuple[Run, Sequence[Event]]]
    ) -> set[str]:
        """Store new events of runs of any tenant, as `events.record_event_batches` does."""
        return await store_events.record_event_batches(operate_alone(self.database), batches)

    async def list_grown_runs(
        self, known: Mapping[tuple[str, str], tuple[int, str]]
    ) -> list[tuple[str, str]]:
        """List the runs of all tenants that have new events, as `events.list_grown_runs` does."""
        return await store_events.list_grown_runs(operate_alone(self.database), known)

    async def save_prompt_text(self, tenant_id: str, kind: str, text: str) -> str:
        """Store a prompt or tool set if it is new; return its hash.
        Repeats within a minute cause no statement; later, another process may have erased it.
        """
        digest = store_ledger.hash_prompt_text(text)
        stored_at = self._known_prompts.get((tenant_id, digest))
        if stored_at is None or time.monotonic() - stored_at > KNOWN_PROMPT_S:
            await store_ledger.save_prompt_text(self.read(tenant_id), kind, text)
            # Cleared when full, not sorted by age: each entry in use costs one statement then.
            if len(self._known_prompts) >= MAX_KNOWN_PROMPTS:
                self._known_prompts.clear()
            self._known_prompts[tenant_id, digest] = time.monotonic()
        return digest

    def forget_prompts(self) -> None:
        """Forget all cached texts and which prompts are stored, because some were erased."""
        self._known_prompts.clear()
        clear_caches()

    def is_free(self, start: CallStart) -> bool:
        """Whether no budget applies to the model call."""
        return start.reserved is None or not self.budgets.may_apply(start.tenant_id)

    # Not async: that would be a frame more on every stack (tests/machine/test_frames.py).
    def record_call_start(self, start: CallStart) -> CoroutineType[Any, Any, Granted | None]:
        """Record a beginning model call and reserve its cost; return the reservation.

        Returns: what its budgets hold for it, which may be less; None when none applies.
        Raises: LeaseLost when another process owns the run now, BudgetExceeded; then it must not be
        made.
        """
        if self.is_free(start):
            return store_ledger.record_call_start(self.read(start.tenant_id), start)
        return self._record_and_reserve(start)

    async def _record_and_reserve(self, start: CallStart) -> Granted | None:
        async with self.transaction(start.tenant_id) as tx:
            await store_ledger.record_call_start(tx, start)
            granted = await self.budgets.reserve(tx, start)
            if granted is not None and granted.reserved != start.reserved:
                await store_ledger.lower_maximum(tx, start, granted.reserved)
            return granted

    async def settle_calls(self, tenant_id: str, calls: Sequence[CallSettled]) -> None:
        """Write the outcome and cost of ended calls into ledger and budgets."""
        self.rates.settle(calls)
        return await store_ledger.settle_calls(self.read(tenant_id), calls)

    async def _record(
        self,
        run: Run,
        commits: Sequence[StepCommit],
        tx: StepTransaction | None,
        call: CallStart | None,
    ) -> None:
        """Write steps once, by one call."""
        steps = store_runs.build_steps(run, commits, call)
        try:
            if tx is not None:
                return await tx.call_last("plainloop_record_steps", *steps)
            once = Autocommit(self.database, run.tenant_id, is_repeatable=False)
            await once.call("plainloop_record_steps", *steps)
        except asyncpg.NoDataFoundError:
            require_held(None, f"the run {run.run_id}")

    async def _record_again(
        self, run: Run, commits: Sequence[StepCommit], call: CallStart | None
    ) -> None:
        """Write steps unless a COMMIT that seemed lost has stored them."""
        try:
            if not await self._has_step(run, commits[-1].n):
                await self._record(run, commits, None, call)
        except (LeaseLost, asyncpg.UniqueViolationError):
            # The first COMMIT was still on its way when it was looked for.
            if not await self._has_step(run, commits[-1].n):
                raise

    async def _has_step(self, run: Run, n: int) -> bool:
        sql = store_runs.SQL["has_step"]
        ids = (run.tenant_id, run.run_id)
        return await self.read(run.tenant_id).fetchval(sql, *ids, n, run.fence) is not None
