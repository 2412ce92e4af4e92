"""Whatever models answer: the records give the state, the stream gives the stored answer, and the
thread replays as it was.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainloop.agent.base.messages.contents import get_answer, list_open_calls
from plainloop.agent.core.history import repair_history
from plainloop.agent.errors import AgentError
from plainloop.agent.store.learned.votes import TIMES_NEEDED
from tests.machine.running import TENANT, USER
from tests.machine.scripted import ScriptEnded, text, triage, verdict
from tests.machine.scripts import WORKERS, runs
from tests.replaying import explain, replay

FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
EXAMPLES = int(os.environ.get("AGENT_MACHINE_EXAMPLES") or 25)


@pytest.fixture
async def idle(machine):
    return await machine()


@given(st.lists(runs(), min_size=1, max_size=3), st.sampled_from([None, None, *WORKERS]))
@settings(max_examples=EXAMPLES, suppress_health_check=FIXTURES)
async def test_step_records_fold_to_the_state_and_events_to_the_answer(idle, scripts, taught):
    run = idle
    await teach(run, taught)
    await open_thread(run)
    for n, script in enumerate(scripts):
        before = await run.load_messages()
        data = await run.load_data()
        rows = await count_added(run)
        run.provider.script[:] = script
        told = await run.ask_watched(f"message {n}")

        stored = await run.load_messages()
        told.check_stream()
        assert stored[: len(before)] == before, "what was stored is never changed"
        assert told.text == get_answer(stored)
        assert repair_history(stored)[1] == []
        assert list_open_calls(stored) == []
        assert (await run.store.load_events(TENANT, told.run_id)) == told.events
        await check_ledger(run, told, await count_added(run) - rows)
        state = await run.check_records(told.run_id, f"message {n}", before, data)
        if told.error is not None:
            # Only what the script runs out of, or gives up on, may end a run.
            assert isinstance(told.error, AgentError | ScriptEnded), told.error
            continue
        assert told.outcome.state == state
        assert told.answer == told.text
        if state["done"]:
            assert (told.last[0], told.last[1]["content"]) == ("done", told.text)
    await check_replay(run, len(scripts))


async def teach(run, worker: str | None) -> None:
    """What earlier examples taught is forgotten; then the first message is this worker's."""
    await run.store.read(TENANT).execute("DELETE FROM learned_votes")
    if worker is None:
        return
    for _ in range(TIMES_NEEDED):
        await open_thread(run)
        run.provider.script[:] = [triage(worker), text("Yes."), verdict("pass")]
        await run.ask("message 0")


async def open_thread(run) -> None:
    run.thread_id = (await run.service.ensure_thread(TENANT, USER, None, "any")).thread_id


async def check_replay(run, turns: int) -> None:
    """The thread replays as it was, without a tool or a model."""
    notes, asked = await run.list_notes(), len(run.provider.requests)
    replayed = await replay(run)
    assert explain(replayed) is None
    assert len(replayed.turns) == turns
    assert {turn.outcome for turn in replayed.turns} <= {"same", "partial"}
    assert (await run.list_notes(), len(run.provider.requests)) == (notes, asked)


async def count_added(run) -> int:
    """Rows that `add_note` wrote: the reviewed poems are stored in the same table."""
    return sum(text in ("milk", "bread") for text, _ in await run.list_notes())


async def check_ledger(run, told, rows: int) -> None:
    """Each attempt has one settled row; writes that are recorded as done are in the table."""
    calls = await run.list_calls(told)
    assert [call for call in calls if call.status == "started"] == []
    records = await run.list_tool_calls(told)
    assert rows == sum(c.name == "add_note" and c.status == "succeeded" for c in records)
