"""What the machine asks of others, and what others may see of a run: Protocols, and nothing else.

`store.Store` and the closed store of a replay both give a `RunStore`; `models.Models` and a
recording's models both give `ModelSource`. Packs and the functions that nodes call are handed a
`RunView`: the part of `RequestContext` that does not know packs, tools and nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from ..config.settings import Limits, Settings
from ..events import RunEvent
from ..providers.model_handle import ModelHandle
from ..store.connecting.queryable import Queryable, StepTransaction
from ..store.records import (
    NOTHING,
    Approval,
    CallSettled,
    CallStart,
    Granted,
    LastWords,
    Run,
    RunEnd,
    SentHead,
    StepCommit,
    StepInfo,
    ThreadInfo,
    ToolCallRecord,
    ToolCallStatus,
    WaitStart,
)
from ..types import FunctionCall, Message


class Emit(Protocol):
    """Append an event to the run's log and show it to viewers, at once."""

    def __call__(self, event: RunEvent) -> None: ...


class ModelSource(Protocol):
    """Says which model answers whom."""

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle: ...

    def resolve_chain(self, role: str, worker: str | None = None) -> tuple[ModelHandle, ...]:
        """The role's model and its fallbacks, in order."""
        ...


class RunQueue(Protocol):
    """A run that waits for people, and calls into other systems that may outlive their process."""

    async def park(self, run: Run, start: WaitStart) -> None:
        """Raises: LeaseLost."""
        ...

    async def load_approvals(self, run: Run) -> dict[str, Approval]: ...

    async def load_begun_calls(self, run: Run, step: int) -> dict[str, dict[str, Any] | None]: ...

    async def record_tool_start(
        self, run: Run, step: int, call: ToolCallRecord, approved: FunctionCall | None = None
    ) -> bool: ...

    async def record_tool_end(
        self, run: Run, tool_call_id: str, status: ToolCallStatus, result: dict[str, Any]
    ) -> None: ...


class CallRates(Protocol):
    """The rates of the providers, which all replicas keep to together."""

    async def take(self, start: CallStart, wait_s: float = ...) -> None:
        """Wait until the call may be made. Raises: RateLimited, StoreError."""
        ...

    def heeded(self, label: str) -> AbstractAsyncContextManager[None]: ...


class RunStore(Protocol):
    """Keeps a run: read when it begins, written step by step and attempt by attempt."""

    @property
    def queue(self) -> RunQueue: ...

    @property
    def rates(self) -> CallRates: ...

    async def load_thread(self, tenant_id: str, /, user_id: str, thread_id: str) -> ThreadInfo: ...

    async def load_messages(
        self,
        tenant_id: str,
        /,
        thread_id: str,
        *,
        max_tokens: int | None = None,
        until_position: int | None = None,
    ) -> list[Message]: ...

    async def load_steps(self, tenant_id: str, /, run_id: str) -> list[StepInfo]: ...

    async def open_step_transaction(self, run: Run) -> StepTransaction: ...

    async def record_steps(
        self,
        run: Run,
        commits: Sequence[StepCommit],
        tx: StepTransaction | None = None,
        call: CallStart | None = None,
    ) -> None:
        """Raises: LeaseLost."""
        ...

    async def finish_run(self, run: Run, end: RunEnd, last: LastWords = NOTHING) -> None:
        """Raises: LeaseLost."""
        ...

    async def save_prompt_text(self, tenant_id: str, kind: str, text: str) -> str: ...

    async def load_head(
        self,
        tenant_id: str,
        /,
        thread_id: str,
        worker: str,
        start: int | None,
        canary_id: str | None,
    ) -> SentHead | None: ...

    def is_free(self, start: CallStart) -> bool: ...

    async def record_call_start(self, start: CallStart) -> Granted | None:
        """Raises: LeaseLost, BudgetExceeded, BudgetBusy."""
        ...

    async def record_request_id(self, tenant_id: str, /, call_id: str, request_id: str) -> None: ...

    async def settle_calls(self, tenant_id: str, /, calls: Sequence[CallSettled]) -> None: ...

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Queryable]: ...

    def read(self, tenant_id: str) -> Queryable: ...


class RunJournal(Protocol):
    """Tells what a run does while it goes; all of it rides with the current step."""

    partial_text: str  # the answer of this step, as far as it was shown
    is_budget_near: bool
    heads: dict[str, Any]  # by worker, how its requests of this run begin

    @property
    def step(self) -> int: ...

    @property
    def node(self) -> str: ...

    def note(self, text: str) -> None:
        """Say what was read or decided, and why, for `plainloop explain`."""
        ...

    def avoid(self, role: str, reason: str, tokens: int) -> None: ...

    async def record_call_start(self, start: CallStart) -> Granted | None:
        """Record a call's start as the store does, together with the steps that wait for it."""
        ...

    def settle(self, call: CallSettled) -> None: ...

    async def open_transaction(self) -> Queryable:
        """The step's own: what is written in it commits together with the step."""
        ...


class RunView(Protocol):
    """One run, as packs and the functions below the nodes see it. See `RequestContext`."""

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
        """The keys of the state's `data` that tools may set."""
        ...

    @property
    def run(self) -> Run: ...
    @property
    def store(self) -> RunStore: ...
    @property
    def models(self) -> ModelSource: ...
    @property
    def journal(self) -> RunJournal: ...
    @property
    def emit(self) -> Emit: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def settings(self) -> Settings: ...
