"""`/api/jobs…`: the tracker for frontends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import msgspec
from msgspec import UNSET, structs

from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute, UploadedFile
from plainloop.agent.errors import ConflictError, InputError, ToolError
from plainloop.agent.store.database import Queryable, Row

from .. import store
from ..jobs.fields import check_fields, clean_fields
from ..jobs.files import check_found, read_jobs_file
from ..jobs.merging import merge_jobs
from ..jobs.pages import JobFilter, load_job_page
from ..jobs.sheets import FIELDS, FoundJobs, write_csv
from ..jobs.status import STATUSES
from .reading import (
    cursor_errors,
    from_cursor,
    get_row_id,
    make_missing,
    to_cursor,
    to_http_error,
    to_shape,
)
from .shapes import (
    ChangedJob,
    FoundJob,
    ImportPreview,
    ImportQuery,
    ImportReport,
    Job,
    JobChange,
    JobHistory,
    JobPage,
    JobQuery,
    JobStats,
    JobStatus,
    NewJob,
    RejectedRow,
    SheetColumn,
    StatsQuery,
    Week,
)

PREVIEWED: Final = 20


async def list_jobs(request: ApiRequest, query: JobQuery) -> JobPage:
    """List a page of the user's jobs that match the query, with a cursor for the next page."""
    after = None
    if query.cursor is not None:
        sort, order, key, job_id = from_cursor(query.cursor, (str, str, str, int))
        if (sort, order) != (query.sort, query.order):
            raise InputError(
                "the cursor is not valid for this list and order",
                hint="Use `next_cursor` of the previous page, with the same filters.",
            )
        after = (key, job_id)
    with cursor_errors(query.cursor):
        rows = await load_job_page(
            request.db,
            request.owner,
            _to_filters(query),
            sort=query.sort,
            descending=query.order == "desc",
            limit=query.limit + 1,
            after=after,
        )
    shown = rows[: query.limit]
    cursor = None
    if len(rows) > query.limit:
        last = shown[-1]
        cursor = to_cursor(query.sort, query.order, last["sort_key"], last["job_id"])
    return JobPage([to_shape(Job, row) for row in shown], store.get_total(rows), cursor)


async def create_job(request: ApiRequest, body: NewJob) -> Job:
    """Add a job to the tracker, unless a job with its URL is there already."""
    given = {name: value for name, value in structs.asdict(body).items() if value is not None}
    fields = _to_fields(given)
    async with request.store.transaction(request.tenant_id) as tx:
        row, is_new = await store.save_job(tx, request.owner, fields)
    if not is_new:
        raise _make_known(row)
    return to_shape(Job, row)


async def read_job(request: ApiRequest) -> Job:
    """Return one job of the user."""
    return to_shape(Job, await _load_job(request.db, request, get_row_id(request, "job")))


async def read_history(request: ApiRequest) -> JobHistory:
    """Return the statuses that a job has reached, with their dates."""
    job_id = get_row_id(request, "job")
    stages = await store.list_stages(request.db, request.owner, job_id)
    if not stages:
        raise make_missing("job", job_id)
    return JobHistory([JobStatus(*stage) for stage in stages.items()])  # pyright: ignore[reportArgumentType]


async def change_job(request: ApiRequest, body: JobChange) -> ChangedJob:
    """Change the fields of a job that the body contains, emptying those that are null."""
    job_id = get_row_id(request, "job")
    changed = {name: value for name, value in structs.asdict(body).items() if value is not UNSET}
    undone = changed.pop("undone", None)
    back = {"dates": changed.pop("reached", None), "undone": undone and structs.asdict(undone)}
    if not changed and not back["dates"]:
        return to_shape(ChangedJob, await _load_job(request.db, request, job_id), taken_back={})
    try:
        return await _store_change(request, job_id, changed, back)
    except store.DuplicateRowError:
        # Another request stored the URL since the check; with that job in sight it is refused.
        return await _store_change(request, job_id, changed, back)


async def _load_job(db: Queryable, request: ApiRequest, job_id: int) -> Row:
    """Load a job of the user. Raises: NotFoundError."""
    row = await store.load_job(db, request.owner, job_id)
    if row is None:
        raise make_missing("job", job_id)
    return row


async def _store_change(
    request: ApiRequest, job_id: int, changed: Mapping[str, Any], back: Mapping[str, Any]
) -> ChangedJob:
    """Check a job's changed fields against the stored ones and update the job.

    back: what the change restores, as `store.update_job` takes it.

    Raises: NotFoundError; InputError; ConflictError when another job has the URL.
    """
    async with request.store.transaction(request.tenant_id) as tx:
        known = await _load_job(tx, request, job_id)
        fields = _to_fields(changed, known)
        before = await store.list_stages(tx, request.owner, job_id)
        if fields.get("url"):
            other = await store.load_job_by_url(tx, request.owner, fields["url"])
            if other is not None and other["job_id"] != job_id:
                raise _make_known(other)
        row = await store.update_job(tx, request.owner, job_id, fields, **back)
        after = await store.list_stages(tx, request.owner, job_id)
    assert row is not None
    gone = {status: at for status, at in before.items() if status not in after}
    return to_shape(ChangedJob, row, taken_back=gone)


async def delete_job(request: ApiRequest) -> None:
    """Delete a job from the tracker, but not its letters."""
    job_id = get_row_id(request, "job")
    async with request.store.transaction(request.tenant_id) as tx:
        gone = await store.delete_job(tx, request.owner, job_id)
    if gone is None:
        raise make_missing("job", job_id)


