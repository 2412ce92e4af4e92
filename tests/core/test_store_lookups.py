"""Threads and runs found by the beginnings of their ids; threads of other kinds; recordings."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.store.recordings import load_request
from plainloop.agent.store.records import RunEnd
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import (
    choose_model,
    delete_parsed_texts,
    find_newest_thread,
    find_run,
    find_thread,
    load_last_answer,
    load_last_run,
    make_interview,
)
from tests.core.store_samples import (
    answer,
    begin_run,
    create_thread,
    get_texts,
    make_call_start,
    make_settled,
    make_step,
    make_text,
)

IDS = [f"0197a0b1-93c2-7e11-8a9b-{n:012d}" for n in (100, 101, 102, 103, 200)]


async def test_a_thread_is_found_by_an_id_prefix(store: Store):
    for thread_id in IDS:
        await store.create_thread("acme", "ann", thread_id=thread_id, pack="tracker")
    async with store.transaction("acme") as tx:
        for prefix in (IDS[4], IDS[4][:-2], f"  {IDS[4][:-2].upper()} ", IDS[4].replace("-", "")):
            assert await find_thread(tx, "ann", prefix) == IDS[4]
        for user_id, prefix in (("bob", IDS[4]), ("ann", "ffff"), ("ann", "last"), ("ann", "")):
            with pytest.raises(NotFoundError, match="no such thread") as missing:
                await find_thread(tx, user_id, prefix)
            assert missing.value.hint == "`plainloop threads` lists your threads."
        with pytest.raises(InputError) as several:
            await find_thread(tx, "ann", IDS[0][:-2])
        with pytest.raises(InputError, match=rf"{IDS[1]}, {IDS[2]}, …"):
            await find_thread(tx, "ann", IDS[0][:8])
    assert several.value.code == "AMBIGUOUS_ID"
    assert several.value.hint == "Give more characters of the id."
    assert several.value.message.endswith(f": {IDS[0]}, {IDS[1]}, {IDS[2]}, …")


async def test_an_ambiguous_prefix_lists_three_threads(store: Store):
    for thread_id in IDS[:3]:
        await store.create_thread("acme", "ann", thread_id=thread_id, pack="tracker")
    async with store.transaction("acme") as tx:
        with pytest.raises(InputError) as several:
            await find_thread(tx, "ann", IDS[0][:-2])
    assert several.value.message == (
        f"several threads have ids that start with {IDS[0][:-2]}: {', '.join(IDS[:3])}"
    )


async def test_a_run_is_found_by_id_or_as_its_threads_last(store: Store):
    thread, other = await create_thread(store), await create_thread(store)
    first = await begin_run(store, thread)
    await answer(store, first)
    second = await begin_run(store, thread)
    await answer(store, second)
    last = await begin_run(store, other)
    async with store.transaction("acme") as tx:
        assert await find_run(tx, "ann", first.run_id) == first.run_id
        assert await find_run(tx, "ann", thread.thread_id) == second.run_id
        assert await load_last_run(tx, "ann") == last.run_id
        assert await load_last_run(tx, "ann", thread.thread_id) == second.run_id
        with pytest.raises(NotFoundError, match="no such run or thread: ffff"):
            await find_run(tx, "ann", "ffff")
        with pytest.raises(NotFoundError, match="there are no runs yet"):
            await load_last_run(tx, "bob")
        with pytest.raises(NotFoundError):
            await find_run(tx, "bob", first.run_id)


async def test_a_threads_model_is_chosen_and_unset_by_its_user(store: Store):
    thread = await create_thread(store)
    for model in ("openai:gpt-4.1", None):
        async with store.transaction("acme") as tx:
            await choose_model(tx, "ann", thread.thread_id, model)
        assert (await store.load_thread("acme", "ann", thread.thread_id)).model == model
    async with store.transaction("acme") as tx:
        with pytest.raises(NotFoundError):
            await choose_model(tx, "bob", thread.thread_id, "openai:gpt-4.1")


async def test_only_an_empty_chat_can_become_an_interview(store: Store):
    empty, begun = await create_thread(store), await create_thread(store)
    titled = await store.create_thread("acme", "ann", pack="tracker", title="Mine")
    await begin_run(store, begun)
    async with store.transaction("acme") as tx:
        made = [
            await make_interview(tx, user_id, thread.thread_id, pack="library", title="Welcome")
            for user_id, thread in (
                ("ann", empty),
                ("ann", titled),
                ("ann", begun),
                ("bob", empty),
                ("ann", empty),
            )
        ]
    shown = [item and (item.thread_id, item.kind, item.pack, item.title) for item in made]
    assert shown == [
        (empty.thread_id, "onboarding", "library", "Welcome"),
        (titled.thread_id, "onboarding", "library", "Mine"),
        None,
        None,
        None,
    ]


async def test_parsed_texts_are_erased_by_their_pack_and_user(store: Store):
    for user_id, pack, kind in (
        ("ann", "a", "parse"),
        ("ann", "a", "parse"),
        ("ann", "b", "parse"),
        ("bob", "a", "parse"),
        ("ann", "a", "chat"),
    ):
        newest = await store.create_thread("acme", user_id, pack=pack, kind=kind)
    async with store.transaction("acme") as tx:
        await delete_parsed_texts(tx, "ann", "a")
        assert await find_newest_thread(tx, "ann", pack="a", kind="parse") is None
        left = [
            await find_newest_thread(tx, user_id, pack=pack, kind=kind)
            for user_id, pack, kind in (("ann", "b", "parse"), ("bob", "a", "parse"))
        ]
        assert await find_newest_thread(tx, "ann", pack="a", kind="chat") == newest
    assert None not in left


async def test_the_newest_thread_is_that_with_the_newest_activity(store: Store):
    first, _ = await create_thread(store), await create_thread(store)
    await answer(store, await begin_run(store, first))
    async with store.transaction("acme") as tx:
        found = await find_newest_thread(tx, "ann", pack="tracker", kind="chat")
    assert found and (found.thread_id, found.messages) == (first.thread_id, 2)


async def test_the_last_answer_is_loaded_with_the_messages_after_it(store: Store):
    thread = await create_thread(store)
    for role, text in (("user", "a"), ("assistant", "b"), ("assistant", "c"), ("user", "d")):
        await store.save_message("acme", thread.thread_id, None, make_text(role, text))
    async with store.transaction("acme") as tx:
        assert get_texts(await load_last_answer(tx, thread.thread_id)) == ["c", "d"]


async def test_a_calls_stored_request_and_its_predecessor_are_loaded(store: Store):
    thread = await create_thread(store)
    starts: list[Any] = []
    for text in ("You are one.", "You are two."):
        run = await begin_run(store, thread)
        digest = await store.save_prompt_text("acme", "system", text)
        await store.record_call_start(start := make_call_start(run, system_hash=digest))
        calls = (make_settled(start),)
        await store.record_steps(run, [make_step(calls=calls, end=RunEnd("succeeded"))])
        starts.append(start)
    first, second = starts
    async with store.transaction("acme") as tx:
        kept = await load_request(tx, second.run_id, second.call_id)
        before = await load_request(tx, second.run_id, second.call_id, is_before=True)
        assert await load_request(tx, first.run_id, first.call_id, is_before=True) is None
        assert await load_request(tx, first.run_id, second.call_id) is None
        for run_id, call_id, what in (("x", first.call_id, "run"), (first.run_id, "x", "call")):
            with pytest.raises(NotFoundError, match=f"no such {what}: x"):
                await load_request(tx, run_id, call_id)
    assert kept and before
    assert (kept.call_id, kept.run_id, kept.system) == (
        second.call_id,
        second.run_id,
        "You are two.",
    )
    assert (kept.thread_id, kept.worker, kept.tools) == (thread.thread_id, "worker", None)
    assert (before.call_id, before.system) == (first.call_id, "You are one.")
