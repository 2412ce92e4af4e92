"""Strangers on every route that there is, with memories of ann's: they see and change nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import httpx2
import pytest

from plainloop.agent.base.ids import make_id
from plainloop.agent.config.settings import Settings
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from plainloop_memory import pack
from plainloop_memory.store import NewMemory, list_memories, save_memory
from tests.server.conftest import Serve, Served
from tests.server.test_tenants import (
    STRANGERS,
    KeepSecret,
    Owned,
    fill,
    test_no_route_answers_without_a_token,
    test_no_route_serves_another_tenants_data,
    test_only_an_admin_can_act_for_other_users,
    test_stored_events_are_sent_only_to_their_owner,
)

__all__ = [
    "fill",
    "test_no_route_serves_another_tenants_data",
    "test_stored_events_are_sent_only_to_their_owner",
    "test_no_route_answers_without_a_token",
    "test_only_an_admin_can_act_for_other_users",
]


@pytest.fixture
async def served(serve: Serve) -> Served:
    return await serve()


@pytest.fixture
def keep_secret() -> KeepSecret:
    async def keep(client: httpx2.AsyncClient) -> Owned:
        secret = {"company": "Secret Cafe", "title": "Cook"}
        job = (await client.post("/api/jobs", json=secret)).json()
        known = (await client.post("/api/memories", json={"text": "ann's secret seat"})).json()
        return {"job_id": str(job["job_id"]), "memory_id": str(known["memory_id"])}

    return keep


@pytest.mark.parametrize(("user", "tenant"), STRANGERS)
async def test_other_users_cannot_find_change_or_erase_memories(
    served: Served, user: str, tenant: str
):
    ann, stranger = await served.client("ann"), await served.client(user, tenant)
    made = (await ann.post("/api/memories", json={"text": "ann's secret seat"})).json()
    path = f"/api/memories/{made['memory_id']}"

    assert (await stranger.get("/api/memories")).json()["memories"] == []
    assert (await stranger.get("/api/memories?q=secret+seat")).json()["memories"] == []
    for answer in (
        await stranger.get(path),
        await stranger.patch(path, json={"text": "mine"}),
        await stranger.delete(path),
    ):
        assert answer.status_code == 404, answer.text
        assert b"secret" not in answer.content
    assert (await stranger.delete("/api/memories")).json() == {"count": 0}
    assert (await ann.get(path)).json() == made


async def test_the_memories_api_stores_one_line_of_bounded_length(served: Served):
    ann = await served.client("ann")
    for text in ("", " \n ", "x" * 301):
        answer = await ann.post("/api/memories", json={"text": text})
        assert answer.status_code == 400, answer.text
    made = (await ann.post("/api/memories", json={"text": " likes\ntea\u200b "})).json()
    again = (await ann.post("/api/memories", json={"text": "likes tea"})).json()

    assert made["text"] == "likes tea"
    assert again == made
    assert made["conversation_id"] is None
    assert (await ann.get("/api/memories/nine")).status_code == 404
    assert (await ann.get(f"/api/memories/{'9' * 30}")).status_code == 404
    assert (await ann.patch("/api/memories/999", json={"text": "x"})).status_code == 404


async def test_the_memory_limit_is_reported_to_user_and_doctor(served: Served):
    ann = await served.client("ann")
    made = [await ann.post("/api/memories", json={"text": f"fact {n}"}) for n in range(300)]
    full = await ann.post("/api/memories", json={"text": "one more"})

    assert {answer.status_code for answer in made} == {201}
    assert (full.status_code, full.json()["error"]["code"]) == (409, "MEMORY_FULL")

    stranger, boss = await served.client("eve", "other"), await served.client("b", is_admin=True)
    await stranger.post("/api/memories", json={"text": "one"})
    findings = (await boss.get("/api/system/doctor")).json()["findings"]
    told = [(item["level"], item["text"]) for item in findings if item["what"] == "memory"]
    assert told == [
        ("ok", "301 memories, of 2 users"),
        ("note", "1 user with the maximum of 300 memories"),
    ]


async def test_memory_numbers_count_per_tenant_and_are_never_reused(served: Served):
    numbers: dict[str, list[int]] = {"acme": [], "other": []}
    for tenant in ("acme", "other", "other", "acme"):
        client = await served.client("ann", tenant)
        path = "/api/memories"
        made = [(await client.post(path, json={"text": f"fact {n}"})).json() for n in range(2)]
        numbers[tenant] += [item["memory_id"] for item in made]
        assert (await client.delete(path)).json() == {"count": 2}

    assert numbers == {"acme": [1, 2, 3, 4], "other": [1, 2, 3, 4]}


async def save(store: Store, tenant: str, text: str) -> list[int]:
    """Returns: the numbers of what is kept of ann now, the newest first."""
    async with store.transaction(tenant) as tx:
        await save_memory(tx, tenant, "ann", NewMemory(f"{text} {make_id()}", False), 300)
        return [row["memory_id"] for row in await list_memories(tx, tenant, "ann")]


async def test_memory_numbering_continues_after_an_upgrade(settings: Settings, tmp_path: Path):
    own = Path(pack.__file__).parent / "migrations"
    for path in sorted(own.glob("*.sql"))[:2]:
        shutil.copy(path, tmp_path)
    store = await connect_store(settings, migration_folders=[tmp_path])
    for tenant in ("acme", "other", "acme"):
        await save(store, tenant, f"of {tenant}")
    await store.close()

    store = await connect_store(settings, migration_folders=[own])
    try:
        found = [await save(store, tenant, "new") for tenant in ("other", "acme", "other")]
    finally:
        await store.close()
    assert found == [[3, 2], [4, 3, 1], [4, 3, 2]]
