"""Settings: `plainloop.toml`, `.env` and the environment, read once, checked, frozen.

The fields below, and those that packs bring, are the whole list: each gives a TOML key, an
environment variable and a line of `.env.example`. The environment wins over `.env`, which wins
over the file; an empty variable counts as unset; a name that is not on the list is an error that
says which known name is nearest.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from ..errors import ConfigError
from ..types import Effort
from .mcp import TABLE as MCP
from .mcp import McpServer, read_servers
from .pack_parts import list_extensions, list_installed, load_tables
from .prices import TABLE as PRICES
from .prices import OwnPrice, read_prices
from .rates import TABLE as RATES
from .rates import ProviderRate, read_rates
from .sources import (
    KnownSetting,
    Source,
    drop_empty,
    find_file,
    get_table,
    list_rows,
    load_file,
    read_setting,
    reject_unknown_keys,
    reject_unknown_variables,
    setting,
)
from .values import Count, Models, Named, Nice, Pair, Port, Seconds, Secret, Share, Temperature

__all__ = ["Limits", "RoleSettings", "Secret", "Settings", "load_settings", "setting"]

DOTENV = ".env"
# Those that are taken unless the settings say otherwise.
FILE_TYPES = (
    *("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"),
    *("text/plain", "text/markdown", "text/csv", "application/json"),
)
Region = Literal["cn", "intl"]
WireProtocol = Literal["chat", "responses"]
CacheLifetime = Literal["auto", "short", "long"]
Judging = Literal["refuse", "warn", "off"]
ChangedCode = Literal["check", "refuse", "warn"]
BrokenRuns = Literal["go_on", "end"]
Preferences = Literal["ignore", "refuse"]
T = TypeVar("T")
_ROLE_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`[agent]`: the design and the packs to serve."""

    design: str = setting(
        "default", "design of the agent: default, react or a module of your own", "AGENT_DESIGN"
    )
    triage: bool = setting(
        True,
        "classify each request with one small model call; if false, the router model "
        "chooses the worker",
        "AGENT_TRIAGE",
    )
    cache_lifetime: CacheLifetime = setting(
        "auto",
        "how long providers cache a prompt, if they offer a choice: short, long, "
        "or auto, which decides by the pauses in the thread",
        "AGENT_CACHE_LIFETIME",
    )
    remember: bool = setting(
        True,
        "reuse triage's answer for the same sentence with other names; if false, "
        "triage is always called",
        "AGENT_REMEMBER",
    )
    audit_share: Share = setting(
        0.02,
        "share of reused triage answers that are checked by calling triage; 0: none",
        "AGENT_AUDIT_SHARE",
    )
    packs: tuple[str, ...] = setting(
        (),
        "packs to serve, comma-separated; the first one answers chats; unset: all in agent/packs",
        "AGENT_PACKS",
    )
    reasoning: bool = setting(
        False,
        "show the models' reasoning before their answers, unless a request decides",
        "AGENT_REASONING",
    )
    trusts_only_last: bool = setting(
        False,
        "treat only the last user message as the user's own words; for chat "
        "programs that put web pages into earlier ones",
        "AGENT_TRUSTS_ONLY_LAST",
    )
    effort: Effort | None = setting(
        None,
        "how hard the workers' models think: none, minimal, low, medium, high, xhigh or max; the "
        "model's nearest level is used; unset: the model's default",
        "AGENT_EFFORT",
    )
    fetch_more: bool = setting(
        False, "give models a tool that reads the rest of a cut tool result", "AGENT_FETCH_MORE"
    )
    onboarding: str | None = setting(
        None,
        "pack whose interview is used for onboarding; unset: the first pack that has one",
        "AGENT_ONBOARDING",
    )


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """`[agents.<role or worker>]`: the model of one role (triage, worker, evaluator, parser or
    embedding) or of one worker. Replace WORKER with its name. Triage is the classifier and router.
    """

    provider: str | None = setting(None, "provider of this role or worker")
    model: str | None = setting(None, "its model")
    api_key: Secret | None = setting(None, "its key")
    api_base: str | None = setting(None, "the provider's base URL")
    protocol: WireProtocol | None = setting(
        None, "API to use with OpenAI-compatible providers: chat or responses"
    )
    thoughts_in_text: bool | None = setting(None, "treat <think> in the model's text as reasoning")
    temperature: Temperature | None = setting(
        None,
        "sampling temperature, for models that accept one; a request may "
        "override it; unset: the provider's default",
    )
    fallback: Models = setting(
        (), 'models to try in this order when the model fails: "provider:model"'
    )
    effort: Effort | None = setting(
        None, "how hard the model thinks; unset: low for triage, reviews, memory and titles"
    )
    cascade: bool | None = setting(
        None, "if a worker's answer fails its review, let the next fallback model write it again"
    )
    route_table: Path | None = setting(
        None, "file of `plainloop route learn` that chooses this role's model"
    )


