"""`/api/resume…`: upload, parse, read, correct."""

from __future__ import annotations

import asyncio
from typing import Final

from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.core.api import ApiRequest, ApiRoute, UploadedFile
from plainloop.agent.errors import ConflictError, InputError, ShapeError
from plainloop.agent.store.database import Row

from .. import store
from ..resumes.corrections import change_resume, load_version, replace_resume
from ..resumes.imports import keep_resume, read_resume_file, structure_resume
from ..resumes.review import find_doubts, list_doubts
from .reading import to_http_error, to_shape
from .shapes import (
    ParseOrder,
    Resume,
    ResumeChange,
    ResumeCheck,
    ResumeChoice,
    ResumeCorrection,
    ResumeVersion,
    ResumeVersions,
    UploadedResume,
    VersionQuery,
)

CHECKS_AT_MOST: Final = 50
SOURCE_CHARS: Final = 200


async def upload_resume(request: ApiRequest, upload: UploadedFile) -> UploadedResume:
    """Store an uploaded résumé, and structure it at once if it is JSON Resume."""
    name = upload.filename or "resume"
    try:
        file = await read_resume_file(upload.file, name, request.settings.limits, request.owner)
    except InputError as error:
        raise to_http_error(error) from error
    before = await store.load_resume(request.db, request.owner)
    kept = await keep_resume(request.store, request.owner, file)
    return UploadedResume(
        version=kept.version,
        name=kept.name,
        format=kept.format,
        characters=len(file.raw_text),
        is_parsed=kept.data is not None,
        please_check=list_doubts(kept.data, file.raw_text) if kept.data else [],
        replaces_correction=before["version"] if before and before["is_corrected"] else None,
    )


async def parse_resume(request: ApiRequest, body: ParseOrder) -> Resume:
    """Parse a stored résumé's text with the model and save its structure."""
    row = await _load(request, body.version)
    if row["is_corrected"]:
        raise ConflictError(
            f"version {row['version']} of the résumé was corrected by hand "
            "and will not be parsed again",
            hint="Choose an earlier version, or upload the file again.",
            code="RESUME_CORRECTED",
        )

    parse = request.service.parse_text
    told = (row["version"], row["raw_text"], parse)
    try:
        await structure_resume(request.store, request.owner, *told)
    except InputError as error:
        raise ShapeError(
            f"version {row['version']} of the résumé could not be parsed: {error.message}",
            hint="The text is stored. Upload another file, or fill in the fields by hand.",
            code="RESUME_UNREAD",
        ) from error
    return await _show(request, row["version"])


async def read_resume(request: ApiRequest, query: VersionQuery) -> Resume:
    """Return one version of the résumé, the newest by default."""
    return await _show(request, query.version)


async def list_versions(request: ApiRequest) -> ResumeVersions:
    """List all versions of the résumé without their text."""
    rows = await store.list_resumes(request.db, request.owner)
    return ResumeVersions([to_shape(ResumeVersion, row) for row in rows])


async def use_version(request: ApiRequest, body: ResumeChoice) -> Resume:
    """Make a copy of an older version the newest version of the résumé."""
    row = await _load(request, body.version)
    async with request.store.transaction(request.tenant_id) as tx:
        made = await store.correct_resume(tx, request.owner, row["version"], None)
    return await _show(request, made)


async def correct_resume(request: ApiRequest, body: ResumeCorrection) -> Resume:
    """Store a corrected structure as a new version of the résumé."""
    async with request.store.transaction(request.tenant_id) as tx:
        version = await replace_resume(tx, request.owner, body.version, body.data)
    return await _show(request, version)


async def change_values(request: ApiRequest, body: ResumeChange) -> Resume:
    """Set single values of the résumé by path, as a new version."""
    async with request.store.transaction(request.tenant_id) as tx:
        version = await change_resume(tx, request.owner, body.version, body.set)
    return await _show(request, version)


async def delete_resume(request: ApiRequest) -> None:
    """Delete all versions of the user's résumé."""
    async with request.store.transaction(request.tenant_id) as tx:
        await store.delete_resumes(tx, request.owner)


async def _load(request: ApiRequest, version: int | None) -> Row:
    """Load one version of the user's résumé, or the newest. Raises: NotFoundError."""
    return await load_version(request.db, request.owner, version)


async def _show(request: ApiRequest, version: int | None) -> Resume:
    """Load one version of the user's résumé, or the newest, with what to check in it."""
    row = await _load(request, version)
    # Outside the event loop: of the longest text this takes a tenth of a second.
    return await asyncio.to_thread(_to_resume, row)


def _to_resume(row: Row) -> Resume:
    if not row["data"]:
        return to_shape(Resume, row, please_check=[], checks=[])
    checks: list[ResumeCheck] = []
    told, is_corrected = (row["data"], row["raw_text"]), row["is_corrected"]
    for doubt in find_doubts(*told, is_corrected=is_corrected)[:CHECKS_AT_MOST]:
        # A line of JSON is a machine's text, and often the whole file.
        found = None if row["format"] == "json" else doubt.find_source(row["raw_text"])
        line, source = found or (None, "")
        checks.append(ResumeCheck(doubt.path, doubt.message, line, cut_text(source, SOURCE_CHARS)))
    doubts = list_doubts(*told, is_corrected=is_corrected)
    return to_shape(Resume, row, please_check=doubts, checks=checks)


ROUTES: Final = (
    ApiRoute(
        "POST",
        "/api/resume",
        upload_resume,
        "Upload a résumé: PDF, DOCX, Markdown, text or JSON Resume",
        status=201,
    ),
    ApiRoute(
        "POST",
        "/api/resume/parse",
        parse_resume,
        "Parse the résumé's text into JSON Resume, with one model call",
    ),
    ApiRoute("GET", "/api/resume", read_resume, "Read the résumé"),
    ApiRoute(
        "GET", "/api/resume/versions", list_versions, "List the résumé's versions, newest first"
    ),
    ApiRoute(
        "POST",
        "/api/resume/versions",
        use_version,
        "Use an older version of the résumé: a copy of it becomes the newest",
        status=201,
    ),
    ApiRoute(
        "PUT", "/api/resume", correct_resume, "Correct the parsed résumé by hand, as a new version"
    ),
    ApiRoute(
        "PATCH",
        "/api/resume",
        change_values,
        "Correct single values of the parsed résumé, as a new version",
    ),
    ApiRoute(
        "DELETE", "/api/resume", delete_resume, "Delete the résumé with all versions", status=204
    ),
)
