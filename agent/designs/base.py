"""The protocol of a design, and how one is found by its name.

`agent/designs/<snake_name>/__init__.py` exports `<Pascal>Agent`, `<Pascal>OnboardingAgent` and
`<Pascal>ResumeParser`. A design that also has `build_nodes` runs step by step, each step
recorded; one with only `run` runs as a single step.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict, runtime_checkable

from agent.core.context import Node, RequestContext
from agent.core.history import make_text_message
from agent.core.spec import Pack
from agent.core.state import END, AgentState, Update
from agent.errors import AgentError, ConfigError
from agent.providers.types import ChatRequest, Message

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

    async def call_json(self, role: str, request: ChatRequest) -> dict[str, Any]:
        """One recorded model call in JSON mode, outside any run."""
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
    if not name.isidentifier() or importlib.util.find_spec(f"{PACKAGE}.{name}") is None:
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "known: " + ", ".join(known)
        raise ConfigError(f"unknown design {name!r}", hint=hint)
    module = importlib.import_module(f"{PACKAGE}.{name}")
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


def make_agent_node(agent: Agent) -> Node:
    """A node that passes an agent's events on and keeps its final text as the answer."""

    async def whole_run(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        async for item in agent.run(state["messages"]):
            if item["event"] == "done":
                text = str(item["data"].get("content", ""))
                return {"messages": [make_text_message("assistant", text)]}, END
            if item["event"] == "error":
                data = item["data"]
                raise AgentError(str(data.get("message")), code=str(data.get("code")))
            ctx.emit(item["event"], item["data"])  # pyright: ignore[reportArgumentType]
        raise AgentError("the design's run ended without done or error", code="INTERNAL_ERROR")

    return whole_run
