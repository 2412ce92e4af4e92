"""What a live replay will cost, from what its conversations' recorded calls took, priced by the
models that will answer; and the least limit of cost with which it can answer one conversation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.base.tokens.output_sizes import OutputSizes
from plainloop.agent.core.attempts import reserve_worst_case
from plainloop.agent.core.models import Models
from plainloop.agent.errors import InputError
from plainloop.agent.providers.defaults import find_cache_offer
from plainloop.agent.service.variants import PROMPTED
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.ledger import load_output_sizes, load_token_factors
from plainloop.agent.types import Usage

from ..live.lane import Lane
from ..live.plan import BASELINE, CANDIDATE, JUDGE, LivePlan
from ..live.routing import NODES
from ..live.spend_limit import make_unpriced_stop
from ..store.recordings import CallSize, list_call_sizes
from ..store.replays import list_answered_threads

MOST_READ: Final = 1_000  # conversations; the cost of more is estimated from these
MARGIN: Final = Decimal("1.25")  # of the bound: a candidate may write more, or call more
CHARS_PER_TOKEN: Final = 4
CACHED_S: Final = 300  # how long a provider's cache lives that does not say it
# Their requests show the answer before; what routes mostly comes to the same.
_SHOWN_LATER: Final = frozenset({"worker", "parser"})


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The cost of a replay in USD. about_usd: with the recorded cache reads, equal requests bought
    once; most_usd: with nothing cached or shared, and a quarter more. None: not known. touched:
    conversations in which the candidate makes other requests than today. least_usd: the lowest
    limit that can pay for one conversation. unpriced: `provider:model`s without a price.
    """

    conversations: int
    touched: int = 0
    about_usd: Decimal | None = None
    most_usd: Decimal | None = None
    least_usd: Decimal | None = None
    unpriced: list[str] = field(default_factory=list[str])


class _Heads:
    """What requests of one worker begin with, and from how many tokens on that was cached.

    A prompt that is in no cache is written to one by the first request that begins with it, and
    read from there by all later ones.
    """

    def __init__(self, calls: Sequence[CallSize]) -> None:
        self._least: dict[tuple[str, str | None], int] = {}
        self._cached: dict[str, int] = {}  # by model
        self._written: set[tuple[str, str | None, str]] = set()  # by calls that are paid
        for call in calls:
            total = call.usage.input_total or 0
            key = (call.role, call.worker)
            self._least[key] = min(total, self._least.get(key, total))
            if call.usage.cache_read_tokens or call.usage.written_total:
                self._cached[call.requested] = min(total, self._cached.get(call.requested, total))

    def _is_first(self, call: CallSize, variant: str, *, is_paid: bool) -> bool:
        """Whether no paid call has written this prompt yet; a paid one does so from now on."""
        key = (call.role, call.worker, f"{variant} {call.requested}")
        is_first = key not in self._written
        if is_paid:
            self._written.add(key)
        return is_first

    def cache(self, call: CallSize, grown: int, times: float, *, is_paid: bool) -> Usage:
        """Return the usage of a call whose prompt has grown by so many tokens (or shrunk)."""
        total = max(0, (call.usage.input_total or 0) + grown)
        head = max(0, self._least[call.role, call.worker] + grown)
        is_cached = call.requested in self._cached and head >= self._cached[call.requested]
        head = head if is_cached else 0
        first = head if head and self._is_first(call, "changed", is_paid=is_paid) else 0
        return Usage(
            input_tokens=round((total - head) * times),
            cache_read_tokens=round((head - first) * times),
            cache_write_tokens=round(first * times),
            output_tokens=call.usage.output_total,
        )

    def repeat(self, call: CallSize, *, is_paid: bool) -> Usage:
        """Return the usage of a call that is made again as it was.

        What was written to a cache is read from there: all while the cache lives, later what other
        conversations begin with, too.
        """
        usage, written = call.usage, call.usage.written_total or 0
        offer = find_cache_offer(*call.requested.split(":", 1))
        is_alive = call.age_s < (offer.short_s if offer else CACHED_S)
        head = self._least[call.role, call.worker] - (usage.cache_read_tokens or 0)
        read = (usage.cache_read_tokens or 0) + (
            written if is_alive else min(written, max(0, head))
        )
        if read and not is_alive and self._is_first(call, "today", is_paid=is_paid):
            read = 0  # other conversations' caches have expired, too
        return replace(
            usage,
            cache_read_tokens=read,
            cache_write_tokens=(usage.cache_read_tokens or 0) + written - read,
            cache_write_long_tokens=None,
        )


