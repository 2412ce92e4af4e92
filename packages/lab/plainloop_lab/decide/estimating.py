"""What a live replay will cost, from what its conversations' recorded calls took, priced by the
models that will answer; and the least limit of cost with which it can answer one conversation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.base.tokens.output_sizes import OutputSizes
from plainloop.agent.core.attempts import reserve_worst_case
from plainloop.agent.core.models import Models
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.errors import InputError
from plainloop.agent.providers.defaults import find_cache_offer
from plainloop.agent.service.variants import PROMPTED
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.ledger import load_output_sizes, load_token_factors
from plainloop.agent.types import Usage

from ..comparing.judge import MAX_TOKENS, RUBRIC, read_prompt
from ..live.lane import Lane
from ..live.plan import BASELINE, CANDIDATE, JUDGE, LivePlan
from ..live.routing import NODES
from ..live.spend_limit import make_unpriced_stop
from ..store.recordings import CallSize, list_answer_sizes, list_call_sizes, list_warm_prompts
from ..store.replays import list_answered_threads
from .verbosity import CHANGED_PROMPT, RANKS, Basis, Ratio, Verbosity

MOST_READ: Final = 1_000  # conversations; the cost of more is estimated from these
MARGIN: Final = Decimal("1.25")  # of the bound: a candidate may write more, or call more
CHARS_PER_TOKEN: Final = 4
CACHED_S: Final = 300  # how long a provider's cache lives that does not say it
AT_ONCE: Final = 4  # requests that may come before the first has written its prompt to a cache
MORE_CALLS: Final = Decimal("1.15")  # another model may use tools more often, of a range's end
JUDGED_TWICE: Final = 2  # in both orders
JUDGE_ROLE: Final = "evaluator"
JUDGE_OUTPUT: Final = 120  # tokens of a verdict with its reason, where none was seen
# Their requests show the answer before; what routes mostly comes to the same.
_SHOWN_LATER: Final = frozenset({"worker", "parser"})


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The cost of a replay in USD. about_usd: with the recorded cache reads, equal requests bought
    once; low_usd, high_usd: its likely range, as far as the length of the candidate's answers is
    known (basis); most_usd: with nothing cached or shared, and a quarter more. None: not known.
    touched: conversations in which the candidate makes other requests than today. least_usd: the
    lowest limit that can pay for one conversation. unpriced: `provider:model`s without a price.
    """

    conversations: int
    touched: int = 0
    about_usd: Decimal | None = None
    most_usd: Decimal | None = None
    least_usd: Decimal | None = None
    low_usd: Decimal | None = None
    high_usd: Decimal | None = None
    basis: Basis = "same"
    unpriced: list[str] = field(default_factory=list[str])


