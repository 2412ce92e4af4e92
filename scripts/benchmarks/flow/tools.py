"""Sixteen tools of a job tracker. Those that no flow calls have a schema and no body."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from plainloop.agent.core.tools import Tool, ToolContext, tool
from plainloop.agent.errors import ToolError
from plainloop.agent.store.sql_blocks import load_sql

Status = Literal["saved", "applied", "interviewing", "offer", "rejected"]
RemoteType = Literal["onsite", "hybrid", "remote"]
Lines = Annotated[str, Meta(description="newline-separated")]
Tags = Annotated[str, Meta(description="comma-separated")]
SQL = load_sql(Path(__file__).parent / "sql" / "tracker.sql")
NAMES = ("job_id", "company", "title", "status", "location", "salary_max", "notes")


@tool("write")
async def create_job(
    tool: ToolContext,
    company: str,
    title: str,
    url: str | None = None,
    status: Status = "saved",
    notes: str | None = None,
    salary_min: int | None = None,
    salary_max: int | None = None,
    location: str | None = None,
    remote_type: RemoteType | None = None,
    tags: Tags | None = None,
    contact_name: str | None = None,
    contact_email: str | None = None,
    requirements: Lines | None = None,
) -> Any:
    """Save a job in the tracker."""
    values = (company, title, status, location, salary_max, notes)
    row = await tool.db.fetchrow(SQL["create_job"], tool.tenant_id, tool.user_id, *values)
    return {"job": _to_json(row)}


@tool("read")
async def list_jobs(
    tool: ToolContext,
    status: Status | None = None,
    company: str | None = None,
    title: str | None = None,
    limit: int = 20,
) -> Any:
    """Jobs in the tracker, newest first; text filters match a part."""
    asked = {"status": status, "company": company, "title": title, "most": limit}
    rows = await tool.db.call("bench_list_jobs", user_id=tool.user_id, **asked)
    return {"jobs": [_to_json(row) for row in rows]}


@tool("write")
async def update_job(
    tool: ToolContext,
    job_id: int,
    status: Status | None = None,
    notes: str | None = None,
    salary_min: int | None = None,
    salary_max: int | None = None,
    location: str | None = None,
    remote_type: RemoteType | None = None,
    contact_name: str | None = None,
    contact_email: str | None = None,
) -> Any:
    """Change a job's fields; an empty text clears one."""
    values = (job_id, status, notes)
    row = await tool.db.fetchrow(SQL["update_job"], tool.tenant_id, tool.user_id, *values)
    return {"job": _to_json(row)} if row else {"error": f"there is no job {job_id}"}


@tool("read")
async def read_user_profile(tool: ToolContext) -> Any:
    """The user's profile (Markdown)."""
    return {"content": await load_text(tool, "profile")}


@tool("read")
async def read_resume(tool: ToolContext) -> Any:
    """The user's résumé."""
    return {"resume": await load_text(tool, "resume")}


async def load_text(tool: Any, name: str) -> str:
    """A stored text; "" when there is none. tool: whatever has `db`, `tenant_id`, `user_id`."""
    found = await tool.db.call("bench_load_text", user_id=tool.user_id, name=name)
    return found[0]["bench_load_text"] or ""


@tool("external")
async def delete_job(tool: ToolContext, job_id: int) -> Any:
    """Delete a job for good; asks the user first."""
    raise ToolError("not part of the benchmark")


@tool("write")
async def update_user_profile(tool: ToolContext, content: str) -> Any:
    """Replace the profile with this Markdown; give the whole text."""
    raise ToolError("not part of the benchmark")


@tool("external")
async def web_search(
    tool: ToolContext, query: str, num_results: Annotated[int, Meta(ge=1, le=10)] = 5
) -> Any:
    """Search the web; titles, addresses and snippets."""
    raise ToolError("not part of the benchmark")


@tool("external")
async def search_jobs(
    tool: ToolContext,
    query: str,
    location: str | None = None,
    remote_only: bool = False,
    salary_min: int | None = None,
    salary_max: int | None = None,
    num_results: Annotated[int, Meta(ge=1, le=20)] = 10,
    provider: Literal["adzuna", "jsearch"] = "adzuna",
) -> Any:
    """Search job boards for open positions."""
    raise ToolError("not part of the benchmark")


@tool("external")
async def scrape_url(tool: ToolContext, url: str) -> Any:
    """The readable text of a web page, such as a job posting."""
    raise ToolError("not part of the benchmark")


@tool("read")
async def list_contacts(
    tool: ToolContext, company: str | None = None, name: str | None = None, limit: int = 20
) -> Any:
    """People in the tracker, by name; text filters match a part."""
    raise ToolError("not part of the benchmark")


@tool("write")
async def create_contact(
    tool: ToolContext,
    name: str,
    email: str | None = None,
    company: str | None = None,
    role: str | None = None,
    notes: str | None = None,
) -> Any:
    """Save a person: a recruiter, a hiring manager, a referral."""
    raise ToolError("not part of the benchmark")


@tool("write")
async def schedule_reminder(tool: ToolContext, job_id: int, on: str, text: str) -> Any:
    """Remind the user of a job on a day (YYYY-MM-DD)."""
    raise ToolError("not part of the benchmark")


@tool("read")
async def read_company(tool: ToolContext, name: str) -> Any:
    """What is known of a company: industry, size, site, notes."""
    raise ToolError("not part of the benchmark")


@tool("read")
async def list_documents(
    tool: ToolContext, kind: Literal["cover_letter", "other"] | None = None, limit: int = 20
) -> Any:
    """Stored letters and other documents, newest first."""
    raise ToolError("not part of the benchmark")


@tool("write")
async def save_document(
    tool: ToolContext,
    title: str,
    content: str,
    kind: Literal["cover_letter", "other"] = "cover_letter",
    job_id: int | None = None,
) -> Any:
    """Store a document, or a new version of the one with this title."""
    raise ToolError("not part of the benchmark")


TRACKER: tuple[Tool, ...] = (
    create_job, list_jobs, update_job, delete_job, read_resume, update_user_profile,
    list_contacts, create_contact, schedule_reminder,
)  # fmt: skip
SEARCH: tuple[Tool, ...] = (
    search_jobs, web_search, scrape_url, list_jobs, create_job, read_resume, read_user_profile,
    read_company,
)  # fmt: skip
LETTERS: tuple[Tool, ...] = (list_jobs, read_resume, list_documents, save_document)
ALL_TOOLS: tuple[Tool, ...] = tuple(dict.fromkeys((*TRACKER, *SEARCH, *LETTERS), None))


def _to_json(row: Any) -> dict[str, Any]:
    return {name: row[name] for name in NAMES if row[name] is not None}
