"""Runs that belong to the service, not to a connection: submit, watch, cancel, decide.

One `RunHost` per process. It executes the runs it owns and serves viewers of any run, whoever
executes it. How a run moves from status to status is drawn in `docs/runs.md`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

from agent.core.records import Approval, RunStatus
from agent.events import Event
from agent.runner import Service

RunKind = Literal["chat", "onboarding"]
WhenBusy = Literal["reject", "enqueue", "interrupt"]


class ViewerDropped(Exception):
    """This viewer is too far behind: close its connection. The run goes on, and the viewer may
    come back with its cursor.
    """


@dataclass(frozen=True, slots=True)
class RunTicket:
    """What a submit came to."""

    run_id: str
    thread_id: str
    status: RunStatus
    is_new: bool  # False: the idempotency key had started this run before


class RunHost:
    """Executes and shows runs. `start` before use, `drain` before the service is closed."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @property
    def is_draining(self) -> bool:
        """Whether the process is on its way out: no new runs, viewers are cut."""
        raise NotImplementedError

    async def start(self) -> None:
        """Begin to look for runs to take over: of dead owners, handed back, queued."""
        raise NotImplementedError

    async def drain(self, grace_s: float) -> None:
        """Take no new run, end all viewers without a terminal event, let runs finish the step
        they are in for at most `grace_s`, hand back the rest. Afterwards nothing runs here.
        """
        raise NotImplementedError

    async def submit(
        self,
        tenant_id: str,
        user_id: str,
        thread_id: str,
        message: str | None,
        *,
        kind: RunKind = "chat",
        idempotency_key: str | None = None,
        when_busy: WhenBusy = "reject",
    ) -> RunTicket:
        """Store the message and its run in one commit, then execute it detached.

        message None: a kick, the agent speaks first. idempotency_key: the same key and body join
        the run that it started. when_busy: what happens while the thread has an active run;
        `enqueue` lets this one follow, `interrupt` cancels the active one first.

        Raises: NotFoundError (missing thread, or another's), ConflictError THREAD_BUSY or
        IDEMPOTENCY_REUSED, InputError (empty or too long), StoreError (code DRAINING while the
        process is on its way out).
        """
        raise NotImplementedError

    def watch(
        self, tenant_id: str, user_id: str, run_id: str, after: int = 0
    ) -> AsyncIterator[Event]:
        """The run's events with a seq above `after`: each once, in order, as they happen.

        Ends after `done` or `error`; at once when that lies before the cursor. Ends early, without
        one, when the process drains: the client should reconnect.

        Raises: NotFoundError (at the first event), ViewerDropped.
        """
        raise NotImplementedError

    def watch_batches(
        self, tenant_id: str, user_id: str, run_id: str, after: int = 0
    ) -> AsyncIterator[list[Event]]:
        """The same, as many events at once as there are: cheaper for a busy server."""
        raise NotImplementedError

    async def find_active(self, tenant_id: str, user_id: str, thread_id: str) -> str | None:
        """The id of the thread's run that has not ended: the one in progress, else the next in
        the queue. Raises: NotFoundError.
        """
        raise NotImplementedError

    async def cancel(self, tenant_id: str, user_id: str, thread_id: str) -> str | None:
        """Stop the thread's active run, wherever it is executed; what was said is kept. Its
        stream ends with `error` CANCELLED within about a second.

        Returns: the run's id; None when nothing runs. Raises: NotFoundError.
        """
        raise NotImplementedError

    async def list_approvals(self, tenant_id: str, user_id: str, run_id: str) -> list[Approval]:
        """What the run waits, or waited, for. Raises: NotFoundError."""
        raise NotImplementedError

    async def decide_approval(
        self,
        tenant_id: str,
        user_id: str,
        run_id: str,
        approval_id: str,
        approve: bool,
        decided_by: str,
    ) -> Approval:
        """Decide once; the run then goes on at the tool call. The same decision again changes
        nothing and returns the first one.

        Raises: NotFoundError; ConflictError APPROVAL_DECIDED (the other way), APPROVAL_EXPIRED.
        """
        raise NotImplementedError
