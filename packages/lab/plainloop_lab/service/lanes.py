"""The lanes of a plan, opened: models and packs from this process's settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.models import ROLES, Models, connect_models
from plainloop.agent.core.spec import Pack
from plainloop.agent.designs.base import load_design
from plainloop.agent.errors import ConfigError
from plainloop.agent.packs.loading import load_served_packs
from plainloop.agent.providers.http.clients import preload
from plainloop.agent.service.variants import ROLE_SETTING, check_roles

from ..batches.chat import LONGEST_S, check_batching, lift_time_limits
from ..batches.chat import ROLES as BATCHED
from ..live.lane import Lane
from ..live.plan import JUDGE, LanePlan, LivePlan
from .prompts import find_prompt_problem, list_prompt_names


async def open_lane(name: str, plan: LanePlan, environ: Mapping[str, str]) -> Lane:
    """Open a variant: its models and packs.

    The variant's settings override those of this process. Raises: ConfigError, also for a design
    that is not there or a prompt of a worker that no pack has.
    """
    settings = drop_access(load_settings({**environ, **plan.settings}), plan, environ)
    if plan.design is not None:
        load_design(plan.design)
    packs = () if name == JUDGE else load_served_packs(settings)
    return make_lane(name, plan, settings, await connect_models(settings), packs)


def make_lane(
    name: str, plan: LanePlan, settings: Settings, models: Models, served: Iterable[Pack]
) -> Lane:
    """Make a variant and check that its models and prompts can answer.

    Raises: ConfigError, MissingKeyError for what could not answer.
    """
    models.resolve("evaluator" if name == JUDGE else "worker")
    packs = {pack.name: pack for pack in served}
    if name != JUDGE:
        check_prompts(plan, packs)
        check_roles(settings, packs.values())
    agents = list_agents(plan)
    for agent in sorted(agents):
        models.resolve(*((agent,) if agent in ROLES else ("worker", agent)))
    return Lane(name, settings, models, packs, plan.design, plan.prompts, agents)


def list_agents(plan: LanePlan) -> frozenset[str]:
    """Return the roles and workers to which a variant gives another model or effort.

    Another provider counts too.

    >>> settings = {"AGENT_AGENTS_CLASSIFIER_EFFORT": "low", "AGENT_LIMITS_RUN_TIMEOUT_S": "9"}
    >>> list_agents(LanePlan(settings))
    frozenset({'classifier'})
    """
    matches = filter(None, map(ROLE_SETTING.fullmatch, plan.settings))
    return frozenset(match[1].lower() for match in matches)


def drop_access(settings: Settings, plan: LanePlan, environ: Mapping[str, str]) -> Settings:
    """Remove this process's API key, URL and protocol if a variant has another provider.

    What the variant itself sets stays, and so do the providers' own variables.
    """
    named = plan.settings.get("AGENT_PROVIDER")
    if named is None or named == load_settings(environ).provider:
        return settings
    variables = {
        "api_key": "AGENT_API_KEY",
        "api_base": "AGENT_API_BASE",
        "protocol": "AGENT_PROTOCOL",
    }
    given = {field for field, name in variables.items() if name in plan.settings}
    return replace(settings, **dict.fromkeys(variables.keys() - given))


def check_prompts(plan: LanePlan, packs: Mapping[str, Pack]) -> None:
    """Check that a variant's prompts have known names and can be filled in.

    Raises: ConfigError for a prompt that nothing is asked with, or that cannot be filled in.
    """
    known = list_prompt_names(packs.values())
    if problem := find_prompt_problem(plan.prompts, known):
        plain = sorted(name for name in known if "." not in name)
        hint = f"Known names: {', '.join(plain)}; PACK.NAME changes one pack's alone."
        raise ConfigError(problem, hint=hint)


async def open_lanes(
    plan: LivePlan, environ: Mapping[str, str], *, is_imported: bool = False
) -> dict[str, Lane]:
    """Open all variants of the plan, the judge's among them.

    is_imported: the source will be a file, whose shapes the plan does not have yet.

    Raises: ConfigError, also for a provider without a batch API in a plan that needs one.
    """
    lanes = {name: await open_lane(name, lane, environ) for name, lane in plan.all_lanes.items()}
    for provider in {lane.models.provider for lane in lanes.values()}:
        await preload(provider)  # an import in its first call would count as a lane's latency
    return fit_lanes(plan, lanes, is_imported=is_imported)


def fit_lanes(
    plan: LivePlan, lanes: Mapping[str, Lane], *, is_imported: bool = False
) -> dict[str, Lane]:
    """Return the variants with the limits lifted that would disturb this plan.

    These are limits on time, on rates and on the length of tool results.
    """
    fitted = {name: _change_limits(lane, rate_wait_s=LONGEST_S) for name, lane in lanes.items()}
    if plan.shapes:  # an imported source's results are what the model saw: not cut again
        fitted = {
            name: _change_limits(lane, tool_result_tokens=2**31) for name, lane in fitted.items()
        }
    if plan.batch_api:
        for name, lane in fitted.items():
            answering = ("worker",) if plan.shapes or is_imported else BATCHED
            check_batching(lane, ("evaluator",) if name == JUDGE else answering)
            fitted[name] = replace(lane, settings=lift_time_limits(lane.settings))
    return fitted


def _change_limits(lane: Lane, **changes: float) -> Lane:
    limits = replace(lane.settings.limits, **changes)
    return replace(lane, settings=replace(lane.settings, limits=limits))
