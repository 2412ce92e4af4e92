"""What differs between providers, as data: addresses, keys, models, quirks of their servers.

Source of the quirks: the vendors' documents and recorded traffic. A new OpenAI-compatible provider
is one entry here and no code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal
from urllib.parse import urlsplit

Protocol = Literal["anthropic", "openai_chat", "openai_responses", "gemini", "ollama", "offline"]
ErrorKind = Literal[
    "auth",
    "not_found",
    "quota",
    "rate",
    "overloaded",
    "request",
    "context",
    "filtered",
    "timeout",
]


@dataclass(frozen=True, slots=True)
class Quirks:
    """How one server deviates from the plain form of its protocol."""

    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    # schema: native; tool: a forced call; object: JSON object mode and the schema in the prompt;
    # prompt: only the prompt
    json_mode: Literal["schema", "tool", "object", "prompt"] = "schema"
    strict_schema: bool = False  # knows `strict` beside a schema
    stream_options: bool = True  # may be asked for usage at the end of a stream
    parallel_flag: bool = False  # knows parallel_tool_calls
    cache_key: bool = False  # knows prompt_cache_key
    encrypted_reasoning: bool = False  # Responses: sends reasoning items that can go back
    temperature: bool = True  # False: the server refuses any value
    # Which assistant messages go back with their reasoning, even where it is empty.
    reasoning_echo: Literal["never", "tool_calls"] = "never"
    empty_reasoning: str = ""  # what is sent there where another model made the call
    empty_content: str | None = None  # what is sent as the text of a message that only calls
    ids_repeat: bool = False  # its tool-call ids come again in later turns: ours instead
    tool_id_pattern: str = r"[a-zA-Z0-9_-]{1,64}"  # ids of other shape are mapped when sent
    extra_body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    low_effort: Mapping[str, Any] = field(default_factory=dict[str, Any])  # asks for less thought
    # The server's own error code → our kind, where HTTP status and error type do not tell.
    error_codes: Mapping[str, ErrorKind] = field(default_factory=dict[str, ErrorKind])


@dataclass(frozen=True, slots=True)
class ProviderDefaults:
    """One provider: where it is, whose key it takes, which models serve by default."""

    protocol: Protocol
    base_url: str
    default_model: str
    small_model: str  # for classifier, router and evaluator
    key_variables: tuple[str, ...] = ()  # in order of precedence
    embedding_model: str | None = None  # for the role `embedding`; None: it must be named
    intl_base_url: str | None = None  # None: one address for all regions
    needs_key: bool = True
    quirks: Quirks = field(default_factory=Quirks)


_ANTHROPIC: Final = Quirks(
    temperature=False,  # gone since anthropic-version 2026-10-21, HTTP 400
    error_codes={"enforced_spend_limit_reached": "quota", "spend_limit_reached": "quota"},
)
# Other vendors' servers that speak Messages: no output_config, temperature as it was. Their
# thinking is often unsigned, and DeepSeek's and Kimi's answer 400 when it does not come back.
_ANTHROPIC_COMPATIBLE: Final = Quirks(json_mode="tool", reasoning_echo="tool_calls")
_OPENAI: Final = Quirks(
    max_tokens_field="max_completion_tokens",
    strict_schema=True,
    parallel_flag=True,
    cache_key=True,
    tool_id_pattern=r"[a-zA-Z0-9_-]{1,40}",
)
# Any other server that speaks Chat Completions: only what nearly all of them accept.
COMPATIBLE: Final = Quirks()

_DEEPSEEK: Final = Quirks(
    json_mode="object",
    # After a tool call the message must come back with reasoning_content, else 400; the larger
    # models want some text in it, and no null beside it. Source: NousResearch/hermes-agent #18263,
    # can1357/oh-my-pi #788.
    reasoning_echo="tool_calls",
    empty_reasoning=" ",
    empty_content="",
    low_effort={"thinking": {"type": "disabled"}},
)
_KIMI: Final = Quirks(
    cache_key=True,
    temperature=False,  # k2 and k3 accept only 1
    reasoning_echo="tool_calls",
    ids_repeat=True,  # NAME_INDEX, counted per message
    error_codes={
        "exceeded_current_quota_error": "quota",
        "engine_overloaded_error": "overloaded",
        "rate_limit_reached_error": "rate",
        "invalid_authentication_error": "auth",
        "incorrect_api_key_error": "auth",
        "permission_denied_error": "auth",
        "content_filter": "filtered",
    },
)
_GLM: Final = Quirks(
    json_mode="object",
    stream_options=False,  # usage comes unasked
    reasoning_echo="tool_calls",
    # Source: docs.bigmodel.cn/cn/api/api-code. HTTP 429 comes with most of them.
    error_codes={
        "1000": "auth",
        "1001": "auth",
        "1002": "auth",
        "1003": "auth",
        "1004": "auth",
        "1110": "auth",  # the account is not active,
        "1111": "auth",  # does not exist,
        "1112": "auth",  # is locked
        "1113": "quota",
        "1120": "overloaded",
        "1121": "auth",  # locked for a violation
        "1210": "request",
        "1211": "not_found",
        "1212": "request",
        "1213": "request",
        "1214": "request",
        "1215": "request",
        "1220": "auth",
        "1221": "not_found",
        "1222": "not_found",
        "1230": "overloaded",
        "1234": "overloaded",
        "1261": "context",
        "1300": "filtered",
        "1301": "filtered",
        "1302": "rate",
        "1303": "rate",
        "1304": "quota",
        "1305": "overloaded",
        "1308": "quota",
        "1309": "quota",
        "1310": "quota",
        "1311": "quota",  # the plan does not hold this model
        "1312": "overloaded",
        "1313": "quota",  # slowed down for unfair use, until a person lifts it
    },
)
_MINIMAX: Final = Quirks(
    json_mode="prompt",
    extra_body={"reasoning_split": True},  # else thinking stands inside the content
    error_codes={
        "1001": "timeout",
        "1002": "rate",
        "1004": "auth",
        "1008": "quota",
        "1013": "overloaded",
        "1024": "overloaded",
        "1026": "filtered",
        "1027": "filtered",
        "1033": "overloaded",
        "1039": "rate",
        "1041": "rate",
        "1042": "request",
        "2013": "request",
        "2045": "rate",
        "2049": "auth",
        "2056": "quota",
        "2061": "quota",
        "2062": "quota",
    },
)

PROVIDER_DEFAULTS: Final[Mapping[str, ProviderDefaults]] = {
    "anthropic": ProviderDefaults(
        protocol="anthropic",
        base_url="https://api.anthropic.com",
        default_model="claude-sonnet-5-5",
        small_model="claude-haiku-5-5",
        key_variables=("ANTHROPIC_API_KEY",),
        quirks=_ANTHROPIC,
    ),
    "openai": ProviderDefaults(
        protocol="openai_chat",
        base_url="https://api.openai.com/v1",
        default_model="gpt-6.1-terra",
        small_model="gpt-6-luna",
        key_variables=("OPENAI_API_KEY",),
        embedding_model="text-embedding-3-small",
        quirks=_OPENAI,
    ),
    "gemini": ProviderDefaults(
        protocol="gemini",
        base_url="https://generativelanguage.googleapis.com",
        default_model="gemini-3.8-flash",
        small_model="gemini-3.5-flash-lite",
        key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        embedding_model="gemini-embedding-001",
    ),
    "deepseek": ProviderDefaults(
        protocol="openai_chat",
        base_url="https://api.deepseek.com",
        default_model="deepseek-flash",
        small_model="deepseek-flash",
        key_variables=("DEEPSEEK_API_KEY",),
        quirks=_DEEPSEEK,
    ),
    "kimi": ProviderDefaults(
        protocol="openai_chat",
        base_url="https://api.moonshot.cn/v1",
        intl_base_url="https://api.moonshot.ai/v1",
        default_model="kimi-k3.1-pro",
        small_model="kimi-k2.6",
        key_variables=("KIMI_API_KEY", "MOONSHOT_API_KEY"),
        quirks=_KIMI,
    ),
    "glm": ProviderDefaults(
        protocol="openai_chat",
        base_url="https://open.bigmodel.cn/api/paas/v4",
        intl_base_url="https://api.z.ai/api/paas/v4",
        default_model="glm-5.3",
        small_model="glm-5.3-flash",
        key_variables=("GLM_API_KEY", "ZAI_API_KEY", "ZHIPUAI_API_KEY"),
        quirks=_GLM,
    ),
    "minimax": ProviderDefaults(
        protocol="openai_chat",
        base_url="https://api.minimaxi.com/v1",
        intl_base_url="https://api.minimax.io/v1",
        default_model="MiniMax-M3",
        small_model="MiniMax-M3.1-Flash",
        key_variables=("MINIMAX_API_KEY",),
        quirks=_MINIMAX,
    ),
    "ollama": ProviderDefaults(
        protocol="ollama",
        base_url="http://localhost:11434",
        default_model="llama3.1",
        small_model="llama3.1",
        key_variables=("OLLAMA_API_KEY",),
        embedding_model="nomic-embed-text",
        needs_key=False,
    ),
    "offline": ProviderDefaults(
        protocol="offline",
        base_url="",
        default_model="offline-rules",
        small_model="offline-rules",
        needs_key=False,
    ),
}

# OpenAI's own models, so that a gateway in front of them is not taken for a foreign server.
_OPENAI_MODEL: Final = ("gpt-", "chatgpt-", "o1", "o3", "o4")
_NOT_OPENAI_MODEL: Final = ("gpt-oss",)
# Of these, the models that reason: Responses keeps their reasoning between calls, Chat does not.
_REASONING_MODEL: Final = re.compile(r"(o[134]\b|gpt-([5-9]|\d\d))(?!.*-chat)")


def quirks_for(provider: str, model: str, base_url: str) -> Quirks:
    """The quirks of the server behind this address.

    Another vendor's known host wins; `openai` or `anthropic` at an unknown host is a compatible
    server unless the model is the vendor's own.
    """
    host = urlsplit(base_url).hostname
    if provider == "anthropic" and "claude" not in model:
        is_own_host = host == urlsplit(PROVIDER_DEFAULTS[provider].base_url).hostname
        return _ANTHROPIC if is_own_host else _ANTHROPIC_COMPATIBLE
    for defaults in PROVIDER_DEFAULTS.values():
        if defaults.protocol != "openai_chat":
            continue
        known = (defaults.base_url, defaults.intl_base_url)
        if any(url and urlsplit(url).hostname == host for url in known):
            if defaults.quirks is not _OPENAI:
                return defaults.quirks
    quirks = PROVIDER_DEFAULTS[provider].quirks
    if provider != "openai":
        return quirks
    if not _is_openai_model(model):
        return COMPATIBLE
    if not is_reasoning_model(model):
        return quirks
    return replace(quirks, encrypted_reasoning=True, low_effort={"reasoning_effort": "low"})


def choose_protocol(provider: str, model: str, base_url: str) -> Protocol:
    """The provider's protocol; Responses for OpenAI's own reasoning models at OpenAI itself."""
    defaults = PROVIDER_DEFAULTS[provider]
    is_first_party = urlsplit(base_url).hostname == urlsplit(defaults.base_url).hostname
    if provider == "openai" and is_first_party and is_reasoning_model(model):
        return "openai_responses"
    return defaults.protocol


def is_reasoning_model(model: str) -> bool:
    """Whether this OpenAI model reasons before it answers.

    >>> [is_reasoning_model(name) for name in ("gpt-6.1-terra", "o4-mini", "gpt-4o", "gpt-5-chat")]
    [True, True, False, False]
    """
    return _REASONING_MODEL.match(model) is not None


def _is_openai_model(model: str) -> bool:
    return model.startswith(_OPENAI_MODEL) and not model.startswith(_NOT_OPENAI_MODEL)
