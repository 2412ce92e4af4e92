"""The careers tables. Every query names its owner: another's row is as good as missing.

Rows are plain dicts with the tables' columns; `db` decides which transaction they run in.
`is_untrusted`: by a run that has read text from outside; what it writes is marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from plainloop.agent.core.seams import RunView
from plainloop.agent.core.tools import ToolContext
from plainloop.agent.store.database import Queryable, Row
from plainloop.agent.store.sql_blocks import load_sql
from plainloop.agent.store.threads import delete_parsed_texts
from plainloop_documents.process import Owner
from plainloop_documents.web.urls import make_url_key

from .jobs.status import STATUS

_FOLDER: Final = Path(__file__).parent / "sql"
JOBS: Final = load_sql(_FOLDER / "jobs.sql")
DOCUMENTS: Final = load_sql(_FOLDER / "documents.sql")
PROFILE: Final = load_sql(_FOLDER / "profile.sql")
Named = Literal["company", "contact"]
# The driver's errors that routes answer; only this module of the pack imports the driver.
InvalidValueError = asyncpg.DataError
DuplicateRowError = asyncpg.UniqueViolationError


def get_owner(run: ToolContext | RunView) -> Owner:
    """Return (tenant_id, user_id) of the user for whom a run works."""
    return run.tenant_id, run.user_id


async def save_job(
    db: Queryable, owner: Owner, fields: Mapping[str, Any], *, is_untrusted: bool = False
) -> tuple[Row, bool]:
    """Store a job of the user; return (row, whether it is new).

    fields: columns of careers_jobs; `company` and `title` are required. A job whose URL the user
    has already is not stored again: its row comes back unchanged.
    """
    values = _with_url_key(fields)
    reached = [*STATUS.list_passed(values.get("status", "saved"))]
    if values.get("applied_at") and "applied" not in reached:
        reached.append("applied")  # it is saved again, and was applied to once
    row = await db.fetchrow(JOBS["insert_job"], *owner, values, reached)
    if row is None:
        return to_job(
            await _fetch_one(db, JOBS["find_job_by_url"], *owner, values["url_key"])
        ), False
    if is_untrusted:
        await db.execute(JOBS["mark_job"], *owner, row["job_id"])
    await _save_named(db, row, is_untrusted=is_untrusted)
    return to_job(row), True


def to_job(row: Row) -> Row:
    """Return a job's row with plain numbers as pay, such as 90000 or 45.5."""
    pay = {name: row[name] for name in ("salary_min", "salary_max") if row[name] is not None}
    return row | {name: int(p) if p == int(p) else float(p) for name, p in pay.items()}


async def update_job(
    db: Queryable,
    owner: Owner,
    job_id: int,
    fields: Mapping[str, Any],
    *,
    dates: Mapping[str, datetime] | None = None,
    undone: Mapping[str, datetime] | None = None,
    is_untrusted: bool = False,
) -> Row | None:
    """Change fields of a job and return its row; None if the user has no such job.

    A value of None empties a field. A move back takes back the later statuses of the last day, with
    the date of applying. dates: further statuses that it has reached, each with its date; a stored
    date stays. undone: `updated_at` of the change that this one takes back, and `before` it; the
    time before is restored if that was the last change.
    """
    values = _with_url_key(fields)
    passed = STATUS.list_passed(values["status"]) if values.get("status") else ()
    reached = [*dict.fromkeys((*passed, *(dates or {})))]
    is_back = values.get("status") in STATUS.order and not values.get("applied_at")
    unreached = [name for name in STATUS.values if is_back and name not in reached]
    known = {status: at.isoformat() for status, at in (dates or {}).items()}
    times = {name: at.isoformat() for name, at in (undone or {}).items()}
    statuses = (reached, unreached, known)
    row = await db.fetchrow(JOBS["update_job"], *owner, job_id, values, *statuses, times)
    if row is not None and is_untrusted:
        await db.execute(JOBS["mark_job"], *owner, job_id)
    if row is not None and fields.keys() & {"company", "contact_name", "contact_email"}:
        await _save_named(db, row, is_untrusted=is_untrusted)
    return row and to_job(row)


