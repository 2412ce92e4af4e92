"""Settings of the agent, its models and its runs; and `Settings`, all settings of a process.

A setting is a field made by `setting`: it gives a TOML key, an environment variable and a line of
`.env.example`. Its owner declares it: the layers above this one and the packages beside the
service have modules `settings` of their own, whose `TABLES` name their dataclasses. `settings.py`
makes one list of them and reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from ..dataclasses import dataclass, field, fields, replace
from ..types import Effort
from .mcp import McpServer
from .prices import OwnPrice
from .rates import ProviderRate
from .values import Count, Models, Seconds, Secret, Share, Source, Temperature, setting

Region = Literal["cn", "intl"]
WireProtocol = Literal["chat", "responses"]
CacheLifetime = Literal["auto", "short", "long"]
T = TypeVar("T")


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
    offered_tools: Count = setting(
        40,
        "tools that a worker declares; with more, rare ones are found by a search tool",
        "AGENT_OFFERED_TOOLS",
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
    model: str | None = setting(None, "model of this role or worker")
    api_key: Secret | None = setting(None, "API key of this provider")
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


@dataclass(frozen=True, slots=True)
class Limits:
    """`[limits]` of single runs and their messages, each above 0."""

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
    learned_votes: Count = setting(
        5000, "max. learned triage answers per user; the oldest is dropped"
    )
    list_rows: Count = setting(20, "rows in a list, unless the user asks for another number")
    approval_s: Seconds = setting(86_400.0, "seconds until a pending approval expires")
    client_tools: Count = setting(128, "max. tools that a client may declare in a request")
    client_tools_bytes: Count = setting(
        60_000, "max. total bytes of a client's tools, which are part of every prompt of the run"
    )
    upload_bytes: Count = setting(10_000_000, "max. bytes of one uploaded file")
    upload_pages: Count = setting(50, "max. pages of one uploaded file")
    upload_parse_s: Seconds = setting(20.0, "max. seconds for reading one uploaded file")
    fetch_bytes: Count = setting(2_000_000, "max. bytes that are read of one web page")
    fetch_timeout_s: Seconds = setting(20.0, "max. seconds for one web page or search")
    page_rows: Count = setting(100, "max. rows in one page of the HTTP API")
    runs_per_user: Count = setting(100, "max. active and queued runs of one user")

    @property
    def loaded_tokens(self) -> int:
        """Return how many of a thread's newest tokens a run loads: at least one context window.

        No view may be larger, whatever a model's tokens are in ours: it would begin where the
        loaded part happens to begin, which moves with every run, and no prompt would be cached.
        """
        return max(self.history_tokens, self.window_tokens)


@dataclass(frozen=True, slots=True)
class Settings:
    """The model, and where things are.

    All settings of one process: built by `load_settings`, passed down, never changed.
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
    limits: Limits = Limits()
    # By "provider:model" or "provider:*": only the file has them.
    prices: Mapping[str, OwnPrice] = field(default_factory=dict[str, OwnPrice])
    mcp: Mapping[str, McpServer] = field(default_factory=dict[str, McpServer])  # likewise
    # Likewise, by "provider" or "provider:model".
    rates: Mapping[str, ProviderRate] = field(default_factory=dict[str, ProviderRate])
    config_path: Path | None = None  # the file that was read; None: there was none
    # Those declared elsewhere, by their class.
    tables: Mapping[type, Any] = field(default_factory=dict[type, Any], repr=False)
    # By key, where each value came from; a key that is not there has its default.
    sources: Mapping[str, Source] = field(default_factory=dict[str, Source], repr=False)
    _environ: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, compare=False)

    def get_table(self, owner: type[T]) -> T:
        """Return the loaded settings object of this class, or one with default values."""
        held: T | None = self.tables.get(owner)
        return owner() if held is None else held

    def change(self, owner: type[Any], **values: Any) -> Settings:
        """Return a copy of the settings with changed values in the object of class `owner`."""
        return self.with_tables(replace(self.get_table(owner), **values))

    def with_tables(self, *tables: Any) -> Settings:
        """Return a copy with these settings objects, each replacing the one of its class."""
        return replace(self, tables={**self.tables, **{type(item): item for item in tables}})

    def list_secrets(self) -> list[str]:
        """List the text of every secret setting, so that logs can mask it."""
        # From all tables, those of packages too: a secret that a pack declares is masked
        # automatically (test_provider_keys_and_database_passwords_are_redacted_from_logs).
        holders: tuple[Any, ...] = (self, *self.agents.values(), *self.tables.values())
        values = (getattr(holder, item.name) for holder in holders for item in fields(holder))
        return [value.reveal() for value in values if isinstance(value, Secret)]

    def get_env(self, name: str) -> Secret | None:
        """Return an environment variable's value, such as a provider's key; None if unset or empty.

        Its value is that of the start.
        """
        # Not os.environ: a key that changes meanwhile would split one process's runs between two
        # accounts (test_provider_keys_come_from_the_environment_at_the_start).
        value = self._environ.get(name)
        return None if value is None else Secret(value)
