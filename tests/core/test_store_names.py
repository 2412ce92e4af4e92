"""Clients' own names of threads and messages, equal conversations, repeated requests, branches."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.clients.branches import find_fork
from plainloop.agent.store.clients.names import (
    Place,
    find_place,
    fork_thread,
    load_positions,
    save_place,
)
from plainloop.agent.store.clients.pasts import append_messages, list_texts
from plainloop.agent.store.records import ThreadInfo
from plainloop.agent.store.store import Store
from tests.core.store_samples import answer, begin_run, create_thread, get_texts, make_text

DIGEST = "ab" * 32


@pytest.fixture
async def thread(store: Store) -> ThreadInfo:
    """A thread with a question and its answer."""
    made = await create_thread(store)
    await answer(store, await begin_run(store, made, "hello"), "hi")
    return made


async def test_a_clients_conversation_name_is_scoped_to_user_and_protocol(
    store: Store, thread: ThreadInfo
):
    place, whole = Place(thread.thread_id, 1), Place(thread.thread_id, None)
    async with store.transaction("acme") as tx:
        await save_place(tx, "ann", "ui", "chat 1", place)
        found = [
            await find_place(tx, user_id, space, name)
            for user_id, space, name in (
                ("ann", "ui", "chat 1"),
                ("bob", "ui", "chat 1"),
                ("ann", "a2a", "chat 1"),
                ("ann", "ui", "chat 2"),
            )
        ]
        await save_place(tx, "ann", "ui", "chat 1", whole)
        assert await find_place(tx, "ann", "ui", "chat 1") == whole
    async with store.transaction("umbrella") as tx:
        assert await find_place(tx, "ann", "ui", "chat 1") is None
    assert found == [place, None, None, None]


async def test_long_conversation_names_are_distinguished_completely(
    store: Store, thread: ThreadInfo
):
    names = ["n" * 255, "n" * 256, "n" * 300 + "a", "n" * 300 + "b"]
    async with store.transaction("acme") as tx:
        for position, name in enumerate(names):
            await save_place(tx, "ann", "ui", name, Place(thread.thread_id, position))
        found = [await find_place(tx, "ann", "ui", name) for name in names]
    assert found == [Place(thread.thread_id, position) for position in range(4)]


async def test_a_branch_begins_with_the_first_messages_and_their_names(
    store: Store, thread: ThreadInfo
):
    space = f"ui.message:{thread.thread_id}"
    async with store.transaction("acme") as tx:
        for name, position in (("m0", 0), ("m1", 1)):
            await save_place(tx, "ann", space, name, Place(thread.thread_id, position))
        branch = await fork_thread(tx, "ann", thread.thread_id, 1)
        own = [f"ui.message:{branch.thread_id}"]
        names = await load_positions(tx, "ann", own, branch.thread_id)
        before = await load_positions(tx, "ann", [space], thread.thread_id)
        forks = [await find_fork(tx, "ann", it.thread_id) for it in (branch, thread)]
        assert await find_fork(tx, "bob", branch.thread_id) is None

    assert (branch.messages, branch.user_id, branch.pack) == (1, "ann", "tracker")
    assert get_texts(await store.load_messages("acme", branch.thread_id)) == ["hello"]
    assert get_texts(await store.load_messages("acme", thread.thread_id)) == ["hello", "hi"]
    assert (names, before) == ({"m0": 0}, {"m0": 0, "m1": 1})
    assert forks == [thread.thread_id, None]


@pytest.mark.parametrize(("user_id", "position"), [("ann", 3), ("bob", 1)])
async def test_branching_at_an_invalid_position_or_another_users_thread_fails(
    store: Store, thread: ThreadInfo, user_id: str, position: int
):
    async with store.transaction("acme") as tx:
        with pytest.raises(NotFoundError, match=f"no such thread: {thread.thread_id}"):
            await fork_thread(tx, user_id, thread.thread_id, position)


async def test_the_newest_texts_are_loaded_oldest_first(store: Store, thread: ThreadInfo):
    await store.save_message("acme", thread.thread_id, None, make_text("user", "more"))
    listed: list[Any] = [
        (item.position, item.role, item.run_id is None, item.text)
        for item in await list_texts(store.read("acme"), thread.thread_id, 2)
    ]
    assert listed == [(1, "assistant", False, "hi"), (2, "user", True, "more")]
    assert await list_texts(store.read("umbrella"), thread.thread_id, 2) == []


async def test_messages_are_appended_at_the_end_of_an_idle_thread_only(
    store: Store, thread: ThreadInfo
):
    more = [make_text("user", "one"), make_text("assistant", "two")]
    async with store.transaction("acme") as tx:
        assert await append_messages(tx, thread.thread_id, 1, more) is False
        assert await append_messages(tx, thread.thread_id, 2, more) is True
    stored: Any = await store.load_messages("acme", thread.thread_id)
    assert get_texts(stored) == ["hello", "hi", "one", "two"]
    assert [item["offset"] for item in stored] == [
        sum(other["tokens"] for other in stored[:n]) for n in range(4)
    ]
    await begin_run(store, thread)
    async with store.transaction("acme") as tx:
        assert await append_messages(tx, thread.thread_id, 5, more) is False
