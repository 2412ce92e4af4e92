"""What all replicas together may ask a provider in a minute: calls wait in line, tenants in turn,
and within a tenant its users.

    take ──► the calls that wait here ──one statement for all──► those that may go
                      ▲                                                  │
                      └──── the rest, once a second ◄────────────────────┘

Which of them may go is decided in the database, where the calls of all replicas are known: see
`plainloop_take_rate`. Nothing is counted before it is used, so nothing is lost with a replica.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any, Final

from plainloop.agent.base.ids import make_id
from plainloop.agent.base.sharing.fair_queue import Party, get_party
from plainloop.agent.base.time.work_time import get_waited_s, standing_still
from plainloop.agent.config.rates import ProviderRate
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.errors import RateLimited, RatesFull, StoreError
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.rates.provider_rates import ProviderRates
from plainloop.agent.store.records import CallSettled, CallStart
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.types import sum_known

SQL: Final = load_sql(Path(__file__).parent / "rates.sql")
MAX_BATCH: Final = 500
KEPT_S: Final = 60  # so long a call counts


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A model call that waits for a rate. counted: the second in which it was released."""

    party: Party
    tokens: int
    counted: asyncio.Future[int]


@dataclass(slots=True)
class _Line:
    """Calls of this replica that wait for one rate, by tenant."""

    rate: ProviderRate
    # By tenant, in the order in which they came.
    waiting: dict[str, dict[_Waiting, None]] = field(
        default_factory=dict[str, dict[_Waiting, None]]
    )
    # What calls took beyond what was counted for them, by the second of that; told with the next.
    corrections: Counter[int] = field(default_factory=Counter[int])
    asker: asyncio.Task[None] | None = None

    def leave(self, tenant_id: str, one: _Waiting) -> None:
        """Remove a waiter from the queue."""
        own = self.waiting.get(tenant_id, {})
        own.pop(one, None)
        if not own:
            self.waiting.pop(tenant_id, None)


@dataclass(frozen=True, slots=True)
class _Made:
    """A model call in progress, and the tokens that were counted for it."""

    line: _Line
    second: int
    tokens: int


