"""`/api/usage`: tokens and cost from the ledger."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Final

from agent.core.api import ApiFile, ApiRequest, ApiRoute
from agent.core.usage import (
    DIMENSIONS,
    AvoidedRow,
    UsageFilter,
    UsageRow,
    list_avoided_calls,
    summarize_usage,
)
from agent.errors import AccessDenied
from server.routes.shapes import UsageQuery

EVERYBODY: Final = "*"


class UsageRoutes:
    """The routes of usage."""

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                "GET",
                "/api/usage",
                read_usage,
                f"Tokens and cost, by any of {', '.join(DIMENSIONS)}",
                query=UsageQuery,
                answer=dict[str, Any],
            ),
        )


async def read_usage(request: ApiRequest) -> Any:
    """One's own usage; an admin may ask for another user's (`user_id`), or everybody's (`*`)."""
    query: UsageQuery = request.query
    names = [name.strip() for text in query.by for name in text.split(",") if name.strip()]
    only = UsageFilter(
        user_id=_choose_user(request, query),
        thread_id=query.thread_id,
        run_id=query.run_id,
        since=_to_aware(query.since),
        until=_to_aware(query.until),
    )
    rows = await summarize_usage(request.db, names, only)
    if query.format == "csv":
        return ApiFile(format_csv(rows).encode(), "text/csv; charset=utf-8", "usage.csv")
    avoided: list[AvoidedRow] = await list_avoided_calls(request.db, only)
    return {"by": names, "usage": [_to_record(row) for row in rows], "avoided": avoided}


def _choose_user(request: ApiRequest, query: UsageQuery) -> str | None:
    """Raises: AccessDenied when another's numbers are asked for without the right."""
    if query.user_id is None or query.user_id == request.user_id:
        return request.user_id
    if not request.is_admin:
        raise AccessDenied("only an admin sees what others used")
    return None if query.user_id == EVERYBODY else query.user_id


def _to_aware(at: datetime | None) -> datetime | None:
    """A time without a zone is UTC."""
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at


def _to_record(row: UsageRow) -> dict[str, Any]:
    record = asdict(row)
    return {**record.pop("keys"), **record}


def format_csv(rows: list[UsageRow]) -> str:
    """Every column of the rows; an unknown number is an empty field, not 0."""
    buffer = io.StringIO()
    records = [_to_record(row) for row in rows]
    if records:
        writer = csv.DictWriter(buffer, fieldnames=list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return buffer.getvalue()
