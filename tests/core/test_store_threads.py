"""Threads and messages: gapless positions, whole exchanges, erasing, several processes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainloop.agent.errors import ConflictError, NotFoundError
from plainloop.agent.store.records import ThreadInfo
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    erase_thread,
    make_call_start,
    make_event,
    make_settled,
    make_step,
    make_text,
    make_tool_call,
)


async def save_all(store: Store, thread: ThreadInfo, messages: list[Message]) -> None:
    for message in messages:
        await store.save_message("acme", thread.thread_id, None, message)


async def test_threads_are_listed_by_newest_activity_page_by_page(store: Store) -> None:
    threads = [await create_thread(store) for _ in range(5)]
    await answer(store, await begin_run(store, threads[1]))
    expected = [threads[n].thread_id for n in (1, 4, 3, 2, 0)]
    pages: list[str] = []
    before = None
    while page := await store.list_threads("acme", "ann", limit=2, before=before):
        pages += [thread.thread_id for thread in page]
        before = pages[-1]
    assert pages == expected


async def test_a_threads_title_can_change_and_its_id_is_unique(store: Store) -> None:
    thread = await create_thread(store)
    await store.rename_thread("acme", "ann", thread.thread_id, "Jobs in Bergen")
    assert (await store.load_thread("acme", "ann", thread.thread_id)).title == "Jobs in Bergen"
    for user_id in ("ann", "bob"):
        with pytest.raises(ConflictError):
            await store.create_thread("acme", user_id, thread_id=thread.thread_id, pack="x")


async def test_positions_have_no_gaps_under_twenty_writers(
    store: Store, connect: Callable[[], Awaitable[Store]]
) -> None:
    thread = await create_thread(store)
    other = await connect()

    async def write(n: int) -> list[int]:
        writer = store if n % 2 else other
        message = make_text("user", f"writer {n}")
        return [
            await writer.save_message("acme", thread.thread_id, None, message) for _ in range(5)
        ]

    written = await asyncio.gather(*(write(n) for n in range(20)))
    assert sorted(position for positions in written for position in positions) == list(range(100))
    messages: Any = await store.load_messages("acme", thread.thread_id)
    assert [m["offset"] for m in messages] == [
        sum(m["tokens"] for m in messages[:n]) for n in range(100)
    ]


@given(
    roles=st.lists(st.sampled_from(["user", "assistant", "tool"]), max_size=12),
    sizes=st.lists(st.integers(0, 30), min_size=12, max_size=12),
    max_tokens=st.none() | st.integers(0, 120),
    until=st.integers(-1, 12),
)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_a_window_is_the_longest_suffix_of_exchanges_that_fits(
    store: Store, roles: list[str], sizes: list[int], max_tokens: int | None, until: int
) -> None:
    thread = await create_thread(store)
    texts = ["x " * size for size in sizes]
    await save_all(store, thread, [make_text(r, t) for r, t in zip(roles, texts, strict=False)])
    whole: Any = (await store.load_messages("acme", thread.thread_id))[: until + 1]
    loaded: Any = await store.load_messages(
        "acme", thread.thread_id, max_tokens=max_tokens, until_position=until
    )
    starts = [n for n, message in enumerate(whole) if n == 0 or message["role"] == "user"]
    room = float("inf") if max_tokens is None else max_tokens
    fitting = [n for n in starts if sum(m["tokens"] for m in whole[n:]) <= room]
    first = (fitting or starts[-1:] or [0])[0]  # the newest exchange comes whole
    assert loaded == whole[first:]


async def test_an_erased_thread_leaves_only_anonymous_usage(store: Store) -> None:
    kept, erased = await create_thread(store), await create_thread(store)
    for thread in (kept, erased):
        run = await begin_run(store, thread, "a secret")
        start = make_call_start(run, extra_messages=[make_text("user", "a secret")])
        await store.record_call_start(start)
        settled = make_settled(start, response={"text": "a secret"})
        await store.record_event_batches([(run, [make_event(1, "text_delta", content="a secret")])])
        step = make_step(
            calls=(settled,),
            tool_calls=(make_tool_call("c1"),),
            events=(make_event(2, "node_start", step=0, node="worker"),),
        )
        await store.record_steps(run, [step])
    await erase_thread(store, "acme", "ann", erased.thread_id)
    counts: dict[str, int] = {}
    async with store.transaction("acme") as tx:
        for table in "threads messages runs steps tool_calls run_events llm_calls".split():
            counts[table] = await tx.fetchval(f"select count(*) from {table}")
        ledger = await tx.fetchrow("select * from llm_calls where run_id is null")
    assert counts == {
        "threads": 1,
        "messages": 1,
        "runs": 1,
        "steps": 1,
        "tool_calls": 1,
        "run_events": 1,
        "llm_calls": 2,
    }
    assert ledger is not None
    assert (ledger["input_tokens"], str(ledger["cost_usd"])) == (10, "0.00012")
    assert "secret" not in str(ledger)
    with pytest.raises(NotFoundError):
        await erase_thread(store, "acme", "ann", erased.thread_id)
