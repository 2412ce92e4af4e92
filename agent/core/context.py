"""What a run has at hand, fixed for its length. Never part of the state, never stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..config.settings import Limits, Settings
from ..events import EventName
from ..store.records import Run
from ..types import Update
from .spec import Pack
from .state import AgentState

if TYPE_CHECKING:  # types only: these doors are built one floor above
    from ..store.store import Store
    from .journal import Journal
    from .llm import Models
    from .tools import ToolRegistry

Node = Callable[[AgentState, "RequestContext"], Awaitable[tuple[Update, str]]]


class Emit(Protocol):
    """Append an event to the run's log: `emit("text_delta", {"content": "Hi"})`."""

    def __call__(self, event: EventName, data: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One run's surroundings.

    The first three say whose run it is and what prompts may say of the domain; `tools` builds
    schemas lazily, per worker; the rest is how a run reaches the world.
    """

    thread_id: str
    tenant_id: str
    schema_context: str  # the pack's entities with fields and allowed values, one line each
    tools: ToolRegistry
    user_id: str
    run: Run
    pack: Pack
    prompt_context: str  # profile, résumé status …: read once per run, part of worker prompts
    nodes: Mapping[str, Node]
    start_node: str
    store: Store
    models: Models
    journal: Journal
    emit: Emit
    limits: Limits
    settings: Settings
