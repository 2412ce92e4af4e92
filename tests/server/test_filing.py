"""Chats in order: versions of a message, pins, labels, and what a search found."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.server.conftest import Serve, begin
from tests.server.test_branches import PATH, answer, say


async def branch(client: httpx2.AsyncClient, conversation: str, **body: Any) -> str:
    return (await say(client, conversation, **body)).json()["conversation_id"]


async def read_versions(client: httpx2.AsyncClient, conversation: str) -> list[Any]:
    return (await client.get(f"{PATH}/{conversation}")).json()["versions"]


async def list_ids(client: httpx2.AsyncClient, **query: Any) -> list[str]:
    found = (await client.get(PATH, params=query)).json()["conversations"]
    return [item["id"] for item in found]


async def test_message_versions_are_listed_from_each_branch(serve: Serve):
    served = await serve(*[one for n in range(5) for one in answer(f"answer {n}")])
    ann, bob = await served.client(), await served.client("bob")
    first = await begin(ann)
    await say(ann, first, content="one")
    await say(ann, first, content="two")
    edited = await branch(ann, first, content="two, said better", replaces=2)
    again = await branch(ann, edited, replaces=3)
    other = await branch(ann, edited, content="another one", replaces=0)

    twos = [first, edited, again]
    ones = {"position": 0, "conversation_ids": [again, other]}  # of the same, the one used last
    for at, conversation in enumerate(twos):
        assert await read_versions(ann, conversation) == [
            ones | {"at": 0},
            {"position": 2, "conversation_ids": twos, "at": at},
        ]
    assert await read_versions(ann, other) == [ones | {"at": 1}]
    assert (await bob.get(f"{PATH}/{first}")).status_code == 404
    assert await read_versions(ann, await begin(ann)) == []


async def test_the_last_used_branch_is_listed_and_all_are_erased(serve: Serve):
    served = await serve(*[one for n in range(4) for one in answer(f"answer {n}")])
    ann = await served.client()
    alone, first = await begin(ann, "Alone"), await begin(ann, "Branched")
    await say(ann, first, content="one")
    second = await branch(ann, first, content="two", replaces=0)
    third = await branch(ann, first, content="three", replaces=0)

    assert await list_ids(ann) == [third, second, first, alone]
    assert await list_ids(ann, branches="newest") == [third, alone]
    await say(ann, first, content="and on")
    assert await list_ids(ann, branches="newest") == [first, alone]
    await ann.delete(f"{PATH}/{second}")
    assert await list_ids(ann) == [first, third, alone]
    await ann.delete(f"{PATH}/{third}", params={"branches": "all"})
    assert await list_ids(ann) == [alone]


async def test_a_search_finds_the_last_used_branch_that_has_its_words(serve: Serve):
    served = await serve(*[one for n in range(3) for one in answer(f"answer {n}")])
    ann = await served.client()
    first = await begin(ann, "Branched")
    await say(ann, first, content="in Lisbon, at the sea")
    second = await branch(ann, first, content="in Porto, at the sea", replaces=0)
    third = await branch(ann, first, content="in Faro", replaces=0)

    found = {
        words: await list_ids(ann, branches="newest", text=words)
        for words in ("Lisbon", "Porto", "at the sea", "Faro", "Branched", "at", "Braga")
    }
    assert found == {
        "Lisbon": [first],
        "Porto": [second],
        "at the sea": [second],
        "Faro": [third],
        "Branched": [third],
        "at": [second],
        "Braga": [],
    }


async def test_a_branch_keeps_its_versions_when_the_original_is_erased(serve: Serve):
    served = await serve(*[one for n in range(3) for one in answer(f"answer {n}")])
    ann = await served.client()
    first = await begin(ann)
    await say(ann, first, content="one")
    second = await branch(ann, first, content="two", replaces=0)
    third = await branch(ann, first, content="three", replaces=0)
    await ann.delete(f"{PATH}/{first}")

    assert await read_versions(ann, third) == [
        {"position": 0, "conversation_ids": [second, third], "at": 1}
    ]
    assert await list_ids(ann, branches="newest") == [third]


async def test_pins_and_labels_apply_to_a_chats_branches(serve: Serve):
    served = await serve(*[one for n in range(3) for one in answer(f"answer {n}")])
    ann, bob = await served.client(), await served.client("bob")
    chat, other = await begin(ann, "Chat"), await begin(ann, "Other")
    await say(ann, chat, content="one")
    filed = {"is_pinned": True, "labels": [" Berlin jobs ", "Berlin jobs", ""]}
    assert (await ann.patch(f"{PATH}/{chat}", json=filed)).status_code == 422
    filed["labels"] = [" Berlin jobs ", "Berlin jobs", "2026"]
    assert (await ann.patch(f"{PATH}/{chat}", json=filed)).status_code == 200
    made = await branch(ann, chat, content="two", replaces=0)

    assert await list_ids(ann, is_pinned=True) == [made, chat]
    assert await list_ids(ann, is_pinned=False) == [other]
    assert await list_ids(ann, label="Berlin jobs", branches="newest") == [made]
    assert (await ann.get("/api/chat/labels")).json() == {
        "labels": [
            {"label": "2026", "conversations": 1},
            {"label": "Berlin jobs", "conversations": 1},
        ]
    }
    await ann.patch(f"{PATH}/{made}", json={"is_pinned": False})
    assert await list_ids(ann, is_pinned=True) == []
    many = {"labels": [str(n) for n in range(11)]}
    assert (await ann.patch(f"{PATH}/{chat}", json=many)).status_code == 400
    assert (await bob.patch(f"{PATH}/{chat}", json={"is_pinned": True})).status_code == 404
    assert (await bob.get("/api/chat/labels")).json() == {"labels": []}


async def test_conversation_lists_count_user_messages_and_show_the_hit(serve: Serve):
    served = await serve(*answer("It is **Cafe Uno**, they say."), *answer("yes"))
    ann = await served.client()
    chat = await begin(ann, "Where I applied")
    await say(ann, chat, content="the name of the place, " + "please " * 20)
    await say(ann, chat, content="really?")

    async def look_for(text: str) -> dict[str, Any]:
        (found,) = (await ann.get(PATH, params={"text": text})).json()["conversations"]
        return {name: found[name] for name in ("user_message_count", "message_count", "hit")}

    counts = {"user_message_count": 2, "message_count": 4}
    assert await look_for("cafe uno") == counts | {"hit": "It is Cafe Uno, they say."}
    assert await look_for("applied") == counts | {"hit": None}
    assert await look_for("the place") == counts | {
        "hit": "the name of the place, " + ("please " * 20)[:58] + "…"
    }


async def test_what_others_said_is_neither_searched_nor_shown(serve: Serve):
    served = await serve(*answer("Try the kiwi cake"), *answer("Try the kiwi pie"))
    boss, bob = await served.client("boss", is_admin=True), await served.client("bob")
    own, others = await begin(boss, "Mine"), await begin(bob, "About plums")
    await say(boss, own, content="what is sweet?")
    await say(bob, others, content="what is sour?")

    async def find(text: str, user_id: str) -> list[tuple[str, bool]]:
        query = {"text": text, "user_id": user_id}
        found = (await boss.get(PATH, params=query)).json()["conversations"]
        return [(item["id"], item["hit"] is not None) for item in found]

    assert await find("kiwi", "*") == [(own, True)]
    assert await find("kiwi", "bob") == []
    assert await find("plums", "*") == await find("plums", "bob") == [(others, False)]
    assert await list_ids(bob, text="kiwi") == [others]