class _Heads:
    """What requests of one worker begin with, and from how many tokens on that was cached.

    A prompt that is in no cache is written to one by the first request that begins with it, and
    read from there by all later ones.
    """

    def __init__(
        self, calls: Sequence[CallSize], warm: Mapping[tuple[str, str, str], float]
    ) -> None:
        self._warm = warm
        self._least: dict[tuple[str, str | None], int] = {}
        self._cached: dict[str, int] = {}  # by model
        # How many paid calls began with a prompt, by which it is written.
        self._begun: dict[tuple[str, str | None, str], int] = {}
        for call in calls:
            total = call.usage.input_total or 0
            key = (call.role, call.worker)
            self._least[key] = min(total, self._least.get(key, total))
            if call.usage.cache_read_tokens or call.usage.written_total:
                self._cached[call.requested] = min(total, self._cached.get(call.requested, total))

    def _count_before(self, call: CallSize, variant: str) -> int:
        """Count the paid calls that began with this prompt before, and this one from then on."""
        key = (call.role, call.worker, f"{variant} {call.requested}")
        before = self._begun.get(key, 0)
        self._begun[key] = before + 1
        return before

    def _is_warm(self, call: CallSize, label: str) -> bool:
        """Whether a model has this worker's prompt of today from a call a moment ago."""
        age_s = self._warm.get((label, call.role, call.worker or ""))
        return age_s is not None and age_s < find_lifetime(label)

    def cache(
        self, call: CallSize, label: str, grown: int | None, times: float
    ) -> tuple[Usage, Usage, Usage]:
        """Return the usage of a paid call that another model makes, or with another prompt.

        As is likely; if the same conversations were answered so a moment ago; if the calls at once
        all miss the cache. grown: by so many tokens the prompt has grown (or shrunk); None: it is
        today's.
        """
        total = max(0, (call.usage.input_total or 0) + (grown or 0))
        head = self._find_head(call, grown or 0)
        before = self._count_before(call, f"changed {label}")
        is_warm = grown is None and self._is_warm(call, label)
        read, written = call.usage.cache_read_tokens or 0, call.usage.written_total or 0
        # What follows the head is the conversation's own: with today's prompt it is read again as
        # it was.
        own_read = max(0, read - head) if grown is None else 0
        own_written = max(0, read + written - head - own_read) if grown is None and head else 0

        def build(first: int) -> Usage:
            return Usage(
                input_tokens=round((total - head - own_read - own_written) * times),
                cache_read_tokens=round((head - first + own_read) * times),
                cache_write_tokens=round((first + own_written) * times),
                output_tokens=call.usage.output_total,
            )

        likely = build(head if before == 0 and not is_warm else 0)
        warm = self._read_all(call, likely) if is_warm and head else likely
        return likely, warm, build(head if before < AT_ONCE or read < head else 0)

    def _find_head(self, call: CallSize, grown: int) -> int:
        """Return the tokens that the worker's requests begin with, if a cache holds so few."""
        head = max(0, self._least[call.role, call.worker] + grown)
        return head if head >= self._cached.get(call.requested, math.inf) else 0

    def _read_all(self, call: CallSize, likely: Usage) -> Usage:
        """Return a call's usage if all that was cached of it is read from there."""
        kept = (call.usage.cache_read_tokens or 0) + (call.usage.written_total or 0)
        total = likely.input_total or 0
        read = min(total, max(kept, likely.cache_read_tokens or 0))
        return replace(
            likely,
            input_tokens=total - read,
            cache_read_tokens=read,
            cache_write_tokens=0,
            cache_write_long_tokens=None,
        )

    def repeat(self, call: CallSize) -> tuple[Usage, Usage, Usage]:
        """Return the usage of a paid call that is made again as it was.

        As is likely; if the same conversations were answered so a moment ago; if the calls at once
        all miss the cache. What was written to a cache is read from there: all while the cache
        lives, later what other conversations begin with, too.
        """
        usage, written = call.usage, call.usage.written_total or 0
        is_alive = call.age_s < find_lifetime(call.requested)
        head = self._find_head(call, 0) - (usage.cache_read_tokens or 0)
        read = (usage.cache_read_tokens or 0) + (
            written if is_alive else min(written, max(0, head))
        )
        before = self._count_before(call, "today") if read and not is_alive else 0
        is_warm = is_alive or self._is_warm(call, call.requested)

        def build(read: int) -> Usage:
            return replace(
                usage,
                cache_read_tokens=read,
                cache_write_tokens=(usage.cache_read_tokens or 0) + written - read,
                cache_write_long_tokens=None,
            )

        # Where it is not warm, other conversations' caches have expired, too.
        likely = build(0 if before == 0 and not is_warm else read)
        warm = self._read_all(call, likely) if is_warm and read else likely
        # At the worst what the recording did not read is not read this time, either.
        cold = read if is_alive else usage.cache_read_tokens or 0
        return likely, warm, build(0 if before < AT_ONCE and not is_alive else cold)


def find_lifetime(label: str) -> float:
    """Return for how many seconds a model's provider keeps a prompt in its cache."""
    offer = find_cache_offer(*label.split(":", 1))
    return offer.short_s if offer else CACHED_S


