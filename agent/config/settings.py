"""Settings: `plainloop.toml` and the environment, read once, checked, frozen.

The fields below are the whole list: each gives a TOML key, an environment variable and a line of
`.env.example`. The environment wins over the file; an empty variable counts as unset; a name that
is not on the list is an error that says which known name is nearest.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar, cast

from ..errors import ConfigError
from .prices import TABLE as PRICES
from .prices import OwnPrice, read_prices
from .sources import (
    KnownSetting,
    Source,
    drop_empty,
    find_file,
    get_table,
    load_file,
    read_setting,
    reject_unknown_keys,
    reject_unknown_variables,
)
from .values import Count, Port, Seconds, Secret

__all__ = ["Limits", "RoleSettings", "Secret", "Settings", "describe_settings", "load_settings"]

Region = Literal["cn", "intl"]
WireProtocol = Literal["chat", "responses"]
WebSearch = Literal["tavily", "brave"]
OptionalCount: TypeAlias = int | None
Models: TypeAlias = tuple[str, ...]  # each "provider:model"
T = TypeVar("T")
_ROLE_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_ROLE_VARIABLE = re.compile(
    r"AGENT_AGENTS_([A-Z][A-Z0-9_]*)_(?:PROVIDER|MODEL|API_KEY|API_BASE|PROTOCOL|FALLBACK)$"
)


def _setting(default: T, help_text: str, env: str | None = None) -> T:
    return field(default=default, metadata={"help": help_text, "env": env})


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`[agent]`: which strategy and which domains are served."""

    design: str = _setting("default", "strategy: a folder of agent/designs", "AGENT_DESIGN")
    triage: bool = _setting(
        True, "false: no model call sorts requests, the router asks instead", "AGENT_TRIAGE"
    )
    packs: tuple[str, ...] = _setting(
        ("careers", "staff_onboarding"),
        "domains, comma-separated; the first serves chat",
        "AGENT_PACKS",
    )
    onboarding: str | None = _setting(
        None, "pack whose interview is held; unset: the first that has one", "AGENT_ONBOARDING"
    )


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """`[agents.<role or worker>]`: a model of its own; what is unset falls back to the top."""

    provider: str | None = _setting(None, "provider of this role or worker")
    model: str | None = _setting(None, "its model")
    api_key: Secret | None = _setting(None, "its key")
    api_base: str | None = _setting(None, "its base URL")
    protocol: WireProtocol | None = _setting(None, "chat or responses, for OpenAI's kind of API")
    fallback: Models = _setting((), 'tried in this order when it fails: "provider:model"')


@dataclass(frozen=True, slots=True)
class GeminiSettings:
    """`[gemini]`"""

    search_grounding: bool = _setting(False, "let Gemini search with Google")


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """`[search]`: keys of the search tools; without one the tool says which is missing."""

    provider: WebSearch = _setting("tavily", "who searches the web: tavily or brave")
    api_key: Secret | None = _setting(None, "web search")
    api_base: str | None = _setting(None, "its address; unset: the provider's own")
    adzuna_app_id: Secret | None = _setting(None, "job search by Adzuna, application id")
    adzuna_app_key: Secret | None = _setting(None, "job search by Adzuna, key")
    adzuna_country: str = _setting("us", "Adzuna's country code")
    adzuna_api_base: str | None = _setting(None, "Adzuna's address; unset: its own")
    jsearch_api_key: Secret | None = _setting(None, "job search by JSearch")
    jsearch_api_base: str | None = _setting(None, "JSearch's address; unset: RapidAPI's")


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """`[database]`"""

    url: Secret | None = _setting(
        None,
        "any Postgres 15 or later; unset: an embedded one in the data directory",
        "DATABASE_URL",
    )
    transaction_pooler: bool = _setting(False, "a transaction pooler (pgbouncer) is in between")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`[server]`"""

    host: str = _setting("127.0.0.1", "address to listen on; without keys in [auth] loopback only")
    port: Port = _setting(8000, "port to listen on; 0: any free one")
    origins: tuple[str, ...] = _setting(
        (), "web pages of these origins may call us: https://app.example.com; unset: only our own"
    )
    query_token: bool = _setting(True, "take a WebSocket's JWT from ?token= as well")
    metrics: bool = _setting(True, "Prometheus numbers at /metrics, for anybody who can connect")


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """`[auth]`: who signs our users' tokens. None of both keys: local mode, one user."""

    jwt_secret: Secret | None = _setting(None, "HS256 secret of at least 32 bytes")
    jwks_url: str | None = _setting(None, "where the keys of RS256 and ES256 tokens are read")
    issuer: str | None = _setting(None, "unset: any; else the claim iss must be this")
    audience: str | None = _setting(None, "unset: the claim aud is not looked at")
    user_claim: str = _setting("sub", "claim that names the user")
    tenant_claim: str = _setting("tenant", "claim that names the tenant")
    tenant: str | None = _setting(None, "tenant of a token without that claim; unset: refused")
    admin_claim: str = _setting("roles", "claim that is, or lists, admin for a tenant's admins")
    leeway_s: Seconds = _setting(30.0, "seconds that clocks may differ")
    user_models: tuple[str, ...] = _setting(
        (), "models that users may choose beside the service's own: provider:model, * for any part"
    )
    admin_models: tuple[str, ...] = _setting(("*",), "the same for a tenant's admins")


