"""The user's data, as the flows find it at the start of every run."""

from __future__ import annotations

from typing import Any

from scripts.benchmarks.flow.runs import TENANT, USER
from scripts.benchmarks.flow.texts import JOBS, PROFILE, RESUME


async def reset_domain(probe: Any) -> None:
    """Jobs with the same ids each time, profile and résumé. Not measured."""
    await probe.execute("truncate bench_jobs restart identity; truncate bench_texts")
    await probe.executemany(
        "insert into bench_jobs (tenant_id, user_id, company, title, status, location,"
        " salary_max, notes) values ($1, $2, $3, $4, $5, $6, $7, $8)",
        [(TENANT, USER, *job) for job in JOBS],
    )
    await probe.executemany(
        "insert into bench_texts (tenant_id, user_id, name, content) values ($1, $2, $3, $4)",
        [(TENANT, USER, "profile", PROFILE), (TENANT, USER, "resume", RESUME)],
    )
