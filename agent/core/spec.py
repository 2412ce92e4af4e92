"""What a pack declares: its entities, its workers, itself. Data only; the machine reads it.

A pack is one `Pack` object. The engine names no worker, no tool and no table: all names come
from here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from ..base.caching.bounded import BoundedCache
from ..config.mcp import McpServer
from ..config.tables import Settings
from ..dataclasses import dataclass, field
from ..types import ChatRequest, JsonSchema, Update
from .routes import ApiRoute
from .seams import RunView
from .state import AgentState
from .tools import Tool

Evaluate = Literal["never", "auto", "always"]
FieldKind = Literal["text", "enum", "int", "bool", "date"]


@dataclass(frozen=True, slots=True)
class History:
    """A table that records when each row first reached each value of a field."""

    table: str
    value_column: str
    date_column: str  # null: it did, nobody knows when


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One column that a fast path may show, filter or sort by.

    words: what people call the field. values: allowed values of an enum, each with the words that
    mean it (`{"applied": ("applied", "applied to")}`). undergone: values that others bring about,
    so that "the ones I rejected" does not mean them. smallest: of an int; less than that is said
    in short ("over 80"), and how it is meant is for a model to tell. units: columns that say what
    an int is in (a currency); rows in different ones are compared by a model, not by a fast path.

    order: the values that a row goes through, first to last; ends: the values outside of it, each
    with the last one that a row there has surely gone through. reached: words for having come that
    far, wherever the row stands now ("applied to": applied or later).
    """

    name: str
    column: str
    kind: FieldKind = "text"
    words: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    undergone: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    ends: Mapping[str, str] = field(default_factory=dict[str, str])
    reached: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    history: History | None = None
    smallest: int = 0
    units: tuple[str, ...] = ()
    is_lookup: bool = False  # a lookup by name searches this column
    is_shown: bool = True  # part of a formatted row

    def list_passed(self, value: str) -> tuple[str, ...]:
        """List the values that a row with this value has had so far, in order, this one last."""
        if value not in self.order:
            return (*(self.list_passed(self.ends[value]) if value in self.ends else ()), value)
        return self.order[: self.order.index(value) + 1]

    def list_reaching(self, value: str) -> tuple[str, ...]:
        """List the values which prove that a row once had this one: itself and later ones."""
        return tuple(other for other in self.values if value in self.list_passed(other))


@dataclass(frozen=True, slots=True)
class EntityWords:
    """The words for an entity in another language, in their base forms.

    singulars, plurals: nouns for one row, for several. fields, values, reached: words by field name
    (and value; its noun among the nouns, too), the first for answers. states: values of stored rows
    only ("saved"). own, ambiguous: as in an `EntitySpec`.
    """

    singulars: tuple[str, ...]
    plurals: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    values: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        default_factory=dict[str, Mapping[str, tuple[str, ...]]]
    )
    reached: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        default_factory=dict[str, Mapping[str, tuple[str, ...]]]
    )
    states: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntitySpec:
    """A table that the fast paths can read. Names of tables and columns are trusted.

    Every table has `tenant_id` and `user_id`; both are always part of the query. own: those of
    `words` that mean nothing but stored rows ("contacts"; "jobs" are out there, too). ambiguous:
    those that also mean something in the user's life ("my last job": of the tracker, or held?).
    """

    name: str  # plural, as in prompts: "jobs"
    table: str
    id_column: str
    singular: str
    words: tuple[str, ...]  # all words that mean this entity, plural and singular
    fields: tuple[FieldSpec, ...]
    title: Callable[[Mapping[str, Any]], str]  # a row → one readable phrase
    default_order: str  # a field's name
    default_descending: bool = False
    own: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    # SQL of a row `item`: whether a run wrote it that had read text from outside; "": none can.
    untrusted: str = ""
    # By the name of the language ("german"); one that is missing uses the words above.
    translations: Mapping[str, EntityWords] = field(default_factory=dict[str, EntityWords])

    def get_field(self, name: str) -> FieldSpec | None:
        """Return the field of this name; None when there is none."""
        return next((item for item in self.fields if item.name == name), None)


@dataclass(frozen=True, slots=True)
class Check:
    """Problems of an answer, reported by a pack's deterministic check.

    problems: one sentence each, for the worker's next try; empty = passed.
    sources: for a grounded text, per sentence where its facts come from (stored with it).
    """

    problems: tuple[str, ...] = ()
    sources: tuple[dict[str, Any], ...] = ()


