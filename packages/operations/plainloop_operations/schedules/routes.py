"""`/api/schedules`: what is said to the agent when. A user's own; an admin sees and stops all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from plainloop.agent.config.installed import load_hook
from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.errors import InputError
from plainloop.agent.store.admin.audit import Deed
from plainloop.server.routes.choosing import check_admin, record_deed
from plainloop.server.routes.conversations import check_limit

from ..webhooks.routes import choose_owner
from .making import MadeSchedule, NewScheduled, make_schedule
from .rows import (
    PastDue,
    Schedule,
    delete_schedule,
    list_history,
    list_schedules,
    load_schedule,
    set_pause,
)
from .times import find_next

PATH: Final = "/api/schedules"
ONE: Final = PATH + "/{schedule_id}"


class ScheduleList(Struct):
    schedules: list[Schedule]


class HistoryQuery(Struct, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1)] = 20


class ScheduleHistory(Struct):
    history: list[PastDue]


async def create(request: ApiRequest, body: NewScheduled) -> MadeSchedule:
    """Create a schedule of the caller, and return it.

    Raises: InputError, AccessDenied, ConflictError TOO_MANY_SCHEDULES. Only an administrator may
    schedule a task.
    """
    if body.task is not None:
        check_admin(request, "only an administrator can schedule a task")
        hook = load_hook("task")
        if hook is None:
            raise InputError(
                "no installed package has tasks for schedules",
                hint="Schedule a message, or install plainloop-lab.",
            )
        body = msgspec.structs.replace(body, task=hook.read(request, body.task))
    async with request.store.transaction(request.tenant_id) as tx:
        made = await make_schedule(tx, request.user_id, body, request.settings)
        await record_deed(tx, request, Deed("schedule.create", made.schedule_id))
    return made


async def read(request: ApiRequest) -> ScheduleList:
    """List the schedules that the caller may see.

    An administrator gets the schedules of all users.
    """
    return ScheduleList(await list_schedules(request.db, choose_owner(request)))


async def read_history(request: ApiRequest, query: HistoryQuery) -> ScheduleHistory:
    limit = check_limit(request, query.limit)
    asked, owner = request.params["schedule_id"], choose_owner(request)
    one = await load_schedule(request.db, asked, owner)
    return ScheduleHistory(await list_history(request.db, one.schedule_id, limit))


async def pause(request: ApiRequest) -> None:
    """Pause a schedule.

    Raises: NotFoundError, also for another user's schedule.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        one = await load_schedule(tx, request.params["schedule_id"], choose_owner(request))
        await set_pause(tx, one, None)
        await record_deed(tx, request, Deed("schedule.pause", one.schedule_id))


async def resume(request: ApiRequest) -> None:
    """Resume a schedule at its next due time.

    Raises: NotFoundError, also for another user's schedule.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        one = await load_schedule(tx, request.params["schedule_id"], choose_owner(request))
        await set_pause(tx, one, find_next(one.cron, one.time_zone, datetime.now(UTC)))
        await record_deed(tx, request, Deed("schedule.resume", one.schedule_id))


async def erase(request: ApiRequest) -> None:
    """Delete a schedule.

    Raises: NotFoundError, also for another user's schedule.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        await delete_schedule(tx, request.params["schedule_id"], choose_owner(request))
        await record_deed(tx, request, Deed("schedule.delete", request.params["schedule_id"]))


SCHEDULE_ROUTES: Final = (
    ApiRoute("GET", PATH, read, "List schedules"),
    ApiRoute("POST", PATH, create, "Add a schedule that sends a message to the agent", status=201),
    ApiRoute("DELETE", ONE, erase, "Delete a schedule", status=204),
    ApiRoute("POST", ONE + "/pause", pause, "Pause a schedule", status=204),
    ApiRoute("POST", ONE + "/resume", resume, "Resume a schedule", status=204),
    ApiRoute(
        "GET", ONE + "/history", read_history, "List a schedule's past due times, newest first"
    ),
)
