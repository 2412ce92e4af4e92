"""`GET /api/audit`: what administrators did, for administrators."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ...agent.core.api import ApiFile, ApiRequest, ApiRoute
from ...agent.store.admin.audit import AuditEntry, list_audit
from ...agent.usage.report import to_csv
from ..routes.choosing import check_admin
from ..routes.conversations import check_limit


class AuditQuery(Struct, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1)] = 50  # of a page; csv has all
    before: str | None = None  # `entry_id` of the last one of the page before
    format: Literal["json", "csv"] = "json"
    actor: str = ""  # in the actor's name
    action: str = ""  # `budget.save`, or `budget` for all actions on budgets
    text: str = ""  # in the object or the details


class AuditPage(Struct):
    entries: list[AuditEntry]


async def read(request: ApiRequest, query: AuditQuery) -> AuditPage | ApiFile:
    """Return a page of the matching audit entries, or all of these as CSV. Raises: AccessDenied."""
    check_admin(request, "only an administrator can read the audit log")
    limit = None if query.format == "csv" else check_limit(request, query.limit)
    only = {"actor": query.actor, "action": query.action, "text": query.text}
    entries = await list_audit(request.db, limit, query.before, **only)
    if query.format == "json":
        return AuditPage(entries)
    return ApiFile(write_csv(entries).encode(), "text/csv; charset=utf-8", "audit.csv")


def write_csv(entries: list[AuditEntry]) -> str:
    rows = ({**asdict(item), "at": item.at.isoformat()} for item in entries)
    return to_csv({**row, "details": msgspec.json.encode(row["details"]).decode()} for row in rows)


AUDIT_ROUTES: Final = (
    ApiRoute(
        "GET",
        "/api/audit",
        read,
        "List administrators' actions, newest first (admins)",
        files=("text/csv",),
    ),
)
