"""The submitter of a process: its conversations' calls wait here until a batch takes them.

A batch closes when no conversation of the process can go on without an answer, or when the first
call has waited long enough. What becomes of a batch from then on is in `batch_run`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from plainloop.agent.base.finishing import end_tasks
from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import AgentError, LeaseLost, ModelError, StoreError
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.types import LLMResponse

from ..live.lane import Lane
from ..live.tenant_rows import TenantRows
from ..settings import ReplayLimits
from ..store import batches as store_batches
from ..store.batches import ProviderBatch, RequestId
from ..store.replays import ReplayInfo
from .batch_run import BatchProcess, BatchRun, adopt
from .chat import BatchCall
from .writing import BatchWriter, WaitingCall, make_internal, split_calls

logger = logging.getLogger(__name__)

TICK_S: Final = 1.0


@dataclass(slots=True)
class Activity:
    """Counts the process's workers that could still add a call to the next batch."""

    workers: int = 0
    in_items: int = 0  # workers that have a conversation
    busy: int = 0  # of these, those that do not wait for an answer
    is_exhausted: bool = False  # the last look found no conversation to begin

    @property
    def is_complete(self) -> bool:
        """Whether no worker of this process can add a call to the next batch."""
        return self.busy == 0 and (self.in_items == self.workers or self.is_exhausted)


