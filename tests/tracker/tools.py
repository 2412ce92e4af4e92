"""The tracker's tools: small ids per tenant, one deletion that asks first."""

from __future__ import annotations

from typing import Any, Literal

from plainloop.agent.core.tools import ToolContext, tool
from plainloop.agent.errors import ToolError
from plainloop.agent.store.database import Queryable, Row

Status = Literal["saved", "applied", "interviewing", "offer", "rejected"]
RemoteType = Literal["onsite", "hybrid", "remote"]
SHOWN = "job_id, company, title, status, location, remote_type"
MINE = "tenant_id = $1 and user_id = $2"


async def save_job(
    db: Queryable, tenant_id: str, user_id: str, company: str, title: str, **more: Any
) -> Row:
    columns = {"company": company, "title": title, **more}
    names, marks = ", ".join(columns), ", ".join(f"${n}" for n in range(3, len(columns) + 3))
    # A tenant's inserts take turns: each looks for the last number.
    await db.fetchrow("select pg_advisory_xact_lock(hashtext($1))", f"tracker {tenant_id}")
    row = await db.fetchrow(
        f"insert into tracker_jobs (tenant_id, user_id, job_id, {names}) select $1, $2, "
        "(select coalesce(max(job_id), 0) + 1 from tracker_jobs where tenant_id = $1), "
        f"{marks} returning {SHOWN}",
        *(tenant_id, user_id, *columns.values()),
    )
    assert row is not None
    return row


async def list_rows(
    db: Queryable, tenant_id: str, user_id: str, status: str | None, company: str | None
) -> list[Row]:
    return await db.fetch(
        f"select {SHOWN} from tracker_jobs where {MINE} and ($3::text is null or status = $3) "
        "and ($4::text is null or company ilike '%' || $4 || '%') order by job_id desc",
        *(tenant_id, user_id, status, company),
    )


def drop_nulls(row: Row | None, job_id: int = 0) -> dict[str, Any]:
    """Raises: ToolError where there is no row."""
    if row is None:
        raise ToolError(f"there is no job {job_id}; list_jobs shows the ids")
    return {name: value for name, value in row.items() if value is not None}


@tool("write", undone_by="delete_job")
async def create_job(
    tool: ToolContext,
    company: str,
    title: str,
    status: Status = "saved",
    location: str | None = None,
    remote_type: RemoteType | None = None,
) -> dict[str, Any]:
    """Save a job in the tracker."""
    more = {"status": status, "location": location, "remote_type": remote_type}
    row = await save_job(tool.db, tool.tenant_id, tool.user_id, company, title, **more)
    return {"job": drop_nulls(row)}


@tool("read", is_fixed=True)
async def list_jobs(
    tool: ToolContext, status: Status | None = None, company: str | None = None, limit: int = 20
) -> dict[str, Any]:
    """Jobs in the tracker, newest first; text filters match a part."""
    rows = await list_rows(tool.db, tool.tenant_id, tool.user_id, status, company)
    return {"jobs": [drop_nulls(row) for row in rows[:limit]], "total": len(rows)}


@tool("write")
async def update_job(
    tool: ToolContext,
    job_id: int,
    company: str | None = None,
    title: str | None = None,
    status: Status | None = None,
    location: str | None = None,
    remote_type: RemoteType | None = None,
) -> dict[str, Any]:
    """Change a job's fields."""
    given = {key: value for key, value in locals().items() if key not in ("tool", "job_id")}
    changed = {key: value for key, value in given.items() if value is not None}
    if not changed:
        raise ToolError("nothing to change: give at least one field besides job_id")
    sets = ", ".join(f"{name} = ${n}" for n, name in enumerate(changed, 4))
    row = await tool.db.fetchrow(
        f"update tracker_jobs set {sets} where {MINE} and job_id = $3 returning {SHOWN}",
        *(tool.tenant_id, tool.user_id, job_id, *changed.values()),
    )
    return {"job": drop_nulls(row, job_id)}


async def ask_delete(tool: ToolContext, job_id: int) -> str:
    row = await tool.db.fetchrow(
        f"select {SHOWN} from tracker_jobs where {MINE} and job_id = $3",
        *(tool.tenant_id, tool.user_id, job_id),
    )
    return f"Delete #{job_id} {row['title']} at {row['company']}?" if row else "Delete it?"


@tool("write", needs_approval=True, ask=ask_delete)
async def delete_job(tool: ToolContext, job_id: int) -> dict[str, Any]:
    """Remove a job for good."""
    row = await tool.db.fetchrow(
        f"delete from tracker_jobs where {MINE} and job_id = $3 returning {SHOWN}",
        *(tool.tenant_id, tool.user_id, job_id),
    )
    return {"deleted": drop_nulls(row, job_id)}


TOOLS = (create_job, list_jobs, update_job, delete_job)
