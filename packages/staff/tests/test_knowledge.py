"""The company's documents: cut, stored for a tenant, found by words, cited with their place."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.core.models import Models
from plainloop.agent.errors import InputError, ModelAuthError, NotFoundError
from plainloop.agent.service.service import Service
from plainloop.agent.store.store import Store
from plainloop.agent.types import Embeddings, Usage
from plainloop_staff import make_pack
from plainloop_staff import store as documents
from plainloop_staff.knowledge import add_document, remove_document
from plainloop_staff.passages import PASSAGE_CHARS, split_passages
from plainloop_staff.search import find_passages, merge_ranks
from tests.machine.scripted import ScriptedModels, ScriptedProvider, text, tools
from tests.packs.interviewing import Interviewing, make_scripted

PACK = make_pack()
HANDBOOK = """# Handbook

## Working hours

The core time is from ten to three. Nobody needs to be reachable in the evening.

## Holidays

Every employee has 30 days of holiday. Book them two weeks ahead in the calendar.

## Equipment

A broken laptop is replaced within a day by the service desk.
"""
TRAVEL = "Trains are booked by yourself. Flights need the approval of your lead.\n"


async def search(
    settings: Settings, store: Store, query: str, tenant_id: str = "t1", user_id: str = "u1"
) -> Any:
    call = tools(("c1", "rag_search", {"query": query}))
    service, _ = make_scripted(settings, store, PACK, call, text("So it is."))
    turn = await Interviewing(service, tenant_id, user_id).say("Look it up.")
    (data,) = turn.list_data("tool_result")
    return data["result"]


async def add(settings: Settings, store: Store) -> None:
    await add_one(settings, store, "handbook.md", HANDBOOK.encode())
    await add_one(settings, store, "travel.txt", TRAVEL.encode())


async def add_one(settings: Settings, store: Store, name: str, content: bytes) -> dict[str, Any]:
    service, _ = make_scripted(settings, store, PACK)
    async with service.open_context(PACK, "t1", "u1") as ctx:
        return await add_document(ctx, name, content)


@pytest.mark.parametrize(
    ("query", "document", "position", "heading"),
    [
        ("How many days of holiday do I have?", "handbook.md", 2, "Handbook › Holidays"),
        ("my laptop broke, who replaces it", "handbook.md", 3, "Handbook › Equipment"),
        ("core working hours", "handbook.md", 1, "Handbook › Working hours"),
        ("may I book a flight?", "travel.txt", 1, None),
        ("' | & ! ( flights :* \\", "travel.txt", 1, None),
    ],
)
async def test_the_best_passage_comes_first_with_document_and_place(
    query: str,
    document: str,
    position: int,
    heading: str | None,
    settings: Settings,
    store: Store,
):
    await add(settings, store)

    result = await search(settings, store, query)

    best = result["passages"][0]
    assert result["status"] == "success"
    assert (best["document"], best["position"]) == (document, position)
    assert best.get("heading") == heading
    assert best["text"]


@pytest.mark.parametrize("query", ["zeppelin", "the of and", "", "?"])
async def test_nothing_found_is_said(query: str, settings: Settings, store: Store):
    await add(settings, store)

    assert await search(settings, store, query) == {
        "status": "success",
        "passages": [],
        "message": "Nothing was found",
    }


async def test_another_tenant_finds_nothing_and_a_colleague_finds_the_same(
    settings: Settings, store: Store
):
    await add(settings, store)

    mine = await search(settings, store, "holiday")
    colleagues = await search(settings, store, "holiday", user_id="u2")
    others = await search(settings, store, "holiday", tenant_id="t2")

    assert mine["passages"] and mine == colleagues
    assert others["passages"] == []
    assert await documents.list_documents(store.read("t2"), "t2") == []
    with pytest.raises(NotFoundError):
        await remove_document(store, "t2", "handbook.md")


async def test_a_document_is_replaced_and_removed_as_a_whole(settings: Settings, store: Store):
    await add(settings, store)
    again = await add_one(settings, store, "a/handbook.md", b"All changed.")
    assert (again["name"], again["passages"], again["embedded"]) == ("handbook.md", 1, 0)
    assert (await search(settings, store, "holiday"))["passages"] == []

    await remove_document(store, "t1", "handbook.md")

    rows = await documents.list_documents(store.read("t1"), "t1")
    assert [row["name"] for row in rows] == ["travel.txt"]
    count = "select count(*) from staff_passages where tenant_id = $1 and name = $2"
    assert await store.read("t1").fetchval(count, "t1", "handbook.md") == 0


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("empty.md", b" \n", "FILE_EMPTY"),
        ("only-headings.md", b"# One\n\n## Two\n", "FILE_EMPTY"),
        ("image.png", b"\x89PNG\r\n\x1a\n", "FILE_UNSUPPORTED"),
        ("", b"text", "INVALID_INPUT"),
        ("x" * 201, b"text", "INVALID_INPUT"),
    ],
)
async def test_a_file_without_readable_text_is_refused(
    name: str, content: bytes, code: str, settings: Settings, store: Store
):
    with pytest.raises(InputError) as caught:
        await add_one(settings, store, name, content)
    assert caught.value.code == code
    assert await documents.list_documents(store.read("t1"), "t1") == []


async def test_vectors_of_the_same_model_are_searched_where_the_database_has_them(store: Store):
    if not await documents.has_vectors(store.read("t1")):
        pytest.skip("this Postgres has no pgvector")
    passages = split_passages(HANDBOOK)
    vectors = [[1.0, 0.0], [0.0, 1.0], [0.7, 0.7]]
    async with store.transaction("t1") as db:
        await documents.save_document(db, "t1", "a.md", 9, passages, vectors, "openai:small")
        await documents.save_document(db, "t1", "b.md", 9, passages[:1], [[1.0]], "ollama:tiny")

    near = await documents.search_vectors(store.read("t1"), "t1", "openai:small", [0.1, 0.9], 2)
    others = await documents.search_vectors(store.read("t2"), "t2", "openai:small", [1.0, 0.0], 2)

    assert [(row["name"], row["position"]) for row in near] == [("a.md", 2), ("a.md", 3)]
    assert others == []


class Embedding(ScriptedProvider):
    """Vectors by what a text is about; `fails` once asked to."""

    topics = (("holiday", "vacation", "leave"), ("laptop", "computer"), ("train", "flight"))
    fails = False

    async def embed(self, texts: Sequence[str], timeout_s: float) -> Embeddings:
        if self.fails:
            raise ModelAuthError("wrong key")
        vectors = [
            [float(any(word in text.casefold() for word in topic)) + 0.01 for topic in self.topics]
            for text in texts
        ]
        return Embeddings(vectors, Usage(input_tokens=1), "small")


def hold_embedding(settings: Settings, store: Store, *script: Any) -> tuple[Service, Embedding]:
    provider = Embedding(*script)
    roles = {"embedding": RoleSettings(provider="scripted")}
    models = cast(Models, ScriptedModels(provider))
    return Service(replace(settings, agents=roles), store, models, (PACK,)), provider


async def test_a_question_in_other_words_is_answered_by_its_meaning(
    settings: Settings, store: Store
):
    if not await documents.has_vectors(store.read("t1")):
        pytest.skip("this Postgres has no pgvector")
    call = tools(("c1", "rag_search", {"query": "vacation"}))
    service, provider = hold_embedding(settings, store, call, text("30."), call, text("Hm."))
    async with service.open_context(PACK, "t1", "u1") as ctx:
        row = await add_document(ctx, "handbook.md", HANDBOOK.encode())
    by_words = await search(settings, store, "vacation", user_id="u2")

    found = (await Interviewing(service).say("go")).list_data("tool_result")[0]["result"]
    provider.fails = True
    failed = (await Interviewing(service).say("go")).list_data("tool_result")[0]["result"]

    assert (row["passages"], row["embedded"]) == (3, 3)
    assert by_words["passages"] == []
    best = found["passages"][0]
    assert (best["document"], best["heading"]) == ("handbook.md", "Handbook › Holidays")
    assert failed["passages"] == []  # words alone, and no error
    roles = "select role from llm_calls where tenant_id = $1 and role = 'embedding'"
    assert len(await store.read("t1").fetch(roles, "t1")) == 3


async def test_a_document_is_not_stored_when_its_vectors_cannot_be_made(
    settings: Settings, store: Store
):
    if not await documents.has_vectors(store.read("t1")):
        pytest.skip("this Postgres has no pgvector")
    service, provider = hold_embedding(settings, store)
    provider.fails = True
    async with service.open_context(PACK, "t1", "u1") as ctx:
        with pytest.raises(ModelAuthError):
            await add_document(ctx, "handbook.md", HANDBOOK.encode())
    assert await documents.list_documents(store.read("t1"), "t1") == []


def test_ranks_of_words_and_vectors_are_merged():
    def row(name: str, position: int) -> dict[str, Any]:
        return {"name": name, "position": position}

    words = [row("a", 1), row("b", 1), row("c", 1)]
    meaning = [row("b", 1), row("d", 1), row("a", 1)]
    merged = [item["name"] for item in merge_ranks([words, meaning])]
    assert merged == ["b", "a", "d", "c"]


@given(st.text(alphabet=st.sampled_from("ab .\n#`~-"), max_size=400), st.integers(5, 40))
def test_no_passage_is_too_long_or_empty_and_no_word_is_lost(source: str, most: int):
    passages = split_passages(source, most)

    assert all(0 < len(passage.content) <= most for passage in passages)
    kept = "".join(passage.heading + passage.content for passage in passages)
    written = [c for c in source if c in "ab"]
    if "#" not in source:  # a heading without text below it is no passage
        assert [c for c in kept if c in "ab"] == written


def test_a_long_paragraph_is_cut_at_sentences_and_code_has_no_headings():
    sentence = "Every colleague reads this sentence once. "
    long = split_passages(sentence * 60)
    assert len(long) == 3
    assert all(p.content.endswith("once.") and len(p.content) <= PASSAGE_CHARS for p in long)
    code = split_passages("# Setup\n\n```sh\n# a comment\nmake\n```\n")
    assert [p.heading for p in code] == ["Setup"]


async def test_no_question_breaks_the_search(settings: Settings, store: Store):
    await add(settings, store)
    service, _ = make_scripted(settings, store, PACK)
    nasty = [
        "a" * 500,
        "'; drop table staff_passages; --",
        "\\' \\\\",
        "<-> & | !",
        ":*",
        "ﬁ ß İ 🙂",
    ]
    nasty += ["holiday:*", "'holiday", "\u0301", "1e309", "a.b@c.d/e?f=g", "\x00holiday"]
    async with service.open_context(PACK, "t1", "u1") as ctx:
        found = [await find_passages(ctx, query) for query in nasty]
    assert [passages[0]["position"] for passages in found if passages] == [2, 2, 2]


async def test_a_pdf_is_read_as_well(settings: Settings, store: Store):
    document = FPDF()
    document.add_page()
    document.set_font("helvetica", size=12)
    document.multi_cell(0, 8, "Parking permits are handed out by the front desk every Monday.")

    row = await add_one(settings, store, "parking.pdf", bytes(document.output()))

    assert row["passages"] == 1
    result = await search(settings, store, "Where do I get a parking permit?")
    assert result["passages"][0]["document"] == "parking.pdf"


def test_a_text_without_blank_lines_is_cut_in_time_that_grows_with_it():
    def measure(lines: int) -> float:
        text = "A line of the handbook that says something.\n" * lines
        began = time.process_time()
        assert len(split_passages(text)) > lines // 50
        return time.process_time() - began

    measure(1_000)
    small, large = min(measure(5_000) for _ in range(3)), measure(50_000)

    assert large < 30 * max(small, 0.005)  # ten times the text; a hundred times, where it squares
