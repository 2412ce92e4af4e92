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
BrokenRuns = Literal["go_on", "end"]
Preferences = Literal["ignore", "refuse"]
T = TypeVar("T")
_ROLE_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_ROLE_VARIABLE = re.compile(
    r"AGENT_AGENTS_([A-Z][A-Z0-9_]*)_(?:PROVIDER|MODEL|API_KEY|API_BASE|PROTOCOL|TEMPERATURE|FALLBACK|CASCADE|ROUTE_TABLE)$"
)


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`[agent]`: which strategy and which domains are served."""

    design: str = setting("default", "strategy: default, react or your own module", "AGENT_DESIGN")
    triage: bool = setting(True, "false: no call sorts requests, the router asks", "AGENT_TRIAGE")
    cache_lifetime: CacheLifetime = setting(
        "auto",
        "how long providers keep a prompt, where they let one choose: auto: by the threads' own "
        "pauses; short; long",
        "AGENT_CACHE_LIFETIME",
    )
    remember: bool = setting(
        True,
        "false: triage is asked also what it answered before to the same sentence with other names",
        "AGENT_REMEMBER",
    )
    audit_share: Share = setting(
        0.02,
        "share of such answers that triage is asked for all the same; 0: none",
        "AGENT_AUDIT_SHARE",
    )
    packs: tuple[str, ...] = setting(
        (),
        "domains, comma-separated, the first serves chat; unset: all of agent/packs",
        "AGENT_PACKS",
    )
    reasoning: bool = setting(
        False, "tell what models think before they answer, unless a request says", "AGENT_REASONING"
    )
    trusts_only_last: bool = setting(
        False,
        "of the user's messages none but the last is their word: for chat programs that put pages "
        "into earlier ones",
        "AGENT_TRUSTS_ONLY_LAST",
    )
    fetch_more: bool = setting(False, "reads on where a tool's result was cut", "AGENT_FETCH_MORE")
    onboarding: str | None = setting(
        None, "pack whose interview is held; unset: the first that has one", "AGENT_ONBOARDING"
    )


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """`[agents.<role or worker>]`: a model of its own for a role (triage, which is classifier and
    router, worker, evaluator, parser, embedding) or a worker: put its name in place of WORKER.
    """

    provider: str | None = setting(None, "provider of this role or worker")
    model: str | None = setting(None, "its model")
    api_key: Secret | None = setting(None, "its key")
    api_base: str | None = setting(None, "its base URL")
    protocol: WireProtocol | None = setting(None, "chat or responses, for OpenAI's kind of API")
    thoughts_in_text: bool | None = setting(None, "<think> in its texts is thought, not said")
    temperature: Temperature | None = setting(
        None, "where its model takes one and a request asks for no other; unset: the provider's"
    )
    fallback: Models = setting((), 'tried in this order when it fails: "provider:model"')
    cascade: bool | None = setting(
        None, "true: a worker's answer that did not pass is written again by the next of them"
    )
    route_table: Path | None = setting(None, "table of `plainloop route learn`, for this role")


@dataclass(frozen=True, slots=True)
class GeminiSettings:
    """`[gemini]`"""

    search_grounding: bool = setting(False, "let Gemini search with Google")


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """`[database]`"""

    url: Secret | None = setting(
        None,
        "any Postgres 15 or later; unset: an embedded one in the data directory",
        "DATABASE_URL",
    )
    read_url: Secret | None = setting(
        None, "a read replica of it: reports and lists; unset, or away: the database itself"
    )
    read_lag_s: Seconds = setting(
        60.0, "seconds that it may be behind; beyond them the database itself answers"
    )
    transaction_pooler: bool = setting(False, "a transaction pooler (pgbouncer) is in between")
    connections: Pair = setting(10, "connections of one process at most; work waits for its turn")
    wait_s: Seconds = setting(60.0, "seconds that work waits for one of them")
    silent_s: Seconds = setting(
        10.0, "seconds that its host may be silent before its connections count as dead"
    )


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`[server]`"""

    host: str = setting("127.0.0.1", "address to listen on; without keys in [auth] loopback only")
    port: Port = setting(8000, "port to listen on; 0: any free one")
    health_port: Port | None = setting(
        None, "a listener of its own for /api/health, /readyz, /metrics; unset: on the same port"
    )
    health_host: str = setting("127.0.0.1", "address of that listener")
    origins: tuple[str, ...] = setting(
        (), "web pages of these origins may call us: https://app.example.com; unset: only our own"
    )
    query_token: bool = setting(True, "take a WebSocket's JWT from ?token= as well")
    edges: tuple[str, ...] = setting(
        (), "protocols of other people's clients, comma-separated; unset: all there are; none: -"
    )
    preferences: Preferences = setting(
        "ignore", "what a client prefers and no model takes, a temperature say: ignore or refuse"
    )
    model_names: Named = setting(
        (), "other names of agents, at OpenAI's and Anthropic's API: NAME=AGENT, comma-separated"
    )
    file_types: tuple[str, ...] = setting(
        FILE_TYPES, "media types that messages may bring, comma-separated, by content; none: -"
    )
    ai_sdk: Count = setting(
        5, "version of the AI SDK of pages that do not say theirs; 5 is what all of them take"
    )
    metrics: bool = setting(True, "Prometheus numbers at /metrics, for anybody who can connect")
    uvloop: bool = setting(
        True, "uvloop's event loop, where it is installed, for serve and chat; false: Python's own"
    )


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """`[auth]`: who signs our users' tokens. None of both keys: local mode, one user, unless
    `api_keys` is set.
    """

    jwt_secret: Secret | None = setting(None, "HS256 secret of at least 32 bytes")
    jwks_url: str | None = setting(None, "where the keys of RS256 and ES256 tokens are read")
    issuer: str | None = setting(None, "unset: any; else the claim iss must be this")
    audience: str | None = setting(None, "unset: the claim aud is not looked at")
    user_claim: str = setting("sub", "claim that names the user")
    tenant_claim: str = setting("tenant", "claim that names the tenant")
    tenant: str | None = setting(None, "tenant of a token without that claim; unset: refused")
    admin_claim: str = setting("roles", "claim that is, or lists, admin for a tenant's admins")
    leeway_s: Seconds = setting(30.0, "seconds that clocks may differ")
    api_keys: bool = setting(
        False, "true: with neither of both keys, whoever has an API key is let in, nobody else"
    )
    user_models: tuple[str, ...] = setting(
        (), "models that users may choose beside the service's own: provider:model, * for any part"
    )
    admin_models: tuple[str, ...] = setting(("*",), "the same for a tenant's admins")


