"""What may answer in place of a worker's model, and about what it would cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from difflib import get_close_matches
from typing import Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, find_effort_offer
from plainloop.agent.providers.efforts import LEVELS, fit_level
from plainloop.agent.providers.endings import Endings
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.price_changes import list_price_changes
from plainloop.agent.providers.pricing import Prices, list_priced_models
from plainloop.agent.service.variants import split_effort
from plainloop.agent.types import Effort, Usage

from ..store.workers import WorkerUsage
from .roles import WORKER, find_role
from .search import PILOT, Candidate

# Assumed output of a level as a multiple of that without thinking. It only orders candidates and
# makes the plan: the advice goes by what the replays cost.
OUTPUT: Final[dict[Effort, float]] = {
    "none": 1.0,
    "minimal": 1.2,
    "low": 1.4,
    "medium": 2.2,
    "high": 4.0,
    "xhigh": 6.0,
    "max": 8.0,
}
USUAL: Final[Effort] = "medium"
DEARER: Final = "costs as much as today's model or more, at list prices"


def list_names(handle: ModelHandle) -> list[str]:
    """List the names of candidates to try instead of a model.

    These are the model and its provider's small model, each at every effort level.
    """
    defaults = PROVIDER_DEFAULTS.get(handle.provider)
    models = [handle.model, *([defaults.small_model] if defaults else [])]
    found: list[str] = []
    for model in dict.fromkeys(models):
        offer = find_effort_offer(handle.efforts or (), model)
        levels = [] if offer is None or offer.is_guess else sorted({*offer.levels, *offer.bodies})
        found += [f"{handle.provider}:{model}@{level}" for level in levels]
        found += [] if levels or model == handle.model else [f"{handle.provider}:{model}"]
    return found


def find_successor(endings: Endings, usage: WorkerUsage) -> tuple[str, date] | None:
    """Return the model that a vendor names as a model's successor.

    Returns (successor, day when the model ends), or None.
    """
    ending = endings.find(usage.provider, usage.model)
    if ending is None or ending.successor is None:
        return None
    level = f"@{usage.effort}" if usage.effort else ""
    return f"{usage.provider}:{ending.successor}{level}", ending.ends


def price_candidate(name: str, today: WorkerUsage, prices: Prices) -> float | None:
    """Estimate a candidate's cost as a share of today's.

    None if a price is unknown.
    """
    provider, rest, effort = resolve_name(name, today)
    more = OUTPUT[effort or USUAL] / OUTPUT[today.effort or USUAL]
    # Of the average call: a month's tokens as one call would have the price of long ones.
    read, written = (n / today.calls for n in (today.input_tokens, today.output_tokens))
    sides = ((today.provider, today.model, written), (provider, rest, written * more))
    amounts = [
        prices.price(who, what, Usage(input_tokens=round(read), output_tokens=round(out))).amount
        for who, what, out in sides
    ]
    if amounts[0] is None or amounts[1] is None:
        return None
    if not amounts[0]:
        return None if amounts[1] else 1.0  # both are free
    return float(amounts[1] / amounts[0])


def check_candidates(
    names: Sequence[str],
    today: WorkerUsage,
    prices: Prices,
    refuse: Callable[[str], str | None],
    *,
    may_be_dearer: bool,
) -> tuple[list[Candidate], dict[str, str]]:
    """Sort candidates into those that may be tried and those that may not.

    Returns (allowed candidates with their cost, reasons of the others by name). refuse: says why a
    candidate with a known price may not answer; None: it may.
    """
    candidates: list[Candidate] = []
    refused: dict[str, str] = {}
    for name in names:
        cost = price_candidate(name, today, prices)
        if cost is None:
            refused[name] = explain_price(name, today)
        elif cost >= 1 and not may_be_dearer:
            refused[name] = DEARER
        elif (why := refuse(name)) is not None:
            refused[name] = why
        else:
            candidates.append(Candidate(name, cost))
    return candidates, refused


def describe_price_changes(
    names: Sequence[str], today: WorkerUsage, prices: Prices, now: datetime
) -> list[str]:
    """Describe past and announced price changes of models, each for today's average call.

    They are those that `plainloop usage` and `doctor` report: of 30 days back and 90 days ahead.
    """
    usage = Usage(
        input_tokens=round(today.input_tokens / today.calls),
        output_tokens=round(today.output_tokens / today.calls),
    )
    return [
        f"{provider}:{model} {change.describe(now.date())}"
        for provider, model in dict.fromkeys(resolve_name(name, today)[:2] for name in names)
        for change in list_price_changes(prices, provider, model, None, usage, now)
    ]


def find_endings(
    names: Sequence[str], today: WorkerUsage, endings: Endings, *, is_over: bool
) -> dict[str, str]:
    """Describe which candidates' models end or are replaced by another, by candidate.

    is_over: those that are shut down, which cannot answer; else the others.
    """
    found: dict[str, str] = {}
    for name in names:
        provider, model, _ = resolve_name(name, today)
        ending = endings.find(provider, model)
        if ending is None:
            continue
        # A re-routed name still answers.
        if is_over == (ending.has_ended() and not ending.reroutes):
            found[name] = f"{provider}:{model} {ending.describe()}"
    return found


def resolve_name(name: str, today: WorkerUsage) -> tuple[str, str, Effort | None]:
    """Split a candidate's name into (provider, model, effort).

    A missing provider or model is today's.
    """
    model, effort = split_effort(name)
    provider, _, rest = model.partition(":")
    if provider in PROVIDER_DEFAULTS:
        return provider, rest, effort
    return today.provider, model or today.model, effort  # also of a name like qwen3:4b


def explain_price(name: str, today: WorkerUsage) -> str:
    """Explain why a candidate cannot be priced, and which setting would change that."""
    provider, model, _ = resolve_name(name, today)
    _, has_level, level = model.rpartition("@")
    if has_level:
        return f"there is no effort {level!r}: use one of {', '.join(LEVELS)}"
    near = get_close_matches(model, list_priced_models(provider), 1, cutoff=0.8)
    meant = f", or did you mean {near[0]!r}?" if near else ""
    return f'its price is unknown: add [prices."{provider}:{model}"]{meant}'


def explain_effort(name: str, handle: ModelHandle) -> str:
    """Explain why a model has no effort level of the candidate's name.

    "" if it has. The model would get the nearest of its own levels: another candidate's name, or
    today's.
    """
    effort = split_effort(name)[1]
    level = fit_level(handle, effort, is_set=True)
    if level == effort:
        return ""
    nearest = f"its nearest level is {level}" if level else "it has no levels"
    return f"{handle.provider}:{handle.model} has no effort {effort}: {nearest}"


@dataclass(frozen=True, slots=True)
class OtherCosts:
    """The costs of a conversation's replay beside the judged model's own calls, in USD.

    shared: routing, bought once because all candidates send the same request. each: what follows
    an answer, bought again for each model that answers.
    """

    shared: float = 0.0
    each: float = 0.0


def sum_other_costs(subject: str, usages: Sequence[WorkerUsage]) -> OtherCosts | None:
    """Return what a conversation costs beside the judged calls: triage, routing and reviews.

    None if a price is unknown. subject: the worker or role that is judged. usages: of all roles.
    Replays of a role end where the worker would begin, so nothing is reviewed there.
    """
    triage, router = (average_cost(usages, role, None) for role in ("classifier", "router"))
    if find_role(subject) == WORKER:
        shared, each = [triage, router], average_cost(usages, "evaluator", subject)
    elif find_role(subject) == "router":
        shared, each = [triage], 0.0
    else:
        shared, each = [], router
    known = [usd for usd in shared if usd is not None]
    return None if each is None or len(known) < len(shared) else OtherCosts(sum(known), each)


def average_cost(usages: Sequence[WorkerUsage], role: str, worker: str | None) -> float | None:
    """Return the mean cost in USD of a role's calls per conversation.

    None if a cost is unknown.
    """
    calls = [usage for usage in usages if (usage.role, usage.worker) == (role, worker)]
    # Conversations of several models overlap: their sum would be too many, and the bound too low.
    threads = max((usage.threads for usage in calls), default=1) or 1
    costs = [usage.cost_usd for usage in calls if usage.cost_usd is not None]
    is_known = len(costs) == len(calls) and not any(usage.unpriced for usage in calls)
    return float(sum(costs)) / threads if is_known else None


def estimate_cost(
    usage: WorkerUsage,
    conversations: int,
    candidates: Sequence[Candidate],
    others: OtherCosts | None,
    *,
    batched: bool,
) -> float | None:
    """Estimate an upper bound in USD for what advice on one worker costs.

    None if a call has no price. Today's side once, each candidate on the pilot, and the two dearest
    on the rest, with what the replays buy beside. Not in it: a judge.
    """
    if usage.cost_usd is None or usage.unpriced or not usage.threads or others is None:
        return None
    own = float(usage.cost_usd) / usage.threads
    tested = sorted(candidate.cost for candidate in candidates)[-2:]
    piloted = PILOT * sum(candidate.cost for candidate in candidates)
    answers = 1 + PILOT * len(candidates) + (1 - PILOT) * len(tested)
    each = own * (1 + piloted + (1 - PILOT) * sum(tested)) + others.shared + others.each * answers
    return each * conversations / (2 if batched else 1)
