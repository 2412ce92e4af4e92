"""Chooses the model of each role: by settings, else by the provider's defaults."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ..base.tokens.factors import TokenFactors
from ..base.tokens.output_sizes import OutputSizes
from ..base.tokens.ranks import choose_token_counter
from ..config.tables import RoleSettings, Settings
from ..errors import ConfigError
from ..providers.defaults import PROTOCOLS, PROVIDER_DEFAULTS, list_providers
from ..providers.detection import detect_provider, find_base, find_key, grounds_search
from ..providers.efforts import give_effort, list_with_models
from ..providers.lifetimes import Pauses
from ..providers.model_handle import ModelHandle
from ..providers.pricing import Prices
from ..providers.registry import create_provider

TRIAGE: Final = "triage"  # both that sort requests
ROLES: Final = (TRIAGE, "classifier", "router", "worker", "evaluator", "parser", "embedding")
SMALL_ROLES: Final = frozenset({"classifier", "router", "evaluator", TRIAGE})


class Models:
    """The models of this process, built once per (role, worker)."""

    def __init__(self, settings: Settings, provider: str) -> None:
        self._settings = settings
        self.provider = provider
        self.factors = TokenFactors()
        self.outputs = OutputSizes()
        self.prices = Prices(settings.prices)
        self.pauses = Pauses(settings.agent.cache_lifetime)
        self._chains: dict[tuple[str, str | None], tuple[ModelHandle, ...]] = {}

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        """Return the models to try in turn for a role: its own model, then its fallbacks.
        A worker's own setting wins over the role's, the role's over the top one; of a small role
        its own wins, and a large one leaves its model alone.

        Raises: ConfigError for an unknown provider, MissingKeyError naming the variables.
        """
        key = (role, worker)
        if key not in self._chains:
            self._chains[key] = self._build_chain(role, worker)
        return self._chains[key]

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        """Return the first model of the role's chain."""
        return self.resolve_chain(role, worker)[0]

    def _build_chain(self, role: str, worker: str | None) -> tuple[ModelHandle, ...]:
        agents = list_with_models(self._settings)
        configured = next((name for name in list_names(role, worker) if name in agents), None)
        own = agents[configured] if configured else RoleSettings()
        provider = own.provider or self.provider
        # Who takes a worker's place takes its provider, with whatever model is small there.
        is_large = role in SMALL_ROLES and configured == worker and self._is_at_home(provider, own)
        first = self._make_handle(provider, None if is_large else own.model, role, own)
        names = (name.partition(":") for name in own.fallback)
        rest = (self._make_handle(it, name, role, RoleSettings()) for it, _, name in names)
        return give_effort((first, *rest), self._settings, role, worker)

    def _find_address(self, provider: str, own: RoleSettings) -> str | None:
        top = self._settings.api_base if provider == self.provider else None
        return own.api_base or top or find_base(provider, self._settings)

    def _is_at_home(self, provider: str, own: RoleSettings) -> bool:
        """Whether a provider has all its vendor's models; at another address it may not."""
        return provider in list_providers("key") and not self._find_address(provider, own)

    def _make_handle(
        self, provider: str, model: str | None, role: str, own: RoleSettings
    ) -> ModelHandle:
        """Build a model's handle. own: the role's settings; the top ones are the top provider's."""
        is_top = provider == self.provider
        settings = self._settings
        defaults = PROVIDER_DEFAULTS.get(provider)
        if model is None and is_top and role in SMALL_ROLES:
            is_home = self._is_at_home(provider, own)
            model = settings.small_model or (None if is_home else settings.model)
        elif model is None and is_top and role != "embedding":
            model = settings.model
        if model is None and defaults is not None:
            model = defaults.small_model if role in SMALL_ROLES else defaults.default_model
            if role == "embedding":
                model = defaults.embedding_model or model
        key = own.api_key or (settings.api_key if is_top else None) or find_key(provider, settings)
        protocol = own.protocol or (settings.protocol if is_top else None)
        chat = create_provider(
            provider,
            key.reveal() if key else None,
            model,
            self._find_address(provider, own),
            region=settings.region,
            protocol=PROTOCOLS[protocol] if protocol else None,
            search_grounding=grounds_search(settings, role),
        )
        tagged = settings.thoughts_in_text if own.thoughts_in_text is None else own.thoughts_in_text
        handle = ModelHandle(
            *(chat.provider, chat.model, chat),
            *(self.factors, self.outputs, self.prices, self.pauses),
            efforts=getattr(chat, "efforts", None),
            temperature=own.temperature,
            thoughts_in_text=tagged,
        )
        if own.temperature is not None and handle.base_url and "temperature" in handle.refuses:
            wrong = f"{handle.label} does not support a temperature"
            raise ConfigError(
                wrong, hint=f"Unset the temperature of the agent {role}, or choose another model."
            )
        return handle


def list_names(role: str, worker: str | None = None) -> tuple[str, ...]:
    """List the `[agents.…]` tables that may set a role's model; the first that exists is used."""
    if role not in SMALL_ROLES:
        return (worker or "", role)
    return (role, worker or role) if role == "evaluator" else (role, TRIAGE)


async def connect_models(settings: Settings) -> Models:
    """Build the models of these settings, after detecting the provider if none is set.

    How tokens are counted before a provider tells them is chosen here as well.
    """
    await choose_token_counter(settings)
    return Models(settings, settings.provider or await detect_provider(settings))


def check_agent_names(settings: Settings, known: Collection[str]) -> None:
    """Raise ConfigError if an `[agents]` table is named after neither a role nor a worker."""
    for name in settings.agents:
        if name not in known:
            raise ConfigError(
                f"[agents.{name}] is neither a role nor a worker",
                hint="Known names: " + ", ".join(sorted(known)),
            )
