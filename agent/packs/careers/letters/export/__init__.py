"""Documents as files: Markdown, Word, PDF."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Final, Literal

from .....store.database import Row

Format = Literal["md", "docx", "pdf"]

MEDIA_TYPES: Final[dict[Format, str]] = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
}
MAX_NAME_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class ExportedFile:
    content: bytes
    media_type: str
    filename: str


async def export_document(document: Row, format_: Format, font: str | None = None) -> ExportedFile:
    """One version of a document as a file.

    document: `title`, `content`, `version`. font: a TrueType file for PDFs; None: the core fonts,
    or one of the system's where those lack a character.

    Raises: InputError (`GLYPHS_MISSING`, `SCRIPT_UNSUPPORTED`) when no font can show the text as
    PDF; the other formats take any text.
    """
    title, content = document["title"], document["content"]
    name = make_filename(title, document["version"], format_)
    if format_ == "md":
        return ExportedFile(f"{content}\n".encode(), MEDIA_TYPES["md"], name)
    if format_ == "docx":
        from .word import build_docx

        built = await asyncio.to_thread(build_docx, title, content)
    else:
        from .pdf import build_pdf

        built = await asyncio.to_thread(build_pdf, title, content, font)
    return ExportedFile(built, MEDIA_TYPES[format_], name)


def make_filename(title: str, version: int, suffix: str) -> str:
    """
    >>> make_filename("Cover letter for R&D/Cook at Café Ö", 2, "pdf")
    'cover-letter-for-r-d-cook-at-café-ö-v2.pdf'
    """
    words = re.findall(r"\w+", title.lower())
    return f"{'-'.join(words)[:MAX_NAME_CHARS].strip('-') or 'document'}-v{version}.{suffix}"
