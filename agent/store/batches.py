"""Batches at a provider as rows: written before they are handed in, claimed like items."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, Literal

from ..errors import LeaseLost
from .database import Queryable
from .ownership import is_owner_dead
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "waves.sql")

WaveStatus = Literal["submitting", "open", "ended", "lost"]
RequestStatus = Literal["open", "succeeded", "failed"]


@dataclass(frozen=True, slots=True)
class Wave:
    """A batch as its owner holds it: every write names `fence`.

    handle: `{"lane", "role", "worker", "place"}`, whose settings have the key and the address.
    """

    wave_id: str
    n: int  # 1, 2, 3 … within the replay
    provider: str
    model: str
    endpoint: str
    handle: dict[str, Any]
    status: WaveStatus
    batch_id: str | None  # the provider's; None: not known that it has it
    requests: int
    fence: int
    created_at: datetime
    expires_at: datetime | None

    @property
    def mark(self) -> str:
        """What the provider's batch is known by."""
        return self.wave_id.replace("-", "")


@dataclass(frozen=True, slots=True)
class RequestId:
    """One request of a wave."""

    wave_id: str
    place: int

    @property
    def custom_id(self) -> str:
        """
        >>> RequestId("01a1fd20-2c90-7328-bbf5-7ba7f43a251a", 7).custom_id
        '01a1fd202c907328bbf57ba7f43a251a-7'
        """
        return f"{self.wave_id.replace('-', '')}-{self.place}"


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request without an outcome. estimated_input_tokens: by the ledger."""

    place: int
    call_id: str
    estimated_input_tokens: int


@dataclass(frozen=True, slots=True)
class KnownOutcome:
    """outcome None: taken already, or none came. is_lost: the provider never had the request."""

    status: RequestStatus
    outcome: dict[str, Any] | None
    is_lost: bool


@dataclass(frozen=True, slots=True)
class Committed:
    """What a replay's requests without an outcome may cost at most."""

    most_usd: Decimal
    requests: int
    unpriced: int


async def lock_replay(tx: Queryable, replay_id: str) -> tuple[bool, Decimal | None]:
    """Until the transaction's end: whether the replay is to stop, and what it may cost."""
    row = await tx.fetchrow(SQL["lock_replay"], tx.tenant_id, replay_id)
    return (True, None) if row is None else (row["cancel_requested"], row["max_cost_usd"])


async def load_committed(tx: Queryable, replay_id: str) -> Committed:
    row = await tx.fetchrow(SQL["load_committed"], tx.tenant_id, replay_id)
    assert row is not None
    return Committed(Decimal(row["most_usd"]), row["requests"], row["unpriced"])


async def has_wave(tx: Queryable, wave_id: str) -> bool:
    return await tx.fetchval(SQL["find_wave"], tx.tenant_id, wave_id) is not None


async def insert_wave(
    tx: Queryable,
    replay_id: str,
    user_id: str,
    wave: Wave,
    requests: Sequence[Mapping[str, Any]],
    owner: str,
    lease_s: float,
) -> tuple[Wave, set[int]]:
    """Write a wave and its requests down; the wave with its number, and the places written: not
    those of items that have gone to somebody else.

    requests: `{"place", "lane", "n", "turn", "call", "call_id", "fingerprint", "most_usd",
    "fence"}` each.
    """
    row = await tx.fetchrow(
        SQL["insert_wave"],
        tx.tenant_id,
        wave.wave_id,
        replay_id,
        user_id,
        wave.provider,
        wave.model,
        wave.endpoint,
        wave.handle,
        len(requests),
        owner,
        lease_s,
    )
    assert row is not None
    found = await tx.fetch(
        SQL["insert_wave_requests"], tx.tenant_id, wave.wave_id, replay_id, list(requests)
    )
    written = replace(wave, n=row["n"], created_at=row["created_at"], requests=len(requests))
    return written, {row["place"] for row in found}


async def hold_wave(tx: Queryable, wave: Wave, lease_s: float) -> None:
    """Nobody gives it up for so long from now on. Raises: LeaseLost."""
    await _expect(tx, "hold_wave", wave, wave.wave_id, wave.fence, lease_s)


async def mark_submitted(
    tx: Queryable, wave: Wave, batch_id: str, expires_at: datetime | None, answered: int
) -> Wave:
    """The provider has it, and so far has answered so many. Raises: LeaseLost."""
    await _expect(
        tx, "mark_submitted", wave, wave.wave_id, batch_id, expires_at, answered, wave.fence
    )
    return replace(wave, status="open", batch_id=batch_id, expires_at=expires_at)


