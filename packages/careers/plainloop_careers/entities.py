"""What the fast paths can read: jobs, contacts, companies, documents, and the words for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from plainloop.agent.core.spec import EntitySpec, FieldSpec
from plainloop_rules.entity_words import load_entity_words

from .files import load_data
from .jobs.status import STATUS

_SPECS: Final = load_data(__file__, "entities.toml")
_WORDS: Final = load_entity_words(Path(__file__).parent / "words")


def format_job(row: Mapping[str, Any]) -> str:
    """Format a job as one line for people and models, such as `#3 Cook at Noma (saved)`.

    >>> format_job({"job_id": 3, "title": "Cook", "company": "Noma", "status": "saved"})
    '#3 Cook at Noma (saved)'
    """
    return f"#{row['job_id']} {row['title']} at {row['company']} ({row['status']})"


def _format_contact(row: Mapping[str, Any]) -> str:
    named = [row.get("name"), row.get("email"), row.get("company")]
    return ", ".join(item for item in named if item) + f" (contact {row['contact_id']})"


def _format_company(row: Mapping[str, Any]) -> str:
    return f"{row['name']} (company {row['company_id']})"


def _format_document(row: Mapping[str, Any]) -> str:
    mark = f"document {row['document_id']}"
    version = row.get("latest_version") or 1
    return f"{row['title']} ({mark}{f', version {version}' if version > 1 else ''})"


def _build_entity(name: str, title: Callable[[Mapping[str, Any]], str]) -> EntitySpec:
    spec = dict(_SPECS[name])
    fields = msgspec.convert(spec.pop("fields"), tuple[FieldSpec, ...])
    words = {key: tuple(spec.pop(key, ())) for key in ("words", "own", "ambiguous")}
    fields = tuple(STATUS if field.name == STATUS.name else field for field in fields)
    known = {"fields": fields, "translations": _WORDS[name], **words}
    return EntitySpec(name=name, title=title, **known, **spec)


JOBS: Final = _build_entity("jobs", format_job)
CONTACTS: Final = _build_entity("contacts", _format_contact)
COMPANIES: Final = _build_entity("companies", _format_company)
DOCUMENTS: Final = _build_entity("documents", _format_document)

ENTITIES: Final = (JOBS, CONTACTS, COMPANIES, DOCUMENTS)
