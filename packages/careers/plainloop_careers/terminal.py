"""What `plainloop import` and `plainloop documents` do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.packs.commands import LOCAL
from plainloop.agent.packs.terminal import Terminal
from plainloop_documents.reading.files import load_file

from . import store
from .entities import format_job
from .jobs.files import check_found, read_jobs_file
from .jobs.merging import merge_jobs
from .letters.export import Format, export_document
from .resumes.imports import ImportedResume, keep_resume, read_resume_file
from .resumes.terminal import remark_doubts
from .settings import ExportSettings

PACK = "careers"
LISTED = 100


async def import_resume(terminal: Terminal, path: str, tenant_id: str) -> None:
    """Import a résumé from a file, parse it with the model, and print what to check."""
    source, name = terminal.read_source(path)
    # Before anything is started: a file that cannot be read is told at once.
    file = await read_resume_file(source, name, terminal.load_settings(PACK).limits)

    async def keep_parsed() -> ImportedResume:
        async with (
            terminal.open_service(PACK, tenant_id) as service,
            terminal.open_store(PACK) as opened,
        ):
            with terminal.progress("reading the résumé …"):
                return await keep_resume(opened, (tenant_id, LOCAL), file, service.parse_text)

    if file.data is None:
        imported = await keep_parsed()
    else:
        async with terminal.open_store(PACK) as opened:
            imported = await keep_resume(opened, (tenant_id, LOCAL), file)
    if imported.problem:
        terminal.say(f"résumé, version {imported.version}: stored as text, not parsed")
        terminal.remark(f"{imported.problem}; `plainloop import resume` parses it again")
        return
    data: dict[str, Any] = imported.data or {}
    basics: dict[str, Any] = data.get("basics") or {}
    counts = [f"{len(data.get(key) or [])} in {key}" for key in ("work", "education", "skills")]
    said = " · ".join([basics.get("name") or "no name in it", *counts])
    terminal.say(f"résumé, version {imported.version}: {said}")
    if data:
        remark_doubts(terminal, data, file.raw_text)


async def import_job(
    terminal: Terminal,
    path: str,
    tenant_id: str,
    columns: Sequence[str] = (),
    statuses: Sequence[str] = (),
) -> None:
    """Import jobs from a sheet or postings into the tracker, and print what became of each."""
    source, name = terminal.read_source(path)
    limits = terminal.load_settings(PACK).limits
    mapping = {"columns": _parse_pairs(columns), "statuses": _parse_pairs(statuses)}
    found = await read_jobs_file(
        load_file(source, limits.upload_bytes), name, limits, mapping=mapping
    )
    check_found(found, name)
    async with terminal.open_store(PACK) as opened, opened.transaction(tenant_id) as db:
        merged = await merge_jobs(db, (tenant_id, LOCAL), found.jobs)
    for rows, said in (
        (merged.created, ""),
        (merged.updated, " (already in the tracker, updated)"),
        (merged.known, " (already in the tracker, not added again)"),
    ):
        for row in rows:
            terminal.say(f"job {format_job(row)}{said}")
    kept = [column.name for column in found.columns if not column.is_known]
    if kept:
        terminal.remark(
            f'columns kept in the notes: {", ".join(kept)}; --column "NAME=FIELD" maps a column'
        )
    for row_number, said in found.unread:
        terminal.remark(f"row {row_number}, kept in the notes: {said}")
    for row_number, said in found.rejected:
        terminal.remark(f"row {row_number} was left out: {said}")
    for fields in found.incomplete:
        called = fields.get("title") or fields.get("company") or fields.get("url") or "a posting"
        terminal.remark(f"{called} was left out: it has no company or no title")
    if not found.jobs:
        raise InputError(
            f"no job was imported from {name}; rows left out: {len(found.rejected)}",
            hint="Each job needs a title and a company.",
        )


def _parse_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """Parse options of the form NAME=VALUE to a dict.

    Raises: InputError for one that is no NAME=VALUE.
    """
    for wrong in (pair for pair in pairs if "=" not in pair):
        raise InputError(
            f"{wrong!r} must have the form NAME=VALUE", hint="For example Firma=company."
        )
    return dict(pair.rsplit("=", 1) for pair in pairs)


async def list_documents(terminal: Terminal, tenant_id: str) -> None:
    """Print the user's documents, one a line."""
    async with terminal.open_store(PACK) as opened:
        rows = await store.load_document_page(
            opened.read(tenant_id), (tenant_id, LOCAL), limit=LISTED + 1
        )
    for row in rows[:LISTED]:
        terminal.say(f"{row['document_id']:>4}  v{row['latest_version']}  {row['title']}")
    if len(rows) > LISTED:
        terminal.remark(f"only the {LISTED} documents changed last are listed")
    if not rows:
        made_by = 'create one with `plainloop ask "write a cover letter for …"`'
        terminal.remark(f"no documents yet; {made_by}")


async def show_document(
    terminal: Terminal, tenant_id: str, document_id: int, version: int | None
) -> None:
    """Print a document's text, then each sentence that states facts with its sources."""
    row = await _load_document(terminal, tenant_id, document_id, version)
    terminal.say(row["content"])
    sources: list[dict[str, Any]] = row["sources"]
    if sources:
        terminal.remark("\nSources of its facts:")
    for item in sources:
        terminal.remark(f"{item['sentence']}\n    ← {', '.join(item['sources'])}")
    for problem in row["problems"]:
        terminal.remark(f"not supported by a source: {problem}")


async def export(
    terminal: Terminal,
    tenant_id: str,
    document_id: int,
    version: int | None,
    wanted: Format | None,
    target: Path | None,
) -> None:
    """Write a document to a file that does not exist yet.

    target None: a file in this folder, named after the document.
    """
    format_ = wanted or _choose_format(target)
    row = await _load_document(terminal, tenant_id, document_id, version)
    settings = terminal.load_settings(PACK)
    font = settings.get_table(ExportSettings).pdf_font
    file = await export_document(row, format_, font, limits=settings.limits)
    path = target or Path(file.filename)
    with terminal.create_file(path) as opened:
        opened.write(file.content)
    terminal.say(f"{path} ({len(file.content):,} bytes)")


def _choose_format(target: Path | None) -> Format:
    """Choose the export format by the target file's extension.

    Raises: InputError for a name that says none of ours.
    """
    if target is None:
        return "pdf"
    for format_ in get_args(Format):
        if target.suffix.lower() == f".{format_}":
            return format_
    raise InputError(
        f"{target.name} has no supported extension", hint="Use the extension .pdf, .docx or .md."
    )


async def _load_document(
    terminal: Terminal, tenant_id: str, document_id: int, version: int | None
) -> Any:
    """Load one version of a document, or the latest.

    Raises: NotFoundError, InputError for a version below 1.
    """
    if version is not None and version < 1:
        raise InputError("version numbers start at 1", hint="Use 1 or more.")
    async with terminal.open_store(PACK) as opened:
        db = opened.read(tenant_id)
        row = await store.load_document(db, (tenant_id, LOCAL), document_id, version)
    if row is None:
        raise NotFoundError(
            f"there is no document {document_id}" + (f", version {version}" if version else ""),
            hint="`plainloop documents list` shows all documents.",
        )
    return row
