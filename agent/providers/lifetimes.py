"""How long a prompt's cache is asked to live: by the pauses of its thread and of its tenant.

A longer lifetime costs more to write and saves a whole prompt when somebody comes back between the
two. Chosen anew only where the prefix must be written anyway: what is warm keeps its lifetime.
Pauses are counted from the start of a request to the start of the next.
"""

from __future__ import annotations

import hashlib
import time
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, Literal

from ..base.caching.functions import cached_by_bytes, cached_by_identity
from ..store.ledger import load_answer_times, load_tenants_answer_times
from ..types import CacheFor, ChatRequest, LLMResponse, ToolSchema, Usage
from .defaults import CacheOffer, find_cache_offer
from .model_handle import ModelHandle, Transactions
from .pricing import SLOT_S, Prices

EDGES_S: Final = (300, 1800, 3600, 43_200)  # every lifetime of the table is one of them
PRIOR_CALLS: Final = 12  # as many calls of a thread weigh what its tenant's do together
NEW_SHARE: Final = 0.1  # of a prompt, until a tenant's own share is known
# What threads share is written seldom: a few long pauses more would make the longer time dearer.
STABLE_CARE: Final = 1.5
SMALLEST: Final = 512  # tokens; shorter prompts are cached by nobody
USUAL_CALLS: Final = 200  # of a tenant: what is usual is their average
LATE_CALLS: Final = 10
_MOST_THREADS: Final = 20_000

Mode = Literal["auto", "short", "long"]
Lost = tuple[int, bool]  # tokens, and whether a pause lost them; else the prompt's beginning did


@dataclass(frozen=True, slots=True)
class CacheCosts:
    """Holds what tokens cost, as multiples of an uncached one."""

    write: float = 1.25
    write_long: float = 2.0
    read: float = 0.1


@dataclass(slots=True)
class ReadShares:
    """Watches how much of what could be read from a provider's cache was, over a tenant's calls.

    >>> shares = ReadShares()
    >>> for share in [0.9] * 40 + [0.0] * 10:
    ...     shares.learn(share)
    >>> shares.take_alarm()
    "of what was sent before, 35 % is read from the provider's cache, usually 73 %"
    >>> shares.take_alarm()
    """

    calls: int = 0
    usual: float = 0.0
    late: float = 0.0
    is_low: bool = False
    alarm: str | None = None

    def learn(self, share: float) -> None:
        """Take in a call's. It has fallen where the late ones are half of what is usual."""
        self.calls += 1
        self.usual += (share - self.usual) / min(self.calls, USUAL_CALLS)
        self.late += (share - self.late) / min(self.calls, LATE_CALLS)
        if self.calls > 2 * LATE_CALLS and self.late < self.usual / 2 and not self.is_low:
            self.is_low = True
            told = (
                "of what was sent before, {:.0%} is read from the provider's cache, usually {:.0%}"
            )
            self.alarm = told.format(self.late, self.usual).replace("%", " %")
        self.is_low = self.is_low and self.late < 0.8 * self.usual

    def take_alarm(self) -> str | None:
        """Return what is to be told, once per fall."""
        alarm, self.alarm = self.alarm, None
        return alarm


