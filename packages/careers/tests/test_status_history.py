"""Applied means applied or later: one definition, for everything that counts applications."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import asyncpg

from packages.careers.tests.context import call_tool, make_context
from plainloop.agent.config.settings import Settings
from plainloop.agent.store.store import Store
from plainloop_careers import make_pack
from plainloop_careers import store as careers
from plainloop_careers.jobs.status import STATUS, STATUSES
from tests.packs.interviewing import open_offline

OWNER = ("t1", "u1")
ASK = "how many jobs have I applied to?"


async def save(store: Store, company: str, *statuses: str) -> int:
    """A job that went through these statuses; its id."""
    async with store.transaction("t1") as db:
        row, _ = await careers.save_job(db, OWNER, {"company": company, "title": "Cook"})
        for status in statuses:
            await careers.update_job(db, OWNER, row["job_id"], {"status": status})
    return row["job_id"]


async def ask(settings: Settings, text: str) -> str:
    async with open_offline(settings) as service:
        thread = await service.ensure_thread("t1", "u1", None, text)
        return (await service.answer("t1", "u1", thread.thread_id, text)).answer


async def move_back(store: Store, job_id: int, status: str, days: int) -> None:
    async with store.transaction("t1") as db:
        await db.execute(
            "update careers_job_stages set reached_at = $3"
            " where tenant_id = 't1' and job_id = $1 and status = $2",
            *(job_id, status, datetime.now(UTC) - timedelta(days=days)),
        )


async def test_a_job_with_a_later_status_still_counts_as_applied(store: Store, settings: Settings):
    await save(store, "Noma")
    await save(store, "Initech", "applied", "interviewing")
    for status in ("applied", "offer", "rejected", "withdrawn"):
        await save(store, f"Firm {status}", status)

    counts = await careers.count_jobs(store.read("t1"), OWNER)
    ctx = await make_context(store, *OWNER)
    listed = (await call_tool(ctx, "list_jobs", status="applied", or_later=True)).result

    assert await ask(settings, ASK) == "You have 5 jobs with status applied or later."
    assert counts["applications"] == listed["total"] == 5


async def test_a_status_filter_ignores_a_jobs_earlier_statuses(store: Store, settings: Settings):
    await save(store, "Initech", "applied", "interviewing")
    await save(store, "Hooli", "applied")

    assert await ask(settings, "list my jobs with status applied") == (
        "You have 1 job with status applied:\n\n- #2 Cook at Hooli (applied)"
    )


async def test_questions_about_status_dates_need_no_model(store: Store, settings: Settings):
    job_id = await save(store, "Initech", "applied", "interviewing")
    await move_back(store, job_id, "applied", 40)
    day = (datetime.now(UTC) - timedelta(days=40)).date()

    assert await ask(settings, f"how many applications did I send in {day:%B}?") == (
        f"You have 1 job with status applied or later and reached in {day:%B}."
    )
    await save(store, "Hooli", "applied")
    assert await ask(settings, "which jobs did I apply to this week?") == (
        "You have 1 job with status applied or later and reached this week:\n\n"
        "- #2 Cook at Hooli (applied)"
    )


async def list_stages(store: Store, job_id: int) -> list[str]:
    rows = await store.read("t1").fetch(
        "select status from careers_job_stages where job_id = $1 order by status", job_id
    )
    return [row["status"] for row in rows]


async def test_a_move_taken_back_leaves_no_date_and_no_application(store: Store):
    for company, statuses in (
        ("Noma", ("applied", "saved")),
        ("Initech", ("rejected", "saved")),
        ("Hooli", ("interviewing", "applied")),
    ):
        await save(store, company, *statuses)

    jobs, _ = await careers.list_jobs(store.read("t1"), OWNER)
    counts = await careers.count_jobs(store.read("t1"), OWNER)

    dated = {job["company"]: job["applied_at"] is not None for job in jobs}
    assert dated == {"Noma": False, "Initech": False, "Hooli": True}
    assert [await list_stages(store, number) for number in (1, 2, 3)] == [
        ["saved"],
        ["saved"],
        ["applied", "saved"],
    ]
    assert (counts["applications"], counts["responses"]) == (1, 0)


async def test_a_move_back_keeps_what_was_reached_before_the_last_day(store: Store):
    job_id = await save(store, "Noma", "applied")
    applied_at = datetime.now(UTC) - timedelta(days=3)
    async with store.transaction("t1") as db:
        await careers.update_job(db, OWNER, job_id, {"applied_at": applied_at.isoformat()})
    await move_back(store, job_id, "applied", 3)

    async with store.transaction("t1") as db:
        await careers.update_job(db, OWNER, job_id, {"status": "saved"})
        again = await careers.update_job(db, OWNER, job_id, {"status": "applied"})

    assert again is not None
    assert again["applied_at"] == applied_at
    assert await list_stages(store, job_id) == ["applied", "saved"]


async def test_the_database_allows_exactly_the_declared_statuses(store: Store):
    for number, status in enumerate(STATUSES):
        await save(store, f"Firm {number}", status)
    assert tuple(STATUS.values) == tuple(STATUSES)
    assert set(STATUS.order) | set(STATUS.ends) == set(STATUSES)


async def test_a_deleted_job_leaves_no_history(store: Store):
    job_id = await save(store, "Initech", "applied")
    async with store.transaction("t1") as db:
        await careers.delete_job(db, OWNER, job_id)
    assert await store.read("t1").fetchval("select count(*) from careers_job_stages") == 0


async def test_the_status_history_migration_fills_in_known_dates(database_url: str):
    """The migration's statement, over rows as the version before left them."""
    folder = make_pack().migrations
    assert folder is not None
    script = (folder / "0002_careers_status_history.sql").read_text("utf-8")
    fill = script[script.index("do $$") : script.index("$$;") + 3]
    connection = await asyncpg.connect(database_url)
    try:
        for job_id, status, applied in ((1, "saved", None), (2, "offer", "2026-01-05")):
            await connection.execute(
                "insert into careers_jobs (tenant_id, job_id, user_id, company, title, status,"
                " created_at, applied_at) values ('t9', $1, 'u', 'c', 't', $2, $3, $4)",
                *(job_id, status, datetime(2026, 1, 1, tzinfo=UTC)),
                applied and datetime.fromisoformat(applied).replace(tzinfo=UTC),
            )
        await connection.execute(fill)
        rows = await connection.fetch(
            "select job_id, status, reached_at::date::text as day from careers_job_stages"
            " where tenant_id = 't9' order by job_id, status"
        )
    finally:
        await connection.close()
    assert [tuple(row) for row in rows] == [
        (1, "saved", "2026-01-01"),
        (2, "applied", "2026-01-05"),
        (2, "interviewing", None),
        (2, "offer", None),
        (2, "saved", "2026-01-01"),
    ]
