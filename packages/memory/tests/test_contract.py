"""The memory's routes answer as `/openapi.json` tells, whatever they are sent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.conftest import Serve
from tests.server.test_contract_answers import Contract
from tests.server.test_contract_fuzz import fuzz

PATH = "/api/memories"
ODD = ["a\x00b", "\ud83d", "'; drop table memories; --", "\u202e", "𝔸" * 300, '"\\', "%"]


async def test_every_answer_matches_the_openapi_contract(serve: Serve):
    served = await serve()
    client = await served.client()
    contract = Contract((await client.get("/openapi.json")).json())
    client.event_hooks = {"response": [contract.check]}
    one = f"{PATH}/{(await client.post(PATH, json={'text': 'likes tea'})).json()['memory_id']}"
    await client.post(PATH, json={"text": "", "more": 1})
    for path in (PATH, f"{PATH}?q=tea", one, f"{PATH}/0"):
        await client.get(path)
    await client.patch(one, json={"text": "likes coffee"})
    await client.delete(one)
    await client.delete(PATH)

    assert contract.wrong == []
    own = {item for item in contract.list_operations() if item[1].startswith(PATH)}
    assert own == {item for item in contract.answered if item[1].startswith(PATH)}
    assert len(own) == 6


async def test_requests_generated_from_the_contract_cause_no_500(serve: Serve):
    served = await serve(requests_per_minute=10**9)
    client = await served.client()
    made = (await client.post(PATH, json={"text": "likes tea"})).json()
    document: dict[str, Any] = (await client.get("/openapi.json")).json()
    paths = {path: told for path, told in document["paths"].items() if path.startswith(PATH)}
    known = {"memory_id": str(made["memory_id"])}
    own = {**document, "paths": paths}

    found = await asyncio.to_thread(fuzz, own, served.url, dict(client.headers), known)

    assert found == [""] * 6


@pytest.mark.parametrize("odd", ODD)
async def test_memories_of_odd_texts_are_stored_or_refused_without_a_500(serve: Serve, odd: str):
    served = await serve()
    client = await served.client()
    wire = f'{{"text": "likes {odd}"}}'.encode("utf-8", "surrogatepass")
    if odd in ('"\\', "a\x00b"):
        wire = b'{"text": "likes \\"\\\\ \\u0000"}'
    made = await client.post(PATH, content=wire, headers={"content-type": "application/json"})
    found = await client.get(PATH, params={"q": odd.encode("utf-8", "replace").decode()})
    gone = await client.delete(PATH)

    assert made.status_code in (201, 400), made.text
    assert found.status_code in (200, 400), found.text
    assert gone.json() == {"count": int(made.status_code == 201)}
