"""The careers tables: what is kept, and that nobody else sees or changes it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from plainloop.agent.store.database import Queryable
from plainloop.agent.store.store import Store
from plainloop_careers import store as careers
from plainloop_careers.jobs.pages import JobFilter, load_job_page
from plainloop_documents.web.urls import make_url_key
from tests.core.store_samples import wait_for_lock

OWNER = ("t1", "u1")
OTHERS = [("t2", "u1"), ("t1", "u2")]
JOB = {"company": "Acme", "title": "Cook", "url": "https://acme.example/jobs/1"}


def keep(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


async def test_jobs_are_numbered_per_tenant_from_one(store: Store) -> None:
    async with store.transaction("t1") as db:
        numbers = [
            (await careers.save_job(db, OWNER, {"company": "Acme", "title": title}))[0]["job_id"]
            for title in ("Cook", "Waiter")
        ]
        another = await careers.save_job(db, ("t1", "u2"), {"company": "Acme", "title": "Host"})
    async with store.transaction("t2") as db:
        foreign = await careers.save_job(db, ("t2", "u1"), {"company": "Acme", "title": "Cook"})
    assert (numbers, another[0]["job_id"], foreign[0]["job_id"]) == ([1, 2], 3, 1)


async def test_twenty_concurrent_saves_of_one_url_store_one_job(store: Store) -> None:
    async def save() -> bool:
        async with store.transaction("t1") as db:
            return (await careers.save_job(db, OWNER, JOB))[1]

    assert sum(await asyncio.gather(*[save() for _ in range(20)])) == 1
    assert (await careers.list_jobs(store.read("t1"), OWNER))[1] == 1


async def test_saving_a_job_creates_its_company_and_contact_once(store: Store) -> None:
    fields = {"company": "Acme", "contact_name": "Ann Lee"}
    async with store.transaction("t1") as db:
        await careers.save_job(db, OWNER, {**fields, "title": "Cook"})
        await careers.save_job(
            db, OWNER, {**fields, "company": "ACME", "title": "Chef", "contact_email": "a@x.org"}
        )
        companies = await careers.list_companies(db, OWNER)
        contacts = await careers.list_contacts(db, OWNER)
    assert [keep(row, "company_id", "name") for row in companies] == [
        {"company_id": 1, "name": "Acme"}
    ]
    assert [keep(row, "contact_id", "name", "email", "company") for row in contacts] == [
        {"contact_id": 1, "name": "Ann Lee", "email": "a@x.org", "company": "Acme"}
    ]


async def test_a_job_update_changes_only_the_named_fields(store: Store) -> None:
    async with store.transaction("t1") as db:
        before, _ = await careers.save_job(db, OWNER, {**JOB, "notes": "n", "salary_min": 5})
        after = await careers.update_job(db, OWNER, 1, {"status": "applied", "notes": None})
        assert after is not None
        assert after["applied_at"] is not None
    changed = {"status": "applied", "notes": None}
    times = {"applied_at": after["applied_at"], "updated_at": after["updated_at"]}
    assert after == {**before, **changed, **times}


async def test_a_second_letter_for_a_job_is_its_next_version(store: Store) -> None:
    letter = {"kind": "cover_letter", "title": "L", "job_id": 7, "company": "Acme"}
    sources = [{"sentence": "I cook.", "sources": ["resume.work[0].name"]}]
    async with store.transaction("t1") as db:
        first = await careers.save_document(db, OWNER, **letter, content="one")
        second = await careers.save_document(
            db, OWNER, **letter, content="two", sources=sources, passed=False, problems=["p"]
        )
        other = await careers.save_document(db, OWNER, kind="other", title="N", content="x")
        heads = await careers.load_document_page(db, OWNER)
        latest = await careers.load_document(db, OWNER, 1)
        oldest = await careers.load_document(db, OWNER, 1, 1)
    assert (first, second, other) == ((1, 1), (1, 2), (2, 1))
    assert sorted((row["document_id"], row["latest_version"]) for row in heads) == [(1, 2), (2, 1)]
    assert latest is not None
    assert keep(latest, "content", "sources", "passed", "problems", "version") == {
        "content": "two",
        "sources": sources,
        "passed": False,
        "problems": ["p"],
        "version": 2,
    }
    assert oldest is not None
    assert oldest["content"] == "one"


async def test_ten_letters_saved_at_once_become_ten_versions(store: Store) -> None:
    async def save(n: int) -> tuple[int, int]:
        async with store.transaction("t1") as db:
            return await careers.save_document(
                db, OWNER, kind="cover_letter", title="L", content=str(n), job_id=1
            )

    saved = await asyncio.gather(*[save(n) for n in range(10)])
    assert len({document_id for document_id, _ in saved}) == 1
    assert sorted(version for _, version in saved) == list(range(1, 11))


async def test_the_prompts_profile_and_resume_facts_are_loaded_together(store: Store) -> None:
    data = {"basics": {"name": "Ann"}, "work": [{}, {}]}
    async with store.transaction("t1") as db:
        none = await careers.load_prompt_facts(db, OWNER)
        await careers.save_profile(db, OWNER, "# Ann")
        for version in (None, data):
            await careers.save_resume(
                db, OWNER, name="a", source_format="json", raw_text="{}", data=version
            )
        facts = await careers.load_prompt_facts(db, OWNER)
    assert keep(none, "content", "format", "candidate", "positions") == {
        "content": "",
        "format": None,
        "candidate": None,
        "positions": None,
    }
    assert keep(facts, "content", "format", "candidate", "positions") == {
        "content": "# Ann",
        "format": "json",
        "candidate": "Ann",
        "positions": 2,
    }


async def fill(db: Queryable) -> None:
    """One of everything, the owner's."""
    await careers.save_job(db, OWNER, {**JOB, "contact_name": "Ann"})
    await careers.save_document(
        db, OWNER, kind="cover_letter", title="L", content="x", job_id=1, company="Acme"
    )
    await careers.save_profile(db, OWNER, "# Ann")
    await careers.save_resume(
        db, OWNER, name="a", source_format="json", raw_text="{}", data={"basics": {}}
    )