@dataclass(frozen=True, slots=True)
class _Pricing:
    """What today's configuration and the candidate differ in, and what their calls cost."""

    plan: LivePlan
    lanes: Mapping[str, Lane]
    today: Models
    prompts: Mapping[str, str]  # of today
    medians: Mapping[str, float]  # token factors by model
    factors: TokenFactors
    outputs: OutputSizes
    heads: _Heads

    def is_changed(self, call: CallSize) -> bool:
        """Whether the candidate makes this call with another model, effort or prompt."""
        lane = self.plan.lanes[CANDIDATE]
        ours = self.lanes[CANDIDATE].models.resolve(call.role, call.worker)
        theirs = self.today.resolve(call.role, call.worker)
        is_other = (ours.label, ours.effort) != (theirs.label, theirs.effort)
        return is_other or lane.design is not None or bool(self._list_prompts(call))

    def _list_prompts(self, call: CallSize) -> list[str]:
        """List the candidate's prompts with which this call is made."""
        return [
            name
            for name in self.plan.lanes[CANDIDATE].prompts
            if PROMPTED.get(last := name.rpartition(".")[2], last) in (call.role, call.worker)
        ]

    def price(
        self, call: CallSize, lane: str, *, is_paid: bool
    ) -> tuple[Decimal | None, Decimal, Decimal, str]:
        """Price a recorded call in a variant: (about, at most, reserved near a limit, the model).

        About: None if the price is unknown.
        """
        handle = self.lanes[lane].models.resolve(call.role, call.worker)
        handle = replace(handle, factors=self.factors, outputs=self.outputs)
        if self.plan.batch_api:
            handle = replace(handle, prices=handle.prices.at_batch_rates())
        ours, theirs = self.medians.get(handle.label), self.medians.get(call.requested)
        scale, total = (ours / theirs if ours and theirs else 1.0), call.usage.input_total or 0
        if lane == CANDIDATE and (grown := self._count_grown(call)) is not None:
            usage = self.heads.cache(call, grown, scale, is_paid=is_paid)
            total = max(total, total + grown)
        elif handle.label == call.requested:
            usage = self.heads.repeat(call, is_paid=is_paid)
        else:
            usage = _scale_input(call.usage, scale)
        about = handle.prices.price(handle.provider, handle.model, usage).amount
        tokens = math.ceil(total * max(1.0, scale)), call.usage.output_total or 0
        usual = handle.outputs.get(handle.label, call.role)
        reserved = reserve_worst_case(handle, call.role, call.estimated_input_tokens, usual)
        most = (handle.price_bound(*tokens) or 0) * MARGIN
        return about, most, reserved.cost_usd or Decimal(0), handle.label

    def _count_grown(self, call: CallSize) -> int | None:
        """Count the tokens that the candidate's prompts add to a call; None: they change none."""
        names = self._list_prompts(call)
        texts = self.plan.lanes[CANDIDATE].prompts
        chars = sum(len(texts[it]) - len(self.prompts.get(it, texts[it])) for it in names)
        return chars // CHARS_PER_TOKEN if names else None


