"""Batches at a provider as rows: written before they are handed in, claimed like items."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Literal

from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.leases import require_held
from plainloop.agent.store.sql_blocks import load_sql

from . import leases

SQL: Final = load_sql(Path(__file__).parent / "sql" / "batches.sql")

BatchStatus = Literal["submitting", "open", "ended", "lost"]
RequestStatus = Literal["open", "succeeded", "failed"]


@dataclass(frozen=True, slots=True)
class ProviderBatch:
    """A batch as its owner holds it: every write names `fence`.

    handle: `{"lane", "role", "worker", "place"}`, whose settings have the key and the address.
    """

    batch_id: str
    n: int  # 1, 2, 3 … within the replay
    provider: str
    model: str
    endpoint: str
    handle: dict[str, Any]
    status: BatchStatus
    provider_batch_id: str | None  # None: not known that the provider has it
    requests: int
    fence: int
    created_at: datetime
    expires_at: datetime | None

    @property
    def mark(self) -> str:
        """Return the text that identifies this batch at the provider: its id without dashes."""
        return self.batch_id.replace("-", "")


@dataclass(frozen=True, slots=True)
class RequestId:
    """One request of a batch."""

    batch_id: str
    place: int

    @property
    def custom_id(self) -> str:
        """Return the id by which the provider knows the request.

        >>> RequestId("01a1fd20-2c90-7328-bbf5-7ba7f43a251a", 7).custom_id
        '01a1fd202c907328bbf57ba7f43a251a-7'
        """
        return f"{self.batch_id.replace('-', '')}-{self.place}"


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request without an outcome. estimated_input_tokens: by the ledger."""

    place: int
    call_id: str
    estimated_input_tokens: int


@dataclass(frozen=True, slots=True)
class KnownOutcome:
    """Holds the outcome of a request. outcome None: taken already, or none came."""

    status: RequestStatus
    outcome: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Committed:
    """States what a replay's requests without an outcome may cost at most."""

    most_usd: Decimal
    requests: int
    unpriced: int


async def lock_replay(tx: Queryable, replay_id: str) -> tuple[bool, Decimal | None]:
    """Lock a replay until the transaction ends, and return whether it must stop.

    Returns (whether it must stop, its cost limit in USD or None).
    """
    row = await tx.fetchrow(SQL["lock_replay"], tx.tenant_id, replay_id)
    return (True, None) if row is None else (row["cancel_requested"], row["max_cost_usd"])


async def load_committed(tx: Queryable, replay_id: str) -> Committed:
    """Load how many of a replay's batch requests are open, and what they cost at most."""
    row = await tx.fetchrow(SQL["load_committed"], tx.tenant_id, replay_id)
    assert row is not None
    return Committed(**row)


async def has_batch(tx: Queryable, batch_id: str) -> bool:
    """Whether a batch is stored."""
    return await tx.fetchval(SQL["find_batch"], tx.tenant_id, batch_id) is not None


async def insert_batch(
    tx: Queryable,
    replay_id: str,
    user_id: str,
    batch: ProviderBatch,
    requests: Sequence[Mapping[str, Any]],
    owner: str,
    lease_s: float,
) -> tuple[ProviderBatch, set[int]]:
    """Insert a batch with its requests.

    Returns (the batch, the places of the requests that were stored). Requests of items that another
    process has claimed are not stored.

    requests: `{"place", "lane", "n", "turn", "call", "call_id", "fingerprint", "most_usd",
    "fence"}` each.
    """
    key = (tx.tenant_id, batch.batch_id, replay_id)
    where = (batch.provider, batch.model, batch.endpoint, batch.handle)
    held = (len(requests), owner, lease_s)
    row = await tx.fetchrow(SQL["insert_batch"], *key, user_id, *where, *held)
    assert row is not None
    found = await tx.fetch(SQL["insert_batch_requests"], *key, list(requests))
    written = replace(batch, n=row["n"], created_at=row["created_at"], requests=len(requests))
    return written, {row["place"] for row in found}


async def hold_batch(tx: Queryable, batch: ProviderBatch, lease_s: float) -> None:
    """Extend the lease of a batch to `lease_s` seconds from now.

    Raises: LeaseLost.
    """
    await _expect(tx, "hold_batch", batch, lease_s)


async def mark_submitted(
    tx: Queryable,
    batch: ProviderBatch,
    provider_batch_id: str,
    expires_at: datetime | None,
    answered: int,
) -> ProviderBatch:
    """Mark a batch as submitted, and return it with the provider's id.

    answered: number of answers that the provider has so far. Raises: LeaseLost.
    """
    told = (provider_batch_id, expires_at, answered)
    await _expect(tx, "mark_submitted", batch, *told)
    return replace(batch, status="open", provider_batch_id=provider_batch_id, expires_at=expires_at)


