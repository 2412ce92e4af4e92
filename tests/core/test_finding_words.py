"""Words are found by signatures of messages: the same conversations as by reading every message.

PLAINLOOP_SEARCH_MESSAGES (600) is how many messages the tenant has, twenty in a thread.
"""

from __future__ import annotations

import os
import random
import time
from typing import Any

import asyncpg
import pytest

from plainloop.agent.store import api, signing
from plainloop.agent.store.api import ConversationFilter, list_conversations
from plainloop.agent.store.signing import sign_messages
from plainloop.agent.store.store import Store
from tests.core.store_samples import (
    create_thread,
    explain,
    make_text,
    make_tool_answer,
    make_tool_use,
)

MESSAGES = int(os.environ.get("PLAINLOOP_SEARCH_MESSAGES", "600"))
PER_THREAD = 20
FILL = """
    with made as (
        insert into threads
            (tenant_id, user_id, thread_id, title, pack, kind, next_position, updated_at)
        select 'acme', 'ann', gen_random_uuid(), 'talk ' || n, 'notes', 'chat', $2::int,
            now() - n * interval '1 hour'
        from generate_series(1, $1::int / $2::int) as n
        returning thread_id, title
    )
    insert into messages (tenant_id, thread_id, position, role, parts, tokens, tokens_before)
    select 'acme', thread_id, n, case when n % 2 = 0 then 'user' else 'assistant' end,
        json_build_array(json_build_object('type', 'text', 'text',
            title || ' ' || md5(title || n) || ' says something of ' || md5(n || title))),
        12, 12 * n
    from made, generate_series(0, $2::int - 1) as n
"""
SAID = (
    "Ein Bäcker in KÖLN sucht Leute",
    'He said "yes" \\ and 50 % more',
    "ναι, στην Αθήνα",
    "東京で仕事を探す",
    "short",
    "İstanbul'da bir iş",
    "🥐 croissants",
    "line one\nline two",
)
WANTED = (
    *("köln", "KÖLN", "Bäcker in", "yes", "he said", "50 % m", "αθήνα", "東京", "仕事を", "short"),
    *("İstanbul", "istanbul", "🥐 cro", "line two", "e", "zz", "type", "nothing of the kind"),
)


async def find(store: Store, text: str, tenant: str = "acme") -> list[str]:
    db = store.read(tenant)
    found = await list_conversations(db, None, "chat", 1000, None, ConversationFilter(text))
    return sorted(thread.thread_id for thread in found)


async def rest(store: Store, tenant: str = "acme") -> None:
    """As if nobody had written for an hour."""
    await store.read(tenant).execute(
        "update threads set updated_at = updated_at - interval '1 hour'"
    )


async def test_later_messages_and_tool_results_are_searchable(store: Store) -> None:
    thread = await create_thread(store)
    rng = random.Random(5)
    words = [f"{rng.getrandbits(64):x}" for _ in range(50)]
    for n, word in enumerate(words):
        await store.save_message("acme", thread.thread_id, None, make_text("user", word))
        if n % 7 == 0:
            await sign_messages(store, "acme")
        if n % 20 == 10:
            await rest(store)
            await sign_messages(store, "acme")
    await store.save_message("acme", thread.thread_id, None, make_tool_use("c1"))
    said = make_tool_answer("c1", {"text": "onlyatoolsaysso"})
    await store.save_message("acme", thread.thread_id, None, said)
    await rest(store)
    await sign_messages(store, "acme")

    assert [word for word in words if await find(store, word) != [thread.thread_id]] == []
    assert await find(store, "onlyatoolsaysso") == []
    rows = await store.read("acme").fetch(
        "select first_position, until_position from message_signatures order by first_position"
    )
    assert all(
        a["until_position"] == b["first_position"] for a, b in zip(rows, rows[1:], strict=False)
    )


async def test_a_long_thread_is_indexed_for_search_in_parts(store: Store) -> None:
    async with store.database.connection() as connection:
        await connection.execute(FILL, 250, 250)
        rows = await connection.fetch("select parts -> 0 ->> 'text' as text from messages")
    parts: list[int] = []
    while signed := await sign_messages(store, "acme"):
        parts.append(signed)
        for row in rows[::50]:
            assert len(await find(store, row["text"])) == 1

    assert parts == [5, 5, 3]


async def test_only_one_process_at_a_time_indexes_threads_for_search(
    store: Store, database_url: str
) -> None:
    thread = await create_thread(store)
    await store.save_message("acme", thread.thread_id, None, make_text("user", "hedgehog"))
    await rest(store)
    other: Any = await asyncpg.connect(database_url)
    try:
        async with other.transaction():
            assert await other.fetchval(signing.SQL["lock_signatures"], "acme")
            assert await sign_messages(store, "acme") == 0
            assert await find(store, "hedgehog") == [thread.thread_id]
    finally:
        await other.close()
    assert await sign_messages(store, "acme") == 1


async def test_a_word_search_reads_few_messages(store: Store) -> None:
    async with store.database.connection() as connection:
        await connection.execute(FILL, MESSAGES, PER_THREAD, timeout=900)
        await connection.execute("vacuum analyze threads, messages", timeout=900)
        [word] = await connection.fetchrow(
            "select substr(parts -> 0 ->> 'text', 1 + length(title), 12)"
            " from messages join threads using (tenant_id, thread_id) where title = 'talk 7'"
            " order by position limit 1"
        )
        none = (None, None, False, *[None] * 6, False, *[None] * 5)
        values = ("acme", "ann", "chat", None, None, 20, word.strip(), *none)
        times_ms: list[float] = []
        read: list[int] = []
        for _ in range(2):
            began = time.perf_counter()
            found = await connection.fetch(api.SQL["list_conversations"], *values)
            times_ms.append(1000 * (time.perf_counter() - began))
            assert [row["title"] for row in found] == ["talk 7"]
            nodes = await explain(connection, api.SQL["list_conversations"], *values)
            scans = [n for n in nodes if n.get("Relation Name") == "messages"]
            read.append(
                round(
                    sum(
                        n["Actual Loops"] * (n["Actual Rows"] + n.get("Rows Removed by Filter", 0))
                        for n in scans
                    )
                )
            )
            began = time.perf_counter()
            while await sign_messages(store, "acme"):
                pass
            signed_s = time.perf_counter() - began
            await connection.execute("vacuum analyze message_signatures", timeout=900)
            if read[1:]:
                break
            print(f"{MESSAGES:,} messages signed in {signed_s:.1f} s")
    print(
        f"search: {times_ms[0]:.0f} ms, with signatures {times_ms[1]:.0f} ms; messages read: {read}"
    )

    assert read[0] >= MESSAGES * 0.9
    assert read[1] <= MESSAGES / 10


@pytest.mark.parametrize("size", [2, 3, 200_000])
async def test_word_search_matches_long_and_short_messages(store: Store, size: int) -> None:
    thread = await create_thread(store)
    said = make_text("user", "q" * size)
    await store.save_message("acme", thread.thread_id, None, said)
    await rest(store)
    assert await sign_messages(store, "acme") == 1

    assert await find(store, "q" * min(size, 50)) == [thread.thread_id]
    assert await find(store, "q" * size + "q") == []