@dataclass(frozen=True, slots=True)
class UsageSettings:
    """`[usage]`"""

    budget_webhook: str | None = _setting(
        None, "told by POST when a soft budget is passed, or a hard one nearly used up"
    )
    keep_calls_days: OptionalCount = _setting(
        None, "days that the ledger's rows are kept; their sums stay; unset: for ever"
    )
    keep_events_days: OptionalCount = _setting(
        None, "days that the events of ended runs are kept; unset: for ever"
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """`[limits]`: every bound of the service by name, each above 0.

    Raises: ConfigError when the heartbeat is not shorter than the lease.
    """

    worker_turns: Count = _setting(20, "worker turns (a model call with its tools) per run")
    react_turns: Count = _setting(15, "the same for the react design")
    onboarding_turns: Count = _setting(6, "the same for one message of the interview")
    evaluator_retries: Count = _setting(2, "second tries that an evaluator may ask for")
    parallel_tool_calls: Count = _setting(8, "tool calls running at once within a step")
    repeated_calls: Count = _setting(3, "identical tool calls in a row that stop a run")
    tool_timeout_s: Seconds = _setting(30.0, "seconds for one tool call")
    model_timeout_s: Seconds = _setting(120.0, "seconds for one model call")
    run_timeout_s: Seconds = _setting(300.0, "seconds for one run")
    model_attempts: Count = _setting(4, "attempts per model call, fallbacks included")
    window_tokens: Count = _setting(6000, "tokens of history that one model call sees")
    history_tokens: Count = _setting(9000, "tokens of a thread that one run loads")
    tool_result_tokens: Count = _setting(2000, "tokens of one tool result that the model sees")
    max_output_tokens: Count = _setting(8096, "tokens that one model call may answer")
    message_chars: Count = _setting(100_000, "characters of one user message")
    list_rows: Count = _setting(20, "rows in a list, unless the user asks for a number")
    lease_s: Seconds = _setting(30.0, "seconds until a silent owner loses its run")
    heartbeat_s: Seconds = _setting(8.0, "seconds between two signs of life of an owner")
    run_attempts: Count = _setting(3, "times a crashed run is taken up again")
    event_flush_ms: Count = _setting(25, "milliseconds of text gathered into one stored event")
    cancel_poll_s: Seconds = _setting(0.5, "seconds until a cancel from another replica is seen")
    recovery_s: Seconds = _setting(2.0, "seconds between two looks for runs to take over")
    approval_s: Seconds = _setting(86_400.0, "seconds until an undecided approval expires")
    viewer_poll_ms: Count = _setting(
        150, "milliseconds between two looks at a run that another replica executes"
    )
    drain_s: Seconds = _setting(20.0, "seconds that a server which is told to stop gives its runs")
    keep_alive_s: Seconds = _setting(15.0, "seconds of silence before a stream gets a comment")
    viewer_timeout_s: Seconds = _setting(
        30.0, "seconds until a viewer who reads nothing is dropped"
    )
    jwks_cache_s: Seconds = _setting(300.0, "seconds that keys read from auth.jwks_url are kept")
    header_bytes: Count = _setting(32_768, "bytes of one request's line and headers")
    body_bytes: Count = _setting(1_000_000, "bytes of one request's body")
    upload_bytes: Count = _setting(10_000_000, "bytes of one uploaded file")
    upload_pages: Count = _setting(50, "pages of one uploaded file")
    upload_parse_s: Seconds = _setting(20.0, "seconds for reading one uploaded file")
    fetch_bytes: Count = _setting(2_000_000, "bytes that are read of one web page")
    fetch_timeout_s: Seconds = _setting(20.0, "seconds for one web page or search")
    frame_bytes: Count = _setting(1_000_000, "bytes of one WebSocket message")
    page_rows: Count = _setting(100, "rows of one page that the HTTP API gives")
    requests_per_minute: Count = _setting(1200, "requests of one user, per replica")
    messages_per_minute: Count = _setting(120, "messages of one user, per replica")
    sockets_per_user: Count = _setting(50, "WebSockets that one user has open, per replica")
    connections: Count = _setting(5000, "connections that one replica holds")
    replays_per_user: Count = _setting(4, "live replays that one user has open at once")
    batch_conversations: Count = _setting(
        1000, "conversations at once of a replay with --batch-api, per process"
    )
    batch_poll_s: Seconds = _setting(
        15.0, "seconds until the first look at a provider's batch; later ones come slower"
    )
    batch_wait_s: Seconds = _setting(
        60.0, "seconds that a call of such a replay waits for others to be handed in with"
    )

    def __post_init__(self) -> None:
        if self.heartbeat_s >= self.lease_s:
            raise ConfigError(
                f"limits.heartbeat_s ({self.heartbeat_s:g}) must be less than "
                f"limits.lease_s ({self.lease_s:g})"
            )


@dataclass(frozen=True, slots=True)
class Settings:
    """What one process was told. Built by `load_settings`, passed down, never changed."""

    provider: str | None = _setting(None, "unset: the first with a key, then Ollama, then offline")
    model: str | None = _setting(None, "unset: the provider's default")
    api_key: Secret | None = _setting(None, "unset: the provider's own variable")
    api_base: str | None = _setting(None, "unset: the provider's own address")
    region: Region | None = _setting(None, "cn or intl, for providers that have both")
    protocol: WireProtocol | None = _setting(
        None, "chat or responses, for OpenAI's kind of API; unset: by model"
    )
    data_dir: Path = _setting(Path(), "where we keep files; unset: the user's data directory")
    export_dir: Path = _setting(Path(), "unset: onboarding_data in the data directory")
    outbound_allow: tuple[str, ...] = _setting(
        (), "private hosts that tools may call all the same: host, host:port or network"
    )
    pdf_font: str | None = _setting(
        None, "TrueType file for exported PDFs; unset: one of the system's"
    )
    token_ranks: Path | None = _setting(
        None, "tiktoken's o200k_base.tiktoken, for exact counts; unset: TIKTOKEN_CACHE_DIR's"
    )
    agent: AgentSettings = AgentSettings()
    agents: Mapping[str, RoleSettings] = field(default_factory=dict[str, RoleSettings])
    gemini: GeminiSettings = GeminiSettings()
    search: SearchSettings = SearchSettings()
    database: DatabaseSettings = DatabaseSettings()
    server: ServerSettings = ServerSettings()
    auth: AuthSettings = AuthSettings()
    usage: UsageSettings = UsageSettings()
    limits: Limits = Limits()
    # By "provider:model" or "provider:*": only the file has them.
    prices: Mapping[str, OwnPrice] = field(default_factory=dict[str, OwnPrice])
    config_path: Path | None = None  # the file that was read; None: there was none
    # By key, where each value came from; a key that is not there has its default.
    sources: Mapping[str, Source] = field(default_factory=dict[str, Source], repr=False)
    _environ: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, compare=False)

    def get_env(self, name: str) -> Secret | None:
        """A variable as it was at start (a provider's key, say); None when unset or empty."""
        value = self._environ.get(name)
        return None if value is None else Secret(value)


