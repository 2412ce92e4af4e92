"""What limits advice: its method, the candidates and roles that it did not judge, its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.store.database import Queryable

from ..decide.candidates import MONTH_DAYS
from ..store.workers import list_worker_usage
from .preparing import Task, list_refused
from .roles import OTHER, UNJUDGED, WORKER, find_role, is_judged, name_usage
from .wanted import Wanted


def list_doubts(result: Mapping[str, Any]) -> list[str]:
    """List the advice's caveats: mixed traffic, missing prices, tried candidates, confidence."""
    found: list[str] = []
    for item in result["workers"]:
        worker = item["worker"]
        if item["share"] < 1:
            found.append(
                f"{worker}: only {item['share']:.0%} of the worker's calls went to {item['today']}"
            )
        if item["today_usd"] is None:
            found.append(f"{worker}: calls without a known price, so no saving is stated")
        tried = [each for each in item["tried"] if each["conversations"]]
        if tried and item["kind"] != "switch":
            names = ", ".join(
                f"{each['candidate']} on {format_count(each['conversations'], 'conversation')}"
                for each in tried
            )
            found.append(f"{worker}: tried to choose a candidate: {names}")
    proven = [item["confidence"] for item in result["workers"] if item["kind"] == "switch"]
    if proven:
        found.append(
            f"“at worst” holds for each worker with {min(proven):.1%} confidence or more; "
            f"all proposals together are right with {1 - result['alpha']:.0%}"
        )
    return [*found, *result["doubts"]]


def list_method_doubts(
    wanted: Wanted, tasks: Sequence[Task], *, has_rules: bool = False
) -> list[str]:
    """List the limits of the advice's method as sentences, and the candidates not tried.

    has_rules: the caller brings its own rules.
    """
    found: list[str] = []
    if wanted.judge is None and not has_rules:
        found.append("what the answers say was not judged: it takes a judge or rules of your own")
    found.append(
        "turns were judged one by one on recorded histories, so where a conversation goes after "
        "another answer is unknown; requests unlike the drawn ones were not judged"
    )
    if wanted.batch_api:
        found.append("latency was not measured: batches were used")
    if any(find_role(task.question.worker) != WORKER for task in tasks):
        found.append(
            "for triage and router, the chosen worker or query was judged, not the success "
            "criteria; titles, memory and other calls of the role classifier change with triage"
        )
    found += dict.fromkeys(change for task in tasks for change in task.price_changes)
    return found + [
        f"{task.question.worker}: not tried: {line}"
        for task in tasks
        for line in list_refused(task)
    ]


async def list_unjudged(rows: Queryable, wanted: Wanted) -> list[str]:
    """List the model roles that advice cannot judge, a sentence per role.

    The sentence has the role's share of the month's cost and the reason. [] for advice on named
    workers.
    """
    since = datetime.now(UTC) - timedelta(days=MONTH_DAYS)
    usages = [] if wanted.workers else await list_worker_usage(rows, since, wanted.user_id)
    total = sum((usage.cost_usd or Decimal(0) for usage in usages), Decimal(0))
    costs: dict[tuple[str, str], Decimal] = {}
    for usage in usages:
        if not is_judged(usage):
            key = (name_usage(usage), UNJUDGED.get(usage.role, OTHER))
            costs[key] = costs.get(key, Decimal(0)) + (usage.cost_usd or Decimal(0))
    return [
        f"{name}: {cost / (total or 1):.0%} of the month's cost, not judged: {why}"
        for (name, why), cost in costs.items()
    ]