_ROLE_VARIABLE = re.compile(
    rf"AGENT_AGENTS_([A-Z][A-Z0-9_]*)_(?:{'|'.join(RoleSettings.__dataclass_fields__).upper()})$"
)


@dataclass(frozen=True, slots=True)
class GeminiSettings:
    """`[gemini]`"""

    search_grounding: bool = setting(False, "let Gemini search with Google")


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """`[database]`"""

    url: Secret | None = setting(
        None,
        "URL of Postgres 15 or later; unset: an embedded Postgres in the data directory",
        "DATABASE_URL",
    )
    read_url: Secret | None = setting(
        None,
        "URL of a read replica for reports and lists; unset or unreachable: the database itself",
    )
    read_lag_s: Seconds = setting(
        60.0, "seconds that the read replica may lag; if it lags more, the database itself is read"
    )
    transaction_pooler: bool = setting(
        False, "true if a transaction pooler (pgbouncer) stands before the database"
    )
    connections: Pair = setting(
        10, "max. database connections of one process; further queries wait for a free one"
    )
    wait_s: Seconds = setting(60.0, "max. seconds that a query waits for a free connection")
    silent_s: Seconds = setting(
        10.0, "seconds without an answer from the database host until its connections count as dead"
    )


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`[server]`"""

    host: str = setting(
        "127.0.0.1",
        "address to listen on; without keys in [auth], only loopback addresses are allowed",
    )
    port: Port = setting(8000, "port to listen on; 0: any free one")
    health_port: Port | None = setting(
        None, "separate port for /api/health, /readyz and /metrics; unset: the same port as the API"
    )
    health_host: str = setting("127.0.0.1", "address to listen on for the separate health port")
    origins: tuple[str, ...] = setting(
        (),
        "origins of other web pages that may call this server, such as "
        "https://app.example.com; unset: none",
    )
    query_token: bool = setting(True, "also accept a WebSocket's JWT in ?token=")
    edges: tuple[str, ...] = setting(
        (), "third-party protocols to serve, comma-separated; unset: all; none: -"
    )
    preferences: Preferences = setting(
        "ignore",
        "what to do with client preferences that no model supports, such as a "
        "temperature: ignore or refuse",
    )
    model_names: Named = setting(
        (),
        "further names of agents in the APIs of OpenAI and Anthropic: NAME=AGENT, comma-separated",
    )
    file_types: tuple[str, ...] = setting(
        FILE_TYPES,
        "media types of files allowed in messages, comma-separated; detected by content; none: -",
    )
    ai_sdk: Count = setting(
        5, "AI SDK version to assume for clients that state none; all versions understand 5"
    )
    metrics: bool = setting(
        True, "serve Prometheus metrics at /metrics, to everyone who can connect"
    )
    uvloop: bool = setting(
        True, "use uvloop for serve and chat if it is installed; false: Python's own event loop"
    )


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """`[auth]`: how users are authenticated. Without jwt_secret and jwks_url, all callers are one
    local user, unless `api_keys` is set.
    """

    jwt_secret: Secret | None = setting(None, "HS256 secret of at least 32 bytes")
    jwks_url: str | None = setting(
        None, "URL of the key set (JWKS) that RS256 and ES256 tokens are checked with"
    )
    issuer: str | None = setting(None, "required value of the claim iss; unset: any")
    audience: str | None = setting(
        None, "required value of the claim aud; unset: aud is not checked"
    )
    user_claim: str = setting("sub", "claim that names the user")
    tenant_claim: str = setting("tenant", "claim that names the tenant")
    tenant: str | None = setting(
        None, "tenant of a token without the tenant claim; unset: such a token is refused"
    )
    admin_claim: str = setting(
        "roles", 'claim that is "admin", or a list with "admin", for administrators of the tenant'
    )
    leeway_s: Seconds = setting(30.0, "seconds by which clocks may differ")
    api_keys: bool = setting(
        False, "if neither jwt_secret nor jwks_url is set: require an API key from every caller"
    )
    user_models: tuple[str, ...] = setting(
        (), "further models that users may choose: provider:model, with * for any part"
    )
    admin_models: tuple[str, ...] = setting(
        ("*",), "further models that the tenant's administrators may choose"
    )


@dataclass(frozen=True, slots=True)
class UsageSettings:
    """`[usage]`"""

    budget_webhook: str | None = setting(
        None, "URL that gets a POST when a soft budget is exceeded or a hard one is nearly used up"
    )
    keep_calls_days: Count | None = setting(
        None, "days until rows of the usage ledger are deleted; their sums stay; unset: never"
    )
    keep_events_days: Count | None = setting(
        None, "days until the events of ended runs are deleted; unset: never"
    )


@dataclass(frozen=True, slots=True)
class DeploySettings:
    """`[deploy]`: the check of new code before it serves."""

    judge: Judging = setting(
        "off",
        "check new code against stored runs at start; refuse: a replica with "
        "differences does not become ready; warn: it only reports them; off: no "
        "check",
    )
    code: ChangedCode = setting(
        "check",
        "if code that the check does not run has changed and is not in the file of intended "
        "differences: check: `deploy check` fails; refuse: a replica is refused too; warn: report",
    )
    sample: Count = setting(100, "number of stored conversations to check for each pack and design")
    allowed: Path | None = setting(
        None, "file of intended differences; unset: allowed.toml in the current folder, if present"
    )
    left_s: Seconds = setting(
        60.0, "seconds that a run started by other code is left to replicas with that same code"
    )
    broken: BrokenRuns = setting(
        "go_on",
        "what to do after deploy.left_s with a run that this code would continue "
        "differently: go_on, or end it with the reason",
    )
    nice: Nice = setting(10, "nice value during start and check; 0: none (Linux)")

    @property
    def start_nice(self) -> int:
        """The nice value to start with."""
        return 0 if self.judge == "off" else self.nice


@dataclass(frozen=True, slots=True)
class Limits:
    """`[limits]`: all limits of the service, each above 0.

    Raises: ConfigError when the heartbeat is not shorter than the lease.
    """

    worker_turns: Count = setting(20, "max. worker turns (a model call with its tools) per run")
    react_turns: Count = setting(15, "max. worker turns per run of the react design")
    onboarding_turns: Count = setting(
        6, "max. worker turns per message of the onboarding interview"
    )
    evaluator_retries: Count = setting(
        2, "max. times that an evaluator may have an answer rewritten"
    )
    parallel_tool_calls: Count = setting(8, "max. tool calls in parallel within a step")
    helpers_per_run: Count = setting(
        8, "max. helpers that one run may call; each helper is a run of its own"
    )
    helper_depth: Count = setting(2, "max. levels of helpers that call helpers")
    repeated_calls: Count = setting(3, "number of identical tool calls in a row that stops a run")
    tool_timeout_s: Seconds = setting(30.0, "max. seconds for one tool call")
    model_timeout_s: Seconds = setting(120.0, "max. seconds for one model call")
    run_timeout_s: Seconds = setting(300.0, "max. seconds for one run")
    rate_wait_s: Seconds = setting(
        600.0, "max. seconds that a run waits for provider rate limits, in addition to its own time"
    )
    model_attempts: Count = setting(4, "max. attempts per model call, including fallback models")
    window_tokens: Count = setting(
        6000, "max. tokens of history sent with the first model call of a turn"
    )
    window_kept: Share | None = setting(
        None,
        "share of window_tokens kept when history is cut; unset: 1/4, or 1/3 below 8000 tokens",
    )
    turn_windows: Count = setting(
        2, "max. size of the history within a turn, as a multiple of window_tokens"
    )
    picture_turns: Count = setting(
        2, "a picture is sent in this many turns, from its own on; later a line replaces it"
    )
    appended_tokens: Count = setting(
        2000, "max. tokens of prompt changes appended to a thread before its prompt is rebuilt"
    )
    history_tokens: Count = setting(9000, "max. tokens of a thread that one run loads")
    tool_result_tokens: Count = setting(2000, "max. tokens of one tool result sent to the model")
    max_output_tokens: Count = setting(8096, "max. output tokens of one model call")
    message_chars: Count = setting(100_000, "max. characters of one user message")
    posted_messages: Count = setting(
        1000, "max. new messages in the history that a client sends with a request"
    )
    posted_tokens: Count = setting(200_000, "max. tokens in the new messages of a client's history")
    retried_s: Seconds = setting(
        900.0, "seconds in which a request marked as a retry joins the run of the first request"
    )
    learned_votes: Count = setting(
        5000, "max. learned triage answers per user; the oldest is dropped"
    )
    list_rows: Count = setting(20, "rows in a list, unless the user asks for another number")
    lease_s: Seconds = setting(30.0, "seconds without a heartbeat until a process loses its run")
    heartbeat_s: Seconds = setting(
        8.0, "seconds between two heartbeats of a process that owns a run"
    )
    run_attempts: Count = setting(
        2, "max. times that a run whose process was lost is started again"
    )
    quarantine_s: Seconds = setting(
        10.0, "seconds until a run that may have crashed its process is started again"
    )
    event_flush_ms: Count = setting(
        25, "milliseconds of text that are collected into one stored event"
    )
    cancel_poll_s: Seconds = setting(
        0.5, "seconds until a replica notices a cancel sent to another replica"
    )
    recovery_s: Seconds = setting(2.0, "seconds between two checks for runs to take over")
    approval_s: Seconds = setting(86_400.0, "seconds until a pending approval expires")
    viewer_poll_ms: Count = setting(
        150, "milliseconds between two checks of a run on another replica"
    )
    drain_s: Seconds = setting(
        20.0, "seconds that runs have to finish their steps when the server is stopped"
    )
    leave_s: Seconds | None = setting(
        None, "seconds to keep serving, with /readyz failing, before a shutdown begins; unset: none"
    )
    keep_alive_s: Seconds = setting(
        15.0, "seconds without an event until a stream sends a comment to stay open"
    )
    idle_s: Seconds = setting(
        5.0, "seconds that an idle connection is kept open for its next request"
    )
    viewer_timeout_s: Seconds = setting(
        30.0, "seconds until a viewer that does not read its stream is disconnected"
    )
    jwks_cache_s: Seconds = setting(300.0, "seconds that keys read from auth.jwks_url are cached")
    head_timeout_s: Seconds = setting(
        10.0, "max. seconds for a request's line and headers to arrive, also before authentication"
    )
    body_timeout_s: Seconds = setting(120.0, "max. seconds for a request's body to arrive")
    header_bytes: Count = setting(32_768, "max. bytes of one request's line and headers")
    body_bytes: Count = setting(1_000_000, "max. bytes of one request's body")
    upload_bytes: Count = setting(10_000_000, "max. bytes of one uploaded file")
    file_bytes: Count = setting(3_500_000, "max. bytes of one file in a message")
    files_per_message: Count = setting(8, "max. files in one message")
    message_bytes: Count = setting(
        12_000_000, "max. bytes of a request's body that may contain files"
    )
    client_tools: Count = setting(128, "max. tools that a client may declare in a request")
    client_tools_bytes: Count = setting(
        60_000, "max. total bytes of a client's tools, which are part of every prompt of the run"
    )
    upload_pages: Count = setting(50, "max. pages of one uploaded file")
    upload_parse_s: Seconds = setting(20.0, "max. seconds for reading one uploaded file")
    fetch_bytes: Count = setting(2_000_000, "max. bytes that are read of one web page")
    fetch_timeout_s: Seconds = setting(20.0, "max. seconds for one web page or search")
    frame_bytes: Count = setting(
        12_000_000, "max. bytes of one WebSocket message, including its files"
    )
    page_rows: Count = setting(100, "max. rows in one page of the HTTP API")
    requests_per_minute: Count = setting(1200, "max. requests per user and minute, per replica")
    messages_per_minute: Count = setting(120, "max. messages per user and minute, per replica")
    sockets_per_user: Count = setting(50, "max. open WebSockets per user, per replica")
    runs_at_once: Count = setting(500, "max. active runs of one process; further runs are queued")
    runs_waiting: Count = setting(
        2000, "max. queued runs; beyond it, messages are refused with 503"
    )
    runs_per_free_place: Count = setting(
        8, "max. active and queued runs of a tenant per free run slot; more are refused with 503"
    )
    runs_per_user: Count = setting(100, "max. active and queued runs of one user")
    streams_per_user: Count = setting(200, "max. event streams that one user watches, per replica")
    connections: Count = setting(5000, "max. connections of one replica")
    api_keys_per_user: Count = setting(20, "max. valid API keys of one user")
    api_key_days: Count = setting(365, "max. days that an API key is valid, and its default")
    schedules_per_user: Count = setting(20, "max. schedules of one user")
    schedule_late_s: Seconds = setting(300.0, "seconds after which a due time counts as missed")
    webhooks_per_user: Count = setting(10, "max. webhooks of one user, and of the tenant itself")
    webhook_timeout_s: Seconds = setting(
        10.0, "max. seconds for one attempt to deliver to a webhook"
    )
    webhook_retry_s: Seconds = setting(
        5.0, "seconds until the second attempt to deliver; later pauses are longer"
    )
    webhook_attempts: Count = setting(
        9, "max. attempts to deliver one message; then its webhook is disabled"
    )
    replays_per_user: Count = setting(4, "max. live replays that one user may have open")
    replay_calls: Count = setting(100, "max. model calls per turn and variant in a live replay")
    replay_times: Count = setting(
        5, "max. model calls per replayed turn, as a multiple of the recorded calls"
    )
    replay_worse: Share = setting(
        0.1, "a live replay passes only if at most this share of conversations gets worse"
    )
    replay_drift: Share = setting(
        0.05, "in a replay without a baseline: share of conversations run again, to detect drift"
    )
    batch_conversations: Count = setting(
        1000, "max. conversations in parallel in a replay with --batch-api, per process"
    )
    batch_poll_s: Seconds = setting(
        15.0, "seconds until a provider's batch is first polled; later polls are less frequent"
    )
    batch_wait_s: Seconds = setting(
        60.0, "seconds that a call in a replay with --batch-api waits for others to share its batch"
    )

    @property
    def loaded_tokens(self) -> int:
        """Tokens of a thread that one run loads: at least a window of them.

        No view may be larger, whatever a model's tokens are in ours: it would begin where the
        loaded part happens to begin, which moves with every run, and no prompt would be cached.
        """
        return max(self.history_tokens, self.window_tokens)

    def __post_init__(self) -> None:
        if self.heartbeat_s >= self.lease_s:
            raise ConfigError(
                f"limits.heartbeat_s ({self.heartbeat_s:g}) must be less than "
                f"limits.lease_s ({self.lease_s:g})"
            )


@dataclass(frozen=True, slots=True)
class Settings:
    """The model, and where things are.

    What one process was told. Built by `load_settings`, passed down, never changed.
    """

    provider: str | None = setting(
        None, "provider to use; unset: the first with a key, else Ollama, else offline"
    )
    model: str | None = setting(None, "model to use; unset: the provider's default")
    small_model: str | None = setting(
        None,
        "model for triage, routing and reviews; unset: the provider's small "
        "model, or, with an api_base of your own, `model`",
    )
    api_key: Secret | None = setting(
        None, "API key; unset: the provider's own environment variable"
    )
    api_base: str | None = setting(None, "base URL of the API; unset: the provider's own")
    region: Region | None = setting(
        None, "region of the API, for providers that offer two: cn or intl"
    )
    thoughts_in_text: bool | None = setting(
        None,
        "treat <think> and channels in texts as reasoning; unset: only for "
        "OpenAI-compatible servers",
    )
    protocol: WireProtocol | None = setting(
        None,
        "API to use with OpenAI-compatible providers: chat or responses; unset: "
        "depends on the model",
    )
    route_table: Path | None = setting(
        None,
        "file of `plainloop route learn` (JSON or TOML) that sends some requests "
        "to a cheaper model",
    )
    data_dir: Path = setting(Path(), "folder for files; unset: the user's data directory")
    outbound_allow: tuple[str, ...] = setting(
        (), "private hosts that tools may call: host, host:port or network"
    )
    token_ranks: Path | None = setting(
        None,
        "path of tiktoken's o200k_base.tiktoken, for exact token counts; unset: "
        "from TIKTOKEN_CACHE_DIR",
    )
    endings_file: Path | None = setting(
        None, "TOML file with shutdown dates of models, beside the vendors' own list"
    )
    agent: AgentSettings = AgentSettings()
    agents: Mapping[str, RoleSettings] = field(default_factory=dict[str, RoleSettings])
    gemini: GeminiSettings = GeminiSettings()
    database: DatabaseSettings = DatabaseSettings()
    server: ServerSettings = ServerSettings()
    auth: AuthSettings = AuthSettings()
    usage: UsageSettings = UsageSettings()
    deploy: DeploySettings = DeploySettings()
    limits: Limits = Limits()
    # By "provider:model" or "provider:*": only the file has them.
    prices: Mapping[str, OwnPrice] = field(default_factory=dict[str, OwnPrice])
    mcp: Mapping[str, McpServer] = field(default_factory=dict[str, McpServer])  # likewise
    # Likewise, by "provider" or "provider:model".
    rates: Mapping[str, ProviderRate] = field(default_factory=dict[str, ProviderRate])
    config_path: Path | None = None  # the file that was read; None: there was none
    # Those that packs bring, by their class.
    tables: Mapping[type, Any] = field(default_factory=dict[type, Any], repr=False)
    # By key, where each value came from; a key that is not there has its default.
    sources: Mapping[str, Source] = field(default_factory=dict[str, Source], repr=False)
    _environ: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, compare=False)

    def get_table(self, owner: type[T]) -> T:
        """The settings of a pack, by the class that declares them."""
        held: T | None = self.tables.get(owner)
        return owner() if held is None else held

    def list_secrets(self) -> list[str]:
        """The text of every setting that is one, packs' included: what no log may show."""
        found: list[str] = []
        for row in list_known_settings((*self.agents,), self.agent.packs):
            value = getattr(get_owner(self, row), row.name)
            if isinstance(value, Secret):
                found.append(value.reveal())
        return found

    def get_env(self, name: str) -> Secret | None:
        """A variable as it was at start (a provider's key, say); None when unset or empty."""
        value = self._environ.get(name)
        return None if value is None else Secret(value)