_TABLES: Mapping[str, type] = {
    "agent": AgentSettings,
    "gemini": GeminiSettings,
    "search": SearchSettings,
    "database": DatabaseSettings,
    "server": ServerSettings,
    "auth": AuthSettings,
    "usage": UsageSettings,
    "limits": Limits,
}


def list_known_settings(role_names: tuple[str, ...] = ()) -> list[KnownSetting]:
    """Every setting there is, the `[agents.<name>]` ones for the given names."""
    rows = _list_rows("", Settings)
    for name in role_names:
        rows += _list_rows(f"agents.{name}.", RoleSettings)
    for table, table_type in _TABLES.items():
        rows += _list_rows(f"{table}.", table_type)
    return rows


def load_settings(
    environ: Mapping[str, str] | None = None, config_path: Path | None = None
) -> Settings:
    """The settings of this process, from `environ` (default: the real one) over the file.

    The file is `config_path`, else `AGENT_CONFIG`, else `./plainloop.toml` when it exists.

    Raises: ConfigError for an unknown name, a value of the wrong type, a file that cannot be read.
    """
    env = drop_empty(os.environ if environ is None else environ)
    path = find_file(env, config_path)
    document = {} if path is None else load_file(path)
    role_names = _list_role_names(env, document)
    rows = list_known_settings(role_names)
    reject_unknown_variables(env, rows)
    if path is not None:
        settable = {name: value for name, value in document.items() if name != PRICES}
        reject_unknown_keys(path, settable, rows, _TABLES)
    prices = read_prices(document, path)

    values: dict[str, Any] = {}
    sources: dict[str, Source] = {}
    for row in rows:
        value, source = read_setting(row, env, path, document)
        if source != "default":
            values[row.key], sources[row.key] = value, source
    built = _build_settings(values, sources, env, path, role_names)
    return replace(built, prices=MappingProxyType(prices))


