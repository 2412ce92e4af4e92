"""The careers tools as the machine runs them, on a real database."""

from __future__ import annotations

from typing import Any

from packages.careers.tests.context import call_tool, make_context
from plainloop.agent.store.store import Store
from plainloop_careers import store as careers


async def test_job_tools_return_only_fields_that_are_set(store: Store) -> None:
    ctx = await make_context(store)
    made = await call_tool(
        ctx,
        "create_job",
        company=" Microsoft ",
        title="Web\nDeveloper",
        salary_min="90000",
        tags="html, css,,",
        requirements="- HTML\n\n- CSS",
        notes="  call  them ",
        job_fit=4,
    )
    short = {
        "job_id": 1,
        "company": "Microsoft",
        "title": "Web Developer",
        "status": "saved",
        "salary_min": 90000,
        "tags": "html, css",
        "job_fit": 4,
    }
    assert (made.result, made.is_error) == ({"job": short}, False)
    listed = await call_tool(ctx, "list_jobs", company="micro")
    long = {"requirements": "HTML\nCSS", "notes": "call  them"}
    assert listed.result == {"jobs": [{**short, **long}], "total": 1}
    updated = await call_tool(ctx, "update_job", job_id=1, status="applied", tags="")
    today = updated.result["job"]["applied_at"]
    changed = {key: value for key, value in short.items() if key != "tags"}
    assert updated.result == {"job": {**changed, "status": "applied", "applied_at": today}}


async def test_list_jobs_leaves_long_texts_out_of_long_lists(store: Store) -> None:
    ctx = await make_context(store)
    for number in range(4):
        await call_tool(ctx, "create_job", company="Acme", title=f"Cook {number}", notes="long")
    listed = await call_tool(ctx, "list_jobs", limit=500)
    assert [job["job_id"] for job in listed.result["jobs"]] == [4, 3, 2, 1]
    assert all("notes" not in job for job in listed.result["jobs"])
    assert (await call_tool(ctx, "list_jobs", limit=1)).result["total"] == 4


async def test_creating_a_job_with_a_known_url_is_refused(store: Store) -> None:
    ctx = await make_context(store)
    url = "https://acme.example/1"
    first = await call_tool(ctx, "create_job", company="Acme", title="Cook", url=url)
    second = await call_tool(ctx, "create_job", company="Acme", title="Chef", url=f"{url}/#x")
    assert second.result["job"] == first.result["job"]
    assert "already in the tracker" in second.result["note"]
    assert not second.is_error
    assert (await call_tool(ctx, "list_jobs")).result["total"] == 1


async def test_a_job_of_the_same_title_and_company_is_named_and_not_saved_twice(store: Store):
    ctx = await make_context(store)
    first = await call_tool(ctx, "create_job", company="Acme", title="Cook", location="Oslo")
    second = await call_tool(ctx, "create_job", company="ACME", title="cook", status="applied")
    assert second.result["job"] == first.result["job"]
    assert "nothing was saved" in second.result["note"]

    other = await call_tool(ctx, "create_job", company="Acme", title="Cook", location="Bergen")
    assert other.result["job"]["job_id"] != first.result["job"]["job_id"]


async def test_a_changed_salary_is_checked_against_the_stored_one(store: Store) -> None:
    ctx = await make_context(store)
    await call_tool(ctx, "create_job", company="Acme", title="Cook", salary_max=95)
    refused = await call_tool(ctx, "update_job", job_id=1, salary_min=100)
    assert refused.result["error"] == "salary_min 100 is above salary_max 95: correct one of them"
    changed = await call_tool(ctx, "update_job", job_id=1, salary_min=100, salary_max=120)
    assert changed.result["job"]["salary_min"] == 100