@dataclass(frozen=True, slots=True)
class _Priced:
    """The cost of a call in USD. about: None if the price of `label` is unknown."""

    label: str
    about: Decimal | None
    low: Decimal
    high: Decimal
    most: Decimal
    reserved: Decimal
    basis: Basis


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
    verbosity: Verbosity

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

    def price(self, call: CallSize, lane: str, *, is_paid: bool) -> _Priced:
        """Price a recorded call in a variant."""
        handle = self.lanes[lane].models.resolve(call.role, call.worker)
        handle = replace(handle, factors=self.factors, outputs=self.outputs)
        if self.plan.batch_api:
            handle = replace(handle, prices=handle.prices.at_batch_rates())
        ours, theirs = self.medians.get(handle.label), self.medians.get(call.requested)
        scale, total = (ours / theirs if ours and theirs else 1.0), call.usage.input_total or 0
        grown = self._count_grown(call) if lane == CANDIDATE else None
        ratio = self._compare_answers(call, handle.label, lane, is_grown=grown is not None)
        total = max(total, total + (grown or 0))
        tokens = math.ceil(total * max(1.0, scale)), call.usage.output_total or 0
        most = (handle.price_bound(tokens[0], math.ceil(tokens[1] * ratio.high)) or 0) * MARGIN
        if not is_paid:
            zero = Decimal(0)
            return _Priced(handle.label, zero, zero, zero, most, zero, "same")
        if grown is None and handle.label == call.requested:
            usage, warm, cold = self.heads.repeat(call)
        else:
            usage, warm, cold = self.heads.cache(call, handle.label, grown, scale)

        def price(usage: Usage, times: float) -> Decimal | None:
            output = round((call.usage.output_total or 0) * times)
            usage = replace(usage, output_tokens=output, reasoning_tokens=None)
            return handle.prices.price(handle.provider, handle.model, usage).amount

        usual = handle.outputs.get(handle.label, call.role)
        reserved = reserve_worst_case(handle, call.role, call.estimated_input_tokens, usual)
        more = Decimal(1) if ratio.basis == "same" else MORE_CALLS
        return _Priced(
            handle.label,
            price(usage, ratio.mean),
            price(warm, ratio.low) or Decimal(0),
            (price(cold, ratio.high) or Decimal(0)) * more,
            most,
            reserved.cost_usd or Decimal(0),
            ratio.basis,
        )

    def _compare_answers(self, call: CallSize, label: str, lane: str, *, is_grown: bool) -> Ratio:
        """Return how long the answer to a call will be, of the recorded one."""
        known = self.verbosity.compare(label, call.requested, call.role)
        if lane != CANDIDATE or not self.is_changed(call) or known.basis == "unknown":
            return known
        if label == call.requested:  # with another prompt, or another effort
            return CHANGED_PROMPT
        if is_grown:
            low, high = (known.mean * it for it in (CHANGED_PROMPT.low, CHANGED_PROMPT.high))
            return replace(known, low=min(low, known.low), high=max(high, known.high))
        return known

    def price_judge(self, calls: Sequence[CallSize], is_bought: Sequence[bool]) -> _Priced | None:
        """Price the judge's verdicts on a conversation; None without a judge, or nothing to judge.

        It reads both answers of each turn that may differ, twice. most: with its longest answers.
        """
        if self.plan.judge is None:
            return None
        handle = self.lanes[JUDGE].models.resolve(JUDGE_ROLE)
        if self.plan.batch_api:
            handle = replace(handle, prices=handle.prices.at_batch_rates())
        last = {
            call.run_id: call.usage.output_total or 0
            for call, bought in zip(calls, is_bought, strict=True)
            if bought and call.role in _SHOWN_LATER
        }
        prompt = count_prompt(self.plan.judge.prompts.get(JUDGE)) // CHARS_PER_TOKEN
        said = round(self.verbosity.find_mean(handle.label, JUDGE_ROLE) or JUDGE_OUTPUT)
        sums = [Decimal(0)] * 4
        for tokens in last.values():
            sizes = (
                (prompt + 2 * tokens, said),
                (prompt + tokens, said // 2),
                (prompt + 5 * tokens, 2 * said),
                (prompt + 8 * tokens, MAX_TOKENS),
            )
            for place, size in enumerate(sizes):
                usage = Usage(input_tokens=size[0], output_tokens=size[1])
                amount = handle.prices.price(handle.provider, handle.model, usage).amount
                sums[place] += JUDGED_TWICE * (amount or 0)
        about, low, high, most = sums
        return _Priced(handle.label, about, low, high, most, Decimal(0), "same")

    def _count_grown(self, call: CallSize) -> int | None:
        """Count the tokens that the candidate's prompts add to a call; None: they change none."""
        names = self._list_prompts(call)
        texts = self.plan.lanes[CANDIDATE].prompts
        chars = sum(len(texts[it]) - len(self.prompts.get(it, texts[it])) for it in names)
        return chars // CHARS_PER_TOKEN if names else None


@dataclass(slots=True)
class _Total:
    """The sum over all calls that are bought; most: over all calls."""

    about: Decimal = Decimal(0)
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)
    most: Decimal = Decimal(0)
    bases: set[Basis] = field(default_factory=lambda: {"same"})
    unpriced: set[str] = field(default_factory=set[str])

    def add(self, bought: Sequence[_Priced]) -> None:
        """Add calls that are bought; those without a known price are named only."""
        for found in bought:
            if found.about is None:
                self.unpriced.add(found.label)
                continue
            self.about += found.about
            self.low += found.low
            self.high += found.high
            self.bases.add(found.basis)


