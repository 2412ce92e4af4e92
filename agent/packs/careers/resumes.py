"""Résumés from files: JSON Resume as it is, text and Markdown through a parser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agent.core.persistence import Store
from agent.errors import InputError
from agent.packs.careers.files import load_file, parse_json, parse_text
from agent.packs.careers.resume_shape import parse_resume_data
from agent.packs.careers.store import save_resume, save_resume_data

# Text of a résumé → JSON Resume; one model call, made by the design's ResumeParser.
ParseResume = Callable[[str], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class ResumeFile:
    """A résumé as it was read. data: JSON Resume; None: the text is to be parsed."""

    name: str
    format: Literal["json", "markdown", "text"]
    raw_text: str
    data: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ImportedResume:
    """What an import stored. data: None when the text is stored but nothing has structured it."""

    version: int
    name: str
    format: str
    data: dict[str, Any] | None


def parse_resume_file(source: Path | bytes, name: str) -> ResumeFile:
    """Read a résumé; by its content, the name only tells Markdown from text.

    Raises: InputError: unreadable, empty, too large, binary, corrupt JSON (line and column), or
    JSON of another shape (key path).
    """
    text = parse_text(load_file(source), name)
    suffix = Path(name).suffix.lower()
    if suffix == ".json" or text.lstrip().startswith("{"):
        return ResumeFile(name, "json", text, parse_resume_data(parse_json(text, name)))
    is_markdown = suffix in (".md", ".markdown")
    return ResumeFile(name, "markdown" if is_markdown else "text", text, None)


async def import_resume(
    store: Store,
    tenant_id: str,
    user_id: str,
    source: Path | bytes,
    name: str,
    parse: ParseResume | None = None,
) -> ImportedResume:
    """Store a résumé as the user's new version and, for text, structure it with `parse`.

    The text is stored first: when the parser fails (its error rises) nothing is lost. No
    transaction is open while the parser works.

    Raises: InputError as parse_resume_file, or when the parser's answer has the wrong shape.
    """
    file = parse_resume_file(source, name)
    async with store.transaction(tenant_id) as db:
        version = await save_resume(
            db,
            tenant_id,
            user_id,
            name=file.name,
            source_format=file.format,
            raw_text=file.raw_text,
            data=file.data,
        )
    data = file.data
    if data is None and parse is not None:
        data = await structure_resume(store, tenant_id, user_id, version, file.raw_text, parse)
    return ImportedResume(version, file.name, file.format, data)


async def structure_resume(
    store: Store, tenant_id: str, user_id: str, version: int, raw_text: str, parse: ParseResume
) -> dict[str, Any]:
    """Parse a stored text and keep the result with that version.

    Raises: InputError when the answer has the wrong shape or a person has corrected the version.
    """
    data = parse_resume_data(await parse(raw_text))
    async with store.transaction(tenant_id) as db:
        is_saved = await save_resume_data(db, tenant_id, user_id, version, data)
    if not is_saved:
        raise InputError("this résumé was corrected by hand and is not parsed over")
    return data