async def estimate_replay(
    tx: Queryable,
    plan: LivePlan,
    lanes: Mapping[str, Lane],
    today: Models,
    prompts: Mapping[str, str],
    thread_ids: Sequence[str | None],
) -> CostEstimate:
    """Estimate what a replay of these conversations costs, without its judge.

    today: the models that answer now. prompts: today's, by name. thread_ids: in the replay's order;
    None for a conversation that is not a stored thread.
    """
    read = thread_ids[:MOST_READ]
    sizes = await list_call_sizes(tx, [it for it in read if it is not None])
    medians, factors, outputs = await load_token_factors(tx), TokenFactors(), OutputSizes()
    with factors.starting(tx.tenant_id) as start:
        start(medians)
    outputs.start(await load_output_sizes(tx))
    calls = [call for call in sizes if plan.role is None or call.role in NODES]
    pricing = _Pricing(plan, lanes, today, prompts, medians, factors, outputs, _Heads(calls))
    by_thread: dict[str, list[CallSize]] = {}
    for call in calls:
        by_thread.setdefault(call.thread_id, []).append(call)
    unpriced = {
        handle.label
        for name, lane in lanes.items()
        if (handle := lane.models.resolve("evaluator" if name == JUDGE else "worker"))
        and handle.price_bound(1, 1) is None
    }
    if not calls:
        return CostEstimate(len(thread_ids), unpriced=sorted(unpriced))
    about = most = Decimal(0)
    least: list[Decimal] = []
    touched = 0
    answered: set[str] = set()  # by the baselines of earlier replays: not bought again
    for replay_id in plan.answers_from:
        answered |= await list_answered_threads(tx, replay_id, BASELINE)
    for n, thread_id in enumerate(read):
        own = by_thread.get(thread_id or "", [])
        changed = _list_bought(own, pricing)
        touched += any(changed)
        whole = rest = Decimal(0)
        for lane in plan.list_lanes(n):
            if lane == JUDGE:
                continue
            is_shared = lane == CANDIDATE and plan.share and len(plan.lanes) > 1
            is_shared |= lane == CANDIDATE and plan.shares_recording
            for call, is_bought in zip(own, changed, strict=True):
                is_known = lane == BASELINE and thread_id in answered
                is_paid = not is_known and (is_bought or not is_shared)
                amount, bound, reserved, label = pricing.price(call, lane, is_paid=is_paid)
                most += bound
                if not is_paid:
                    continue
                if amount is None:
                    unpriced.add(label)
                    continue
                whole += amount
                rest = max(rest, reserved - amount)
        about += whole
        if own:
            least.append(whole + rest)
    times = Decimal(len(thread_ids)) / len(read)
    if unpriced:
        return CostEstimate(len(thread_ids), touched, unpriced=sorted(unpriced))
    return CostEstimate(
        len(thread_ids),
        touched,
        about * times,
        None if plan.judge else most * times,
        None if plan.batch_api else min(least),
    )


def _list_bought(calls: Sequence[CallSize], pricing: _Pricing) -> list[bool]:
    """Return of each call whether the candidate sends another request than today.

    So does what follows in the turn after an answer that the candidate makes otherwise.
    """
    found: list[bool] = []
    after: set[str] = set()  # runs
    for call in calls:
        is_changed = pricing.is_changed(call)
        found.append(is_changed or call.run_id in after)
        if is_changed and call.role in _SHOWN_LATER:
            after.add(call.run_id)
    return found


def _scale_input(usage: Usage, times: float) -> Usage:
    """Multiply the input tokens of a usage, cached or not."""
    scaled = {
        name: None if tokens is None else round(tokens * times)
        for name, tokens in usage.buckets.items()
        if name not in ("output_tokens", "reasoning_tokens")
    }
    return replace(usage, **scaled)


def check_limit(estimate: CostEstimate, limit_usd: Decimal) -> None:
    """Check before a replay begins that its cost limit can hold and suffices for a conversation.

    Raises: InputError UNPRICED_MODEL or LIMIT_TOO_LOW.
    """
    if estimate.unpriced:
        stop = make_unpriced_stop(estimate.unpriced[0])
        raise InputError(stop.message, hint=stop.hint, code="UNPRICED_MODEL", param="max_cost_usd")
    if estimate.least_usd is not None and limit_usd < estimate.least_usd:
        raise InputError(
            f"max_cost_usd ${limit_usd} is below ${round_up(estimate.least_usd)}, which one "
            "conversation may need",
            hint=f"Raise the limit: the whole replay costs about ${round_up(estimate.about_usd)}.",
            code="LIMIT_TOO_LOW",
            param="max_cost_usd",
        )


def round_up(usd: Decimal | None) -> str:
    """Round an amount up to a tenth of a cent.

    >>> round_up(Decimal("0.00121")), round_up(Decimal("3"))
    ('0.002', '3.000')
    """
    return f"{math.ceil((usd or Decimal(0)) * 1000) / 1000:.3f}"