@dataclass(slots=True)
class Gaps:
    """Counts pauses by how long they were, and how much of each prompt was new."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(EDGES_S) + 1))
    new_tokens: float = 0.0
    tokens: float = 0.0
    shares: ReadShares = field(default_factory=ReadShares)

    @property
    def total(self) -> int:
        return sum(self.counts)

    def add(self, gap_s: float, count: int = 1) -> None:
        self.counts[bisect_left(EDGES_S, gap_s)] += count

    def split(self, short_s: int, long_s: int) -> tuple[int, int]:
        """How many lay between the two lifetimes, and how many beyond the longer."""
        first, last = bisect_left(EDGES_S, short_s) + 1, bisect_left(EDGES_S, long_s) + 1
        return sum(self.counts[first:last]), sum(self.counts[last:])


@dataclass(slots=True)
class _Prefix:
    """A thread's prompts, or a stable part that threads share, as last asked for."""

    gaps: Gaps = field(default_factory=Gaps)
    at_s: float | None = None
    is_cold: bool = True  # the last request came after what was cached had expired
    is_long: bool = False
    lifetime_s: int = EDGES_S[0]
    tokens: int = 0  # of the last prompt, as the provider counted it
    answer_id: str | None = None  # the provider's own id of what it answered last

    def touch(self, now: float, *others: Gaps) -> None:
        """Take note of a request."""
        self.is_cold = self.at_s is None or now - self.at_s > self.lifetime_s
        if self.at_s is not None:
            for gaps in (self.gaps, *others):
                gaps.add(now - self.at_s)
        self.at_s = now

    def keep(self, offer: CacheOffer, *, is_long: bool) -> None:
        self.is_long = is_long
        self.lifetime_s = offer.long_s if is_long else offer.short_s


def is_long_cheaper(
    between: float, beyond: float, new_share: float, costs: CacheCosts = CacheCosts()
) -> bool:
    """Compare what a call costs on the average. between, beyond: shares of the pauses; new_share:
    of a prompt's tokens those that no earlier one had.

    >>> is_long_cheaper(0.05, 0.0, 0.2), is_long_cheaper(0.3, 0.1, 0.1)
    (False, True)
    """
    cold, old = between + beyond, 1 - new_share
    short = (1 - cold) * (costs.read * old + costs.write * new_share) + cold * costs.write
    warm = costs.read * old + costs.write_long * new_share
    return (1 - beyond) * warm + beyond * costs.write_long < short


def weigh_gaps(own: Gaps, tenant: Gaps, offer: CacheOffer) -> tuple[float, float, float]:
    """The shares that `is_long_cheaper` takes: the thread's own counts, and its tenant's as so many
    calls as PRIOR_CALLS. Where neither is known there are no pauses.
    """
    between, beyond = own.split(offer.short_s, offer.long_s)
    among, past = tenant.split(offer.short_s, offer.long_s)
    weight = PRIOR_CALLS / max(1, tenant.total)
    total = own.total + PRIOR_CALLS
    known = tenant.new_tokens / tenant.tokens if tenant.tokens else NEW_SHARE
    share = own.new_tokens / own.tokens if own.tokens else known
    share = (share * own.total + known * PRIOR_CALLS) / total
    return (between + among * weight) / total, (beyond + past * weight) / total, share


def read_costs(handle: ModelHandle, offer: CacheOffer) -> CacheCosts:
    """The list's, or the operator's own factors; where no price is known, the usual ones."""
    slot = int(time.time()) // SLOT_S
    return _read_costs(handle.prices, handle.provider, handle.model, offer, slot)


@cached_by_bytes()
def _read_costs(
    prices: Prices, provider: str, model: str, offer: CacheOffer, slot: int
) -> CacheCosts:
    """The costs within a quarter of an hour, in which no price changes."""
    counts = ("input_tokens", "cache_write_tokens", "cache_write_long_tokens", "cache_read_tokens")
    usages = (replace(Usage(output_tokens=0), **{name: 10_000}) for name in counts)
    priced = (prices.price(provider, model, usage) for usage in usages)
    plain, *others = (cost.amount for cost in priced)
    if not plain or None in others:
        return CacheCosts(write_long=offer.long_write)
    return CacheCosts(*(float(amount / plain) for amount in others if amount is not None))