async def estimate_replay(
    tx: Queryable,
    plan: LivePlan,
    lanes: Mapping[str, Lane],
    today: Models,
    prompts: Mapping[str, str],
    thread_ids: Sequence[str | None],
) -> CostEstimate:
    """Estimate what a replay of these conversations costs.

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
    heads = _Heads(calls, await list_warm_prompts(tx))
    verbosity = Verbosity(await list_answer_sizes(tx))
    pricing = _Pricing(plan, lanes, today, prompts, medians, factors, outputs, heads, verbosity)
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
    total = _Total()
    least: list[Decimal] = []
    touched = 0
    answered: set[str] = set()  # by the baselines of earlier replays: not bought again
    for replay_id in plan.answers_from:
        answered |= await list_answered_threads(tx, replay_id, BASELINE)
    for n, thread_id in enumerate(read):
        own = by_thread.get(thread_id or "", [])
        changed = _list_bought(own, pricing)
        touched += any(changed)
        bought: list[_Priced] = []
        for lane in plan.list_lanes(n):
            if lane == JUDGE:
                if (judged := pricing.price_judge(own, changed)) is not None:
                    bought.append(judged)
                    total.most += judged.most
                continue
            is_shared = lane == CANDIDATE and plan.share and len(plan.lanes) > 1
            is_shared |= lane == CANDIDATE and plan.shares_recording
            for call, is_bought in zip(own, changed, strict=True):
                is_known = lane == BASELINE and thread_id in answered
                is_paid = not is_known and (is_bought or not is_shared)
                found = pricing.price(call, lane, is_paid=is_paid)
                total.most += found.most
                if is_paid:
                    bought.append(found)
        total.add(bought)
        if own:
            whole = sum((found.about or Decimal(0) for found in bought), Decimal(0))
            rests = (found.reserved - (found.about or 0) for found in bought)
            least.append(whole + max(rests, default=Decimal(0)))
    unpriced |= total.unpriced
    if unpriced:
        return CostEstimate(len(thread_ids), touched, unpriced=sorted(unpriced))
    times = Decimal(len(thread_ids)) / len(read)
    return CostEstimate(
        len(thread_ids),
        touched,
        total.about * times,
        total.most * times,
        None if plan.batch_api else min(least),
        total.low * times,
        total.high * times,
        max(total.bases, key=RANKS.__getitem__),
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


def count_prompt(rubric: str | None) -> int:
    """Count the characters of the judge's prompt with a rubric, or with our own."""
    return len(read_prompt()) + len(RUBRIC if rubric is None else rubric)


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
