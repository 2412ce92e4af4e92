"""The tasks of advice: each worker's traffic, drawn conversations and candidates, and what they
would cost at most.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache, partial
from typing import Any, Final

import msgspec

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.models import Models
from plainloop.agent.core.spec import Pack
from plainloop.agent.dataclasses import dataclass, field, replace
from plainloop.agent.errors import ConfigError, InputError, NotFoundError
from plainloop.agent.providers.endings import load_endings
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.store import Store
from plainloop_lab.replay.commands.threads import load_conversation
from plainloop_lab.replay.engine.stored import leave_out

from ..comparing.measures import BY_NAME, JUDGED
from ..decide.candidates import MONTH_DAYS
from ..decide.outcomes import find_request, name_task
from ..decide.rules import Rule, Rules
from ..live.known_models import check_known_models
from ..live.lane import Lane
from ..live.plan import CANDIDATE, JUDGE, LanePlan, LivePlan, make_judge
from ..live.routing import NODES
from ..live.spend_limit import make_unpriced_stop
from ..store.workers import WorkerUsage, list_worker_threads, list_worker_usage
from .proposing import (
    check_candidates,
    describe_price_changes,
    estimate_cost,
    explain_effort,
    find_endings,
    find_successor,
    list_names,
    sum_other_costs,
)
from .roles import (
    UNJUDGED,
    WORKER,
    find_role,
    group_judged,
    name_subject,
    name_usage,
    resolve_model,
)
from .sampling import draw_threads
from .search import Question, choose_first, count_needed
from .steps import plan_step
from .verdict import Traffic
from .wanted import MARGINS, Wanted

CONSIDERED: Final = 5  # times the sample: so many of the newest threads are drawn from

# Says why a worker or role may not have a candidate; None: it may.
Refuse = Callable[[str, str], str | None]


class NoCandidate(InputError):
    """No worker has a model that may be tried: none is known, or each is refused."""

    code = "NO_CANDIDATE"


@dataclass(frozen=True, slots=True)
class Serving:
    """Holds what answers today."""

    settings: Settings
    models: Models
    packs: Mapping[str, Pack]


@dataclass(frozen=True, slots=True)
class Task:
    """A worker or role with what it has today and what may answer instead. cost_usd: of its advice
    at most, estimated; None: its calls have no price.
    """

    traffic: Traffic
    question: Question
    cost_usd: float | None = None
    refused: Mapping[str, str] = field(default_factory=dict[str, str])  # candidates, and why
    # Announced ones, of today's model and the candidates; and which candidates end, and when.
    price_changes: Sequence[str] = ()


def make_rules(wanted: Wanted, own: Rules | None = None) -> dict[str, Rules]:
    """Make the rules by which advice judges candidates, by role.

    A candidate passes if no measure is worse than today's by the margin or more. own: the caller's
    rules for workers. What routes requests has no tools and no answer to judge.

    Raises: ConfigError.
    """

    def make(*measures: str) -> tuple[Rule, ...]:
        return tuple(Rule(measure=name, margin=wanted.margin) for name in measures)

    judged = () if wanted.judge is None else (JUDGED,)
    workers = Rules(rule=make("failed", "same_arguments", *judged))
    if own is not None:
        check_rules(own)
        # Each conversation is a task of its own here, and the search plans its own looks.
        workers = msgspec.structs.replace(
            own, gate=msgspec.structs.replace(own.gate, task="", looks=())
        )
    routing = Rules(gate=workers.gate, rule=make("failed", "same_route"))
    routing.rule[0].margins  # noqa: B018 raises before anything is bought
    return {WORKER: workers, **dict.fromkeys(NODES, routing)}


@cache
def count_alone(role: str, margin: str) -> int | None:
    """Return how many conversations advice on a single worker or role needs, by the usual rules.

    None: more than a sample may have. A tenth of a second at its first call.
    """
    return count_needed(make_rules(Wanted(max_cost_usd=0, margin=margin))[role], 1)


def check_rules(rules: Rules) -> None:
    """Check that replays of stored threads can have the measures of these rules.

    Called before any answer is bought. Raises: ConfigError.
    """
    known = (*BY_NAME, *rules.check)
    for rule in rules.rule:
        if rule.measure not in known:
            raise ConfigError(
                f"replays have no measure {rule.measure}",
                hint=f"Known measures: {', '.join(known)}.",
            )
    for name, check in rules.check.items():
        if check.scored_kinds or (check.needs_expected and check.expected is None):
            raise ConfigError(
                f"the check {name} compares with an expected answer, which stored conversations "
                "do not have",
                hint="Use this check in a gate.",
            )


async def load_tasks(
    store: Store,
    tenant_id: str,
    wanted: Wanted,
    serving: Serving,
    drawn: dict[str, list[str]],
    refuse: Refuse = lambda worker, name: None,
) -> list[Task]:
    """Load what advice needs for each worker and role: traffic, threads and candidates.

    These are the calls of the last 30 days, a sample of threads, and the models to try. drawn:
    conversations by worker of an earlier call of the command; filled.

    Raises: InputError for a role that cannot be judged, NotFoundError where no worker answered.
    """
    prices, endings = (Prices(serving.settings.prices), load_endings(serving.settings.endings_file))
    since = datetime.now(UTC) - timedelta(days=MONTH_DAYS)
    usages = await list_worker_usage(store.read(tenant_id), since, wanted.user_id)
    served = {spec.name for pack in serving.packs.values() for spec in pack.workers}
    found, subjects = group_judged(usages, served, wanted.workers)
    tasks: list[Task] = []
    for worker in subjects:
        if worker in UNJUDGED:
            raise InputError(
                f"{worker} cannot be judged by `advise`: {UNJUDGED[worker]}",
                hint="Roles that it can judge: " + ", ".join(map(name_subject, NODES)) + ".",
            )
        if worker not in found:
            what = "worker" if find_role(worker) == WORKER else "model for the role"
            raise NotFoundError(
                f"no {what} {worker!r} answered in the last {MONTH_DAYS} days",
                hint=f"Those that answered: {', '.join(sorted(found)) or 'none'}.",
            )
        first = found[worker][0]
        names: Sequence[str] = wanted.candidates
        if wanted.successor:
            successor = find_successor(endings, first)
            if successor is None:
                continue
            names = [successor[0]]
        names = names or list_names(resolve_model(serving.models, worker))
        ended = find_endings(names, first, endings, is_over=True)
        candidates, refused = check_candidates(
            [name for name in names if name not in ended],
            first,
            prices,
            partial(refuse, worker),
            may_be_dearer=wanted.successor,
        )
        refused |= ended
        if worker not in drawn:
            drawn[worker] = await draw(store, tenant_id, worker, wanted, serving.packs)
        ordered = candidates if wanted.successor else choose_first(candidates)
        others = sum_other_costs(worker, usages)
        cost = estimate_cost(first, len(drawn[worker]), ordered, others, batched=wanted.batch_api)
        question = Question(worker, drawn[worker], ordered)
        names = [candidate.name for candidate in ordered]
        ends = find_endings(names, first, endings, is_over=False)
        names = [first.label, *names]
        changes = describe_price_changes(names, first, prices, datetime.now(UTC))
        changes += dict.fromkeys(ends.values())
        tasks.append(Task(describe_traffic(found[worker]), question, cost, refused, changes))
    if not tasks:
        what = "whose model has a successor" if wanted.successor else "that answered a request"
        raise NotFoundError(
            f"nothing to advise on: the last {MONTH_DAYS} days had no worker {what}",
            hint="`plainloop usage` shows which called models end; AGENT_ENDINGS_FILE adds dates."
            if wanted.successor
            else "Let the service answer some requests first, or name another worker with --for, "
            "or in `workers` over HTTP.",
        )
    return tasks


async def draw(
    store: Store, tenant_id: str, worker: str, wanted: Wanted, packs: Mapping[str, Pack]
) -> list[str]:
    """Draw a sample of threads in which this worker or role was called.

    Returns their ids. No two of them have the same first request.
    """
    rows, role = store.read(tenant_id), find_role(worker)
    caller = worker if role == WORKER else None
    most = CONSIDERED * wanted.sample
    threads = await list_worker_threads(rows, role, caller, most, wanted.user_id)
    async with store.transaction(tenant_id) as tx:
        can_replay, _ = await leave_out(tx, [thread.thread_id for thread in threads], packs)
    fit = {*can_replay}
    ordered = draw_threads([t for t in threads if t.thread_id in fit], len(fit), wanted.seed)
    chosen: dict[str, str] = {}
    for thread_id in ordered:
        if len(chosen) == wanted.sample:
            break
        talk = await load_conversation(store, tenant_id, thread_id)
        chosen.setdefault(name_task(thread_id, {}, find_request(talk)), thread_id)
    return [*chosen.values()]


async def fit_tasks(
    tasks: Sequence[Task],
    wanted: Wanted,
    open_plan: Callable[[LivePlan], Awaitable[Mapping[str, Lane]]],
) -> list[Task]:
    """Drop the candidates whose replay cannot be opened with these settings.

    Returns the tasks without them. open_plan: opens the variants of a step's replay.

    Raises: InputError where there is no candidate, or for a judge that cannot be asked.
    """
    if wanted.judge is not None:
        plan = LivePlan({CANDIDATE: LanePlan()}, judge=make_judge(wanted.judge, None))
        try:
            lanes = await open_plan(plan)
            handle = lanes[JUDGE].models.resolve("evaluator")
        except ConfigError as error:
            raise InputError(error.message, hint=error.hint) from error
        await check_known_models(plan, lanes)
        if handle.price_bound(1, 1) is None:  # or it would stop when both sides have answered
            stop = make_unpriced_stop(handle.label)
            raise InputError(stop.message, hint=stop.hint)
    fitted: list[Task] = []
    for task in tasks:
        question, refused = task.question, dict(task.refused)
        for candidate in question.candidates:
            try:
                lanes = await open_plan(plan_step(wanted, question.worker, candidate.name, {}))
            except ConfigError as error:
                refused[candidate.name] = error.message
                continue
            handle = resolve_model(lanes[CANDIDATE].models, question.worker)
            why = explain_effort(candidate.name, handle)
            if why and not wanted.successor:  # which keeps today's level, as near as it can
                refused[candidate.name] = why
        kept = [each for each in question.candidates if each.name not in refused]
        fitted.append(replace(task, question=replace(question, candidates=kept), refused=refused))
    await asyncio.to_thread(describe_plan, fitted, wanted, make_rules(wanted))
    return fitted


def list_refused(task: Task) -> list[str]:
    """List a task's refused candidates with the reasons, a line per reason."""
    by_reason: dict[str, list[str]] = {}
    for name, why in task.refused.items():
        by_reason.setdefault(why, []).append(name)
    return [f"{', '.join(names)}: {why}" for why, names in by_reason.items()]


