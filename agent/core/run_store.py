"""Protocols of the store of a run: `store.Store`, or the closed store of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

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


class ToolCallStore(Protocol):
    """Stores approvals, and external tool calls that may outlive their process."""

    async def park(self, run: Run, start: WaitStart) -> None:
        """Suspend the run until its approvals are decided. Raises: LeaseLost."""
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
    """The providers' rate limits, which all replicas share."""

    async def take(self, start: CallStart, wait_s: float = ...) -> None:
        """Wait until the provider's rate allows the call. Raises: RateLimited, StoreError."""
        ...

    def heeded(self, label: str) -> AbstractAsyncContextManager[None]: ...


class RunStore(Protocol):
    """Stores a run: loads its state, records its steps and its model call attempts."""

    @property
    def queue(self) -> ToolCallStore: ...

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

    async def open_step_transaction(
        self, run: Run, commits: Sequence[StepCommit] = ()
    ) -> StepTransaction: ...

    async def record_steps(
        self,
        run: Run,
        commits: Sequence[StepCommit],
        tx: StepTransaction | None = None,
        call: CallStart | None = None,
    ) -> None:
        """Store finished steps with their events, messages and calls. Raises: LeaseLost."""
        ...

    async def finish_run(self, run: Run, end: RunEnd, last: LastWords = NOTHING) -> None:
        """Store the run's end. Raises: LeaseLost."""
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
        """Record a call and reserve its cost. Raises: LeaseLost, BudgetExceeded, BudgetBusy."""
        ...

    async def record_request_id(self, tenant_id: str, /, call_id: str, request_id: str) -> None: ...

    async def settle_calls(self, tenant_id: str, /, calls: Sequence[CallSettled]) -> None: ...

    def transaction(self, tenant_id: str) -> AbstractAsyncContextManager[Queryable]: ...

    def read(self, tenant_id: str) -> Queryable: ...
