"""Documents as files: Markdown, Word, PDF."""

from __future__ import annotations

import re
from typing import Final, Literal

from plainloop.agent.config.settings import Limits
from plainloop.agent.core.api import ApiFile
from plainloop.agent.store.database import Row
from plainloop_documents.process import NOBODY, Owner
from plainloop_documents.writing.document import write_document

Format = Literal["md", "docx", "pdf"]

MEDIA_TYPES: Final[dict[Format, str]] = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
}
MAX_NAME_CHARS: Final = 80


async def export_document(
    document: Row,
    format_: Format,
    font: str | None = None,
    *,
    limits: Limits | None = None,
    owner: Owner = NOBODY,
) -> ApiFile:
    """Convert a document's version to a file for download.

    document: `title`, `content`, `version`.

    Raises: as `write_document`; Markdown takes any text.
    """
    title, content = document["title"], document["content"]
    if format_ == "md":
        built = f"{content}\n".encode()
    else:
        limits = limits or Limits()
        built = await write_document(title, content, format_, limits, font=font, owner=owner)
    name = make_filename(title, document["version"], format_)
    return ApiFile(built, MEDIA_TYPES[format_], name)


def make_filename(title: str, version: int, suffix: str) -> str:
    """Build a file name from a document's title, version and extension.

    >>> make_filename("Cover letter for R&D/Cook at Café Ö", 2, "pdf")
    'cover-letter-for-r-d-cook-at-café-ö-v2.pdf'
    """
    words = re.findall(r"\w+", title.lower())
    return f"{'-'.join(words)[:MAX_NAME_CHARS].strip('-') or 'document'}-v{version}.{suffix}"
