"""Makes a provider from a name and a key."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

from ..errors import ConfigError, MissingKeyError
from ..outbound.addresses import AllowList
from ..types import ChatProvider, ChatRequest, LLMResponse
from .defaults import (
    PROVIDER_DEFAULTS,
    Protocol,
    ProviderDefaults,
    choose_protocol,
    quirks_for,
)
from .http.clients import NO_KEY, Endpoint, close_clients, preload
from .provider_state import Target

OFFLINE: Final = "..offline.brain.provider"

__all__ = ["PROVIDER_DEFAULTS", "close_clients", "create_provider", "preload", "test_connection"]


def create_provider(
    provider: str,
    api_key: str | None = None,
    model: str | None = None,
    api_base: str | None = None,
    *,
    region: str | None = None,
    protocol: Protocol | None = None,
    timeout_s: float | None = None,
    search_grounding: bool = False,
    guard: AllowList | None = None,
) -> ChatProvider:
    """A provider for one model; makes no call. None means the default of `PROVIDER_DEFAULTS`.

    protocol: "openai_chat" or "openai_responses" where the table's choice is not wanted.
    timeout_s: longest silence between two reads, in place of each request's own.
    search_grounding: Google's search, Gemini only.
    guard: for an `api_base` that came in a request: only the public internet and what this names.

    Raises: ConfigError for an unknown provider, region or address; MissingKeyError.
    """
    defaults = load_defaults(provider)
    chosen = model or defaults.default_model
    if defaults.protocol == "offline":
        return _make_offline(chosen)
    base_url = _choose_base_url(provider, defaults, api_base, region)
    key = _check_key(provider, defaults, api_key, api_base)
    endpoint = Endpoint(base_url, key, timeout_s, guard)
    target = Target(provider, chosen, quirks_for(provider, chosen, base_url))
    # Ollama's server speaks Chat Completions too.
    if protocol not in (None, defaults.protocol) and defaults.protocol not in _CHAT_SPEAKERS:
        raise ConfigError(
            f"{provider} has one API only: protocol does not apply to it",
            hint="Unset AGENT_PROTOCOL.",
        )
    spoken = protocol or choose_protocol(provider, chosen, base_url)
    if spoken == "gemini":
        return _make_gemini(target, endpoint, search_grounding=search_grounding)
    return _MAKERS[spoken](target, endpoint)


def load_defaults(provider: str) -> ProviderDefaults:
    """The provider's entry in `PROVIDER_DEFAULTS`.

    Raises: ConfigError with the nearest known name.
    """
    if (defaults := PROVIDER_DEFAULTS.get(provider)) is not None:
        return defaults
    near = difflib.get_close_matches(provider.lower(), PROVIDER_DEFAULTS, n=1)
    guess = f"Did you mean {near[0]!r}? " if near else ""
    raise ConfigError(
        f"Unknown provider: {provider}",
        hint=f"{guess}Known: {', '.join(PROVIDER_DEFAULTS)}.",
        code="UNKNOWN_PROVIDER",
    )


async def test_connection(provider: ChatProvider) -> LLMResponse:
    """One real, small call.

    Raises: ModelError, classified, when the provider cannot be used.
    """
    return await provider.generate(
        ChatRequest(
            system="You are a helpful assistant. Respond with just 'OK'.",
            messages=[{"role": "user", "parts": [{"type": "text", "text": "Hello"}]}],
            max_tokens=2_000,  # room for models that think first
            effort="low",
        )
    )


def _choose_base_url(
    provider: str, defaults: ProviderDefaults, api_base: str | None, region: str | None
) -> str:
    if region not in (None, "cn", "intl"):
        raise ConfigError(f"Unknown region: {region}", hint="Known: cn, intl.")
    regional = defaults.intl_base_url if region == "intl" else None
    base_url = (api_base or regional or defaults.base_url).strip().rstrip("/")
    if defaults.protocol == "ollama" and "://" not in base_url:
        base_url = f"http://{base_url}"  # OLLAMA_HOST is often host:port
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"The address of {provider} is no URL: {base_url}",
            hint="api_base must begin with http:// or https://",
        )
    return base_url.removesuffix(_SUFFIXES.get(defaults.protocol, ""))


# Where the SDK appends the version itself, an address that has it already is taken as well.
_SUFFIXES: Final[Mapping[Protocol, str]] = {
    "anthropic": "/v1",
    "gemini": "/v1beta",
    "ollama": "/v1",
}


def _check_key(
    provider: str, defaults: ProviderDefaults, api_key: str | None, api_base: str | None
) -> str:
    """The key, fit for a header. A compatible server at an address of its own may need none."""
    key = (api_key or "").strip()
    if not key:
        if not defaults.needs_key or (provider == "openai" and api_base):
            return NO_KEY
        names = " or ".join(defaults.key_variables)
        raise MissingKeyError(f"No API key for {provider}", hint=f"Set {names}.")
    if not key.isascii() or not key.isprintable():
        raise ConfigError(
            f"The API key of {provider} holds characters that no key has",
            hint="Copy it again, without quotes or line breaks.",
        )
    return key


def _make_anthropic(target: Target, endpoint: Endpoint) -> ChatProvider:
    from .anthropic.messages import AnthropicProvider

    return AnthropicProvider(target, endpoint)


def _make_openai_chat(target: Target, endpoint: Endpoint) -> ChatProvider:
    from .openai.chat import OpenAIChatProvider

    return OpenAIChatProvider(target, endpoint)


def _make_openai_responses(target: Target, endpoint: Endpoint) -> ChatProvider:
    from .openai.responses import OpenAIResponsesProvider

    return OpenAIResponsesProvider(target, endpoint)


def _make_gemini(target: Target, endpoint: Endpoint, *, search_grounding: bool) -> ChatProvider:
    from .gemini.client import GeminiProvider

    return GeminiProvider(target, endpoint, search_grounding=search_grounding)


def _make_ollama(target: Target, endpoint: Endpoint) -> ChatProvider:
    from .ollama.client import OllamaProvider

    return OllamaProvider(target, endpoint)


def _make_offline(model: str) -> ChatProvider:
    # By name: the stand-in stands a floor above the providers that it stands in for.
    stand_in = importlib.import_module(OFFLINE, __package__)
    return stand_in.OfflineProvider(model)


_CHAT_SPEAKERS: Final = ("openai_chat", "ollama")
_MAKERS: Final[Mapping[Protocol, Callable[[Target, Endpoint], ChatProvider]]] = {
    "anthropic": _make_anthropic,
    "openai_chat": _make_openai_chat,
    "openai_responses": _make_openai_responses,
    "ollama": _make_ollama,
}
