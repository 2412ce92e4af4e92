"""When the watcher looks again: after its pause, a rest, a failure, a poke; or not at all."""

from __future__ import annotations

import asyncio
import time
from typing import Any, cast

import pytest

from plainloop.agent.errors import StoreError
from plainloop.agent.service.settings import RunLimits
from plainloop.agent.service.watcher import REST_FACTOR, Watcher
from tests.runs.conftest import StartReplica

LONG_S = 3600.0


class Looks:
    """Looks that take a while each, return a pause or fail. times: when each began."""

    def __init__(self, pause_s: float | None, takes_s: float = 0.0, *, fails: bool = False) -> None:
        self.times: list[float] = []
        self._pause_s, self._takes_s, self._fails = pause_s, takes_s, fails
        self._begun = asyncio.Condition()

    async def look(self) -> float | None:
        async with self._begun:
            self.times.append(time.monotonic())
            self._begun.notify_all()
        await asyncio.sleep(self._takes_s)
        if self._fails:
            raise StoreError("the database is away")
        return self._pause_s

    async def wait_for(self, count: int) -> None:
        async with asyncio.timeout(30), self._begun:
            await self._begun.wait_for(lambda: len(self.times) >= count)


@pytest.fixture
async def watcher() -> Any:
    made = Watcher(cast(Any, None), "here/1/1", RunLimits())
    yield made
    await made.stop(*made.pollers)


async def test_a_slow_poll_is_followed_by_a_longer_pause(watcher: Watcher) -> None:
    looks = Looks(0.0, takes_s=0.05)
    watcher.start("viewers", looks.look)
    await looks.wait_for(2)

    assert looks.times[1] - looks.times[0] >= 0.05 * (1 + REST_FACTOR)


async def test_a_failed_poll_is_repeated_after_the_usual_pause(watcher: Watcher) -> None:
    looks = Looks(None, fails=True)
    watcher.start("viewers", looks.look, 0.01)
    await looks.wait_for(3)

    assert looks.times[1] - looks.times[0] >= 0.01


async def test_a_poll_without_a_pause_waits_to_be_woken(watcher: Watcher) -> None:
    looks = Looks(None)
    watcher.start("viewers", looks.look, 0.001)
    await looks.wait_for(1)
    await watcher.pollers["viewers"].has_looked.wait()
    for _ in range(5):
        await asyncio.sleep(0.01)
    assert len(looks.times) == 1
    watcher.poke("viewers")
    await looks.wait_for(2)


async def test_restarting_resumes_only_polls_that_are_not_due(watcher: Watcher) -> None:
    idle, due = Looks(None), Looks(LONG_S)
    for name, looks in (("viewers", idle), ("changes", due)):
        watcher.start(name, looks.look)
        await watcher.pollers[name].has_looked.wait()
        watcher.start(name, looks.look)
    await idle.wait_for(2)

    assert len(due.times) == 1


async def test_waking_ends_a_long_pause_but_starts_no_stopped_poll(watcher: Watcher) -> None:
    looks = Looks(LONG_S)
    watcher.start("viewers", looks.look)
    await looks.wait_for(1)
    watcher.poke("viewers")
    await looks.wait_for(2)
    await watcher.stop("viewers")
    watcher.poke("viewers")
    await asyncio.sleep(0)

    assert (len(looks.times), watcher.pollers) == (2, {})


async def test_no_replica_polls_after_all_kinds_are_stopped(replica: StartReplica) -> None:
    one = await replica(recovery_s=LONG_S)
    watcher = one.service.watcher
    assert sorted(watcher.pollers) == ["runs", "work"]
    await watcher.stop("runs")

    assert watcher.pollers == {}


async def test_viewers_that_come_after_a_drain_start_no_poll(replica: StartReplica) -> None:
    one = await replica(recovery_s=LONG_S)
    await one.host.drain(0.0)
    changes = [item async for item in one.host.watch_changes("acme", "ann", None)]

    assert [item[0]["event"] for item in changes] == ["reset"]
    assert one.service.watcher.pollers == {}