class Pauses:
    """Knows the pauses in the threads of a process, and chooses by them."""

    def __init__(self, mode: Mode = "auto", clock: Callable[[], float] = time.time) -> None:
        """Know nothing yet. mode: `short` or `long` choose nothing."""
        self._mode: Mode = mode
        self._clock = clock
        self._tenants: dict[str, Gaps] = {}
        self._prefixes: OrderedDict[tuple[str, str, str], _Prefix] = OrderedDict()

    def start(self, tenant_id: str, times: Iterable[Sequence[float]]) -> None:
        """Begin with the answers' times of some of the tenant's threads, each in order."""
        gaps = self._tenants.setdefault(tenant_id, Gaps())
        for thread in times:
            for before, after in pairwise(thread):
                gaps.add(after - before)

    async def plan_call(
        self, request: ChatRequest, handle: ModelHandle, store: Transactions, tenant_id: str
    ) -> tuple[ChatRequest, ModelHandle]:
        """Return the request and the model with the lifetimes of this call. What the database
        knows of the thread's pauses and its tenant's is read where it is not known here.
        """
        key, label = request.cache_key, handle.label
        has_past = bool(key) and len(request.messages) > 1  # a replayed one has no thread
        needs_tenant = tenant_id not in self._tenants
        if has_past and self._needs_past(tenant_id, handle, key or ""):
            async with store.transaction(tenant_id) as tx:
                if needs_tenant:
                    self.start(tenant_id, await load_tenants_answer_times(tx))
                self.start_thread(
                    tenant_id, label, key or "", await load_answer_times(tx, key or "")
                )
        request, note = self.plan(request, tenant_id, handle)
        notes = () if note is None else (note,)
        is_long = request.cache_for != "short"
        alarm = self._tenants[tenant_id].shares.take_alarm()
        told = {"cache_key": key, "notes": notes, "cache_alarm": alarm}
        return request, replace(handle, is_long=is_long, **told)

    def weigh(self, handle: ModelHandle, tenant_id: str, answer: LLMResponse) -> dict[str, str]:
        """Return what the cache saved in this call, and what was lost with it, as columns of the
        ledger.
        """
        usage = answer.usage
        if handle.cache_key is not None:
            self._find(tenant_id, handle.label, handle.cache_key).answer_id = answer.response_id
        lost, is_pause = self._learn(tenant_id, handle.label, handle.cache_key, usage)
        weighed: dict[str, tuple[Usage, Usage]] = {}
        if usage.cache_read_tokens or usage.written_total:
            paid = replace(usage, output_tokens=0, reasoning_tokens=None)
            sent = Usage(input_tokens=usage.input_total, output_tokens=0)
            weighed["cache_saved_usd"] = (sent, paid)
        if lost:
            is_long = bool(usage.cache_write_long_tokens)
            written = "cache_write_long_tokens" if is_long else "cache_write_tokens"
            kind = written if usage.written_total else "input_tokens"
            nothing = Usage(input_tokens=0, output_tokens=0)
            again = replace(nothing, **{kind: lost})
            read = replace(nothing, cache_read_tokens=lost)
            weighed["pause_loss_usd" if is_pause else "prefix_loss_usd"] = (again, read)
        found: dict[str, str] = {}
        for name, pair in weighed.items():
            priced = (handle.prices.price(handle.provider, handle.model, each) for each in pair)
            more, less = (cost.amount for cost in priced)
            if more is not None and less is not None:
                found[name] = f"{more - less:f}"
        return found

    def _needs_past(self, tenant_id: str, handle: ModelHandle, key: str) -> bool:
        """Whether a thread's past is to be read: it is not known here, or another replica may have
        gone on with it meanwhile.
        """
        offer = find_cache_offer(handle.provider, handle.model)
        if offer is None or offer.long is None or self._mode != "auto":
            return False
        known = self._prefixes.get((tenant_id, handle.label, key))
        return known is None or self._clock() - (known.at_s or 0.0) > EDGES_S[0]

    def start_thread(self, tenant_id: str, label: str, key: str, times: Sequence[float]) -> None:
        """Take in when the thread's answers came, in order."""
        seen = self._find(tenant_id, label, key)
        if not times:
            return
        seen.gaps.counts = Gaps().counts
        for before, after in pairwise(times):
            seen.gaps.add(after - before)
        seen.at_s = max(seen.at_s or 0.0, times[-1])

    def plan(
        self, request: ChatRequest, tenant_id: str, handle: ModelHandle
    ) -> tuple[ChatRequest, str | None]:
        """The request with its lifetimes, and what to tell of them.

        Without a thread (one question to a role) only the stable part is kept for others.
        """
        now, label = self._clock(), handle.label
        tenant = self._tenants.setdefault(tenant_id, Gaps())
        thread, before = None, request.answered_before
        if request.cache_key is not None:
            thread = self._find(tenant_id, label, request.cache_key)
            thread.touch(now, tenant)
            before = thread.answer_id
        offer = find_cache_offer(handle.provider, handle.model)
        if offer is None or offer.long is None or self._mode == "short":
            return replace(request, answered_before=before), None
        stable = self._find("", label, hash_stable_part(request))
        stable.touch(now)
        costs = read_costs(handle, offer)
        is_long = thread is not None and thread.is_long
        if self._mode == "long":
            is_long = thread is not None
        elif thread is not None and thread.is_cold:
            is_long = is_long_cheaper(*weigh_gaps(thread.gaps, tenant, offer), costs)
        if thread is not None:
            thread.keep(offer, is_long=is_long)
        is_stable = is_long or stable.is_long or self._mode == "long"
        if stable.is_cold and not is_long and self._mode == "auto":
            between, beyond, _ = weigh_gaps(stable.gaps, Gaps(), offer)
            is_stable = is_long_cheaper(between, beyond * STABLE_CARE, 0.0, costs)
        stable.keep(offer, is_long=is_stable)
        chosen: CacheFor = "long" if is_long else "stable" if is_stable else "short"
        own = (thread or stable).gaps
        between, beyond = own.split(offer.short_s, offer.long_s)
        kept = {"long": offer.long, "stable": f"{offer.long}, the messages {offer.short}"}
        note = (
            f"cache asked for {kept.get(chosen, offer.short)}: {between} of {own.total} pauses "
            f"were between {offer.short} and {offer.long}, {beyond} longer"
        )
        return replace(request, cache_for=chosen, answered_before=before), note

    def _learn(self, tenant_id: str, label: str, key: str | None, usage: Usage) -> Lost:
        """Take in what a prompt was, and return how much of the one before was not read again."""
        total = usage.input_total
        if key is None or not total or usage.source != "provider":
            return 0, False
        seen = self._find(tenant_id, label, key)
        before, seen.tokens = seen.tokens, total
        for gaps in (seen.gaps, self._tenants.setdefault(tenant_id, Gaps())):
            gaps.tokens += total
            gaps.new_tokens += max(0, total - before)
        lost = min(before, total) - (usage.cache_read_tokens or 0)
        if usage.cache_read_tokens is not None and before >= 2 * SMALLEST:
            self._tenants[tenant_id].shares.learn(1 - max(0, lost) / min(before, total))
        is_told = usage.cache_read_tokens is not None and lost >= SMALLEST <= before / 2
        return (lost if is_told else 0), seen.is_cold

    def _find(self, tenant_id: str, label: str, key: str) -> _Prefix:
        name = (tenant_id, label, key)
        found = self._prefixes.setdefault(name, _Prefix())
        self._prefixes.move_to_end(name)
        if len(self._prefixes) > _MOST_THREADS:
            self._prefixes.popitem(last=False)
        return found


def hash_stable_part(request: ChatRequest) -> str:
    """The name of what other threads' requests have as well: their tools and their instructions."""
    stable = request.system.encode() + _write_tools(request.tools)
    return hashlib.blake2b(stable, digest_size=12).hexdigest()


@cached_by_identity(lambda written: 5 * len(written))
def _write_tools(tools: Sequence[ToolSchema]) -> bytes:
    parts = (f"\x1e{tool.name}\x1f{tool.description}\x1f{tool.parameters}" for tool in tools)
    return "".join(parts).encode()
