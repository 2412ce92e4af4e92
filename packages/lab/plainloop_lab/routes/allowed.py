"""Which models a replay may ask: of those that its request names, the caller may use each."""

from __future__ import annotations

from plainloop.agent.config.modules import make_unknown
from plainloop.agent.core.api import ApiRequest
from plainloop.agent.core.models import ROLES
from plainloop.agent.designs.base import list_designs
from plainloop.agent.errors import ConfigError, InputError
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.service.service import Service
from plainloop.server.auth.models import check_model

from ..live.known_models import check_known_models
from ..live.lane import Lane
from ..live.plan import CANDIDATE, JUDGE, LivePlan
from ..service.hosting import open_hosted_lanes


async def check_plan(request: ApiRequest, service: Service, plan: LivePlan) -> dict[str, Lane]:
    """Check that a plan's variants can answer, and that the caller may choose their models.

    Returns the opened variants.

    Raises: InputError for a design, model or prompt that cannot work, UNKNOWN_MODEL for a model
    that its provider does not have; AccessDenied MODEL_NOT_ALLOWED.
    """
    try:
        check_design(plan.lanes[CANDIDATE].design, service.settings.agent.design)
        lanes = await open_hosted_lanes(plan, service)
    except ConfigError as error:  # of what was asked for, not of the service
        raise InputError(error.message, code=error.code, hint=error.hint) from error
    for name, lane in lanes.items():
        for provider, model in sorted(list_chosen(plan, name, lane)):
            check_model(request, service.models, provider, model)
    # After the permission: the provider's list is no business of those who may not use it.
    await check_known_models(plan, lanes)
    return lanes


def list_chosen(plan: LivePlan, name: str, lane: Lane) -> set[tuple[str, str]]:
    """Return (provider, model) of the models that a variant chooses differently than today.

    The model of its worker or judge is always included.
    """
    # The names as settings have them: a request may spell them in upper case
    # (test_no_spelling_of_a_name_gives_a_forbidden_model).
    asked = {"evaluator" if name == JUDGE else "worker", *lane.agents}
    handles = [lane.models.resolve(*((it,) if it in ROLES else ("worker", it))) for it in asked]
    chosen = {(handle.provider, handle.model) for handle in handles}
    if not {"AGENT_PROVIDER", "AGENT_MODEL"}.isdisjoint(plan.all_lanes[name].settings):
        # Where `worker` has a model of its own, the top one is of all others
        # (test_a_forbidden_model_is_refused_though_a_worker_has_its_own).
        provider = lane.models.provider
        chosen.add((provider, lane.settings.model or PROVIDER_DEFAULTS[provider].default_model))
    return chosen


def check_design(name: str | None, served: str) -> None:
    """Check that a design is built in or served, before it is opened.

    Opening another would import its module. Raises: ConfigError for any other.
    """
    known = {*list_designs(), served}
    if name is not None and name not in known:
        raise make_unknown("design", name, sorted(known))
