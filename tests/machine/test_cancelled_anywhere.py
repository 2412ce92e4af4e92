"""Hazard: a cancel that meets a run between any two steps of the event loop.

The moments are counted, not timed: a run is cancelled after k turns of the loop, for every k until
one completes. What must hold: the message and every finished step are kept, no call dangles, no
row is half written, and the thread takes the next message.
"""

from __future__ import annotations

import asyncio
import os

import pytest

from plainloop.agent.base.messages.contents import get_answer, get_text, list_open_calls
from plainloop.agent.core.history import repair_history
from plainloop.agent.errors import StreamCut
from plainloop.agent.events import TERMINAL
from tests.machine.running import TENANT, USER, Told
from tests.machine.scripted import Cut, text, tools, triage, verdict

# Every k-th moment only; 1 tries each one.
STRIDE = int(os.environ.get("AGENT_CANCEL_STRIDE") or 29)

SCRIPTS = {
    "writes": lambda: [
        triage("note_writer"),
        tools(("c1", "add_note", {"text": "one"}), ("c2", "list_notes", {}), said="A moment."),
        text("Noted."),
    ],
    "review": lambda: [
        triage("poet"),
        text("ROSES"),
        Cut("Vio", StreamCut("gone", retry_after_s=0.0)),
        text("Roses are red."),
        verdict("pass"),
    ],
}


async def cancel_after(work: asyncio.Task, turns: int, again: int) -> bool:
    """Cancel the task after so many turns of the loop, and once more `again` turns later."""
    for _ in range(turns):
        await asyncio.sleep(0)
        if work.done():
            return False
    work.cancel()
    if again:
        for _ in range(again):
            await asyncio.sleep(0)
        work.cancel()
    return True


@pytest.mark.parametrize("again", [0, 3])
@pytest.mark.parametrize("script", SCRIPTS)
async def test_a_run_cancelled_at_any_moment_leaves_a_usable_thread(machine, script, again):
    run = await machine(remember=False)  # the script is told in order, and the same each time
    cancelled = 0
    turns = STRIDE // 2 if again else 0  # both together try twice as many moments
    while True:
        run.provider.script[:] = SCRIPTS[script]()
        notes_before = await run.list_notes()
        told = Told()
        thread = await run.service.ensure_thread(TENANT, USER, None, "one")
        work = asyncio.ensure_future(
            run.service.answer(TENANT, USER, thread.thread_id, "do it", told.events.append)
        )
        was_cancelled = await cancel_after(work, turns, again)
        (ended,) = await asyncio.gather(work, return_exceptions=True)
        run.thread_id = thread.thread_id
        await check_thread(run, told, ended, notes_before)
        if not was_cancelled:
            break
        cancelled += 1
        turns += STRIDE

    assert cancelled > 50 / STRIDE  # a run is about twice as many turns
    assert not isinstance(ended, BaseException)


async def check_thread(run, told: Told, ended, notes_before) -> None:
    messages = await run.load_messages()
    if not messages:
        assert isinstance(ended, asyncio.CancelledError)  # before the message was stored
        assert told.events == []
    runs = await run.store.list_runs(TENANT, run.thread_id)
    for info in runs:
        assert get_text(messages[0]) == "do it"
        expected = "cancelled" if isinstance(ended, BaseException) else "succeeded"
        assert info.status == expected or (expected == "cancelled" and info.status == "succeeded")
        await check_records(run, info, told, messages)
        await run.check_records(info.run_id, "do it")
    assert repair_history(messages)[1] == []
    assert list_open_calls(messages) == []
    added = [row for row in await run.list_notes() if row not in notes_before]
    results = [part for m in messages if m["role"] == "tool" for part in m["parts"]]
    is_written = any(part["name"] == "add_note" and not part["is_error"] for part in results)
    if any(part["name"] == "add_note" for part in results):
        assert (len(await run.list_notes()) - len(notes_before) == 1) is is_written
    elif not added:
        assert not is_written
    run.provider.script[:] = [triage("note_writer"), text("Here again.")]
    assert (await run.ask("and now?")).answer == "Here again."


async def check_records(run, info, told: Told, messages) -> None:
    """The events tell what is stored, and no ledger row is left open."""
    events = await run.store.load_events(TENANT, info.run_id)
    names = [event["event"] for event in events]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [name for name in names if name in TERMINAL] == names[-1:]
    calls = await run.store.list_calls(TENANT, info.run_id)
    assert [call for call in calls if call.status == "started"] == []
    steps = await run.store.load_steps(TENANT, info.run_id)
    assert [step.n for step in steps] == list(range(len(steps)))
    tool_calls = await run.store.list_tool_calls(TENANT, info.run_id)
    assert {call.status for call in tool_calls} <= {"succeeded", "interrupted"}
    assert told.text.strip() == get_answer(messages).strip()
