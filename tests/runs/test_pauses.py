"""The event loop stands still for longer than anybody waits for it: runs go on afterwards."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import StoreError
from plainloop.agent.store import database
from tests.machine.notes_pack import REVIEWED, WRITER, add_note, make_pack
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text, tools, triage
from tests.runs.conftest import Replica, StartReplica

LEASE_S, PAUSE_S = 0.3, 0.8


def stand_still(request: Any) -> Any:
    time.sleep(PAUSE_S)  # the whole process: nothing else runs meanwhile
    return text("Still here.")


def make_slow_pack() -> Any:
    """Its tool stands still once, in the middle of the step's transaction."""
    pauses = [PAUSE_S]

    @tool("write")
    async def slow_note(tool: ToolContext, text: str) -> Any:
        """Write something down."""
        written = await add_note.function(tool, text)
        if pauses:
            time.sleep(pauses.pop())
        return written

    worker = replace(WRITER, tools=("slow_note",))
    return replace(make_pack(), workers=(worker, REVIEWED), tools=(slow_note,))


async def test_a_process_pause_beyond_the_lease_ends_no_run(replica: StartReplica) -> None:
    limits = {"lease_s": LEASE_S, "heartbeat_s": 0.1}
    one: Replica = await replica(triage("note_writer"), stand_still, **limits)
    run_id = await one.submit(await one.create_thread(), "go on")
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Still here."}


async def test_a_transaction_ended_during_a_pause_is_repeated(
    replica: StartReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(database.IDLE_MS, "step", 100)
    call = tools(("c1", "slow_note", {"text": "milk"}))
    script = (triage("note_writer"), call, *[text("Noted.")] * 3)
    one: Replica = await replica(*script, pack=make_slow_pack())
    run_id = await one.submit(await one.create_thread(), "note it")
    assert (await one.collect(run_id))[-1]["data"] == {"content": "Noted."}
    notes = await one.service.store.read(TENANT).fetch("select text from notes")
    assert [row["text"] for row in notes] == ["milk"], "once"


async def test_a_run_broken_by_a_process_pause_ends_with_the_true_reason(
    replica: StartReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(database.IDLE_MS, "step", 100)
    call = tools(("c1", "slow_note", {"text": "milk"}))
    script = (triage("note_writer"), call, triage("note_writer"), text("Noted."))
    one: Replica = await replica(*script, pack=make_slow_pack())
    thread_id = await one.create_thread()
    with pytest.raises(StoreError):
        await one.service.answer(TENANT, USER, thread_id, "note it")
    ended = await one.service.store.list_runs(TENANT, thread_id)
    assert [(run.status, run.error_code) for run in ended] == [("failed", "STORE_UNAVAILABLE")]
    assert (await one.service.answer(TENANT, USER, thread_id, "again")).answer == "Noted."
