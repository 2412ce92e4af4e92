"""Runs that belong to the service, not to a connection: submit, watch, cancel, decide.

One `RunHost` per process. It executes the runs it owns and serves viewers of any run, whoever
executes it. How a run moves from status to status is drawn in `docs/runs.md`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

from ..base.finishing import finish_despite_cancel
from ..base.sharing.fair_queue import act_for
from ..base.sharing.loop_shares import LoopShares
from ..core.journal import RunHandedOver
from ..dataclasses import dataclass, replace
from ..errors import (
    AgentError,
    ConflictError,
    LeaseLost,
    ServiceUnavailable,
    StoreError,
    TooManyRequests,
)
from ..events import WAITING, Event
from ..store.api import record_replica
from ..store.connecting.pool import pool_lane
from ..store.connecting.settings import DeploySettings
from ..store.outages import try_once
from ..store.queue import Claim, RunQueue
from ..store.records import Approval, Run, RunStart, ThreadInfo
from ..types import RunRequest, WhenBusy
from .changes import Change, Changes
from .event_log import EventLog, ViewerDropped
from .recovery import Recovery
from .run_quota import RunQuota, RunSlot
from .service import Service
from .settings import RunLimits
from .taking import Work
from .turns import Turn

__all__ = ["RunHost", "RunTicket", "ViewerDropped"]

logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

FULL_S: Final = 5.0  # until who found the line full may try again
# Runs whose begin got no answer and that are looked for at once; more wait until a lease is over.
MAX_UNSURE: Final = 1000
LAST_GRACE_S: Final = 10.0  # for what a cancelled step still has to write down


@dataclass(frozen=True, slots=True)
class RunTicket:
    """The ids of the run that `submit` began or joined."""

    run_id: str
    thread_id: str
    is_new: bool  # False: the idempotency key had started this run before
    unused: tuple[str, ...] = ()  # preferences of this request that no model is told of


def _then_look(
    work: Callable[Concatenate[RunQueue, P], Awaitable[T]],
) -> Callable[Concatenate[RunHost, P], Awaitable[T]]:
    """Make a RunHost method of a RunQueue method that also polls for runs to continue."""

    @wraps(work)
    async def method(host: RunHost, *args: P.args, **kwargs: P.kwargs) -> T:
        done = await work(host.queue, *args, **kwargs)
        host.look()
        return done

    return method


class RunHost:
    """Executes this process's runs and streams events of any run to viewers.
    `start` before use, `drain` before the service is closed.
    """

    def __init__(self, service: Service) -> None:
        limits, store = service.settings.get_table(RunLimits), service.store
        # What all runs of this process share. Of the service itself only functions are called.
        self._live, self._turns, self._watcher = service.live, service.turns, service.watcher
        self._service = service
        self._store, self.queue = store, store.queue
        self._limits = limits
        self._log = EventLog(store, self._live, self._watcher, limits.viewer_poll_ms)
        self._quota = RunQuota(limits)
        count_room = self._quota.count_claimable
        deploy = service.settings.get_table(DeploySettings)
        left_s = 0.0 if deploy.judge == "off" else deploy.left_s
        take = self._take
        self._recovery = Recovery(store, self._live, limits, take, count_room, left_s)
        self._changes = Changes(store, self._watcher)
        self.is_held = False  # no run is taken: it is not known yet whether it should be
        self.on_answer: Callable[[Run], object] = lambda run: (
            None
        )  # after one whose message made its title
        self.is_leaving = False  # it drains, or will at once: whoever asks shall go elsewhere
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop_shares = LoopShares()
        self._queued: Counter[str] = Counter()  # by thread, runs that were queued here

    @property
    def is_draining(self) -> bool:
        """Whether this process is shutting down and therefore accepts no new runs."""
        return self._log.is_closing

    async def start(self) -> None:
        """Start to claim runs regularly: runs of dead processes, handed-over and queued runs."""
        self._watcher.start("runs", self._recovery.look)

    def look(self) -> None:
        """Look for claimable runs now, without waiting for the next regular time."""
        self._watcher.poke("runs")

    async def drain(self, grace_s: float) -> None:
        """Accept no more runs, disconnect viewers, and hand over unfinished runs.
        Viewers get no terminal event. Running steps may end within `grace_s`.
        """
        self._log.close()
        self._turns.close()
        self._changes.close()
        await self._watcher.stop("runs", "viewers", "changes")
        for live in self._live.list_all():
            live.leave(at_once=False)
        # Those who look at the replicas see it; nothing depends on that.
        recording = record_replica(self._store, self._live.owner, is_draining=True)
        telling = asyncio.create_task(try_once("tell_draining", recording))
        await asyncio.wait({telling, *self._tasks}, timeout=grace_s)
        telling.cancel()
        for live in self._live.list_all():
            live.leave(at_once=True)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=LAST_GRACE_S)
        with suppress(StoreError):  # then their leases run out
            await self.queue.hand_back_all(self._live.owner)

    async def submit(
        self,
        tenant_id: str,
        user_id: str,
        thread_id: str,
        request: RunRequest,
        max_open_runs: int | None = None,
    ) -> RunTicket:
        """Store a message with its run and start the run, without waiting for its end.
        A request with the same key and body joins its run. max_open_runs: the user's; None: any
        number.

        Raises: NotFoundError (missing thread, or another's), ConflictError THREAD_BUSY or
        IDEMPOTENCY_REUSED, InputError as `Service.make_start`, TooManyRequests for too many open
        runs, ServiceUnavailable DRAINING while the process is on its way out, NOT_READY before it
        may serve, QUEUE_FULL when too many of the tenant's wait for their turn; StoreError.
        """
        if self.is_draining:
            raise ServiceUnavailable(
                "this server is shutting down", hint="Send the message again.", code="DRAINING"
            )
        if self.is_held:
            message = "this server is not ready: /readyz shows the reason"
            raise ServiceUnavailable(message, hint="Send the message again.", code="NOT_READY")
        thread = await self._service.threads.load(tenant_id, user_id, thread_id)
        await self._service.wait_for_parts()
        start = replace(self._service.make_start(thread, request), max_open_runs=max_open_runs)
        ticket = await self._submit(tenant_id, thread, start, request.when_busy)
        return replace(ticket, unused=start.options.ignored)

    async def _submit(
        self, tenant_id: str, thread: ThreadInfo, start: RunStart, when_busy: WhenBusy
    ) -> RunTicket:
        """Begin the run, queue it behind others, or join its key's run. Raises: as `submit`."""
        thread_id = start.thread_id
        # A repeated request is no new run, however full it is
        # (test_a_retry_joins_its_queued_run_even_if_the_queue_is_full).
        if not self._quota.is_open_to(tenant_id) and not await self._find_begun(tenant_id, start):
            raise ServiceUnavailable(
                f"{self._turns.waiting} runs are queued, and your share of the queue is full",
                hint="Nothing was stored. Send the message again in a few seconds.",
                code="QUEUE_FULL",
                retry_after_s=FULL_S,
            )
        # Counted before it is stored: of many that come at once each sees those before it
        # (test_simultaneous_messages_fill_the_queue_exactly).
        with self._quota.held(tenant_id) as place, pool_lane("begin"):
            try:
                try:
                    # As one piece: a run that is stored must be executed, whoever goes away
                    # meanwhile
                    # (test_a_message_is_answered_even_if_its_client_disconnects).
                    return await finish_despite_cancel(self._begin(tenant_id, thread, start, place))
                except ConflictError as error:
                    if error.code != "THREAD_BUSY" or not await self._may_follow(
                        tenant_id, start, when_busy
                    ):
                        raise
                if when_busy == "interrupt":
                    await self._stop(tenant_id, start.user_id, thread_id, with_queue=True)
                self._queued[thread_id] += 1  # it follows the runs that are there
                run_id = await self.queue.enqueue_run(tenant_id, start)
                self.look()
                return RunTicket(run_id, thread_id, is_new=True)
            except TooManyRequests:
                if (ticket := await self._find_begun(tenant_id, start)) is None:
                    raise
                return ticket
            except ConflictError as error:
                if error.code != "RUN_EXISTS":
                    raise
                if (ticket := await self._find_begun(tenant_id, start)) is None:
                    message = "the run with this idempotency key was erased"
                    raise ConflictError(message, code="IDEMPOTENCY_REUSED") from error
                return ticket

    async def watch(
        self, tenant_id: str, user_id: str, run_id: str, after: int = 0
    ) -> AsyncGenerator[Event]:
        """Yield a run's events after number `after`, in order, as they happen.

        Ends after `done` or `error`; at once when that lies before the cursor. Ends early, without
        one, when the process drains: the client should reconnect.

        Raises: NotFoundError (at the first event), ViewerDropped.
        """
        async for events in self._log.watch(tenant_id, user_id, run_id, after):
            for event in events:
                yield event

    def watch_batches(
        self, tenant_id: str, user_id: str, run_id: str, after: int = 0
    ) -> AsyncGenerator[list[Event]]:
        """Yield a run's events after number `after`, in batches.

        On a busy server, that is cheaper than `watch`.
        """
        return self._log.watch(tenant_id, user_id, run_id, after)

    async def watch_turn(
        self, tenant_id: str, user_id: str, run_id: str, after: int = 0
    ) -> AsyncGenerator[list[Event]]:
        """Yield a run's events in batches until it ends or suspends for an approval."""
        async for events in self._log.watch(tenant_id, user_id, run_id, after):
            yield events
            if events[-1]["event"] in WAITING:
                approvals = await self.queue.list_approvals(tenant_id, user_id, run_id)
                if any(item.status == "pending" for item in approvals):
                    return

    def watch_changes(
        self, tenant_id: str, user_id: str | None, after: int | None
    ) -> AsyncGenerator[list[Change]]:
        """Yield the changes of a user's runs and threads, in batches. user_id None: all users'."""
        return self._changes.watch(tenant_id, user_id, after)

    async def find_active(self, tenant_id: str, user_id: str, thread_id: str) -> str | None:
        """Return the id of the thread's running run, or else of its next queued run.
        Raises: NotFoundError.
        """
        return await self.queue.find_active(tenant_id, user_id, thread_id)

    async def cancel(self, tenant_id: str, user_id: str, thread_id: str) -> str | None:
        """Stop a thread's active run, whichever replica executes it; return the run's id.
        Its stream ends with `error` CANCELLED within about a second.

        Returns: the run's id; None when nothing runs. Raises: NotFoundError.
        """
        return await self._stop(tenant_id, user_id, thread_id, with_queue=False)

    async def list_approvals(self, tenant_id: str, user_id: str, run_id: str) -> list[Approval]:
        """List a run's requests for approval, decided ones included.
        Tool calls that the client executes are not listed.
        Raises: NotFoundError.
        """
        listed = await self.queue.list_approvals(tenant_id, user_id, run_id)
        return [item for item in listed if not item.is_client]

    # The run then goes on at the tool call. See `store.approvals`.
    decide_approval = _then_look(RunQueue.decide_approval)
    decide_approvals = _then_look(RunQueue.decide_approvals)
    answer_call = _then_look(RunQueue.answer_client_call)

    async def _begin(
        self, tenant_id: str, thread: ThreadInfo, start: RunStart, place: RunSlot
    ) -> RunTicket:
        """Store the message and its run, and start the run here. Raises: ConflictError."""
        try:
            run = await self._store.begin_run(
                tenant_id, start, self._live.owner, self._limits.lease_s, close_abandoned=False
            )
        except StoreError:  # it may have begun, and be ours: only the answer was lost
            if len(self._live.dropped) < MAX_UNSURE:
                self._live.dropped.add(start.run_id)
                self.look()
            raise
        if not self._turns.has_free:  # thousands may wait: what they read first is read then
            run = replace(run, history=None, templates=None, prompt_read=None)
        table = self._service.build_run_table(run, thread.kind)
        self._start(Work(run, table, start.message, start.title is not None))
        place.is_kept = True
        return RunTicket(run.run_id, run.thread_id, is_new=True)

    async def _may_follow(self, tenant_id: str, start: RunStart, when_busy: WhenBusy) -> bool:
        """Whether the message may queue behind the thread's run instead of being refused.
        As its client wants; and behind one that no process works on, for which nobody can tell how
        long to wait.
        """
        if when_busy != "reject" or start.position is not None:
            return when_busy != "reject"
        dropped = self._live.dropped
        return await self.queue.is_held_up(tenant_id, start.thread_id, dropped)

    async def _find_begun(self, tenant_id: str, start: RunStart) -> RunTicket | None:
        """Return the run that this idempotency key started before; None without one."""
        if start.idempotency_key is None:
            return None
        run = await self._store.load_run_by_key(tenant_id, start.user_id, start.idempotency_key)
        return run and RunTicket(run.run_id, run.thread_id, is_new=False)

    async def _stop(
        self, tenant_id: str, user_id: str, thread_id: str, *, with_queue: bool
    ) -> str | None:
        """Cancel the thread's active run on any replica; return its id. with_queue: queued ones
        too.
        """
        run_id = await self.queue.cancel(tenant_id, user_id, thread_id, with_queue=with_queue)
        if run_id is not None:
            self._live.wake(run_id)
            if (live := self._live.get(run_id)) is not None:
                live.cancel()
        return run_id

    async def _take(self, claim: Claim) -> None:
        """Start a claimed run, unless `Service.prepare` ends it."""
        work = await self._service.prepare(claim)
        if work is not None:
            self._quota.enter(work.run.tenant_id)
            self._start(work)

    def _start(self, work: Work) -> None:
        """Execute the run in a task once it has a slot; it counts in the quota until it stops."""
        run = work.run
        turn = work.make_turn()
        # What is set around who begins it is so around its task, whoever makes room for that.
        context = copy_context()

        def begin() -> None:
            work_on = self._execute(work, turn)
            task = asyncio.create_task(work_on, name=run.run_id, context=context)
            self._tasks.add(task)
            task.add_done_callback(partial(self._end_task, run, turn))

        if turn is None or self._turns.take(turn):
            begin()
        else:
            live = self._live.expect(run, turn.begin)
            self._turns.line_up(turn, live.journal.tell_place, begin)

    def _end_task(self, run: Run, turn: Turn | None, task: asyncio.Task[None]) -> None:
        """Free the quota and the slot of a run whose task ended."""
        self._tasks.discard(task)
        self._quota.leave(run.tenant_id)
        if turn is not None:
            self._turns.end(turn)

    async def _execute(self, work: Work, turn: Turn | None) -> None:
        """Execute one run in its task; every way it can end is recorded by then."""
        run = work.run
        try:
            # One that has waited is told to leave as all others that are here.
            if self.is_draining and self._live.get(run.run_id) is None:
                await self.queue.hand_back(run)
                return
            act_for(run.tenant_id, run.user_id)
            with pool_lane("run"):
                doing = self._service.execute(work, is_recoverable=True, turn=turn)
                await self._loop_shares.share((run.tenant_id, run.user_id), doing)
            if work.makes_title:
                self.on_answer(run)
        except (AgentError, RunHandedOver) as error:
            if isinstance(error, StoreError) and not isinstance(error, LeaseLost):
                return  # the log has a line when it is left, not one for each try
            logger.info("run_stopped", extra={"run_id": run.run_id, "reason": type(error).__name__})
        except Exception:  # noqa: BLE001 logged where it was recorded; nobody awaits this task
            return
        finally:
            self._look_further(run)

    def _look_further(self, run: Run) -> None:
        """After a run stopped here, poll for the next queued run of its thread."""
        if self._queued[run.thread_id] > 0:
            self._queued[run.thread_id] -= 1
            self.look()
        else:
            del self._queued[run.thread_id]
