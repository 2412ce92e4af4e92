"""A flush that meets the run's end in the database is no sign that somebody else has the run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from plainloop.agent.errors import ModelAuthError
from plainloop.agent.events import Event
from plainloop.agent.service.service import Service
from plainloop.agent.store.database import Database
from plainloop.agent.store.queue import RunQueue
from plainloop.agent.store.records import Run
from plainloop.agent.store.store import Store
from tests.machine.scripted import Step, text, triage

NEVER_MS = 100_000
NOTICE: Any = {"event": "budget", "data": {"is_hard": False, "message": "", "budget_id": ""}}


class LateHeartbeats(RunQueue):
    def __init__(self, database: Database, look: Callable[[Awaitable[Any]], Any]) -> None:
        super().__init__(database)
        self._look = look

    async def heartbeat(
        self, owner: str, run_ids: Sequence[str], lease_s: float
    ) -> dict[str, bool]:
        return await self._look(super().heartbeat(owner, run_ids, lease_s))


class LateAnswers(Store):
    """What keeps the run alive sees its end stored, and is answered before the end itself is: on a
    busy loop the answers arrive in any order."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.queue = LateHeartbeats(database, self.look)
        self.asked, self.ended, self.answered = (asyncio.Event() for _ in range(3))

    async def record_event_batches(
        self, batches: Sequence[tuple[Run, Sequence[Event]]]
    ) -> set[str]:
        return await self.look(super().record_event_batches(batches))

    async def record_steps(self, run: Run, commits: Any, tx: Any = None, call: Any = None) -> None:
        await super().record_steps(run, commits, tx, call)
        if commits[-1].end is not None:
            await self._tell_end()

    async def finish_run(self, run: Run, end: Any, *rest: Any) -> None:
        await super().finish_run(run, end, *rest)
        await self._tell_end()

    async def look(self, looking: Awaitable[Any]) -> Any:
        self.asked.set()
        await self.ended.wait()
        found = await looking
        self.answered.set()
        return found

    async def _tell_end(self) -> None:
        self.ended.set()
        await self.answered.wait()


KEEPERS: dict[str, Callable[[Service], Awaitable[None]]] = {
    "flush": lambda service: service.live.flush(),
    "heartbeat": lambda service: service.live.beat(),
}


@pytest.mark.parametrize("keeper", KEEPERS)
@pytest.mark.parametrize("last", [text("Done."), ModelAuthError("no such key")])
async def test_a_flush_at_a_runs_end_leaves_viewers_with_the_stored_events(
    last: Step, keeper: str, machine
):
    async def meet(request: Any) -> Any:
        (live,) = run.service.live.list_all()
        live.journal.emit(NOTICE)  # else there is nothing to flush
        keeping.append(asyncio.ensure_future(KEEPERS[keeper](run.service)))
        await store.asked.wait()
        return last

    keeping: list[asyncio.Future[None]] = []
    run = await machine(triage("note_writer"), meet, event_flush_ms=NEVER_MS)
    store = run.service.store = run.service.live._store = LateAnswers(run.store.database)
    told = await run.ask()
    await asyncio.gather(*keeping)

    stored = (await run.load_run(told)).status
    if isinstance(last, Exception):
        assert (told.error, stored, told.last[0]) == (last, "failed", "error")
    else:
        assert (told.answer, stored, told.last[0]) == ("Done.", "succeeded", "done")
