"""Resumes a run without an owner in the current task."""

from __future__ import annotations

from ..base.messages.contents import get_answer
from ..core.journal import Viewer
from ..errors import ConflictError
from .service import RunOutcome, Service
from .settings import RunLimits


async def resume_run(
    service: Service, tenant_id: str, user_id: str, run_id: str, viewer: Viewer | None = None
) -> RunOutcome:
    """Resume a suspended or lost run in the current task and return its outcome.

    Raises: NotFoundError; ConflictError RUN_TAKEN when it has ended, waits for a decision, or has
    another owner; what `Service.execute` raises.
    """
    info = await service.store.load_run(tenant_id, user_id, run_id)
    limits = service.settings.get_table(RunLimits)
    queue = service.store.queue
    claims = await queue.claim_lost_runs(service.owner, limits.lease_s, run_id=info.run_id)
    work = await service.prepare(claims[0]) if claims else None
    if work is None:
        raise ConflictError(
            f"the run {run_id} has nothing to resume",
            hint=f"`plainloop explain {run_id}` shows its state.",
            code="RUN_TAKEN",
        )
    state = await service.execute(work, viewer)
    return RunOutcome(work.run, state, get_answer(state["messages"]))