class BatchSubmitter:
    """Collects calls into batches and returns their answers. on_progress: receives status texts.

    `run` must be running; `close` ends all that was begun, not what is at the provider.
    """

    def __init__(
        self,
        rows: TenantRows,
        info: ReplayInfo,
        lanes: Mapping[str, Lane],
        owner: str,
        on_progress: Callable[[str], None],
    ) -> None:
        settings = next(iter(lanes.values())).settings
        run_limits = settings.get_table(RunLimits)
        self.activity = Activity()
        self._rows = rows
        self._lease_s, self._heartbeat_s = run_limits.lease_s, run_limits.heartbeat_s
        self._limits = settings.get_table(ReplayLimits)
        self._process = BatchProcess(
            rows, info.replay_id, owner, lanes, settings, self.tell, on_progress
        )
        self._writer = BatchWriter(rows, info, owner, self._lease_s)
        self._parked: dict[Hashable, list[WaitingCall]] = {}  # for the next batch, by group
        self._held: list[WaitingCall] = []  # for want of room in money
        self._waiting: dict[RequestId, WaitingCall] = {}
        self._driven: set[str] = set()  # batch ids
        self._tasks: set[asyncio.Task[None]] = set()

    def enter_item(self) -> None:
        """Count a worker that begins a conversation, whose calls may join the next batch."""
        self.activity.in_items += 1
        self.activity.busy += 1

    def leave_item(self) -> None:
        """Count a worker that has finished a conversation and may begin another."""
        self.activity.in_items -= 1
        self.activity.busy -= 1
        self.activity.is_exhausted = False

    def note_exhausted(self) -> None:
        """Record that no conversation is left to begin.

        Submits the waiting calls if no other call can join them.
        """
        self.activity.is_exhausted = True
        self._close_if_complete()

    async def ask(self, call: BatchCall) -> LLMResponse:
        """Return the answer to a call, from a new batch or from one submitted before.

        Raises: ModelError, BudgetExceeded; ReplayStopped when nothing more is handed in.
        """
        insist, load = self._rows.insist, store_batches.load_outcome
        asked = call.item.lane, call.item.n, call.turn, call.call, call.start.fingerprint
        model = call.handle.provider, call.handle.model
        while True:
            self._process.check_stop()
            found = await insist(store_batches.find_request, self._process.replay_id, *asked, model)
            told = asyncio.get_running_loop().create_future()
            waiting = WaitingCall(call, told, time.monotonic())
            if found is None:
                self._parked.setdefault(call.api.group, []).append(waiting)
                known = await insist(load, await self._rest(waiting))
            else:
                self._waiting[found] = waiting  # first: what is told from now on is not missed
                known = await insist(load, found)
                if known.status == "open":
                    known = await insist(load, await self._rest(waiting))
                self._waiting.pop(found, None)
            if known.outcome is not None:
                break
        outcome: Any = known.outcome
        try:
            return call.api.read(outcome, call.request)
        except ModelError:
            self._process.check_stop()  # what was cancelled with the replay is not tried again
            raise

    def tell(self, requests: Iterable[RequestId], error: AgentError | None) -> None:
        """Wake the calls that wait for these requests.

        Each call reads its outcome, or fails with this error if there is one.
        """
        for request in requests:
            waiting = self._waiting.pop(request, None)
            if waiting is not None:
                self._wake(waiting, request if error is None else error)

    def stop(self, error: AgentError, *, cancels_batches: bool) -> None:
        """Stop submitting batches: waiting calls fail with this error.

        cancels_batches: batches at the provider are cancelled instead of awaited.
        """
        if self._process.stop is None:
            self._process.stop = error
            parked = [one for group in self._parked.values() for one in group]
            self._fail([*parked, *self._held], error)
            self._parked, self._held = {}, []
        if cancels_batches:
            self._process.cancelled.set()

    async def run(self) -> None:
        """Claim abandoned batches, poll those of other processes, and submit waiting calls."""
        limits, rows, process = self._limits, self._rows, self._process
        beaten_at = 0.0
        while True:
            with suppress(StoreError):
                if time.monotonic() - beaten_at >= self._heartbeat_s:
                    held = process.replay_id, process.owner, self._lease_s, self._driven
                    await rows.execute(store_batches.extend_batches, *held)
                    while (batch := await process.claim(self._lease_s)) is not None:
                        self._driven.add(batch.batch_id)
                        self._begin(self._look_after(batch))
                    beaten_at = time.monotonic()
                foreign = [r for r in self._waiting if r.batch_id not in self._driven]
                if foreign:  # of batches that another process looks after
                    self.tell(await rows.execute(store_batches.list_known, foreign), None)
            self._retry_held()
            oldest = min((c.since for group in self._parked.values() for c in group), default=None)
            if oldest is not None and time.monotonic() - oldest >= limits.batch_wait_s:
                self._close()
            await asyncio.sleep(min(TICK_S, self._heartbeat_s))

    async def close(self) -> None:
        """Stop driving batches and release them, so that other processes continue at once."""
        await end_tasks(*self._tasks)
        with suppress(StoreError):
            await self._process.release()

    def _close_if_complete(self) -> None:
        if self.activity.is_complete:
            self._close()

    def _close(self) -> None:
        groups = list(self._parked.values())
        self._parked = {}
        for group in groups:
            self._begin(self._send_group(group))

    async def _send_group(self, group: list[WaitingCall]) -> None:
        async for calls in split_calls(group, self._wake):
            self._begin(self._send(calls))

    async def _send(self, calls: list[WaitingCall]) -> None:
        """Store a batch of the calls that fit the budget, and drive it.

        Whoever waits hears of any failure.
        """
        try:
            self._process.check_stop()
            written = await self._writer.write(calls)
            for one, error in written.refused:
                self._wake(one, error)
            self._held += written.held
            batch = written.batch
            if batch is None:
                return
            lines: list[dict[str, Any]] = []
            for place, one in enumerate(written.accepted):
                await asyncio.sleep(0)  # as in `split_calls`
                request = RequestId(batch.batch_id, place)
                self._waiting[request] = one
                lines.append(one.call.api.to_line(request.custom_id, one.call.request))
        except AgentError as error:
            self._fail(calls, error)
            return
        except Exception as error:  # the edge: whoever waits must hear of it
            logger.exception("batch_not_written")
            self._fail(calls, make_internal(error))
            return
        first = written.accepted[0].call
        told = f"{format_count(batch.requests, 'request')} to {first.handle.label}"
        self._process.on_progress(f"batch {batch.n}: {told}")
        run = BatchRun(self._process, batch, first.handle, first.api, lines)
        await self._look_after(batch, run)

    def _fail(self, calls: Iterable[WaitingCall], error: AgentError) -> None:
        for one in calls:
            self._wake(one, error)

    async def _look_after(self, batch: ProviderBatch, run: BatchRun | None = None) -> None:
        """Drive a batch to its end, and release it on an error.

        run None: the batch was claimed, and its model is resolved first.
        """
        self._driven.add(batch.batch_id)
        try:
            await (run or adopt(self._process, batch)).run()
        except LeaseLost:
            # Somebody else goes on with it, and is heard of; or does so from now on.
            with suppress(StoreError):
                await self._process.release(batch)
        except AgentError as error:
            logger.warning("batch_left", extra={"batch": batch.n, "reason": error.message})
            self.tell([r for r in self._waiting if r.batch_id == batch.batch_id], error)
            with suppress(StoreError):
                await self._process.release(batch)
        except Exception as error:  # the edge: whoever waits must hear of it
            logger.exception("batch_failed", extra={"batch": batch.n})
            told = make_internal(error)
            self.tell([r for r in self._waiting if r.batch_id == batch.batch_id], told)
        finally:
            self._driven.discard(batch.batch_id)
            self._retry_held(now=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rest(self, waiting: WaitingCall) -> RequestId:
        """Wait for the outcome of a call; its worker does not count as busy meanwhile."""
        if not waiting.told.done():
            waiting.is_resting = True
            self.activity.busy -= 1
            self._close_if_complete()
        try:
            return await waiting.told
        except asyncio.CancelledError:
            if waiting.told.cancelled():
                self.activity.busy += 1
            raise

    def _retry_held(self, *, now: bool = False) -> None:
        """Queue the calls again that had no budget left, after a pause."""
        pause_s = 0.0 if now else self._limits.batch_poll_s
        held, self._held = self._held, []
        for waiting in held:
            if time.monotonic() - waiting.since < pause_s:
                self._held.append(waiting)
            else:
                waiting.since = time.monotonic()
                self._parked.setdefault(waiting.call.api.group, []).append(waiting)
        self._close_if_complete()

    def _wake(self, waiting: WaitingCall, told: RequestId | AgentError) -> None:
        """Resolve a waiting call with its request or an error; its worker is busy again."""
        if waiting.told.done():
            return
        self.activity.busy += waiting.is_resting
        if isinstance(told, AgentError):
            waiting.told.set_exception(told)
        else:
            waiting.told.set_result(told)
