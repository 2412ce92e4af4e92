"""`plainloop letter`: a stored document as a Markdown, Word or PDF file."""

from __future__ import annotations

from pathlib import Path
from typing import Final, get_args

from agent.cli import output
from agent.cli.opening import Owner, open_store
from agent.config import load_settings
from agent.errors import InputError, NotFoundError
from agent.packs.careers.export import Format, export_document
from agent.packs.careers.store import load_document

FORMATS: Final = get_args(Format)


async def export_letter(owner: Owner, document_id: int, path: Path, version: int | None) -> None:
    """Write the document to `path`, in the format of its suffix.

    Raises: InputError, NotFoundError.
    """
    format_ = next((item for item in FORMATS if path.suffix.lower() == f".{item}"), None)
    if format_ is None:
        raise InputError(f"{path.name} names no format", hint="End it in .pdf, .docx or .md.")
    settings = load_settings()
    async with open_store(settings) as store:
        db = store.read(owner.tenant_id)
        row = await load_document(db, owner.tenant_id, owner.user_id, document_id, version)
    if row is None:
        raise NotFoundError(f"no such document: {document_id}", hint='Try: ask "list my letters".')
    file = await export_document(row, format_, settings.pdf_font)
    _write_file(path, file.content)
    output.write_line(f"{row['title']}, version {row['version']} → {path}")


def _write_file(path: Path, content: bytes) -> None:
    """Raises: InputError."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