Read = Callable[[Queryable, tuple[str, str]], Awaitable[Any]]
READS: dict[str, tuple[Read, Any]] = {
    "load_job": (lambda db, owner: careers.load_job(db, owner, 1), None),
    "load_job_by_url": (lambda db, owner: careers.load_job_by_url(db, owner, JOB["url"]), None),
    "list_jobs": (lambda db, owner: careers.list_jobs(db, owner), ([], 0)),
    "list_jobs_named_in": (lambda db, owner: careers.list_jobs_named_in(db, owner, "Acme"), []),
    "list_companies": (lambda db, owner: careers.list_companies(db, owner), []),
    "list_contacts": (lambda db, owner: careers.list_contacts(db, owner), []),
    "load_document": (lambda db, owner: careers.load_document(db, owner, 1), None),
    "load_resume": (lambda db, owner: careers.load_resume(db, owner), None),
    "update_job": (lambda db, owner: careers.update_job(db, owner, 1, {"title": "X"}), None),
    "save_resume_data": (lambda db, owner: careers.save_resume_data(db, owner, 1, {}), False),
    "correct_resume": (lambda db, owner: careers.correct_resume(db, owner, 1, {}), None),
    "load_resume_version": (lambda db, owner: careers.load_resume(db, owner, 1), None),
    "list_resumes": (lambda db, owner: careers.list_resumes(db, owner), []),
    "list_versions": (lambda db, owner: careers.list_versions(db, owner, 1), []),
    "add_version": (lambda db, owner: careers.add_version(db, owner, 1, "x"), None),
    "delete_document": (lambda db, owner: careers.delete_document(db, owner, 1), False),
    "load_document_page": (lambda db, owner: careers.load_document_page(db, owner), []),
    "delete_job": (lambda db, owner: careers.delete_job(db, owner, 1), None),
    "list_jobs_by_url": (
        lambda db, owner: careers.list_jobs_by_url(db, owner, ["https://acme.example/1"]),
        {},
    ),
    "load_job_page": (lambda db, owner: load_job_page(db, owner, JobFilter()), []),
    "update_named: company": (
        lambda db, owner: careers.update_named(db, owner, "company", 1, {"url": "x"}),
        None,
    ),
    "update_named: contact": (
        lambda db, owner: careers.update_named(db, owner, "contact", 1, {"email": "x"}),
        None,
    ),
}


