"""Erasing a conversation, and a user: nothing is left but the numbers of the ledger."""

from __future__ import annotations

import asyncio

from plainloop.agent.store.store import Store
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.events import RawStream
from tests.server.test_conversations import Held, make_held_script
from tests.server.test_tenants import load_everything

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
