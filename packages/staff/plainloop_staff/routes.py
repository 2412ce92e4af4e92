"""The staff pack over HTTP: one's own interviews, a new colleague each."""

from __future__ import annotations

from datetime import datetime

import orjson
from msgspec import Struct

from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute
from plainloop.agent.errors import ConflictError, NotFoundError
from plainloop.agent.store.api import list_conversations
from plainloop.agent.store.records import ThreadInfo

from .export import build_document
from .fields import ASKED, FIELD_NAMES, REQUIRED, list_missing_fields

NAME = "staff_onboarding"


class StaffInterview(Struct):
    """An interview as the API shows it: recorded fields, and the missing ones."""

    conversation_id: str
    fields: dict[str, str | bool | None]
    missing: list[str]  # names of fields that are asked and have no value
    required: list[str]  # names of fields without which nothing is exported
    is_exported: bool
    created_at: datetime
    updated_at: datetime


class StaffInterviews(Struct):
    interviews: list[StaffInterview]  # the newest activity first


def to_interview(thread: ThreadInfo) -> StaffInterview:
    data = thread.data
    return StaffInterview(
        thread.thread_id,
        {name: data.get(name) for name in FIELD_NAMES},
        list(list_missing_fields(data, ASKED)),
        [*REQUIRED],
        data.get("conversation_summary") is not None,
        thread.created_at,
        thread.updated_at,
    )


async def list_interviews(request: ApiRequest) -> StaffInterviews:
    """List all interviews of the user, read in pages of `limits.page_rows`."""
    own, after, limit = list[ThreadInfo](), None, request.settings.limits.page_rows
    while True:
        page = await list_conversations(request.db, request.user_id, "onboarding", limit, after)
        own += [thread for thread in page if thread.pack == NAME]
        if len(page) < limit:
            return StaffInterviews([to_interview(thread) for thread in own])
        after = (page[-1].updated_at, page[-1].thread_id)


async def export_interview(request: ApiRequest) -> ApiFile:
    """Return an interview's document as a file, built from the stored thread.

    Raises: NotFoundError; ConflictError while something required is missing.
    """
    thread = await request.store.load_thread(*request.owner, request.params["conversation_id"])
    if thread.pack != NAME:
        raise NotFoundError(
            f"no such interview: {thread.thread_id}",
            hint="Check the id; only interviews of the same user are visible.",
        )
    if missing := list_missing_fields(thread.data, REQUIRED):
        raise ConflictError(
            f"these fields are still missing: {', '.join(missing)}",
            hint="Continue the interview to fill them in.",
            code="FIELDS_MISSING",
        )
    content = orjson.dumps(build_document(thread.thread_id, thread.data))
    return ApiFile(content, "application/json", f"{thread.thread_id}.json")


ROUTES = (
    ApiRoute("GET", "/api/staff/interviews", list_interviews, "List your interviews, newest first"),
    ApiRoute(
        "GET",
        "/api/staff/interviews/{conversation_id}/export",
        export_interview,
        "Download an interview's data as a file",
        files=("application/json",),
    ),
)