async def read_stats(request: ApiRequest, query: StatsQuery) -> JobStats:
    """Count the user's jobs by status and week, with the rate of responses."""
    counts = await store.count_jobs(request.db, request.owner)
    weeks = await store.count_jobs_per_week(request.db, request.owner, query.weeks)
    sent, answered = counts["applications"], counts["responses"]
    return JobStats(
        total=counts["total"],
        by_status={status: counts[status] for status in STATUSES},
        applications=sent,
        responses=answered,
        response_rate=round(answered / sent, 4) if sent else None,
        per_week=[Week(**week) for week in weeks],
    )


async def export_jobs(request: ApiRequest, query: JobFilter) -> ApiFile:
    """Return the jobs that match the filters as a CSV file."""
    filters = _to_filters(query)
    rows = await load_job_page(request.db, request.owner, filters, descending=False, limit=None)
    return ApiFile(write_csv(rows).encode("utf-8-sig"), "text/csv; charset=utf-8", "jobs.csv")


async def import_jobs(
    request: ApiRequest, query: ImportQuery, upload: UploadedFile
) -> ImportReport:
    """Import an uploaded file's jobs into the tracker, and report what became of each row."""
    found = await _read_upload(request, query, upload)
    check_found(found, upload.filename or "the file")
    async with request.store.transaction(request.tenant_id) as tx:
        merged = await merge_jobs(tx, request.owner, found.jobs)
    return ImportReport(
        *([row["job_id"] for row in rows] for rows in (merged.created, merged.updated)),
        known=[row["job_id"] for row in merged.known],
        rejected=[RejectedRow(row, said) for row, said in found.rejected],
        noted=[RejectedRow(row, said) for row, said in found.unread],
        columns=[SheetColumn(**asdict(column)) for column in found.columns],
    )


async def preview_import(
    request: ApiRequest, query: ImportQuery, upload: UploadedFile
) -> ImportPreview:
    """Read a file for import and return its columns and first jobs, without storing anything.

    What a text does not label is guessed here, for a person to confirm; an import guesses nothing.
    """
    found = await _read_upload(request, query, upload, is_guess=True)
    jobs = [FoundJob(job, True) for job in found.jobs]
    jobs += [FoundJob(job, False) for job in found.incomplete]
    return ImportPreview(
        jobs=jobs[:PREVIEWED],
        total=len(jobs),
        rejected=[RejectedRow(row, said) for row, said in found.rejected],
        noted=[RejectedRow(row, said) for row, said in found.unread[:PREVIEWED]],
        columns=[SheetColumn(**asdict(column)) for column in found.columns],
        fields=list(FIELDS),
    )


async def _read_upload(
    request: ApiRequest, query: ImportQuery, upload: UploadedFile, *, is_guess: bool = False
) -> FoundJobs:
    """Read the jobs of an uploaded file with the query's mapping of columns.

    Raises: InputError, with the HTTP status that says why.
    """
    name, limits = upload.filename or "the file", request.settings.limits
    try:
        mapping = msgspec.json.decode(query.mapping or "{}", type=dict[str, dict[str, str]])
    except msgspec.MsgspecError as error:
        said = f"the mapping is not valid: {error}"
        raise InputError(said, hint='{"columns": {"Firma": "company"}, "statuses": {}}') from error
    try:
        return await read_jobs_file(
            upload.file, name, limits, request.owner, mapping, is_guess=is_guess
        )
    except InputError as error:
        raise to_http_error(error) from error


def _to_filters(query: JobFilter) -> JobFilter:
    """Drop the empty texts from a query's filters, as if they were missing."""
    said = {name: getattr(query, name) for name in JobFilter.__struct_fields__}
    return JobFilter(**{name: value for name, value in said.items() if value != ""})


def _to_fields(given: Mapping[str, Any], known: Row | None = None) -> dict[str, Any]:
    """Clean a job's changed fields and check them together with the job's stored ones.

    Raises: InputError.
    """
    fields = clean_fields(given)
    try:
        pay = {name: (known or {}).get(name) for name in ("salary_min", "salary_max")}
        check_fields({**pay, **fields})
    except ToolError as error:
        raise InputError(error.message) from error
    return fields


def _make_known(row: Row) -> ConflictError:
    return ConflictError(
        f"the job {row['job_id']} in the tracker already has this URL",
        hint=f"Change that job with PATCH /api/jobs/{row['job_id']}.",
        code="JOB_EXISTS",
    )


ROUTES: Final = (
    ApiRoute("GET", "/api/jobs", list_jobs, "List jobs, filtered, sorted and in pages"),
    ApiRoute("POST", "/api/jobs", create_job, "Save a job", status=201),
    ApiRoute("GET", "/api/jobs/{job_id}", read_job, "Read a job"),
    ApiRoute("PATCH", "/api/jobs/{job_id}", change_job, "Change a job"),
    ApiRoute(
        "GET", "/api/jobs/{job_id}/statuses", read_history, "Read the dates of a job's statuses"
    ),
    ApiRoute("DELETE", "/api/jobs/{job_id}", delete_job, "Remove a job", status=204),
    ApiRoute(
        "GET",
        "/api/jobs/stats",
        read_stats,
        "Count jobs per status and week, and answered applications",
    ),
    ApiRoute("GET", "/api/jobs.csv", export_jobs, "Jobs as CSV", files=("text/csv",)),
    ApiRoute("POST", "/api/jobs/import", import_jobs, "Import jobs: sheets, postings, JSON, text"),
    ApiRoute(
        "POST",
        "/api/jobs/import/preview",
        preview_import,
        "Read a file for an import: its columns, and the first jobs; nothing is stored",
    ),
)
