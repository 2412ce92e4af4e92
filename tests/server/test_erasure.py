"""Erasing a conversation, and a user: nothing is left but the numbers of the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import asyncpg
import httpx2
import pytest

from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.store import Store
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.held import ANSWER, SAID, begin_held
from tests.server.test_tenants import load_everything

MarkRows = Callable[[httpx2.AsyncClient], Awaitable[None]]


async def sum_ledger(store: Store) -> object:
    return await store.read("acme").fetchrow(
        "select count(*) as calls, sum(input_tokens) as tokens from llm_calls"
    )


async def test_a_run_erased_while_active_writes_nothing_more(serve: Serve):
    run = await begin_held(serve)
    store = run.served.service.store
    told = SAID.encode() in await load_everything(store, "acme")
    erased = await run.ann.delete(run.path)
    run.held.open.set()
    async with asyncio.timeout(60):
        await run.stream.read_all()  # ended, or cut: whichever is seen first
    rows = await load_everything(store, "acme")

    assert (told, erased.status_code) == (True, 204)
    assert SAID.encode() not in rows
    assert ANSWER.encode() not in rows


async def replay(client: httpx2.AsyncClient, **body: Any) -> None:
    """A live replay, to its end, judged: whatever it keeps is kept then."""
    made = await client.post("/api/replays", json={"judge": "offline:", **body})
    assert made.status_code == 202, made.text

    async def is_over() -> bool:
        answer = await client.get(f"/api/replays/{made.json()['id']}")
        return answer.json()["replay"]["ended_at"] is not None

    await until(is_over)


@pytest.fixture
def mark_rows() -> MarkRows:
    """`await mark_rows(client)`: the marker in rows of the pack that serves chat."""

    async def mark(client: httpx2.AsyncClient) -> None:
        await client.post("/api/jobs", json={"company": MARKER, "title": MARKER})

    return mark


async def fill_everything(served: Served, user: str, tenant: str = "acme") -> str:
    """Rows with the marker wherever a user's words can be; a conversation's id."""
    client = await served.client(user, tenant)
    boss = await served.client("boss", tenant, is_admin=True)
    conversation = await begin(client, MARKER)
    await ask(client, conversation, f"add a job: {MARKER} at Cafe Uno")
    await rate(client, await ask(client, conversation, f"what do you think about {MARKER}?"))
    await ask(client, conversation, f"delete job 1, {MARKER}")  # which waits
    await client.post("/api/chat/onboarding/messages", json={"content": MARKER})
    await client.post("/api/keys", json={"name": MARKER})
    spoken = {"messages": [{"role": "user", "content": MARKER}, ANSWERED]}
    await replay(client)
    await replay(client, conversations=[spoken])
    await replay(boss, threads={"user_id": "*"})
    return conversation


async def rate(client: httpx2.AsyncClient, answer: dict[str, Any]) -> None:
    rating = {"rating": "down", "note": MARKER}
    told = await client.put(f"/api/runs/{answer['run_id']}/rating", json=rating)
    assert told.status_code == 200, told.text


MARKER = "Xylophonist"
UNUSED = """
select count(*) from prompt_texts
where not exists (select from llm_calls where hash in (system_hash, tools_hash))
"""
ANSWERED = {"role": "assistant", "content": f"{MARKER}, indeed"}


async def find_marked(served: Served) -> list[str]:
    """The tables, partitions included, any column of which still has the marker."""
    assert served.settings.get_table(DatabaseSettings).url is not None
    # As the owner: no policy hides a row from the search.
    connection = await asyncpg.connect(served.settings.get_table(DatabaseSettings).url.reveal())
    try:
        tables = await connection.fetch(
            "select c.relname::text as name from pg_class c where c.relkind in ('r', 'p', 'm') "
            "and c.relnamespace = 'public'::regnamespace order by 1"
        )
        found: list[str] = []
        for table in tables:
            rows = await connection.fetch(f'select * from "{table["name"]}"')
            text = " ".join(repr(value) for row in rows for value in row.values())
            if MARKER.lower() in text.lower():
                found.append(table["name"])
        return found
    finally:
        await connection.close()


async def test_an_erased_user_is_in_no_column_of_any_table(
    serve: Serve, all_packs: tuple[str, ...], mark_rows: MarkRows
):
    served = await serve(packs=all_packs, requests_per_minute=10**6)
    for user, by_admin in (("ann", False), ("team/ann", True)):
        await fill_everything(served, user)
        await mark_rows(await served.client(user))
        eraser = await served.client("boss" if by_admin else user, is_admin=by_admin)
        assert len(marked := await find_marked(served)) >= 9 and "ratings" in marked

        spent = await sum_ledger(served.service.store)
        name = quote(user, safe="") if by_admin else "me"
        assert (await eraser.delete(f"/api/users/{name}")).status_code == 204
        assert await find_marked(served) == []
        assert await sum_ledger(served.service.store) == spent
    assert (await eraser.delete("/api/users/me")).status_code == 204
    db = served.service.store.read("acme")
    owners = await db.fetch("select distinct user_id from llm_calls")
    assert {row["user_id"] for row in owners} == {"", "replay"}, "numbers of nobody"
    assert await db.fetchval(UNUSED) == 0


async def test_users_me_always_means_the_caller(served: Served):
    boss = await served.client("boss", is_admin=True)
    me = await served.client("me")
    await begin(me, MARKER)
    await begin(boss, "the boss's")

    assert (await boss.delete("/api/users/me")).status_code == 204
    assert (await boss.get("/api/chat/conversations")).json()["conversations"] == []
    assert len((await me.get("/api/chat/conversations")).json()["conversations"]) == 1
    assert (await boss.delete("/api/users?user_id=me")).status_code == 204
    assert await find_marked(served) == []
    assert (await me.delete("/api/users?user_id=boss")).status_code == 403
    for user, path in (
        ("a?b#c%2Fd", "/api/users/a%3Fb%23c%252Fd"),
        ("..", "/api/users?user_id=.."),
    ):
        await begin(await served.client(user), MARKER)
        assert await find_marked(served) != []
        assert (await boss.delete(path)).status_code == 204
        assert await find_marked(served) == []


async def test_an_erased_conversation_is_in_no_column_of_any_table(
    served: Served, ann: httpx2.AsyncClient
):
    boss = await served.client("boss", is_admin=True)
    conversation = await begin(ann, MARKER)
    await rate(ann, await ask(ann, conversation, f"what do you think about {MARKER}?"))
    await replay(ann)
    await replay(boss, threads={"user_id": "*"})
    assert len(marked := await find_marked(served)) >= 6 and "ratings" in marked

    spent = await sum_ledger(served.service.store)
    assert (await ann.delete(f"/api/chat/conversations/{conversation}")).status_code == 204
    assert await find_marked(served) == []
    assert conversation.encode() not in await load_everything(served.service.store, "acme")
    assert await sum_ledger(served.service.store) == spent
