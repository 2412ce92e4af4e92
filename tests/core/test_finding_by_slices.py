"""Words are found by letters that are looked up, however many conversations a tenant has.

PLAINLOOP_SEARCH_THREADS (640) is how many; for times of a rare, a frequent and an absent word run
it with `-s`.
"""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from plainloop.agent.store import api, signing
from plainloop.agent.store.signing import sign_messages, turn_bits
from plainloop.agent.store.store import Store
from tests.core.store_samples import erase_thread, make_text
from tests.core.test_finding_words import SAID, WANTED, find, rest

THREADS = int(os.environ.get("PLAINLOOP_SEARCH_THREADS", "640"))
FILL = (
    """
    insert into threads
        (tenant_id, user_id, thread_id, title, pack, kind, next_position, updated_at)
    select 'acme', 'user ' || n % 1000, gen_random_uuid(), 'talk ' || n, 'notes', 'chat', 2,
        now() - n * interval '1 minute'
    from generate_series(1, $1) as n
    """,
    """
    insert into messages (tenant_id, thread_id, position, role, parts, tokens, tokens_before)
    select tenant_id, thread_id, n, case when n = 0 then 'user' else 'assistant' end,
        json_build_array(json_build_object('type', 'text', 'text',
            'something of ' || md5(title || n))),
        12, 12 * n
    from threads, generate_series(0, 1) as n where $1::int > 0
    """,
    """
    insert into message_signatures
        (tenant_id, thread_id, first_position, until_position, signature)
    select tenant_id, thread_id, 0, 2,
        plainloop_signature(string_agg(lower(parts::text), ' ' order by position))
    from messages where $1::int > 0 group by tenant_id, thread_id
    """,
    "update threads set is_signed = true where $1::int > 0",
)


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "SLICED_TOGETHER", 8)


async def say(store: Store, *said: str, title: str = "t", tenant: str = "acme") -> str:
    thread = await store.create_thread(tenant, "ann", title=title, pack="notes", kind="chat")
    for n, text in enumerate(said):
        message = make_text("assistant" if n % 2 else "user", text)
        await store.save_message(tenant, thread.thread_id, None, message)
    return thread.thread_id


async def sign_all(store: Store, tenant: str = "acme") -> None:
    await rest(store, tenant)
    while await sign_messages(store, tenant):
        pass


async def count(store: Store, table: str, where: str = "true", tenant: str = "acme") -> int:
    return await store.read(tenant).fetchval(f"select count(*) from {table} where {where}")


async def test_word_search_by_bit_slices_equals_search_by_signatures(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "SLICED_TOGETHER", 1000)
    for n in range(5):
        for said in SAID:
            await say(store, said, said[::-1], title=f"the {n}th")
    before = {wanted: await find(store, wanted) for wanted in (*WANTED, "the 3th", "E 2T")}
    # `type` is in each stored message, but in no text of one.
    assert [wanted for wanted, ids in before.items() if not ids] == ["zz", "type", WANTED[-1]]
    await rest(store)
    assert [await sign_messages(store, "acme") for _ in range(2)] == [20, 20]
    assert {wanted: await find(store, wanted) for wanted in before} == before, "by signatures"
    monkeypatch.setattr(signing, "SLICED_TOGETHER", 8)
    for _ in range(5):
        await sign_messages(store, "acme")

    assert await count(store, "message_signatures", "slice is not null") == 40
    assert await count(store, "threads", "is_signed") == 40
    assert {wanted: await find(store, wanted) for wanted in before} == before


@pytest.mark.usefixtures("small_slices")
async def test_word_search_matches_changed_titles_and_later_messages(store: Store) -> None:
    threads = [await say(store, "hedgehog", title=f"about {n}") for n in range(8)]
    await sign_all(store)
    assert await count(store, "message_slices") > 0
    await store.rename_thread("acme", "ann", threads[3], "of wombats")
    await store.save_message("acme", threads[5], None, make_text("assistant", "and a wallaby"))

    assert await find(store, "wombats") == [threads[3]]
    assert await find(store, "about 3") == []
    assert await find(store, "wallaby") == [threads[5]]
    assert await find(store, "hedgehog") == sorted(threads)
    assert await count(store, "threads", "not is_signed") == 1
    await sign_all(store)
    assert await find(store, "wallaby") == [threads[5]]
    assert await count(store, "threads", "not is_signed") == 0