async def delete_job(db: Queryable, owner: Owner, job_id: int) -> Row | None:
    """Delete a job and return its row; None if the user has no such job.

    Its letters stay.
    """
    row = await db.fetchrow(JOBS["delete_job"], *owner, job_id)
    return row and to_job(row)


async def load_job(db: Queryable, owner: Owner, job_id: int) -> Row | None:
    """Load one of the user's jobs; None if there is no such job."""
    row = await db.fetchrow(JOBS["load_job"], *owner, job_id)
    return row and to_job(row)


async def list_stages(db: Queryable, owner: Owner, job_id: int) -> dict[str, datetime | None]:
    """Map each status that a job has reached to its date, the first status first.

    None: the job reached it before dates were stored.
    """
    rows = await db.fetch(JOBS["list_stages"], *owner, job_id)
    dates = {row["status"]: row["reached_at"] for row in rows}
    return {status: dates[status] for status in STATUS.values if status in dates}


async def load_job_by_url(db: Queryable, owner: Owner, url: str) -> Row | None:
    """Load the user's job with this URL, written in any equivalent way."""
    row = await db.fetchrow(JOBS["find_job_by_url"], *owner, make_url_key(url))
    return row and to_job(row)


async def load_same_job(db: Queryable, owner: Owner, fields: Mapping[str, Any]) -> Row | None:
    """Load the newest job of the user that is probably the same as a new one; None without one.

    It has the same title and company, and neither its place nor its URL differs from the new one's.
    """
    names, place = ("title", "company"), (fields.get("location") or "").casefold()
    rows, _ = await list_jobs(db, owner, title=fields["title"], company=fields["company"], limit=20)
    for row in rows:
        is_named = all(row[name].casefold() == fields[name].casefold() for name in names)
        is_there = not place or not row["location"] or place == row["location"].casefold()
        if is_named and is_there and not (fields.get("url") and row["url"]):
            return row
    return None


async def list_jobs_by_url(db: Queryable, owner: Owner, urls: Sequence[str]) -> dict[str, int]:
    """Map the keys of these URLs to the ids of the user's jobs that have them."""
    keys = sorted({make_url_key(url) for url in urls if url})
    if not keys:
        return {}
    rows = await db.fetch(JOBS["list_jobs_by_url"], *owner, keys)
    return {row["url_key"]: row["job_id"] for row in rows}


async def list_jobs(
    db: Queryable,
    owner: Owner,
    *,
    status: str | None = None,
    company: str | None = None,
    title: str | None = None,
    url: str | None = None,
    reached: str | None = None,
    limit: int = 20,
) -> tuple[list[Row], int]:
    """Return (the newest matching jobs, the number of all matching ones).

    Text filters ignore case.
    """
    rows = await db.fetch(JOBS["list_jobs"], *owner, status, company, title, url, limit, reached)
    jobs = [to_job({key: row[key] for key in row if key != "total"}) for row in rows]
    return jobs, get_total(rows)


def get_total(rows: Sequence[Row]) -> int:
    """Return the number of all matches, which each row of a page contains; 0 without rows."""
    return rows[0]["total"] if rows else 0


async def count_jobs(db: Queryable, owner: Owner) -> Row:
    """Count the user's jobs: `total`, `applications`, `responses` and one number per status."""
    return await _fetch_one(db, JOBS["count_jobs"], *owner)


async def count_jobs_per_week(db: Queryable, owner: Owner, weeks: int) -> list[Row]:
    """Count the jobs that were saved and applied for in each week, oldest week first.

    A row has `week` (its Monday), `saved` and `applied`.
    """
    return await db.fetch(JOBS["count_jobs_per_week"], *owner, weeks)


async def list_jobs_named_in(db: Queryable, owner: Owner, text: str, limit: int = 20) -> list[Row]:
    """List the user's newest jobs whose company is named in a text."""
    return [to_job(row) for row in await db.fetch(JOBS["list_jobs_named_in"], *owner, text, limit)]


