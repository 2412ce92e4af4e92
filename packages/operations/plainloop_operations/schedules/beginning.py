"""Begins the runs of schedules: one per due time, whichever replica is there.

    list what is due ──► hold one (skip locked) ──► conversation, queued run, history, next time
                                                    all in one transaction, or nothing

So a replica that is killed has begun all of it or nothing, and another one begins it then.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from plainloop.agent.config.installed import load_hook
from plainloop.agent.core.api import ApiRoute
from plainloop.agent.errors import AgentError, StoreError, TooManyRequests
from plainloop.agent.service.service import Service
from plainloop.agent.store import threads as store_threads
from plainloop.agent.store.connecting.open_transaction import Transaction
from plainloop.agent.store.queue import insert_queued_run
from plainloop.agent.store.runs import take_run_slot
from plainloop.agent.types import RunRequest

from ..settings import OperationsLimits
from .rows import DueSchedule, Outcome, hold_due, list_due, record_due
from .times import find_next

logger = logging.getLogger(__name__)

AT_ONCE: Final = 100


class ScheduleHost:
    """Begins due runs of all tenants. Call `start`, and `drain` before the service closes."""

    prefixes = ("/api/schedules",)

    def __init__(self, service: Service) -> None:
        self._service = service

    async def start(self) -> None:
        """Start polling for due schedules."""
        self._service.watcher.start("schedules", self._look)

    async def drain(self) -> None:
        """Stop starting due runs."""
        await self._service.watcher.stop("schedules")

    def list_routes(self, app: object) -> Iterable[ApiRoute]:
        """List the routes of `/api/schedules`."""
        from .routes import SCHEDULE_ROUTES

        return SCHEDULE_ROUTES

    async def _look(self) -> float | None:
        due = await list_due(self._service.store, AT_ONCE)
        for tenant_id, schedule_id in due:
            try:
                async with self._service.store.transaction(tenant_id) as tx:
                    await self._begin(tx, schedule_id)
            except StoreError:
                raise
            except Exception:  # the edge: one schedule is no reason to begin no others
                logger.exception("schedule_failed", extra={"schedule_id": schedule_id})
        return 0.0 if len(due) == AT_ONCE else None

    async def _begin(self, tx: Transaction, schedule_id: str) -> None:
        one = await hold_due(tx, schedule_id)
        if one is None:
            return
        now, next_at = datetime.now(UTC), None
        try:
            # After the due time too: where our clock is behind the database's, by which it is due,
            # the same time would be next, and recording it twice fails for ever
            # (test_a_due_time_is_recorded_once_by_a_replica_whose_clock_is_behind).
            next_at = find_next(one.cron, one.time_zone, max(now, one.next_at))
            outcome = await begin_run(self._service, tx, one, now)
        except StoreError:
            raise
        except AgentError as error:  # a zone that is gone: it stops; a message that is too long now
            outcome = Outcome("refused", error.code)
        await record_due(tx, one, outcome, next_at)


async def begin_run(service: Service, tx: Transaction, one: DueSchedule, now: datetime) -> Outcome:
    """Queue the run or task of a due schedule, or skip it.

    Returns the outcome. Raises: AgentError for a message that is too long by now, or a task that
    may not begin.
    """
    late_s = (now - one.next_at).total_seconds()
    if (
        one.missed == "skip"
        and late_s > service.settings.get_table(OperationsLimits).schedule_late_s
    ):
        return Outcome("missed", "NOBODY_THERE")
    if one.is_busy:
        return Outcome("missed", "STILL_RUNNING")
    if one.task is not None:
        hook = load_hook("task")
        reason = (
            "NO_PACKAGE" if hook is None else await hook.begin(service, tx, one.user_id, one.task)
        )
        return Outcome("begun" if reason is None else "missed", reason)
    try:
        await take_run_slot(tx, one.user_id, service.settings.limits.runs_per_user)
    except TooManyRequests as error:  # the next time may be free
        return Outcome("refused", error.code)
    pack = service.pack.name
    thread = await store_threads.create_thread(tx, one.user_id, title=one.name, pack=pack)
    start = service.make_start(thread, RunRequest(one.message))
    await insert_queued_run(tx, start)
    return Outcome("begun", None, thread.thread_id, start.run_id)
