"""The hook `task`: what plainloop-operations begins at a schedule's times, beside messages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from plainloop.agent.core.api import ApiRequest
from plainloop.agent.errors import InputError
from plainloop.agent.providers.endings import load_endings
from plainloop.agent.service.service import Service
from plainloop.agent.store.connecting.open_transaction import Transaction

from ..advise.preparing import Task
from ..advise.proposing import find_successor
from ..advise.roles import group_judged
from ..advise.wanted import Wanted
from ..decide.candidates import MONTH_DAYS
from ..service.hosting import check_budgets
from ..settings import ReplayLimits
from ..store import advices as store_advices
from ..store.advices import AdviceInfo
from ..store.workers import list_worker_usage
from .advice import to_wanted
from .advice_shapes import NewAdvice

ADVISE = "advise"
LOOKED_AT = 100  # of the newest advice: whether a successor was rehearsed


def read(request: ApiRequest, task: dict[str, Any]) -> dict[str, Any]:
    """Check a schedule's task (`{"advise": …}`) and return it in the form to store.

    Raises: InputError, AccessDenied.
    """
    if task.keys() != {ADVISE}:
        raise InputError(f'the schedule has another task than "{ADVISE}": write {{"{ADVISE}": …}}')
    try:
        wanted = to_wanted(request, msgspec.convert(task[ADVISE], NewAdvice))
    except msgspec.ValidationError as error:
        raise InputError(
            f"the task {ADVISE} is not valid: {error}",
            hint="docs/choosing.md of plainloop-lab shows one.",
        ) from error
    if wanted.max_cost_usd <= 0:
        raise InputError(
            "max_cost_usd must be above 0", hint="Set it to the maximum cost of the advice in USD."
        )
    return {ADVISE: msgspec.to_builtins(wanted)}


async def begin(
    service: Service, tx: Transaction, user_id: str, task: dict[str, Any]
) -> str | None:
    """Start the advice of a due schedule.

    Returns None, or a code that says why no advice is needed. Raises: BudgetExceeded,
    TooManyRequests.
    """
    wanted = msgspec.convert(task[ADVISE], Wanted)
    if wanted.successor:
        pairs = await list_successors(service, tx, wanted)
        if not pairs:
            return "NOTHING_ENDS"
        earlier = await store_advices.list_advices(tx, None, LOOKED_AT)
        if any(info.status == "running" and info.request["successor"] for info in earlier):
            return "STILL_RUNNING"
        if pairs <= list_rehearsed(earlier):
            return "ALREADY_REHEARSED"
    await check_budgets(tx, user_id)
    most = service.settings.get_table(ReplayLimits).replays_per_user
    await store_advices.insert_advice(tx, user_id, msgspec.to_builtins(wanted), None, most)
    return None


async def list_successors(
    service: Service, tx: Transaction, wanted: Wanted
) -> set[tuple[str, str]]:
    """Return the used models that will be shut down, with their successors.

    Items are (worker or role, successor model).
    """
    endings = load_endings(service.settings.endings_file)
    served = {spec.name for pack in service.packs for spec in pack.workers}
    since = datetime.now(UTC) - timedelta(days=MONTH_DAYS)
    usages, names = group_judged(
        await list_worker_usage(tx, since, wanted.user_id), served, wanted.workers
    )
    found = {name: find_successor(endings, usages[name][0]) for name in names if name in usages}
    return {(worker, successor[0]) for worker, successor in found.items() if successor}


def list_rehearsed(earlier: Sequence[AdviceInfo]) -> set[tuple[str, str]]:
    """Return which successor models finished advice has already judged.

    Items are (worker, successor model).
    """
    return {
        (task.question.worker, candidate.name)
        for info in earlier
        if info.status == "succeeded" and info.request["successor"]
        for task in msgspec.convert(info.tasks or [], list[Task])
        for candidate in task.question.candidates
    }
