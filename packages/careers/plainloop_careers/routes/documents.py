"""`/api/documents…`: letters and other texts with versions and export."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.core.api import ApiFile, ApiRequest, ApiRoute
from plainloop.agent.core.spec import Check
from plainloop.agent.errors import InputError
from plainloop.agent.store.database import Row

from .. import store
from ..jobs.fields import clean_line
from ..letters.answers import load_facts
from ..letters.export import MEDIA_TYPES, export_document
from ..letters.grounding import trace_letter
from ..letters.letterhead import build_letterhead
from ..settings import ExportSettings
from .reading import cursor_errors, from_cursor, get_row_id, make_missing, to_cursor, to_shape
from .shapes import (
    Document,
    DocumentHead,
    DocumentPage,
    DocumentQuery,
    DocumentVersion,
    DocumentVersions,
    ExportQuery,
    NewDocument,
    NewVersion,
    VersionQuery,
)


async def list_documents(request: ApiRequest, query: DocumentQuery) -> DocumentPage:
    """List a page of the user's documents, with a cursor for the next page."""
    after: tuple[Any, ...] | None = None
    if query.cursor is not None:
        after = from_cursor(query.cursor, (str, int))
    with cursor_errors(query.cursor):
        rows = await store.load_document_page(
            request.db,
            request.owner,
            job_id=query.job_id,
            kind=query.kind,
            limit=query.limit + 1,
            after=after,  # pyright: ignore[reportArgumentType]
        )
    shown = rows[: query.limit]
    has_more = len(rows) > query.limit
    cursor = to_cursor(shown[-1]["sort_key"], shown[-1]["document_id"]) if has_more else None
    return DocumentPage([_to_head(row) for row in shown], cursor)


def _to_head(row: Row) -> DocumentHead:
    latest = row["latest_version"]
    written = [
        {**item, "newer": f". Version {latest} is newer" if item["version"] < latest else ""}
        for item in row["written"]
    ]
    return to_shape(DocumentHead, row, written=written)


async def create_document(request: ApiRequest, body: NewDocument) -> Document:
    """Store a new document, or the next version if the job has one of that kind."""
    content, title = _clean(body.content), clean_line(body.title)
    job = None
    if body.job_id is not None:
        job = await store.load_job(request.db, request.owner, body.job_id)
        if job is None:
            raise make_missing("job", body.job_id)
    check = await _check(request, body.kind, content, job)
    async with request.store.transaction(request.tenant_id) as tx:
        document_id, version = await store.save_document(
            tx,
            request.owner,
            kind=body.kind,
            title=title or "Document",
            content=content,
            job_id=body.job_id,
            company=job["company"] if job else None,
            sources=list(check.sources),
            passed=None,
            problems=list(check.problems),
        )
    return await _load(request, document_id, version)


async def read_document(request: ApiRequest, query: VersionQuery) -> Document:
    """Return one version of a document, the latest by default."""
    return await _load(request, get_row_id(request, "document"), query.version)


async def list_versions(request: ApiRequest) -> DocumentVersions:
    """List the versions of a document without their content."""
    document_id = get_row_id(request, "document")
    rows = await store.list_versions(request.db, request.owner, document_id)
    if not rows:
        raise make_missing("document", document_id)
    return DocumentVersions([to_shape(DocumentVersion, row) for row in rows])


async def add_version(request: ApiRequest, body: NewVersion) -> Document:
    """Check a new text and add it to a document as its next version."""
    document_id = get_row_id(request, "document")
    content = _clean(body.content)
    head = await _load_row(request, document_id, None)
    job_id = head["job_id"]
    job = await store.load_job(request.db, request.owner, job_id) if job_id else None
    check = await _check(request, head["kind"], content, job)
    sources, problems = list(check.sources), list(check.problems)
    async with request.store.transaction(request.tenant_id) as tx:
        added = await store.add_version(
            tx, request.owner, document_id, content, sources=sources, problems=problems
        )
        if added is None:
            raise make_missing("document", document_id)  # erased meanwhile
    # Not the latest: another window may have saved one since.
    return await _load(request, document_id, added)


async def export_file(request: ApiRequest, query: ExportQuery) -> ApiFile:
    """Return a version of a document as a Markdown, Word or PDF file."""
    row = await _load_row(request, get_row_id(request, "document"), query.version)
    head = await _load_letterhead(request, row) if query.letterhead else ""
    return await export_document(
        {**row, "content": f"{head}\n\n{row['content']}"} if head else row,
        query.format,
        request.settings.get_table(ExportSettings).pdf_font,
        limits=request.settings.limits,
        owner=request.owner,
    )


async def delete_document(request: ApiRequest) -> None:
    """Delete a document with all its versions."""
    document_id = get_row_id(request, "document")
    async with request.store.transaction(request.tenant_id) as tx:
        if not await store.delete_document(tx, request.owner, document_id):
            raise make_missing("document", document_id)


async def _check(request: ApiRequest, kind: str, content: str, job: Row | None) -> Check:
    """Check a person's own letter against résumé and profile; problems are reported, not refused.

    Not within a transaction: it may take seconds.
    """
    if kind == "other":
        return Check()
    resume, profile = await load_facts(request.db, request.owner)
    limits = request.settings.limits
    return await trace_letter(content, resume, profile, job or {}, limits, request.owner)


async def _load(request: ApiRequest, document_id: int, version: int | None) -> Document:
    row = await _load_row(request, document_id, version)
    return to_shape(Document, row, letterhead=await _load_letterhead(request, row))


async def _load_letterhead(request: ApiRequest, row: Row) -> str:
    """Load a cover letter's head, with the day of this version; "" for other documents."""
    if row["kind"] != "cover_letter":
        return ""
    resume, _ = await load_facts(request.db, request.owner)
    job = await store.load_job(request.db, request.owner, row["job_id"]) if row["job_id"] else None
    return build_letterhead(row["content"], resume, job, row["created_at"].date())


async def _load_row(request: ApiRequest, document_id: int, version: int | None) -> Row:
    """Load one version of the user's document, or the latest. Raises: NotFoundError."""
    row = await store.load_document(request.db, request.owner, document_id, version)
    if row is None:
        raise make_missing("document", document_id)
    return row


def _clean(content: str) -> str:
    text = clean_text(content).replace("\r\n", "\n").strip()
    if not text:
        raise InputError("the content is empty", hint="Write a text.")
    return text


_ONE: Final = "/api/documents/{document_id}"
ROUTES: Final = (
    ApiRoute("GET", "/api/documents", list_documents, "List documents, latest change first"),
    ApiRoute(
        "POST",
        "/api/documents",
        create_document,
        "Save a document written by hand; a cover letter is checked against the résumé",
        status=201,
    ),
    ApiRoute("GET", _ONE, read_document, "Read a document with its sources"),
    ApiRoute("GET", f"{_ONE}/versions", list_versions, "List a document's versions, newest first"),
    ApiRoute(
        "POST", f"{_ONE}/versions", add_version, "Save a new version of a document", status=201
    ),
    ApiRoute(
        "GET",
        f"{_ONE}/export",
        export_file,
        "Download a document as Markdown, Word or PDF",
        files=tuple(MEDIA_TYPES.values()),
    ),
    ApiRoute("DELETE", _ONE, delete_document, "Delete a document with all versions", status=204),
)
