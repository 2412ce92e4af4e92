"""Declares the tables of providers (providers.toml) and of wire formats (wires.toml): what each
field means, and which quirks, protocol and cache lifetimes follow for a model and address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import msgspec

from ..base.toml_files import load_toml
from ..types import Effort

ErrorKind = Literal[
    "auth",
    "not_found",
    "quota",
    "rate",
    "overloaded",
    "timeout",
    "request",
    "context",
    "answer",
    "filtered",
    "state",
    "thinking",
]


class EffortOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effort levels that some models accept."""

    models: str  # a pattern of their names
    source: str  # the page that says so
    levels: tuple[Effort, ...] = ()  # written as the wire does
    # Levels that are written otherwise, and how; {}: it is what the model does unasked.
    bodies: dict[Effort, dict[str, Any]] = msgspec.field(default_factory=dict[Effort, Any])
    default: Effort | None = None  # the model's own; None: not known
    is_guess: bool = False  # nobody says which levels there are: only a setting or a client asks


class Quirks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one server deviates from the plain form of its protocol."""

    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    # schema: native; tool: a forced call; object: JSON object mode and the schema in the prompt;
    # prompt: only the prompt
    json_mode: Literal["schema", "tool", "object", "prompt"] = "schema"
    strict_schema: bool = False  # knows `strict` beside a schema
    stream_options: bool = True  # may be asked for usage at the end of a stream
    parallel_flag: bool = False  # knows parallel_tool_calls
    cache_key: bool = False  # knows prompt_cache_key
    tells_misses: bool = False  # says why a prompt was not read from its cache
    # A pattern of the models that summarise their thinking for whoever asks.
    summarising_models: str | None = None
    encrypted_reasoning: bool = False  # Responses: sends reasoning items that can go back
    # Fields of `types.Wishes` that its models do not take: refused by name before a run begins.
    # tool_choice: neither a call that must be made nor one by name.
    refuses: tuple[str, ...] = ()
    json_with_tools: bool = False  # its JSON mode leaves the model free to call tools
    # Which assistant messages go back with their reasoning, even where it is empty.
    reasoning_echo: Literal["never", "tool_calls"] = "never"
    empty_reasoning: str = ""  # what is sent there where another model made the call
    empty_content: str | None = None  # what is sent as the text of a message that only calls
    ids_repeat: bool = False  # its tool-call ids come again in later turns: ours instead
    tool_id_pattern: str = r"[a-zA-Z0-9_-]{1,64}"  # ids of other shape are mapped when sent
    thoughts_in_text: bool = False  # its models may think inside the text: <think>, channels
    files: tuple[str, ...] = ()  # media types of the images and documents that its models take
    extra_body: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    # Sent along with a forced `tool_choice`, for models that refuse one while they think.
    forced_choice: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    efforts: tuple[EffortOffer, ...] = ()  # the first that fits a model's name
    # The server's own error code → our kind, where HTTP status and error type do not tell.
    error_codes: dict[str, ErrorKind] = msgspec.field(default_factory=dict[str, ErrorKind])


class CacheOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cache lifetimes that some models offer."""

    models: str  # a pattern of their names
    short: str  # as the provider writes it; the one without being asked
    short_s: int
    long: str | None = None  # None: there is one lifetime
    long_s: int = 0
    long_write: float = 2.0  # its price, as a multiple of the uncached input's
    has_breakpoints: bool = False  # Chat Completions, Responses: parts of a prompt can be marked


class Reasoning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names of a provider's reasoning models, and how their requests differ."""

    models: str  # a pattern of their names
    protocol: str  # at the provider's own address
    quirks: Quirks  # stated: only what differs from the provider's


