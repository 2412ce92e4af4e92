"""Runs that change hands: queued, claimed, waiting for people, handed back, stopped.

Part of the store. How they change hands: `leases`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Literal, get_args

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from ..dataclasses import dataclass, replace
from ..types import FunctionCall, Message
from . import approvals as store_approvals
from . import events as store_events
from . import leases, rows
from . import ledger as store_ledger
from . import runs as store_runs
from . import threads as store_threads
from .budgets import settle_lost_reservations
from .connecting.open_transaction import Transaction
from .database import Database, Row
from .helper_runs import SQL as HELPERS
from .leases import require_held
from .outcomes import ending
from .records import Approval, Run, RunEnd, RunStart, ToolCallRecord, ToolCallStatus, WaitStart
from .sql_blocks import CORE_SQL, load_sql
from .transactions import Autocommit, in_transaction, operate_alone

SQL: Final = load_sql(CORE_SQL / "queue.sql")
WorkKind = Literal["runs", "replays", "rollouts", "webhooks", "schedules"]
CLAIMED_AT_ONCE: Final = 20
CANCELLED: Final = RunEnd("cancelled", "CANCELLED", "the run was cancelled")


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that this process has just claimed, with the state in which the run was found."""

    run: Run
    is_cancelled: bool  # somebody asked to stop it meanwhile
    is_queued: bool  # its message is not in the thread yet
    was_waiting: bool  # for a person: all that it had told was stored by then
    is_paused: bool = False  # it may have taken its owner down: nobody's, until its pause is over


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """A claimed run with its next step and event number, and the message that it answers."""

    run: Run
    kind: str  # the thread's: chat | onboarding
    message: Message  # what the user asked


