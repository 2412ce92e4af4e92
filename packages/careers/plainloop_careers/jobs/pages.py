"""The tracker's pages: filters, sorting, and where the next page begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from plainloop.agent.store.database import Queryable, Row

from ..store import JOBS, to_job

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


@dataclass(frozen=True, slots=True)
class JobFilters:
    """Each filter is off when None or empty."""

    status: Sequence[str] = ()
    remote_type: Sequence[str] = ()
    company: str | None = None
    title: str | None = None
    location: str | None = None
    tag: str | None = None
    q: str | None = None
    salary_min: float | None = None
    salary_currency: str | None = None
    salary_period: str | None = None
    fit_min: int | None = None
    created_from: Any = None  # dates
    created_to: Any = None


async def load_job_page(
    db: Queryable,
    tenant_id: str,
    user_id: str,
    filters: JobFilters,
    *,
    sort: str = "created_at",
    descending: bool = True,
    limit: int | None = 50,
    after: tuple[str, int] | None = None,
) -> list[Row]:
    """Jobs with `sort_key` (text) and `total`; `after`: sort_key and job_id of the last one seen.

    limit: None for all.
    """
    pay = None if filters.salary_min is None else Decimal(str(filters.salary_min))
    rows = await db.fetch(
        build_page_sql(sort, descending=descending),
        tenant_id,
        user_id,
        *(list(filters.status) or None, list(filters.remote_type) or None),
        *(filters.company, filters.title, filters.location, filters.tag, filters.q),
        *(pay, filters.fit_min, filters.created_from, filters.created_to),
        *(after or (None, None)),
        *(limit, filters.salary_currency, filters.salary_period),
    )
    return [to_job(row) for row in rows]


def build_page_sql(sort: str, *, descending: bool) -> str:
    """The statement for one order; its parts come from SORTS, never from outside."""
    expression, kind = SORTS[sort]
    return JOBS["load_job_page"].format(
        key=expression,
        kind=kind,
        compare="<" if descending else ">",
        direction="desc" if descending else "asc",
    )