@pytest.mark.parametrize("other", OTHERS, ids=["another tenant", "another user"])
async def test_jobs_of_another_tenant_cannot_be_read_or_changed(
    store: Store, other: tuple[str, str]
) -> None:
    async with store.transaction("t1") as db:
        await fill(db)
        owned = [name for name in READS if name.startswith(("load", "list"))]
        before = {name: await READS[name][0](db, OWNER) for name in owned}
    for name, (call, nothing) in READS.items():
        async with store.transaction(other[0]) as db:
            assert await call(db, other) == nothing, name
    db = store.read("t1")
    assert {name: await READS[name][0](db, OWNER) for name in owned} == before


@pytest.mark.parametrize("other", OTHERS, ids=["another tenant", "another user"])
async def test_one_users_writes_leave_another_users_rows_unchanged(
    store: Store, other: tuple[str, str]
) -> None:
    async with store.transaction("t1") as db:
        await fill(db)
    async with store.transaction(other[0]) as db:
        assert (await careers.load_profile(db, other))["content"] == ""
        assert (await careers.load_prompt_facts(db, other))["format"] is None
        await careers.save_profile(db, other, "# Bob")
        await careers.save_onboarded(db, other)
        await careers.save_company(db, other, "Acme", "https://other.example")
        await careers.save_contact(db, other, "Ann", "other@x.org", "Acme")
        await careers.save_document(
            db, other, kind="cover_letter", title="L", content="y", job_id=1
        )
        await careers.save_resume(
            db, other, name="b", source_format="text", raw_text="b", data=None
        )
    db = store.read("t1")
    profile = await careers.load_profile(db, OWNER)
    assert (profile["content"], profile["is_onboarded"]) == ("# Ann", False)
    assert (await careers.list_companies(db, OWNER))[0]["url"] is None
    assert (await careers.list_contacts(db, OWNER))[0]["email"] is None
    document = await careers.load_document(db, OWNER, 1)
    assert document is not None
    assert (document["content"], document["latest_version"]) == ("x", 1)
    resume = await careers.load_resume(db, OWNER)
    assert resume is not None
    assert resume["name"] == "a"


async def test_a_version_added_meanwhile_is_deleted_with_its_document(store: Store) -> None:
    async with store.transaction("t1") as db:
        await fill(db)
    async with store.transaction("t1") as adding:
        await careers.add_version(adding, OWNER, 1, "while it is deleted")

        async def delete() -> bool:
            async with store.transaction("t1") as tx:
                return await careers.delete_document(tx, OWNER, 1)

        deleting = asyncio.create_task(delete())
        await wait_for_lock(store)
    assert await deleting

    versions = "select version from careers_document_versions where tenant_id = $1"
    assert await store.read("t1").fetch(versions, "t1") == []


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.acme.example/jobs/1/", "acme.example/jobs/1"),
        ("acme.example/jobs/1?utm_campaign=x&gclid=1", "acme.example/jobs/1"),
        ("https://acme.example/jobs?id=2&a=1", "acme.example/jobs?a=1&id=2"),
        ("https://acme.example/jobs?ref=2", "acme.example/jobs?ref=2"),
        ("http://localhost:8000/a", "localhost:8000/a"),
        ("http://[broken", "http://[broken"),
        ("http://host:99999999/", "http://host:99999999/"),
    ],
)
def test_equal_job_urls_in_other_spellings_get_one_key(url: str, key: str) -> None:
    assert make_url_key(url) == key