class RunQueue:
    """Claims, leases, suspends and cancels runs in the database: `store.queue`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Transaction]:
        """Open a tenant's transaction, as `Store.transaction` does."""
        return self._database.transaction(tenant_id)

    async def poll_all(
        self, owner: str, every_s: float, longest_s: float
    ) -> tuple[float, set[WorkKind]]:
        """Find claimable work; return the seconds until the next poll, and the kinds of work found.
        Polls are spread over all processes.
        """
        pauses = {"every_s": every_s, "longest_s": longest_s}
        [row] = await operate_alone(self._database).call(
            "plainloop_find_work", owner=owner, kinds=get_args(WorkKind), **pauses
        )
        kinds: set[WorkKind] = {*(row["kinds"] or ())}
        # No statement can check whether a process of this machine is alive, so the row lists the
        # owners.
        if any(leases.is_owner_dead(other) for other in row["owners"]):
            kinds.add("runs")
        return row["pause_s"], kinds

    async def claim_lost_runs(
        self,
        owner: str,
        lease_s: float,
        *,
        dropped: Sequence[str] = (),
        held: Sequence[str] = (),
        run_id: str | None = None,
        pause_s: float = 0.0,
        attempts: int = 0,
        left_s: float = 0.0,
    ) -> list[Claim]:
        """Claim runs whose process is gone, so that this process continues them.
        Runs that may have crashed their owner get a pause first (0: none), unless all attempts are
        used.

        dropped: runs that this process itself gave up when the database was away. held: runs that
        it works on. run_id: only this one. left_s: seconds during which runs begun by other code
        are left to replicas with that code.
        """
        async with self._database.operate() as tx:
            records = await tx.call(
                "plainloop_claim_runs",
                owner=owner,
                lease_s=lease_s,
                dead=await leases.list_dead(tx),
                most=CLAIMED_AT_ONCE,
                dropped=list(dropped),
                held=list(held),
                run_id=run_id,
                pause_s=pause_s,
                attempts=attempts,
                left_s=left_s,
            )
        return [_to_claim(row) for row in records]

    async def claim_suspect(self, owner: str, lease_s: float) -> Claim | None:
        """Claim a run that has lost two processes, after a pause and only one at a time.
        None while another such run is executed anywhere.
        """
        async with self._database.operate() as tx:
            # Two statements: the second takes a snapshot of its own (READ COMMITTED) and sees what
            # another process has claimed while this one waited for the lock
            # (test_runs_that_crashed_twice_are_retried_one_at_a_time_everywhere).
            if await tx.fetchrow(leases.SQL["lock_suspects"]) is None:
                return None
            row = await tx.fetchrow(leases.SQL["claim_suspect"], owner, lease_s)
        return None if row is None else _to_claim(row)

    async def claim_queued_run(self, owner: str, lease_s: float) -> Claim | None:
        """Claim the next queued run, in turn between tenants. Its thread may have no active run."""
        try:
            alone = operate_alone(self._database)
            records = await alone.call("plainloop_claim_queued_run", owner=owner, lease_s=lease_s)
        except asyncpg.UniqueViolationError:
            # `runs_active` lets one run of a thread be running or waiting.
            return None  # another run of the thread began in the same moment
        return _to_claim(records[0]) if records else None

    async def heartbeat(
        self, owner: str, run_ids: Sequence[str], lease_s: float
    ) -> dict[str, bool]:
        """Extend the leases of a process's runs; return which runs it still owns.

        Returns: those that are still its own, each with whether its cancel was requested.
        """
        asked = {"owner": owner, "lease_s": lease_s, "run_ids": [*run_ids]}
        records = await operate_alone(self._database).call("plainloop_extend_runs", **asked)
        return {row["run_id"]: row["cancel_requested"] for row in records}

    async def hand_back(self, run: Run, pause_s: float = 0.0) -> None:
        """Release a run's lease, so that another process claims it at once or after a pause."""
        async with self.transaction(run.tenant_id) as tx:
            await tx.execute(leases.SQL["release_runs"], run.owner, run.run_id, run.fence, pause_s)

    async def is_held_up(self, tenant_id: str, thread_id: str, dropped: Collection[str]) -> bool:
        """Whether a run that no process owns blocks the thread.
        dropped: runs that this process has given up.
        """
        db = Autocommit(self._database, tenant_id)
        return await db.fetchval(SQL["is_held_up"], tenant_id, thread_id, [*dropped])

    async def hand_back_all(self, owner: str) -> None:
        """Hand back all runs of a process that shuts down, and remove it as a replica."""
        async with self._database.operate() as tx:
            await tx.execute(leases.SQL["release_runs"], owner, None, None, 0.0)
            await tx.execute(SQL["forget_replica"], owner)

    async def enqueue_run(self, tenant_id: str, start: RunStart) -> str:
        """Queue a run after the thread's earlier runs; return its id.

        Raises: NotFoundError; ConflictError RUN_EXISTS, IDEMPOTENCY_REUSED as `begin_run`;
        TooManyRequests when the user has `start.max_open_runs`.
        """
        try:
            async with self.transaction(tenant_id) as tx:
                if start.max_open_runs is not None:
                    await store_runs.take_run_slot(tx, start.user_id, start.max_open_runs)
                return await insert_queued_run(tx, start)
        except asyncpg.UniqueViolationError as error:
            async with self.transaction(tenant_id) as tx:
                # In a new transaction: after an error Postgres refuses every statement until the
                # rollback.
                await store_runs.check_key(tx, start, error)
            raise

    async def load_resume_point(self, claim: Claim) -> ResumePoint:
        """Load the state from which a claimed run continues, and close what was left open.

        What an earlier owner had under way is closed: its model calls are settled as cut, its open
        transactions are ended, so that they hold no lock.

        Raises: LeaseLost when it was claimed by somebody else meanwhile.
        """
        run = claim.run
        async with self.transaction(run.tenant_id) as tx:
            if claim.is_queued:
                run = await _start_queued(tx, run)
            # Held from here on: an owner that stood still since its claim would number its events
            # after those of the next owner, whose end its viewers would then never see
            # (test_an_owner_that_lost_its_claim_closes_and_loads_nothing).
            held = (run.tenant_id, run.run_id, run.fence)
            row: Any = await tx.fetchrow(SQL["load_resume_point"], *held)
            row = require_held(row, f"the run {run.run_id}")
            if not claim.is_queued:
                # What a paused owner's step holds open: its locks would block the next owner.
                async with self._database.connection("pulse") as connection:
                    label = store_runs.make_step_label(run)
                    await connection.execute(SQL["end_transactions"], label)
                ended = store_ledger.SQL["close_calls"]
                await tx.execute(ended, run.tenant_id, run.run_id, "INTERRUPTED")
                await settle_lost_reservations(tx, run.run_id)
            place = (run.tenant_id, run.run_id, run.input_position, run.input_position)
            records = await tx.fetchrow(store_threads.SQL["load_run_messages"], *place)
        records = require_held(records, f"the run {run.run_id}")
        is_told = claim.is_queued or claim.was_waiting
        resumed = replace(
            run,
            next_step=row["next_step"],
            used_s=row["used_ms"] / 1000,
            # The lost owner may have shown some that were not stored.
            next_seq=row["last_seq"] + 1 if is_told else store_events.leave_room(row["last_seq"]),
            is_resumed=not claim.is_queued,
            options=rows.from_begun_row(row["begun"]),
            canary_id=row["canary_id"],
        )
        return ResumePoint(resumed, row["kind"], rows.from_message_row(records))

    async def list_cancel_requests(self, owner: str) -> list[str]:
        """List this process's runs that users have cancelled, of all tenants."""
        records = await operate_alone(self._database).fetch(SQL["list_cancel_requests"], owner)
        return [row["run_id"] for row in records]

    async def find_active(self, tenant_id: str, user_id: str, thread_id: str) -> str | None:
        """Return the id of the thread's active run, or else of its next queued run.

        Raises: NotFoundError.
        """
        async with self.transaction(tenant_id) as tx:
            thread = await store_threads.load_thread(tx, user_id, thread_id)
            sql = store_runs.SQL["load_unfinished_runs"]
            records = await tx.fetch(sql, tenant_id, thread.thread_id, True)
        return records[0]["run_id"] if records else None

    async def cancel(
        self, tenant_id: str, user_id: str, thread_id: str, *, with_queue: bool = False
    ) -> str | None:
        """Cancel the thread's active run, by its owner or here if it has none; return its id.

        with_queue: the queued ones end too. Returns: the active (else the next queued) run's id.

        Raises: NotFoundError.
        """
        async with self.transaction(tenant_id) as tx:
            thread = await store_threads.load_thread(tx, user_id, thread_id)
            # The thread's row before any of its runs' rows, here and everywhere: a run that begins
            # meanwhile holds the first and waits for the second.
            await tx.fetchrow(
                store_threads.SQL["lock_thread"], tenant_id, user_id, thread.thread_id
            )
            sql = store_runs.SQL["load_unfinished_runs"]
            records = await tx.fetch(sql, tenant_id, thread.thread_id, True)
            for n, row in enumerate(records):
                if n == 0 or with_queue:
                    await cancel_below(tx, row["run_id"])
                    await _cancel(tx, row)
        return records[0]["run_id"] if records else None

    # Tool calls with an effect outside, and what people must approve

    async def record_tool_start(
        self, run: Run, step: int, call: ToolCallRecord, approved: FunctionCall | None = None
    ) -> bool:
        """Record that an external tool call begins, before it is made; return whether it may be.
        approved: the call, if it needs an approval, which is used up in the same commit. False:
        there is none to use.

        Raises: LeaseLost; then it must not be made.
        """
        async with self.transaction(run.tenant_id) as tx:
            # In one commit with the start: in two, a crash in between would lose the approval
            # without a call, or leave it to a second call.
            if approved and not await store_approvals.consume_approval(tx, run.run_id, approved):
                return False
            place = (run.tenant_id, run.run_id, run.fence, step, call.tool_call_id, call.index)
            what = (call.name, call.effect, call.arguments, call.idempotency_key)
            written = await tx.execute(SQL["record_tool_start"], *place, *what)
            require_held(written or None, f"the run {run.run_id}")
        return True

    async def record_tool_end(
        self, run: Run, tool_call_id: str, status: ToolCallStatus, result: dict[str, Any]
    ) -> None:
        """Store the result of an external tool call at once, not with its step."""
        db = Autocommit(self._database, run.tenant_id)
        # Not with the step: after a crash, the next owner would not know whether the call was made
        # (test_an_external_call_is_recorded_once_with_its_result).
        ended = (run.tenant_id, run.run_id, tool_call_id, status, result)
        await db.execute(SQL["record_tool_end"], *ended)

    async def load_begun_calls(self, run: Run, step: int) -> dict[str, dict[str, Any] | None]:
        """Map external tool calls that an earlier owner of the run began to their results.
        None: the call was made, and its result is unknown.
        """
        db = Autocommit(self._database, run.tenant_id)
        records = await db.fetch(SQL["load_begun_calls"], run.tenant_id, run.run_id, step)
        return {row["tool_call_id"]: row["result"] for row in records}

    async def load_approvals(self, run: Run) -> dict[str, Approval]:
        """Load the run's approvals by tool call id, after marking late ones as expired."""
        async with self.transaction(run.tenant_id) as tx:
            expire = store_approvals.SQL["expire_approvals"]
            await tx.execute(expire, run.tenant_id, run.run_id, False)
            records = await store_approvals.list_approvals(tx, run.run_id)
        return {approval.tool_call_id: approval for approval in records}

    async def park(self, run: Run, start: WaitStart) -> None:
        """Suspend the run until its approval requests are decided or expire.

        Raises: LeaseLost when another process owns the run now; then nothing was written.
        """
        async with self.transaction(run.tenant_id) as tx:
            asked, expire_s = start.asked, start.expire_s
            # First: `park_run` makes the lease end when the first of them expires
            # (test_an_undecided_approval_expires_and_the_call_is_not_made).
            await store_approvals.insert_approvals(tx, run, asked, expire_s)
            sql = store_approvals.SQL["park_run"]
            parked = await tx.fetchrow(sql, run.tenant_id, run.run_id, run.fence)
            require_held(parked, f"the run {run.run_id}")
            await store_runs.record_tool_calls(tx, run, start.step, start.tool_calls)
            await store_events.insert_events(tx, run.run_id, start.events)

    list_approvals = in_transaction(store_runs.list_run_approvals)
    decide_approval = in_transaction(store_approvals.decide_approval)
    decide_approvals = in_transaction(store_approvals.decide_approvals)
    answer_client_call = in_transaction(store_approvals.answer_client_call)


