"""A run that waits for its place is an id and a text: no task, no connection, no state.

PLAINLOOP_WAITING_RUNS (60) is how many wait; for the bytes of each run it with `-s`.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tracemalloc

from tests.machine.scripted import text, triage
from tests.runs.conftest import StartReplica
from tests.runs.test_detached import Gate
from tests.runs.test_turns import answer

WAITING = int(os.environ.get("PLAINLOOP_WAITING_RUNS", "60"))


async def test_a_queued_run_needs_no_task_and_little_memory(replica: StartReplica) -> None:
    gate = Gate(text("the first"))
    script = (triage("note_writer"), gate, *[answer] * (2 * WAITING))
    one = await replica(*script, runs_at_once=1, runs_waiting=9 * WAITING)
    await one.submit(await one.create_thread(), "be slow")
    await gate.asked.wait()
    threads = [await one.create_thread() for _ in range(WAITING)]
    for thread_id in threads:
        await one.service.threads.load("acme", "ann", thread_id)  # they are kept in any case
    tasks = asyncio.all_tasks()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        runs = [await one.submit(name, f"wait for it, {name}") for name in threads]
        await one.service.live.flush()
        gc.collect()
        each_bytes = (tracemalloc.get_traced_memory()[0] - before) / WAITING
    finally:
        tracemalloc.stop()
    begun = asyncio.all_tasks() - tasks
    print(f"{WAITING} runs that wait: {each_bytes / 1000:.1f} kB each")
    gate.open.set()
    for run_id in runs:
        assert (await one.collect(run_id))[-1]["event"] == "done"

    assert [task.get_name() for task in begun if task.get_name() in runs] == []
    assert each_bytes < 8000
