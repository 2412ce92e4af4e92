"""After a switch: do cost and failures of live traffic come to what the advice promised?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.service.variants import split_effort
from plainloop.agent.store.database import Queryable

from ..decide.candidates import MONTH_DAYS
from ..store.workers import WorkerRuns, count_worker_runs
from .roles import WORKER, find_role

WEEK: Final = timedelta(days=7)
LEAST_RUNS: Final = 30  # below them nothing is said before the week is over
SLACK: Final = 1.2  # times the promised cost: requests of a week are not those that were replayed
UNLIKELY: Final = 0.05

State = Literal["as promised", "not as promised", "too early", "not switched"]


@dataclass(frozen=True, slots=True)
class Watched:
    """Holds a switched worker's last week. ratio: a call's cost, as a share of that before."""

    worker: str
    state: State
    reason: str
    ratio: float | None


async def watch_switches(
    rows: Queryable, result: Mapping[str, Any], user_id: str | None = None
) -> list[Watched]:
    """Compare last week's traffic of each switched worker with what the advice promised.

    user_id: whose traffic, as the advice's; None: the whole tenant's.
    """
    now = datetime.now(UTC)
    found: list[Watched] = []
    for promise in result["workers"]:
        if promise["kind"] != "switch":
            continue
        worker, today, name = promise["worker"], promise["today"], promise["candidate"]
        model, _ = split_effort(name)
        if (
            model.partition(":")[0] not in PROVIDER_DEFAULTS
        ):  # of today's provider, or today's model at another effort
            own, _ = split_effort(today)
            name = f"{own}{name}" if not model else f"{own.partition(':')[0]}:{name}"
        since = now - timedelta(days=2 * MONTH_DAYS)
        role = find_role(worker)
        subject = (role, worker if role == WORKER else None, user_id)
        # Without a level today's model is that of calls without one: those of the same model at
        # the proposed level are the other side.
        before = await count_worker_runs(rows, since, today, *subject, is_exact=True)
        after = await count_worker_runs(rows, now - WEEK, name, *subject)
        first = await count_worker_runs(rows, since, name, *subject)
        after = replace(after, first_at=first.first_at)  # weeks ago: it is not too early any more
        found.append(watch_switch(promise, before, after, now))
    return found


def watch_switch(
    promise: Mapping[str, Any], before: WorkerRuns, after: WorkerRuns, now: datetime
) -> Watched:
    """Compare a worker's runs after its switch of models with the runs before it.

    The result says whether the switch keeps the advice's promise. promise: of result.json. before:
    today's model then; after: the proposed one.
    """
    worker = promise["worker"]
    if not after.runs or after.first_at is None:
        reason = f"{promise['candidate']} has not answered yet"
        return Watched(worker, "not switched", reason, None)
    ratio = None
    if before.calls and after.calls and before.cost_usd and after.cost_usd is not None:
        ratio = float(after.cost_usd / after.calls / (before.cost_usd / before.calls))
    p = compare_failures(before, after)
    if before.runs and p <= UNLIKELY:
        reason = f"{after.failed:,} of {after.runs:,} runs failed, before {before.failed:,} of "
        return Watched(worker, "not as promised", f"{reason}{before.runs:,} (p {p:.3f})", ratio)
    if after.runs < LEAST_RUNS and now - after.first_at < WEEK:
        return Watched(worker, "too early", f"{format_count(after.runs, 'run')} so far", ratio)
    reason = f"{format_count(after.runs, 'run')}, {after.failed:,} failed"
    promised: float | None = promise["cost_ratio"]
    if ratio is None or promised is None:
        return Watched(worker, "as promised", f"{reason}; the cost is unknown", ratio)
    reason += f"; a call costs {ratio:.0%} of before, promised {promised:.0%}"
    is_kept = ratio <= (promised + (promise["cost_ratio_half"] or 0.0)) * SLACK
    return Watched(worker, "as promised" if is_kept else "not as promised", reason, ratio)


def compare_failures(before: WorkerRuns, after: WorkerRuns) -> float:
    """Return the p-value of a test whether runs fail more after the switch.

    It is Fisher's exact test, one-sided.

    >>> round(compare_failures(WorkerRuns(20, 0, 20, None, None),
    ...                        WorkerRuns(20, 5, 20, None, None)), 3)
    0.024
    """
    failed, total = before.failed + after.failed, before.runs + after.runs
    every = _count_ways(total, failed)  # logarithms: of a million runs, whole numbers take minutes
    shares = (
        math.exp(_count_ways(after.runs, n) + _count_ways(before.runs, failed - n) - every)
        for n in range(after.failed, min(failed, after.runs) + 1)
    )
    return min(1.0, math.fsum(shares))


def _count_ways(runs: int, failed: int) -> float:
    """Return the logarithm of how many ways there are to choose the failed runs."""
    return math.lgamma(runs + 1) - math.lgamma(failed + 1) - math.lgamma(runs - failed + 1)
