"""The effort of a request: the requested level, fitted to the levels of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast, get_args

from ..base.copies import replace
from ..config.tables import RoleSettings, Settings
from ..types import ChatRequest, Effort
from .defaults import EffortOffer, find_effort_offer
from .model_handle import ModelHandle
from .provider_state import Target

LEVELS: Final[tuple[Effort, ...]] = get_args(Effort)
# Their answers are short, and sort, review, learn or name: they need little thought.
BRIEF_ROLES: Final = frozenset({"classifier", "router", "evaluator", "triage"})


def fit_effort(
    offer: EffortOffer | None, requested: Effort | None, *, is_set: bool
) -> Effort | None:
    """Return the model's effort level nearest to the requested one; None to send none.

    is_set: a setting or a client requested it. Else it is our own default, which raises no model's
    effort and is not tried where the levels are only guessed.

    >>> three = EffortOffer("kimi-k3", "a page", levels=("low", "high", "max"))
    >>> [fit_effort(three, level, is_set=True) for level in ("none", "medium", "xhigh")]
    ['low', 'low', 'high']
    >>> fit_effort(None, "low", is_set=True) is None
    True
    """
    if offer is None or requested is None:
        return None
    wanted = LEVELS.index(requested)
    if not is_set:
        if offer.is_guess:
            return None
        wanted = min(wanted, LEVELS.index(offer.default or requested))
    known: list[Effort] = sorted({*offer.levels, *offer.bodies}, key=LEVELS.index)
    # Of two equally near levels the lower one, which `min` returns first: more effort costs more.
    return min(known, key=lambda level: abs(LEVELS.index(level) - wanted), default=None)


def fit_level(handle: ModelHandle, requested: Effort | None, *, is_set: bool) -> Effort | None:
    """Return the model's effort level nearest to the requested one.

    A model without a list of levels gets the requested one.
    """
    if handle.efforts is None:
        return requested
    offer = find_effort_offer(handle.efforts, handle.model)
    return fit_effort(offer, requested, is_set=is_set)


def list_with_models(settings: Settings) -> dict[str, RoleSettings]:
    """Return the `[agents.…]` tables that set more than an effort, by name."""
    agents = settings.agents.items()
    return {name: it for name, it in agents if it != RoleSettings(effort=it.effort)}


def give_effort(
    chain: Sequence[ModelHandle], settings: Settings, role: str, worker: str | None
) -> tuple[ModelHandle, ...]:
    """Copy the models' handles with the effort that is configured for the role, or the default.

    A worker's own is that of its answers, not of their reviews; `agent.effort` is that of workers.
    Whatever else asks a small model, learning say, may be named as a worker is.
    """
    names = {"evaluator": (role,), "worker": (worker or "", role)}
    known = names.get(role, (worker or "", role, *(("triage",) if role in BRIEF_ROLES else ())))
    configured = (settings.agents[name].effort for name in known if name in settings.agents)
    chosen = next(filter(None, configured), settings.agent.effort if role == "worker" else None)
    # Without a setting, triage would think at high (Claude, DeepSeek) or max (Kimi K3, GLM-5.3), as
    # their pages said on 27 November 2026
    # (tests/machine/test_efforts.py::test_triage_and_review_use_low_effort).
    usual: Effort | None = "low" if role in BRIEF_ROLES else None
    effort, is_set = chosen or usual, chosen is not None
    return tuple(replace(it, effort=effort, is_effort_set=is_set) for it in chain)


def fit_settings(
    request: ChatRequest, handle: ModelHandle, role: str
) -> tuple[ChatRequest, ModelHandle]:
    """Return the request and the handle with the temperature and effort that will be sent.

    Both are returned with the level that is sent, and a note if it is not the requested one. In a
    worker's calls the client's wish precedes the settings; in others the settings precede the
    request's own level.
    """
    wish = request.effort if role == "worker" else None
    requested = wish or handle.effort or request.effort
    is_set = wish is not None or handle.is_effort_set
    level = fit_level(handle, requested, is_set=is_set)
    notes = handle.notes
    if is_set and level != requested:
        instead = "the model's own, it has no levels" if level is None else f"{level} instead"
        notes = (*notes, f"effort {requested}: {instead}")
    handle = replace(handle, effort=level, notes=notes)
    temperature = handle.temperature if request.temperature is None else request.temperature
    request = replace(request, temperature=temperature, effort=level, is_effort_set=is_set)
    return request, handle


def add_effort(body: dict[str, Any], request: ChatRequest, target: Target, field: str) -> None:
    """Write the request's effort into `body`, as the level that the model accepts.

    field: the wire's field, with dots. A model without known levels is sent none.
    """
    offer = find_effort_offer(target.quirks.efforts, target.model)
    level = fit_effort(offer, request.effort, is_set=request.is_effort_set)
    if offer is None or level is None:
        return
    if level in offer.bodies:
        _merge(body, offer.bodies[level])
        return
    fields: Any = level
    for name in reversed(field.split(".")):
        fields = {name: fields}
    _merge(body, fields)


def _merge(body: dict[str, Any], fields: Mapping[str, Any]) -> None:
    """Add the fields; an object that is there is added to, unless it gets another `type`."""
    for name, value in fields.items():
        there = body.get(name)
        if isinstance(there, dict) and isinstance(value, Mapping) and "type" not in value:
            _merge(cast("dict[str, Any]", there), cast("Mapping[str, Any]", value))
        else:
            body[name] = value if not isinstance(value, Mapping) else {**value}