class SharedRates(ProviderRates):
    """Makes model calls wait until a provider's rate, shared by all replicas, allows them.
    rates: by "provider" or "provider:model", of which the longer name decides. Where there is none,
    nothing is done. db: works for all tenants.
    """

    def __init__(self, db: Queryable, rates: Mapping[str, ProviderRate]) -> None:
        self._db = db
        self._replica = make_id()
        self._lines = {name: _Line(rate) for name, rate in rates.items()}
        self.are_set = True
        self._made: dict[str, _Made] = {}  # by call_id

    async def take(self, start: CallStart, wait_s: float = inf) -> None:
        """Wait until the provider's rates allow this model call.

        Time limits pause meanwhile.
        wait_s: how long a run waits at most, all its calls together.

        Raises: RateLimited, not to be retried, when that is over; StoreError.
        """
        name = self._find(f"{start.provider}:{start.model}")
        if name is None:
            return
        line, most = self._lines[name], start.reserved
        tokens = most.tokens - most.output_tokens + most.usual_output if most else 0
        one = _Waiting(get_party(), tokens, asyncio.get_running_loop().create_future())
        # One task reserves for all waiting calls, in one statement instead of one for each call
        # (test_simultaneous_calls_reserve_their_rate_in_one_statement).
        line.waiting.setdefault(start.tenant_id, {})[one] = None
        if line.asker is None or line.asker.done():
            line.asker = asyncio.create_task(self._ask(name, line))
        left_s = wait_s - get_waited_s()
        try:
            # The wait for a rate must not use up the run's own time limit
            # (test_waiting_for_a_rate_does_not_use_up_the_runs_time).
            with standing_still():
                async with asyncio.timeout(None if left_s == inf else left_s):
                    second = await one.counted
        except TimeoutError as error:
            raise RatesFull(
                f"the limits in [rates.{name}] allowed no further call for {wait_s:g} s",
                hint="Try again later. AGENT_LIMITS_RATE_WAIT_S sets how long a run may wait.",
            ) from error
        finally:
            line.leave(start.tenant_id, one)
        while self._made and next(iter(self._made.values())).second < second - KEPT_S:
            del self._made[next(iter(self._made))]  # it counts no longer
        self._made[start.call_id] = _Made(line, second, tokens)

    def settle(self, calls: Sequence[CallSettled]) -> None:
        """Correct the provider rates by what ended calls actually used."""
        for call in calls if self._made else ():
            took = sum_known(call.usage.input_total, call.usage.output_total)
            made = self._made.pop(call.call_id, None)
            if made is not None and (call.took_nothing or took is not None):
                made.line.corrections[made.second] += (took or 0) - made.tokens

    @asynccontextmanager
    async def heeded(self, label: str) -> AsyncGenerator[None]:
        """Pause a provider's calls on all replicas if the block raises RateLimited."""
        try:
            yield
        except RateLimited as error:
            name = self._find(label)
            if name is not None and error.retry_after_s:
                with suppress(StoreError):  # then the next one hears it from the provider
                    await self._db.execute(SQL["pause_rate"], name, error.retry_after_s)
            raise

    def close(self) -> None:
        """Stop the tasks that let waiting model calls proceed."""
        for line in self._lines.values():
            if line.asker is not None:
                line.asker.cancel()

    def _find(self, label: str) -> str | None:
        """Return the name of the rate for "provider:model": the longer name first."""
        return next(
            (name for name in (label, label.partition(":")[0]) if name in self._lines), None
        )

    async def _ask(self, name: str, line: _Line) -> None:
        """Query the database for free room in a rate while any call waits for it."""
        try:
            while line.waiting:
                wait_s = await self._ask_once(name, line)
                if line.waiting and wait_s:
                    # Room comes with a new second; not everybody asks in the same moment of it.
                    await asyncio.sleep(wait_s + random.uniform(0.01, 0.05))
        except Exception as error:  # noqa: BLE001 it is that of those who wait
            for one in [one for own in line.waiting.values() for one in own]:
                if not one.counted.done():
                    one.counted.set_exception(error)

    async def _ask_once(self, name: str, line: _Line) -> float:
        """Release the calls that a rate allows now; return seconds until the next query.
        0: all of them were released.
        """
        each = max(1, MAX_BATCH // len(line.waiting))
        first = {tenant_id: _order_by_turns(own)[:each] for tenant_id, own in line.waiting.items()}
        asked: list[dict[str, Any]] = [
            {"tenant_id": tenant_id, "n": n, "tokens": one.tokens}
            for tenant_id, own in first.items()
            for n, one in enumerate(own)
        ]
        told, line.corrections = line.corrections, Counter()
        try:
            rows = await self._db.call(
                "plainloop_take_rate",
                rate=name,
                replica=self._replica,
                requests=line.rate.requests_per_minute,
                tokens=line.rate.tokens_per_minute,
                asked=asked,
                corrections=[{"second": second, "tokens": more} for second, more in told.items()],
            )
        except StoreError:  # sent again (test_a_failed_rate_request_loses_no_settled_tokens)
            line.corrections.update(told)
            raise
        for row in rows:
            for one in first.get(row["whose"], [])[: row["taken"]]:
                line.leave(row["whose"], one)
                if not one.counted.done():
                    one.counted.set_result(row["in_second"])
        if sum(row["taken"] for row in rows) == len(asked):
            return 0.0
        return max(row["wait_s"] for row in rows)


def _order_by_turns(own: Iterable[_Waiting]) -> list[_Waiting]:
    """Order a tenant's waiting calls so that each user's first precedes all second ones."""
    places, ranked = Counter[Party](), list[tuple[int, int]]()
    calls = [*own]
    for n, one in enumerate(calls):
        ranked.append((places[one.party], n))
        places[one.party] += 1
    return [calls[n] for _, n in sorted(ranked)]
