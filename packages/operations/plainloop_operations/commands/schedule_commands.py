"""`plainloop schedules`: the commands and their options."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from plainloop.agent.cli.terminal.launching import launch_with_store
from plainloop.agent.cli.terminal.options import LOCAL, Json, grouped, option
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.packs.commands import make_group

Tenant = Annotated[str, typer.Option("--tenant", help="the tenant of the schedules")]
Named = Annotated[
    str,
    typer.Argument(metavar="SCHEDULE", help="the schedule's id, the start of its id, or its name"),
]

schedules = make_group("Send messages to the agent on a schedule.")


@dataclass(frozen=True, slots=True)
class ScheduleOptions:
    """Options of a new schedule: its name, time zone, user and what to do if it is late."""

    name: str = option("name of the schedule and of its conversations", "unnamed")
    zone: str = option("time zone of the schedule", "UTC")
    missed: Literal["run", "skip"] = option("what to do with due times that were missed", "run")
    user: str = option("user who sends the message", LOCAL)


@schedules.command("add")
@grouped
def add_schedule(
    cron: Annotated[
        str,
        typer.Argument(
            metavar="CRON", help="five cron fields: minute, hour, day of month, month, day of week"
        ),
    ],
    message: Annotated[str, typer.Argument(metavar="MESSAGE", help="the message to send")],
    options: ScheduleOptions,
    tenant: Tenant = LOCAL,
) -> None:
    """Send a message to the agent at certain times.

    \b
    plainloop schedules add "30 7 * * MON-FRI" "which jobs have no answer yet?" --zone Europe/Berlin
    """
    from ..schedules.making import NewScheduled
    from .schedules import print_new_schedule

    asked = NewScheduled(options.name, cron, message, options.zone, options.missed)
    launch_with_store(print_new_schedule, tenant, options.user, asked)


@schedules.command("list")
def list_schedules(as_json: Json = False, tenant: Tenant = LOCAL) -> None:
    """List the schedules of a tenant, and when each is due next."""
    from .schedules import print_schedules

    launch_with_store(print_schedules, tenant, as_json=as_json)


@schedules.command("history")
def list_history(
    schedule: Named,
    as_json: Json = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 20,
    tenant: Tenant = LOCAL,
) -> None:
    """Show the last due times of a schedule, and their runs."""
    from .schedules import print_history

    launch_with_store(print_history, tenant, schedule, limit, as_json=as_json)


@schedules.command("pause")
def pause_schedule(schedule: Named, tenant: Tenant = LOCAL) -> None:
    """Pause a schedule. Messages due during the pause are never sent."""
    from .schedules import pause_named

    launch_with_store(pause_named, tenant, schedule)


@schedules.command("resume")
def resume_schedule(schedule: Named, tenant: Tenant = LOCAL) -> None:
    """Resume a paused schedule. The next message is sent at its next due time."""
    from .schedules import resume_named

    launch_with_store(resume_named, tenant, schedule)


@schedules.command("delete")
def delete_schedule(schedule: Named, tenant: Tenant = LOCAL) -> None:
    """Delete a schedule; its conversations stay."""
    from .schedules import delete_named

    launch_with_store(delete_named, tenant, schedule)
