"""Users take turns: however many waiters one of them has, another's wait is a turn each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from plainloop.agent.base.sharing.fair_queue import FairQueue, Party
from plainloop.agent.base.sharing.loop_shares import RESUMED_AT_ONCE, LoopShares

ANN, BOB, CARL = ("acme", "ann"), ("acme", "bob"), ("globex", "carl")
RUNS, STEPS = 200, 20
Work = Coroutine[Any, Any, Any]


def test_a_fair_queue_alternates_between_users() -> None:
    queue = FairQueue[str]()
    for n in range(3):
        queue.push(ANN, f"ann {n}")
    queue.push(BOB, "bob 0")
    queue.push(CARL, "carl 0")
    queue.push(BOB, "bob 1")
    assert [queue.pop() for _ in range(queue.length)] == [
        "ann 0",
        "bob 0",
        "carl 0",
        "ann 1",
        "bob 1",
        "ann 2",
    ]


def test_a_fair_queue_returns_a_retried_item_first() -> None:
    queue = FairQueue[int]()
    for party, item in ((ANN, 1), (BOB, 2), (ANN, 3)):
        queue.push(party, item)
    queue.push(BOB, 0, is_next=True)
    assert [queue.pop() for _ in range(queue.length)] == [0, 1, 2, 3]


def test_a_fair_queue_does_not_return_removed_items() -> None:
    queue = FairQueue[int]()
    queue.push(ANN, 1)
    queue.push(BOB, 2)
    queue.remove(ANN, 1)
    queue.remove(ANN, 1)
    assert (queue.length, queue.pop(), queue.length) == (1, 2, 0)


async def play(
    party: Party, order: list[str], shares: LoopShares | None, opened: asyncio.Event
) -> None:
    async def work() -> None:
        await opened.wait()
        for _ in range(STEPS):
            order.append(party[1])
            await asyncio.sleep(0)

    await (work() if shares is None else shares.share(party, work()))


async def list_order(shares: LoopShares | None) -> list[str]:
    """By whom the steps are done: of RUNS runs of one user, and of one of another user's."""
    order: list[str] = []
    opened = asyncio.Event()
    runs = [play(ANN, order, shares, opened) for _ in range(RUNS)]
    async with asyncio.TaskGroup() as group:
        for run in (*runs, play(BOB, order, shares, opened)):
            group.create_task(run)
        await asyncio.sleep(0)
        opened.set()
    return order


async def test_a_users_flood_of_runs_delays_another_user_by_few_steps() -> None:
    order = await list_order(LoopShares())
    places = [n for n, user in enumerate(order) if user == "bob"]
    between = [after - before - 1 for before, after in zip(places, places[1:], strict=False)]
    assert len(places) == STEPS
    assert max(between) <= 2 * RESUMED_AT_ONCE
    assert len(order) == (RUNS + 1) * STEPS, "nobody's step is lost"
    unfair = await list_order(None)
    assert unfair.index("bob") == RUNS, "first come, first served: behind all of them"


async def test_a_single_users_runs_are_not_slowed_by_fair_sharing() -> None:
    async def list_passes(wrap: Callable[[Work], Awaitable[None]]) -> list[int]:
        passes: list[int] = []
        count = 0

        async def work() -> None:
            for _ in range(STEPS):
                await asyncio.sleep(0)
                passes.append(count)

        async with asyncio.TaskGroup() as group:
            runs = [group.create_task(wait(wrap(work()))) for _ in range(RUNS)]
            while not all(run.done() for run in runs):
                await asyncio.sleep(0)
                count += 1
        return passes

    async def wait(work: Awaitable[None]) -> None:
        await work

    shares = LoopShares()
    assert await list_passes(lambda work: shares.share(ANN, work)) == await list_passes(
        lambda work: work
    )


async def test_work_queued_for_fair_sharing_can_be_cancelled() -> None:
    shares, log = LoopShares(), list[str]()

    async def work() -> None:
        try:
            while True:
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            log.append("cleaned up")
            raise

    tasks = [asyncio.create_task(wait_for(shares, ANN, work())) for _ in range(RUNS)]
    tasks.append(asyncio.create_task(wait_for(shares, BOB, work())))
    for _ in range(STEPS):
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(error) for error in ended} == {asyncio.CancelledError}
    assert len(log) == RUNS + 1


async def wait_for(shares: LoopShares, party: Party, work: Work) -> None:
    await shares.share(party, work)


async def test_fair_sharing_returns_results_and_errors_of_the_work() -> None:
    shares = LoopShares()

    async def fail() -> int:
        waited = asyncio.get_running_loop().create_future()
        waited.set_exception(KeyError("inside"))
        try:
            return await waited
        except KeyError:
            await asyncio.sleep(0)
            raise ValueError("outside") from None

    async def give() -> int:
        await asyncio.sleep(0)
        return 7

    assert await shares.share(ANN, give()) == 7
    with pytest.raises(ValueError, match="outside"):
        await shares.share(ANN, fail())
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        told = [group.create_task(wait_for(shares, who, give())) for who in (ANN, BOB)]
    assert all(task.done() for task in told)
