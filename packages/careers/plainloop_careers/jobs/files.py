"""Jobs from files: sheets, one job as JSON or text, a posting saved from the web."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, BinaryIO, Final

from plainloop.agent.base.foreign_json import as_object
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop.agent.outbound.process import NOBODY, Owner
from plainloop_documents.reading.document import LOOKS_LIKE_HTML, detect_format, parse_text
from plainloop_documents.reading.files import run_on_file

from ..files import parse_json
from ..web.postings import ITEM_TYPE, from_page, from_posting
from .boards import find_postings, from_board, is_posting
from .imports import complete_job, parse_job_text
from .sheets import FoundJobs, read_items, read_rows

READ_JOB: Final = "plainloop_careers.jobs.files"
MAX_FILE_BYTES: Final = 2_000_000


async def read_jobs_file(
    content: bytes | BinaryIO, name: str, limits: Limits, owner: Owner = NOBODY
) -> FoundJobs:
    """The jobs of an uploaded file, read in a child process.

    Raises: InputError as `read_jobs`, or when it takes too long or too much.
    """
    result = await run_on_file(READ_JOB, content, name, limits, owner)
    return FoundJobs(result["jobs"], [(row, said) for row, said in result["rejected"]])


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """The child's side of it."""
    return asdict(read_jobs(content, options["name"]))


def read_jobs(content: bytes, name: str) -> FoundJobs:
    """Read jobs from CSV (comma, semicolon or tab), JSON (a job, a list, a board's answer), HTML or
    text.

    Raises: InputError when the file as a whole cannot be read, or holds no job and nothing
    rejected; single rows are `rejected`.
    """
    found = _read_jobs(content, name)
    if not found.jobs and not found.rejected:
        raise InputError(f"{name} contains no jobs", hint=_HINT, code="FILE_EMPTY")
    return found


def _read_jobs(content: bytes, name: str) -> FoundJobs:
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"the file is too large: {len(content):,} bytes, at most {MAX_FILE_BYTES:,}",
            code="FILE_TOO_LARGE",
        )
    if detect_format(content, name) != "text":
        raise InputError(f"{name} is not a text file", hint=_HINT, code="FILE_UNSUPPORTED")
    if LOOKS_LIKE_HTML.match(content):
        from plainloop_documents.reading import page  # lxml: in the child alone

        found = page.run(content, {"item_type": ITEM_TYPE})
        return FoundJobs([complete_job(from_page(found, found["canonical"]), name)])
    text = parse_text(content, name)
    if not text.strip():
        raise InputError("the file is empty", hint=_HINT, code="FILE_EMPTY")
    if text.lstrip()[:1] in ("{", "["):
        value = parse_json(text, name)
        items = find_postings(value)
        if items is not None:
            return read_items(items, name, _read_posting)
        if (fields := _read_posting(as_object(value))) is not None:
            return FoundJobs([complete_job(fields, name)])
    return read_rows(text, name) or FoundJobs([parse_job_text(text, name)])


def _read_posting(item: dict[str, Any]) -> dict[str, Any] | None:
    """The fields of a published posting; None for what is a job in our own shape."""
    if "hiringOrganization" in item:  # JSON-LD
        return from_posting(item, "")
    return from_board(item) if is_posting(item) else None


_HINT: Final = "Accepted are CSV with a header line, JSON, text, and postings saved as HTML."
