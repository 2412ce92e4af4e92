"""`plainloop documents …`: letters and other texts, with what their facts rest on, and as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from ...config.settings import load_settings
from ...errors import InputError, NotFoundError
from ...packs.careers import store
from ...packs.careers.letters.export import Format, export_document
from ...store.database import Row
from ..replay.export import create_file
from ..terminal import output
from ..terminal.opening import Owner, open_store

LISTED = 100


async def list_documents(owner: Owner) -> None:
    """The latest change first."""
    async with open_store(load_settings()) as opened:
        db = opened.read(owner.tenant_id)
        rows = await store.list_documents(db, owner.tenant_id, owner.user_id, LISTED)
    for row in rows:
        output.write_line(f"{row['document_id']:>4}  v{row['latest_version']}  {row['title']}")
    if not rows:
        output.write_status(
            'no documents yet; `plainloop ask "write a cover letter for …"` makes one'
        )


async def show_document(owner: Owner, document_id: int, version: int | None) -> None:
    """The text; then each sentence that states facts with where they come from."""
    row = await load_document(owner, document_id, version)
    output.write_line(row["content"])
    sources: list[dict[str, Any]] = row["sources"]
    if sources:
        output.write_status("\nWhere its facts come from:")
    for item in sources:
        output.write_status(f"{item['sentence']}\n    ← {', '.join(item['sources'])}")
    for problem in row["problems"]:
        output.write_status(f"not grounded: {problem}")


async def export_to_file(
    owner: Owner,
    document_id: int,
    version: int | None,
    wanted: Format | None,
    target: Path | None,
) -> None:
    """Write a new file; nothing is overwritten. target None: named after the document, here."""
    format_ = wanted or choose_format(target)
    row = await load_document(owner, document_id, version)
    file = await export_document(row, format_, load_settings().pdf_font)
    path = target or Path(file.filename)
    with create_file(path) as opened:
        opened.write(file.content)
    output.write_line(f"{path} ({len(file.content):,} bytes)")


def choose_format(target: Path | None) -> Format:
    """By the file's name. Raises: InputError for a name that says none of ours."""
    if target is None:
        return "pdf"
    found: Format | None = next(
        (item for item in get_args(Format) if target.suffix.lower() == f".{item}"), None
    )
    if found is None:
        raise InputError(f"{target.name} names no format", hint="End it in .pdf, .docx or .md.")
    return found


async def load_document(owner: Owner, document_id: int, version: int | None) -> Row:
    """Raises: NotFoundError, InputError for a version below 1."""
    if version is not None and version < 1:
        raise InputError("versions begin at 1")
    async with open_store(load_settings()) as opened:
        db = opened.read(owner.tenant_id)
        row = await store.load_document(db, owner.tenant_id, owner.user_id, document_id, version)
    if row is None:
        raise NotFoundError(
            f"there is no document {document_id}" + (f", version {version}" if version else ""),
            hint="`plainloop documents list` shows them.",
        )
    return row
