"""What a user thought of an answer: up or down, with words, and whose it is to say."""

from __future__ import annotations

from typing import Any

import httpx2

from plainloop.client import AsyncClient, Client
from tests.server.conftest import Served, ask, begin
from tests.server.conftest import ann as ann
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served

ASKED = "how many jobs do I have?"


async def rate(client: httpx2.AsyncClient, run_id: str, rating: str | None, note: str = "") -> int:
    told = {"rating": rating, "note": note}
    return (await client.put(f"/api/runs/{run_id}/rating", json=told)).status_code


async def read_ratings(client: httpx2.AsyncClient, conversation: str) -> list[Any]:
    found = (await client.get(f"/api/chat/conversations/{conversation}")).json()["ratings"]
    return [(item["run_id"], item["rating"], item["note"]) for item in found]


async def test_a_rating_can_be_changed_and_removed(ann: httpx2.AsyncClient) -> None:
    conversation = await begin(ann)
    runs = [(await ask(ann, conversation, ASKED))["run_id"] for _ in range(2)]
    assert await rate(ann, runs[0], "up") == 200
    assert await rate(ann, runs[0], "down", "it forgot one") == 200
    assert await rate(ann, runs[1], "up") == 200
    both = [(runs[0], "down", "it forgot one"), (runs[1], "up", "")]
    assert await read_ratings(ann, conversation) == both
    told = (await ann.get(f"/api/runs/{runs[0]}")).json()["rating"]
    assert (told["rating"], told["note"]) == ("down", "it forgot one")
    assert await rate(ann, runs[0], None) == 200
    assert await read_ratings(ann, conversation) == both[1:]
    assert (await ann.get(f"/api/runs/{runs[0]}")).json()["rating"] is None
    assert await rate(ann, runs[1], "great") == 422


async def test_only_the_owner_can_rate_an_answer(served: Served, ann: httpx2.AsyncClient) -> None:
    conversation = await begin(ann)
    run_id = (await ask(ann, conversation, ASKED))["run_id"]
    await rate(ann, run_id, "up")
    bob, elsewhere = await served.client("bob"), await served.client("ann", "other")
    boss = await served.client("boss", is_admin=True)
    for other in (bob, elsewhere, boss):
        assert await rate(other, run_id, "down") == 404
        await rate(other, run_id, None)
    assert await read_ratings(ann, conversation) == [(run_id, "up", "")]


async def test_the_python_clients_can_rate_answers(served: Served, ann: httpx2.AsyncClient) -> None:
    conversation = await begin(ann)
    async with AsyncClient(served.url, served.token(), trust_env=False) as client:
        events = [event async for event in client.ask(conversation, ASKED)]
        run_id = events[0].data["run_id"]
        await client.rate(run_id, "down", "no")
    assert await read_ratings(ann, conversation) == [(run_id, "down", "no")]
    assert Client.rate.__doc__ == AsyncClient.rate.__doc__
