"""Erasing a conversation, and a user: nothing is left but the numbers of the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import asyncpg
import httpx2
import pytest

from plainloop.agent.store.store import Store
from tests.server.conftest import Serve, Served, ask, begin, until
from tests.server.events import RawStream
from tests.server.test_conversations import Held, make_held_script
from tests.server.test_tenants import load_everything

MarkRows = Callable[[httpx2.AsyncClient], Awaitable[None]]
SECRET_TEXT = "Xylophonist at Zyzzyva Hall"


async def fill(served: Served, user: str = "ann") -> str:
    """A conversation, an interview and jobs; each names what must be gone."""
    client = await served.client(user)
    conversation = await begin(client, f"about {SECRET_TEXT}")
    await ask(client, conversation, f"add a job: {SECRET_TEXT}")
    await ask(client, conversation, f"what do you think about {SECRET_TEXT}?")
    await client.post("/api/chat/onboarding/messages", json={"content": SECRET_TEXT})
    return conversation


async def sum_ledger(store: Store) -> object:
    return await store.read("acme").fetchrow(
        "select count(*) as calls, sum(input_tokens) as tokens from llm_calls"
    )


async def test_a_user_leaves_nothing_but_numbers(served: Served):
    store = served.service.store
    await fill(served)
    kept = await fill(served, "bob")
    spent = await sum_ledger(store)
    ann, bob = await served.client("ann"), await served.client("bob")
    erased = await ann.delete("/api/users/me")
    rows = await load_everything(store, "acme")
    owners = await store.read("acme").fetch("select distinct user_id from llm_calls")

    assert erased.status_code == 204
    assert b'"ann"' not in rows
    assert await sum_ledger(store) == spent
    assert {row["user_id"] for row in owners} == {"", "bob"}
    assert (await ann.get("/api/chat/conversations")).json()["conversations"] == []
    read = (await bob.get(f"/api/chat/conversations/{kept}")).json()
    assert SECRET_TEXT in read["messages"][0]["content"]

    await bob.delete("/api/users/me")
    rows = await load_everything(store, "acme")
    assert SECRET_TEXT.encode() not in rows
    assert b"Zyzzyva" not in rows
    assert await sum_ledger(store) == spent
    prompts = await store.read("acme").fetchval("select count(*) from prompt_texts")
    assert prompts == 0


async def test_a_conversation_goes_with_all_that_it_held(served: Served):
    store = served.service.store
    ann = await served.client("ann")
    conversation = await begin(ann, "about Zyzzyva")
    await ask(ann, conversation, "what do you think about Zyzzyva Hall?")
    spent = await sum_ledger(store)
    erased = await ann.delete(f"/api/chat/conversations/{conversation}")
    rows = await load_everything(store, "acme")

    assert erased.status_code == 204
    assert b"Zyzzyva" not in rows
    assert conversation.encode() not in rows
    assert await sum_ledger(store) == spent


async def test_a_run_that_is_erased_while_it_works_writes_nothing_more(serve: Serve):
    held = Held()
    served = await serve(*make_held_script(held))
    ann = await served.client()
    conversation = await begin(ann)
    path = f"/api/chat/conversations/{conversation}"
    body = {"content": "tell me of Zyzzyva and its work"}
    stream = await RawStream.open(served.url, f"{path}/messages", served.token(), body=body)
    await held.asked.wait()
    erased = await ann.delete(path)
    held.release.set()
    async with asyncio.timeout(60):
        await stream.read_all()  # ended, or cut: whichever is seen first
    rows = await load_everything(served.service.store, "acme")

    assert erased.status_code == 204
    assert b"Zyzzyva" not in rows
    assert b"at last, all of it" not in rows


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
    await ask(client, conversation, f"what do you think about {MARKER}?")
    waiting = await client.post(
        f"/api/chat/conversations/{conversation}/messages",
        json={"content": f"delete job 1, {MARKER}"},
        headers={"accept": "application/json"},
    )
    assert waiting.status_code == 200, waiting.text
    await client.post("/api/chat/onboarding/messages", json={"content": MARKER})
    await client.post("/api/keys", json={"name": MARKER})
    spoken = {"messages": [{"role": "user", "content": MARKER}, ANSWERED]}
    await replay(client)
    await replay(client, conversations=[spoken])
    await replay(boss, threads={"user_id": "*"})
    return conversation


MARKER = "Xylophonist"
ANSWERED = {"role": "assistant", "content": f"{MARKER}, indeed"}


async def find_marked(served: Served) -> list[str]:
    """The tables, partitions included, any column of which still has the marker."""
    assert served.settings.database.url is not None
    # As the owner: no policy hides a row from the search.
    connection = await asyncpg.connect(served.settings.database.url.reveal())
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


async def test_nothing_of_an_erased_user_is_in_any_column_of_any_table(
    serve: Serve, all_packs: tuple[str, ...], mark_rows: MarkRows
):
    served = await serve(packs=all_packs, requests_per_minute=10**6)
    for user, by_admin in (("ann", False), ("team/ann", True)):
        await fill_everything(served, user)
        await mark_rows(await served.client(user))
        eraser = await served.client("boss" if by_admin else user, is_admin=by_admin)
        assert len(await find_marked(served)) >= 8

        name = quote(user, safe="") if by_admin else "me"
        assert (await eraser.delete(f"/api/users/{name}")).status_code == 204
        assert await find_marked(served) == []


async def test_me_is_oneself_also_for_an_admin_and_a_user_of_that_name_has_another_path(
    serve: Serve,
):
    served = await serve()
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


async def test_nothing_of_an_erased_conversation_is_in_any_column_of_any_table(serve: Serve):
    served = await serve()
    ann = await served.client("ann")
    boss = await served.client("boss", is_admin=True)
    conversation = await begin(ann, MARKER)
    await ask(ann, conversation, f"what do you think about {MARKER}?")
    await replay(ann)
    await replay(boss, threads={"user_id": "*"})
    assert len(await find_marked(served)) >= 5

    assert (await ann.delete(f"/api/chat/conversations/{conversation}")).status_code == 204
    assert await find_marked(served) == []
