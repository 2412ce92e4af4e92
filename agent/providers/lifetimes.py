"""Choose how long providers keep a prompt cached: measured hourly per tenant, model and worker.

A longer lifetime costs more to write, and saves a whole prompt when the user returns between the
two. Measured are the pauses of recent threads, from one answer to the next.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal

from ..base.caching.bounded import BoundedCache
from ..base.caching.functions import cached_by_bytes
from ..base.copies import replace
from ..dataclasses import dataclass
from ..store.connecting.queryable import Queryable
from ..store.ledger import load_recent_threads
from ..store.records import RecentThread
from ..types import CacheFor, ChatRequest, LLMResponse, Record, Usage
from .defaults import CacheOffer, find_cache_offer
from .model_handle import CachePlanner, ModelHandle
from .pricing import OFFLINE, SLOT_S, Prices

MEASURE_EVERY_S: Final = 3600
# As the weight of a prior: with 12, simulated threads cost at most 6 % more than with the better
# lifetime fixed. Without it one long pause would double the price of all writes
# (tests/providers/test_lifetimes.py::test_too_few_pauses_do_not_lengthen_the_cache_lifetime).
MIN_PAUSES: Final = 12  # with fewer, the missing ones count as short
NEW_SHARE: Final = 0.1  # of a prompt's tokens, until it is measured
# Most models cache no prefix below 1,024 tokens, so cache reads of shorter prompts do not count.
MIN_PROMPT_TOKENS: Final = 1024  # reads of shorter prompts say nothing
LATE_CALLS: Final = 10  # compared with all before them
_ENTRY_BYTES: Final = 300

Mode = Literal["auto", "short", "long"]


@dataclass(frozen=True, slots=True)
class CacheCosts:
    """Token prices as multiples of the price of an uncached input token."""

    write: float = 1.25
    write_long: float = 2.0
    read: float = 0.1


_USUAL_COSTS: Final = CacheCosts()


class Measured(Record, frozen=True):
    """The cache lifetime chosen for a tenant's calls of a model and worker, and the reason."""

    at_s: float = -MEASURE_EVERY_S
    cache_for: CacheFor = "short"
    notes: tuple[str, ...] = ()
    fall: str | None = None  # that less is read from caches than before


def is_long_cheaper(
    between: float, beyond: float, new_share: float, costs: CacheCosts = _USUAL_COSTS
) -> bool:
    """Return whether the longer cache lifetime makes calls cheaper on average.

    between, beyond: shares of the pauses that are between the two lifetimes, or beyond the longer.
    new_share: share of a prompt's tokens that no earlier prompt had.

    >>> is_long_cheaper(0.05, 0.0, 0.2), is_long_cheaper(0.3, 0.1, 0.1)
    (False, True)
    """
    cold, old = between + beyond, 1 - new_share
    short = (1 - cold) * (costs.read * old + costs.write * new_share) + cold * costs.write
    warm = costs.read * old + costs.write_long * new_share
    return (1 - beyond) * warm + beyond * costs.write_long < short


def count_pauses(times: Iterable[Sequence[float]], offer: CacheOffer) -> tuple[int, int, int]:
    """Count pauses in threads as (all, between the two cache lifetimes, longer than both).

    >>> offer = CacheOffer(".*", "5m", 300, "1h", 3600)
    >>> count_pauses([[0.0, 60.0, 960.0], [0.0, 9_000.0]], offer)
    (3, 1, 1)
    """
    counts = [0, 0, 0]
    for thread in times:
        for before, after in pairwise(thread):
            counts[bisect_left((offer.short_s, offer.long_s), after - before)] += 1
    return sum(counts), counts[1], counts[2]


def choose_lifetime(
    threads: Sequence[RecentThread], offer: CacheOffer, costs: CacheCosts
) -> tuple[CacheFor, str]:
    """Return the cheapest prompt cache lifetime for threads with these pauses, and the reason.

    The reason is "" if there were no pauses to choose by.
    """
    total, between, beyond = count_pauses([thread.answered for thread in threads], offer)
    enough = max(total, MIN_PAUSES)
    kept, cache_for = offer.short, "short"
    if is_long_cheaper(between / enough, beyond / enough, measure_new_share(threads), costs):
        kept, cache_for = offer.long, "long"
    # Tools and instructions are shared: short threads, one every ten minutes, would each write them
    # again (test_the_shared_prefix_is_cached_longer_if_calls_are_rare).
    elif _is_stable_part_rare(threads, offer, costs):
        kept, cache_for = f"{offer.long}, the messages {offer.short}", "stable"
    reason = (
        f"cache asked for {kept}: {between} of {total} recent pauses were between "
        f"{offer.short} and {offer.long}, {beyond} longer"
    )
    return cache_for, reason if total or cache_for != "short" else ""


def _is_stable_part_rare(
    threads: Sequence[RecentThread], offer: CacheOffer, costs: CacheCosts
) -> bool:
    """Whether instructions and tools, which all threads share, would expire between calls."""
    called = sorted(at for thread in threads for at in thread.called)
    total, between, beyond = count_pauses([called], offer)
    enough = max(total, MIN_PAUSES)
    return is_long_cheaper(between / enough, beyond / enough, 0.0, costs)


def measure_new_share(threads: Iterable[RecentThread]) -> float:
    """Return the share (0 to 1) of prompt tokens that are new in their thread, or a default."""
    new = total = 0
    for thread in threads:
        is_whole = len(thread.answered) <= len(thread.called)
        sizes = (0, *thread.tokens) if is_whole else thread.tokens
        for before, size in pairwise(sizes):
            new, total = new + max(0, size - before), total + size
    return new / total if total else NEW_SHARE


