"""A page of conversations is read by key: as many rows as it shows, whoever has how many of them.

PLAINLOOP_LIST_THREADS (2,000) is how many threads one user has.
"""

from __future__ import annotations

import os
import time

import pytest

from plainloop.agent.store import api, threads
from plainloop.agent.store.store import Store
from tests.core.store_samples import create_thread, explain

THREADS = int(os.environ.get("PLAINLOOP_LIST_THREADS", "2000"))
PAGE = 20
FILL = """
    insert into threads (tenant_id, user_id, thread_id, title, pack, kind, updated_at)
    select 'acme', 'ann', gen_random_uuid(), 'talk ' || n, 'notes', 'chat',
        now() - n * interval '1 minute'
    from generate_series(1, $1) as n
"""


@pytest.mark.parametrize("after", [False, True], ids=["first page", "a page in the middle"])
@pytest.mark.parametrize("whose", ["a user's", "all of a user's kind", "a tenant's"])
async def test_listing_a_page_of_threads_reads_only_its_rows(
    store: Store, whose: str, after: bool
) -> None:
    await create_thread(store)
    async with store.database.connection() as connection:
        await connection.execute(FILL, THREADS, timeout=900)
        await connection.execute("analyze threads", timeout=900)
        middle = await connection.fetchrow(
            "select thread_id, updated_at from threads where title = $1", f"talk {THREADS // 2}"
        )
        place = (middle["updated_at"], middle["thread_id"]) if after else (None, None)
        user = None if whose == "a tenant's" else "ann"
        none = (None, None, None, False, *[None] * 6, False, *[None] * 5)
        sql, values = (
            (threads.SQL["list_threads"], ("acme", "ann", place[1], PAGE))
            if whose == "a user's"
            else (api.SQL["list_conversations"], ("acme", user, "chat", *place, PAGE, *none))
        )
        began = time.perf_counter()
        found = await connection.fetch(sql, *values)
        took_ms = 1000 * (time.perf_counter() - began)
        nodes = await explain(connection, sql, *values)
    print(f"{whose}, {THREADS:,} threads: {took_ms:.1f} ms")
    read = [n for n in nodes if n.get("Relation Name") == "threads" and n["Actual Loops"]]

    assert len(found) == PAGE
    assert [n["Node Type"] for n in nodes if "Sort" in n["Node Type"]] == []
    assert max(n["Actual Rows"] + n.get("Rows Removed by Filter", 0) for n in read) <= PAGE + 1
