"""What the fast paths can read: jobs, contacts, companies, documents, and the words for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from plainloop.agent.core.spec import EntitySpec, FieldSpec
from plainloop.agent.intents.words import load_entity_words

from .jobs.status import STATUS

_WORDS: Final = load_entity_words(Path(__file__).parent / "words")

REMOTE_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "onsite": ("onsite", "on-site", "on site", "in-office", "in office", "in the office"),
    "hybrid": ("hybrid",),
    "remote": ("remote", "fully remote", "remotely"),
}
KIND_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "cover_letter": ("cover letter", "cover letters", "letter", "letters"),
    "follow_up": ("follow-up", "follow-ups", "follow up", "follow ups"),
    "thank_you": ("thank-you note", "thank-you notes"),
    "other": ("other",),
}


def format_job(row: Mapping[str, Any]) -> str:
    """The line that people and models see; `#3` is what "it" is found by later.

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


# What pay is in and for: 6,000 a month is not less than 50,000 a year.
PAY_UNITS: Final = ("salary_currency", "salary_period")

_CREATED: Final = FieldSpec(
    "created_at",
    "created_at",
    "date",
    words=("date", "created", "added", "date added"),
    is_shown=False,
)
_UPDATED: Final = FieldSpec(
    "updated_at", "updated_at", "date", words=("updated", "changed", "last updated"), is_shown=False
)


_MARKED: Final = "item.outside <> '{}'"  # some of it was written after reading text from outside

JOBS: Final = EntitySpec(
    name="jobs",
    table="careers_jobs",
    id_column="job_id",
    singular="job",
    words=(
        *("job", "jobs", "application", "applications", "position", "positions", "role", "roles"),
    ),
    own=("application", "applications"),
    ambiguous=("job", "jobs", "position", "positions", "role", "roles"),
    fields=(
        FieldSpec("company", "company", words=("company", "employer", "at"), is_lookup=True),
        FieldSpec("title", "title", words=("title", "job title", "titled"), is_lookup=True),
        STATUS,
        FieldSpec(
            "location",
            "location",
            words=("location", "city", "place", "in", "located in", "based in"),
        ),
        FieldSpec("remote_type", "remote_type", "enum", values=REMOTE_WORDS),
        FieldSpec(
            "salary_min",
            "salary_min",
            "int",
            words=("salary", "pay", "pays", "paying", "paid", "minimum salary"),
            smallest=1_000,
            units=PAY_UNITS,
        ),
        FieldSpec(
            "salary_max",
            "salary_max",
            "int",
            words=("maximum salary", "top salary"),
            smallest=1_000,
            units=PAY_UNITS,
        ),
        FieldSpec("salary_currency", "salary_currency"),
        FieldSpec("salary_period", "salary_period"),
        FieldSpec("job_fit", "job_fit", "int", words=("fit", "job fit", "fit score")),
        FieldSpec("tags", "tags", words=("tag", "tags")),
        FieldSpec("source", "source", words=("source",)),
        FieldSpec("url", "url", words=("url", "link")),
        FieldSpec("contact_name", "contact_name", words=("contact",)),
        FieldSpec("applied_at", "applied_at", "date", words=("applied date", "application date")),
        _CREATED,
        _UPDATED,
    ),
    title=format_job,
    translations=_WORDS["jobs"],
    untrusted="item.is_untrusted",
    default_order="created_at",
    default_descending=True,
)

CONTACTS: Final = EntitySpec(
    name="contacts",
    table="careers_contacts",
    id_column="contact_id",
    singular="contact",
    words=("contact", "contacts"),
    own=("contact", "contacts"),
    fields=(
        FieldSpec("name", "name", words=("name",), is_lookup=True),
        FieldSpec("email", "email", words=("email", "e-mail", "email address"), is_lookup=True),
        FieldSpec("company", "company", words=("company", "employer", "at"), is_lookup=True),
        _CREATED,
    ),
    title=_format_contact,
    translations=_WORDS["contacts"],
    untrusted=_MARKED,
    default_order="name",
)

COMPANIES: Final = EntitySpec(
    name="companies",
    table="careers_companies",
    id_column="company_id",
    singular="company",
    words=("company", "companies"),
    fields=(
        FieldSpec("name", "name", words=("name",), is_lookup=True),
        FieldSpec("url", "url", words=("url", "website")),
        _CREATED,
    ),
    title=_format_company,
    translations=_WORDS["companies"],
    untrusted=_MARKED,
    default_order="name",
)

DOCUMENTS: Final = EntitySpec(
    name="documents",
    table="careers_documents",
    id_column="document_id",
    singular="document",
    words=("document", "documents", "cover letter", "cover letters", "letter", "letters"),
    own=("cover letters",),
    fields=(
        FieldSpec("title", "title", words=("title",), is_lookup=True),
        FieldSpec("kind", "kind", "enum", words=("kind",), values=KIND_WORDS),
        FieldSpec("company", "company", words=("company", "employer"), is_lookup=True),
        FieldSpec("latest_version", "latest_version", "int", is_shown=False),
        _CREATED,
        _UPDATED,
    ),
    title=_format_document,
    translations=_WORDS["documents"],
    default_order="updated_at",
    default_descending=True,
)

ENTITIES: Final = (JOBS, CONTACTS, COMPANIES, DOCUMENTS)
