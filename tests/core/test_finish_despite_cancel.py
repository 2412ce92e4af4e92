"""Work that must not be cut off half-way, however it is nested."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from plainloop.agent.base.finishing import finish_despite_cancel


class Work:
    """Waits for `go`, then notes its name."""

    def __init__(self) -> None:
        self.has_started = asyncio.Event()
        self.go = asyncio.Event()
        self.done: list[str] = []

    async def run(self, name: str) -> str:
        self.has_started.set()
        await self.go.wait()
        self.done.append(name)
        return name


async def cancel_midway(work: Work, task: asyncio.Task[str]) -> None:
    await work.has_started.wait()
    task.cancel()
    work.go.set()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_nested_guarded_blocks_both_finish_despite_cancellation() -> None:
    work = Work()

    async def outer() -> str:
        await finish_despite_cancel(work.run("inner"))
        return await work.run("outer")

    await cancel_midway(work, asyncio.create_task(finish_despite_cancel(outer())))

    assert work.done == ["inner", "outer"]


async def test_further_cancellations_do_not_interrupt_a_guarded_block() -> None:
    work = Work()
    task = asyncio.create_task(finish_despite_cancel(work.run("work")))
    await work.has_started.wait()
    for _ in range(3):  # a time limit's, the client's, the stopping server's
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()

    work.go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.done == ["work"]


async def test_a_guard_does_not_protect_tasks_started_under_it() -> None:
    work = Work()

    async def outer() -> None:
        child = asyncio.create_task(finish_despite_cancel(work.run("child")))
        await cancel_midway(work, child)

    await finish_despite_cancel(outer())

    assert work.done == ["child"]


async def test_a_guarded_block_does_not_wait_for_tasks_started_in_it() -> None:
    work = Work()
    seen: list[weakref.ref[asyncio.Task[str]]] = []

    async def outer() -> asyncio.Task[str]:
        task = asyncio.current_task()
        assert task is not None
        seen.append(weakref.ref(task))
        return asyncio.create_task(work.run("child"))

    child = await finish_despite_cancel(outer())
    await work.has_started.wait()
    gc.collect()
    is_held = seen[0]() is not None
    work.go.set()
    await child

    assert not is_held
