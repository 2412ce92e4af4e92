"""What the tracker stores: entities with every kind of field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainloop.agent.core.spec import EntitySpec, FieldSpec
from plainloop.agent.store.store import Store


def format_job(row: Mapping[str, Any]) -> str:
    return f"#{row['job_id']} {row['title']} at {row['company']} ({row['status']})"


def format_name(row: Mapping[str, Any]) -> str:
    return str(row["name"])


ADDED = FieldSpec("created_at", "created_at", "date", ("date", "added"), is_shown=False)

JOBS = EntitySpec(
    name="jobs",
    table="tracker_jobs",
    id_column="job_id",
    singular="job",
    words=("job", "jobs", "application", "applications", "position", "positions"),
    fields=(
        FieldSpec("company", "company", words=("company", "employer", "at"), is_lookup=True),
        FieldSpec("title", "title", words=("title", "titled"), is_lookup=True),
        FieldSpec(
            "status",
            "status",
            "enum",
            ("status", "stage"),
            {
                "saved": ("saved", "bookmarked"),
                "applied": ("applied", "applied to", "applied for"),
                "interviewing": ("interviewing", "interviewing at", "interviewing with"),
                "offer": ("offer", "offers", "offered", "with an offer"),
                "rejected": ("rejected", "rejected by", "rejections"),
            },
        ),
        FieldSpec("location", "location", words=("location", "city", "located in", "based in")),
        FieldSpec(
            "remote_type",
            "remote_type",
            "enum",
            (),
            {"onsite": ("on-site", "in-office"), "hybrid": ("hybrid",), "remote": ("remote",)},
        ),
        FieldSpec("salary", "salary", "int", ("pay", "pays", "paid", "paying")),
        FieldSpec("is_favorite", "is_favorite", "bool", ("favorite", "favourite", "starred")),
        ADDED,
    ),
    title=format_job,
    default_order="created_at",
    default_descending=True,
)

CONTACTS = EntitySpec(
    name="contacts",
    table="tracker_contacts",
    id_column="contact_id",
    singular="contact",
    words=("contact", "contacts"),
    fields=(
        FieldSpec("name", "name", words=("name",), is_lookup=True),
        FieldSpec("email", "email", words=("email", "email address"), is_lookup=True),
        FieldSpec("company", "company", words=("company", "employer", "at")),
        ADDED,
    ),
    title=format_name,
    default_order="name",
)

COMPANIES = EntitySpec(
    name="companies",
    table="tracker_companies",
    id_column="company_id",
    singular="company",
    words=("company", "companies"),
    fields=(FieldSpec("name", "name", words=("name",), is_lookup=True), ADDED),
    title=format_name,
    default_order="name",
)

DOCUMENTS = EntitySpec(
    name="documents",
    table="tracker_documents",
    id_column="document_id",
    singular="document",
    words=("document", "documents", "cover letter", "cover letters"),
    fields=(
        FieldSpec("name", "name", words=("name",), is_lookup=True),
        FieldSpec(
            "kind",
            "kind",
            "enum",
            ("kind",),
            {"cover_letter": ("cover letter", "cover letters"), "other": ("other",)},
        ),
        ADDED,
    ),
    title=format_name,
    default_order="created_at",
    default_descending=True,
)

ENTITIES = (JOBS, CONTACTS)  # of the pack: one tuple, whose lexicons each process builds once
TRACKER = (*ENTITIES, COMPANIES, DOCUMENTS)


async def add_row(
    store: Store, table: str, tenant_id: str = "acme", user_id: str = "ann", **columns: Any
) -> None:
    """Insert one row as the app's own role would."""
    values = {"tenant_id": tenant_id, "user_id": user_id, **columns}
    marks = ", ".join(f"${n}" for n in range(1, len(values) + 1))
    async with store.transaction(tenant_id) as tx:
        await tx.execute(
            f"insert into {table} ({', '.join(values)}) values ({marks})", *values.values()
        )
