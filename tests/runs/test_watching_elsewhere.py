"""Many who watch a run at a process that does not execute it: one look for all, and one reading."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from plainloop.agent.store.erasure import erase_thread_rows
from plainloop.agent.store.store import Store
from tests.machine.running import TENANT, USER
from tests.machine.scripted import text, triage
from tests.runs.conftest import StartReplica
from tests.runs.test_detached import Gate

VIEWERS = 200
LOOKS = 5


class Asked:
    """Counts what a store is asked about runs, and lets a test wait until it was."""

    def __init__(self, store: Store) -> None:
        self.counts: Counter[str] = Counter()
        self._grown = asyncio.Condition()
        for name in ("load_events", "load_run", "list_grown_runs"):
            setattr(store, name, self._count(name, getattr(store, name)))

    def _count(self, name: str, ask: Any) -> Any:
        async def counted(*args: Any) -> Any:
            self.counts[name] += 1
            async with self._grown:
                self._grown.notify_all()
            return await ask(*args)

        return counted

    async def wait_for_looks(self, more: int) -> Counter[str]:
        """What was asked meanwhile."""
        before = self.counts.copy()
        enough = before["list_grown_runs"] + more
        async with self._grown:
            await self._grown.wait_for(lambda: self.counts["list_grown_runs"] >= enough)
        return self.counts - before


async def test_idle_viewers_cost_no_statement_each(replica: StartReplica) -> None:
    gate = Gate(text("one two three four five"))
    one, other = await replica(triage("note_writer"), gate), await replica()
    run_id = await one.submit(await one.create_thread(), "count to five please")
    await gate.asked.wait()
    last = (await one.service.store.load_events(TENANT, run_id))[-1]["seq"]
    asked = Asked(other.service.store)
    watching = [asyncio.create_task(other.collect(run_id)) for _ in range(VIEWERS)]
    watching.append(asyncio.create_task(other.collect(run_id, last)))
    async with asyncio.timeout(60):  # until all are there, and nobody asks for themselves
        while asked.counts["load_run"] < VIEWERS or len(await asked.wait_for_looks(LOOKS)) > 1:
            await asyncio.sleep(0)
    before = asked.counts.copy()
    gate.open.set()
    seen = await asyncio.gather(*watching)

    assert all(events == seen[0] for events in seen[:-1])
    assert [event["seq"] for event in seen[0]] == list(range(1, len(seen[0]) + 1))
    assert seen[-1] == seen[0][last:]
    assert (asked.counts - before)["load_events"] < VIEWERS / 2, "what is new is read for all"


async def test_viewers_of_an_erased_run_are_disconnected(replica: StartReplica) -> None:
    gate = Gate(text("never"))
    one, other = await replica(triage("note_writer"), gate), await replica()
    thread_id = await one.create_thread()
    run_id = await one.submit(thread_id, "think for long")
    await gate.asked.wait()
    asked = Asked(other.service.store)
    watching = asyncio.create_task(other.collect(run_id))
    await asked.wait_for_looks(LOOKS)
    async with one.service.store.transaction(TENANT) as tx:
        await erase_thread_rows(tx, USER, thread_id)
    [ended] = await asyncio.gather(watching, return_exceptions=True)

    assert type(ended).__name__ == "NotFoundError"
