"""Jobs from files: sheets, one job as JSON or text, a posting saved from the web."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, BinaryIO, Final, cast

from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop.agent.outbound.process import NOBODY, Owner
from plainloop_documents.reading.document import LOOKS_LIKE_HTML, detect_format, parse_text
from plainloop_documents.reading.files import run_on_file

from ..files import parse_json
from ..web.postings import ITEM_TYPE, from_page, from_posting
from .imports import complete_job, parse_job_text
from .sheets import FoundJobs, read_rows

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
    """Jobs from CSV (comma, semicolon or tab), a JSON list, or one job as HTML, JSON or text.

    Raises: InputError when the file as a whole cannot be read; single rows are `rejected`.
    """
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"the file is too large: {len(content):,} bytes, at most {MAX_FILE_BYTES:,}",
            code="FILE_TOO_LARGE",
        )
    if detect_format(content, name) != "text":
        raise InputError(f"{name} is no text file", hint=_HINT, code="FILE_UNSUPPORTED")
    if LOOKS_LIKE_HTML.match(content):
        from plainloop_documents.reading import page  # lxml: in the child alone

        found = page.run(content, {"item_type": ITEM_TYPE})
        return FoundJobs([complete_job(from_page(found, found["canonical"]), name)])
    text = parse_text(content, name)
    if not text.strip():
        raise InputError("the file is empty", hint=_HINT, code="FILE_EMPTY")
    if text.lstrip().startswith("{"):
        posting = parse_json(text, name)
        if isinstance(posting, dict) and "hiringOrganization" in posting:  # JSON-LD, not our shape
            fields = from_posting(cast(dict[str, Any], posting), "")
            return FoundJobs([complete_job(fields, name)])
    return read_rows(text, name) or FoundJobs([parse_job_text(text, name)])


_HINT: Final = "Accepted: CSV with a head line, JSON, text, and postings saved as HTML."
