"""`plainloop schedules`: make, list, pause, resume, delete."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.naming import find_named
from plainloop.agent.cli.terminal.rendering import format_time, shorten_id
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.admin.audit import Action, Deed, name_account, record_audit
from plainloop.agent.store.database import Queryable
from plainloop.agent.store.store import Store

from ..schedules import rows
from ..schedules.making import NewScheduled, make_schedule
from ..schedules.times import find_next
from .naming import print_rows


async def print_new_schedule(store: Store, tenant: str, user: str, asked: NewScheduled) -> None:
    """Create a schedule and print it.

    Raises: InputError, ConflictError.
    """
    try:
        wanted = msgspec.convert(msgspec.to_builtins(asked), NewScheduled)
    except msgspec.ValidationError as error:
        raise InputError(
            f"the schedule is not valid: {error}",
            hint="`plainloop schedules add --help` shows an example.",
        ) from error
    async with store.transaction(tenant) as tx:
        made = await make_schedule(tx, user, wanted, load_settings())
        await record_audit(tx, name_account(), Deed("schedule.create", made.schedule_id, user))
    due = format_time(made.next_at) if made.next_at else "never"
    output.write_line(f"{shorten_id(made.schedule_id)}  {wanted.name}: next {due}")


async def print_schedules(store: Store, tenant: str, *, as_json: bool) -> None:
    def to_cells(one: rows.Schedule) -> list[str]:
        at = "never" if one.next_at is None else format_time(one.next_at)
        return [
            *(shorten_id(one.schedule_id), one.user_id, one.name, one.cron, one.time_zone),
            *(at if one.paused_at is None else "paused", one.message),
        ]

    found = await rows.list_schedules(store.read(tenant), None)
    heads = ["id", "user", "name", "cron", "zone", "next", "message"]
    print_rows(found, heads, to_cells, nothing="no schedules", as_json=as_json)


async def print_history(store: Store, tenant: str, text: str, limit: int, *, as_json: bool) -> None:
    def to_cells(item: rows.PastDue) -> list[str]:
        return [
            *(format_time(item.due_at), item.status, item.reason or "–"),
            *(shorten_id(item.conversation_id or "–"), shorten_id(item.run_id or "–")),
        ]

    db = store.read(tenant)
    found = await rows.list_history(db, (await _find(db, text)).schedule_id, limit)
    heads = ["due", "became", "reason", "conversation", "run"]
    print_rows(found, heads, to_cells, nothing="no runs yet", as_json=as_json)


async def pause_named(store: Store, tenant: str, text: str) -> None:
    """Pause a schedule by name or beginning of its id.

    Raises: NotFoundError, InputError.
    """
    async with store.transaction(tenant) as tx:
        one = await _find(tx, text)
        await rows.set_pause(tx, one, None)
        await _record(tx, one, "schedule.pause")
    output.write_line(f"paused: {one.name}")


async def resume_named(store: Store, tenant: str, text: str) -> None:
    """Resume a schedule by name or beginning of its id.

    Raises: NotFoundError, InputError.
    """
    async with store.transaction(tenant) as tx:
        one = await _find(tx, text)
        next_at = find_next(one.cron, one.time_zone, datetime.now(UTC))
        await rows.set_pause(tx, one, next_at)
        await _record(tx, one, "schedule.resume")
    due = format_time(next_at) if next_at else "never"
    output.write_line(f"resumed: {one.name}, next {due}")


async def delete_named(store: Store, tenant: str, text: str) -> None:
    """Delete a schedule by name or beginning of its id.

    Raises: NotFoundError, InputError.
    """
    async with store.transaction(tenant) as tx:
        one = await _find(tx, text)
        await rows.delete_schedule(tx, one.schedule_id, None)
        await _record(tx, one, "schedule.delete")
    output.write_line(f"deleted: {one.name}")


async def _record(tx: Queryable, one: rows.Schedule, action: Action) -> None:
    await record_audit(tx, name_account(), Deed(action, one.schedule_id, one.user_id))


async def _find(db: Queryable, text: str) -> rows.Schedule:
    found = await rows.list_schedules(db, None)
    return find_named("schedule", text, [(one.schedule_id, one.name, one) for one in found])
