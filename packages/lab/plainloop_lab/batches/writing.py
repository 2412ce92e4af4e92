"""A batch as it is written down, before it is handed in: its requests, their ledger rows, the room
for them in budgets and in what the replay may cost. All of it in one transaction, or nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson

from plainloop.agent.base.ids import make_id
from plainloop.agent.core.attempts import reserve_worst_case
from plainloop.agent.dataclasses import asdict, dataclass, field, replace
from plainloop.agent.errors import AgentError, BudgetBusy, BudgetExceeded, LeaseLost
from plainloop.agent.store import ledger as store_ledger
from plainloop.agent.store.connecting.open_transaction import Transaction
from plainloop.agent.store.records import CallStart

from ..live.spend_limit import ReplayStopped, load_room, make_spent_stop, make_unpriced_stop
from ..live.tenant_rows import TenantRows
from ..store import batches as store_batches
from ..store.batches import ProviderBatch, RequestId
from ..store.replays import ReplayInfo
from .chat import BatchCall

logger = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class WaitingCall:
    """A call that waits for the request that has its outcome.

    since: monotonic seconds. is_resting: its worker does nothing else.
    """

    call: BatchCall
    told: asyncio.Future[RequestId]
    since: float
    is_resting: bool = False


@dataclass(slots=True)
class Written:
    """Result of storing calls as a batch. batch None: none of them is in one."""

    batch: ProviderBatch | None = None
    accepted: list[WaitingCall] = field(default_factory=list[WaitingCall])  # in their places' order
    held: list[WaitingCall] = field(default_factory=list[WaitingCall])  # for want of room
    refused: list[tuple[WaitingCall, AgentError]] = field(
        default_factory=list[tuple[WaitingCall, AgentError]]
    )


class _ItemsGone(Exception):
    """The items of these calls have gone to another process meanwhile."""

    def __init__(self, calls: list[WaitingCall]) -> None:
        super().__init__(f"{len(calls)} items")
        self.calls = calls


async def split_calls(
    group: Sequence[WaitingCall], refuse: Callable[[WaitingCall, AgentError], None]
) -> AsyncGenerator[list[WaitingCall]]:
    """Split calls for one model into batches within the provider's number and size limits."""
    batch: list[WaitingCall] = []
    size = 0
    for waiting in group:
        await asyncio.sleep(0)  # a thousand long requests take a second: others run in between
        call = waiting.call
        limits = call.api.limits
        try:
            bytes_ = len(orjson.dumps(call.api.to_line("0" * 40, call.request))) + 1
        except AgentError as error:
            refuse(waiting, error)
            continue
        except Exception as error:  # the edge: what cannot be encoded keeps no other call waiting
            logger.exception("request_not_encoded")
            refuse(waiting, make_internal(error))
            continue
        if batch and (len(batch) >= limits.requests or size + bytes_ > limits.bytes):
            yield batch
            batch, size = [], 0
        batch.append(waiting)
        size += bytes_
    if batch:
        yield batch


def make_internal(error: Exception) -> AgentError:
    """Make the error that waiting calls get in place of an unexpected exception."""
    return AgentError(f"{type(error).__name__}: {error}", code="INTERNAL_ERROR")


