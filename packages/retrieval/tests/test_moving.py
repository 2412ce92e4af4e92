"""A tenant's documents move with it; a user's erasure leaves them; a tenant's takes them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from packages.retrieval.tests.answering import HANDBOOK, open_desk
from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.erasure import erase_user_rows
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from plainloop_operations.moving.carrying import erase_tenant, export_tenant, import_tenant
from plainloop_retrieval import store as documents
from plainloop_retrieval.search import find_passages
from tests.fixtures import list_pack_migrations


@pytest.fixture
async def target(settings: Settings, empty_database_url: str) -> AsyncIterator[Store]:
    there = settings.change(DatabaseSettings, url=Secret(empty_database_url))
    store = await connect_store(there, migration_folders=list_pack_migrations())
    yield store
    await store.close()


async def test_moving_a_tenant_moves_its_documents(
    settings: Settings, store: Store, target: Store, tmp_path: Path
):
    embeds = await documents.has_vectors(store.read("t1"))
    desk = open_desk(settings, store, embeds=embeds)
    await desk.add("handbook.md", HANDBOOK)
    await desk.add("other.md", "Holiday of others.", "t2")
    before = await documents.list_documents(store.read("t1"), "desk")

    await export_tenant(store, "t1", tmp_path / "t1", 60)
    await import_tenant(target, tmp_path / "t1")
    there = open_desk(settings, target, embeds=embeds)
    async with there.open() as ctx:
        found = await find_passages(ctx, there.knowledge, "holiday")
    assert await documents.list_documents(target.read("t1"), "desk") == before
    assert found.rows[0]["name"] == "handbook.md"
    assert await documents.list_documents(target.read("t2"), "desk") == []

    await erase_tenant(store.database, "t1")
    assert await documents.list_documents(store.read("t1"), "desk") == []
    assert len(await documents.list_documents(store.read("t2"), "desk")) == 1


async def test_erasing_a_user_keeps_the_tenants_documents(settings: Settings, store: Store):
    desk = open_desk(settings, store)
    await desk.add("handbook.md", HANDBOOK)
    async with store.transaction("t1") as tx:
        await erase_user_rows(tx, "u1")
    assert len(await documents.list_documents(store.read("t1"), "desk")) == 1
