"""`/api/jobs…`: routes that a pack brings, each of another's rows a 404."""

from __future__ import annotations

from msgspec import Struct, convert

from plainloop.agent.core.api import ApiRequest, ApiRoute
from plainloop.agent.errors import InputError, NotFoundError
from tests.tracker.tools import MINE, SHOWN, RemoteType, Status, list_rows, save_job


class NewJob(Struct, forbid_unknown_fields=True):
    company: str
    title: str
    status: Status = "saved"


class Job(Struct):
    job_id: int
    company: str
    title: str
    status: Status
    location: str | None
    remote_type: RemoteType | None


class Jobs(Struct):
    jobs: list[Job]
    total: int


async def create(request: ApiRequest, body: NewJob) -> Job:
    async with request.store.transaction(request.tenant_id) as tx:
        whose = (request.tenant_id, request.user_id)
        row = await save_job(tx, *whose, body.company, body.title, status=body.status)
    return convert(row, Job)


async def list_all(request: ApiRequest) -> Jobs:
    rows = await list_rows(request.db, request.tenant_id, request.user_id, None, None)
    return convert({"jobs": rows, "total": len(rows)}, Jobs)


async def read_one(request: ApiRequest) -> Job:
    row = await request.db.fetchrow(
        f"select {SHOWN} from tracker_jobs where {MINE} and job_id = $3",
        *(request.tenant_id, request.user_id, get_job_id(request)),
    )
    if row is None:
        raise NotFoundError("there is no such job")
    return convert(row, Job)


async def delete(request: ApiRequest) -> None:
    async with request.store.transaction(request.tenant_id) as tx:
        deleted = await tx.execute(
            f"delete from tracker_jobs where {MINE} and job_id = $3",
            *(request.tenant_id, request.user_id, get_job_id(request)),
        )
    if not deleted:
        raise NotFoundError("there is no such job")


def get_job_id(request: ApiRequest) -> int:
    given = request.params["job_id"]
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        raise InputError("a job's id is a number")
    return int(given)


ROUTES = (
    ApiRoute("POST", "/api/jobs", create, "Save a job", status=201),
    ApiRoute("GET", "/api/jobs", list_all, "List jobs"),
    ApiRoute("GET", "/api/jobs/{job_id}", read_one, "Read a job"),
    ApiRoute("DELETE", "/api/jobs/{job_id}", delete, "Delete a job", status=204),
)
