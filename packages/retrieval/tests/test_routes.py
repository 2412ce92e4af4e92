"""`/api/knowledge`: who reads, who writes, and what another tenant sees: nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from packages.retrieval.tests.shipping import FOLDER, SHIPPED
from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.store.store import Store
from plainloop.server.settings import AuthSettings
from plainloop_retrieval import store as documents
from plainloop_retrieval.indexing import index_files, list_files
from plainloop_retrieval.search import NO_MODEL
from plainloop_retrieval.source import SHARED
from tests.server.conftest import SECRET, Served, serving

HANDBOOK = ("handbook.md", b"# Canteen\n\nLunch is at noon.\n", "text/markdown")
PACKS = ("packages.retrieval.tests.answering", "packages.retrieval.tests.shipping")

NOTHING = {"documents": [], "collections": ["desk", "shipped"]}


@pytest.fixture
async def served(settings: Settings) -> AsyncIterator[Served]:
    own = replace(
        settings.change(AuthSettings, jwt_secret=Secret(SECRET)),
        provider="offline",
        agent=replace(settings.agent, packs=PACKS),
    )
    async with serving(own) as replica:
        yield replica


async def test_documents_are_edited_by_admins_and_read_by_their_tenant(served: Served):
    admin = await served.client("ada", is_admin=True)
    colleague, stranger = await served.client("bob"), await served.client("eve", "other")

    added = await admin.post("/api/knowledge?is_outside=true", files={"file": HANDBOOK})
    listed = (await colleague.get("/api/knowledge")).json()["documents"]

    assert added.status_code == 201, added.text
    assert {**added.json(), "created_at": ""} == {
        "name": "handbook.md",
        "size_bytes": 29,
        "created_at": "",
        "passages": 1,
        "embedded": 0,
        "is_outside": True,
        "origin": "tenant",
        "problem": None,
    }
    assert listed == [added.json()]
    assert (await colleague.get("/api/knowledge/handbook.md")).json() == listed[0]
    assert (await stranger.get("/api/knowledge")).json() == NOTHING
    assert (await stranger.get("/api/knowledge/handbook.md")).status_code == 404
    for refused in (
        await colleague.post("/api/knowledge", files={"file": HANDBOOK}),
        await colleague.delete("/api/knowledge/handbook.md"),
        await colleague.get("/api/knowledge-search?query=lunch"),
    ):
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "ACCESS_DENIED")
    assert (await admin.delete("/api/knowledge/handbook.md")).status_code == 204
    assert (await admin.delete("/api/knowledge/handbook.md")).status_code == 404


async def test_changes_of_documents_are_in_the_audit_trail(served: Served):
    admin, colleague = await served.client("ada", is_admin=True), await served.client("bob")
    for _ in range(2):  # the second time nothing changes
        await admin.post("/api/knowledge?is_outside=true", files={"file": HANDBOOK})
    await admin.post("/api/knowledge", files={"file": ("empty.md", b" ", "text/markdown")})
    await colleague.post("/api/knowledge", files={"file": HANDBOOK})
    for client in (colleague, admin, admin):
        await client.delete("/api/knowledge/handbook.md")

    entries = (await admin.get("/api/audit")).json()["entries"]

    saved = {"collection": "desk", "passages": 1, "is_outside": True}
    told = [
        tuple(entry[name] for name in ("action", "target", "actor", "via", "details"))
        for entry in entries
    ]
    assert told == [
        ("document.delete", "handbook.md", "ada", "http", {"collection": "desk"}),
        ("document.save", "handbook.md", "ada", "http", saved),
    ]


async def test_the_search_api_returns_the_passages_that_workers_read(served: Served):
    admin = await served.client("ada", is_admin=True)
    foreign = await served.client("eve", "other", is_admin=True)
    await admin.post("/api/knowledge", files={"file": HANDBOOK})

    found = (await admin.get("/api/knowledge-search?query=lunch")).json()

    assert found == {
        "passages": [
            {
                "document": "handbook.md",
                "position": 1,
                "heading": "Canteen",
                "page": None,
                "text_offset": 11,
                "text": "Lunch is at noon.",
                "is_outside": False,
            }
        ],
        "words_alone": NO_MODEL,
    }
    others = (await foreign.get("/api/knowledge-search?query=lunch")).json()
    assert others == {"passages": [], "words_alone": NO_MODEL}
    assert (await foreign.delete("/api/knowledge/handbook.md")).status_code == 404


async def test_a_search_can_name_a_collection_and_refuses_unknown_ones(served: Served):
    admin = await served.client("ada", is_admin=True)
    await admin.post("/api/knowledge", files={"file": HANDBOOK})

    named = await admin.get("/api/knowledge?collection=desk")
    unknown = await admin.get("/api/knowledge?collection=none")

    assert len(named.json()["documents"]) == 1
    assert (unknown.status_code, unknown.json()["error"]["hint"]) == (
        404,
        "Existing collections: desk, shipped.",
    )


async def test_a_packs_documents_are_listed_but_cannot_be_changed(served: Served):
    async with served.service.open_context(served.service.pack, "acme", "ada") as ctx:
        await index_files(ctx, SHIPPED, SHARED, list_files(FOLDER).items())
    admin = await served.client("ada", is_admin=True)
    named = await served.client("eve", SHARED, is_admin=True)
    of = "collection=shipped"

    listed = (await admin.get(f"/api/knowledge?{of}")).json()["documents"]
    found = await admin.get(f"/api/knowledge-search?query=zeppelin&{of}")

    assert [(item["name"], item["origin"]) for item in listed] == [("air.md", "pack")]
    assert [item["document"] for item in found.json()["passages"]] == ["air.md"]
    assert (await admin.delete(f"/api/knowledge/air.md?{of}")).status_code == 404
    assert (await admin.get("/api/knowledge")).json() == NOTHING
    for refused in (
        await named.post(f"/api/knowledge?{of}", files={"file": HANDBOOK}),
        await named.delete(f"/api/knowledge/air.md?{of}"),
        await named.get(f"/api/knowledge?{of}"),
    ):
        assert refused.status_code == 409, refused.text


async def test_doctor_counts_documents(served: Served):
    admin = await served.client("ada", is_admin=True)
    stranger = await served.client("eve", "other", is_admin=True)
    for client in (admin, stranger):
        await client.post("/api/knowledge", files={"file": HANDBOOK})

    findings = (await admin.get("/api/system/doctor")).json()["findings"]

    told = [(item["level"], item["text"]) for item in findings if item["what"] == "documents"]
    alone = f"documents are searched by words only: {NO_MODEL}"
    assert told == [("ok", "2 documents, 2 passages"), ("note", alone)]


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [("empty.md", b" ", 400), ("page.png", b"\x89PNG\r\n\x1a\n", 400), ("bad.pdf", b"%PDF-x", 400)],
)
async def test_adding_an_unreadable_file_as_a_document_is_refused(
    name: str, content: bytes, status: int, served: Served
):
    admin = await served.client("ada", is_admin=True)

    answer = await admin.post("/api/knowledge", files={"file": (name, content, "text/plain")})

    assert answer.status_code == status, answer.text
    assert (await admin.get("/api/knowledge")).json() == NOTHING


async def test_document_routes_exist_only_with_a_pack_that_uses_them(settings: Settings):
    own = replace(settings, provider="offline")
    async with serving(own) as replica:
        client: Any = await replica.client()
        assert (await client.get("/api/knowledge")).status_code == 404


async def test_row_level_security_hides_documents_from_other_tenants(served: Served, store: Store):
    admin = await served.client("ada", is_admin=True)
    await admin.post("/api/knowledge", files={"file": HANDBOOK})
    for table in ("knowledge_documents", "knowledge_passages"):
        counts = [
            await store.read(tenant).fetchval(f"select count(*) from {table}")
            for tenant in ("acme", "other")
        ]
        assert counts == [1, 0]
    assert await documents.list_documents(store.read("other"), "desk") == []