async def save_company(
    db: Queryable, owner: Owner, name: str, url: str | None = None, *, is_untrusted: bool = False
) -> Row:
    """Save a company by name and return its row, adding the URL if that was missing.

    `outside`: its marked fields.
    """
    return await _fetch_one(db, JOBS["save_company"], *owner, name, url, is_untrusted)


async def save_contact(
    db: Queryable,
    owner: Owner,
    name: str | None,
    email: str | None,
    company: str | None = None,
    *,
    is_untrusted: bool = False,
) -> Row:
    """Save a contact and return its row, adding the e-mail if that was missing."""
    values = (name, email, company, is_untrusted)
    return await _fetch_one(db, JOBS["save_contact"], *owner, *values)


async def update_named(
    db: Queryable,
    owner: Owner,
    kind: Named,
    row_id: int,
    fields: Mapping[str, Any],
    *,
    is_untrusted: bool = False,
) -> Row | None:
    """Change a company or contact of the user and return its row; None if there is none.

    A company has `notes` and `url`, a contact `notes` and `email`. A field that a trusted run
    writes anew is marked no more.
    """
    values = (row_id, dict(fields), is_untrusted)
    return await db.fetchrow(JOBS[f"update_{kind}"], *owner, *values)


async def list_companies(
    db: Queryable, owner: Owner, limit: int = 100, *, name: str | None = None
) -> list[Row]:
    """List the user's companies by name, with the number of jobs at each.

    Each row has `jobs`, and the `total` of all matches.
    """
    return await db.fetch(JOBS["list_companies"], *owner, limit, name)


async def list_contacts(
    db: Queryable,
    owner: Owner,
    limit: int = 100,
    *,
    name: str | None = None,
    company: str | None = None,
) -> list[Row]:
    """List the user's contacts by name.

    Each row has the `total` of all matches. `name` searches e-mail addresses too.
    """
    return await db.fetch(JOBS["list_contacts"], *owner, limit, name, company)


async def save_document(
    db: Queryable,
    owner: Owner,
    *,
    kind: str,
    title: str,
    content: str,
    job_id: int | None = None,
    company: str | None = None,
    sources: list[dict[str, Any]] | None = None,
    passed: bool | None = None,
    problems: list[str] | None = None,
    run_id: str | None = None,
) -> tuple[int, int]:
    """Save a text as a document, or as its next version; return (document_id, version).

    A second text of one kind (but `other`) for the same job is that document's next version.

    passed: None when nothing checked it. problems: what the check still found wrong.
    """
    values = (kind, title, job_id, company, content, sources or [], passed, problems or [], run_id)
    row = await _fetch_one(db, DOCUMENTS["save_document"], *owner, *values)
    return row["document_id"], row["version"]


async def load_document(
    db: Queryable, owner: Owner, document_id: int, version: int | None = None
) -> Row | None:
    """Load one version of a document, the latest by default, with its title and kind."""
    return await db.fetchrow(DOCUMENTS["load_document"], *owner, document_id, version)


async def load_document_page(
    db: Queryable,
    owner: Owner,
    *,
    job_id: int | None = None,
    kind: str | None = None,
    limit: int = 50,
    after: tuple[str, int] | None = None,
) -> list[Row]:
    """Load a page of the user's documents, without their content.

    Each row has its `sort_key`.
    `after`: sort_key and document_id of the last one seen.
    """
    return await db.fetch(
        DOCUMENTS["load_document_page"], *owner, job_id, kind, *(after or (None, None)), limit
    )


async def add_version(
    db: Queryable,
    owner: Owner,
    document_id: int,
    content: str,
    *,
    sources: list[dict[str, Any]] | None = None,
    passed: bool | None = None,
    problems: list[str] | None = None,
) -> int | None:
    """Add a version to a document; return its number, or None if the user has no such document."""
    values = (content, sources or [], passed, problems or [])
    return await db.fetchval(DOCUMENTS["add_version"], *owner, document_id, *values)


async def list_versions(db: Queryable, owner: Owner, document_id: int) -> list[Row]:
    """List a document's versions without their content, newest first."""
    return await db.fetch(DOCUMENTS["list_versions"], *owner, document_id)


