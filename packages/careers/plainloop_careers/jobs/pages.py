"""The tracker's pages: filters, sorting, and where the next page begins."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Final

from msgspec import Meta, Struct

from plainloop.agent.store.database import Queryable, Row
from plainloop_documents.process import Owner
from plainloop_documents.reading.pay import MOST, Period

from ..store import JOBS, to_job
from ..tools_jobs import Fit, RemoteType
from .status import Status

Salary = Annotated[float, Meta(ge=0, le=MOST)]
Currency = Annotated[str, Meta(max_length=40)]

# What a page is sorted by: an expression that is never null, and its type.
SORTS: Final[Mapping[str, tuple[str, str]]] = {
    "created_at": ("job.created_at", "timestamptz"),
    "updated_at": ("job.updated_at", "timestamptz"),
    "applied_at": ("coalesce(job.applied_at, 'epoch')", "timestamptz"),
    "company": ("lower(job.company)", "text"),
    "title": ("lower(job.title)", "text"),
    "status": ("job.status", "text"),
    "salary": ("coalesce(job.salary_max, job.salary_min, 0)", "numeric"),
    "fit": ("coalesce(job.job_fit, -1)", "integer"),
}


class JobFilter(Struct):
    """Filters of the job list. Texts match part of a field, ignoring case; None or empty is off."""

    status: list[Status] = []
    remote_type: list[RemoteType] = []
    company: str | None = None
    title: str | None = None
    location: str | None = None
    tag: str | None = None  # a whole tag
    q: str | None = None  # each word in company, title, place, tags or notes
    salary_min: Salary | None = None  # pays this much or more, whatever it is in and for
    salary_currency: Currency | None = None
    salary_period: Period | None = None
    fit_min: Fit | None = None
    created_from: date | None = None
    created_to: date | None = None  # this day included


async def load_job_page(
    db: Queryable,
    owner: Owner,
    filters: JobFilter,
    *,
    sort: str = "created_at",
    descending: bool = True,
    limit: int | None = 50,
    after: tuple[str, int] | None = None,
) -> list[Row]:
    """Load a page of the user's jobs that match the filters.

    Each row has `sort_key` (text) and `total`.
    `after`: sort_key and job_id of the last one seen.

    limit: None for all.
    """
    pay = None if filters.salary_min is None else Decimal(str(filters.salary_min))
    rows = await db.fetch(
        build_page_sql(sort, descending=descending),
        *owner,
        *(list(filters.status) or None, list(filters.remote_type) or None),
        *(filters.company, filters.title, filters.location, filters.tag, filters.q),
        *(pay, filters.fit_min, filters.created_from, filters.created_to),
        *(after or (None, None)),
        *(limit, filters.salary_currency, filters.salary_period),
    )
    return [to_job(row) for row in rows]


def build_page_sql(sort: str, *, descending: bool) -> str:
    """Build the SQL statement for a page of jobs in one sort order.

    Its parts come from SORTS only, never from a request.
    """
    expression, kind = SORTS[sort]
    return JOBS["load_job_page"].format(
        key=expression,
        kind=kind,
        compare="<" if descending else ">",
        direction="desc" if descending else "asc",
    )
