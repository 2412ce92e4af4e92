"""Stores and loads events of runs and changes of runs and threads, in an open transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..events import Event
from ..types import Message
from . import rows
from . import threads as store_threads
from .database import Queryable, Row, parse_id
from .records import SEQ_ROOM, Run
from .sql_blocks import CORE_SQL, load_sql

SQL: Final = load_sql(CORE_SQL / "events.sql")
MAX_MISSED: Final = 1_000  # changes sent one by one, and the most that may wait for a viewer
MISSED: Final = f"{SQL['list_changes_after']}\nlimit $4"


def leave_room(last_seq: int) -> int:
    """Return the first event number for a run's next owner, with a gap after the last stored one.
    The lost owner may have streamed numbers that were never stored; a viewer must not see one
    twice.
    """
    return last_seq + SEQ_ROOM + 1


async def record_event_batches(
    tx: Queryable, batches: Sequence[tuple[Run, Sequence[Event]]]
) -> set[str]:
    """Store the new events of several runs of a process in one statement.

    Returns: the ids of the runs that are still its own; of the others nothing was written.
    """
    flushed = [(run, rows.to_event_row(events)) for run, events in batches]
    new = [
        {
            "tenant_id": run.tenant_id,
            "run_id": run.run_id,
            "fence": run.fence,
            "first_seq": row[0],
            "last_seq": row[1],
            "events": row[2],
        }
        for run, row in flushed
        if row is not None
    ]
    # One statement for all runs: with a flush every 25 ms each run by itself would be 40
    # transactions a second.
    records = await tx.call("plainloop_record_events", batches=new)
    return {row["run_id"] for row in records}


async def insert_events(tx: Queryable, run_id: str, events: Sequence[Event]) -> None:
    """Insert a run's events as one row of its event log."""
    row = rows.to_event_row(events)
    if row is not None:
        await tx.execute(SQL["insert_events"], tx.tenant_id, run_id, *row)


async def load_events(tx: Queryable, run_id: str, after: int = 0) -> list[Event]:
    """Load a run's stored events with numbers above `after`, in order and without duplicates."""
    run_id = parse_id(run_id, "run")
    records = await tx.fetch(SQL["load_events"], tx.tenant_id, run_id, after)
    messages: dict[int, Message] = {}  # whose content the events do not repeat
    if pointing := [row for row in records if rows.has_message_reference(row)]:
        # One more: a step's events may point to the message before it.
        ends = (pointing[0]["first_position"] - 1, pointing[-1]["last_position"])
        messages = await store_threads.load_run_messages(tx, run_id, *ends)
    events: list[Event] = []
    for event in (item for row in records for item in rows.from_event_row(row, messages)):
        # A flush whose COMMIT was cut off may be stored as well as what repeats it.
        if event["seq"] > after:
            events.append(event)
            after = event["seq"]
    return events


async def load_last_seq(tx: Queryable, run_id: str) -> int:
    """Load the number of the run's newest stored event."""
    return await tx.fetchval(SQL["load_last_seq"], tx.tenant_id, run_id)


async def list_grown_runs(
    tx: Queryable, known: Mapping[tuple[str, str], tuple[int, str]]
) -> list[tuple[str, str]]:
    """List the (tenant, run) pairs whose runs have new events or another status.
    known: the last seen event and status by tenant and run.
    """
    cursors = [
        {"tenant_id": tenant_id, "run_id": run_id, "seen": seen, "was": was}
        for (tenant_id, run_id), (seen, was) in known.items()
    ]
    records = await tx.call("plainloop_list_grown_runs", known=cursors)
    return [(row["tenant_id"], row["run_id"]) for row in records]


async def list_changes(tx: Queryable, seen: Mapping[str, int]) -> list[Row]:
    """List the changes of runs and threads that are newer than each tenant's last seen one."""
    return await tx.fetch(SQL["list_changes"], [*seen], [*seen.values()])


async def list_settled_changes(tx: Queryable, tenants: Sequence[str]) -> dict[str, int]:
    """Load for each tenant the change number up to which all changes are visible.
    It is 0 without changes.
    A smaller number cannot appear any more; a reader may continue from there.
    """
    # A number is assigned when its row is written, and visible once that is committed: a reader
    # that has seen 8 may see 7 afterwards. So a reader continues after the number up to which no
    # change can appear any more, not after the newest.
    records = await tx.fetch(SQL["list_settled_changes"], tenants)
    return {row["tenant_id"]: row["change_id"] for row in records}


async def list_changes_after(tx: Queryable, user_id: str | None, after: int) -> list[Row] | None:
    """List the changes that a viewer missed after change number `after`; None if unknown.
    user_id: only that user's. None: they are no longer stored, or more than MAX_MISSED; the viewer
    must read everything again.
    """
    # One row for the change itself, and one more than the maximum.
    records = await tx.fetch(MISSED, tx.tenant_id, user_id, after, MAX_MISSED + 2)
    is_known = bool(records) and records[0]["change_id"] == after
    return records[1:] if is_known and len(records) < MAX_MISSED + 2 else None


async def load_last_change(tx: Queryable) -> int:
    """Load the number of the tenant's newest change; 0 without any."""
    return await tx.fetchval(SQL["load_last_change"], tx.tenant_id)
