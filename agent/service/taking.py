"""Prepares a claimed run for execution, or ends it if it cannot continue."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from ..base.messages.contents import get_answer
from ..core.journal import Journal
from ..designs.base import HELPING, NodeTable
from ..errors import AgentError
from ..store.helper_runs import find_caller
from ..store.queue import CANCELLED, Claim
from ..store.records import Run, RunEnd
from ..store.store import Store
from ..types import Message, Record
from .turns import Turn

logger = logging.getLogger(__name__)

ABANDONED = RunEnd(
    "failed",
    "RUN_CRASHED",
    "every process that worked on this message crashed, so it is not tried "
    "again. Other messages are answered: send this one shorter, or without its "
    "file",
)
CHANGED = RunEnd(
    "failed",
    "CODE_CHANGED",
    "the service was updated while this message waited, and its new code would "
    "continue differently: send the message again",
)


class Work(Record, frozen=True):
    """A claimed or begun run with all that its execution needs.
    makes_title: its message gave its thread a title. shown: text that its recorded steps gave the
    user.
    """

    run: Run
    table: NodeTable
    message: Message
    makes_title: bool = False
    shown: str = ""

    def make_turn(self) -> Turn | None:
        """Create the run's entry in the queue for slots; None for a helper's run."""
        return None if self.run.design.startswith(HELPING) else Turn(self.run.tenant_id)


async def prepare_work(
    store: Store,
    claim: Claim,
    attempts: int,
    build_table: Callable[[Run, str], NodeTable],
    goes_on: Callable[[Run], Awaitable[bool]] | None,
) -> Work | None:
    """Load a claimed run with its node table and state; None if the run was ended instead.
    None: the run was ended instead, because it was cancelled, its caller ended, it crashed too many
    processes, this process does not serve its pack or design, or its code must not continue it
    (goes_on).

    Raises: StoreError; then it can be claimed again.
    """
    # First, whatever becomes of the run: it closes what the owner before left open in ledger and
    # budgets.
    point = await store.queue.load_resume_point(claim)
    run = point.run
    if claim.is_cancelled or await _is_left_alone(store, run):
        return await _end(store, run, CANCELLED)
    # After the cancel: the stop by a person is the true reason, however often the run crashed.
    if run.attempt > attempts + 1:
        logger.error("run_given_up", extra={"run_id": run.run_id, "attempt": run.attempt})
        return await _end(store, run, ABANDONED)
    try:
        table = build_table(run, point.kind)
    except AgentError as error:
        return await _end(store, run, RunEnd("failed", error.code, error.public_message))
    if not (claim.is_queued or goes_on is None or await goes_on(run)):
        return await _end(store, run, CHANGED)
    steps = await store.load_steps(run.tenant_id, run.run_id)
    messages = [message for step in steps for message in step.update.get("messages", [])]
    shown = get_answer([point.message, *messages])
    return Work(run, table, point.message, shown=shown)


async def _is_left_alone(store: Store, run: Run) -> bool:
    """Whether this is a helper's run whose caller no longer waits for it."""
    if not run.design.startswith(HELPING):
        return False
    caller = await find_caller(store.read(run.tenant_id), run.run_id)
    return caller is not None and caller["caller_status"] not in ("running", "waiting")


async def _end(store: Store, run: Run, end: RunEnd) -> None:
    """Record the end of a claimed run that is not to be executed."""
    await Journal(store, run).finish(end, [])