@pytest.mark.usefixtures("small_slices")
async def test_word_search_joins_words_of_titles_and_of_late_messages(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "SEARCHED_AT_ONCE", 1)  # all but the newest by the slices
    said = [f"word {n}" for n in range(signing.SIGNED_TOGETHER)]
    thread = await say(store, *said, "a hedgehog", "of burrows", title="About wombats")
    for n in range(7):
        await say(store, "a hedgehog", title=f"t {n}")
    await sign_all(store)
    assert await count(store, "message_slices") > 0

    for text in ("hedgehog wombats", "wombats about", "a wombats BURROWS"):
        assert await find(store, text) == [thread], text
    assert await find(store, "hedgehog burrows") == []  # in two messages


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("how", ["a thread", "a word"])
async def test_erased_threads_leave_no_bits_in_the_search_index(store: Store, how: str) -> None:
    threads = [await say(store, f"hedgehog {n}") for n in range(8)]
    other = [await say(store, "hedgehog", tenant="umbrella") for _ in range(8)]
    await sign_all(store)
    assert await count(store, "message_signatures", tenant="umbrella") == 0
    await sign_all(store, "umbrella")
    if how == "a thread":
        await erase_thread(store, "acme", "ann", threads.pop())
    else:
        async with store.transaction("acme") as tx:
            erase = "update messages set parts = replace(parts::text, 'hedge', 'ba')::json"
            await tx.execute(erase + " where thread_id = $1", threads[-1])

    assert await count(store, "message_slices") == 0
    assert await count(store, "message_signatures") == 7
    assert await count(store, "message_slices", tenant="umbrella") > 0
    assert await find(store, "hog") == sorted(threads)
    assert await find(store, "bahog") == ([] if how == "a thread" else threads[-1:])
    assert await find(store, "hedgehog", "umbrella") == sorted(other)


@pytest.mark.usefixtures("small_slices")
async def test_building_search_slices_does_not_wait_for_locked_threads(store: Store) -> None:
    threads = [await say(store, "hedgehog", title=f"about {n}") for n in range(8)]
    await rest(store)
    rename = "update threads set title = 'of wombats' where thread_id = $1"
    async with store.transaction("acme") as tx:
        signing_first = signing.SLICED_TOGETHER
        signing.SLICED_TOGETHER = 1000
        assert await sign_messages(store, "acme") == 8
        signing.SLICED_TOGETHER = signing_first
        await tx.execute(rename, threads[0])
        assert await sign_messages(store, "acme") == 0
        assert await count(store, "message_slices") == 0
    assert await sign_messages(store, "acme") == 0

    assert await count(store, "message_slices") > 0
    assert await find(store, "wombats") == threads[:1]


def test_search_slices_contain_the_bits_of_all_signatures() -> None:
    signatures = [bytes([n, 255 - n, 0, n * 7 % 256]) for n in range(16)]
    turned = turn_bits(signatures)
    for place in range(32):
        held = [bool(one[place // 8] << place % 8 & 128) for one in signatures]
        bits = turned.get(place, b"\0\0")
        assert [bool(bits[n // 8] << n % 8 & 128) for n in range(16)] == held


async def test_a_word_search_reads_few_threads(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    if THREADS < 10_000:
        monkeypatch.setattr(signing, "SLICED_TOGETHER", THREADS // 16 * 8)
        monkeypatch.setattr(api, "SEARCHED_AT_ONCE", 20)
    async with store.database.connection() as connection:
        for statement in FILL:
            await connection.execute(statement, THREADS, timeout=900)
        for table in ("threads", "messages", "message_signatures"):
            await connection.execute(f"vacuum analyze {table}", timeout=900)
        [rare] = await connection.fetchrow("select md5('talk 77' || 1)")
    slices = THREADS // signing.SLICED_TOGETHER
    for _ in range(slices):
        assert await sign_messages(store, "acme") == 0
    async with store.database.connection() as connection:
        await connection.execute("vacuum analyze", timeout=900)
    assert await count(store, "message_signatures", "slice is null") < signing.SLICED_TOGETHER
    seen: list[int] = []
    fetch = type(store.read("acme")).fetch

    async def watched(self: Any, sql: str, *values: Any) -> Any:
        rows = await fetch(self, sql, *values)
        if sql == api.SQL["list_candidates"]:
            seen.append(len(rows))
        return rows

    monkeypatch.setattr(type(store.read("acme")), "fetch", watched)
    words = {"rare": rare[:12], "absent": "zzyzx and nothing", "frequent": "something"}
    words |= {"a rare title": f"talk {THREADS - 3}"}
    told: dict[str, int] = {}
    for name, word in words.items():
        began = time.perf_counter()
        page = api.ConversationFilter(word)
        found = await api.list_conversations(store.read("acme"), None, "chat", 21, None, page)
        told[name] = len(found)
        print(f"{THREADS:,} threads, {name}: {1000 * (time.perf_counter() - began):.0f} ms")

    assert told == {"rare": 1, "absent": 0, "frequent": 21, "a rare title": told["a rare title"]}
    assert told["a rare title"] >= 1
    assert sum(seen) < THREADS / 4
