"""A document as PDF or DOCX file. `run` is the child's side of it."""

from __future__ import annotations

import base64
from typing import Any, Final, Literal

from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import ConfigError, InputError
from plainloop_documents.process import NOBODY, Owner, run_child

Format = Literal["docx", "pdf"]

WRITE_JOB: Final = "plainloop_documents.writing.document"


async def write_document(
    title: str,
    content: str,
    format_: Format,
    limits: Limits,
    *,
    font: str | None = None,
    owner: Owner = NOBODY,
) -> bytes:
    """Convert Markdown to a PDF or Word file, in a child process.

    font: a TrueType file for PDFs; None: the core fonts, or one of the system's where those lack a
    character.

    Raises: InputError (`GLYPHS_MISSING`, `SCRIPT_UNSUPPORTED`) when no font can show the text as
    PDF, or when it takes too long or too much; ConfigError for a broken font file.
    """
    options = {"title": title, "format": format_, "font": font}
    text = content.encode("utf-8", "replace")
    timeout_s = limits.upload_parse_s
    result = await run_child(WRITE_JOB, text, timeout_s=timeout_s, owner=owner, **options)
    error, message = result.get("error"), result.get("message")
    if error is None:
        return base64.b64decode(result["content"])
    if message is None:
        raise InputError(
            f"creating the {format_} file took more than {timeout_s:g} s or too much memory",
            hint="Export the document as Markdown.",
            code="EXPORT_TOO_LARGE",
        )
    kind = ConfigError if error == ConfigError.code else InputError
    raise kind(message, hint=result.get("hint"), code=error)


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Convert Markdown to PDF or Word in the child process; return `{"content": base64}`.

    The libraries are loaded in the child alone.
    """
    from .blocks import parse_blocks

    title, text = options["title"], content.decode()
    if options["format"] == "docx":
        from .word import build_docx

        built = build_docx(title, parse_blocks(text))
    else:
        from .pdf import build_pdf, to_shown

        built = build_pdf(title, parse_blocks(to_shown(text)), options["font"])
    return {"content": base64.b64encode(built).decode()}
