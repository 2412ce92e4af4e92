"""Conversations found again: by what was said, when, by whom it was answered and how that went."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.server.conftest import Serve, Served, ask, begin

PATH = "/api/chat/conversations"


async def get_titles(client: Any, **query: Any) -> list[str]:
    answer = await client.get(PATH, params=query)
    assert answer.status_code == 200, answer.text
    return sorted(item["title"] for item in answer.json()["conversations"])


async def test_filters_match_conversations_with_one_run_fitting_all(ann: httpx2.AsyncClient):
    told = {"adds": "add a job: Cook at Cafe Uno", "counts": "how many jobs do I have?"}
    ids = {title: await begin(ann, title) for title in (*told, "deletes", "empty")}
    for title, said in told.items():
        await ask(ann, ids[title], said, tags=[f"of-{title}"])
    await ask(ann, ids["deletes"], "delete job 1")
    begun = (await ann.get(f"{PATH}/{ids['counts']}")).json()["conversation"]["created_at"]

    for query, titles in (
        ({"worker": "crm_worker"}, ["adds", "deletes"]),
        ({"tool": "create_job"}, ["adds"]),
        ({"intent": "count"}, ["counts"]),
        ({"design": "default"}, ["adds", "counts", "deletes"]),
        ({"design": "react"}, []),
        ({"status": "waiting"}, ["deletes"]),
        ({"status": "succeeded", "worker": "crm_worker"}, ["adds"]),
        ({"tag": "of-counts"}, ["counts"]),
        ({"tag": "of-counts", "tool": "create_job"}, []),
        ({"text": "CAFE uno", "status": "succeeded"}, ["adds"]),
        ({"since": begun}, ["counts", "deletes", "empty"]),
        ({"until": begun}, ["adds"]),
        ({}, ["adds", "counts", "deletes", "empty"]),
    ):
        assert await get_titles(ann, **query) == titles, query
    first = (await ann.get(PATH, params={"design": "default", "limit": 2})).json()
    more = {"design": "default", "limit": 2, "cursor": first["next_cursor"]}
    rest = (await ann.get(PATH, params=more)).json()
    shown = [item["title"] for item in first["conversations"] + rest["conversations"]]
    assert (shown, rest["next_cursor"]) == (["deletes", "counts", "adds"], None)
    everything = (await ann.get(PATH)).json()["conversations"]
    assert {item["title"]: item["last_status"] for item in everything} == {
        "adds": "succeeded",
        "counts": "succeeded",
        "deletes": "waiting",
        "empty": None,
    }
    assert (await ann.get(PATH, params={"status": "asleep"})).status_code == 422


async def test_words_are_searchable_once_a_conversation_is_idle(served: Served):
    ann, eve = await served.client("ann"), await served.client("eve", "umbrella")
    await ask(ann, await begin(ann, "adds"), "add a job: Cook at Café Uno")
    async with served.service.store.transaction("acme") as tx:
        await tx.execute("update threads set updated_at = updated_at - interval '1 hour'")
    count = "select count(*) from message_signatures"

    for _ in range(2):
        assert await get_titles(ann, text="at CAFÉ u") == ["adds"]
        assert await get_titles(ann, text="at Café Due") == []
        assert await get_titles(eve, text="at CAFÉ u") == []
        assert await served.service.store.read("acme").fetchval(count) == 1


async def test_a_search_finds_words_in_any_order_in_title_and_message(served: Served):
    ann = await served.client("ann")
    await ask(ann, await begin(ann, "Salary at Ostrava"), "add a job: Cook at Cafe Uno")
    await ask(ann, await begin(ann, "Letters"), "how many contacts do I have in Ostrava?")

    for text, titles in (
        ("ostrava  SALARY", ["Salary at Ostrava"]),
        ("uno cook", ["Salary at Ostrava"]),
        ("uno salary", ["Salary at Ostrava"]),
        ("contacts salary", []),  # in two conversations
        ("ostrava", ["Letters", "Salary at Ostrava"]),
    ):
        assert await get_titles(ann, text=text) == titles, text
    for text, hit in (("uno salary", "Cafe Uno"), ("salary ostrava", None)):
        [found] = (await ann.get(PATH, params={"text": text})).json()["conversations"]
        assert found["hit"] is None if hit is None else hit in found["hit"]


async def test_a_search_finds_only_text_that_it_can_show(served: Served):
    ann, eve = await served.client("ann"), await served.client("eve", "umbrella")
    said = await begin(ann, "said")
    await ask(ann, said, "add a job: Cook at Cafe Uno")
    await ask(ann, await begin(ann, "counts"), "how many jobs do I have?")
    file = {"name": "menu.txt", "media_type": "text/plain", "data": "dW5v"}
    await ask(ann, await begin(ann, "a file"), "how many contacts?", files=[file])

    # Stored with the messages, but no text of them: types, ids, names of tools, contents of files.
    for hidden in ("create_job", "tool_call", '"text"', "dW5v", "media_type"):
        assert await get_titles(ann, text=hidden) == [], hidden
    for text, title in (("cafe uno", "said"), ("menu.t", "a file")):
        found = (await ann.get(PATH, params={"text": text})).json()["conversations"]
        assert [item["title"] for item in found] == [title]
        assert text in found[0]["hit"].lower()
        assert await get_titles(eve, text=text) == []


async def test_an_admin_can_search_only_the_own_tenant(served: Served):
    ann, bob = await served.client("ann"), await served.client("bob")
    boss = await served.client("boss", is_admin=True)
    other = await served.client("eve", "umbrella", is_admin=True)
    for client, title in ((ann, "ann's"), (bob, "bob's")):
        await ask(client, await begin(client, title), "add a job: Cook at Cafe Uno")
    waiting = await ask(bob, await begin(bob, "more"), "delete job 1")
    [asked] = waiting["approvals"]

    assert await get_titles(boss) == []
    assert await get_titles(boss, user_id="*") == ["ann's", "bob's", "more"]
    assert await get_titles(boss, user_id="bob", status="waiting") == ["more"]
    assert await get_titles(ann, user_id="ann") == ["ann's"]
    assert await get_titles(other, user_id="*") == await get_titles(other, user_id="ann") == []
    for path in (PATH, "/api/approvals"):
        assert (await ann.get(path, params={"user_id": "bob"})).status_code == 403
    for user_id, count in (("*", 1), ("bob", 1), ("ann", 0)):
        listed = (await boss.get("/api/approvals", params={"user_id": user_id})).json()
        assert listed == {"approvals": [asked] * count}  # without the title of a chat of others
    listed = (await bob.get("/api/approvals")).json()
    assert listed == {"approvals": [{**asked, "title": "more"}]}
    assert (await other.get("/api/approvals", params={"user_id": "*"})).json() == {"approvals": []}


async def test_search_texts_are_never_interpreted_as_sql(serve: Serve):
    ann = await (await serve()).client()
    await begin(ann, "mine")

    for name in ("worker", "tool", "design", "tag"):
        assert await get_titles(ann, **{name: "' or true --"}) == [], name
