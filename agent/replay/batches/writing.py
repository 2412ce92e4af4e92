"""A batch as it is written down, before it is handed in: its requests, their ledger rows, the room
for them in budgets and in what the replay may cost. All of it in one transaction, or nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson

from ...base.ids import make_id
from ...core.attempts import reserve_most
from ...errors import AgentError, BudgetBusy, BudgetExceeded, LeaseLost
from ...store import batches as store_batches
from ...store import ledger as store_ledger
from ...store import replays as store_replays
from ...store.batches import ProviderBatch, RequestId
from ...store.connecting.open_transaction import Transaction
from ...store.outages import keep_trying
from ...store.records import CallStart
from ...store.replays import ReplayInfo
from ...store.store import Store
from ..live.spend_limit import ReplayStopped, make_spent_stop, make_unpriced_stop
from .chat import BatchCall


@dataclass(slots=True, eq=False)
class Waiter:
    """Waits for an outcome, and is told which request has it. is_resting: does nothing else."""

    future: asyncio.Future[RequestId]
    is_resting: bool = False


@dataclass(slots=True, eq=False)
class Parked:
    """A call that waits for a batch. since: monotonic seconds."""

    call: BatchCall
    waiter: Waiter
    since: float


@dataclass(slots=True)
class Written:
    """Says what became of calls that were to be a batch. batch None: none of them is in one."""

    batch: ProviderBatch | None = None
    accepted: list[Parked] = field(default_factory=list[Parked])  # in the order of their places
    held: list[Parked] = field(default_factory=list[Parked])  # for want of room
    refused: list[tuple[Parked, AgentError]] = field(
        default_factory=list[tuple[Parked, AgentError]]
    )


class _ItemsGone(Exception):
    """The items of these calls have gone to another process meanwhile."""

    def __init__(self, parked: list[Parked]) -> None:
        super().__init__(f"{len(parked)} items")
        self.parked = parked


def split_calls(
    group: Sequence[Parked], refuse: Callable[[Parked, AgentError], None]
) -> Iterator[list[Parked]]:
    """Batches that the provider takes, by number and size; all of a group go to one model."""
    batch: list[Parked] = []
    size = 0
    for parked in group:
        call = parked.call
        limits = call.api.limits
        try:
            line = call.api.to_line("0" * 40, call.request)
        except AgentError as error:
            refuse(parked, error)
            continue
        bytes_ = len(orjson.dumps(line)) + 1
        if batch and (len(batch) >= limits.requests or size + bytes_ > limits.bytes):
            yield batch
            batch, size = [], 0
        batch.append(parked)
        size += bytes_
    if batch:
        yield batch


@dataclass(slots=True)
class BatchWriter:
    """Writes batches of one replay. owner: who looks after them then."""

    store: Store
    tenant_id: str
    info: ReplayInfo
    owner: str
    lease_s: float

    async def write(self, parked: Sequence[Parked]) -> Written:
        """Decide who is in the batch and write it down.

        Raises: ReplayStopped when the replay is to stop, or nothing has room and nothing will.
        """
        left, gone = list(parked), list[Parked]()
        while True:
            attempt = _Attempt(self, make_id(), left)
            try:
                written = await keep_trying(attempt.write)
            except _ItemsGone as error:
                gone += error.parked
                left = [one for one in left if one not in error.parked]
                continue
            lost = LeaseLost("the item has gone to another process")
            written.refused += [(one, lost) for one in gone]
            return written

    async def decide(self, tx: Transaction, batch_id: str, parked: Sequence[Parked]) -> Written:
        """Decide who is in the batch, and write it down in this transaction. Raises: as `write`."""
        replay_id = self.info.replay_id
        is_cancelled, limit_usd = await store_batches.lock_replay(tx, replay_id)
        if is_cancelled:
            raise ReplayStopped("the replay was cancelled")
        written, rows = Written(), list[dict[str, Any]]()
        room, is_waited_for = await self._load_room(tx, limit_usd)
        for one in parked:
            start = replace(one.call.start, replay_id=replay_id, fence=None, processing="batch")
            most_usd = price_most(one.call, start)
            if room is not None:
                if most_usd is None:
                    raise make_unpriced_stop(one.call.handle.label)
                if most_usd > room:
                    written.held.append(one)
                    continue
            try:
                await self._record_start(tx, start)
            except BudgetBusy:
                written.held.append(one)
                continue
            except BudgetExceeded as error:
                written.refused.append((one, error))
                continue
            if room is not None and most_usd is not None:
                room -= most_usd
            rows.append(_to_row(len(written.accepted), one.call, start, most_usd))
            written.accepted.append(one)
        if rows:
            written.batch = await self._insert(tx, batch_id, written.accepted, rows)
        elif written.held and not is_waited_for and limit_usd is not None and room is not None:
            known = [price_most(one.call, one.call.start) for one in written.held]
            least = min((most for most in known if most is not None), default=Decimal(0))
            raise make_spent_stop(limit_usd - room, least, limit_usd)
        return written

    async def _record_start(self, tx: Transaction, start: CallStart) -> None:
        """Raises: BudgetExceeded; then nothing of it is written."""
        async with tx.savepoint():
            await store_ledger.record_call_start(tx, start)
            if start.reserved is not None:
                await self.store.budgets.reserve(tx, start)

    async def _insert(
        self, tx: Transaction, batch_id: str, accepted: list[Parked], rows: list[dict[str, Any]]
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
            missing = set(range(len(rows))) - places
            raise _ItemsGone([accepted[place] for place in missing])
        return written

    async def _load_room(
        self, tx: Transaction, limit_usd: Decimal | None
    ) -> tuple[Decimal | None, bool]:
        """(what is left of the replay's money when all that is on its way costs its most, None
        without a limit; whether anything is on its way, whose price may make room).

        Raises: ReplayStopped when that is not known.
        """
        # First: what is recorded between the two is counted twice, and never not at all.
        committed = await store_batches.load_committed(tx, self.info.replay_id)
        if limit_usd is None:
            return None, committed.requests > 0
        spent = await store_replays.load_spending(tx, self.info.replay_id)
        if spent.unpriced or committed.unpriced:
            raise make_unpriced_stop("a call")
        room = limit_usd - spent.cost_usd - spent.open_usd - committed.most_usd
        return room, committed.requests + spent.open_calls > 0


@dataclass(slots=True)
class _Attempt:
    """One batch's transaction, which may be done again when the database was away."""

    writer: BatchWriter
    batch_id: str
    parked: Sequence[Parked]
    decided: Written | None = None

    async def write(self) -> Written:
        writer = self.writer
        async with writer.store.transaction(writer.tenant_id) as tx:
            if self.decided is not None and await store_batches.has_batch(tx, self.batch_id):
                return self.decided  # only the answer to its COMMIT was lost
            self.decided = await writer.decide(tx, self.batch_id, self.parked)
        return self.decided


def price_most(call: BatchCall, start: CallStart) -> Decimal | None:
    """The most that the request can cost; None: the price is not known."""
    if start.reserved is not None:
        return start.reserved.cost_usd
    tokens = (start.estimated_input_tokens, call.request.max_tokens)
    return reserve_most(call.handle, start.role, *tokens).cost_usd


def _to_row(
    place: int, call: BatchCall, start: CallStart, most_usd: Decimal | None
) -> dict[str, Any]:
    return {
        "place": place,
        "lane": call.item.lane,
        "n": call.item.n,
        "turn": call.turn,
        "call": call.call,
        "call_id": start.call_id,
        "fingerprint": start.fingerprint,
        "most_usd": None if most_usd is None else str(most_usd),
        "fence": call.item.fence,
    }