def describe_traffic(usages: Sequence[WorkerUsage]) -> Traffic:
    """Sum a worker's or role's calls in the last 30 days.

    The result also has the share of the calls that its main model answered.
    """
    first, calls = usages[0], sum(usage.calls for usage in usages)
    is_priced = all(usage.cost_usd is not None and not usage.unpriced for usage in usages)
    usd = float(sum((usage.cost_usd or Decimal(0) for usage in usages), Decimal(0)))
    share = first.calls / calls
    return Traffic(name_usage(first), first.label, share, calls, usd if is_priced else None)


def estimate_saving(task: Task) -> float | None:
    """Estimate what the cheapest candidate would save a month in USD, at list prices.

    None: a price is unknown, or there is no candidate.
    """
    costs = [candidate.cost for candidate in task.question.candidates]
    return None if task.traffic.usd is None or not costs else task.traffic.usd * (1 - min(costs))


def describe_plan(
    tasks: Sequence[Task], wanted: Wanted, rules: Mapping[str, Rules]
) -> dict[str, Any]:
    """Describe a plan of advice as JSON: the candidates and the maximum cost, by worker.

    rules: by role.

    Raises: NoCandidate.
    """
    if not any(task.question.candidates for task in tasks):
        reasons = "; ".join(dict.fromkeys(line for task in tasks for line in list_refused(task)))
        raise NoCandidate(
            f"there is no candidate model to try ({reasons or 'none is known'})",
            hint="Name the models to try (in a terminal: --candidate; over HTTP: `candidates`).",
        )
    # A tenth of a second each, and the same for all workers.
    roles = {find_role(task.question.worker) for task in tasks}
    needed = {role: count_needed(rules[role], len(tasks)) for role in roles}
    workers = [
        {
            "worker": task.question.worker,
            "conversations": len(task.question.conversations),
            "today": task.traffic.model,
            "candidates": [each.name for each in task.question.candidates],
            "refused": dict(task.refused),
            "cost_usd": task.cost_usd,
            "needed": needed[find_role(task.question.worker)],
            "alone": {
                margin: count_alone(find_role(task.question.worker), margin) for margin in MARGINS
            },
            "saves_usd": estimate_saving(task),
        }
        for task in tasks
    ]
    total = sum(task.cost_usd or 0.0 for task in tasks)
    most, judge = wanted.max_cost_usd, wanted.judge
    return {"workers": workers, "estimate_usd": total, "max_cost_usd": most, "judge": judge}