async def insert_queued_run(tx: Transaction, start: RunStart) -> str:
    """Insert a queued run, which begins after the thread's earlier runs; return its id.
    Raises: NotFoundError; UniqueViolationError of `runs_idempotency`.
    """
    row = rows.to_run_row(start, status="queued", pending_input=start.message)
    whose = (tx.tenant_id, start.user_id, start.thread_id)
    run_id: str | None = await tx.fetchval(SQL["enqueue_run"], *whose, row)
    if run_id is None:
        raise store_threads.make_missing_thread(start.thread_id)
    return run_id


async def _start_queued(tx: Any, run: Run) -> Run:
    """Append a claimed queued run's message to its thread; return the run with its position."""
    lock = store_threads.SQL["lock_thread"]
    # The thread before its run, as in `cancel`.
    await tx.fetchrow(lock, run.tenant_id, run.user_id, run.thread_id)
    records = await tx.fetchrow(SQL["load_pending_input"], run.tenant_id, run.run_id, run.fence)
    row = require_held(records, f"the run {run.run_id}")
    messages = [row["pending_input"]]
    position = await store_threads.insert_messages(tx, run.thread_id, run.run_id, messages)
    await tx.execute(SQL["take_pending_input"], run.tenant_id, run.run_id, run.fence, position)
    return replace(run, input_position=position)