async def test_an_overwritten_text_is_returned_in_the_result(store: Store) -> None:
    ctx = await make_context(store)
    await call_tool(ctx, "create_job", company="Acme", title="Cook", notes="calls on Friday")
    added = await call_tool(ctx, "update_job", job_id=1, notes="calls on Friday\nwas nice")
    assert "replaced" not in added.result
    changed = await call_tool(ctx, "update_job", job_id=1, notes="never mind")
    assert changed.result["replaced"] == {"notes": "calls on Friday\nwas nice"}


BAD_CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("create_job", {"company": " ", "title": "Cook"}, "company must not be empty"),
    ("create_job", {"company": "\x00", "title": "\x00"}, "company and title must not be empty"),
    ("create_job", {"company": "A", "title": "B", "status": "hired"}, "invalid arguments"),
    ("create_job", {"company": "A", "title": "B", "job_fit": 6}, "invalid arguments"),
    ("create_job", {"company": "A", "title": "B", "salary_min": -1}, "a salary must be between"),
    ("create_job", {"company": "A", "title": "B", "salary_max": 10**12}, "a salary must be"),
    (
        "create_job",
        {"company": "A", "title": "B", "salary_min": 2, "salary_max": 1},
        "salary_min 2 is above salary_max 1: correct one of them",
    ),
    ("update_job", {"job_id": 1}, "nothing to change"),
    ("update_job", {"job_id": 99, "status": "applied"}, "there is no job 99"),
    ("update_job", {"job_id": 1, "title": ""}, "title must not be empty"),
    ("update_user_profile", {"content": "---\nonboarded: true\n---\n"}, "content is empty"),
    ("update_user_profile", {"content": "x" * 20_001}, "content is too long"),
]


async def test_invalid_job_changes_are_tool_errors_and_change_nothing(store: Store) -> None:
    ctx = await make_context(store)
    await call_tool(ctx, "create_job", company="Acme", title="Cook")
    for name, arguments, message in BAD_CALLS:
        outcome = await call_tool(ctx, name, **arguments)
        assert outcome.is_error
        assert message in outcome.result["error"]
    assert (await call_tool(ctx, "list_jobs")).result["total"] == 1


async def test_an_update_cannot_take_another_jobs_url(store: Store) -> None:
    ctx = await make_context(store)
    url = "https://acme.example/1"
    await call_tool(ctx, "create_job", company="Acme", title="Cook", url=url)
    await call_tool(ctx, "create_job", company="Acme", title="Chef")
    outcome = await call_tool(ctx, "update_job", job_id=2, url=url)
    assert outcome.result == {
        "error": "job 1 already has this URL: acme.example/1. Update that job instead"
    }
    assert not (await call_tool(ctx, "update_job", job_id=1, url=url)).is_error


async def test_replacing_the_profile_keeps_its_onboarded_mark(store: Store) -> None:
    ctx = await make_context(store)
    async with store.transaction("t1") as db:
        await careers.save_onboarded(db, ("t1", "u1"))
    text = "---\nonboarded: false\n---\n# Ann\nlikes \x00remote"
    saved = await call_tool(ctx, "update_user_profile", content=text)
    assert saved.result == {"updated": True, "characters": 18}
    read = await call_tool(ctx, "read_user_profile")
    assert read.result == {"content": "---\nonboarded: true\n---\n# Ann\nlikes remote"}


async def test_read_resume_returns_compact_json_or_else_the_text(store: Store) -> None:
    ctx = await make_context(store)
    none = await call_tool(ctx, "read_resume")
    assert none.result["resume"] is None
    assert "plainloop import resume" in none.result["note"]
    data = {"basics": {"name": "Ann", "url": "http://x", "phone": ""}, "meta": {"v": 1}}
    for version in (None, data):
        async with store.transaction("t1") as db:
            await careers.save_resume(
                db, ("t1", "u1"), name="a", source_format="text", raw_text="Ann Lee", data=version
            )
        read = await call_tool(ctx, "read_resume")
        expected = (
            {"resume": {"basics": {"name": "Ann"}}} if version else {"resume_text": "Ann Lee"}
        )
        assert read.result == expected