@dataclass(frozen=True, slots=True)
class UsageSettings:
    """`[usage]`"""

    budget_webhook: str | None = setting(
        None, "told by POST when a soft budget is passed, or a hard one nearly used up"
    )
    keep_calls_days: Count | None = setting(
        None, "days that the ledger's rows are kept; their sums stay; unset: for ever"
    )
    keep_events_days: Count | None = setting(
        None, "days that the events of ended runs are kept; unset: for ever"
    )


@dataclass(frozen=True, slots=True)
class DeploySettings:
    """`[deploy]`: whether a replica with other code than those that serve is judged first."""

    judge: Judging = setting(
        "off", "refuse: a replica that would go on otherwise is not ready; warn: it says so; or off"
    )
    sample: Count = setting(100, "conversations of each pack and design that it replays")
    allowed: Path | None = setting(
        None,
        "divergences that are meant; unset: allowed.toml in the current folder, if it is there",
    )
    left_s: Seconds = setting(
        60.0, "seconds that a run which other code began is left to the replicas that repeat it"
    )
    broken: BrokenRuns = setting(
        "go_on", "afterwards, where it would not go on as it began: go_on, or end with the reason"
    )
    nice: Nice = setting(10, "nice value of its start and judgement; 0: none (Linux)")

    @property
    def start_nice(self) -> int:
        """The nice value to start with."""
        return 0 if self.judge == "off" else self.nice


