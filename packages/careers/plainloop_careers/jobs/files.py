"""Jobs from files: sheets, postings as JSON, XML, HTML or text. Read in a child process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, BinaryIO, Final

import msgspec

from plainloop.agent.base.text.foreign_json import as_object
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import InputError
from plainloop_documents.process import NOBODY, Owner
from plainloop_documents.reading.document import (
    LOOKS_LIKE_HTML,
    ZIP_MAGIC,
    detect_format,
    parse_text,
)
from plainloop_documents.reading.files import run_on_file
from plainloop_documents.reading.tables import Table, read_delimited, read_workbook

from ..files import parse_json
from ..web.postings import ITEM_TYPE, from_page
from .boards import find_postings, from_board, from_personio, from_trello, is_posting
from .imports import complete_job, from_text
from .pasted import from_pasted
from .sheets import HEADINGS, FoundJobs, Mapped, count_known, read_items, read_table

READ_JOB: Final = "plainloop_careers.jobs.files"
MAX_FILE_BYTES: Final = 2_000_000
_NAMING: Final = frozenset({"company", "title", "heading", *HEADINGS})  # columns that say which job
_SHEET_NAMES: Final = (".csv", ".tsv", ".tab", ".xlsx")


async def read_jobs_file(
    content: bytes | BinaryIO,
    name: str,
    limits: Limits,
    owner: Owner = NOBODY,
    mapping: Mapped | None = None,
    *,
    is_guess: bool = False,
) -> FoundJobs:
    """Read the jobs in an uploaded file, in a child process.

    is_guess: a person confirms what is read, so a text without labels may be guessed at.

    Raises: InputError as `read_file`, or when it takes too long or too much.
    """
    result = await run_on_file(
        READ_JOB, content, name, limits, owner, mapping=mapping or {}, is_guess=is_guess
    )
    return msgspec.convert(result, FoundJobs)


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Read the jobs in a file, as the job of a child process; return them as a dict."""
    is_guess = bool(options.get("is_guess"))
    found = read_file(content, options["name"], options.get("mapping") or {}, is_guess=is_guess)
    return asdict(found)


def read_jobs(content: bytes, name: str, mapping: Mapped | None = None) -> FoundJobs:
    """Read the jobs in a file; refuse it if no job has a company and a title.

    Raises: InputError as `read_file`, and when nothing in it has a title and a company.
    """
    found = read_file(content, name, mapping or {})
    check_found(found, name)
    return found


def check_found(found: FoundJobs, name: str) -> None:
    """Refuse a file in which no job has a company and a title.

    Raises: InputError that names what is missing.
    """
    if found.incomplete and not found.jobs:
        complete_job(found.incomplete[0], name)
    unknown = [column.name for column in found.columns if not column.is_known]
    fields = {column.field for column in found.columns}
    if found.columns and not found.jobs and unknown and not fields & _NAMING:
        raise InputError(
            f"{name}: no company or title found; unknown columns: {', '.join(unknown)}",
            hint='Map columns to fields, for example {"Firma": "company"}.',
            code="SHEET_UNMAPPED",
        )


def read_file(content: bytes, name: str, mapping: Mapped, *, is_guess: bool = False) -> FoundJobs:
    """Read all jobs in a file, incomplete ones included.

    It may be CSV, Excel, JSON, Personio's XML, HTML or text.
    JSON: a job, a list, or a board's answer. To an incomplete job a person has to add the company
    or the title.

    Raises: InputError when the file as a whole cannot be read, or holds no job and nothing
    rejected; single rows are `rejected`.
    """
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"the file is too large: {len(content):,} bytes, at most {MAX_FILE_BYTES:,}",
            hint="Split it into several files.",
            code="FILE_TOO_LARGE",
        )
    found = _read_file(content, name, mapping, is_guess)
    if not found.jobs and not found.rejected and not found.incomplete:
        raise InputError(f"{name} contains no jobs", hint=_HINT, code="FILE_EMPTY")
    return found


def _read_file(content: bytes, name: str, mapping: Mapped, is_guess: bool) -> FoundJobs:
    counts = partial(count_known, mapped=mapping.get("columns", {}))
    if content.startswith(ZIP_MAGIC):
        return _read_sheet(read_workbook(content, name, counts, is_sheet=True), name, mapping)
    if detect_format(content, name) != "text":
        raise InputError(f"{name} is not a text file", hint=_HINT, code="FILE_UNSUPPORTED")
    if LOOKS_LIKE_HTML.match(content) or name.lower().endswith((".html", ".htm")):
        from plainloop_documents.reading import page  # lxml: in the child alone

        found = page.run(content, {"item_type": ITEM_TYPE})
        return _sort_postings(from_page(found, found["canonical"]))
    if b"<workzag-jobs" in content[:2_000]:
        return _sort_postings(from_personio(content))
    text = parse_text(content, name)
    if not text.strip():
        raise InputError("the file is empty", hint=_HINT, code="FILE_EMPTY")
    if text.lstrip()[:1] in ("{", "["):
        return _read_json(parse_json(text, name), name, mapping)
    is_sheet = name.lower().endswith(_SHEET_NAMES)
    table = read_delimited(text, name, counts, is_sheet=is_sheet)
    if table is not None:
        return _read_sheet(table, name, mapping)
    return _sort_postings([from_pasted(text) if is_guess else from_text(text)])


def _read_sheet(table: Table | None, name: str, mapping: Mapped) -> FoundJobs:
    if table is None:
        raise InputError(f"{name} contains no jobs", hint=_HINT, code="FILE_EMPTY")
    return read_table(table, mapping)


def _read_json(value: Any, name: str, mapping: Mapped) -> FoundJobs:
    items = from_trello(value) or find_postings(value)
    if items is None:
        return _sort_postings([from_board(as_object(value))])
    # A published posting; or else a row of somebody's tracker.
    found = read_items(
        items, name, mapping, lambda item: from_board(item) if is_posting(item) else None
    )
    if not found.jobs:  # what a list's keys mean is not for a person to say
        found.columns = []
    return found


def _sort_postings(postings: Sequence[dict[str, Any]]) -> FoundJobs:
    """Sort postings into jobs with company and title, and jobs that a person must complete."""
    found = FoundJobs()
    for fields in postings:
        kept = {key: value for key, value in fields.items() if value}
        is_whole = kept.get("title") and kept.get("company")
        (found.jobs if is_whole else found.incomplete).append({**kept, "source": "import"})
    return found


_HINT: Final = (
    "Use a CSV or Excel sheet with column names, JSON, text, or a posting saved from the browser."
)
