"""Threads of equal texts, repeated requests and suspended calls are found by their user only."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.approvals import answer_client_call
from plainloop.agent.store.clients.names import Place
from plainloop.agent.store.records import Run, ThreadInfo, WaitStart
from plainloop.agent.store.store import Store
from plainloop_frontends.openai.lookups import (
    change_options,
    find_end,
    find_waiting_threads,
    is_known_call,
    save_end,
    save_sent,
    take_sent,
)
from tests.core.store_samples import answer, begin_run, create_thread
from tests.core.test_store_approvals import GIVEN, ask, request
from tests.core.test_store_growth import FILL, MANY, READ

DIGEST = "ab" * 32


@pytest.fixture
async def thread(store: Store) -> ThreadInfo:
    return await create_thread(store)


@pytest.fixture
async def run(store: Store, thread: ThreadInfo) -> Run:
    return await begin_run(store, thread)


async def end_run(store: Store, thread: ThreadInfo) -> str:
    run = await begin_run(store, thread)
    await answer(store, run)
    return run.run_id


async def test_of_equal_histories_the_latest_open_thread_is_found(store: Store):
    followed, open_ended = await create_thread(store), await create_thread(store)
    for thread in (followed, open_ended):
        run_id = await end_run(store, thread)
        async with store.transaction("acme") as tx:
            await save_end(tx, "ann", "chat", DIGEST, thread.thread_id, run_id)
    await end_run(store, followed)

    async with store.transaction("acme") as tx:
        assert await find_end(tx, "ann", "chat", DIGEST) == Place(open_ended.thread_id, 2)
        assert await find_end(tx, "bob", "chat", DIGEST) is None
        assert await find_end(tx, "ann", "other", DIGEST) is None
        assert await find_end(tx, "ann", "chat", "cd" * 32) is None


async def test_a_thread_with_a_waiting_run_is_found_for_its_reply(store: Store):
    waiting, idle = await create_thread(store), await create_thread(store)
    for thread in (waiting, idle):
        run_id = await end_run(store, thread)
        async with store.transaction("acme") as tx:
            await save_end(tx, "ann", "chat", DIGEST, thread.thread_id, run_id)
    run = await begin_run(store, waiting)
    async with store.transaction("acme") as tx:
        sql = (
            "update runs set status = 'waiting', owner = null where run_id = $1 and tenant_id = $2"
        )
        await tx.execute(sql, run.run_id, "acme")
        meant = await find_end(tx, "ann", "chat", DIGEST, is_waiting=True)
        plain = await find_end(tx, "ann", "chat", DIGEST)
    assert meant and plain
    assert (meant.thread_id, plain.thread_id) == (waiting.thread_id, idle.thread_id)


async def test_a_thread_is_found_without_reading_other_runs(store: Store, run: Run):
    await store.read("acme").execute(FILL, MANY, "00")
    async with store.database.connection() as connection:
        await connection.execute("analyze")
    async with store.transaction("acme") as tx:
        await save_end(tx, "ann", "chat", DIGEST, run.thread_id, run.run_id)
        before = await tx.fetchval(READ)
        assert await find_end(tx, "ann", "chat", DIGEST) == Place(run.thread_id, 1)
        read = await tx.fetchval(READ) - before
    assert read < 100, read


async def test_a_repeated_request_joins_the_first_ones_run_once(store: Store, thread: ThreadInfo):
    key, whose = f"sent:{make_id()}", ("ann", DIGEST)
    async with store.transaction("acme") as tx:
        await save_sent(tx, *whose, key, 0, thread.thread_id, 60.0)
        taken = [
            await take_sent(tx, "bob", DIGEST, 1, 60.0),
            await take_sent(tx, "ann", "cd" * 32, 1, 60.0),
            await take_sent(tx, *whose, 0, 60.0),
            await take_sent(tx, *whose, 1, 60.0),
            await take_sent(tx, *whose, 1, 60.0),
            await take_sent(tx, *whose, 2, 60.0),
        ]
    assert taken == [None, None, None, key, None, key]


async def test_an_old_equal_request_starts_a_new_run(store: Store, thread: ThreadInfo):
    old, new = f"sent:{make_id()}", f"sent:{make_id()}"
    async with store.transaction("acme") as tx:
        await save_sent(tx, "ann", DIGEST, old, 0, thread.thread_id, 60.0)
    async with store.transaction("acme") as tx:
        assert await take_sent(tx, "ann", DIGEST, 1, 0.0) is None
        await save_sent(tx, "ann", "cd" * 32, new, 0, thread.thread_id, 0.0)
        assert await take_sent(tx, "ann", DIGEST, 1, 60.0) is None  # forgotten
        assert await take_sent(tx, "ann", "cd" * 32, 1, 60.0) == new


async def test_a_waiting_calls_thread_is_found_only_by_its_user(store: Store, run: Run):
    await ask(store, run, request("c1", is_client=True), request("c2"))
    async with store.transaction("acme") as tx:
        assert await find_waiting_threads(tx, "ann", ["c9", "c1"]) == [run.thread_id]
        assert await find_waiting_threads(tx, "bob", ["c1"]) == []
        assert await find_waiting_threads(tx, "ann", ["c2"]) == []
        await answer_client_call(tx, "ann", run.run_id, "c1", GIVEN)
        assert await find_waiting_threads(tx, "ann", ["c1"]) == []
        assert await is_known_call(tx, "ann", ["c9", "c1"]) is True
        assert await is_known_call(tx, "bob", ["c1"]) is False
        assert await is_known_call(tx, "ann", ["c2"]) is False


async def test_options_change_while_a_run_is_suspended_and_never_while_it_works(
    store: Store, run: Run
):
    async def change(user_id: str = "ann", **changed: Any) -> dict[str, Any] | None:
        async with store.transaction("acme") as tx:
            await change_options(tx, user_id, run.run_id, changed)
            sql = "select options from runs where run_id = $1"
            return await tx.fetchval(sql, run.run_id)

    assert await change(tells_arguments=True) is None
    await store.queue.park(run, WaitStart(2, [request("c1")], 60.0, [], ()))
    assert await change("bob", tells_arguments=True) is None
    first = await change(tells_arguments=True)
    second = await change(trace_parent="t")
    assert first is not None and second is not None
    assert first["tells_arguments"] is True and "trace_parent" not in first
    assert {key: second[key] for key in ("tells_arguments", "trace_parent")} == {
        "tells_arguments": True,
        "trace_parent": "t",
    }


async def test_options_of_an_invalid_run_id_are_a_clear_error(store: Store):
    async with store.transaction("acme") as tx:
        with pytest.raises(NotFoundError, match="no such run: x"):
            await change_options(tx, "ann", "x", {})
