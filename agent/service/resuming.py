"""A claimed run goes on: from its next step, with the design and pack that it began with."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from ..base.messages import get_answer
from ..core.journal import Journal, Viewer
from ..designs.base import NodeTable
from ..errors import AgentError, ConflictError
from ..store.queue import CANCELLED, Claim
from ..store.records import Run, RunEnd
from ..types import Message
from .service import RunOutcome, Service

logger = logging.getLogger(__name__)

GIVEN_UP = RunEnd(
    "failed",
    "RUN_CRASHED",
    "each process that worked on this message stopped, so it is not tried again. Other messages are"
    " answered: send this one shorter, or without its file",
)
CHANGED = RunEnd(
    "failed",
    "CODE_CHANGED",
    "the service was renewed while this waited, and would not go on as it began: please ask again",
)


@dataclass(frozen=True, slots=True)
class Work:
    """Holds what is left to do of a run. shown: what its recorded steps told the user."""

    run: Run
    table: NodeTable
    message: Message
    shown: str


async def prepare_work(service: Service, claim: Claim) -> Work | None:
    """Prepare to go on with a claimed run. None: there is nothing to go on with, and the run's end
    is recorded: it was to be stopped, has taken down too many processes, this process does not
    serve its pack or design, or its code must not go on with it.

    Raises: StoreError; then it can be claimed again.
    """
    point = await service.store.queue.load_resume_point(claim)
    run = point.run
    if claim.is_cancelled:
        return await _end(service, run, CANCELLED)
    if run.attempt > service.settings.limits.run_attempts + 1:
        logger.error("run_given_up", extra={"run_id": run.run_id, "attempt": run.attempt})
        return await _end(service, run, GIVEN_UP)
    try:
        table = service.build_run_table(run, point.kind)
    except AgentError as error:
        return await _end(service, run, RunEnd("failed", error.code, error.public_message))
    if not (claim.is_queued or service.goes_on is None or await service.goes_on(run)):
        return await _end(service, run, CHANGED)
    steps = await service.store.load_steps(run.tenant_id, run.run_id)
    messages = [message for step in steps for message in step.update.get("messages", [])]
    shown = get_answer([point.message, *messages])
    return Work(run, table, point.message, shown)


async def resume_run(
    service: Service, tenant_id: str, user_id: str, run_id: str, viewer: Viewer | None = None
) -> RunOutcome:
    """Go on with one run that nobody works on, in the current task: after a decision, a crash.

    Raises: NotFoundError; ConflictError RUN_TAKEN when it has ended, waits for a decision, or is
    somebody else's; what `Service.execute` raises.
    """
    info = await service.store.load_run(tenant_id, user_id, run_id)
    limits = service.settings.limits
    queue = service.store.queue
    claims = await queue.claim_lost_runs(service.owner, limits.lease_s, run_id=info.run_id)
    work = await prepare_work(service, claims[0]) if claims else None
    if work is None:
        raise ConflictError(
            f"there is nothing to go on with in the run {run_id}",
            hint=f"`plainloop explain {run_id}` shows how it stands.",
            code="RUN_TAKEN",
        )
    state = await service.execute(work.run, work.table, work.message, viewer, shown=work.shown)
    return RunOutcome(work.run, state, get_answer(state["messages"]))


async def _end(service: Service, run: Run, end: RunEnd) -> None:
    await Journal(service.store, run).finish(end, [])
