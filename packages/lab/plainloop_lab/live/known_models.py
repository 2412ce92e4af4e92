"""Refuses a replay's model that its provider does not have, before the first call."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from plainloop.agent.core.models import ROLES
from plainloop.agent.doctor.model_warnings import is_at_home
from plainloop.agent.errors import AgentError, InputError
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.providers.endings import load_endings
from plainloop.agent.providers.http.clients import preload
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.pricing import is_listed

from .lane import Lane
from .plan import JUDGE, LivePlan

logger = logging.getLogger(__name__)

WAIT_S: Final = 5.0  # for a provider's list; without it, the first call tells
_DATE: Final = re.compile(r"-\d[\d-]{3,}$")
_LATEST: Final = "-latest"  # names that providers resolve themselves, and may not list


async def check_known_models(plan: LivePlan, lanes: Mapping[str, Lane]) -> None:
    """Check that each model that a plan names exists at its provider.

    Raises: InputError UNKNOWN_MODEL with the nearest name.
    """
    handles: dict[str, ModelHandle] = {}
    for name, lane in lanes.items():
        if not any(key.endswith("_MODEL") for key in plan.all_lanes[name].settings):
            continue
        for asked in {"evaluator" if name == JUDGE else "worker", *lane.agents}:
            handle = lane.models.resolve(*((asked,) if asked in ROLES else ("worker", asked)))
            if not _is_taken_for_known(handle, lane):
                handles[handle.label] = handle
    for handle in handles.values():
        if (problem := await find_unknown(handle)) is not None:
            raise problem


async def find_unknown(handle: ModelHandle) -> InputError | None:
    """Return an error for a model that its vendor's list lacks; None: it has it, or nobody knows.

    Only at the vendor's own address: a compatible server may accept names that it does not list.
    """
    if not is_at_home(handle):
        return None
    await preload(handle.provider)  # importing its SDK is no part of the wait
    try:
        async with asyncio.timeout(WAIT_S):
            listed = [model.id for model in await handle.chat.list_models()]
    except (AgentError, TimeoutError) as error:
        logger.info("models_not_listed", extra={"model": handle.label, "reason": str(error)})
        return None
    model = handle.model.partition(":")[0]  # OpenRouter's variants, such as :free
    plain = {_DATE.sub("", one) for one in listed}  # stands for its newest dated version
    if not listed or not {handle.model, model}.isdisjoint({*listed, *plain}):
        return None
    near = get_close_matches(model, listed, 1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return InputError(
        f"{handle.provider} has no model {handle.model!r}",
        hint=f"{hint}`plainloop models {handle.provider}` lists its {len(listed)} models.",
        code="UNKNOWN_MODEL",
    )


def _is_taken_for_known(handle: ModelHandle, lane: Lane) -> bool:
    """Whether a model exists for all that is known without a request to its provider."""
    provider, model = handle.provider, handle.model
    defaults = PROVIDER_DEFAULTS[provider]
    return (
        model in (defaults.default_model, defaults.small_model)
        or model.endswith(_LATEST)
        or handle.prices.has_own(provider, model)
        or is_listed(provider, model)
        or load_endings(lane.settings.endings_file).find(provider, model) is not None
    )
