"""One batch from its rows to its outcomes: its status says what is done next, so every step bears a
kill after it, and whoever claims the batch goes on in the same way.

submitting   its rows are written: it is handed in, or looked for where it may be there → open, lost
open         the provider has it: it is polled, and its outcomes are recorded → ended
ended, lost  nothing is left to do; calls without an outcome join another batch
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, TypeVar

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.llm import choose_pause
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import (
    AgentError,
    ConfigError,
    LeaseLost,
    ModelConnectionError,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelTimeout,
    RateLimited,
    StreamCut,
)
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.store import ledger as store_ledger
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.leases import make_owner
from plainloop.agent.store.outages import keep_trying
from plainloop.agent.store.records import CallSettled
from plainloop.agent.store.store import Store
from plainloop.agent.types import Usage

from ..live.lane import Lane
from ..live.tenant_rows import TenantRows
from ..settings import ReplayLimits
from ..store import batches as store_batches
from ..store.batches import OpenRequest, ProviderBatch, RequestId
from .api import BatchApi, BatchState, Outcome
from .chat import Place, open_for_batches
from .settlement import settle_outcome

logger = logging.getLogger(__name__)

SUBMIT_TRIES: Final = 4
FIND_TRIES: Final = 2  # what was just handed in may not be listed yet
LOST_TRIES: Final = 5  # with growing pauses: then the provider has lost the batch, or results
RECORDED_AT_ONCE: Final = 20
SLOWER_BY: Final = 1.5  # each look at a batch comes so much later than the one before
SLOWEST: Final = 10  # times the first pause
OVERDUE: Final = timedelta(hours=1)  # that a batch may be open beyond the provider's own deadline
CANCEL_WAIT_S: Final = 60.0  # of a cancelled replay, for what its batch had answered already
# Of one that is overdue: OpenAI takes up to 10 minutes to cancel, and nothing reads it later
# (test_answers_of_an_overdue_batch_are_waited_for).
OVERDUE_WAIT_S: Final = 900.0
CANCEL_POLL_S: Final = 2.0
CANCEL_LEASE_S: Final = 60.0
LOST: Final = "BATCH_LOST"  # the provider never had the request
# Failures after which the provider may have the batch all the same.
_UNSURE: Final = (ModelTimeout, ModelConnectionError, ModelOverloaded)
_EXPIRED: Final[Outcome] = {"kind": "expired", "status": None, "request_id": None, "body": None}

T = TypeVar("T")


# Wakes those that wait for these requests. The error: why they get no outcome; None: they do.
Tell = Callable[[Iterable[RequestId], AgentError | None], None]


@dataclass(slots=True)
class BatchProcess:
    """The state that the batches of one replay share in one process.

    owner: who claims them. on_progress: receives texts on their progress.
    """

    rows: TenantRows
    replay_id: str
    owner: str
    lanes: Mapping[str, Lane]
    settings: Settings
    tell: Tell = lambda requests, error: None
    on_progress: Callable[[str], None] = lambda text: None
    stop: AgentError | None = None  # why nothing more is handed in
    # Set: what is at the provider is cancelled too, and nothing is waited for that may take long.
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    def check_stop(self) -> None:
        """Raise the error with which the replay stops, if it stops."""
        if self.stop is not None:
            raise self.stop

    def check_cancelled(self) -> None:
        """Raise the replay's error if it was cancelled.

        Other reasons to stop do not stop a batch.
        """
        if self.cancelled.is_set():
            self.check_stop()

    async def pause(self, pause_s: float) -> float:
        """Wait `pause_s` seconds, or until the replay is cancelled.

        Returns the next, longer pause. Raises: why the replay was cancelled before.
        """
        self.check_cancelled()
        try:
            async with asyncio.timeout(pause_s):
                await self.cancelled.wait()
        except TimeoutError:
            pass
        return min(
            pause_s * SLOWER_BY, self.settings.get_table(ReplayLimits).batch_poll_s * SLOWEST
        )

    async def claim(self, lease_s: float) -> ProviderBatch | None:
        """Claim the next batch of the replay that no process drives, or None."""
        return await self.rows.execute(
            store_batches.claim_batch, self.replay_id, self.owner, lease_s
        )

    async def release(self, batch: ProviderBatch | None = None) -> None:
        """Release this process's lease of a batch, so that others can drive it.

        batch: None releases all batches of this process.
        """
        batch_id = None if batch is None else batch.batch_id
        await self.rows.execute(store_batches.release_batches, self.replay_id, self.owner, batch_id)


@dataclass(slots=True)
class BatchRun:
    """Drives one batch to its end.

    handle: with the prices of a batch. lines: to be submitted; None for a batch that was claimed:
    the provider has it, or it is lost.
    """

    process: BatchProcess
    batch: ProviderBatch
    handle: ModelHandle
    api: BatchApi
    lines: Sequence[Mapping[str, Any]] | None = None

    async def run(self) -> None:
        """Drive a batch to its end: submit it, poll it, record its outcomes.

        Raises: AgentError when nobody is to wait for it any more; LeaseLost when others look after
        it.
        """
        state: BatchState | None = None
        if self.batch.status == "submitting":
            if self.lines is not None:
                state = await self._submit(self.lines)
            elif (state := await self._find()) is None:
                await self._lose(LOST)
            if state is None:
                return
            await self._note_submitted(state)
        await self._finish(state)

    async def cancel_orphan(self) -> bool:
        """Cancel a batch that no process drives, and return whether it was cancelled.

        It is not cancelled if it is not certain that the provider has it.
        """
        batch, batch_id = self.batch, self.batch.provider_batch_id
        if batch_id is None:
            foreign = await self.process.rows.execute(store_batches.list_batch_ids, batch)
            found = await self.api.find(batch.mark, batch.requests, batch.created_at, foreign)
            if found is None or not found.is_certain:
                return False
            batch_id = found.state.batch_id
        await self.api.cancel(batch_id)
        return True

    async def _submit(self, lines: Sequence[Mapping[str, Any]]) -> BatchState | None:
        """Submit the batch, with retries; None if the provider refuses it, and then it is lost.

        Raises: ModelError when it is not known whether the provider has it: then the batch stays,
        and is looked for again. LeaseLost.
        """
        tries, is_unsure = 0, False
        while True:
            if is_unsure and (found := await self._find()) is not None:
                return found
            tries += 1
            try:
                return await self._create(lines)
            except ModelError as error:
                may_be_there = isinstance(error, _UNSURE)
                if tries >= SUBMIT_TRIES and may_be_there:
                    raise
                if tries >= SUBMIT_TRIES or not isinstance(error, (*_UNSURE, RateLimited)):
                    if isinstance(error, ModelNotFoundError) and "batch" not in error.message:
                        # A server that speaks the protocol need not have the batch API.
                        asked = f"Does the server have a batch API for {self.api.endpoint}?"
                        error.hint = f"{asked} {error.hint or ''}"
                    await self._lose(error.code, error)
                    return None
                is_unsure = is_unsure or may_be_there
                await asyncio.sleep(choose_pause(error, tries))

    async def _create(self, lines: Sequence[Mapping[str, Any]]) -> BatchState:
        """Extend the lease of the batch, then create it at the provider.

        Raises: ModelError; LeaseLost when others may have given the batch up by now.
        """
        lease_s = self.process.settings.get_table(RunLimits).lease_s

        async def hold() -> float:
            began = time.monotonic()
            await self.process.rows.execute(store_batches.hold_batch, self.batch, lease_s)
            return began

        held_at = await keep_trying(hold)
        if time.monotonic() - held_at > lease_s / 2:
            raise LeaseLost(
                "this process was inactive for too long to submit a batch",
                hint="`plainloop replay resume` continues.",
            )
        return await self.api.create(self.batch.mark, lines)

    async def _find(self) -> BatchState | None:
        """Search the provider for this batch; wait while another one could be it.

        Waits while it cannot be told from others there.

        Raises: ModelError when the provider does not say what it has.
        """
        batch, missed, failed = self.batch, 0, 0
        while True:
            foreign = await self.process.rows.insist(store_batches.list_batch_ids, batch)
            pause_s = self.process.settings.get_table(ReplayLimits).batch_poll_s
            try:
                found = await self.api.find(batch.mark, batch.requests, batch.created_at, foreign)
            except ModelError as error:
                failed += 1
                if not error.retryable or failed >= SUBMIT_TRIES:
                    raise
                pause_s = choose_pause(error, failed)
            else:
                if found is not None and found.is_certain:
                    return found.state
                missed += found is None
                if missed >= FIND_TRIES:
                    return None
            await self.process.pause(pause_s)

    async def _note_submitted(self, state: BatchState) -> None:
        """Record that the batch is submitted; cancel it if another process declared it lost.

        That process submits its calls again, so this one is not needed. Raises: LeaseLost.
        """
        try:
            await self._note_state(state)
        except LeaseLost:
            found = await self.process.rows.insist(store_batches.load_status, self.batch.batch_id)
            if found == "lost":
                await self._cancel(state)
            raise

    async def _note_state(self, state: BatchState) -> None:
        """Record the provider's id, deadline and progress of the batch. Raises: LeaseLost."""
        seen = state.batch_id, state.expires_at, state.answered
        self.batch = await self.process.rows.insist(store_batches.mark_submitted, self.batch, *seen)

    async def _lose(self, code: str, error: AgentError | None = None) -> None:
        """Mark a batch that the provider does not have as lost.

        Its waiting calls get the error, or join another batch.
        """
        batch, tenant_id = self.batch, self.process.rows.tenant_id

        async def write(tx: Queryable) -> list[OpenRequest]:
            requests = await store_batches.list_open_requests(tx, batch)
            rows = [{"place": r.place, "status": "failed", "outcome": None} for r in requests]
            await store_batches.end_batch(tx, batch, "lost")
            await store_batches.record_outcomes(tx, batch, rows)
            nothing = Usage(source="missing")
            settled = [
                CallSettled(*(r.call_id, tenant_id, "failed", nothing, 0), error_code=code)
                for r in requests
            ]
            await store_ledger.settle_calls(tx, settled)
            return requests

        requests = await self.process.rows.insist(write)
        self.process.tell([RequestId(batch.batch_id, r.place) for r in requests], error)
        self.process.on_progress(f"batch {batch.n}: not accepted by the provider")

    async def _finish(self, state: BatchState | None) -> None:
        """Wait until the provider's batch ends and record each outcome once."""
        batch, rows = self.batch, self.process.rows
        if state is None and batch.provider_batch_id is not None:
            state = await self._insist(partial(self.api.load_state, batch.provider_batch_id))
        ended = None if state is None else await self._poll(state)
        if ended is not None and not await self._insist(partial(self._take_all, ended)):
            ended = None
        left = await rows.insist(store_batches.list_open_requests, batch)
        missing = _EXPIRED if ended is None else self.api.explain_missing(ended)
        await self._record([(request, missing) for request in left])
        try:
            await rows.insist(store_batches.end_batch, self.batch, "ended")
        except LeaseLost:  # then somebody else has ended it, and there is nothing left to do
            logger.info("batch_ended_by_another", extra={"batch": batch.n})
        self.process.on_progress(f"batch {batch.n}: {batch.requests}/{batch.requests} answered")

    async def _poll(self, state: BatchState) -> BatchState | None:
        """Poll the batch until it ends; None if the provider has lost it or does not end it.

        Raises: what cancelled it, when it does not end soon.
        """
        process, batch = self.process, self.batch
        pause_s = process.settings.get_table(ReplayLimits).batch_poll_s
        told = -1
        cancelled_at: float | None = None
        while not state.is_ended:
            if state.answered != told:
                told = state.answered
                process.on_progress(f"batch {batch.n}: {told}/{batch.requests} answered")
                await self._note_state(state)
            deadline = state.expires_at
            is_overdue = deadline is not None and datetime.now(UTC) > deadline + OVERDUE
            if cancelled_at is None and (process.cancelled.is_set() or is_overdue):
                await self._cancel(state)
                cancelled_at = time.monotonic()
            if cancelled_at is None:
                pause_s = await process.pause(pause_s)
            elif time.monotonic() - cancelled_at <= (
                CANCEL_WAIT_S if process.cancelled.is_set() else OVERDUE_WAIT_S
            ):
                await asyncio.sleep(
                    min(CANCEL_POLL_S, process.settings.get_table(ReplayLimits).batch_poll_s)
                )
            else:
                process.check_cancelled()
                return None
            seen = await self._insist(partial(self.api.load_state, state.batch_id))
            if seen is None:
                return None
            state = seen
        return state

    async def _insist(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        """Retry a call to the provider until it answers; None if it keeps missing the batch.

        Raises: ModelError where asking again helps nobody; why the replay was cancelled.
        """
        pause_s = self.process.settings.get_table(ReplayLimits).batch_poll_s
        lost = 0
        while True:
            try:
                return await ask()
            except ModelError as error:
                # Anthropic answers 404 now and then for batches that it has, and for their results
                # (test_a_batch_that_is_not_found_for_a_moment_is_not_bought_again).
                is_lost = isinstance(error, (ModelNotFoundError, StreamCut))
                lost += is_lost
                if lost >= LOST_TRIES:
                    return None
                if not error.retryable and not is_lost:
                    raise
                told = {"batch": self.batch.n, "reason": error.message}
                logger.warning("batch_not_reached", extra=told)
            pause_s = await self.process.pause(pause_s)

    async def _take_all(self, state: BatchState) -> bool:
        """Record the outcomes of the ended batch as they arrive; return True once all were read.

        Raises: ModelError; StreamCut where fewer came than the provider counts.
        """
        batch = self.batch
        found = await self.process.rows.insist(store_batches.list_open_requests, batch)
        left = {RequestId(batch.batch_id, r.place).custom_id: r for r in found}
        if not left:
            return True
        taken: list[tuple[OpenRequest, Outcome]] = []
        read = 0
        try:
            async with aclosing(self.api.list_outcomes(state)) as outcomes:
                async for custom_id, outcome in outcomes:
                    read += 1
                    if (request := left.pop(custom_id, None)) is not None:
                        taken.append((request, outcome))
                    if len(taken) >= RECORDED_AT_ONCE:
                        await self._record(taken)
                        taken = []
        finally:
            await self._record(taken)
        if left and read < state.answered:
            raise StreamCut(
                f"the batch's results are incomplete: {read} of {state.answered}",
                hint="They are read again; if it recurs, check the proxy before the provider.",
            )
        return True

    async def _record(self, taken: Sequence[tuple[OpenRequest, Outcome]]) -> None:
        """Record outcomes and settle their calls in the usage ledger, each once."""
        if not taken:
            return
        batch, tenant_id = self.batch, self.process.rows.tenant_id
        made = [
            settle_outcome(batch, request, outcome, self.api, self.handle, tenant_id)
            for request, outcome in taken
        ]

        async def write(tx: Queryable) -> None:
            written = await store_batches.record_outcomes(tx, batch, [row for row, _ in made])
            settled = [call for row, call in made if row["place"] in written]
            if settled:
                await store_ledger.settle_calls(tx, settled)

        await self.process.rows.insist(write)
        self.process.tell([RequestId(batch.batch_id, r.place) for r, _ in taken], None)

    async def _cancel(self, state: BatchState) -> None:
        """Cancel the batch at the provider; log a failure, as one that has just ended cannot be."""
        try:
            await self.api.cancel(state.batch_id)
        except ModelError as error:
            told = {"batch_id": state.batch_id, "code": error.code}
            logger.warning("batch_not_cancelled", extra=told)


def adopt(process: BatchProcess, batch: ProviderBatch) -> BatchRun:
    """Build the run of a claimed batch, with its original model and today's settings.

    Raises: ConfigError when they name another one, or none with a batch API.
    """
    where, lanes = Place(**batch.handle), process.lanes
    if where.lane not in lanes:
        raise ConfigError(
            f"the variant {where.lane} of batch {batch.n} no longer exists",
            hint="Resume the replay with the same variants, or start a new one.",
        )
    chain = lanes[where.lane].models.resolve_chain(where.role, where.worker)
    if where.place >= len(chain):
        raise ConfigError(
            f"the batch {batch.n} uses model number {where.place + 1} of the {where.role}, but the "
            f"variant {where.lane} now lists fewer models: {len(chain)}",
            hint="Restore the list of models, or start a new replay.",
        )
    handle, api = open_for_batches(chain[where.place])
    if (handle.provider, handle.model) != (batch.provider, batch.model):
        raise ConfigError(
            f"the batch {batch.n} uses {batch.provider}:{batch.model}, but the "
            f"settings now say {handle.label}",
            hint="Restore the model in the settings, or start a new replay.",
        )
    return BatchRun(process, batch, handle, api)


async def cancel_orphans(
    store: Store, tenant_id: str, replay_id: str, lanes: Mapping[str, Lane]
) -> int:
    """Cancel a replay's provider batches that no process drives, and return how many.

    Their earlier answers are used by `replay resume`.
    """
    settings = next(iter(lanes.values())).settings
    rows = TenantRows(store, tenant_id)
    process = BatchProcess(rows, replay_id, make_owner(), lanes, settings)
    cancelled = 0
    try:
        # All before the first is cancelled: while a provider is silent leases end, and the first
        # batch would be claimed again
        # (test_cancelling_a_batch_ends_even_if_the_provider_does_not_answer).
        batches: list[ProviderBatch] = []
        while (batch := await process.claim(CANCEL_LEASE_S)) is not None:
            batches.append(batch)
        for batch in batches:
            try:
                cancelled += await adopt(process, batch).cancel_orphan()
            except AgentError as error:
                told = {"batch": batch.n, "reason": error.message}
                logger.warning("batch_not_cancelled", extra=told)
        return cancelled
    finally:
        await process.release()
