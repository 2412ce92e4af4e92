"""The protocol of a design, and how one is found by its name.

The module `<snake_name>`, in agent/designs or anywhere that Python finds it, exports
`<Pascal>Agent`, `<Pascal>OnboardingAgent` and `<Pascal>ResumeParser`. A design that also has
`build_nodes` runs step by step, each step recorded; one with only `run` runs as a single step.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from types import ModuleType
from typing import Any, Final, Protocol, TypedDict, runtime_checkable

from ..config.modules import load_module
from ..core.context import Node
from ..core.spec import Pack
from ..dataclasses import dataclass
from ..errors import ConfigError
from ..types import ChatRequest, LLMResponse, Message, ToolSchema
from .whole_run import make_agent_node, make_parser_node

PACKAGE = "plainloop.agent.designs"
HELPING: Final = "helper:"  # and a worker's name: that one alone, for runs of helpers


class SearchKeys(TypedDict, total=False):
    """Keyword arguments of an agent's constructor that hold the keys for searches.

    The shipped designs take them and do not use them: tools read the settings of their pack.
    """

    search_api_key: str | None
    adzuna_app_id: str | None
    adzuna_app_key: str | None
    adzuna_country: str
    jsearch_api_key: str | None


NO_KEYS: Final[SearchKeys] = {
    "search_api_key": None,
    "adzuna_app_id": None,
    "adzuna_app_key": None,
    "adzuna_country": "us",
    "jsearch_api_key": None,
}


class DesignEvent(TypedDict):
    """An item that `run` yields: an event's name and data, as in `agent/events.py`."""

    event: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NodeTable:
    """A design in the form of a state machine that begins at the node `start`."""

    nodes: Mapping[str, Node]
    start: str
    pack: Pack | None = None  # that it was built from; None: as it is served when the run begins


class Host(Protocol):
    """The service's functions for a design: model calls, tools, node tables."""

    def stream_nodes(
        self, table: NodeTable, messages: list[Message], conversation_id: str | None, kind: str
    ) -> AsyncIterator[DesignEvent]:
        """Answer the newest user message with a node table's nodes; yield the run's events."""
        ...

    async def call(self, role: str, request: ChatRequest) -> LLMResponse:
        """Make one model call for the design and record it in the ledger.

        A synchronous `run` or `parse` gets the results of these three without `await`.

        Raises: ModelError.
        """
        ...

    async def call_json(self, role: str, request: ChatRequest) -> dict[str, Any]:
        """Call the role's model and parse its answer as a JSON object. Raises: InputError."""
        ...

    def get_tool_definitions(self) -> tuple[ToolSchema, ...]:
        """Return the schemas of all tools of the pack."""
        ...

    async def execute(self, name: str, arguments: dict[str, Any]) -> Any:
        """Execute a tool and return its result; a failure is returned as a dict with `error`."""
        ...

    @property
    def pack(self) -> Pack: ...


@dataclass(frozen=True, slots=True)
class DesignModel:
    """The model handle that a design is made with: provider and model of its role, and its host."""

    provider: str
    model: str
    host: Host


@runtime_checkable
class Agent(Protocol):
    """Answers messages of a conversation. The service constructs it with keyword arguments."""

    def run(self, messages: list[Message]) -> AsyncIterator[DesignEvent] | Iterator[DesignEvent]:
        """Return the events of one run, ending with `done` or `error`.

        A synchronous generator works in a thread of its own.
        """
        ...


@runtime_checkable
class OnboardingAgent(Protocol):
    """Conducts interviews. The service constructs it with the keyword argument `model` only."""

    def run(self, messages: list[Message]) -> AsyncIterator[DesignEvent] | Iterator[DesignEvent]:
        """Return the events of one run. Without any message the agent speaks first."""
        ...