def find_fall(threads: Iterable[RecentThread]) -> str | None:
    """Describe a drop of prompt cache reads to less than half of the usual share; else None."""
    shares: list[tuple[float, float]] = []
    for thread in threads:
        sizes = pairwise(thread.tokens)
        for (before, size), at, read in zip(sizes, thread.called[1:], thread.read[1:], strict=True):
            again = min(before, size)
            if read is not None and again >= MIN_PROMPT_TOKENS:
                shares.append((at, min(1.0, read / again)))
    in_order = [share for _, share in sorted(shares)]
    first, late = in_order[:-LATE_CALLS], in_order[-LATE_CALLS:]
    if len(first) < LATE_CALLS:
        return None
    usual, now = sum(first) / len(first), sum(late) / len(late)
    if now >= usual / 2:
        return None
    return (
        f"of what was sent before, {now * 100:.0f} % is read from the provider's cache, "
        f"usually {usual * 100:.0f} %"
    )


def read_costs(handle: ModelHandle, offer: CacheOffer) -> CacheCosts:
    """Return how much prompt cache reads and writes cost, as factors of the input price."""
    slot = int(time.time()) // SLOT_S
    return _read_costs(handle.prices, handle.provider, handle.model, offer, slot)


@cached_by_bytes()
def _read_costs(
    prices: Prices, provider: str, model: str, offer: CacheOffer, slot: int
) -> CacheCosts:
    """Return cache costs for a quarter of an hour, in which no price changes."""
    counts = ("input_tokens", "cache_write_tokens", "cache_write_long_tokens", "cache_read_tokens")
    usages = (replace(Usage(output_tokens=0), **{name: 10_000}) for name in counts)
    priced = (prices.price(provider, model, usage) for usage in usages)
    plain, *others = (cost.amount for cost in priced)
    if not plain or None in others:
        return CacheCosts(write_long=offer.long_write)
    return CacheCosts(*(float(amount / plain) for amount in others if amount is not None))


class Pauses(CachePlanner):
    """A cache planner that chooses lifetimes by the pauses in this process's threads."""

    def __init__(self, mode: Mode = "auto", clock: Callable[[], float] = time.time) -> None:
        """Start without measurements. mode: `short` or `long` always gives that lifetime."""
        self._mode: Mode = mode
        self._clock = clock
        self._measured = BoundedCache()
        self._answer_ids = BoundedCache()

    async def plan_call(
        self, request: ChatRequest, handle: ModelHandle, db: Queryable, role: str, worker: str
    ) -> tuple[ChatRequest, ModelHandle]:
        """Return the request and handle with the prompt cache lifetime that is probably cheapest.

        The pauses are re-read from the database hourly. worker: "" for roles without one.
        """
        key = (db.tenant_id, handle.label, role, worker)
        measured, _ = self._measured.get(key) or (Measured(), 0)
        alarm = None
        # A thread's first request has no pauses.
        is_due = self._clock() - measured.at_s > MEASURE_EVERY_S and len(request.messages) > 1
        if is_due and handle.provider != OFFLINE:
            # Stored before the query, so that only one of simultaneous calls measures. If the query
            # fails, the old choice holds for the hour.
            self._keep(key, replace(measured, at_s=self._clock()))  # others do not wait
            was_low = measured.fall is not None
            threads = await load_recent_threads(db, *key[1:])
            if request.cache_key is None:  # only what threads share is cached
                threads = [replace(thread, answered=()) for thread in threads]
            measured = self._measure(handle, threads)
            self._keep(key, measured)
            alarm = None if was_low else measured.fall
        request = self._apply(request, measured, handle)
        return request, replace(
            handle, is_long=request.cache_for != "short", notes=measured.notes, cache_alarm=alarm
        )

    def note_answer(self, handle: ModelHandle, thread_id: str, answer: LLMResponse) -> None:
        """Keep the provider's id of a thread's last answer, for its next call's cache diagnosis."""
        if answer.response_id is not None:
            key, size = (handle.label, thread_id), len(answer.response_id)
            self._answer_ids.put(key, answer.response_id, _ENTRY_BYTES + size)

    def _keep(self, key: tuple[str, ...], measured: Measured) -> None:
        self._measured.put(key, measured, _ENTRY_BYTES)

    def _measure(self, handle: ModelHandle, threads: Sequence[RecentThread]) -> Measured:
        now, fall = self._clock(), find_fall(threads)
        offer = find_cache_offer(handle.provider, handle.model)
        if self._mode != "auto" or offer is None or offer.long is None:
            return Measured(now, fall=fall)
        cache_for, reason = choose_lifetime(threads, offer, read_costs(handle, offer))
        return Measured(now, cache_for, (reason,) if reason else (), fall)

    def _apply(self, request: ChatRequest, measured: Measured, handle: ModelHandle) -> ChatRequest:
        """Return the request with its lifetime. Without a thread (one question to a role) only the
        stable part is kept for others.
        """
        offer = find_cache_offer(handle.provider, handle.model)
        cache_for = measured.cache_for if self._mode == "auto" else self._mode
        if offer is None or offer.long is None:
            cache_for = "short"
        before = None
        if request.cache_key is not None:
            before, _ = self._answer_ids.get((handle.label, request.cache_key)) or (None, 0)
        elif cache_for == "long":
            cache_for = "stable"
        return replace(request, cache_for=cache_for, answered_before=before)
