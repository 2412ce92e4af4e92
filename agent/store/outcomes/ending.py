"""Ends of runs outside a step: what was left open is closed in ledger, budgets, tools, approvals,
history and events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...base.messages.contents import list_open_calls, make_interruptions
from ...types import Message
from ..approvals import SQL as APPROVALS
from ..budgets import settle_lost_reservations
from ..database import Queryable, Row, parse_id
from ..events import insert_events, leave_room, load_last_seq
from ..leases import is_owner_dead, require_held
from ..ledger import SQL as LEDGER
from ..ledger import settle_calls
from ..records import NOTHING, LastWords, Run, RunEnd
from ..rows import from_held_row
from ..runs import SQL, make_busy, record_tool_calls
from ..threads import SQL as THREADS
from ..threads import insert_messages, load_last_answer

INTERRUPTED: Final = RunEnd("failed", "INTERRUPTED", "the process that executed it is gone")


async def close_abandoned_run(tx: Queryable, user_id: str, thread_id: str) -> str | None:
    """End the thread's active run as interrupted if its process is gone; return the run's id.

    Raises: ConflictError THREAD_BUSY when the run is being worked on.
    """
    return await free_thread(tx, user_id, parse_id(thread_id, "thread"), close=True)


async def free_thread(tx: Queryable, user_id: str, thread_id: str, *, close: bool) -> str | None:
    """Lock a thread for a new run, ending its abandoned run if `close`; return that run's id.

    Returns the ended run's id; None: there is no active run. The thread stays locked until the
    transaction ends.

    close: False: leave it to the replicas that claim such runs; the thread stays busy.

    Raises: ConflictError THREAD_BUSY when the run is being worked on or waits for a decision.
    """
    await tx.fetchrow(THREADS["lock_thread"], tx.tenant_id, user_id, thread_id)
    # Only with the thread locked: a run could begin in it after this look.
    row = await tx.fetchrow(SQL["load_unfinished_runs"], tx.tenant_id, thread_id, False)
    if row is None:
        return None
    is_abandoned = row["is_expired"] or is_owner_dead(row["owner"])
    if row["status"] == "waiting" or not is_abandoned or not close:
        raise make_busy(thread_id, row["run_id"], is_waiting=row["status"] == "waiting")
    await end_abandoned_run(tx, row, INTERRUPTED)
    return row["run_id"]


async def end_abandoned_run(tx: Queryable, row: Row, end: RunEnd) -> None:
    """End a run that no process owns. row: from `load_unfinished_runs`."""
    run = from_held_row({**row, "tenant_id": tx.tenant_id})
    # The lost owner may have shown events that were never stored
    # (test_an_unowned_run_ends_at_once_when_cancelled).
    seq = leave_room(await load_last_seq(tx, run.run_id))
    last = LastWords(events=[end.to_stored_event(seq)])
    await end_run(tx, run, end, last, is_takeover=True)


async def end_run(
    tx: Queryable, run: Run, end: RunEnd, last: LastWords = NOTHING, *, is_takeover: bool = False
) -> None:
    """End a run outside a step, and close everything that it left open.

    Raises: LeaseLost when the fence does not hold; the transaction must then be rolled back.
    """
    await tx.fetchrow(THREADS["lock_thread"], run.tenant_id, run.user_id, run.thread_id)
    held = (run.tenant_id, run.run_id, run.fence)
    told = (end.status, end.error_code, end.error_message, list(last.notes) or None)
    # Before all else that is written: with another owner's fence there is no row, and the rest of
    # the transaction is given up (test_an_owner_that_wakes_after_its_lease_writes_nothing).
    ended = await tx.fetchrow(SQL["end_run"], *held, *told, int(is_takeover))
    require_held(ended, f"the run {run.run_id}")
    await _close_history(tx, run, last.messages)
    if last.calls:
        await settle_calls(tx, last.calls)
    await tx.execute(LEDGER["close_calls"], run.tenant_id, run.run_id, end.error_code)
    await settle_lost_reservations(tx, run.run_id)
    if last.tool_calls:
        step = run.next_step if last.step is None else last.step
        await record_tool_calls(tx, run, step, last.tool_calls)
    await tx.execute(SQL["close_tool_calls"], run.tenant_id, run.run_id)
    await tx.execute(APPROVALS["expire_approvals"], run.tenant_id, run.run_id, True)
    await insert_events(tx, run.run_id, last.events)


async def _close_history(tx: Queryable, run: Run, messages: Sequence[Message]) -> None:
    """Append messages to the run's thread; open tool calls get a result `interrupted`."""
    # A call without a result would be refused by every provider in all later requests of the thread
    # (test_a_failed_run_keeps_its_partial_text_and_closes_open_calls).
    open_calls = list_open_calls(await load_last_answer(tx, run.thread_id))
    answered = {
        part["id"]
        for message in messages
        for part in message["parts"]
        if part["type"] == "tool_result"
    }
    lost = [call for call in open_calls if call["id"] not in answered]
    late = list_open_calls(messages)
    undone: set[str] = set()
    if lost or late:
        found = await tx.fetch(SQL["list_outside_calls"], run.tenant_id, run.run_id)
        undone = {call["name"] for call in (*lost, *late)} - {row["name"] for row in found}
    appended = [*make_interruptions(lost, undone), *messages, *make_interruptions(late, undone)]
    if appended:
        await insert_messages(tx, run.thread_id, run.run_id, appended)