class ProviderDefaults(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A provider's defaults: address, key variables, default models."""

    protocol: str  # a wire format of wires.toml
    base_url: str
    default_model: str
    small_model: str  # for classifier, router and evaluator
    key_variables: tuple[str, ...] = ()  # in order of precedence
    base_variable: str | None = None  # of the environment; host, host:port or a URL
    embedding_model: str | None = None  # for the role `embedding`; None: it must be named
    intl_base_url: str | None = None  # None: one address for all regions
    # What must be there for it to answer unasked: its key, a server at its address, or nothing.
    detected_by: Literal["key", "address", "always"] = "key"
    needs_key: bool = True
    is_key_optional_elsewhere: bool = False  # at another address than its own
    has_batches: bool = False  # an API for batches that we speak
    publisher: str | None = None  # in FOCUS; None: the provider's name, as for the next two
    price_list: str | None = None  # its id in genai-prices
    traced_as: str | None = None  # its name in OpenTelemetry's conventions
    quirks: Quirks = Quirks()
    # A pattern of its own models: others, at an address that is not its own, are a foreign
    # server's, which has these quirks. None: whatever the model, it is its own.
    own_models: str | None = None
    foreign_quirks: Quirks = Quirks()
    reasoning: Reasoning | None = None
    caches: tuple[CacheOffer, ...] = ()  # the first that fits a model's name

    @property
    def hosts(self) -> set[str | None]:
        """Return the host names at which the vendor itself serves the provider's API."""
        return {urlsplit(url).hostname for url in (self.base_url, self.intl_base_url) if url}


class WireSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wire format: its client factory and SDK."""

    maker: str  # "module:name", relative to this package
    sdk: str | None = None  # the module to import ahead of the first call
    sdk_extra: str | None = None  # the extra of plainloop that brings it; None: always installed
    with_client: tuple[str, ...] = ()  # what is else imported with its first client
    version_path: str = ""  # what is appended to an address: one that has it already is taken too
    setting: str | None = None  # its name as the setting `protocol`
    alternatives: tuple[str, ...] = ()  # what a server of this format may be asked to speak instead
    extras: tuple[str, ...] = ()  # settings that only its maker takes
    refuses: tuple[str, ...] = ()  # as in `Quirks`: what the format has no word for


def parse_providers(entries: dict[str, Any]) -> dict[str, ProviderDefaults]:
    """Convert providers.toml to defaults by provider name. Raises: msgspec.ValidationError."""
    for entry in entries.values():
        if reasoning := entry.get("reasoning"):
            reasoning["quirks"] = {**entry.get("quirks", {}), **reasoning["quirks"]}
    return msgspec.convert(entries, dict[str, ProviderDefaults])


_HERE: Final = Path(__file__).parent
PROVIDER_DEFAULTS: Final = parse_providers(load_toml(_HERE / "providers.toml"))
WIRES: Final = msgspec.convert(load_toml(_HERE / "wires.toml"), dict[str, WireSpec])
# The setting `protocol` → the wire format.
PROTOCOLS: Final[Mapping[str, str]] = {
    wire.setting: name for name, wire in WIRES.items() if wire.setting is not None
}


def list_providers(detected_by: Literal["key", "address", "always"]) -> list[str]:
    """List the providers that are detected in this way, in the order of providers.toml."""
    return [name for name, item in PROVIDER_DEFAULTS.items() if item.detected_by == detected_by]


def name_provider(provider: str, where: Literal["publisher", "price_list", "traced_as"]) -> str:
    """Return the provider's name in another list, such as a price list, or its own name."""
    defaults = PROVIDER_DEFAULTS.get(provider)
    return (defaults and getattr(defaults, where)) or provider


@lru_cache(maxsize=1024)  # each answer is read by them
def quirks_for(provider: str, model: str, base_url: str) -> Quirks:
    """Return the special behaviour (quirks) of the server at this address for this model.

    Another vendor's known host wins; a foreign model at an unknown host is a compatible server's.
    """
    host = urlsplit(base_url).hostname
    defaults = PROVIDER_DEFAULTS[provider]
    if host not in defaults.hosts:
        # By host, not by the model's name: api.deepseek.com entered as an OpenAI server has
        # DeepSeek's quirks, whatever its models are called
        # (tests/providers/test_defaults.py::test_quirks_follow_the_server_not_the_model_name).
        for other in PROVIDER_DEFAULTS.values():
            if other.protocol == defaults.protocol and host in other.hosts:
                return other.quirks
        if not is_own_model(provider, model):
            return defaults.foreign_quirks
    if defaults.reasoning is not None and _compile(defaults.reasoning.models).match(model):
        return defaults.reasoning.quirks
    return defaults.quirks


@lru_cache(maxsize=1024)
def _compile(pattern: str) -> re.Pattern[str]:
    """Compile a pattern for model names from the tables."""
    return re.compile(pattern)


def find_cache_offer(provider: str, model: str) -> CacheOffer | None:
    """Return the prompt cache lifetimes that the model offers; None if there is no choice.

    >>> (offer := find_cache_offer("anthropic", "claude-haiku-5-5")) and offer.long
    '1h'
    >>> find_cache_offer("openai", "gpt-4o"), find_cache_offer("deepseek", "deepseek-flash")
    (None, None)
    """
    defaults = PROVIDER_DEFAULTS.get(provider)
    offers = defaults.caches if defaults else ()
    return next((offer for offer in offers if _compile(offer.models).match(model)), None)


def find_effort_offer(offers: Sequence[EffortOffer], model: str) -> EffortOffer | None:
    """Return the effort levels that the model accepts; None if they are unknown."""
    first = next((offer for offer in offers if _compile(offer.models).match(model)), None)
    return first if first and (first.levels or first.bodies) else None


def is_own_model(provider: str, model: str) -> bool:
    """Return whether the model is one that the vendor itself serves, judged by its name.

    >>> is_own_model("openai", "gpt-6-luna"), is_own_model("openai", "gpt-oss-120b")
    (True, False)
    """
    pattern = PROVIDER_DEFAULTS[provider].own_models
    return pattern is None or _compile(pattern).match(model) is not None


def choose_protocol(provider: str, model: str, base_url: str) -> str:
    """Return the wire protocol by which to call the model.

    A vendor's reasoning models may have another one at the vendor's own host.
    """
    defaults = PROVIDER_DEFAULTS[provider]
    reasoning = defaults.reasoning
    if reasoning is None or urlsplit(base_url).hostname not in defaults.hosts:
        return defaults.protocol
    # Only at the vendor's own host: it is unknown whether another server has the second API.
    return reasoning.protocol if _compile(reasoning.models).match(model) else defaults.protocol
