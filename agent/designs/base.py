"""The protocol of a design, and how one is found by its name.

`agent/designs/<snake_name>/__init__.py` exports `<Pascal>Agent`, `<Pascal>OnboardingAgent` and
`<Pascal>ResumeParser`. A design that also has `build_nodes` runs step by step, each step
recorded; one with only `run` runs as a single step.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol, TypedDict, runtime_checkable

from agent.core.context import Node
from agent.core.spec import Pack
from agent.designs.whole_run import make_agent_node
from agent.errors import ConfigError
from agent.providers.types import ChatRequest, LLMResponse, Message, ToolSchema

PACKAGE = "agent.designs"


class DesignEvent(TypedDict):
    """What `run` yields: an event's name and data, as in `agent/events.py`."""

    event: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NodeTable:
    """A design as a state machine. `start` is the first node's name."""

    nodes: Mapping[str, Node]
    start: str


class Host(Protocol):
    """What a design may ask of the service that runs it."""

    def stream_nodes(
        self, table: NodeTable, messages: list[Message], conversation_id: str | None, kind: str
    ) -> AsyncIterator[DesignEvent]:
        """Run the newest user message through a node table, in a stored thread."""
        ...

    async def call(self, role: str, request: ChatRequest) -> LLMResponse:
        """One recorded model call: of the run that the design works on, else of none.

        Raises: ModelError.
        """
        ...

    async def call_json(self, role: str, request: ChatRequest) -> dict[str, Any]:
        """The same in JSON mode, read. Raises: InputError when the answer is no JSON object."""
        ...

    def get_tool_definitions(self) -> tuple[ToolSchema, ...]:
        """Every tool of the pack."""
        ...

    async def execute(self, name: str, arguments: dict[str, Any]) -> Any:
        """A tool's result; a failure is a dict with `error`."""
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
    def run(self, messages: list[Message]) -> AsyncIterator[DesignEvent]:
        """Events of one run; the last is `done` or `error`."""
        ...


@runtime_checkable
class ResumeParser(Protocol):
    async def parse(self, raw_text: str) -> dict[str, Any]:
        """A résumé's text as JSON Resume. Raises: AgentError when it cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class Design:
    """The three classes of a design, with keyword constructors."""

    name: str
    agent: type[Any]  # (model, search_api_key, adzuna_*, jsearch_api_key, conversation_id=None)
    onboarding: type[Any]  # (model)
    parser: type[Any]  # (model)


def load_design(name: str) -> Design:
    """The design of this name.

    Raises: ConfigError naming the nearest design, or listing what a design lacks.
    """
    known = list_designs()
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "known: " + ", ".join(known)
        raise ConfigError(f"unknown design {name!r}", hint=hint)
    module = _import_design(name)
    prefix = to_pascal(name)
    wanted = {f"{prefix}{kind}": method for kind, method in _KINDS.items()}
    missing = [
        cls if not hasattr(module, cls) else f"{cls}.{method}()"
        for cls, method in wanted.items()
        if not hasattr(getattr(module, cls, None), method)
    ]
    if missing:
        text = f"design {name!r} is incomplete; it lacks: {', '.join(missing)}"
        raise ConfigError(text, hint="agent/designs/base.py says what each must do")
    agent, onboarding, parser = (getattr(module, cls) for cls in wanted)
    return Design(name, agent, onboarding, parser)


def _import_design(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"{PACKAGE}.{name}")
    except Exception as error:
        # The edge to other people's code: whatever its import raises is told in one line.
        text = f"design {name!r} cannot be imported: {type(error).__name__}: {error}"
        raise ConfigError(text, hint=f"see agent/designs/{name}/__init__.py") from error


_KINDS = {"Agent": "run", "OnboardingAgent": "run", "ResumeParser": "parse"}


def list_designs() -> list[str]:
    package = importlib.import_module(PACKAGE)
    return sorted(item.name for item in pkgutil.iter_modules(package.__path__) if item.ispkg)


def to_pascal(name: str) -> str:
    """
    >>> to_pascal("my_design")
    'MyDesign'
    """
    return "".join(word.capitalize() for word in name.split("_"))


def build_table(agent: Any, name: str, pack: Pack) -> NodeTable:
    """The agent's own node table, or its whole `run` as one node."""
    if hasattr(agent, "build_nodes"):
        return agent.build_nodes(pack)
    return NodeTable({name: make_agent_node(agent)}, name)
