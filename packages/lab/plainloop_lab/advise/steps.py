"""A step of advice: the live replay of some of a worker's conversations with one candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainloop.agent.service.variants import name_role_model

from ..live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan, make_judge
from .roles import WORKER, find_role
from .wanted import Wanted


def name_step(task_threads: Sequence[str], worker: str, candidate: str, part: Sequence[str]) -> str:
    """Name a step of advice, which replays a range of conversations with a candidate.

    >>> name_step(["a", "b", "c"], "crm_worker", "gpt-6-luna@low", ["b", "c"])
    'crm_worker gpt-6-luna@low 1-3'
    """
    at = task_threads.index(part[0])
    return f"{worker} {candidate} {at}-{at + len(part)}"


def plan_step(wanted: Wanted, worker: str, candidate: str, steps: Mapping[str, str]) -> LivePlan:
    """Plan the replay of a step of advice, with today's model and the candidate.

    Today's side reuses the answers of the worker's earlier steps. For a role, each turn ends with
    its route, and there is no answer for a judge.
    """
    earlier = [it for name, it in steps.items() if name.startswith(f"{worker} ")]
    role = find_role(worker)
    is_worker = role == WORKER
    return LivePlan(
        {BASELINE: LanePlan(), CANDIDATE: LanePlan(name_role_model(worker, candidate))},
        judge=make_judge(wanted.judge, None) if wanted.judge and is_worker else None,
        batch_api=wanted.batch_api,
        answers_from=tuple(earlier),
        worker=worker if is_worker else None,
        role=None if is_worker else role,
    )
