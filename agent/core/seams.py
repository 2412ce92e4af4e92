"""What packs, and the functions that nodes call, may see of a run: Protocols, and nothing else.

`models.Models` and a recording's models are both a `ModelSource`. A `RunView` is the part of
`RequestContext` that knows neither packs, tools nor nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..config.tables import Limits, Settings
from ..events import RunEvent
from ..providers.model_handle import ModelHandle
from ..store.records import Run
from .journal import Journal
from .run_store import RunStore

# Appends an event to the run's log and shows it to viewers, at once.
Emit = Callable[[RunEvent], None]


class ModelSource(Protocol):
    """Resolves the models of each role and worker."""

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle: ...

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        """Return the role's model and its fallbacks, in order."""
        ...


class RunView(Protocol):
    """The part of a run's `RequestContext` that packs and lower functions use."""

    @property
    def thread_id(self) -> str: ...
    @property
    def tenant_id(self) -> str: ...
    @property
    def user_id(self) -> str: ...
    @property
    def schema_context(self) -> str: ...
    @property
    def prompt_context(self) -> str: ...
    @property
    def data_fields(self) -> tuple[str, ...]:
        """Return the keys of the state's `data` that tools may set."""
        ...

    @property
    def run(self) -> Run: ...
    @property
    def store(self) -> RunStore: ...
    @property
    def models(self) -> ModelSource: ...
    @property
    def journal(self) -> Journal: ...
    @property
    def emit(self) -> Emit: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def settings(self) -> Settings: ...
