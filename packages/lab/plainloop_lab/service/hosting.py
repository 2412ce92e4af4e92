"""What a live replay of services may be: its candidate, its lanes.

They are made from the service's own settings. What a request may change of them is little:
an address or a key that a stranger names must never meet the service's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainloop.agent.core.models import connect_models
from plainloop.agent.errors import BudgetExceeded
from plainloop.agent.service.service import Service
from plainloop.agent.service.variants import change_settings, name_role_model, name_top_model
from plainloop.agent.store.budgets import describe_budget, list_budget_usage
from plainloop.agent.store.database import Queryable

from ..live.lane import Lane
from ..live.plan import LanePlan, LivePlan
from .lanes import fit_lanes, list_agents, make_lane


def make_hosting(concurrency: int) -> dict[str, Any]:
    """Build the fields of a stored replay that make the service's processes run it.

    concurrency: conversations at once, per process.
    """
    return {"host": "service", "concurrency": concurrency}


def make_candidate(
    provider: str | None,
    model: str | None,
    models: Mapping[str, str],
    prompts: Mapping[str, str],
    design: str | None,
) -> LanePlan:
    """Make the candidate's variant from a request: provider, models, prompts, design.

    model: as `name_top_model`. models: by role or worker, as `name_role_model`.
    """
    given = {} if provider is None else {"AGENT_PROVIDER": provider}
    given |= name_top_model(model or "")
    for role, own in models.items():
        given |= name_role_model(role, own)
    return LanePlan(given, dict(prompts), design)


def describe_candidate(lane: LanePlan) -> dict[str, Any]:
    """Return a candidate as the arguments for `make_candidate`.

    >>> chosen = {"provider": "openai", "model": "gpt-6@high", "models": {"triage": "ollama:qwen3"}}
    >>> lane = make_candidate(**chosen, prompts={"clerk": "Be kind."}, design=None)
    >>> make_candidate(**describe_candidate(lane)) == lane, describe_candidate(lane)["model"]
    (True, 'gpt-6@high')
    """

    def join(prefix: str, *parts: str) -> str:
        named = (lane.settings.get(f"{prefix}_{part}") for part in parts)
        effort = lane.settings.get(f"{prefix}_EFFORT")
        return ":".join(filter(None, named)) + (f"@{effort}" if effort else "")

    return {
        "provider": lane.settings.get("AGENT_PROVIDER"),
        "model": join("AGENT", "MODEL") or None,
        "models": {
            agent: join(f"AGENT_AGENTS_{agent.upper()}", "PROVIDER", "MODEL")
            for agent in sorted(list_agents(lane))
        },
        "prompts": lane.prompts,
        "design": lane.design,
    }


async def open_hosted_lanes(plan: LivePlan, service: Service) -> dict[str, Lane]:
    """Open the variants of a plan that a service runs.

    They have the service's settings, with the changes that a request may make. Raises: ConfigError,
    also for a setting that a request may not change; MissingKeyError.
    """
    lanes: dict[str, Lane] = {}
    for name, lane in plan.all_lanes.items():
        settings, models = service.settings, service.models
        if lane.settings:
            settings = change_settings(service.settings, lane.settings)
            models = await connect_models(settings)
        lanes[name] = make_lane(name, lane, settings, models, service.packs)
    return fit_lanes(plan, lanes)


async def check_budgets(db: Queryable, user_id: str) -> None:
    """Check that no hard budget of the user is used up.

    Budgets for single runs are not checked. Raises: BudgetExceeded.
    """
    for item in await list_budget_usage(db, user_id):
        budget = item.budget
        is_used_up = (budget.limit_usd is not None and item.used_usd >= budget.limit_usd) or (
            budget.limit_tokens is not None and item.used_tokens >= budget.limit_tokens
        )
        if budget.is_hard and budget.scope != "run" and is_used_up:
            raise BudgetExceeded(
                f"the {describe_budget(budget)} is used up",
                hint="Raise the budget, or wait until its next period begins.",
            )
