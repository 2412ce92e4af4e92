"""How many runs a user may have open is held however many of them begin at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

from plainloop.agent.errors import TooManyRequests
from plainloop.agent.store.records import Run, RunStart
from plainloop.agent.store.store import Store
from tests.core.store_samples import answer, begin_run, create_thread, make_text

TRIES, MAX_OPEN = 120, 10


def count(outcomes: Sequence[Any]) -> Counter[str]:
    for item in outcomes:
        if isinstance(item, BaseException):
            assert isinstance(item, TooManyRequests), item
    return Counter("refused" if isinstance(item, TooManyRequests) else "begun" for item in outcomes)


async def test_simultaneous_messages_never_exceed_the_run_limit(store: Store) -> None:
    threads = [await create_thread(store) for _ in range(TRIES)]
    others = {
        "acme": await create_thread(store, user_id="ben"),
        "evil": await create_thread(store, "evil"),
    }
    outcomes = await asyncio.gather(
        *(begin_run(store, thread, max_open_runs=MAX_OPEN) for thread in threads),
        begin_run(store, others["acme"], max_open_runs=1),
        begin_run(store, others["evil"], tenant_id="evil", max_open_runs=1),
        return_exceptions=True,
    )
    assert [type(item) for item in outcomes[-2:]] == [Run, Run], "another user, and tenant"
    assert count(outcomes[:-2]) == {"begun": MAX_OPEN, "refused": TRIES - MAX_OPEN}
    stored = await store.read("acme").fetchval("select count(*) from messages")
    assert stored == MAX_OPEN + 1, "of a refused message nothing is there"


async def test_queued_runs_count_towards_the_run_limit(store: Store) -> None:
    threads = [await create_thread(store) for _ in range(TRIES)]

    async def enqueue(thread_id: str) -> str:
        said = make_text("user", "hi")
        start = RunStart("ann", thread_id, said, "default", "tracker", max_open_runs=MAX_OPEN)
        return await store.queue.enqueue_run("acme", start)

    outcomes = await asyncio.gather(
        *(enqueue(thread.thread_id) for thread in threads[::2]),
        *(begin_run(store, thread, max_open_runs=MAX_OPEN) for thread in threads[1::2]),
        return_exceptions=True,
    )
    assert count(outcomes) == {"begun": MAX_OPEN, "refused": TRIES - MAX_OPEN}


async def test_an_ended_run_frees_the_run_limit(store: Store) -> None:
    first, second = [await create_thread(store) for _ in range(2)]
    run = await begin_run(store, first, max_open_runs=1)
    assert count(
        await asyncio.gather(begin_run(store, second, max_open_runs=1), return_exceptions=True)
    ) == {"refused": 1}
    await answer(store, run)
    assert (await begin_run(store, second, max_open_runs=1)).input_position == 0


async def test_without_a_run_limit_messages_do_not_wait_for_each_other(store: Store) -> None:
    threads = [await create_thread(store) for _ in range(TRIES)]
    outcomes = await asyncio.gather(*(begin_run(store, thread) for thread in threads))
    assert count(outcomes) == {"begun": TRIES}