@runtime_checkable
class ResumeParser(Protocol):
    """Parses users' texts into JSON. The service constructs it with keyword arguments."""

    def parse(self, raw_text: str) -> Awaitable[dict[str, Any]] | dict[str, Any]:
        """Parse a text to the pack's JSON object.

        May be `async def` or plain `def`.
        Raises: AgentError when the text cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True)
class Design:
    """The three classes of a design, with keyword constructors."""

    name: str
    agent: type[Any]  # (model, conversation_id=None, and the SearchKeys)
    onboarding: type[Any]  # (model)
    parser: type[Any]  # (model)


def load_design(name: str) -> Design:
    """Load the design of this name: an installed one, or the user's own module.

    Raises: ConfigError as `load_module`, or listing what the design lacks.
    """
    # Imported here: `helping` builds on the default design, which imports this module.
    if name.startswith(HELPING):
        helping = importlib.import_module(f"{PACKAGE}.helping")
        return helping.make_helping_design(name, name.removeprefix(HELPING))
    module = load_module("design", name, {known: f"{PACKAGE}.{known}" for known in list_designs()})
    prefix = to_pascal(name.rpartition(".")[2])
    missing = [text for kind in _KINDS for text in _list_missing(module, f"{prefix}{kind}", kind)]
    if missing:
        text = f"the design {name!r} is incomplete: it lacks {', '.join(missing)}"
        raise ConfigError(text, hint="See docs/designs.md for two complete examples.")
    agent, onboarding, parser = (getattr(module, f"{prefix}{kind}") for kind in _KINDS)
    return Design(name, agent, onboarding, parser)


@functools.cache  # a judgement asks three times for each turn
def _list_missing(module: ModuleType, name: str, kind: str) -> list[str]:
    """List what a design's class lacks: itself, its method, or keywords of its constructor."""
    made = getattr(module, name, None)
    if made is None:
        return [name]
    method, keywords = _KINDS[kind]
    missing = [] if callable(getattr(made, method, None)) else [f"{name}.{method}()"]
    parameters = inspect.signature(made).parameters.values()
    # `**kwargs` also accepts keywords that we add later.
    if any(item.kind is item.VAR_KEYWORD for item in parameters):
        return missing
    accepted = {p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
    lacking = [f"{key}=" for key in keywords if key not in accepted]
    return [*missing, f"{name}({', '.join(lacking)})"] if lacking else missing


# What each class is for, and the keywords that it is made with.
_AGENT_KEYWORDS = ("model", *NO_KEYS, "conversation_id")
_KINDS = {
    "Agent": ("run", _AGENT_KEYWORDS),
    "OnboardingAgent": ("run", ("model",)),
    "ResumeParser": ("parse", ("model",)),
}


def list_designs() -> list[str]:
    """List the names of all installed designs, sorted, without importing them."""
    return [*_list_packages(*importlib.import_module(PACKAGE).__path__)]


@functools.cache
def _list_packages(*folders: str) -> list[str]:
    return sorted(item.name for item in pkgutil.iter_modules(folders) if item.ispkg)


def to_pascal(name: str) -> str:
    """Convert a snake_case name to PascalCase.

    >>> to_pascal("my_design")
    'MyDesign'
    """
    return "".join(word.capitalize() for word in name.split("_"))


def make_kind_agent(
    design: Design,
    kind: str,
    model: DesignModel | None,
    conversation_id: str | None = None,
    search_keys: Mapping[str, Any] = NO_KEYS,
) -> Any:
    """Build the agent for threads of a kind: chat agent, interviewer or parser.
    search_keys: the pack's. model None: for the node table alone, which no call is made with.

    Who serves a thread and who replays it asks here, so that both know the same kinds.
    """
    if kind in ("chat", "helper"):
        keys = {**NO_KEYS, **search_keys}
        return design.agent(model=model, conversation_id=conversation_id, **keys)
    return (design.parser if kind == "parse" else design.onboarding)(model=model)


def build_table(agent: Any, name: str, pack: Pack) -> NodeTable:
    """Return the node table that runs an agent.

    An agent without a table gets a single node that wraps its `run` or `parse`.
    """
    # Checked by attributes, not by class: a design need not import anything of ours.
    if hasattr(agent, "build_nodes"):
        return agent.build_nodes(pack)
    if isinstance(agent, ResumeParser):
        return NodeTable({"parser": make_parser_node(agent.parse)}, "parser")
    node = name.rpartition(".")[2]
    return NodeTable({node: make_agent_node(agent.run)}, node)