@dataclass(slots=True)
class BatchWriter:
    """Writes batches of one replay. owner: who looks after them then."""

    rows: TenantRows
    info: ReplayInfo
    owner: str
    lease_s: float

    async def write(self, calls: Sequence[WaitingCall]) -> Written:
        """Store a batch of those calls that fit the budget.

        Returns the calls as stored, held or refused. Raises: ReplayStopped when the replay is to
        stop, or nothing has room and nothing will.
        """
        batch_id = make_id()
        decided: Written | None = None

        async def attempt(tx: Transaction) -> Written:
            nonlocal decided
            if decided is not None and await store_batches.has_batch(tx, batch_id):
                return decided  # only the answer to its COMMIT was lost
            decided = await self._decide(tx, batch_id, calls)
            return decided

        try:
            return await self.rows.insist(attempt)
        except _ItemsGone as gone:
            written = await self.write([one for one in calls if one not in gone.calls])
            lost = LeaseLost("the item was taken over by another process")
            written.refused += [(one, lost) for one in gone.calls]
            return written

    async def _decide(
        self, tx: Transaction, batch_id: str, calls: Sequence[WaitingCall]
    ) -> Written:
        """Decide which calls are in the batch and store it in this transaction.

        Raises: as `write`.
        """
        replay_id = self.info.replay_id
        is_cancelled, limit_usd = await store_batches.lock_replay(tx, replay_id)
        if is_cancelled:
            raise ReplayStopped(
                "the replay was cancelled", hint="`plainloop replay resume` continues it."
            )
        written, rows = Written(), list[dict[str, Any]]()
        room, is_waited_for = None, False
        if limit_usd is not None:
            room, is_waited_for = await load_room(tx, replay_id, limit_usd, "a call")
        for one in calls:
            start = replace(one.call.start, replay_id=replay_id, fence=None, processing="batch")
            most_usd = price_most(one.call, start)
            if room is not None:
                if most_usd is None:
                    raise make_unpriced_stop(one.call.handle.label)
                if most_usd > room:
                    written.held.append(one)
                    continue
            try:
                async with tx.savepoint():  # who is refused leaves nothing behind
                    await store_ledger.record_call_start(tx, start)
                    if start.reserved is not None:
                        await self.rows.store.budgets.reserve(tx, start)
            except BudgetBusy:
                written.held.append(one)
                continue
            except BudgetExceeded as error:
                written.refused.append((one, error))
                continue
            if room is not None and most_usd is not None:
                room -= most_usd
            item, call = one.call.item, one.call
            rows.append(
                {
                    "place": len(written.accepted),
                    "lane": item.lane,
                    "n": item.n,
                    "turn": call.turn,
                    "call": call.call,
                    "call_id": start.call_id,
                    "fingerprint": start.fingerprint,
                    "most_usd": None if most_usd is None else str(most_usd),
                    "fence": item.fence,
                }
            )
            written.accepted.append(one)
        if rows:
            written.batch = await self._insert(tx, batch_id, written.accepted, rows)
        elif written.held and not is_waited_for and limit_usd is not None and room is not None:
            known = [price_most(one.call, one.call.start) for one in written.held]
            least = min((most for most in known if most is not None), default=Decimal(0))
            # What fits waits for a budget that calls of others hold, and will not for ever
            # (test_a_replay_waits_for_a_busy_budget).
            if least > room:
                raise make_spent_stop(limit_usd - room, least, limit_usd)
        return written

    async def _insert(
        self,
        tx: Transaction,
        batch_id: str,
        accepted: list[WaitingCall],
        rows: list[dict[str, Any]],
    ) -> ProviderBatch:
        first = accepted[0].call
        batch = ProviderBatch(
            batch_id=batch_id,
            n=0,
            provider=first.handle.provider,
            model=first.handle.model,
            endpoint=first.api.endpoint,
            handle=asdict(first.where),
            status="submitting",
            provider_batch_id=None,
            requests=len(rows),
            fence=1,
            created_at=datetime.now(UTC),
            expires_at=None,
        )
        written, places = await store_batches.insert_batch(
            tx, self.info.replay_id, self.info.user_id, batch, rows, self.owner, self.lease_s
        )
        if len(places) < len(rows):
            raise _ItemsGone([one for n, one in enumerate(accepted) if n not in places])
        return written


def price_most(call: BatchCall, start: CallStart) -> Decimal | None:
    """Return an upper bound of a request's cost in USD.

    None if the price is unknown.
    """
    if start.reserved is not None:
        return start.reserved.cost_usd
    tokens = (start.estimated_input_tokens, call.request.max_tokens)
    return reserve_worst_case(call.handle, start.role, *tokens).cost_usd