def describe_settings(settings: Settings) -> list[tuple[str, str, str, str]]:
    """(key, variable, value, source) of every setting, secrets masked; for people to read."""
    role_names = tuple(sorted(settings.agents))
    return [
        (
            row.key,
            row.env,
            _to_text(_get_value(settings, row.key)),
            settings.sources.get(row.key, "default"),
        )
        for row in list_known_settings(role_names)
    ]


def _list_rows(prefix: str, owner: type) -> list[KnownSetting]:
    return [
        KnownSetting(
            key=prefix + item.name,
            env=item.metadata["env"] or _to_env_name(prefix + item.name),
            kind=str(item.type),
            default=item.default,
            help_text=item.metadata["help"],
        )
        for item in fields(owner)
        if "help" in item.metadata
    ]


def _to_env_name(key: str) -> str:
    return "AGENT_" + key.replace(".", "_").upper()


def _list_role_names(env: Mapping[str, str], document: Mapping[str, Any]) -> tuple[str, ...]:
    in_file = get_table(document, "agents")
    for name in in_file:
        if not _ROLE_NAME.match(name):
            raise ConfigError(
                f'[agents."{name}"]: a role or worker is named in lower case: a-z, 0-9, _'
            )
    in_env = (match.group(1).lower() for name in env if (match := _ROLE_VARIABLE.match(name)))
    return tuple(sorted({*in_file, *in_env}))


def _build_settings(
    values: dict[str, Any],
    sources: dict[str, Source],
    env: Mapping[str, str],
    path: Path | None,
    role_names: tuple[str, ...],
) -> Settings:
    data_dir: Path = values.pop("data_dir", None) or _get_data_dir()
    export_dir: Path = values.pop("export_dir", None) or data_dir / "onboarding_data"
    top = {key: value for key, value in values.items() if "." not in key}
    tables = {name: owner(**_take(values, f"{name}.")) for name, owner in _TABLES.items()}
    roles = {name: RoleSettings(**_take(values, f"agents.{name}.")) for name in role_names}
    return Settings(
        **top,
        **tables,
        data_dir=data_dir,
        export_dir=export_dir,
        agents=MappingProxyType(roles),
        config_path=path,
        sources=MappingProxyType(sources),
        _environ=MappingProxyType(dict(env)),
    )


def _take(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {
        key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)
    }


def _get_data_dir() -> Path:
    from platformdirs import user_data_path

    return user_data_path("plainloop", appauthor=False)


def _get_value(settings: Settings, key: str) -> Any:
    if key.startswith("agents."):
        _, role, name = key.split(".")
        return getattr(settings.agents[role], name)
    return attrgetter(key)(settings)


def _to_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(cast("tuple[str, ...]", value))
    return str(value).lower() if isinstance(value, bool) else str(value)
