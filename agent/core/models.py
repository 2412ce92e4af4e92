"""Which model answers which role: settings first, then the provider's defaults table."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from ..base.pricing import LIST_PRICES, Prices
from ..base.token_factors import TokenFactors
from ..base.token_ranks import choose_token_counter
from ..config.settings import RoleSettings, Settings, WireProtocol
from ..errors import ConfigError
from ..providers.defaults import PROVIDER_DEFAULTS, Protocol, ProviderDefaults
from ..providers.registry import create_provider
from ..types import ChatProvider

DETECTION_ORDER: Final = ("anthropic", "openai", "gemini", "deepseek", "kimi", "glm", "minimax")
SMALL_ROLES: Final = frozenset({"classifier", "router", "evaluator"})
OLLAMA_PROBE_S: Final = 0.3
PROTOCOLS: Final[Mapping[WireProtocol, Protocol]] = {
    "chat": "openai_chat",
    "responses": "openai_responses",
}


@dataclass(frozen=True, slots=True)
class ModelHandle:
    """One model ready to be called."""

    provider: str
    model: str
    chat: ChatProvider
    factors: TokenFactors = field(default_factory=TokenFactors)  # of all models of the process
    prices: Prices = LIST_PRICES

    @property
    def label(self) -> str:
        return f"{self.provider}:{self.model}"

    @property
    def token_factor(self) -> float:
        """The model's tokens per token of our estimate, as learnt so far."""
        return self.factors.get(self.label)

    def to_estimated(self, model_tokens: int) -> int:
        """A budget of the model's tokens in our estimate's, steady enough to cut histories by."""
        return round(model_tokens / self.factors.get_steady(self.label))


class Models:
    """The models of this process, built once per (role, worker)."""

    def __init__(self, settings: Settings, provider: str) -> None:
        self._settings = settings
        self.provider = provider
        self.factors = TokenFactors()
        self.prices = Prices(settings.prices)
        self._chains: dict[tuple[str, str | None], tuple[ModelHandle, ...]] = {}

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        """The role's model and its fallbacks. A worker's own setting wins over the role's,
        the role's over the top one.

        Raises: ConfigError for an unknown provider, MissingKeyError naming the variables.
        """
        key = (role, worker)
        if key not in self._chains:
            self._chains[key] = self._build_chain(role, worker)
        return self._chains[key]

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        """The first model of the chain."""
        return self.resolve_chain(role, worker)[0]

    def _build_chain(self, role: str, worker: str | None) -> tuple[ModelHandle, ...]:
        agents = self._settings.agents
        choice = agents.get(worker or "") or agents.get(role)
        provider = (choice.provider if choice else None) or self.provider
        model = choice.model if choice else None
        first = self._make_handle(provider, model, role, choice or RoleSettings())
        fallbacks = choice.fallback if choice else ()
        return (first, *(self._make_fallback(name, role) for name in fallbacks))

    def _make_handle(
        self, provider: str, model: str | None, role: str, own: RoleSettings
    ) -> ModelHandle:
        """own: the role's settings; the top ones hold for the top provider only."""
        is_top = provider == self.provider
        settings = self._settings
        defaults = PROVIDER_DEFAULTS.get(provider)
        if model is None and is_top and role != "embedding":
            model = settings.model
        if model is None and defaults is not None:
            model = _choose_model(defaults, role)
        key = own.api_key or (settings.api_key if is_top else None) or find_key(provider, settings)
        protocol = own.protocol or (settings.protocol if is_top else None)
        chat = create_provider(
            provider,
            key.reveal() if key else None,
            model,
            own.api_base
            or (settings.api_base if is_top else None)
            or find_base(provider, settings),
            region=settings.region,
            protocol=PROTOCOLS[protocol] if protocol else None,
            search_grounding=settings.gemini.search_grounding,
        )
        return ModelHandle(chat.provider, chat.model, chat, self.factors, self.prices)

    def _make_fallback(self, name: str, role: str) -> ModelHandle:
        provider, _, model = name.partition(":")
        return self._make_handle(provider, model or None, role, RoleSettings())


def _choose_model(defaults: ProviderDefaults, role: str) -> str:
    if role == "embedding" and defaults.embedding_model is not None:
        return defaults.embedding_model
    return defaults.small_model if role in SMALL_ROLES else defaults.default_model


async def connect_models(settings: Settings) -> Models:
    """The models of these settings; which provider is the top one is found out when unset.

    How tokens are counted before a provider tells them is chosen here as well.
    """
    await choose_token_counter(settings)
    return Models(settings, settings.provider or await detect_provider(settings))


async def detect_provider(settings: Settings) -> str:
    """The first provider with a key, else a reachable Ollama, else `offline`."""
    for provider in DETECTION_ORDER:
        if find_key(provider, settings):
            return provider
    return "ollama" if await is_ollama_reachable(settings) else "offline"


def find_key(provider: str, settings: Settings) -> Any:
    """The provider's key from its environment variables, in order; None when none is set."""
    defaults = PROVIDER_DEFAULTS.get(provider)
    for name in defaults.key_variables if defaults else ():
        value = settings.get_env(name)
        if value is not None:
            return value
    return None


def find_base(provider: str, settings: Settings) -> str | None:
    """The provider's address from the environment: only Ollama has a variable for it."""
    found = settings.get_env("OLLAMA_HOST") if provider == "ollama" else None
    return found.reveal() if found else None


async def is_ollama_reachable(settings: Settings) -> bool:
    """Whether something accepts connections where Ollama should be."""
    text = find_base("ollama", settings) or PROVIDER_DEFAULTS["ollama"].base_url
    address = urlsplit(text if "//" in text else f"//{text}")
    try:
        async with asyncio.timeout(OLLAMA_PROBE_S):
            _, writer = await asyncio.open_connection(
                address.hostname or "localhost", address.port or 11434
            )
    except (OSError, TimeoutError, ValueError):
        return False
    writer.close()
    return True


def check_agent_names(settings: Settings, known: Collection[str]) -> None:
    """Raises: ConfigError when `[agents.<name>]` names neither a role nor a worker."""
    for name in settings.agents:
        if name not in known:
            raise ConfigError(
                f"[agents.{name}] is neither a role nor a worker",
                hint="known names: " + ", ".join(sorted(known)),
            )