@dataclass(frozen=True, slots=True)
class Limits:
    """`[limits]`: every bound of the service by name, each above 0.

    Raises: ConfigError when the heartbeat is not shorter than the lease.
    """

    worker_turns: Count = setting(20, "worker turns (a model call with its tools) per run")
    react_turns: Count = setting(15, "the same for the react design")
    onboarding_turns: Count = setting(6, "the same for one message of the interview")
    evaluator_retries: Count = setting(2, "second tries that an evaluator may ask for")
    parallel_tool_calls: Count = setting(8, "tool calls running at once within a step")
    helpers_per_run: Count = setting(8, "helpers that one run may call, each a run of its own")
    helper_depth: Count = setting(2, "runs of helpers below each other")
    repeated_calls: Count = setting(3, "identical tool calls in a row that stop a run")
    tool_timeout_s: Seconds = setting(30.0, "seconds for one tool call")
    model_timeout_s: Seconds = setting(120.0, "seconds for one model call")
    run_timeout_s: Seconds = setting(300.0, "seconds for one run")
    rate_wait_s: Seconds = setting(
        600.0, "seconds that a run waits, beside its own, for the rates of providers"
    )
    model_attempts: Count = setting(4, "attempts per model call, fallbacks included")
    window_tokens: Count = setting(6000, "tokens of history that a turn's first model call sees")
    window_kept: Share | None = setting(
        None, "share of them that stays when history is cut; unset: 1/4, below 8000 tokens 1/3"
    )
    turn_windows: Count = setting(2, "windows of history that a view may grow to within a turn")
    history_tokens: Count = setting(9000, "tokens of a thread that one run loads")
    tool_result_tokens: Count = setting(2000, "tokens of one tool result that the model sees")
    max_output_tokens: Count = setting(8096, "tokens that one model call may answer")
    message_chars: Count = setting(100_000, "characters of one user message")
    posted_messages: Count = setting(
        1000, "messages of a conversation that a client brings along and that is not ours yet"
    )
    posted_tokens: Count = setting(200_000, "tokens of all of them together")
    retried_s: Seconds = setting(
        900.0, "seconds in which a request that says it is a retry joins the run of the first"
    )
    learned_votes: Count = setting(5000, "answers of triage kept of one user; the oldest goes")
    list_rows: Count = setting(20, "rows in a list, unless the user asks for a number")
    lease_s: Seconds = setting(30.0, "seconds until a silent owner loses its run")
    heartbeat_s: Seconds = setting(8.0, "seconds between two signs of life of an owner")
    run_attempts: Count = setting(2, "times a run is taken up again that lost its process")
    quarantine_s: Seconds = setting(
        10.0, "seconds until a run is taken up again that may have taken its process down"
    )
    event_flush_ms: Count = setting(25, "milliseconds of text gathered into one stored event")
    cancel_poll_s: Seconds = setting(0.5, "seconds until a cancel from another replica is seen")
    recovery_s: Seconds = setting(2.0, "seconds between two looks for runs to take over")
    approval_s: Seconds = setting(86_400.0, "seconds until an undecided approval expires")
    viewer_poll_ms: Count = setting(150, "milliseconds between looks at a run of another replica")
    drain_s: Seconds = setting(20.0, "seconds that a server which is told to stop gives its runs")
    leave_s: Seconds | None = setting(
        None, "seconds that it serves on before, while /readyz says no; unset: none"
    )
    keep_alive_s: Seconds = setting(15.0, "seconds of silence before a stream gets a comment")
    idle_s: Seconds = setting(5.0, "seconds that a connection is kept for its next request")
    viewer_timeout_s: Seconds = setting(30.0, "seconds until a viewer who reads nothing is dropped")
    jwks_cache_s: Seconds = setting(300.0, "seconds that keys read from auth.jwks_url are kept")
    head_timeout_s: Seconds = setting(
        10.0, "seconds until a request's line and headers are complete, also before any token"
    )
    body_timeout_s: Seconds = setting(120.0, "seconds until a request's body is complete")
    header_bytes: Count = setting(32_768, "bytes of one request's line and headers")
    body_bytes: Count = setting(1_000_000, "bytes of one request's body")
    upload_bytes: Count = setting(10_000_000, "bytes of one uploaded file")
    file_bytes: Count = setting(3_500_000, "bytes of one file in a message")
    files_per_message: Count = setting(8, "files in one message")
    message_bytes: Count = setting(12_000_000, "bytes of a request's body that may bring files")
    client_tools: Count = setting(128, "tools that a client brings with its request")
    client_tools_bytes: Count = setting(
        60_000, "bytes of all of them together: they stand in every prompt of the run"
    )
    upload_pages: Count = setting(50, "pages of one uploaded file")
    upload_parse_s: Seconds = setting(20.0, "seconds for reading one uploaded file")
    fetch_bytes: Count = setting(2_000_000, "bytes that are read of one web page")
    fetch_timeout_s: Seconds = setting(20.0, "seconds for one web page or search")
    frame_bytes: Count = setting(12_000_000, "bytes of one WebSocket message, with its files")
    page_rows: Count = setting(100, "rows of one page that the HTTP API gives")
    requests_per_minute: Count = setting(1200, "requests of one user, per replica")
    messages_per_minute: Count = setting(120, "messages of one user, per replica")
    sockets_per_user: Count = setting(50, "WebSockets that one user has open, per replica")
    runs_at_once: Count = setting(500, "runs that one process works on at once; others wait")
    runs_waiting: Count = setting(2000, "runs that wait for their turn; beyond it: 503")
    runs_per_free_place: Count = setting(
        8, "runs of a tenant that work or wait for each free place; beyond it: 503 for that tenant"
    )
    runs_per_user: Count = setting(100, "runs of one user that work or wait for their turn")
    streams_per_user: Count = setting(200, "event streams that one user watches, per replica")
    connections: Count = setting(5000, "connections that one replica holds")
    api_keys_per_user: Count = setting(20, "API keys of one user that hold at once")
    api_key_days: Count = setting(365, "days that an API key holds at most, unless it says less")
    schedules_per_user: Count = setting(20, "schedules of one user")
    schedule_late_s: Seconds = setting(300.0, "seconds from which a due time counts as missed")
    webhooks_per_user: Count = setting(10, "webhooks of one user, and of the tenant itself")
    webhook_timeout_s: Seconds = setting(10.0, "seconds for one attempt to tell a webhook")
    webhook_retry_s: Seconds = setting(5.0, "seconds until the second attempt; later ones grow")
    webhook_attempts: Count = setting(9, "attempts of one message; then its webhook is disabled")
    replays_per_user: Count = setting(4, "live replays that one user has open at once")
    replay_calls: Count = setting(100, "model calls of one turn in a live replay, by lane")
    replay_worse: Share = setting(
        0.1, "share of conversations that a candidate may do worse in and still replace today's"
    )
    replay_drift: Share = setting(
        0.05, "share of conversations bought although a replay without a baseline need not"
    )
    batch_conversations: Count = setting(
        1000, "conversations at once of a replay with --batch-api, per process"
    )
    batch_poll_s: Seconds = setting(
        15.0, "seconds until the first look at a provider's batch; later ones come slower"
    )
    batch_wait_s: Seconds = setting(
        60.0, "seconds that a call of such a replay waits for others to be handed in with"
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

    provider: str | None = setting(None, "unset: the first with a key, then Ollama, then offline")
    model: str | None = setting(None, "unset: the provider's default")
    small_model: str | None = setting(
        None,
        "sorts requests and reviews answers; unset: the provider's small one, at another address "
        "than its own the model above",
    )
    api_key: Secret | None = setting(None, "unset: the provider's own variable")
    api_base: str | None = setting(None, "unset: the provider's own address")
    region: Region | None = setting(None, "cn or intl, for providers that have both")
    thoughts_in_text: bool | None = setting(
        None, "<think> and channels in texts are thoughts; unset: of OpenAI-compatible servers"
    )
    protocol: WireProtocol | None = setting(
        None, "chat or responses, for OpenAI's kind of API; unset: by model"
    )
    route_table: Path | None = setting(
        None, "table of `plainloop route learn` (JSON or TOML): which requests a cheaper model gets"
    )
    data_dir: Path = setting(Path(), "where we keep files; unset: the user's data directory")
    outbound_allow: tuple[str, ...] = setting(
        (), "private hosts that tools may call all the same: host, host:port or network"
    )
    token_ranks: Path | None = setting(
        None, "tiktoken's o200k_base.tiktoken, for exact counts; unset: TIKTOKEN_CACHE_DIR's"
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
            f"a pack defines the settings table [{min(taken)}], which the service already has"
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
    """The settings of this process, from `environ` (default: the real one, over `.env` in the
    current folder) over the file.

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
