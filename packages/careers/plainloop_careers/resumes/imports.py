"""Résumés from files: JSON Resume as it is, every other format through a parser.

    bytes ─► text (PDF and DOCX in a child process) ─► stored version ─► parser ─► JSON Resume

Each import is a version. What a person corrected is a person's: a parser never writes over it, and
a new import starts a new version beside it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from plainloop.agent.config.settings import Limits
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ConflictError, InputError
from plainloop.agent.store.store import Store
from plainloop_documents.process import NOBODY, Owner
from plainloop_documents.reading.files import FileText, load_file, read_file

from ..files import parse_json
from ..store import save_resume, save_resume_data
from .linkedin_data import from_linkedin, read_linkedin_csv
from .shape import is_json_resume, parse_resume_data

# Text of a résumé → JSON Resume; one model call, made by the design's ResumeParser.
ParseResume = Callable[[str], Awaitable[dict[str, Any]]]
ResumeFormat = Literal["json", "markdown", "text", "pdf", "docx"]

MAX_JSON_CHARS: Final = 200_000
MAX_TEXT_CHARS: Final = 60_000  # about 15,000 tokens: more than any résumé, less than any bill


@dataclass(frozen=True, slots=True)
class ResumeFile:
    """A résumé as it was read. data: JSON Resume; None: the text is to be parsed."""

    name: str
    format: ResumeFormat
    raw_text: str
    data: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ImportedResume:
    """Result of a résumé's import.

    data: None when the text is stored but unstructured; problem: why, if a parser was called.
    """

    version: int
    name: str
    format: str
    data: dict[str, Any] | None
    problem: str | None = None


async def read_resume_file(
    source: Path | bytes | BinaryIO, name: str, limits: Limits, owner: Owner = NOBODY
) -> ResumeFile:
    """Read a résumé from a file, in whichever format its content has.

    The name only separates Markdown from plain text.

    Raises: InputError: as `reading.files.read_file` and `to_resume_file`.
    """
    if isinstance(source, bytes | Path):
        source = load_file(source, limits.upload_bytes)
    file = await read_file(source, name, limits, owner, columns_over_pages=True)
    return to_resume_file(file, name)


def to_resume_file(file: FileText, name: str) -> ResumeFile:
    """Convert a file's text to a résumé.

    JSON Resume is parsed at once, other text later.

    Raises: InputError: corrupt JSON (line and column), JSON of another shape (key path), or more
    text than a résumé can have.
    """
    suffix = Path(name).suffix.lower()
    is_json = suffix == ".json" or file.text.lstrip().startswith("{")
    is_json = is_json and file.format == "text"
    most = MAX_JSON_CHARS if is_json else MAX_TEXT_CHARS
    if len(file.text) > most:
        raise InputError(
            f"{name} has {len(file.text):,} characters; at most {most:,} are allowed",
            hint="Import only the résumé's own pages, which are usually few.",
            code="FILE_TOO_LONG",
        )
    if is_json:
        data = parse_resume_data(from_linkedin(parse_json(file.text, name)))
        return ResumeFile(name, "json", file.text, data)
    if suffix == ".csv" and (rows := read_linkedin_csv(Path(name).stem, file.text)):
        data = parse_resume_data(from_linkedin(rows))
        return ResumeFile(name, "json", file.text, data)
    if file.format != "text":
        return ResumeFile(name, file.format, file.text, None)
    is_markdown = suffix in (".md", ".markdown")
    return ResumeFile(name, "markdown" if is_markdown else "text", file.text, None)


async def keep_resume(
    store: Store, owner: Owner, file: ResumeFile, parse: ParseResume | None = None
) -> ImportedResume:
    """Store a résumé as the user's new version.

    parse: converts its text to JSON Resume; None leaves that for later. The text is stored first:
    when the parser fails (a provider's error rises) nothing is lost, and an answer that cannot be
    used leaves it unstructured. No transaction is open while the parser works.
    """
    async with store.transaction(owner[0]) as db:
        version = await save_resume(
            db,
            owner,
            name=file.name,
            source_format=file.format,
            raw_text=file.raw_text,
            data=file.data,
        )
    data, problem = file.data, None
    if data is None and parse is not None:
        try:
            data = await structure_resume(store, owner, version, file.raw_text, parse)
        except InputError as error:
            problem = error.message
    return ImportedResume(version, file.name, file.format, data, problem)


async def structure_resume(
    store: Store, owner: Owner, version: int, raw_text: str, parse: ParseResume
) -> dict[str, Any]:
    """Parse the text of a stored résumé, and save the result with that version.

    Raises: InputError when the answer is empty; ConflictError when a person has
    corrected the version.
    """
    data = await parse(raw_text)
    if is_json_resume(data) or not data:  # else it is in a shape of the design's own
        data = parse_resume_data(data)
    async with store.transaction(owner[0]) as db:
        is_saved = await save_resume_data(db, owner, version, data)
    if not is_saved:
        raise ConflictError(
            "this résumé was corrected by hand and will not be parsed again",
            hint="Upload the file again to create a new version next to the corrected one.",
            code="RESUME_CORRECTED",
        )
    return data
