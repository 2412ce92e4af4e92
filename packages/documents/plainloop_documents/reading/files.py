"""From a file to clean text, or to a clear word about why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, Final

from plainloop.agent.config.settings import Limits
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop_documents.process import NOBODY, Owner, run_child

from .document import ACCEPTED, Format

DOCUMENT_JOB: Final = "plainloop_documents.reading.document"
PAGE_JOB: Final = "plainloop_documents.reading.page"

# The child's word → (code, what is said of the file, what can be done).
REASONS: Final = {
    "empty": ("FILE_EMPTY", "", ACCEPTED),
    "encrypted": (
        "FILE_ENCRYPTED",
        "is protected by a password",
        "Save a copy without a password.",
    ),
    "no_text": (
        "FILE_WITHOUT_TEXT",
        "contains no text, only images (perhaps it is a scan)",
        "Run text recognition (OCR) on it, or paste its text into a .txt file.",
    ),
    "unmapped": (
        "FILE_WITHOUT_TEXT",
        "contains fonts that do not say which letters they draw, so its text cannot be copied",
        "Export the file again from its source, run text recognition (OCR) on it, or paste its "
        "text into a .txt file.",
    ),
    "corrupt": ("FILE_CORRUPT", "is damaged and cannot be read", "Export the file again."),
    "too_large": (
        "FILE_TOO_LARGE",
        "is too large after unpacking",
        "Export the file again without pictures, or as text.",
    ),
    "too_many_pages": ("FILE_TOO_LONG", "has too many pages", "Keep only the pages that matter."),
    "timeout": ("FILE_TOO_SLOW", "takes too long to read", "Export the file again, or as text."),
    "killed": (
        "FILE_READER_KILLED",
        (
            "could not be read completely: the system ended the reader, probably "
            "because memory ran out"
        ),
        "Try again later, or with a smaller file.",
    ),
    "other_zip": ("FILE_UNSUPPORTED", "is a ZIP file, but not a Word document", ACCEPTED),
    "open_document": (
        "FILE_UNSUPPORTED",
        "is an OpenDocument file",
        "Save the file as a Word document (.docx) or as PDF.",
    ),
    "macros": (
        "FILE_UNSUPPORTED",
        "is a Word document with macros, or a template",
        "Save the file as an ordinary Word document (.docx).",
    ),
    "declarations": (
        "FILE_UNSAFE",
        (
            "declares XML entities, which could read other files and which word "
            "processors do not write"
        ),
        "Export the file again.",
    ),
}


@dataclass(frozen=True, slots=True)
class FileText:
    """A file that was read. pages: 0 where a format has none."""

    format: Format
    text: str
    pages: int = 0


async def read_file(
    content: bytes | BinaryIO,
    name: str,
    limits: Limits,
    owner: Owner = NOBODY,
    *,
    columns_over_pages: bool = False,
) -> FileText:
    """Read an uploaded file, whose format is detected, to plain text in a child process.

    columns_over_pages: a side bar of a PDF goes on with the next page's, and so does the column
    beside it.

    Raises: InputError with a code and a hint of its own for each reason: empty, encrypted, without
    text, damaged, too large unpacked, too many pages, too slow, of another kind, its reader ended;
    ServiceUnavailable (READER_UNAVAILABLE) when no reader can be started.
    """
    over = {"columns_over_pages": columns_over_pages}
    result = await run_on_file(DOCUMENT_JOB, content, name, limits, owner, **over)
    return FileText(result["format"], result["text"], result["pages"])


async def run_on_file(
    job: str,
    content: bytes | BinaryIO,
    name: str,
    limits: Limits,
    owner: Owner = NOBODY,
    **options: Any,
) -> dict[str, Any]:
    """Run a job on an uploaded file in a child process; return the job's result.

    Raises: InputError as `read_file`, or as the job says.
    """
    options = {"max_pages": limits.upload_pages, "name": name, **options}
    result = await run_child(job, content, timeout_s=limits.upload_parse_s, owner=owner, **options)
    if "error" in result:
        raise make_refusal(name, result, limits)
    return result


def load_file(source: Path | bytes, max_bytes: int) -> bytes:
    """Return the bytes of a file, unless it is too large.

    Raises: InputError when it cannot be read, is empty or larger than `max_bytes`.
    """
    if isinstance(source, bytes):
        size_bytes = len(source)
    else:
        try:
            size_bytes = source.stat().st_size
            if size_bytes <= max_bytes:
                source = source.read_bytes()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputError(
                f"cannot read {source}: {reason}", hint="Check the path and the file's permissions."
            ) from error
    if size_bytes > max_bytes:
        raise InputError(
            f"the file is too large: it has {size_bytes:,} bytes; at most "
            f"{max_bytes:,} are allowed",
            hint="Split the file, or make its pictures smaller.",
            code="FILE_TOO_LARGE",
        )
    assert isinstance(source, bytes)
    return source


def make_refusal(name: str, result: dict[str, Any], limits: Limits) -> InputError:
    """Build the error for a file that a child process refused, from the child's result."""
    reason = str(result["error"])
    if "message" in result:
        return InputError(str(result["message"]), hint=result.get("hint"), code=reason)
    if reason == "empty":
        return InputError("the file is empty", hint=ACCEPTED, code="FILE_EMPTY")
    code, said, hint = REASONS.get(reason, REASONS["corrupt"])
    if reason == "too_many_pages":
        said = f"has more than {limits.upload_pages} pages"
    if reason == "timeout":
        said = f"could not be read within {limits.upload_parse_s:g} s"
    return InputError(f"{name} {said}", hint=hint, code=code)
