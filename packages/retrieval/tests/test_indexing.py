"""Indexing: only what changed is read and embedded, and what was stopped goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from packages.retrieval.tests.answering import HANDBOOK, TRAVEL, Desk, count_rows, open_desk
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.embedding import BATCH_TEXTS
from plainloop.agent.errors import ConflictError, InputError, ModelAuthError, NotFoundError
from plainloop.agent.store.store import Store
from plainloop_retrieval import store as documents
from plainloop_retrieval.indexing import (
    embed_missing,
    index_files,
    list_files,
    remove_document,
    remove_gone,
    save_changed,
)
from plainloop_retrieval.source import SHARED


@pytest.fixture
async def vectors(store: Store) -> None:
    if not await documents.has_vectors(store.read("t1")):
        pytest.skip("this Postgres has no pgvector")


async def test_a_document_is_replaced_and_removed_as_a_whole(settings: Settings, store: Store):
    desk = open_desk(settings, store)
    await desk.add("handbook.md", HANDBOOK)
    await desk.add("travel.txt", TRAVEL)
    again = await desk.add("a/handbook.md", "All changed.")
    assert (again["name"], again["passages"], again["embedded"]) == ("handbook.md", 1, 0)

    await remove_document(store, "t1", desk.knowledge, "handbook.md")

    rows = await documents.list_documents(store.read("t1"), "desk")
    assert [row["name"] for row in rows] == ["travel.txt"]
    async with desk.open() as ctx:
        assert await count_rows(ctx, "knowledge_passages") == 1
    with pytest.raises(NotFoundError):
        await remove_document(store, "t1", desk.knowledge, "handbook.md")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("empty.md", b" \n", "FILE_EMPTY"),
        ("only-headings.md", b"# One\n\n## Two\n", "FILE_EMPTY"),
        ("image.png", b"\x89PNG\r\n\x1a\n", "FILE_UNSUPPORTED"),
        ("", b"text", "INVALID_INPUT"),
        ("x" * 201, b"text", "INVALID_INPUT"),
        ("long.md", b"# A\n\nOne.\n\n# B\n\nTwo.\n\n# C\n\nThree.", "FILE_TOO_LONG"),
    ],
)
async def test_a_file_without_readable_text_is_refused(
    name: str, content: bytes, code: str, settings: Settings, store: Store
):
    desk = open_desk(settings, store, document_passages=2)
    with pytest.raises(InputError) as caught:
        await desk.add(name, content)
    assert caught.value.code == code
    assert await documents.list_documents(store.read("t1"), "desk") == []


async def test_a_tenants_number_of_documents_is_limited(settings: Settings, store: Store):
    desk = open_desk(settings, store, documents=1)
    await desk.add("a.md", "One.")
    await desk.add("a.md", "Another one.")  # in the place of the first
    with pytest.raises(ConflictError) as caught:
        await desk.add("b.md", "Two.")
    assert caught.value.code == "TOO_MANY_DOCUMENTS"
    assert await desk.add("b.md", "Two.", "t2")


async def test_simultaneous_documents_never_exceed_the_limit(store: Store):
    tries, most = 120, 10

    async def save_one(n: int, tenant_id: str) -> bool:
        async with store.transaction(tenant_id) as tx:
            if await documents.count_others(tx, "desk", f"{n}.md") >= most:
                return False
            await documents.save_document(tx, "desk", f"{n}.md", 3, "digest", [])
        return True

    saved = await asyncio.gather(*(save_one(n, "t1") for n in range(tries)), save_one(0, "t2"))
    assert (sum(saved[:-1]), saved[-1]) == (most, True)
    assert len(await documents.list_documents(store.read("t1"), "desk")) == most


async def test_unchanged_documents_are_not_embedded_again(
    settings: Settings, store: Store, vectors: None
):
    desk = open_desk(settings, store, embeds=True)
    async with desk.open() as ctx:
        changes = [
            await save_changed(ctx, desk.knowledge, "t1", "a.md", content)
            for content in (b"One.", b"One.", b"Two.", b"Two.")
        ]
        assert await embed_missing(ctx, desk.knowledge, "t1") == 1
        assert await embed_missing(ctx, desk.knowledge, "t1") == 0
        assert (
            await save_changed(ctx, desk.knowledge, "t1", "a.md", b"Two.", is_outside=True)
            == "changed"
        )
        assert await embed_missing(ctx, desk.knowledge, "t1") == 0
    assert changes == ["added", "unchanged", "changed", "unchanged"]
    assert desk.provider.embedded == [["Two."]]


async def test_a_changed_passage_length_splits_documents_again(settings: Settings, store: Store):
    short = open_desk(settings, store, passage_chars=60)
    assert (await open_desk(settings, store).add("handbook.md", HANDBOOK))["passages"] == 3
    assert (await short.add("handbook.md", HANDBOOK))["passages"] > 3


async def test_only_changed_passages_are_embedded_again(
    settings: Settings, store: Store, vectors: None
):
    desk = open_desk(settings, store, embeds=True)
    first = await desk.add("handbook.md", HANDBOOK)
    moved = "# Handbook\n\n## New\n\nRead me.\n\n" + HANDBOOK.replace("30 days", "31 days")

    second = await desk.add("handbook.md", moved)

    assert (first["embedded"], second["passages"], second["embedded"]) == (3, 4, 4)
    assert [len(texts) for texts in desk.provider.embedded] == [3, 2]
    assert "31 days" in desk.provider.embedded[1][1]


async def test_embedding_in_batches_resumes_after_an_interruption(
    settings: Settings, store: Store, vectors: None
):
    count = 2 * BATCH_TEXTS + 5
    text = "\n\n".join(f"# Part {n}\n\nText of part {n}." for n in range(count))
    desk = open_desk(settings, store, embeds=True)
    desk.provider.fails_after = 1

    added = await desk.add("long.md", text)
    assert (added["passages"], added["embedded"]) == (count, BATCH_TEXTS)
    assert added["problem"] == "wrong key"
    async with desk.open() as ctx:
        with pytest.raises(ModelAuthError):
            await embed_missing(ctx, desk.knowledge, "t1")
        desk.provider.fails_after = 99
        told: list[int] = []
        made = await embed_missing(ctx, desk.knowledge, "t1", tell=told.append)

    assert (made, told) == (BATCH_TEXTS + 5, [BATCH_TEXTS, 5])
    embedded = [text for texts in desk.provider.embedded for text in texts]
    assert len(embedded) == len(set(embedded)) == count
    calls = await store.read("t1").fetch(
        "select status, input_tokens from llm_calls where tenant_id = $1 and role = 'embedding' "
        "order by call_id",
        "t1",
    )
    states = [call["status"] for call in calls]
    assert states == ["succeeded", *["failed"] * 2, *["succeeded"] * 2]
    assert sum(call["input_tokens"] for call in calls if call["status"] == "succeeded") == count


async def test_a_document_replaced_during_embedding_gets_no_old_vector(
    settings: Settings, store: Store, vectors: None
):
    desk = open_desk(settings, store, embeds=True)
    async with desk.open() as ctx:
        await save_changed(ctx, desk.knowledge, "t1", "a.md", b"Old.")
        desk.provider.meanwhile = lambda: save_changed(ctx, desk.knowledge, "t1", "a.md", b"New.")

        assert await embed_missing(ctx, desk.knowledge, "t1") == 0
        (row,) = await documents.list_documents(store.read("t1"), "desk")
        assert (row["passages"], row["embedded"]) == (1, 0)
        assert await embed_missing(ctx, desk.knowledge, "t1") == 1
    assert desk.provider.embedded == [["Old."], ["New."]]


async def test_a_document_removed_during_embedding_is_reported(
    settings: Settings, store: Store, vectors: None
):
    desk = open_desk(settings, store, embeds=True)
    desk.provider.meanwhile = lambda: remove_document(store, "t1", desk.knowledge, "a.md")

    with pytest.raises(ConflictError, match=r"a\.md was removed while it was indexed"):
        await desk.add("a.md", "Text.")


async def test_indexing_a_folder_compares_it_with_the_stored_documents(
    settings: Settings, store: Store, tmp_path: Path
):
    (tmp_path / "hr").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("a.md", "hr/a.md", "b.txt", ".git/c.md", "d.py"):
        (tmp_path / name).write_text(f"Text of {name}.")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-x")
    desk = open_desk(settings, store, folder=tmp_path)

    assert await index(desk, tmp_path) == {
        "a.md": "added",
        "b.txt": "added",
        "bad.pdf": "refused",
        "hr/a.md": "added",
    }
    (tmp_path / "b.txt").unlink()
    (tmp_path / "bad.pdf").unlink()
    (tmp_path / "a.md").write_text("Another text.")
    assert await index(desk, tmp_path) == {"a.md": "changed", "hr/a.md": "unchanged"}
    assert await remove_gone(store, desk.knowledge, list_files(tmp_path)) == ["b.txt"]
    rows = await documents.list_documents(store.read(SHARED), "desk")
    assert [row["name"] for row in rows] == ["a.md", "hr/a.md"]


async def index(desk: Desk, folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}

    def tell(name: str, change: str, error: InputError | None) -> None:
        found[name] = change
        assert (error is not None) == (change == "refused")

    async with desk.open() as ctx:
        files = list_files(folder)
        await index_files(ctx, desk.knowledge, SHARED, files.items(), tell=tell)
    return found


async def test_concurrent_writes_of_a_document_leave_one_complete_version(
    settings: Settings, store: Store
):
    desk = open_desk(settings, store)
    texts = [HANDBOOK, TRAVEL] * 5
    await asyncio.gather(*(desk.add("a.md", text) for text in texts))

    (row,) = await documents.list_documents(store.read("t1"), "desk")
    assert row["passages"] in (1, 3)