async def end_batch(tx: Queryable, batch: ProviderBatch, status: Literal["ended", "lost"]) -> None:
    """End a batch as ended or lost.

    Raises: LeaseLost.
    """
    await _expect(tx, "end_batch", batch, status)


async def load_status(tx: Queryable, batch_id: str) -> BatchStatus | None:
    """Load the status of a batch, whichever process drives it, or None."""
    return await tx.fetchval(SQL["load_status"], tx.tenant_id, batch_id)


async def record_outcomes(
    tx: Queryable, batch: ProviderBatch, outcomes: Sequence[Mapping[str, Any]]
) -> set[int]:
    """Record the outcomes of a batch's requests.

    outcomes: `{"place", "status", "outcome"}` each. Returns the places of the requests that had no
    outcome yet.
    """
    found = await tx.fetch(SQL["record_outcomes"], tx.tenant_id, batch.batch_id, list(outcomes))
    return {row["place"] for row in found}


async def list_open_requests(tx: Queryable, batch: ProviderBatch) -> list[OpenRequest]:
    """List the batch's requests without an outcome."""
    found = await tx.fetch(SQL["list_open_requests"], tx.tenant_id, batch.batch_id)
    return [OpenRequest(**row) for row in found]


async def find_request(
    tx: Queryable,
    replay_id: str,
    lane: str,
    n: int,
    turn: int,
    call: int,
    fingerprint: str,
    model: tuple[str, str],
) -> RequestId | None:
    """Find the request of an equal call in an earlier batch of the replay.

    It may be open or answered. None if there is none. model: provider and name.
    """
    row = await tx.fetchrow(
        SQL["find_request"], tx.tenant_id, replay_id, lane, n, turn, call, fingerprint, *model
    )
    return None if row is None else RequestId(**row)


async def load_outcome(tx: Queryable, request: RequestId) -> KnownOutcome:
    """Load the outcome of a batch's request.

    A request that does not exist counts as failed.
    """
    row = await tx.fetchrow(SQL["load_outcome"], tx.tenant_id, request.batch_id, request.place)
    return KnownOutcome("failed", None) if row is None else KnownOutcome(**row)


async def list_known(tx: Queryable, requests: Collection[RequestId]) -> list[RequestId]:
    """Return those of `requests` that already have an outcome."""
    asked = [{"batch_id": request.batch_id, "place": request.place} for request in requests]
    found = await tx.fetch(SQL["list_known"], tx.tenant_id, asked)
    return [RequestId(**row) for row in found]


async def claim_batch(
    tx: Queryable, replay_id: str, owner: str, lease_s: float
) -> ProviderBatch | None:
    """Claim the next batch of a replay that no process drives, or None."""
    found = await leases.claim(tx, "batches", owner, lease_s, replay_id)
    return ProviderBatch(**found[0]) if found else None


async def extend_batches(
    tx: Queryable, replay_id: str, owner: str, lease_s: float, batch_ids: Collection[str]
) -> None:
    """Extend the leases of the batches that this process drives (heartbeat).

    batch_ids: those that are looked after; the lease of others may lapse.
    """
    scope = (tx.tenant_id, replay_id)
    await tx.fetch(leases.SQL["extend_batches"], owner, lease_s, [*batch_ids], *scope)


async def release_batches(
    tx: Queryable, replay_id: str, owner: str, batch_id: str | None = None
) -> None:
    """Release the owner's batches of a replay, so that another process drives them.

    batch_id: only this one.
    """
    await tx.execute(leases.SQL["release_batches"], owner, tx.tenant_id, replay_id, batch_id)


async def list_batch_ids(tx: Queryable, batch: ProviderBatch) -> set[str]:
    """Return the provider's ids of the tenant's other batches.

    Batches that are more than a day older than this one are left out.
    """
    found = await tx.fetch(SQL["list_batch_ids"], tx.tenant_id, batch.batch_id, batch.created_at)
    return {row["provider_batch_id"] for row in found}


async def drop_taken_outcomes(tx: Queryable, replay_id: str) -> None:
    """Delete the batch outcomes of a replay's succeeded items."""
    await tx.execute(SQL["drop_taken_outcomes"], tx.tenant_id, replay_id)


async def _expect(tx: Queryable, block: str, batch: ProviderBatch, *arguments: Any) -> None:
    """Run a write that needs the batch's lease.

    Raises: LeaseLost when the write found the batch in other hands.
    """
    key = (tx.tenant_id, batch.batch_id, batch.fence)
    require_held(await tx.fetchval(SQL[block], *key, *arguments), f"the batch {batch.n}")
