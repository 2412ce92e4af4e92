"""The context of a run: fixed for its length, never part of the state, never stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from ..config.tables import Limits, Settings
from ..dataclasses import dataclass
from ..store.records import Run
from ..types import Message, Update
from .journal import Journal
from .run_store import RunStore
from .seams import Emit, ModelSource
from .spec import Pack
from .state import AgentState
from .tools import ToolRegistry

Node = Callable[[AgentState, "RequestContext"], Awaitable[tuple[Update, str]]]


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """A node with the options by which the loop calls it; a plain function has the defaults.

    is_quiet: the step before it may wait, to be stored with what the node begins with: its first
    model call's ledger row, or (as the state says) its transaction. may_match: whether a fast path
    may answer the message from the newest exchange alone; read of the first node of a table.
    """

    run: Node
    is_quiet: bool | Callable[[AgentState, RequestContext], bool] = False
    may_match: Callable[[Message, RequestContext], bool] | None = None

    def __call__(self, state: AgentState, ctx: RequestContext) -> Awaitable[tuple[Update, str]]:
        return self.run(state, ctx)


quiet = partial(NodeSpec, is_quiet=True)


def is_quiet(node: Node | None, state: AgentState, ctx: RequestContext) -> bool:
    """Whether the previous step may be stored together with the first write of this node."""
    quiet = isinstance(node, NodeSpec) and node.is_quiet
    return quiet if isinstance(quiet, bool) else quiet(state, ctx)


def may_be_fast(message: Message, ctx: RequestContext) -> bool:
    """Whether a fast path may answer without a model, judged by the newest exchange alone."""
    first = ctx.nodes.get(ctx.start_node)
    may_match = first.may_match if isinstance(first, NodeSpec) else None
    return may_match is not None and may_match(message, ctx)


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The context of one run: thread, pack, tools, store, models, limits.

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
    prompt_context: str  # what the pack says of the user: read once per run, part of worker prompts
    nodes: Mapping[str, Node]
    start_node: str
    store: RunStore
    models: ModelSource
    journal: Journal
    emit: Emit
    limits: Limits
    settings: Settings

    @property
    def data_fields(self) -> tuple[str, ...]:
        """Return the keys of the state's `data` that the pack's tools may set."""
        return self.pack.data_fields
