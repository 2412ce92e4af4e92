"""Chooses the models and prompts that answer a run: the configured ones, or the user's choice.

A package that decides more has `Variants` of its own, by the entry point `answering` of
`plainloop.hooks`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from typing import Final

from ..config.installed import load_hook
from ..config.settings import RoleSettings, Settings
from ..core.context import Node
from ..core.models import ROLES, Models, check_agent_names, connect_models
from ..core.seams import ModelSource
from ..core.spec import Pack
from ..dataclasses import dataclass, field, replace
from ..designs.base import load_design
from ..errors import ConfigError
from ..packs.prompts import change_prompts, list_workers
from ..providers.defaults import PROVIDER_DEFAULTS
from ..providers.efforts import LEVELS
from ..store.records import Run
from ..store.store import Store
from ..types import Effort

logger = logging.getLogger(__name__)

OFFLINE: Final = "offline"
# As a worker: titles and the like, which chat programs ask for.
SIDE_REQUEST: Final = "side_request"
MAX_OPENED: Final = 50
_PROVIDER: Final = "AGENT_PROVIDER"
_MODEL: Final = "AGENT_MODEL"
PROMPTED: Final = {"triage": "classifier", "route": "router", "verdict": "evaluator"}
_EFFORT: Final = "AGENT_EFFORT"
ROLE_SETTING: Final = re.compile(r"AGENT_AGENTS_([A-Z][A-Z0-9_]*)_(PROVIDER|MODEL|EFFORT)")


@dataclass(frozen=True, slots=True)
class Variant:
    """Settings and prompts that replace the service's own for some runs.
    settings: `AGENT_…` variables over those of the working process, so that keys are never written
    down. prompts: by `packs.prompts` names.
    """

    settings: dict[str, str] = field(default_factory=dict[str, str])
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    design: str | None = None

    def change_pack(self, pack: Pack) -> Pack:
        """Return a copy of the pack with this variant's prompts."""
        return change_prompts(pack, self.prompts)


@dataclass(frozen=True, slots=True)
class OpenVariant:
    """A variant with its settings and connected models, ready to answer runs."""

    variant: Variant
    settings: Settings
    models: Models


