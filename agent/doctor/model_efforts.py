"""Describes which reasoning effort each role's model is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..core.models import ROLES, Models
from ..providers.defaults import find_effort_offer
from ..providers.efforts import fit_level
from ..providers.model_handle import ModelHandle

FALLBACK_OF: Final = "fallback of "


def describe_efforts(users: Sequence[str], label: str, models: Models) -> str:
    """Describe which effort level each role and worker sends to a model; "" if it has no levels.

    users: as `doctor.providers.list_used` names them. label: of the model.
    """
    by_level: dict[str, list[str]] = {}
    for user in users:
        name = user.removeprefix(FALLBACK_OF)
        role, worker = (name, None) if name in ROLES else ("worker", name)
        chain = models.resolve_chain(role, worker)
        handle = next((each for each in chain if each.label == label), None)
        if handle is not None and (level := describe_level(handle)):
            by_level.setdefault(level, []).append(user)
    if len(by_level) == 1:
        return f"effort {next(iter(by_level))}"
    levels = [f"{level} as {', '.join(names)}" for level, names in by_level.items()]
    return f"effort {'; '.join(levels)}" if levels else ""


def describe_level(handle: ModelHandle) -> str:
    """Describe the effort level that is sent to a model; "" if it has no levels.

    The requested level follows if it is another.
    """
    offer = find_effort_offer(handle.efforts or (), handle.model)
    level = fit_level(handle, handle.effort, is_set=handle.is_effort_set)
    if level is None:
        effort = handle.effort if handle.is_effort_set else None
        if offer is None:
            return f"not sent ({effort} is set, the model has no levels)" if effort else ""
        own = f", {offer.default}" if offer.default else ""
        return f"not sent (the model's own{own})"
    if level == handle.effort or not handle.is_effort_set:
        return level
    return f"{level} ({handle.effort} is set, the model does not have it)"
