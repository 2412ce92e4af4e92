"""The journal of one run: events as they happen, and all that rides with the current step.

Nodes tell it what they did and decided; the loop commits it, once per step, with the update.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from agent.core.database import Queryable, finish_despite_cancel
from agent.core.persistence import StepTransaction, Store
from agent.core.records import (
    AvoidedCall,
    CallSettled,
    Run,
    RunEnd,
    StepCommit,
    ToolCallRecord,
)
from agent.core.state import Update
from agent.events import Event, EventName
from agent.providers.types import Message

Viewer = Callable[[Event], None]


class Journal:
    """What one run has done since its last commit. Made by the runner, one per run.

    partial_text: the answer of the step that is not committed yet, as far as it was shown.
    """

    def __init__(self, store: Store, run: Run, viewer: Viewer | None = None) -> None:
        self.run = run
        self._store = store
        self._viewer = viewer
        self._next_seq = run.next_seq
        self._transaction: StepTransaction | None = None
        self._step = run.next_step
        self._node = ""
        self.has_ended = False  # the run's end is stored
        self._clear()

    @property
    def step(self) -> int:
        return self._step

    @property
    def node(self) -> str:
        return self._node

    def emit(self, event: EventName, data: Mapping[str, Any]) -> None:
        """Number an event, hand it to the viewer now, keep it for the step's commit."""
        record: Event = {"seq": self._next_seq, "event": event, "data": dict(data)}
        self._next_seq += 1
        self._events.append(record)
        if self._viewer:
            self._viewer(record)

    def begin_step(self, n: int, node: str) -> None:
        self._step, self._node = n, node
        self._started_at = datetime.now(UTC)
        self._started = time.perf_counter()
        self.emit("node_start", {"step": n, "node": node})

    def note(self, text: str) -> None:
        """Say what was read or decided, and why, for `plainloop explain`."""
        self._notes.append(text)

    def avoid(self, role: str, reason: str, tokens: int) -> None:
        """Record a model call that was not made."""
        self._avoided.append(AvoidedCall(role, reason, tokens))

    def settle(self, call: CallSettled) -> None:
        """Close a ledger row with this step's commit."""
        self._calls.append(call)

    def record_tool_call(self, call: ToolCallRecord) -> None:
        self._tool_calls.append(call)

    async def open_transaction(self) -> Queryable:
        """The step's transaction, opened on first use; committed or rolled back with the step."""
        return await self.open_step_transaction()

    async def open_step_transaction(self) -> StepTransaction:
        if self._transaction is None:
            self._transaction = await self._store.open_step_transaction(self.run)
        return self._transaction

    async def commit(self, update: Update, next_node: str, end: RunEnd | None, answer: str) -> None:
        """Write the step: update, ledger, tool calls, events and, on the last one, the run's end.

        Raises: LeaseLost when another process owns the run now.
        """
        self.emit("node_end", {"step": self._step, "node": self._node, "next": next_node})
        if end is not None:
            self.emit("done", {"content": answer})
        commit = StepCommit(
            n=self._step,
            node=self._node,
            update=update,
            next_node=next_node,
            started_at=self._started_at,
            duration_ms=round((time.perf_counter() - self._started) * 1000),
            calls=tuple(self._calls),
            tool_calls=tuple(self._tool_calls),
            avoided=tuple(self._avoided),
            notes=tuple(self._notes),
            events=tuple(self._events),
            end=end,
        )
        transaction, self._transaction = self._transaction, None

        async def record() -> None:
            await self._store.record_step(self.run, commit, transaction)
            self._clear()
            self.has_ended = end is not None

        # As one piece: what is stored must not be written again when a cancellation follows it.
        await finish_despite_cancel(record())

    async def finish(self, end: RunEnd, messages: list[Message]) -> None:
        """End the run outside a step: error, cancel or limit. What rode with the step is kept,
        except the effects of its transaction, which are rolled back.

        messages: sealed; usually the text that was shown before the end.
        """
        await self._rollback()
        if self.has_ended:
            return
        self.emit("error", {"message": end.error_message or "", "code": end.error_code or ""})
        await self._store.finish_run(
            self.run,
            end,
            messages=messages,
            calls=tuple(self._calls),
            tool_calls=tuple(_without_effect(call) for call in self._tool_calls),
            events=tuple(self._events),
            notes=tuple(self._notes),
        )
        self._clear()

    async def settle_now(self, tenant_id: str) -> None:
        """Close the open ledger rows of calls that belong to no run."""
        calls, self._calls = self._calls, []
        if calls:
            await self._store.settle_calls(tenant_id, calls)

    async def _rollback(self) -> None:
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            await transaction.rollback()

    def _clear(self) -> None:
        self._events: list[Event] = []
        self._calls: list[CallSettled] = []
        self._tool_calls: list[ToolCallRecord] = []
        self._avoided: list[AvoidedCall] = []
        self._notes: list[str] = []
        self.partial_text = ""


def _without_effect(call: ToolCallRecord) -> ToolCallRecord:
    """A write that succeeded in a transaction that was rolled back did not happen."""
    return replace(call, status="interrupted") if call.effect == "write" else call