async def delete_document(db: Queryable, owner: Owner, document_id: int) -> bool:
    """Delete a document with its versions; return False if the user has no such document."""
    # In a statement of its own: one that waits for a version that is being added would not see it
    # (test_a_version_added_meanwhile_is_deleted_with_its_document).
    await db.execute(DOCUMENTS["lock_document"], *owner, document_id)
    return await db.execute(DOCUMENTS["delete_document"], *owner, document_id) > 0


async def load_profile(db: Queryable, owner: Owner) -> Row:
    """Load the user's profile, or an empty one.

    It has `content` (Markdown), `is_onboarded` and `is_untrusted`.
    """
    row = await db.fetchrow(PROFILE["load_profile"], *owner)
    return row or {"content": "", "is_onboarded": False, "is_untrusted": False, "updated_at": None}


async def save_profile(
    db: Queryable, owner: Owner, content: str, *, is_untrusted: bool = False
) -> None:
    """Replace the profile's Markdown, leaving `is_onboarded` as it is."""
    await db.execute(PROFILE["save_profile"], *owner, content, is_untrusted)


async def save_onboarded(db: Queryable, owner: Owner) -> None:
    """Mark the profile interview as done."""
    await db.execute(PROFILE["save_onboarded"], *owner)


async def save_resume(
    db: Queryable,
    owner: Owner,
    *,
    name: str,
    source_format: str,
    raw_text: str,
    data: dict[str, Any] | None,
) -> int:
    """Store a new version of the résumé; return its number.

    data: JSON Resume; None before a parser has structured it.
    """
    return await db.fetchval(PROFILE["save_resume"], *owner, name, source_format, raw_text, data)


async def save_resume_data(db: Queryable, owner: Owner, version: int, data: dict[str, Any]) -> bool:
    """Save the parsed data of a résumé's version; return False if a person has corrected it."""
    return await db.execute(PROFILE["save_resume_data"], *owner, version, data) > 0


async def correct_resume(
    db: Queryable, owner: Owner, version: int | None, data: dict[str, Any] | None
) -> int | None:
    """Store a person's correction of the résumé as a new version; return its number.

    data None: a copy of that version. Return None if there is no such version.
    """
    return await db.fetchval(PROFILE["correct_resume"], *owner, version, data)


async def load_resume(db: Queryable, owner: Owner, version: int | None = None) -> Row | None:
    """Load one version of the résumé, the newest by default, with text and structured `data`."""
    return await db.fetchrow(PROFILE["load_resume"], *owner, version)


async def list_resumes(db: Queryable, owner: Owner) -> list[Row]:
    """List all versions of the résumé without text and data, newest first."""
    return await db.fetch(PROFILE["list_resumes"], *owner)


async def delete_resumes(db: Queryable, owner: Owner) -> int:
    """Delete all versions of the résumé and its parsed texts; return how many versions."""
    await delete_parsed_texts(db, owner[1], "careers")
    return await db.execute(PROFILE["delete_resumes"], *owner)


async def load_prompt_facts(db: Queryable, owner: Owner) -> Row:
    """Load what prompts say about the user: profile and latest résumé.

    Profile `content`; `candidate`, `positions`, `format`, `created_at` of the latest résumé
    (`format` None: there is none).
    """
    tenant_id, user_id = owner
    own = {"tenant_id": tenant_id, "user_id": user_id}
    (row,) = await db.call("careers_load_prompt_context", **own)
    return row


async def _fetch_one(db: Queryable, sql: str, *values: Any) -> Row:
    """Run a statement that always returns one row, and return that row."""
    row = await db.fetchrow(sql, *values)
    assert row is not None
    return row


async def _save_named(db: Queryable, job: Row, *, is_untrusted: bool) -> None:
    """Create the company and contact that a stored job names, if they are new."""
    owner = (job["tenant_id"], job["user_id"])
    name, email = job["contact_name"], job["contact_email"]
    await save_company(db, owner, job["company"], is_untrusted=is_untrusted)
    if name or email:
        await save_contact(db, owner, name, email, job["company"], is_untrusted=is_untrusted)


def _with_url_key(fields: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(fields)
    if "url" in values:
        values["url_key"] = make_url_key(values["url"]) if values["url"] else None
    return values