_TABLES: Mapping[str, type] = {
    "agent": AgentSettings,
    "gemini": GeminiSettings,
    "database": DatabaseSettings,
    "server": ServerSettings,
    "auth": AuthSettings,
    "usage": UsageSettings,
    "deploy": DeploySettings,
    "limits": Limits,
}


def list_known_settings(
    role_names: tuple[str, ...] = (), packs: tuple[str, ...] = ()
) -> list[KnownSetting]:
    """Every setting there is: `[agents.<name>]` for the given names, and what the installed packs
    and these bring.

    Raises: ConfigError for a setting that is there twice.
    """
    brought = load_tables((*list_installed(), *packs, *list_extensions()))
    if taken := _TABLES.keys() & brought.keys():
        raise ConfigError(
            f"a pack defines the settings table [{min(taken)}], which is one of the service's own"
        )
    rows = [*list_rows("", Settings)]
    for name in role_names:
        rows += list_rows(f"agents.{name}.", RoleSettings)
    for table, owner in _TABLES.items():
        rows += list_rows(f"{table}.", owner)
    for table, owners in brought.items():
        rows += chain.from_iterable(list_rows(f"{table}." if table else "", o) for o in owners)
    return rows


def load_settings(
    environ: Mapping[str, str] | None = None, config_path: Path | None = None
) -> Settings:
    """Load this process's settings: `environ` (default: the environment, over `.env` in the
    current folder) overrides the file.

    The file is `config_path`, else `AGENT_CONFIG`, else `./plainloop.toml` when it exists.

    Raises: ConfigError for an unknown name, a value of the wrong type, a file that cannot be read.
    """
    env = drop_empty(_load_environ() if environ is None else environ)
    path = find_file(env, config_path)
    document = {} if path is None else load_file(path)
    role_names = _list_role_names(env, document)
    agent = {
        row.name: read_setting(row, env, path, document)[0]
        for row in list_rows("agent.", AgentSettings)
    }
    named = (*agent["packs"], *filter(None, [agent["onboarding"]]))
    rows = list_known_settings(role_names, named)
    reject_unknown_variables(env, rows)
    if path is not None:
        own = (PRICES, MCP, RATES)
        settable = {name: value for name, value in document.items() if name not in own}
        tables = {row.key.rpartition(".")[0] for row in rows} - {""}
        reject_unknown_keys(path, settable, rows, tables)

    values: dict[type, dict[str, Any]] = {row.owner: {} for row in rows}
    roles: dict[str, dict[str, Any]] = {name: {} for name in role_names}
    sources: dict[str, Source] = {}
    for row in rows:
        value, source = read_setting(row, env, path, document)
        if source != "default":
            of_role = row.owner is RoleSettings
            taken = roles[row.key.split(".")[1]] if of_role else values[row.owner]
            taken[row.name], sources[row.key] = value, source
    values[AgentSettings].setdefault("packs", tuple(list_installed()))
    top = values.pop(Settings)
    top.setdefault("data_dir", None)
    tables = {owner: owner(**given) for owner, given in values.items() if owner is not RoleSettings}
    return Settings(
        **{**top, "data_dir": top["data_dir"] or _get_data_dir()},
        **{name: tables.pop(owner) for name, owner in _TABLES.items()},
        agents=MappingProxyType({name: RoleSettings(**given) for name, given in roles.items()}),
        prices=MappingProxyType(read_prices(document, path)),
        mcp=MappingProxyType(read_servers(document, env)),
        rates=MappingProxyType(read_rates(document, path)),
        config_path=path,
        tables=MappingProxyType(tables),
        sources=MappingProxyType(sources),
        _environ=MappingProxyType(env),
    )


def _load_environ() -> dict[str, str | None]:
    """The real environment, and what `.env` says beside it."""
    if not Path(DOTENV).is_file():
        return dict(os.environ)
    from dotenv import dotenv_values

    return {**dotenv_values(DOTENV), **os.environ}


def _list_role_names(env: Mapping[str, str], document: Mapping[str, Any]) -> tuple[str, ...]:
    in_file = get_table(document, "agents")
    for name in in_file:
        if not _ROLE_NAME.match(name):
            raise ConfigError(f'[agents."{name}"]: a name may contain only a-z, 0-9 and _')
    in_env = (match.group(1).lower() for name in env if (match := _ROLE_VARIABLE.match(name)))
    return tuple(sorted({*in_file, *in_env}))


def _get_data_dir() -> Path:
    from platformdirs import user_data_path

    return user_data_path("plainloop", appauthor=False)


def get_owner(settings: Settings, row: KnownSetting) -> Any:
    """Return the object that holds the setting."""
    if row.owner is RoleSettings:
        return settings.agents[row.key.split(".")[1]]
    table = row.key.rpartition(".")[0]
    if row.owner is Settings:
        return settings
    owner: Any = row.owner
    return getattr(settings, table) if table in _TABLES else settings.get_table(owner)