async def cancel_below(tx: Any, run_id: str) -> None:
    """Cancel all helpers' runs below a run, at any depth."""
    for helper in await tx.fetch(HELPERS["list_below"], tx.tenant_id, run_id):
        place = (tx.tenant_id, helper["user_id"], helper["thread_id"])
        await tx.fetchrow(store_threads.SQL["lock_thread"], *place)
        sql = store_runs.SQL["load_unfinished_runs"]
        for row in await tx.fetch(sql, tx.tenant_id, helper["thread_id"], True):
            await _cancel(tx, row)


async def _cancel(tx: Any, row: Row) -> None:
    """Cancel an unfinished run (row): end it if queued or without an owner, else request it."""
    if row["status"] == "queued":
        end = replace(CANCELLED, error_message="it was cancelled before it began")
        told = (end.error_code, end.error_message)
        await tx.execute(SQL["end_queued_run"], tx.tenant_id, row["run_id"], *told)
        await store_events.insert_events(tx, row["run_id"], [end.to_stored_event(1)])
        return
    await tx.execute(store_runs.SQL["request_cancel"], tx.tenant_id, row["run_id"])
    # Without a position, it was handed back before its message was in the thread: nothing is open,
    # and the process that claims it ends it.
    if row["owner"] is None and row["input_position"] is not None:
        await ending.end_abandoned_run(tx, row, CANCELLED)


def _to_claim(row: Row) -> Claim:
    """Convert a row of the claiming statements to a Claim."""
    return Claim(
        rows.from_held_row(row),
        row["cancel_requested"],
        is_queued=row["input_position"] is None,
        was_waiting=row["was_waiting"],
        is_paused=row["owner"] is None,
    )
