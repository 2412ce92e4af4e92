"""A run that is cancelled at any moment, in a process that lives on: as Ctrl-C in a chat does."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from plainloop.agent.config.settings import Settings
from plainloop.agent.events import TERMINAL
from plainloop.agent.service.opening import open_service

MOMENTS = 40
STEP_S = 0.001  # a whole run takes about 20 ms here


async def test_a_run_cancelled_at_its_start_leaves_its_thread_usable(settings: Settings):
    async with open_service(settings) as service:
        thread = await service.ensure_thread("local", "local", None, "x")
        for moment in range(MOMENTS):
            work = asyncio.create_task(
                service.answer("local", "local", thread.thread_id, "add a job: Cook at Cafe Uno")
            )
            # The moment is what is varied here, not something waited for.
            await asyncio.sleep(moment * STEP_S)
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
            runs = await service.store.list_runs("local", thread.thread_id)
            assert {run.status for run in runs} <= {"cancelled", "succeeded"}, moment

        done = await service.answer("local", "local", thread.thread_id, "how many jobs do I have?")
        logs = [await service.store.load_events("local", run.run_id) for run in runs]

    assert done.answer
    assert len(runs) > MOMENTS / 2
    for events in logs:
        names = [event["event"] for event in events]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert [name for name in names if name in TERMINAL] == names[-1:]