async def end_wave(tx: Queryable, wave: Wave, status: Literal["ended", "lost"]) -> None:
    """Raises: LeaseLost."""
    await _expect(tx, "end_wave", wave, wave.wave_id, status, wave.fence)


async def load_wave(tx: Queryable, wave_id: str) -> tuple[WaveStatus, str | None] | None:
    """Its status and the provider's id, whoever looks after it."""
    row = await tx.fetchrow(SQL["load_wave"], tx.tenant_id, wave_id)
    return None if row is None else (row["status"], row["batch_id"])


async def record_outcomes(
    tx: Queryable, wave: Wave, outcomes: Sequence[Mapping[str, Any]]
) -> set[int]:
    """outcomes: `{"place", "status", "outcome"}` each. Returns: the places that were still open."""
    found = await tx.fetch(SQL["record_outcomes"], tx.tenant_id, wave.wave_id, list(outcomes))
    return {row["place"] for row in found}


async def list_open_requests(tx: Queryable, wave: Wave) -> list[OpenRequest]:
    found = await tx.fetch(SQL["list_open_requests"], tx.tenant_id, wave.wave_id)
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
    """The same call, handed in before: on its way, or answered. model: provider and name."""
    row = await tx.fetchrow(
        SQL["find_request"], tx.tenant_id, replay_id, lane, n, turn, call, fingerprint, *model
    )
    return None if row is None else RequestId(**row)


async def load_outcome(tx: Queryable, request: RequestId) -> KnownOutcome:
    row = await tx.fetchrow(SQL["load_outcome"], tx.tenant_id, request.wave_id, request.place)
    return KnownOutcome("failed", None, True) if row is None else KnownOutcome(**row)


async def list_known(tx: Queryable, requests: Collection[RequestId]) -> list[RequestId]:
    """Those that have an outcome."""
    asked = [{"wave_id": request.wave_id, "place": request.place} for request in requests]
    found = await tx.fetch(SQL["list_known"], tx.tenant_id, asked)
    return [RequestId(**row) for row in found]


async def claim_wave(tx: Queryable, replay_id: str, owner: str, lease_s: float) -> Wave | None:
    """The next wave that nobody looks after, now ours; None when there is none."""
    owners = await tx.fetch(SQL["list_wave_owners"], tx.tenant_id, replay_id)
    dead = [row["owner"] for row in owners if is_owner_dead(row["owner"])]
    row = await tx.fetchrow(SQL["claim_wave"], tx.tenant_id, replay_id, owner, lease_s, dead)
    return None if row is None else Wave(**row)


async def extend_waves(
    tx: Queryable, replay_id: str, owner: str, lease_s: float, wave_ids: Collection[str]
) -> None:
    """The heartbeat. wave_ids: those that are looked after; the lease of others may lapse."""
    await tx.execute(SQL["extend_waves"], tx.tenant_id, replay_id, owner, lease_s, list(wave_ids))


async def release_waves(
    tx: Queryable, replay_id: str, owner: str, wave_id: str | None = None
) -> None:
    """wave_id: only this one."""
    await tx.execute(SQL["release_waves"], tx.tenant_id, replay_id, owner, wave_id)


async def list_batch_ids(tx: Queryable, wave: Wave) -> set[str]:
    """The provider's ids of the tenant's other waves of about that time."""
    found = await tx.fetch(SQL["list_batch_ids"], tx.tenant_id, wave.wave_id, wave.created_at)
    return {row["batch_id"] for row in found}


async def count_waves(tx: Queryable, replay_id: str) -> dict[WaveStatus, int]:
    found = await tx.fetch(SQL["count_waves"], tx.tenant_id, replay_id)
    return {row["status"]: row["waves"] for row in found}


async def drop_taken_outcomes(tx: Queryable, replay_id: str) -> None:
    await tx.execute(SQL["drop_taken_outcomes"], tx.tenant_id, replay_id)


async def _expect(tx: Queryable, block: str, wave: Wave, *arguments: Any) -> None:
    """Raises: LeaseLost when the write found the wave in other hands."""
    if await tx.fetchval(SQL[block], tx.tenant_id, *arguments) is None:
        raise LeaseLost(f"the wave {wave.n} has gone to another process")