class Variants:
    """Chooses the variant that answers each run: a user's model or a canary; opens each once."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._opened: dict[str, OpenVariant] = {}

    @staticmethod
    def list_named(settings: Settings) -> set[str]:
        """List names other than roles and workers that `[agents.<name>]` may have; here none."""
        return set()

    @staticmethod
    def check(settings: Settings, models: ModelSource) -> None:
        """Refuse settings that need the package plainloop-lab, such as routing tables.

        Raises: ConfigError for settings that choose models and cannot be followed here.
        """
        own = settings.agents.values()
        if settings.route_table or any(role.route_table or role.cascade for role in own):
            raise ConfigError(
                "`route_table` and `cascade` need plainloop-lab, which is not installed",
                hint="Install it with `pip install plainloop-lab`, or remove these settings.",
            )

    @staticmethod
    def select(nodes: Mapping[str, Node], pack: Pack, settings: Settings) -> Mapping[str, Node]:
        """Let nodes choose their model by the routing settings.
        Without plainloop-lab: return them unchanged.
        """
        return nodes

    async def open(self, run: Run, own: Models, chosen: str | None) -> OpenVariant | None:
        """Open the variant (models and prompts) that answers a run; None for the service's own.
        own: models that are served. chosen: by its user, as `provider:model`.

        Raises: ConfigError, MissingKeyError where the user has chosen a model that cannot answer.
        """
        if chosen is not None:
            return await self.open_model(chosen, own)
        return None if run.canary_id is None else await self.open_canary(run, run.canary_id, own)

    async def open_canary(self, run: Run, canary_id: str, own: Models) -> OpenVariant | None:
        """Open the candidate of a canary release; None here, because only plainloop-lab can."""
        logger.warning("canary_left_out", extra={"run_id": run.run_id, "rollout_id": canary_id})
        return None

    async def open_model(self, model: str, own: Models) -> OpenVariant:
        """Open the variant for a user who has chosen the model `provider:model`.

        Raises: ConfigError, also for what is no such name; MissingKeyError.
        """
        if model not in self._opened:
            roles = {name: it for name, it in self._settings.agents.items() if name in ROLES}
            settings = replace(self._settings, agents=roles)  # a worker's own one gives way
            opened = await open_variant(name_model(model, own), settings, own)
            # Each holds a provider's clients, with their connections.
            if len(self._opened) >= MAX_OPENED:
                self._opened.clear()
            self._opened[model] = opened
        return self._opened[model]


def load_variants() -> type[Variants]:
    """Load the variants of an installed package, or else the built-in ones.

    Raises: ConfigError for ones that cannot be imported.
    """
    return load_hook("answering") or Variants


async def open_variant(
    variant: Variant, settings: Settings, own: Models | None = None
) -> OpenVariant:
    """Build a variant's settings, models and design, ready for use.
    own: the models of the settings, reused if the variant changes none.

    Raises: ConfigError, also for a design that is not there; MissingKeyError.
    """
    changed = change_settings(settings, variant.settings)
    models = own if own and not variant.settings else await connect_models(changed)
    models.resolve("worker")
    if variant.design is not None:
        load_design(variant.design)
    return OpenVariant(variant, changed, models)


def name_role_model(role: str, model: str) -> dict[str, str]:
    """Return the settings changes by which a role or worker gets this model.
    role: also by its prompt's name. model: as `PROVIDER:MODEL`, with `@LEVEL` behind it or that
    alone.

    >>> name_role_model("triage", "openai:gpt-6-luna@none")["AGENT_AGENTS_CLASSIFIER_EFFORT"]
    'none'
    """
    return _name_settings(f"AGENT_AGENTS_{PROMPTED.get(role, role).upper()}", model)


def name_top_model(model: str) -> dict[str, str]:
    """Return the settings changes by which the whole service gets this model.

    >>> name_top_model("openai:gpt-6-luna"), name_top_model("@high")
    ({'AGENT_PROVIDER': 'openai', 'AGENT_MODEL': 'gpt-6-luna'}, {'AGENT_EFFORT': 'high'})
    """
    return _name_settings("AGENT", model)


def _name_settings(prefix: str, model: str) -> dict[str, str]:
    """Build the settings of a model whose variables begin with `prefix`."""
    model, effort = split_effort(model)
    provider, _, rest = model.partition(":")
    is_named = provider in PROVIDER_DEFAULTS
    values = {"PROVIDER": provider if is_named else "", "MODEL": rest if is_named else model}
    values["EFFORT"] = effort or ""
    return {f"{prefix}_{name}": value for name, value in values.items() if value}


def split_effort(model: str) -> tuple[str, Effort | None]:
    """Split `MODEL@LEVEL` into the model and its effort level.

    >>> split_effort("claude-sonnet-4-5@20250929"), split_effort("claude-sonnet-4-5@20250929@max")
    (('claude-sonnet-4-5@20250929', None), ('claude-sonnet-4-5@20250929', 'max'))
    """
    name, _, last = model.rpartition("@")
    return (name, last) if last in LEVELS else (model, None)


def name_model(model: str, own: Models) -> Variant:
    """Build the variant in which this model answers instead of every worker's own.
    Small calls stay as they are, unless rules and a language model would share the work.

    Raises: ConfigError for what is no such name.
    """
    provider, _, name = model.partition(":")
    if provider not in PROVIDER_DEFAULTS or not name:
        known = ", ".join(PROVIDER_DEFAULTS)
        raise ConfigError(
            f"{model[:80]} is not a valid model name",
            hint=f"Use provider:model with one of the providers {known}.",
        )
    settings = name_role_model("worker", model)
    if (provider == OFFLINE) != (own.provider == OFFLINE):
        settings[_PROVIDER] = provider
    return Variant(settings)


def check_roles(settings: Settings, packs: Iterable[Pack]) -> None:
    """Raise ConfigError if an `[agents.<name>]` table is not named after a role, worker or pack."""
    callers = {SIDE_REQUEST}
    for pack in packs:
        callers |= {pack.name, *(spec.name for spec in list_workers(pack))}
    check_agent_names(settings, {*ROLES, *callers, *load_variants().list_named(settings)})


def change_settings(settings: Settings, changes: Mapping[str, str]) -> Settings:
    """Copy the settings with changed models, providers or efforts.

    Key and address are those of the service's own provider: another one gets neither.

    Raises: ConfigError for any other setting.
    """
    roles: dict[str, dict[str, str]] = {}
    for name, value in changes.items():
        match = ROLE_SETTING.fullmatch(name)
        if name.endswith("_EFFORT") and value not in LEVELS:
            raise ConfigError(
                f"{name} cannot be {value!r}", hint=f"Use one of: {', '.join(LEVELS)}."
            )
        if match is not None:
            roles.setdefault(match[1].lower(), {})[match[2].lower()] = value
        elif name not in (_PROVIDER, _MODEL, _EFFORT):
            raise ConfigError(
                f"{name} cannot be changed for a candidate or variant",
                hint="Only models, providers and efforts can be changed: AGENT_MODEL, "
                "AGENT_AGENTS_TRIAGE_MODEL, …",
            )
    agents = dict(settings.agents)
    for role, change in roles.items():
        own = agents.get(role, RoleSettings())
        own = RoleSettings(effort=own.effort) if "provider" in change else own
        agents[role] = replace(own, **change)
    if _EFFORT in changes:
        agent = replace(settings.agent, effort=changes[_EFFORT])
        settings = replace(settings, agent=agent)
    provider, model = changes.get(_PROVIDER), changes.get(_MODEL)
    # Only then key and address stay: they must reach no other vendor.
    if provider is None or provider == settings.provider:
        return replace(settings, agents=agents, model=model or settings.model)
    return replace(
        settings,
        agents=agents,
        provider=provider,
        model=model,
        api_key=None,
        api_base=None,
        protocol=None,
    )