# One model call in JSON mode: role, request → the answer's object.
CallJson = Callable[[str, ChatRequest], Awaitable[dict[str, Any]]]
# A check reads the state (the answer is its last assistant message).
AnswerCheck = Callable[[AgentState, RunView], Awaitable[Check]]
# A node of the pack after an answer without tool calls; where it leads is the engine's to say.
AnswerStep = Callable[[AgentState, RunView], Awaitable[Update]]
# Called once when an answer is final. `passed` False: best so far, retries used up.
AnswerAccept = Callable[[AgentState, RunView, str, bool, Check], Awaitable[None]]
# Fields or topics that an interview has not been told yet, as people call them.
ListMissing = Callable[[AgentState, RunView], Awaitable[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Interview:
    """Describes a worker's interview: which items are missing and how the interview ends.

    It ends when the assistant's own text holds `marker`, or when `final_tool` succeeds. The marker
    is never shown nor stored, and means nothing in anybody else's text.
    """

    list_missing: ListMissing
    marker: str | None = None
    final_tool: str | None = None
    # The prompt's changing part, read before every model call; it replaces the pack's own.
    load_prompt: Callable[[AgentState, RunView], Awaitable[str]] | None = None
    # Called at the end, inside the step's transaction.
    complete: Callable[[RunView], Awaitable[None]] | None = None
    is_many: bool = False  # one user holds several, each about somebody else
    closing: str = "Thank you, that is all."  # said when the marker came without a word


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """A worker, which has three nodes: `name`, `name.tools` and `name.evaluator`."""

    name: str
    description: str  # one line for triage: which requests are this worker's
    prompt: str  # the system prompt's stable part
    tools: tuple[str, ...]
    evaluate: Evaluate = "never"
    evaluate_after: int = 2  # "auto": evaluate when the turn made more tool calls than this
    parallel_tools: bool = True
    check: AnswerCheck | None = None  # before the model's verdict
    accept: AnswerAccept | None = None  # stores the final answer, inside the step's transaction
    interview: Interview | None = None  # for `Pack.onboarding`
    # Nodes between an answer and what judges it, by name, in order; `worker.name` in the table.
    after: Mapping[str, AnswerStep] = field(default_factory=dict[str, AnswerStep])
    output: JsonSchema | None = None  # what its answers are, in place of words
    helpers: tuple[str, ...] = ()  # workers of its pack that it may call, as tools `ask_NAME`
    # turn: of finished turns no opaque thinking goes back; thread: all of it does.
    thinking_kept: Literal["thread", "turn"] = "thread"
    rare: tuple[str, ...] = ()  # of its tools those seldom called: a line each, not a schema


@dataclass(frozen=True, slots=True)
class Pack:
    """A domain. The `default_worker` gets the messages that triage cannot assign."""

    name: str
    title: str
    workers: tuple[WorkerSpec, ...]
    default_worker: str
    tools: tuple[Tool, ...]
    entities: tuple[EntitySpec, ...] = ()
    migrations: Path | None = None  # folder of `NNNN_owner_words.sql`
    # By name: of its nodes and tools, and of the engine's (triage, route, verdict, react, parser).
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])
    examples: tuple[str, ...] = ()  # sentences to try, for whoever asks what it can do
    data_fields: tuple[str, ...] = ()  # keys of state["data"] that tools may set
    # Read once per run, appended to every worker's prompt (a profile, say); "" for none.
    load_prompt_context: Callable[[RunView], Awaitable[str]] | None = None
    prompt_reads: tuple[str, ...] = ()  # SQL functions for it, see `store.runs.load_prompt_read`
    # Interview of `/api/chat/onboarding`; None: the pack has none.
    onboarding: WorkerSpec | None = None
    routes: tuple[ApiRoute, ...] = ()  # of the HTTP API
    # More of them, whose modules are imported only where HTTP is served.
    load_routes: Callable[[], tuple[ApiRoute, ...]] | None = None
    # Pages of the console, a module each that exports `Screen`: `tracker.js` is "Tracker".
    screens: Path | None = None
    # Makes JSON of a text that a user brought, by calls in JSON mode: what a design's parser asks.
    parse: Callable[[str, CallJson], Awaitable[dict[str, Any]]] | None = None
    # What the search keywords of a design's constructor are, by the pack's own settings.
    get_agent_keys: Callable[[Settings], Mapping[str, Any]] | None = None
    # What the stand-in without a model learns of this domain; asked for when it is first used.
    # An `OfflineRules` of plainloop-rules, of which the service need not know.
    load_offline_rules: Callable[[], Any] | None = None
    mcp_servers: tuple[McpServer, ...] = ()  # whose tools its workers get, beside those of settings
    finds_tools: bool = True  # above `agent.offered_tools`, rarely used ones only by `find_tools`
    # Erases what an erased thread left outside the database: its files.
    forget_thread: Callable[[Settings, str], None] | None = None
    # Finds for `doctor`, of all tenants, what is worth knowing: `doctor.findings.Finding`s.
    examine: Callable[[Settings, Any], Awaitable[list[Any]]] | None = None

    def get_worker(self, name: str) -> WorkerSpec | None:
        """Return the worker of this name; None when there is none."""
        return next((worker for worker in self.workers if worker.name == name), None)

    def list_routes(self) -> tuple[ApiRoute, ...]:
        """Return all routes of the pack. The first call imports those of `load_routes`."""
        return (*self.routes, *(self.load_routes() if self.load_routes else ()))

    def is_named(self, name: str) -> bool:
        """Whether a pack's name in a setting, such as "acme.library", means this pack."""
        return self.name == name.rpartition(".")[2]


_contexts = BoundedCache()


def build_schema_context(entities: tuple[EntitySpec, ...]) -> str:
    """Describe the entities for prompts: `jobs: company, title, status=saved<applied|lost`.
    `<` separates values that a row goes through in order.
    """
    entry = _contexts.get(id(entities))
    if entry is not None and entry[0][0] is entities:  # kept, so that its id stays its own
        return entry[0][1]
    text = "\n".join(
        f"{entity.name}: " + ", ".join(_describe_field(item) for item in entity.fields)
        for entity in entities
    )
    _contexts.put(id(entities), (entities, text), 8 * len(text))
    return text


def _describe_field(item: FieldSpec) -> str:
    if item.values:
        rest = [value for value in item.values if value not in item.order]
        ordered = ["<".join(item.order)] if item.order else []
        return f"{item.name}=" + "|".join([*ordered, *rest])
    return item.name if item.kind == "text" else f"{item.name}({item.kind})"
