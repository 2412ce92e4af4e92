"""Creates a provider's client from its name and key."""

from __future__ import annotations

import difflib
import importlib
from typing import Any
from urllib.parse import urlsplit

from ..base.extras import check_extra
from ..base.messages.contents import make_text_message
from ..base.text.secrets import remember_secret
from ..errors import ConfigError, MissingKeyError
from ..outbound.addresses import AllowList
from ..types import ChatProvider, ChatRequest, LLMResponse
from .defaults import PROVIDER_DEFAULTS, WIRES, ProviderDefaults, choose_protocol, quirks_for
from .http.endpoints import NO_KEY, Endpoint
from .provider_state import Target, name_owner

__all__ = ["PROVIDER_DEFAULTS", "create_provider", "test_connection"]


def create_provider(
    provider: str,
    api_key: str | None = None,
    model: str | None = None,
    api_base: str | None = None,
    *,
    region: str | None = None,
    protocol: str | None = None,
    timeout_s: float | None = None,
    search_grounding: bool = False,
    guard: AllowList | None = None,
) -> ChatProvider:
    """Build a client of one model without calling it. None selects the provider's default.

    protocol: "openai_chat" or "openai_responses" where the table's choice is not wanted.
    timeout_s: longest silence between two reads, in place of each request's own.
    search_grounding: Google's search, Gemini only.
    guard: for an `api_base` that came in a request: only the public internet and what this names.

    Raises: ConfigError for an unknown provider, region or address, or where its SDK is not
    installed; MissingKeyError.
    """
    defaults = load_defaults(provider)
    chosen = model or defaults.default_model
    if not defaults.base_url:  # it answers inside this process
        return _load_maker(defaults.protocol)(chosen)
    if protocol not in (None, defaults.protocol, *WIRES[defaults.protocol].alternatives):
        raise ConfigError(
            f"{provider} has only one API: AGENT_PROTOCOL does not apply to it",
            hint="Unset AGENT_PROTOCOL.",
        )
    base_url = _choose_base_url(provider, defaults, api_base, region)
    spoken = protocol or choose_protocol(provider, chosen, base_url)
    wire = WIRES[spoken]
    if spoken != defaults.protocol:  # another API at the same server, below a version of its own
        base_url += WIRES[defaults.protocol].version_path
    key = _check_key(provider, defaults, api_key, api_base)
    if key != NO_KEY:
        remember_secret(key, is_passing=True)  # the operator's are known since the start
    if wire.sdk and wire.sdk_extra:
        check_extra(wire.sdk, wire.sdk_extra)
    quirks = quirks_for(provider, chosen, base_url)
    refuses = frozenset((*quirks.refuses, *wire.refuses))
    target = Target(provider, chosen, quirks, refuses, name_owner(base_url, key))
    extras = {"search_grounding": search_grounding} if "search_grounding" in wire.extras else {}
    return _load_maker(spoken)(target, Endpoint(base_url, key, timeout_s, guard), **extras)


def load_defaults(provider: str) -> ProviderDefaults:
    """Return the provider's entry in `PROVIDER_DEFAULTS`. Raises: ConfigError if it is unknown.

    Raises: ConfigError with the nearest known name.
    """
    if (defaults := PROVIDER_DEFAULTS.get(provider)) is not None:
        return defaults
    near = difflib.get_close_matches(provider.lower(), PROVIDER_DEFAULTS, n=1)
    guess = f"Did you mean {near[0]!r}? " if near else ""
    raise ConfigError(
        f"unknown provider: {provider}",
        hint=f"{guess}Known: {', '.join(PROVIDER_DEFAULTS)}.",
        code="UNKNOWN_PROVIDER",
    )


async def test_connection(provider: ChatProvider) -> LLMResponse:
    """Make one small real call and return its answer.

    Raises: ModelError, classified, when the provider cannot be used.
    """
    return await provider.generate(
        ChatRequest(
            system="You are a helpful assistant. Respond with just 'OK'.",
            messages=[make_text_message("user", "Hello")],
            max_tokens=2_000,  # room for models that think first
            effort="low",
        )
    )


def _choose_base_url(
    provider: str, defaults: ProviderDefaults, api_base: str | None, region: str | None
) -> str:
    if region not in (None, "cn", "intl"):
        raise ConfigError(f"unknown region: {region}", hint="Known regions: cn, intl.")
    regional = defaults.intl_base_url if region == "intl" else None
    base_url = (api_base or regional or defaults.base_url).strip().rstrip("/")
    if defaults.base_variable and "://" not in base_url:
        base_url = f"http://{base_url}"
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"the base URL of {provider} is not a URL: {base_url}",
            hint="`api_base` must start with http:// or https://.",
        )
    # People paste addresses with /v1 and without: both are the same server.
    return base_url.removesuffix(WIRES[defaults.protocol].version_path)


def _check_key(
    provider: str, defaults: ProviderDefaults, api_key: str | None, api_base: str | None
) -> str:
    """Return the key, fit for a header; a compatible server elsewhere may need none."""
    key = (api_key or "").strip()
    if not key:
        if not defaults.needs_key or (defaults.is_key_optional_elsewhere and api_base):
            return NO_KEY
        names = " or ".join(defaults.key_variables)
        raise MissingKeyError(f"there is no API key for {provider}", hint=f"Set {names}.")
    # Otherwise building the header fails, and looks like a bug of ours.
    if not key.isascii() or not key.isprintable():
        raise ConfigError(
            f"the API key of {provider} contains characters that are not allowed in a key",
            hint="Copy the key again, without quotes or line breaks.",
        )
    return key


def _load_maker(wire: str) -> Any:
    """Import a wire's factory at its first use: an SDK's module takes time."""
    module, _, name = WIRES[wire].maker.partition(":")
    return getattr(importlib.import_module(module, __package__), name)
